//! Regular expressions of selectors.

use regex::Regex;

use super::SelectorError;
use super::go_regex::go_regex;

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
        go_regex(&format!("^(?:{text})$")).map(Self::Regex).map_err(SelectorError)
    }

    /// Matches this text alone; anything when it is empty.
    pub fn exactly(text: &str) -> Self {
        if text.is_empty() { Self::Any } else { Self::Exact(text.to_owned()) }
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
