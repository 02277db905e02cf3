//! Cuts the words of a text that its neighbours in a list have as well.

use std::cmp::Reverse;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation as _;

use super::width;

/// The text cut to `cells` so that the words by which it differs from each neighbour stay, with `…`
/// for other words; if those words are wider, the characters by which it differs. `None` if they
/// are wider as well.
pub(super) fn fit_words(text: &str, cells: usize, neighbours: &[&str]) -> Option<String> {
    let mut neighbours = neighbours.to_vec();
    neighbours.sort_by_cached_key(|other| Reverse(common_bytes(text, other)));
    neighbours.truncate(MAX_NEIGHBOURS);
    let neighbours = &neighbours;
    fit_parts(text, cells, neighbours, words)
        .or_else(|| fit_parts(text, cells, neighbours, |text| text.graphemes(true).collect()))
}

/// The number of neighbours, the most similar ones, whose words are compared.
const MAX_NEIGHBOURS: usize = 24;

/// The number of equal bytes at the beginning and at the end of two texts.
fn common_bytes(one: &str, other: &str) -> usize {
    let is_equal = |(one, other): &(u8, u8)| one == other;
    one.bytes().zip(other.bytes()).take_while(is_equal).count()
        + one.bytes().rev().zip(other.bytes().rev()).take_while(is_equal).count()
}

fn fit_parts<'t>(
    text: &'t str,
    cells: usize,
    neighbours: &[&'t str],
    parts: impl Fn(&'t str) -> Vec<&'t str>,
) -> Option<String> {
    let words = parts(text);
    let mut left: Vec<Vec<usize>> =
        neighbours.iter().map(|other| differing_words(&words, &parts(other))).collect();
    left.retain(|own| !own.is_empty());
    let mut shown = vec![false; words.len()];
    // The fewest words are shown by which the text differs from all neighbours.
    while !left.is_empty() {
        let covers = |at: &usize| left.iter().filter(|own| own.contains(at)).count();
        let best = (0..words.len()).rev().max_by_key(covers)?;
        shown[best] = true;
        left.retain(|own| !own.contains(&best));
    }
    if drawn_width(&words, &shown) > cells {
        return None;
    }
    // Then the words beside them, as far as there is room, and the beginning of the text.
    loop {
        let is_beside = |at: usize| at > 0 && shown[at - 1] || shown.get(at + 1) == Some(&true);
        let mut hidden: Vec<usize> = (0..words.len()).filter(|at| !shown[*at]).collect();
        hidden.sort_by_key(|at| (!is_beside(*at), *at));
        let more = hidden.into_iter().find(|at| {
            shown[*at] = true;
            let fits = drawn_width(&words, &shown) <= cells;
            shown[*at] = fits;
            fits
        });
        if more.is_none() {
            return Some(filled(&words, &shown, cells));
        }
    }
}

/// The words of a text, each with the punctuation after it.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut was_sign = false;
    for (at, one) in text.char_indices() {
        let is_sign = !one.is_alphanumeric();
        if was_sign && !is_sign && at > start {
            words.push(&text[start..at]);
            start = at;
        }
        was_sign = is_sign;
    }
    words.push(&text[start..]);
    words
}

/// The indices of the words that another text does not have at their position; the words around a
/// position where the other text has more.
fn differing_words(words: &[&str], others: &[&str]) -> Vec<usize> {
    let mut own = Vec::new();
    for change in capture_diff_slices(Algorithm::Myers, words, others) {
        match change {
            DiffOp::Equal { .. } => {}
            DiffOp::Insert { old_index, .. } => own.push(old_index.min(words.len() - 1)),
            DiffOp::Delete { old_index, old_len, .. }
            | DiffOp::Replace { old_index, old_len, .. } => {
                own.extend(old_index..old_index + old_len);
            }
        }
    }
    own
}

fn drawn(words: &[&str], shown: &[bool]) -> String {
    let mut out = String::new();
    for (at, word) in words.iter().enumerate() {
        if shown[at] {
            out.push_str(word);
        } else if at == 0 || shown[at - 1] {
            out.push('…');
        }
    }
    out
}

/// Fewer free cells show too little of a text to be filled with it.
const MIN_FILLED_CELLS: usize = 3;

/// The words as drawn, the last gap with as much of the beginning of its text as fits.
fn filled(words: &[&str], shown: &[bool], cells: usize) -> String {
    let text = drawn(words, shown);
    let mut free = cells.saturating_sub(width(&text));
    if free < MIN_FILLED_CELLS {
        return text;
    }
    let Some(last) = shown.iter().rposition(|is_shown| !is_shown) else { return text };
    let gap = shown[..last].iter().rposition(|is_shown| *is_shown).map_or(0, |at| at + 1);
    let tail: String = words[last + 1..].concat();
    let Some(head) = text.strip_suffix(&tail).and_then(|head| head.strip_suffix('…')) else {
        return text;
    };
    let mut more = String::new();
    for sign in words[gap..].iter().flat_map(|word| word.graphemes(true)) {
        free = match free.checked_sub(width(sign)) {
            Some(rest) => rest,
            None => break,
        };
        more.push_str(sign);
    }
    format!("{head}{}…{tail}", more.trim_end())
}

fn drawn_width(words: &[&str], shown: &[bool]) -> usize {
    width(&drawn(words, shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_words_are_cut() {
        assert_eq!(words("../a-b: c"), ["../", "a-", "b: ", "c"]);
        let cut = |text: &str, cells, other: &str| fit_words(text, cells, &[other]);
        let shown = cut("apps/web-production/x", 14, "apps/web-staging/x");
        assert_eq!(shown.as_deref(), Some("…production/x"));
        let text = |name: &str| format!("{name}: configurationofthewholeplatform");
        let shown = cut(&text("grafana"), 24, &text("prometheus"));
        assert_eq!(shown.as_deref(), Some("grafana: configurationo…"));
    }
}
