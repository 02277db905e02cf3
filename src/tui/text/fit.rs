//! Cuts and pads text to a number of terminal cells.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// The cells that a text takes.
pub(in crate::tui) fn width(text: &str) -> usize {
    text.width()
}

/// The text cut at its end to `cells`, with `…` where something is missing.
pub(in crate::tui) fn fit(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    if cells == 0 {
        return String::new();
    }
    let mut out = head(text, cells - 1);
    out.push('…');
    out
}

/// The text cut in its middle to `cells`: both ends of a path matter.
pub(in crate::tui) fn fit_middle(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    if cells < 5 {
        return fit(text, cells);
    }
    let tail_cells = (cells - 1) * 2 / 3;
    let mut out = head(text, cells - 1 - tail_cells);
    out.push('…');
    out.push_str(&tail(text, tail_cells));
    out
}

/// A place such as `overlays/dev/kustomization.yaml:9` cut at a directory in front: what is behind says more.
pub(in crate::tui) fn fit_place(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let shorter = text.char_indices().filter(|(_, c)| *c == '/').map(|(at, _)| &text[at..]);
    let fitting = shorter.map(|rest| format!("…{rest}")).find(|rest| width(rest) <= cells);
    fitting.unwrap_or_else(|| fit_middle(text, cells))
}

/// The text in lines of at most `cells`, broken between words where that is possible.
pub(in crate::tui) fn wrap(text: &str, cells: usize) -> Vec<String> {
    let cells = cells.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_word_bounds() {
        let mut word = word;
        if used + width(word) > cells && used > 0 {
            lines.push(String::new());
            used = 0;
            word = word.trim_start();
        }
        while width(word) > cells {
            let piece = head(word, cells);
            // A grapheme wider than the line has to go somewhere.
            let cut = if piece.is_empty() { word.len() } else { piece.len() };
            if let Some(line) = lines.last_mut() {
                line.push_str(&word[..cut]);
            }
            lines.push(String::new());
            word = &word[cut..];
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
        used += width(word);
    }
    lines
}

/// The text cut or filled with spaces to exactly `cells`.
pub(in crate::tui) fn pad(text: &str, cells: usize) -> String {
    let mut out = fit(text, cells);
    out.extend(std::iter::repeat_n(' ', cells.saturating_sub(width(&out))));
    out
}

fn head(text: &str, cells: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        used += width(grapheme);
        if used > cells {
            break;
        }
        out.push_str(grapheme);
    }
    out
}

fn tail(text: &str, cells: usize) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut used = 0;
    for grapheme in text.graphemes(true).rev() {
        used += width(grapheme);
        if used > cells {
            break;
        }
        kept.push(grapheme);
    }
    kept.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_by_cells_not_by_characters() {
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(pad("日本", 6), "日本  ");
        assert_eq!(fit_middle("../../components/ldap", 13), "../.…nts/ldap");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(wrap("one two three", 8), ["one two ", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh ", "ij"]);
        assert_eq!(wrap("", 3), [""]);
    }
}
