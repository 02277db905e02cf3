//! Regular expressions in RE2's syntax, compiled by the `regex` crate.

use regex::{Regex, RegexBuilder};

/// Limit for the size of a compiled expression in bytes. Go allows 128 MiB, with which a match can
/// take minutes: nested repetitions make a short expression that large.
const MAX_COMPILED_BYTES: usize = 1 << 20;

/// Go's messages for errors of the `regex` crate; the key is a part of the crate's message.
const GO_WORDS: [(&str, &str); 10] = [
    ("unclosed group", "missing closing )"),
    ("unopened group", "unexpected )"),
    ("unclosed character class", "missing closing ]"),
    ("repetition operator missing expression", "missing argument to repetition operator"),
    ("invalid character class range", "invalid character class range"),
    ("reached end of pattern prematurely", "trailing backslash at end of expression"),
    ("unrecognized escape sequence", "invalid escape sequence"),
    ("backreferences are not supported", "invalid escape sequence"),
    ("look-around", "invalid or unsupported Perl syntax"),
    ("invalid repetition count range", "invalid repeat count"),
];

/// Why a text is not a regular expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("error parsing regexp: {cause}: `{part}`")]
pub struct RegexFault {
    /// The error in Go's words, if they are known.
    pub cause: String,
    /// The invalid part of the expression, or the entire expression.
    pub part: String,
    /// The compiled expression exceeds [`MAX_COMPILED_BYTES`].
    pub is_too_large: bool,
}

/// Compiles an expression in RE2's syntax. Known differences from RE2 are listed in
/// `src/README.md`.
///
/// # Errors
/// `error parsing regexp: …`
pub fn go_regex(text: &str) -> Result<Regex, RegexFault> {
    let translated = translate(text);
    let compiled = RegexBuilder::new(&translated).size_limit(MAX_COMPILED_BYTES).build();
    compiled.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => RegexFault {
            cause: "expression too large".to_owned(),
            part: shortened(text),
            is_too_large: true,
        },
        error => RegexFault { cause: cause(&error), part: text.to_owned(), is_too_large: false },
    })
}

/// The start of an expression, as much as a message quotes.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn cause(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    let last = last.strip_prefix("error: ").unwrap_or(last);
    let known = GO_WORDS.iter().find(|(part, _)| last.contains(part));
    known.map_or(last, |(_, words)| words).to_owned()
}

/// Translates an expression to the syntax of the `regex` crate. RE2 reads a brace that is not a
/// repetition, and `[`, `&` and `~` in a class, as plain characters.
fn translate(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_class = false;
    while let Some(next) = rest.chars().next() {
        let counted = counted_length(rest).filter(|_| !in_class);
        let length = match next {
            '\\' => escape_length(rest),
            '[' if in_class && rest.starts_with("[:") => rest.find(":]").map_or(1, |end| end + 2),
            // A closing bracket at the beginning of a class is a plain character.
            '[' if !in_class => class_opening_length(rest),
            _ => counted.unwrap_or(next.len_utf8()),
        };
        let is_literal = match next {
            '{' => counted.is_none() && !in_class,
            '[' | '&' | '~' => in_class && length == 1,
            _ => false,
        };
        in_class = if in_class { next != ']' } else { next == '[' };
        if is_literal {
            out.push('\\');
        }
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// The length of `{2}`, `{2,}` or `{2,3}` at the beginning of a text.
fn counted_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('{')?;
    let end = inner.find('}')?;
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    let (low, high) = inner[..end].split_once(',').unwrap_or((&inner[..end], ""));
    (!low.is_empty() && is_number(low) && is_number(high)).then_some(end + 2)
}

/// The length of an escape such as `\.`, `\pL`, `\p{Greek}` or `\x{10FFFF}`.
fn escape_length(text: &str) -> usize {
    let braces = ["\\p{", "\\P{", "\\x{"].iter().any(|start| text.starts_with(start));
    match text.find('}').filter(|_| braces) {
        Some(end) => end + 1,
        None => 1 + text[1..].chars().next().map_or(0, char::len_utf8),
    }
}

/// The length of the beginning of a character class: `[`, `[^`, `[]` or `[^]`.
fn class_opening_length(text: &str) -> usize {
    let behind = if text[1..].starts_with('^') { 2 } else { 1 };
    behind + usize::from(text[behind..].starts_with(']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn re2_expressions_match_the_same_texts() {
        for (expression, text, matches) in [
            ("^a{$", "a{", true),
            ("^{{name}}$", "{{name}}", true),
            ("^a{,2}$", "a{,2}", true),
            ("^a{2}$", "aa", true),
            ("^ab{1,2}?$", "abb", true),
            ("^[^]a]$", "]", false),
            ("^[]a]+$", "]a", true),
            ("^[[a]$", "[", true),
            ("^[a&&b]+$", "a&b", true),
            ("^[a{}-]+$", "a{-", true),
            (r"^[\w-]+$", "a-b", true),
            (r"^[\]]$", "]", true),
            ("^[[:alpha:]]$", "q", true),
            ("^[[:^alpha:]]$", "q", false),
            ("^(?i)A(?P<x>b)$", "aB", true),
            (r"^\p{Greek}\pL\x{62}\x63$", "αabc", true),
            ("^(|a)b$", "b", true),
            ("^((a{10}){10}){10}$", "a", false),
        ] {
            let compiled = go_regex(expression).unwrap();
            assert_eq!(compiled.is_match(text), matches, "{expression}");
        }
    }

    #[test]
    fn refused_expressions_have_the_words_of_go() {
        for (expression, words) in [
            ("(*)", "missing argument to repetition operator: `(*)`"),
            ("a{2,1}", "invalid repeat count: `a{2,1}`"),
            ("a(?=b)", "invalid or unsupported Perl syntax: `a(?=b)`"),
            ("(", "missing closing ): `(`"),
            ("a)", "unexpected ): `a)`"),
            ("x[a", "missing closing ]: `x[a`"),
            ("[c-a]", "invalid character class range: `[c-a]`"),
            (r"\1", r"invalid escape sequence: `\1`"),
            (r"a\", r"trailing backslash at end of expression: `a\`"),
        ] {
            let error = go_regex(expression).unwrap_err();
            assert_eq!(error.to_string(), format!("error parsing regexp: {words}"), "{expression}");
        }
    }
}
