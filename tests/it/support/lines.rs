//! Values in lines of screens and answers.

/// The first line that contains the words.
#[track_caller]
pub(crate) fn line_with<'t>(text: &'t str, words: &str) -> &'t str {
    let found = text.lines().find(|line| line.contains(words));
    found.unwrap_or_else(|| panic!("no `{words}` in\n{text}"))
}

/// The numbers after a label, up to the end of its line.
#[track_caller]
pub(crate) fn numbers_after(text: &str, label: &str) -> Vec<usize> {
    let (_, rest) = line_with(text, label).split_once(label).unwrap_or_default();
    rest.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}
