//! Makes any text harmless for a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// True for characters that must never reach the terminal: C0, DEL, C1, bidirectional controls, line separators, what is
/// invisible by its nature, the byte order mark, and what stands for the bytes of a name that is no UTF-8.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
            | '\u{10ff80}'..='\u{10ffff}')
}

/// One line: the text with every unsafe character replaced by a visible one, `␛` for an escape, `\u{202e}` for a
/// bidirectional control, `␊` for the end of a line. A tab becomes four spaces.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    replace(text, is_unsafe)
}

/// Several lines: as [`sanitize`], but tabs stay, and so do the ends of lines.
pub fn sanitize_lines(text: &str) -> Cow<'_, str> {
    replace(text, |c| is_unsafe(c) && !matches!(c, '\n' | '\t'))
}

fn replace(text: &str, is_wrong: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_wrong) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if !is_wrong(c) => safe.push(c),
            '\t' => safe.push_str("    "),
            '\u{0}'..='\u{1f}' => {
                safe.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'));
            }
            '\u{7f}' => safe.push('\u{2421}'),
            // A byte of a name that is no UTF-8 (`host/names.rs`).
            '\u{10ff80}'..='\u{10ffff}' => {
                let _ = write!(safe, "\\x{:02x}", u32::from(c) & 0xff);
            }
            c => {
                // Writing to a string cannot fail.
                let _ = write!(safe, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_become_visible() {
        assert_eq!(sanitize("a\u{1b}[31mb"), "a␛[31mb");
        assert_eq!(sanitize("x\u{9b}31m\u{202e}y\u{7f}"), "x\\u{9b}31m\\u{202e}y␡");
        assert_eq!(sanitize("plain ünïcode"), "plain ünïcode");
        assert_eq!(sanitize("a\tb\nc\u{10ffff}\u{10ff80}"), "a    b␊c\\xff\\x80");
        assert_eq!(sanitize_lines("a\tb\nc\r\u{7}"), "a\tb\nc␍␇");
    }

    #[test]
    fn nothing_unsafe_is_left_of_any_character() {
        for c in (0..=0x10_ffff).filter_map(char::from_u32) {
            assert!(!sanitize(&c.to_string()).contains(is_unsafe), "{:x}", u32::from(c));
            let lines = sanitize_lines(&c.to_string()).replace(['\n', '\t'], "");
            assert!(!lines.contains(is_unsafe), "{:x}", u32::from(c));
        }
    }
}
