//! Size classes of the terminal.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SizeClass {
    /// One pane, without a frame, tabs and timeline.
    Tiny,
    /// A pane, and below it a smaller one with details.
    Compact,
    Standard,
    Wide,
}

/// Minimum columns and rows of a dialog: below, a question would show no line of its diff.
pub(crate) const MIN_DIALOG_SIZE: (u16, u16) = (20, 8);

pub(crate) fn fits_dialog((columns, rows): (u16, u16)) -> bool {
    columns >= MIN_DIALOG_SIZE.0 && rows >= MIN_DIALOG_SIZE.1
}

pub(crate) fn class(columns: u16, rows: u16) -> SizeClass {
    match (columns, rows) {
        (columns, rows) if columns < 60 || rows < 16 => SizeClass::Tiny,
        (columns, rows) if columns < 100 || rows < 30 => SizeClass::Compact,
        (columns, rows) if columns >= 160 && rows >= 45 => SizeClass::Wide,
        _ => SizeClass::Standard,
    }
}
