//! Pairs of changed lines: their common parts, and the bytes that are not drawn so that the
//! difference is visible.

use std::ops::Range;

use super::width;

/// The differing part of two lines: the byte at which it begins in both, and the byte at which it
/// ends in each.
pub(super) fn differing_range(pair: [&str; 2]) -> (usize, [usize; 2]) {
    let [left, right] = pair;
    let same = left.chars().zip(right.chars()).take_while(|(a, b)| a == b);
    let start: usize = same.map(|(c, _)| c.len_utf8()).sum();
    let [left_rest, right_rest] = pair.map(|text| &text[start..]);
    let same = left_rest.chars().rev().zip(right_rest.chars().rev()).take_while(|(a, b)| a == b);
    let end: usize = same.map(|(c, _)| c.len_utf8()).sum();
    (start, pair.map(|text| text.len() - end))
}

/// The bytes of both lines that are not drawn in `cells`, so that the difference is visible. `None`
/// if it is visible anyway.
pub(super) fn hidden_range(pair: [&str; 2], cells: usize) -> Option<Range<usize>> {
    let (same, ends) = differing_range(pair);
    let ends = [0, 1].map(|side| word_end(pair[side], ends[side], cells / 4));
    let fits = |text: &str, end: usize| width(text) <= cells || width(&text[..end]) < cells;
    if pair.iter().zip(ends).all(|(text, end)| fits(text, end)) {
        return None;
    }
    let common = &pair[0][..same];
    let head = head(common, cells / 2);
    // One cell for the `…` at each of the two cuts.
    let room = cells.saturating_sub(width(&common[..head]) + 2);
    let is_enough = |from: usize| {
        let mut both = pair.iter().zip(ends);
        both.all(|(text, end)| width(&text[from..end.max(from)]) <= room)
    };
    let mut starts = common.char_indices().map(|(at, _)| at).chain([same]);
    let mut starts = starts.by_ref().filter(|at| *at >= head);
    // If the difference is longer than the line, its beginning is shown, with a little of the
    // common text before it.
    let context = || {
        let mut around = common.char_indices().map(|(at, _)| at).filter(|at| *at >= head);
        around.find(|at| width(&common[*at..]) <= room / 4).unwrap_or(same)
    };
    let from = starts.find(|at| is_enough(*at)).unwrap_or_else(context);
    (from > head + "…".len()).then_some(head..from)
}

/// The end of the word around a byte, or the byte itself if the rest of the word is wider than
/// `cells`.
fn word_end(text: &str, at: usize, cells: usize) -> usize {
    let rest = &text[at..];
    let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
    if width(word) <= cells { at + word.len() } else { at }
}

/// The length in bytes of indentation, dash and key, which are always drawn; 0 if they are wider
/// than `cells`.
fn head(common: &str, cells: usize) -> usize {
    let head = match common.find(": ") {
        Some(at) => at + 2,
        None => common.len() - common.trim_start_matches([' ', '-']).len(),
    };
    if width(&common[..head]) <= cells { head } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pair: [&str; 2], cells: usize) -> [String; 2] {
        let hidden = hidden_range(pair, cells);
        pair.map(|text| match &hidden {
            Some(hidden) => format!("{}…{}", &text[..hidden.start], &text[hidden.end..]),
            None => text.to_owned(),
        })
    }

    #[test]
    fn difference_at_the_end_is_shown_with_its_key() {
        let pair = [
            "  image: docker.io/kostiscodefresh/simple-env-app:2.0",
            "  image: docker.io/kostiscodefresh/simple-env-app:3.1",
        ];
        for cells in 20..60 {
            let [left, right] = shown(pair, cells);
            let left: String = left.chars().take(cells).collect();
            let right: String = right.chars().take(cells).collect();
            assert_ne!(left, right, "{cells}");
            assert!(left.starts_with("  image: ") || cells < 18, "{cells}: {left}");
        }
        assert_eq!(shown(pair, 60), pair.map(str::to_owned));
    }

    #[test]
    fn changed_word_is_shown_to_its_end() {
        let pair =
            ["1.0", "3.0"].map(|tag| format!("  image: docker.io/codefresh/simple-env-app:{tag}"));
        let hidden = hidden_range([&pair[0], &pair[1]], 34).unwrap();
        let shown = format!("{}…{}", &pair[0][..hidden.start], &pair[0][hidden.end..]);
        assert!(shown.ends_with("app:1.0") && width(&shown) <= 34, "{shown}");
    }

    #[test]
    fn visible_difference_needs_no_hidden_range() {
        let long = "x".repeat(90);
        let pair = [format!("- a: {long}"), format!("- b: {long}")];
        assert_eq!(hidden_range([&pair[0], &pair[1]], 20), None);
        let pair = [format!("é{long}ü1"), format!("é{long}ü2")];
        let [left, right] = shown([&pair[0], &pair[1]], 20);
        assert!(left.ends_with("ü1") && right.ends_with("ü2"), "{left} {right}");
    }
}
