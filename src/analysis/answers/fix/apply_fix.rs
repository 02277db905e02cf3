//! Fixes as edits of texts that keep every other byte.

use std::collections::BTreeMap;

use crate::draft::replace_scalar_at;
use crate::engine::diagnostic::{Fix, TextChange, ValueReplacement};
use crate::engine::manifest::{ListForm, Outline};
use crate::engine::yaml::{Mark, MarkOffsets, Node};

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

/// The text with parts of it replaced; `None` if a part to replace is no longer in the text.
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

/// Replaces the text of one value of an entry, or removes its key.
fn replace_value(
    text: &[u8],
    field: &str,
    index: usize,
    value: &ValueReplacement,
) -> Option<Vec<u8>> {
    let entry = &Outline::entry_node(text, field, index)?;
    let (last, above) = value.path.split_last()?;
    let keys: Vec<&str> = above.iter().map(String::as_str).collect();
    let parent = if keys.is_empty() { entry } else { entry.at(&keys)? };
    let pair = parent.entries().iter().find(|pair| pair.key.text() == Some(last))?;
    if pair.value.text() != Some(&value.was) {
        return None;
    }
    match &value.with {
        Some(with) => replace_scalars(text, vec![(&pair.value, with.clone())]).ok(),
        None => remove_pair(text, pair.key.mark, &pair.value),
    }
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

/// Removes a key and its value: in a block, their line; in braces, the pair with its comma. A mapping
/// stays without its last key.
fn remove_pair(text: &[u8], key: Mark, value: &Node) -> Option<Vec<u8>> {
    let whole = std::str::from_utf8(text).ok()?;
    let offsets = MarkOffsets::new(whole);
    let at = offsets.byte(key)?;
    let begin = whole[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = whole[at..].find('\n').map_or(whole.len(), |end| at + end + 1);
    let before = whole.get(begin..at)?;
    if before.trim().is_empty() {
        return Some([&whole[..begin], &whole[end..]].concat().into_bytes());
    }
    if !before.contains('{') {
        return None;
    }
    let start = offsets.byte(value.mark)?;
    let stop = start + whole.get(start..end)?.find([',', '}'])?;
    let tail = whole.get(stop..)?;
    if let Some(tail) = tail.strip_prefix(',') {
        return Some([&whole[..at], tail.trim_start_matches(' ')].concat().into_bytes());
    }
    let head = whole[..at].trim_end_matches(' ').trim_end_matches(',');
    Some([head, tail].concat().into_bytes())
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
        let text = "images: [{name: a, newTag: \"1\"}, {name: b}, {name: c}] # x\n";
        let without = |index| {
            let after = apply_fix_to_text(text.as_bytes(), "images", index, &Fix::RemoveEntry)?;
            String::from_utf8(after).ok()
        };
        assert_eq!(without(0), Some("images: [{name: b}, {name: c}] # x\n".to_owned()));
        let second = "images: [{name: a, newTag: \"1\"}, {name: c}] # x\n";
        assert_eq!(without(1), Some(second.to_owned()));
        let last = "images: [{name: a, newTag: \"1\"}, {name: b}] # x\n";
        assert_eq!(without(2), Some(last.to_owned()));
        let commented = "images: [ # x\n  {name: a}, {name: b}]\n";
        assert_eq!(apply_fix_to_text(commented.as_bytes(), "images", 0, &Fix::RemoveEntry), None);
    }

    #[test]
    fn key_is_removed_from_block_and_flow_mapping() {
        let text = "patches:\n- target:\n    group: apps # g\n    kind: D\n";
        assert_eq!(
            set(text, &["target", "group"], "apps", None).as_deref(),
            Some("patches:\n- target:\n    kind: D\n")
        );
        let flow = "patches:\n- target: {group: apps, kind: D, name: x}\n";
        assert_eq!(
            set(flow, &["target", "group"], "apps", None).as_deref(),
            Some("patches:\n- target: {kind: D, name: x}\n")
        );
        assert_eq!(
            set(flow, &["target", "name"], "x", None).as_deref(),
            Some("patches:\n- target: {group: apps, kind: D}\n")
        );
        // A target without its last key stays, and no line besides that of the key is removed.
        let only = "patches:\n- target:\n    name: x\n    # why\n  path: p\n";
        assert_eq!(
            set(only, &["target", "name"], "x", None).as_deref(),
            Some("patches:\n- target:\n    # why\n  path: p\n")
        );
        assert_eq!(
            set("patches:\n- target: {name: x}\n", &["target", "name"], "x", None).as_deref(),
            Some("patches:\n- target: {}\n")
        );
    }
}
