//! Sanitizes text for a terminal.

use std::borrow::Cow;
use std::fmt::{Arguments, Write as _};

/// True for characters that must never be written to a terminal: C0, DEL, C1, bidirectional
/// controls, line separators and invisible characters.
pub fn is_unsafe(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control() || is_in_ranges(&INVISIBLE_RANGES, c) || is_in_ranges(&OTHER_UNSAFE_RANGES, c)
}

/// `Default_Ignorable_Code_Point` of Unicode (`DerivedCoreProperties.txt`): invisible characters
/// and rendering hints.
const INVISIBLE_RANGES: [(char, char); 17] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fff8}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Line and paragraph separators, and annotation controls.
const OTHER_UNSAFE_RANGES: [(char, char); 2] = [('\u{2028}', '\u{2029}'), ('\u{fff9}', '\u{fffb}')];

/// Characters with an emoji form: `Extended_Pictographic` of Unicode (`emoji-data.txt`), with its
/// ranges merged where only signs are between them.
const EMOJI_BASES: [(char, char); 11] = [
    ('\u{a9}', '\u{a9}'),
    ('\u{ae}', '\u{ae}'),
    ('\u{203c}', '\u{203c}'),
    ('\u{2049}', '\u{2049}'),
    ('\u{2122}', '\u{2122}'),
    ('\u{2139}', '\u{2139}'),
    // Arrows, technical and geometric signs, dingbats.
    ('\u{2194}', '\u{2b55}'),
    ('\u{3030}', '\u{3030}'),
    ('\u{303d}', '\u{303d}'),
    ('\u{3297}', '\u{3299}'),
    ('\u{1f000}', '\u{1faff}'),
];

const EMOJI_SELECTOR: char = '\u{fe0f}';

fn is_in_ranges(ranges: &[(char, char)], c: char) -> bool {
    let at = ranges.partition_point(|(_, last)| *last < c);
    ranges.get(at).is_some_and(|(first, _)| *first <= c)
}

/// A name, or any other text that becomes a part of a line: every unsafe character is replaced by a
/// visible one, `␛` for an escape, `\u{202e}` for a bidirectional control, `␊` for a line end. A
/// tab becomes four spaces. The emoji variation selector is kept directly after an emoji.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    replace_unsafe(text, |_| false)
}

/// A text of several lines: like [`sanitize`], with tabs and line ends kept. Names in it must be
/// sanitized before.
pub fn sanitize_lines(text: &str) -> Cow<'_, str> {
    replace_unsafe(text, |c| matches!(c, '\n' | '\t'))
}

/// The text of output lines: a line end in a value is shown as `␊`, and line ends at the end of the
/// text are kept. The macro `line!` formats such lines.
pub fn format_line(text: Arguments<'_>) -> String {
    let Some(text) = text.as_str() else { return escape_inner_line_ends(text.to_string()) };
    text.to_owned()
}

fn escape_inner_line_ends(text: String) -> String {
    let kept = text.trim_end_matches('\n').len();
    if text.as_bytes()[..kept].contains(&b'\n') {
        return text[..kept].replace('\n', "␊") + &text[kept..];
    }
    text
}

/// A message that may have several lines, such as those of git: no line begins like a command to a
/// log viewer (`::error::`, `##[error]`), indented or not.
pub fn message(text: &str) -> String {
    let safe = sanitize_lines(text);
    let is_order = |line: &str| line.starts_with("::") || line.starts_with("##[");
    let mut lines = safe.split('\n');
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        out.push_str(if is_order(line.trim_start()) { "␊" } else { "\n" });
        out.push_str(line);
    }
    out
}

fn replace_unsafe(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Most texts are plain ASCII, which is recognized without decoding.
    let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) || stays(char::from(byte));
    if text.bytes().all(is_plain) || !text.contains(|c| is_unsafe(c) && !stays(c)) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    let mut before = '\0';
    for c in text.chars() {
        let is_picture = c == EMOJI_SELECTOR && is_in_ranges(&EMOJI_BASES, before);
        before = c;
        match c {
            c if is_picture || stays(c) || !is_unsafe(c) => safe.push(c),
            '\t' => safe.push_str("    "),
            '\u{0}'..='\u{1f}' => {
                safe.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'));
            }
            '\u{7f}' => safe.push('\u{2421}'),
            c => {
                // Writing to a string cannot fail.
                let _ = write!(safe, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    Cow::Owned(safe)
}

/// The first `most` names, and the number of the others: `a, b and 4 more`.
pub fn first_names<S: AsRef<str>>(
    names: impl IntoIterator<Item = S, IntoIter: ExactSizeIterator>,
    most: usize,
) -> String {
    let names = names.into_iter();
    let more = names.len().saturating_sub(most);
    let named: Vec<S> = names.take(most).collect();
    let named = named.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match more {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// A number with its noun: `1 file`, `2 files`. For nouns with a plural in s.
pub fn counted(count: usize, noun: &str) -> String {
    match noun.strip_suffix("ry") {
        _ if count == 1 => format!("1 {noun}"),
        Some(stem) => format!("{count} {stem}ries"),
        None => format!("{count} {noun}s"),
    }
}

/// The text with `%` and a number for each byte that is no ASCII letter, no digit and not in `kept`.
pub fn percent_encoded(text: &str, kept: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || kept.as_bytes().contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_become_visible() {
        assert_eq!(sanitize("a\u{1b}[31mb"), "a␛[31mb");
        assert_eq!(sanitize("x\u{9b}31m\u{202e}y\u{7f}"), "x\\u{9b}31m\\u{202e}y␡");
        assert_eq!(sanitize("plain ünïcode"), "plain ünïcode");
        assert_eq!(sanitize("a\tb\nc"), "a    b␊c");
        assert_eq!(sanitize_lines("a\tb\nc\r\u{7}"), "a\tb\nc␍␇");
    }

    #[test]
    fn invisible_characters_become_visible() {
        let all = "\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}\u{180e}\u{180f}\u{200b}\u{200d}\
            \u{2060}\u{2065}\u{3164}\u{fe00}\u{fe0e}\u{fe0f}\u{feff}\u{ffa0}\u{fff0}\u{fff8}\u{1bca0}\u{1d173}\
            \u{1d17a}\u{e0000}\u{e0100}\u{e01ef}\u{e0fff}";
        for c in all.chars() {
            let shown = format!("a\\u{{{:x}}}b", u32::from(c));
            assert_eq!(sanitize(&format!("a{c}b")), shown);
            assert_eq!(sanitize_lines(&format!("a{c}b")), shown);
        }
    }

    #[test]
    fn an_emoji_keeps_one_selector_directly_after_it() {
        for text in ["\u{2764}\u{fe0f}", "a \u{26a0}\u{fe0f} b", "\u{1f3d6}\u{fe0f}"] {
            assert_eq!(sanitize(text), text);
            assert_eq!(sanitize_lines(text), text);
        }
        assert_eq!(sanitize("\u{2764}\u{fe0f}\u{fe0f}"), "\u{2764}\u{fe0f}\\u{fe0f}");
        for text in ["\u{fe0f}", "1\u{fe0f}", "a\u{fe0f}", "\u{e9}\u{fe0f}"] {
            assert!(sanitize(text).ends_with("\\u{fe0f}"), "{text}");
        }
    }

    #[test]
    fn line_ends_of_values_are_shown() {
        let name = "\na\n::error::b\n";
        assert_eq!(format_line(format_args!("{name}: {}\n", 1)), "␊a␊::error::b␊: 1\n");
        assert_eq!(format_line(format_args!("x {}\n\n", "y")), "x y\n\n");
        assert_eq!(message("a\nb\n  ::error::c\n##[error]"), "a\nb␊  ::error::c␊##[error]");
    }

    #[test]
    fn character_ranges_are_in_order() {
        for ranges in [&INVISIBLE_RANGES[..], &OTHER_UNSAFE_RANGES, &EMOJI_BASES] {
            assert!(ranges.iter().all(|(first, last)| first <= last));
            assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }

    #[test]
    fn every_unsafe_character_is_replaced() {
        for c in (0..=0x10_ffff).filter_map(char::from_u32) {
            assert!(!sanitize(&c.to_string()).contains(is_unsafe), "{:x}", u32::from(c));
            let lines = sanitize_lines(&c.to_string()).replace(['\n', '\t'], "");
            assert!(!lines.contains(is_unsafe), "{:x}", u32::from(c));
        }
    }
}
