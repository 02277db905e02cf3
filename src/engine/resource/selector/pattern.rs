//! Regular expressions of selectors.

use regex::Regex;

use super::SelectorError;

/// An anchored regular expression in RE2's syntax; a plain word is compared as text.
#[derive(Clone, Debug, Default)]
pub enum Pattern {
    /// Empty: matches anything.
    #[default]
    Any,
    /// No special characters.
    Exact(String),
    /// `^(?:…)$`
    Regex(Regex),
}

impl Pattern {
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
        if let Some(operators) = nested_repetition(text) {
            let reason = format!("invalid nested repetition operator: `{operators}`");
            return Err(SelectorError(format!("error parsing regexp: {reason}")));
        }
        Regex::new(&format!("^(?:{text})$"))
            .map(Self::Regex)
            .map_err(|error| SelectorError(go_words(text, &error.to_string())))
    }

    /// True when it matches the whole text.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Exact(exact) => exact == text,
            Self::Regex(regex) => regex.is_match(text),
        }
    }

    /// True when it was empty.
    pub fn is_any(&self) -> bool {
        matches!(self, Self::Any)
    }

    /// The only text that it matches, when there is only one.
    pub fn exact(&self) -> Option<&str> {
        match self {
            Self::Exact(exact) => Some(exact),
            _ => None,
        }
    }
}

fn go_words(text: &str, reason: &str) -> String {
    let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
    let words = match reason {
        "unclosed character class" => {
            let start = text.rfind('[').unwrap_or_default();
            format!("missing closing ]: `{})$`", &text[start..])
        }
        "unclosed group" => format!("missing closing ): `^(?:{text})$`"),
        "unopened group" => format!("unexpected ): `^(?:{text})$`"),
        "repetition operator missing expression" => {
            let operator = text.find(['*', '+', '?']).map_or("*", |at| &text[at..=at]);
            format!("missing argument to repetition operator: `{operator}`")
        }
        other if other.contains("look-around") => {
            format!("invalid or unsupported Perl syntax: `{text}`")
        }
        other => format!("{other}: `{text}`"),
    };
    format!("error parsing regexp: {words}")
}

/// Go refuses an operator on an operator (`a**`), which the `regex` crate takes.
fn nested_repetition(text: &str) -> Option<&str> {
    let (mut escaped, mut class, mut operator) = (false, false, None::<usize>);
    for (at, c) in text.char_indices() {
        if escaped {
            (escaped, operator) = (false, None);
            continue;
        }
        match c {
            '\\' => escaped = true,
            '[' if !class => class = true,
            ']' if class => (class, operator) = (false, None),
            '*' | '+' if !class => match operator {
                Some(start) => return Some(&text[start..=at]),
                None => operator = Some(at),
            },
            '?' if !class => {
                // One `?` behind an operator means "not greedy".
                operator = match operator {
                    Some(start) if at == start + 1 => Some(start),
                    Some(start) => return Some(&text[start..=at]),
                    None => Some(at),
                };
            }
            _ if !class => operator = None,
            _ => {}
        }
        // `(?` begins a group and is no operator.
        if c == '?' && text[..at].ends_with('(') {
            operator = None;
        }
    }
    None
}
