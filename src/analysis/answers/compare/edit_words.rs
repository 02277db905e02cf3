//! Edits in words: one line for each.

use similar::{ChangeTag, TextDiff};

use super::ReportEdit;
use crate::display::counted;
use crate::engine::yaml::{Node, parse_nodes, print_flow};

const MAX_VALUE_CHARS: usize = 60;
/// The limit on lines of an edit that are shown as data in one line.
const MAX_LINES_IN_FLOW: usize = 12;

/// An edit in one line: `file:line  old → new  (commit)`.
pub fn edit_line(edit: &ReportEdit) -> String {
    // A removed line has no number on the second side.
    let line = if edit.new.is_empty() { edit.old_line } else { edit.line };
    format!("{}:{line}  {}{}", edit.file, edit_words(edit), commit_words(edit))
}

/// `  (commit subject, author)`; empty without a known commit.
pub fn commit_words(edit: &ReportEdit) -> String {
    let commit = edit.commit.as_ref().map(|commit| {
        format!("  ({} {}, {})", super::short_commit_id(&commit.id), commit.subject, commit.author)
    });
    commit.unwrap_or_default()
}

pub fn edit_words(edit: &ReportEdit) -> String {
    match (edit.old.as_slice(), edit.new.as_slice()) {
        ([old], [new]) => {
            let (key, old, new) = match (split_key(old), split_key(new)) {
                (Some((key, old)), Some((other, new))) if key == other => {
                    (format!("{}: ", key.trim()), old, new)
                }
                _ => (String::new(), old.trim(), new.trim()),
            };
            let (old, new) = truncate_both_values(old, new);
            format!("{key}{old} → {new}")
        }
        // Edits of a file that is not text, or that is empty, have no lines.
        ([], []) => "content changed".to_owned(),
        ([], [new]) => format!("+ {}", truncate_value(new.trim())),
        ([old], []) => format!("− {}", truncate_value(old.trim())),
        ([], new) => format!("+ {}", lines_in_words(new)),
        (old, []) => format!("− {}", lines_in_words(old)),
        (old, new) => match (lines_in_flow(old), lines_in_flow(new)) {
            (Some(old), Some(new)) if old != new => {
                let (old, new) = truncate_both_values(&old, &new);
                format!("{old} → {new}")
            }
            _ => match first_changed_line(&old.join("\n"), &new.join("\n")) {
                Some((_, words)) => words,
                None => format!("{} → {}", counted(old.len(), "line"), counted(new.len(), "line")),
            },
        },
    }
}

/// The first line in which two texts differ: its number and its change, with the number of further
/// lines that differ. `None` if at most the line end at the end differs.
pub(super) fn first_changed_line(old: &str, new: &str) -> Option<(usize, String)> {
    let ended = |text: &str| format!("{}\n", text.strip_suffix('\n').unwrap_or(text));
    let (old, new) = (ended(old), ended(new));
    let diff = TextDiff::from_lines(&old, &new);
    let lines: Vec<_> = diff.iter_all_changes().filter(|it| it.tag() != ChangeTag::Equal).collect();
    let first = lines.first()?;
    let line = first.old_index().or(first.new_index())? + 1;
    let is_removed = first.tag() == ChangeTag::Delete;
    let next = lines.iter().find(|it| it.tag() != first.tag()).filter(|_| is_removed);
    let (one, other) = (first.value().trim(), next.map(|next| next.value().trim()));
    let words = match other {
        Some(other) if one == other => format!("other indentation of {}", truncate_value(one)),
        Some(other) => {
            let (old, new) = truncate_both_values(one, other);
            format!("{old} → {new}")
        }
        None => format!("{} {}", if is_removed { '−' } else { '+' }, truncate_value(one)),
    };
    let words = match lines.len() - 1 - usize::from(other.is_some()) {
        0 => words,
        more => format!("{words}  (and {})", counted(more, "line")),
    };
    Some((line, words))
}

/// Several lines shown as one: their data, or their number and the first of them.
fn lines_in_words(lines: &[String]) -> String {
    match lines_in_flow(lines) {
        Some(data) => truncate_value(&data),
        None => format!("{} lines: {}", lines.len(), truncate_value(&first_entry(lines))),
    }
}

/// The first line with content; for a resource its kind and name. A key without a value is followed
/// by the next line.
fn first_entry(lines: &[String]) -> String {
    let value = |key: &str| {
        let found = lines.iter().find_map(|line| line.strip_prefix(key))?;
        Some(found.trim().trim_matches(['"', '\'']).to_owned())
    };
    if let (Some(kind), Some(name)) = (value("kind: "), value("  name: "))
        && value("apiVersion: ").is_some()
    {
        return format!("{kind} {name}");
    }
    let is_content = |line: &&str| !line.is_empty() && !line.starts_with('#') && *line != "---";
    let mut content = lines.iter().map(|line| line.trim()).filter(is_content);
    let first = content.next().or_else(|| lines.first().map(|it| it.trim())).unwrap_or_default();
    match content.next().filter(|_| first.ends_with(':')) {
        Some(next) => format!("{first} {next}"),
        None => first.to_owned(),
    }
}

/// The data of a few lines, without the outer brackets: `name: web, newTag: v2`. `None` if the
/// lines are too many, are not valid YAML without their surroundings, or contain a text of several
/// lines.
fn lines_in_flow(lines: &[String]) -> Option<String> {
    if lines.len() > MAX_LINES_IN_FLOW {
        return None;
    }
    let text: String =
        lines.iter().map(|line| line.trim_end_matches('\n').to_owned() + "\n").collect();
    data_in_flow(&text)
}

/// The data of a text in one line, without the outer brackets; `None` if the text is no collection,
/// or contains a text of several lines.
pub(super) fn data_in_flow(text: &str) -> Option<String> {
    let parsed = parse_nodes(text.as_bytes()).ok()?;
    let [root] = parsed.as_slice() else { return None };
    let node = match root.items() {
        Some([only]) => only,
        _ => root,
    };
    let is_block = |node: &Node| node.text().is_some_and(|text| text.contains('\n'));
    if node.as_scalar().is_some() || node.nodes().any(is_block) {
        return None;
    }
    let flow = print_flow(node);
    let inner = flow.trim().strip_prefix(['{', '[']).and_then(|it| it.strip_suffix(['}', ']']));
    inner.filter(|inner| !inner.is_empty()).map(str::to_owned)
}

fn split_key(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(": ")?;
    Some((key.trim_start_matches([' ', '-']), value.trim()))
}

/// The first line of a value, shortened to `MAX_VALUE_CHARS` characters. A final `…` marks an
/// omitted rest.
pub fn truncate_value(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let is_all = line.chars().count() <= MAX_VALUE_CHARS && text.lines().count() <= 1;
    let short: String = line.chars().take(MAX_VALUE_CHARS).collect();
    if is_all { short } else { short + "…" }
}

/// The number of characters before the first difference that are shown if two long values begin
/// alike.
const SHOWN_PREFIX_CHARS: usize = 12;

/// Two different values, for one line: each shows the part that differs.
pub fn truncate_both_values(old: &str, new: &str) -> (String, String) {
    let (one, other) = (truncate_value(old), truncate_value(new));
    if one != other || old == new {
        return (one, other);
    }
    let common = old.chars().zip(new.chars()).take_while(|(one, other)| one == other).count();
    let part = |text: &str| {
        let rest: String = text.chars().skip(common.saturating_sub(SHOWN_PREFIX_CHARS)).collect();
        format!("…{}", truncate_value(&rest))
    };
    (part(old), part(new))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_edit(old: &[&str], new: &[&str]) -> String {
        let lines = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect();
        edit_words(&ReportEdit { old: lines(old), new: lines(new), ..ReportEdit::default() })
    }

    #[test]
    fn entries_of_several_lines_are_shown_as_data() {
        let pairs = ["- pairs:", "    team: a", "    env: b"];
        assert_eq!(shown_edit(&[], &pairs), "+ pairs: {team: a, env: b}");
        let image = |tag: &'static str| ["- name: web", tag];
        let words = shown_edit(&image("  newTag: v1"), &image("  newTag: v2"));
        assert_eq!(words, "name: web, newTag: v1 → name: web, newTag: v2");
        let block = ["- patch: |-", "    a: b", "    c: d"];
        assert_eq!(shown_edit(&block, &[]), "− 3 lines: - patch: |-");
        assert_eq!(shown_edit(&[], &["b: 1", "- c"]), "+ 2 lines: b: 1");
        assert_eq!(shown_edit(&[], &["# a", "# b"]), "+ 2 lines: # a");
        let patch = ["", "- target:", "    kind: Service", "  patch: |-", "    a", "    b"];
        assert_eq!(shown_edit(&[], &patch), "+ 6 lines: - target: kind: Service");
        let object =
            ["---", "apiVersion: v1", "kind: A", "metadata:", "  name: b", "x: |", "  c", "  d"];
        assert_eq!(shown_edit(&object, &[]), "− 8 lines: A b");
    }

    #[test]
    fn long_values_show_their_difference() {
        let long = "registry.example.com/a/very/long/path/of/an/image/in/a/registry/web:1.2.3";
        let (old, new) = truncate_both_values(long, &long.replace("1.2.3", "1.3.0"));
        assert_eq!((&*old, &*new), ("…istry/web:1.2.3", "…istry/web:1.3.0"));
        assert_eq!(truncate_both_values("a", "b"), ("a".to_owned(), "b".to_owned()));
    }
}
