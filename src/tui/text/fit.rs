//! Cuts and pads text to a number of terminal cells; of neighbours in a list, the words are cut that
//! both have.

use std::cmp::Reverse;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// A number of cells as the terminal has it; the largest `u16` for more cells.
pub(crate) fn to_u16(cells: usize) -> u16 {
    u16::try_from(cells).unwrap_or(u16::MAX)
}

/// The text cut at its end to `cells`, with `…` for the missing part.
pub(crate) fn fit(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    if cells == 0 {
        return String::new();
    }
    head(text, cells - 1) + "…"
}

/// As many complete parts of a text as fit, which two spaces divide; if the first part does not fit,
/// it is cut.
pub(crate) fn fit_complete_parts(text: &str, cells: usize) -> String {
    let ends = text.match_indices("  ").map(|(at, _)| at).chain([text.len()]);
    let some = ends.map(|end| &text[..end]).take_while(|some| width(some) <= cells).last();
    some.map_or_else(|| fit(text, cells), str::to_owned)
}

/// Values of a field with arrows between them, each cut in its middle.
fn fit_values(text: &str, cells: usize) -> String {
    const ARROW: &str = " → ";
    const MIN_VALUE_CELLS: usize = 4;
    let values: Vec<&str> = text.split(ARROW).collect();
    let room = cells.saturating_sub((values.len() - 1) * width(ARROW)) / values.len();
    if width(text) <= cells || room < MIN_VALUE_CELLS {
        return fit_middle(text, cells);
    }
    let values = values.into_iter().map(|value| fit_middle(value, room));
    values.collect::<Vec<_>>().join(ARROW)
}

/// The least cells of the resource in a line about a change.
const MIN_RESOURCE_CELLS: usize = 12;

/// A line about a change, whose parts two spaces divide: the resource or the file, maybe the field,
/// and the change. The resource is the first to be cut, then the beginning of the field.
pub(crate) fn fit_change(text: &str, cells: usize) -> String {
    let mut parts: Vec<String> = text.split("  ").map(str::to_owned).collect();
    if width(text) <= cells || parts.len() < 2 {
        return fit_values(text, cells);
    }
    let used = |parts: &[String]| parts.iter().map(|part| width(part) + 2).sum::<usize>() - 2;
    let room = |parts: &[String], at: usize, least: usize| {
        let own = width(&parts[at]);
        (own + cells).saturating_sub(used(parts)).clamp(least.min(own), own)
    };
    let first = room(&parts, 0, MIN_RESOURCE_CELLS);
    let is_place = parts[0].rsplit_once(':').is_some_and(|(_, line)| line.parse::<u32>().is_ok());
    parts[0] = if is_place { fit_location } else { fit_middle }(&parts[0], first);
    if parts.len() > 2 {
        let least = width(parts[1].rsplit('.').next().unwrap_or_default()) + 1;
        let field = room(&parts, 1, least);
        parts[1] = fit_end(&parts[1], field);
    }
    let change = if parts.len() > 2 { 2 } else { 1 };
    let own = room(&parts, change, 2);
    parts[change] = fit_values(&parts[change], own);
    fit(&parts.join("  "), cells)
}

/// The text cut in its middle to `cells`: both ends of a path matter.
pub(crate) fn fit_middle(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    if cells < 5 {
        return fit(text, cells);
    }
    let tail_cells = (cells - 1) * 2 / 3;
    let head = head(text, cells - 1 - tail_cells);
    format!("{head}…{}", end_of_text(text, tail_cells))
}

/// The text cut to `cells` by `cut`. If a neighbour would look the same, the words that both have are
/// cut instead, so that differences between rows stay visible.
pub(crate) fn fit_distinct(
    text: &str,
    cells: usize,
    neighbours: &[&str],
    cut: fn(&str, usize) -> String,
) -> String {
    let shown = cut(text, cells);
    let others: Vec<&str> = neighbours.iter().copied().filter(|other| *other != text).collect();
    if shown == text || !others.iter().any(|other| cut(other, cells) == shown) {
        return shown;
    }
    fit_words(text, cells, &others).unwrap_or(shown)
}

/// A location such as `orders/deployment.yaml:7`, cut inside its path so that it differs from its
/// neighbours; the line number is kept.
pub(crate) fn fit_location_distinct(place: &str, cells: usize, neighbours: &[&str]) -> String {
    const MIN_ROOM: usize = 4;
    let is_number = |line: &str| line.bytes().all(|byte| byte.is_ascii_digit());
    let split = |place| str::rsplit_once(place, ':').filter(|(_, line)| is_number(line));
    let Some((path, line)) = split(place).filter(|_| width(place) > cells) else {
        return fit_distinct(place, cells, neighbours, fit_location);
    };
    match cells.saturating_sub(width(line) + 1) {
        0..MIN_ROOM => fit(&format!("…:{line}"), cells),
        room => {
            let others: Vec<&str> = neighbours.iter().filter_map(|it| Some(split(it)?.0)).collect();
            format!("{}:{line}", fit_distinct(path, room, &others, fit_location))
        }
    }
}

/// The end of a text in `cells`.
pub(crate) fn fit_end(text: &str, cells: usize) -> String {
    if width(text) <= cells || cells == 0 {
        return fit(text, cells);
    }
    format!("…{}", end_of_text(text, cells - 1))
}

/// The most rows of a list that are visible at the same time, on a screen of usual height.
const VISIBLE_ROWS: usize = 56;

/// The rows of a list that are close enough to a row to be confused with it.
pub(crate) fn near<T>(index: usize, rows: &[T]) -> impl Iterator<Item = &T> {
    let first = index.saturating_sub(VISIBLE_ROWS);
    let around = rows.iter().enumerate().take(index + VISIBLE_ROWS + 1).skip(first);
    around.filter(move |(at, _)| *at != index).map(|(_, row)| row)
}

/// A path, `namespace/name` or a location such as `overlays/dev/kustomization.yaml:9` without its
/// first directories, because the end is more useful.
pub(crate) fn fit_location(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let shorter = text.char_indices().filter(|(_, c)| *c == '/').map(|(at, _)| &text[at..]);
    let fitting = shorter.map(|rest| format!("…{rest}")).find(|rest| width(rest) <= cells);
    fitting.unwrap_or_else(|| match text.rsplit_once('/') {
        Some((_, name)) if cells > 8 => format!("…/{}", fit_middle(name, cells - 2)),
        _ => fit_middle(text, cells),
    })
}

const MIN_PATH_CELLS: usize = 12;

/// A title, cut after its last complete part that fits. Of a path or a field, the end stays, because
/// by its end it differs from its neighbours; of a name before counts, both ends.
pub(crate) fn fit_title(title: &str, cells: usize) -> String {
    if width(title) <= cells {
        return title.to_owned();
    }
    let mut ends: Vec<usize> =
        [" · ", "; "].iter().flat_map(|end| title.match_indices(end)).map(|(at, _)| at).collect();
    ends.sort_unstable();
    let fitting = ends.into_iter().map(|end| &title[..end]).rfind(|part| width(part) <= cells);
    if let Some(fitting) = fitting {
        return fitting.to_owned();
    }
    if let Some((lead, path)) = title.rsplit_once(' ').filter(|(_, path)| path.contains(['/', '.']))
        && width(lead) + MIN_PATH_CELLS < cells
    {
        let room = cells - width(lead) - 1;
        let cut = if path.contains('/') { fit_location } else { fit_end };
        return format!("{lead} {}", cut(path, room));
    }
    let Some((first, rest)) = title.split_once("  ") else { return fit(title, cells) };
    let room = cells.saturating_sub(width(rest) + 2);
    if rest.starts_with(['+', '−', '-']) && room >= MIN_PATH_CELLS {
        return format!("{}  {rest}", fit_middle(first, room));
    }
    match title.rsplit_once("  ") {
        Some((before, _)) if rest.contains("  ") => fit_title(before, cells),
        _ => fit(title, cells),
    }
}

/// The text in lines of at most `cells`, broken at spaces if possible: a path or a quoted name that
/// fits on a line is not broken.
pub(crate) fn wrap(text: &str, cells: usize) -> Vec<String> {
    let cells = cells.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    let is_space = |word: &str| word.chars().all(char::is_whitespace);
    let mut rest = text;
    while !rest.is_empty() {
        let blank = rest.starts_with(char::is_whitespace);
        let end = rest.find(|c: char| c.is_whitespace() != blank).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        rest = behind;
        let mut pieces = Vec::new();
        add_pieces(run, cells, &['/', '-', '.'], &mut pieces);
        for mut piece in pieces {
            if used + width(piece) > cells && used > 0 {
                lines.push(String::new());
                used = 0;
                if is_space(piece) {
                    continue;
                }
            }
            while width(piece) > cells {
                let head = head(piece, cells);
                // A grapheme wider than the line is not broken.
                let cut = if head.is_empty() { piece.len() } else { head.len() };
                if let Some(line) = lines.last_mut() {
                    line.push_str(&piece[..cut]);
                }
                lines.push(String::new());
                piece = &piece[cut..];
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(piece);
            }
            used += width(piece);
        }
    }
    lines
}

/// Adds the pieces between which a word longer than a line is broken: after the first of these signs
/// if possible, or at word boundaries.
fn add_pieces<'t>(word: &'t str, cells: usize, signs: &[char], pieces: &mut Vec<&'t str>) {
    match signs {
        _ if width(word) <= cells => pieces.push(word),
        [sign, signs @ ..] => {
            let mut start = 0;
            for (at, _) in word.match_indices(*sign) {
                let end = at + sign.len_utf8();
                // The dots of `../a` stay with its name.
                if word[start..end].contains(char::is_alphanumeric) {
                    add_pieces(&word[start..end], cells, signs, pieces);
                    start = end;
                }
            }
            add_pieces(&word[start..], cells, signs, pieces);
        }
        [] => pieces.extend(word.split_word_bounds()),
    }
}

/// The text cut or filled with spaces to exactly `cells`.
pub(crate) fn pad(text: &str, cells: usize) -> String {
    let mut out = fit(text, cells);
    out.extend(std::iter::repeat_n(' ', cells.saturating_sub(width(&out))));
    out
}

/// The bytes of the first of these signs that fit in `cells`.
fn fitting_bytes<'t>(signs: impl Iterator<Item = &'t str>, cells: usize) -> usize {
    let mut used = 0;
    let fits = |sign: &&str| {
        used += width(sign);
        used <= cells
    };
    signs.take_while(fits).map(str::len).sum()
}

fn head(text: &str, cells: usize) -> String {
    text[..fitting_bytes(text.graphemes(true), cells)].to_owned()
}

fn end_of_text(text: &str, cells: usize) -> String {
    text[text.len() - fitting_bytes(text.graphemes(true).rev(), cells)..].to_owned()
}

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
    fn text_is_cut_by_cells_not_by_characters() {
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(pad("日本", 6), "日本  ");
        assert_eq!(fit_middle("../../components/ldap", 13), "../.…nts/ldap");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_location("overlays/one/a.yaml", 12), "…/one/a.yaml");
        let long = "../../../components/allow-unauthenticated-discovery";
        assert_eq!(fit_location(long, 24), "…/allow-u…ated-discovery");
        assert_eq!(fit_values("registry/app:1.0 → registry/app:2.0", 21), "reg…p:1.0 → reg…p:2.0");
    }

    #[test]
    fn text_is_wrapped_at_spaces_or_inside_paths() {
        let cases: [(&str, usize, &[&str]); 8] = [
            ("one two three", 8, &["one two ", "three"]),
            ("abcdefgh ij", 3, &["abc", "def", "gh ", "ij"]),
            ("", 3, &[""]),
            ("in ../../a-b now", 12, &["in ../../a-b", "now"]),
            ("named ../../a-b", 12, &["named ", "../../a-b"]),
            ("a/of-us/b.yaml:12", 10, &["a/of-us/", "b.yaml:12"]),
            ("spec.fsGroup", 8, &["spec.", "fsGroup"]),
            ("5 named \"web\"", 9, &["5 named ", "\"web\""]),
        ];
        for (text, cells, lines) in cases {
            assert_eq!(wrap(text, cells), lines);
        }
    }

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
