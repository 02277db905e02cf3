//! Rows as text, and search patterns: a text, `r:` before a regular expression, `!` for rows that
//! do not match.

use regex::RegexBuilder;

use crate::model::{Model, Pane};

/// The predicate of a pattern; `None` for an empty or invalid pattern.
pub(crate) fn matcher(pattern: &str) -> Option<impl Fn(&str) -> bool> {
    let (inverse, pattern) = match pattern.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    if pattern.is_empty() {
        return None;
    }
    let regex = match pattern.strip_prefix("r:") {
        Some(regex) => RegexBuilder::new(regex),
        None => RegexBuilder::new(&regex::escape(pattern)),
    }
    .case_insensitive(!pattern.contains(char::is_uppercase))
    .size_limit(1 << 20)
    .build()
    .ok()?;
    Some(move |text: &str| regex.is_match(text) != inverse)
}

/// A row of a pane as text, in which a search looks for its pattern.
pub(crate) fn row_text(model: &Model, pane: Pane, row: usize) -> String {
    crate::pane_view(pane).text(model, row).unwrap_or_default()
}
