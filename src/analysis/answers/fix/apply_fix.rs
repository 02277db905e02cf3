//! Fixes as edits of texts that keep every other byte.

use std::collections::BTreeMap;

use crate::draft::replace_scalar_at;
use crate::engine::diagnostic::{Fix, TextChange, ValueReplacement};
use crate::engine::manifest::{ListForm, Outline, ValueChange};
use crate::engine::yaml::{MarkOffsets, Node};

/// The text of a kustomization file after a fix of one of its entries; `None` if the fix cannot be
/// applied.
pub fn apply_fix_to_text(text: &[u8], field: &str, index: usize, fix: &Fix) -> Option<Vec<u8>> {
    match fix {
        Fix::RemoveEntry => Outline::remove_entry(text, field, index),
        Fix::RemoveTarget(target) => Outline::remove_target(text, (field, index), *target),
        Fix::MoveBelow(number) => {
            let outline = Outline::parse(text);
            let below = crate::answers::nth_active(&outline, field, *number)?;
            let by = isize::try_from(below).ok()? - isize::try_from(index).ok()?;
            Outline::move_entry(text, field, index, by).ok()
        }
        Fix::MoveEntry(_) | Fix::Migrate(_) | Fix::AddFile { .. } | Fix::ByHand => None,
        Fix::SetText { changes, .. } => apply_text_changes(text, changes),
        Fix::MoveToList(list) => {
            let outline = Outline::parse(text);
            let entry = outline.field(field)?.entries.get(index)?.bytes.clone();
            let entry = std::str::from_utf8(text.get(entry)?).ok()?.trim();
            let entry = entry.strip_prefix("- ").unwrap_or(entry).to_owned();
            Outline::add_entry(&Outline::remove_entry(text, field, index)?, list, &entry).ok()
        }
        Fix::RemoveField(field) => Outline::remove_field(text, field),
        Fix::SetValues(values) => {
            let mut out = text.to_vec();
            for value in values {
                out = replace_value(&out, field, index, value)?;
            }
            Some(out)
        }
    }
}

fn apply_text_changes(text: &[u8], changes: &[TextChange]) -> Option<Vec<u8>> {
    let mut sorted: Vec<&TextChange> = changes.iter().collect();
    sorted.sort_by_key(|change| std::cmp::Reverse(change.at));
    let mut out = text.to_vec();
    for change in sorted {
        let end = change.at + change.was.len();
        if out.get(change.at..end)? != change.was.as_bytes() {
            return None;
        }
        out.splice(change.at..end, change.with.bytes());
    }
    Some(out)
}

/// Replaces the text of one value of an entry, or removes its key. A mapping stays without its last
/// key.
fn replace_value(
    text: &[u8],
    field: &str,
    index: usize,
    value: &ValueReplacement,
) -> Option<Vec<u8>> {
    let outline = Outline::parse(text);
    let before = outline.field(field)?.entries.iter().take(index);
    let entry = &Outline::entry_node(text, field, index)?;
    let (last, above) = value.path.split_last()?;
    let keys: Vec<&str> = above.iter().map(String::as_str).collect();
    let parent = entry.at(&keys)?;
    let old = parent.get(last).filter(|old| old.text() == Some(&value.was))?;
    if let Some(with) = &value.with {
        return replace_scalars(text, vec![(old, with.clone())]).ok();
    }
    let change = match parent.entries() {
        [_] if !above.is_empty() => {
            ValueChange { path: above.to_vec(), value: Some(Node::mapping()) }
        }
        _ => ValueChange { path: value.path.clone(), value: None },
    };
    let number = before.filter(|entry| !entry.disabled).count();
    Outline::set_values(text, field, number, &[change]).ok()
}

/// The text with other texts in place of scalars, whose quotes are kept; an error is a scalar that is
/// not written in one piece.
pub(super) fn replace_scalars<'n>(
    text: &[u8],
    edits: Vec<(&'n Node, String)>,
) -> Result<Vec<u8>, &'n Node> {
    let whole = String::from_utf8_lossy(text);
    let offsets = MarkOffsets::new(&whole);
    let edits = edits.into_iter().rev().filter_map(|it| Some((offsets.byte(it.0.mark)?, it)));
    let edits: BTreeMap<usize, (&Node, String)> = edits.collect();
    edits.into_iter().rev().try_fold(text.to_vec(), |text, (byte, (node, now))| {
        let was = node.text().unwrap_or_default();
        replace_scalar_at(&text, byte, was, &Node::string(now), true).ok_or(node)
    })
}

/// The text with an entry and the comments above it at a position of a list, or at its end.
pub(super) fn with_entry(
    text: &[u8],
    field: &str,
    (entry, head): (&str, &str),
    position: Option<usize>,
) -> Result<Vec<u8>, String> {
    let mut text = Outline::add_entry(text, field, entry)?;
    let outline = Outline::parse(&text);
    let list = outline.field(field).ok_or("the list is missing")?;
    let last = list.entries.len().saturating_sub(1);
    if let (Some(added), ListForm::Block(column)) = (list.entries.last(), &list.form) {
        let indent = " ".repeat(*column);
        let comments = head.lines().map(|line| format!("{indent}{}\n", line.trim()));
        let comments: String = comments.collect();
        text.splice(added.bytes.start..added.bytes.start, comments.bytes());
    }
    match position.and_then(|to| isize::try_from(last.checked_sub(to)?).ok()) {
        Some(by) if by > 0 => Ok(Outline::move_entry(&text, field, last, -by)?),
        _ => Ok(text),
    }
}

/// The comment of a line, with its sign.
pub(super) fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.starts_with('#') {
        return Some(line);
    }
    line.find(" #").and_then(|at| line.get(at + 1..))
}

#[cfg(test)]
mod tests {
    use crate::answers::fix::apply_fix::*;

    fn set(text: &str, path: &[&str], was: &str, with: Option<&str>) -> Option<String> {
        let path = path.iter().map(|key| (*key).to_owned()).collect();
        let value = ValueReplacement { path, was: was.to_owned(), with: with.map(str::to_owned) };
        let fixed = apply_fix_to_text(text.as_bytes(), "patches", 0, &Fix::SetValues(vec![value]))?;
        String::from_utf8(fixed).ok()
    }

    #[test]
    fn only_the_replaced_value_changes() {
        let text = "# a\npatches:\n- path: p # b\n  target: {kind: D, name: 'wbe'} # c\n";
        let after = set(text, &["target", "name"], "wbe", Some("web"));
        assert_eq!(after, Some(text.replace("wbe", "web")));
        assert_eq!(set(text, &["target", "name"], "other", Some("web")), None);
        let number = set(text, &["target", "kind"], "D", Some("1"));
        assert_eq!(number, Some(text.replace("kind: D", "kind: \"1\"")));
    }

    #[test]
    fn entry_of_flow_list_is_removed_with_its_comma() {
        let entries = ["{name: a, newTag: \"1\"}", "{name: b}", "{name: c}"];
        let text = format!("images: [{}] # x\n", entries.join(", "));
        for index in 0..entries.len() {
            let after = apply_fix_to_text(text.as_bytes(), "images", index, &Fix::RemoveEntry);
            let mut left = entries.to_vec();
            left.remove(index);
            let expected = format!("images: [{}] # x\n", left.join(", "));
            assert_eq!(after, Some(expected.into_bytes()));
        }
        let commented = "images: [ # x\n  {name: a}, {name: b}]\n";
        assert_eq!(apply_fix_to_text(commented.as_bytes(), "images", 0, &Fix::RemoveEntry), None);
    }

    #[test]
    fn target_without_its_last_key_stays() {
        let block = "patches:\n- target:\n    group: apps # g\n    kind: D\n";
        let after = set(block, &["target", "group"], "apps", None);
        assert_eq!(after.as_deref(), Some("patches:\n- target:\n    kind: D\n"));
        let only = "patches:\n- target: {name: x}\n  path: p\n";
        let after = set(only, &["target", "name"], "x", None);
        assert_eq!(after, Some(only.replace("name: x", "")));
    }
}
