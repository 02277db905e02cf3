//! Which characters break a line, separate words, or can be printed as they are.

pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

pub(super) fn is_blank_or_break(c: char) -> bool {
    matches!(c, ' ' | '\t') || is_break(c)
}

/// What go-yaml's emitter writes as it is; nothing beyond the basic plane.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{A0}'..='\u{FFFD}') && c != '\u{FEFF}'
}
