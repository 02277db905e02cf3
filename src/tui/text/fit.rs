//! Cuts and pads text to a number of terminal cells.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use super::distinct::fit_words;

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

/// The least cells of the resource in a line about a change.
const MIN_RESOURCE_CELLS: usize = 12;

/// A line about a change, whose parts two spaces divide: the resource or the file, maybe the field,
/// and the change. The resource is the first to be cut, then the beginning of the field.
pub(crate) fn fit_change(text: &str, cells: usize) -> String {
    let mut parts: Vec<String> = text.split("  ").map(str::to_owned).collect();
    if width(text) <= cells || parts.len() < 2 {
        return fit_middle(text, cells);
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
        parts[1] = fit_end_distinct(&parts[1], field, &[]);
    }
    let change = if parts.len() > 2 { 2 } else { 1 };
    let own = room(&parts, change, 2);
    parts[change] = match parts[change].split_once(" → ") {
        Some((old, new)) if width(&parts[change]) > own && own > 2 * MIN_PATH_CELLS => {
            let half = (own - 3) / 2;
            let old = fit_middle(old, half.max((own - 3).saturating_sub(width(new))));
            format!("{old} → {}", fit_middle(new, own - 3 - width(&old)))
        }
        _ => fit_middle(&parts[change], own),
    };
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

/// The text cut to `cells` at the position where it looks equal to the fewest neighbours, as near
/// to its end as possible, so that differences between rows stay visible.
pub(crate) fn fit_distinct(text: &str, cells: usize, neighbours: &[&str]) -> String {
    if width(text) <= cells || cells < 2 {
        return fit(text, cells);
    }
    // A neighbour with another first or last part looks different as long as that part is kept.
    let common = |one: &mut dyn Iterator<Item = &str>, other: &mut dyn Iterator<Item = &str>| {
        one.zip(other).take_while(|(one, other)| one == other).count()
    };
    let neighbours = without(neighbours, text);
    let alike: Vec<(usize, usize)> = neighbours
        .iter()
        .map(|other| {
            let heads = common(&mut text.graphemes(true), &mut other.graphemes(true));
            let tails = common(&mut text.graphemes(true).rev(), &mut other.graphemes(true).rev());
            (heads, tails)
        })
        .collect();
    let room = cells - 1;
    let looks_alike = |head: &usize| {
        alike.iter().filter(|(heads, tails)| *heads >= *head && *tails >= room - head).count()
    };
    // A few letters of the end show little.
    let heads = std::iter::once(room).chain((0..=room * 2 / 3).rev());
    let head = heads.min_by_key(looks_alike).unwrap_or(room);
    if looks_alike(&head) > 0 {
        let shown = cells - 1 - cells / 4;
        let hidden = |from: &usize| {
            let start = from.saturating_sub(2);
            let seen =
                |heads: &usize| (start..start + shown - 1).contains(heads) || *heads < cells / 4;
            alike.iter().filter(|(heads, _)| !seen(heads)).count()
        };
        let from = alike.iter().map(|(heads, _)| *heads).min_by_key(hidden).unwrap_or(0);
        let pieces = fit_words(text, cells, &neighbours);
        return pieces.unwrap_or_else(|| fit_with_offset(text, cells, from));
    }
    let head = self::head(text, head);
    let tail = end_of_text(text, room - width(&head));
    format!("{head}…{tail}")
}

fn without<'t>(neighbours: &[&'t str], text: &str) -> Vec<&'t str> {
    neighbours.iter().copied().filter(|other| *other != text).collect()
}

/// The beginning of a text in `cells`, without the folders that neighbours share with it.
pub(crate) fn fit_value(text: &str, cells: usize, neighbours: &[&str]) -> String {
    let neighbours = without(neighbours, text);
    let shared = |other: &&str| {
        let same = text.char_indices().zip(other.chars()).take_while(|((_, a), b)| a == b);
        same.filter(|((_, sign), _)| *sign == '/').last().map_or(0, |((at, _), _)| at + 1)
    };
    let folders = neighbours.iter().map(shared).max().unwrap_or(0);
    if width(text) <= cells || folders == 0 || cells < 2 {
        return fit_distinct(text, cells, &neighbours);
    }
    let alike = neighbours.iter().filter_map(|other| other.strip_prefix(&text[..folders]));
    format!("…{}", fit_distinct(&text[folders..], cells - 1, &alike.collect::<Vec<_>>()))
}

/// The end of a text in `cells`; if a neighbour would look the same, as [`fit_distinct`] does.
pub(crate) fn fit_end_distinct(text: &str, cells: usize, neighbours: &[&str]) -> String {
    let cut = |text: &str| {
        if width(text) <= cells || cells == 0 {
            return fit(text, cells);
        }
        format!("…{}", end_of_text(text, cells - 1))
    };
    let shown = cut(text);
    if neighbours.iter().any(|other| *other != text && cut(other) == shown) {
        return fit_distinct(text, cells, neighbours);
    }
    shown
}

/// The text cut in its middle, as [`fit_middle`] does; if a neighbour would look the same, the
/// words that both have are cut instead.
pub(crate) fn fit_middle_distinct(text: &str, cells: usize, neighbours: &[&str]) -> String {
    let cut = fit_middle(text, cells);
    let Some((head, tail)) = cut.split_once('…').filter(|_| cut != text) else { return cut };
    let neighbours = without(neighbours, text);
    if !neighbours.iter().any(|other| other.starts_with(head) && other.ends_with(tail)) {
        return cut;
    }
    fit_words(text, cells, &neighbours).unwrap_or_else(|| fit_distinct(text, cells, &neighbours))
}

/// The most rows of a list that are visible at the same time, on a screen of usual height.
const VISIBLE_ROWS: usize = 56;

/// The rows of a list that are close enough to a row to be confused with it.
pub(crate) fn near<T>(index: usize, rows: &[T]) -> impl Iterator<Item = &T> {
    let first = index.saturating_sub(VISIBLE_ROWS);
    let around = rows.iter().enumerate().take(index + VISIBLE_ROWS + 1).skip(first);
    around.filter(move |(at, _)| *at != index).map(|(_, row)| row)
}

/// A path or `namespace/name` cut to a part after a slash, if that part fills half of the room and
/// no neighbour ends with it: complete names are more useful than the beginnings of folders.
/// Otherwise as [`fit_distinct`].
pub(crate) fn fit_name(text: &str, cells: usize, neighbours: &[&str]) -> String {
    if width(text) <= cells || text.contains([' ', '=', ':']) {
        return fit_distinct(text, cells, neighbours);
    }
    let mut ends = text.char_indices().filter(|(_, c)| *c == '/').map(|(at, _)| &text[at..]);
    let too_long =
        |(folders, name): &(&str, &str)| width(name) + 2 > cells && width(folders) > cells / 3;
    if let Some((_, name)) = text.rsplit_once('/').filter(too_long) {
        // A part of a long name is more useful than the folders before it.
        let cut = |name: &str| format!("…/{}", fit_middle(name, cells.saturating_sub(2)));
        let name = cut(name);
        let is_alike = |other: &&str| {
            **other != *text && cut(other.rsplit('/').next().unwrap_or(other)) == name
        };
        if cells > 8 && !neighbours.iter().any(is_alike) {
            return name;
        }
    }
    let end = ends.find(|end| width(end) < cells).filter(|end| width(end) * 2 >= cells);
    match end.filter(|end| neighbours.iter().all(|other| !other.ends_with(end))) {
        Some(end) => format!("…{end}"),
        None => fit_distinct(text, cells, neighbours),
    }
}

/// An action such as `switch off ../a/b`, cut inside its path, which is its last word.
pub(crate) fn fit_action<'t>(text: &'t str, cells: usize, neighbours: &[&'t str]) -> String {
    let path = |text: &'t str| text.rsplit_once(' ').filter(|(_, path)| path.contains('/'));
    match path(text) {
        Some((verb, own)) if width(text) > cells && width(verb) + MIN_RESOURCE_CELLS <= cells => {
            let others: Vec<&str> =
                neighbours.iter().filter_map(|other| Some(path(other)?.1)).collect();
            format!("{verb} {}", fit_name(own, cells - width(verb) - 1, &others))
        }
        _ => fit_middle_distinct(text, cells, neighbours),
    }
}

/// A location such as `orders/deployment.yaml:7`, cut inside its path so that it differs from its
/// neighbours; the line number is kept.
pub(crate) fn fit_location_distinct(place: &str, cells: usize, neighbours: &[&str]) -> String {
    let (path, line) = split_line(place);
    let room = cells.saturating_sub(width(line) + 1);
    if width(place) <= cells || line.is_empty() || room == 0 {
        return fit_name(place, cells, neighbours);
    }
    if room < 4 {
        return format!("…:{line}");
    }
    let others: Vec<&str> = neighbours.iter().map(|other| split_line(other).0).collect();
    let cut = fit_location(path, room);
    if others.iter().any(|other| *other != path && fit_location(other, room) == cut) {
        return format!("{}:{line}", fit_name(path, room, &others));
    }
    format!("{cut}:{line}")
}

fn split_line(place: &str) -> (&str, &str) {
    place.rsplit_once(':').unwrap_or((place, ""))
}

/// The beginning of a text, and its part from the character `from` on, in `cells`.
fn fit_with_offset(text: &str, cells: usize, from: usize) -> String {
    let head = head(text, (cells / 4).min(from));
    let rest: String = text.graphemes(true).skip(from.saturating_sub(2)).collect();
    let rest = fit(&rest, cells - 1 - width(&head));
    format!("{head}…{rest}")
}

/// A location such as `overlays/dev/kustomization.yaml:9` without its first directories, because
/// the end is more useful.
pub(crate) fn fit_location(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let shorter = text.char_indices().filter(|(_, c)| *c == '/').map(|(at, _)| &text[at..]);
    let fitting = shorter.map(|rest| format!("…{rest}")).find(|rest| width(rest) <= cells);
    fitting.unwrap_or_else(|| fit_middle(text, cells))
}

/// The cells from which the end of a folder is shown in a title.
const MIN_FOLDER_CELLS: usize = 5;
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
        let path = if path.contains('/') {
            let parts = fit_location(path, room);
            let is_short = width(&parts) + MIN_FOLDER_CELLS <= room;
            if is_short { format!("…{}", end_of_text(path, room - 1)) } else { parts }
        } else {
            fit_end_distinct(path, room, &[])
        };
        return format!("{lead} {path}");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_keep_their_counts() {
        let step = "Step 9  patchesStrategicMerge version.yml  prod-eu";
        assert_eq!(fit_title(step, 46), "Step 9  patchesStrategicMerge version.yml");
        let diff = "Deployment ns-sourcegraph/sourcegraph-frontend  +1 −1  1 of 12";
        assert_eq!(fit_title(diff, 44), "Deploymen…urcegraph-frontend  +1 −1  1 of 12");
        let targets = "Targets  3 of 12 · 1 not built · 2 build";
        assert_eq!(fit_title(targets, 34), "Targets  3 of 12 · 1 not built");
        assert_eq!(
            fit_title("Preview  base/orders/kustomization.yaml", 30),
            "Preview  …/kustomization.yaml"
        );
        assert_eq!(fit_title("Why  the name of the target is wrong", 20), "Why  the name of th…");
    }

    #[test]
    fn text_is_cut_by_cells_not_by_characters() {
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(pad("日本", 6), "日本  ");
        assert_eq!(fit_middle("../../components/ldap", 13), "../.…nts/ldap");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_distinct("overlays/one/a.yaml", 12, &[]), "overlays/on…");
        let (one, other) = ("ConfigMap/a data.x → Secret/aaaa", "ConfigMap/a data.y → Secret/aaaa");
        assert_eq!(fit_distinct(one, 16, &[other]), "…x → Secret/aaaa");
        // Names that differ in two parts, where some pairs of rows differ in only one of them.
        let rows: Vec<String> = ["create", "update"]
            .iter()
            .flat_map(|act| {
                let about = ["pods", "admissionpolicy", "admissionpolicybinding", "namespace"];
                about.map(|about| format!("restrict-binding-serviceaccounts-{act}-{about}.yaml"))
            })
            .collect();
        for cells in [22, 24, 33] {
            let mut cut: Vec<String> = rows
                .iter()
                .map(|row| {
                    let others: Vec<&str> = rows.iter().map(String::as_str).collect();
                    fit_distinct(row, cells, &others)
                })
                .collect();
            assert!(cut.iter().all(|row| width(row) <= cells), "{cut:#?}");
            cut.sort_unstable();
            cut.dedup();
            assert_eq!(cut.len(), rows.len(), "{cut:#?}");
        }
        let (one, other) = ("storefront/deployment.yaml:16", "storefront/deployment.yaml:10");
        assert_eq!(fit_location_distinct(one, 18, &[other]), "store…ment.yaml:16");
        assert_eq!(fit_location_distinct(one, 6, &[other]), "…:16");
        assert_eq!(
            fit_distinct("overlays/one/a.yaml", 12, &["overlays/two/a.yaml"]),
            "overlays/on…"
        );
        assert_eq!(fit_name("overlays/one/a.yaml", 12, &["overlays/two/a.yaml"]), "…/one/a.yaml");
        // The parts after the last slash are equal or too short.
        assert_eq!(fit_name("storefront/web", 8, &["payments/web"]), "storefr…");
        assert_eq!(fit_name("components-of-everybody/b", 12, &[]), "components-…");
        let long = "../../../components/allow-unauthenticated-discovery";
        assert_eq!(fit_name(long, 24, &["../../../components/other"]), "…/allow-u…ated-discovery");
        let twin = "../../../parts/allow-unauthenticated-discovery";
        assert_ne!(fit_name(long, 24, &[twin]), fit_name(twin, 24, &[long]));
        assert_eq!(fit_name("example.com/part-of=everything", 12, &[]), "example.com…");
        assert_eq!(wrap("one two three", 8), ["one two ", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh ", "ij"]);
        assert_eq!(wrap("", 3), [""]);
        assert_eq!(wrap("in ../../a-b now", 12), ["in ../../a-b", "now"]);
        assert_eq!(wrap("named ../../a-b", 12), ["named ", "../../a-b"], "a path stays whole");
        assert_eq!(wrap("a/of-us/b.yaml:12", 10), ["a/of-us/", "b.yaml:12"]);
        assert_eq!(wrap("'../shelf/of.yaml'", 12), ["'../shelf/", "of.yaml'"]);
        assert_eq!(wrap("spec.fsGroup", 8), ["spec.", "fsGroup"]);
        let change =
            "Deployment/load-gpu-simple  spec.template.spec.containers[a].ports[0]  − 8080";
        assert_eq!(fit_change(change, 31), "Depl…-simple  …ports[0]  − 8080");
        assert_eq!(
            fit_change("Service/load-gpu-simple-service  removed", 30),
            "Service…imple-service  removed"
        );
        assert_eq!(
            fit_change("an/app/kustomization.yaml:25  x: 1 → y: 2", 38),
            "…/kustomization.yaml:25  x: 1 → y: 2"
        );
        assert_eq!(wrap("5 named \"web\"", 9), ["5 named ", "\"web\""]);
    }
}
