//! Untrusted text without characters that could harm a terminal.

/// The text without characters that could control a terminal or deceive a reader: control
/// characters, changes of direction, invisible marks. Line ends and tabs become spaces (B.12).
pub fn printable(text: &str) -> String {
    let shown = text.chars().filter_map(|found| match found {
        '\n' | '\t' => Some(' '),
        found if is_harmful(found) => None,
        found => Some(found),
    });
    shown.collect()
}

/// True for a character that could control a terminal or deceive a reader, and is therefore not
/// shown.
pub fn is_harmful(found: char) -> bool {
    found.is_control()
        || matches!(
            found,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}
