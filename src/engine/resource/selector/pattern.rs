//! Regular expressions in RE2's syntax, compiled by the `regex` crate, and the patterns of selectors.

use regex::{Regex, RegexBuilder};

use super::SelectorError;

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
    let build = |text: &str| RegexBuilder::new(text).size_limit(MAX_COMPILED_BYTES).build();
    let compiled = build(text).or_else(|error| build(&escape_braces(text)).map_err(|_| error));
    compiled.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => RegexFault {
            cause: "expression too large".to_owned(),
            part: shortened(text),
            is_too_large: true,
        },
        error => RegexFault { cause: cause(&error), part: text.to_owned(), is_too_large: false },
    })
}

/// RE2 reads a brace that begins no repetition as a character: `${APP}` is an ordinary name.
fn escape_braces(text: &str) -> String {
    /// More than a class of characters or a repetition has up to its closing brace.
    const MAX_BRACED_BYTES: usize = 64;
    let mut escaped = String::with_capacity(text.len() + 2);
    let mut rest = text;
    while let Some(at) = rest.find(['{', '\\']) {
        let (before, from) = rest.split_at(at);
        escaped.push_str(before);
        let end = from.bytes().take(MAX_BRACED_BYTES).position(|byte| byte == b'}').unwrap_or(0);
        let count = |c: char| c.is_ascii_digit() || c == ',';
        let length = match from.as_bytes() {
            [b'\\', b'p' | b'P' | b'x', b'{', ..] => end + 1,
            [b'\\', ..] => 1 + from.chars().nth(1).map_or(0, char::len_utf8),
            _ if end > 1 && from[1..end].chars().all(count) => end + 1,
            _ => {
                escaped.push('\\');
                1
            }
        };
        escaped.push_str(&from[..length]);
        rest = &from[length..];
    }
    escaped + rest
}

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

/// An anchored regular expression in RE2's syntax; a plain word is compared as text.
#[derive(Clone, Debug, Default)]
pub enum SelectorPattern {
    #[default]
    Any,
    Exact(String),
    /// No special characters but dots, each for any character but a line break: `argoproj.io`.
    Dotted(String),
    /// `^(?:…)$`
    Regex(Regex),
}

impl SelectorPattern {
    /// Compiles `^(?:…)$`.
    ///
    /// # Errors
    /// `error parsing regexp: …`, in Go's words where they are known.
    pub fn compile(text: &str) -> Result<Self, SelectorError> {
        if text.is_empty() {
            return Ok(Self::Any);
        }
        if regex::escape(text) == text || text.chars().all(|c| c.is_alphanumeric() || c == '-') {
            return Ok(Self::Exact(text.to_owned()));
        }
        if text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')) {
            return Ok(Self::Dotted(text.to_owned()));
        }
        go_regex(&format!("^(?:{text})$")).map(Self::Regex).map_err(SelectorError::Regex)
    }

    /// A pattern that matches only this text; if the text is empty, it matches anything.
    pub fn exactly(text: &str) -> Self {
        if text.is_empty() { Self::Any } else { Self::Exact(text.to_owned()) }
    }

    /// True if the pattern matches the entire text.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Exact(exact) => exact == text,
            Self::Dotted(dotted) => rest_after_dotted(dotted, text) == Some(""),
            Self::Regex(regex) => regex.is_match(text),
        }
    }

    /// True for the empty pattern, which matches anything.
    pub fn is_any(&self) -> bool {
        matches!(self, Self::Any)
    }

    /// The text, if the pattern is one that matches exactly one text.
    pub fn exact(&self) -> Option<&str> {
        match self {
            Self::Exact(exact) => Some(exact),
            _ => None,
        }
    }
}

/// The rest of a text that begins with a word in which a dot matches any character but a line break.
pub(crate) fn rest_after_dotted<'t>(dotted: &str, text: &'t str) -> Option<&'t str> {
    let mut rest = text.chars();
    let same =
        |wanted: char| rest.next().is_some_and(|c| c == wanted || wanted == '.' && c != '\n');
    dotted.chars().all(same).then_some(rest.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brace_without_a_count_is_a_character() {
        for (expression, text) in
            [("${APP}", "${APP}"), ("{{ image }}", "{{ image }}"), (r"a{2}\{x{", "aa{x{")]
        {
            assert!(go_regex(&expression.replace('$', r"\$")).unwrap().is_match(text), "{text}");
        }
        assert!(go_regex("${APP}").is_ok() && go_regex(r"a\").is_err());
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
