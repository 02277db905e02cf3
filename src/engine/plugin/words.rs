//! A line of text as the arguments of a program.

/// A quote that is never closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unclosed quote in string")]
pub(super) struct SplitError;

/// Splits at spaces like a shell: single and double quotes, a backslash outside single quotes takes the next
/// character as it is, and an unquoted `#`, inside a word as well, begins a comment.
pub(super) fn split_words(text: &str) -> Result<Vec<String>, SplitError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None | Some('"'), '\\') => {
                word.get_or_insert_default().extend(characters.next());
            }
            (Some(open), close) if open == close => quote = None,
            (None, open @ ('"' | '\'')) => {
                quote = Some(open);
                word.get_or_insert_default();
            }
            (None, '#') => break,
            (None, space) if space.is_whitespace() => words.extend(word.take()),
            (_, other) => word.get_or_insert_default().push(other),
        }
    }
    if quote.is_some() {
        return Err(SplitError);
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_like_a_shell() {
        let cases: [(&str, &[&str]); 8] = [
            ("", &[]),
            ("  a\tb\n c ", &["a", "b", "c"]),
            (r#"'a "b' "c 'd'" e'f g'h"#, &["a \"b", "c 'd'", "ef gh"]),
            (r#"a\ b "c\"d" 'e\f'"#, &["a b", "c\"d", "e\\f"]),
            ("a # b", &["a"]),
            ("a#b c", &["a"]),
            (r"'a#b' c\#d", &["a#b", "c#d"]),
            (r#"a "" b"#, &["a", "", "b"]),
        ];
        for (text, words) in cases {
            let split = split_words(text).unwrap();
            assert_eq!(split, words, "{text}");
        }
        assert_eq!(split_words("a 'b"), Err(SplitError));
    }
}
