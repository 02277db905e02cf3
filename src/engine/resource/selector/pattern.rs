//! Regular expressions of selectors.

use regex::Regex;

use super::SelectorError;
use super::go_regex::go_regex;

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
