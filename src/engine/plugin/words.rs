//! A line of text as the arguments of a program.

/// A quote that is never closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SplitError;

/// Splits as releases before v5.7.1 do, with a shell's rules: an empty pair of quotes is a word, `#` begins a comment only
/// where a word could begin, which ends with its line, and what follows a quote that is not closed is lost without a
/// word.
pub(super) fn split_shell_words(text: &str) -> Vec<String> {
    let is_space = |character: char| matches!(character, ' ' | '\t' | '\r' | '\n');
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None | Some('"'), '\\') => match characters.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return words,
            },
            (Some(open), close) if open == close => quote = None,
            (None, open @ ('"' | '\'')) => {
                quote = Some(open);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => {
                characters.find(|character| *character == '\n');
            }
            (None, space) if is_space(space) => words.extend(word.take()),
            (_, other) => word.get_or_insert_default().push(other),
        }
    }
    if quote.is_none() {
        words.extend(word);
    }
    words
}

/// Splits as bash does for the completion of words, carapace-shlex 1.0.1: signs of redirections, pipes and assignments are words
/// of their own, an empty word stands behind such a sign, or behind spaces, that end the text, and what is not closed ends
/// with it.
pub(super) fn split_completed_words(text: &str) -> Vec<String> {
    let is_space = |character: &char| " \t\r\n".contains(*character);
    let is_break = |character: &char| "><=;|&(:".contains(*character);
    let mut words = Vec::new();
    let mut rest = text.chars().peekable();
    let mut behind_break = false;
    loop {
        let mut blanks = false;
        while rest.next_if(is_space).is_some() {
            blanks = true;
        }
        let Some(first) = rest.peek().copied() else {
            words.extend((behind_break || blanks).then(String::new));
            return words;
        };
        behind_break = is_break(&first);
        if first == '#' {
            rest.find(|character| *character == '\n');
        } else if behind_break {
            words.push(std::iter::from_fn(|| rest.next_if(is_break)).collect());
        } else {
            words.push(completed_word(&mut rest, |character| {
                is_space(character) || is_break(character)
            }));
        }
    }
}

/// One word, up to a character that ends it outside quotes.
fn completed_word(
    rest: &mut std::iter::Peekable<std::str::Chars<'_>>,
    ends: impl Fn(&char) -> bool,
) -> String {
    let mut word = String::new();
    let mut quote = None;
    while let Some(character) = rest.next_if(|character| quote.is_some() || !ends(character)) {
        match (quote, character) {
            (None | Some('"'), '\\') => word.extend(rest.next()),
            (Some(open), close) if open == close => quote = None,
            (None, open @ ('"' | '\'')) => quote = Some(open),
            (_, other) => word.push(other),
        }
    }
    word
}

/// Splits at spaces: single and double quotes, a backslash outside single quotes takes the next character as it is, an
/// unquoted `#`, inside a word as well, begins a comment, and a word without a character is none.
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
    words.retain(|word| !word.is_empty());
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
            (r#"a "" b"#, &["a", "b"]),
        ];
        for (text, words) in cases {
            let split = split_words(text).unwrap();
            assert_eq!(split, words, "{text}");
        }
        assert_eq!(split_words("a 'b"), Err(SplitError));
    }

    #[test]
    fn splits_as_one_release_does() {
        let cases: [(&str, &[&str]); 9] = [
            ("", &[]),
            ("a ", &["a", ""]),
            (r#"--a=b "c=d""#, &["--a", "=", "b", "c=d"]),
            ("a= b:", &["a", "=", "b", ":", ""]),
            ("a>>b|c", &["a", ">>", "b", "|", "c"]),
            ("a#b # c\nd", &["a#b", "d"]),
            (r#"a "" 'b"#, &["a", "", "b"]),
            (r#"a\=b "c\"d" 'e\f' g\"#, &["a=b", "c\"d", "e\\f", "g"]),
            ("a # b", &["a"]),
        ];
        for (text, words) in cases {
            assert_eq!(split_completed_words(text), words, "{text}");
        }
    }

    #[test]
    fn splits_as_a_shell_before() {
        let cases: [(&str, &[&str]); 7] = [
            ("", &[]),
            (r#"a "" b"#, &["a", "", "b"]),
            ("a#b c", &["a#b", "c"]),
            ("a # b\nc", &["a", "c"]),
            ("a 'b", &["a"]),
            ("a b\\", &["a"]),
            (r#""a\"b" 'c\d'"#, &["a\"b", "c\\d"]),
        ];
        for (text, words) in cases {
            assert_eq!(split_shell_words(text), words, "{text}");
        }
    }
}
