//! Characters that go-yaml writes as escapes.

use std::fmt::Write as _;

use super::characters::{is_break, is_printable};

pub(in super::super) fn must_escape(c: char) -> bool {
    matches!(c, '"' | '\\') || is_break(c) || !is_printable(c)
}

/// True for a character that JSON leaves unescaped and go-yaml refuses: `control characters are not
/// allowed`.
pub(super) fn is_refused_in_json(c: char) -> bool {
    matches!(c, '\u{7F}'..='\u{84}' | '\u{86}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}')
}

pub(in super::super) fn escape(c: char, out: &mut String) {
    let short = match c {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{B}' => 'v',
        '\u{C}' => 'f',
        '\r' => 'r',
        '\u{1B}' => 'e',
        '"' => '"',
        '\\' => '\\',
        '\u{85}' => 'N',
        '\u{A0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => {
            let code = u32::from(c);
            // Writing to a `String` cannot fail.
            let _ = match code {
                ..=0xFF => write!(out, "\\x{code:02X}"),
                0x100..=0xFFFF => write!(out, "\\u{code:04X}"),
                _ => write!(out, "\\U{code:08X}"),
            };
            return;
        }
    };
    out.push('\\');
    out.push(short);
}
