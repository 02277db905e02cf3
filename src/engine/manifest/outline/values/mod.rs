//! Setting values inside an item of a list (`spec.image` of an override) without touching any other
//! byte. The result is parsed again and compared with the requested value, so that a text in an
//! unsupported style is refused and never damaged.

use std::ops::Range;

use crate::yaml::{
    MappingEntry, Node, NodeKind, Style, Value, WrittenDocument, print_flow,
    print_preserving_style, to_json,
};

use super::edit::splice;
use super::lines::{TextLines, indent, line_end};
use super::{NOT_UTF8, Outline, OutlineError, unsupported};

/// A change of one value in a list item.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueChange {
    /// The path of the value in the item.
    pub path: Vec<String>,
    /// The new value; `None` removes the old one.
    pub value: Option<Node>,
}

impl Outline {
    /// Sets or removes values of a list item, which is identified by its index among the active
    /// items. A mapping that becomes empty is removed too.
    ///
    /// # Errors
    /// The item does not exist, or its style does not allow the edit without changing other bytes.
    pub fn set_values(
        text: &[u8],
        field: &str,
        index: usize,
        changes: &[ValueChange],
    ) -> Result<Vec<u8>, OutlineError> {
        let text = std::str::from_utf8(text).map_err(|_| unsupported(1, NOT_UTF8))?;
        let mut now = text.to_owned();
        for change in changes {
            now = set_value(&now, Some((field, index)), change)?;
        }
        Ok(now.into_bytes())
    }

    /// Sets or removes a value of the file itself; a file without fields gets its first one.
    ///
    /// # Errors
    /// The edit is not possible in the style of the file without touching other bytes.
    pub fn set_field(text: &[u8], change: &ValueChange) -> Result<Vec<u8>, OutlineError> {
        let text = std::str::from_utf8(text).map_err(|_| unsupported(1, NOT_UTF8))?;
        let document = WrittenDocument::parse_content(text).ok();
        let is_blank = document.and_then(|it| it.root).is_none_or(|root| root.is_null());
        let path: Vec<&str> = change.path.iter().map(String::as_str).collect();
        match &change.value {
            Some(value) if is_blank => {
                let end = if text.is_empty() || text.ends_with('\n') { "" } else { line_end(text) };
                let first = print_preserving_style(&nested(&path, value));
                Ok(format!("{text}{end}{first}").into_bytes())
            }
            None if is_blank => Ok(text.as_bytes().to_vec()),
            _ => set_value(text, None, change).map(String::into_bytes),
        }
    }
}

fn set_value(
    text: &str,
    item_of: Option<(&str, usize)>,
    change: &ValueChange,
) -> Result<String, OutlineError> {
    let absent = || {
        let (field, index) = item_of.unwrap_or_default();
        OutlineError::NoEntry { field: field.to_owned(), index }
    };
    let document = WrittenDocument::parse_content(text).map_err(|_| absent())?;
    let root = document.root.as_ref().ok_or_else(absent)?;
    let item = match item_of {
        None => Some(root),
        Some((field, index)) => root.items_of(field).get(index),
    };
    let item = item.filter(|item| item.kind() == NodeKind::Mapping).ok_or_else(absent)?;
    let path: Vec<&str> = change.path.iter().map(String::as_str).collect();
    let written = ValueText { document: &document, lines: TextLines::new(text) };
    let (edited, wanted) = match &change.value {
        Some(value) => (written.set(item, &path, value), with(item, &path, value)),
        None if item.at(&path).is_none() => return Ok(text.to_owned()),
        None => {
            let path = outermost_emptied_path(item, &path);
            (written.remove(item, path), without(item, path))
        }
    };
    let wanted = wanted.map(|item| {
        let Some((field, index)) = item_of else { return item };
        let mut root = root.clone();
        let items = root.get_mut(field).and_then(Node::items_mut);
        if let Some(slot) = items.and_then(|items| items.get_mut(index)) {
            *slot = item;
        }
        root
    });
    let same = |edited: &String| {
        let found = WrittenDocument::parse_content(edited).ok()?.root?;
        (to_json(&found).ok()? == to_json(wanted.as_ref()?).ok()?).then_some(())
    };
    match edited {
        Some(edited) if same(&edited).is_some() => Ok(edited),
        _ => {
            let obstacle = format!("`{}` cannot be set in this text", change.path.join("."));
            Err(unsupported(item.mark.line, obstacle))
        }
    }
}

/// The node with a value set at a path, whose missing mappings are created; `None` if a node on the
/// path is no mapping.
fn with(node: &Node, path: &[&str], value: &Node) -> Option<Node> {
    let Some((key, rest)) = path.split_first() else { return Some(value.clone()) };
    let mut node = if node.is_null() { Node::mapping() } else { node.clone() };
    let inner = node.get(key).cloned().unwrap_or_default();
    node.as_mapping_mut()?.set(key, with(&inner, rest, value)?);
    Some(node)
}

/// The node without the value at a path; `None` if a node on the path is missing or no mapping.
fn without(node: &Node, path: &[&str]) -> Option<Node> {
    let (key, rest) = path.split_first()?;
    let mut node = node.clone();
    if rest.is_empty() {
        node.as_mapping_mut()?.remove(key);
    } else {
        let inner = without(node.get(key)?, rest)?;
        node.as_mapping_mut()?.set(key, inner);
    }
    Some(node)
}

/// The path of the node to remove with the value at a path: the outermost mapping without other
/// content.
fn outermost_emptied_path<'p, 'k>(item: &Node, path: &'p [&'k str]) -> &'p [&'k str] {
    let mut path = path;
    while let [outer @ .., _] = path
        && !outer.is_empty()
        && item.at(outer).is_some_and(|node| node.entries().len() == 1)
    {
        path = outer;
    }
    path
}

/// A document whose values are edited, with the lines of its text.
struct ValueText<'d> {
    document: &'d WrittenDocument<'d>,
    lines: TextLines<'d>,
}

impl ValueText<'_> {
    fn set(&self, item: &Node, path: &[&str], value: &Node) -> Option<String> {
        let mut node = item;
        let mut in_flow = is_flow(node);
        for (depth, key) in path.iter().enumerate() {
            let rest = path.get(depth..)?;
            let Some(entry) = node.entry(key) else {
                return if in_flow {
                    self.insert_in_flow(node, rest, value)
                } else {
                    self.insert(node, rest, value)
                };
            };
            if depth + 1 == path.len() {
                return self.replace(entry, value, in_flow);
            }
            if entry.value.is_null() || entry.value.is_empty_collection() {
                // The existing value is empty: replace it by mappings with the missing keys.
                let value = nested(path.get(depth + 1..)?, value);
                return self.replace(entry, &value, in_flow);
            }
            node = &entry.value;
            in_flow = in_flow || is_flow(node);
        }
        None
    }

    fn replace(&self, entry: &MappingEntry, value: &Node, in_flow: bool) -> Option<String> {
        let text = self.document.text;
        let colon = self.after_colon(&entry.key)?;
        let line_end = text.get(colon..)?.find(['\n', '\r']);
        let line_end = line_end.map_or(text.len(), |at| colon + at);
        let is_block = entry.value.as_scalar().map_or(!is_flow(&entry.value), |scalar| {
            matches!(scalar.style, Style::Literal | Style::Folded)
        });
        let bytes = self.document.bytes(&entry.value);
        if let Some(bytes) = bytes.as_ref().filter(|it| !is_block && it.start < line_end) {
            let start = self.document.start(&entry.value)?;
            // An anchor, an alias, a tag and a text of several lines are not replaced.
            let is_odd = start != bytes.start
                || entry.value.is_alias()
                || self.document.is_folded_plain(&entry.value);
            let inline = inline_text(value, in_flow).filter(|_| !is_odd)?;
            return Some(splice(text, bytes, &inline));
        }
        if in_flow {
            return None;
        }
        // The value is a block below its key, or empty: remove it, and keep a comment after the
        // key.
        let rest = text.get(colon..line_end)?;
        let comment = rest.find(" #").map_or("", |at| rest.get(at..).unwrap_or_default());
        let body = if bytes.is_none() { line_end..line_end } else { self.block_below(entry)? };
        let mut piece = format!(" {}", inline_text(value, false)?);
        piece.push_str(comment);
        let edited = splice(text, &body, "");
        Some(splice(&edited, &(colon..line_end), &piece))
    }

    /// Adds a new key after all others of a block mapping.
    fn insert(&self, node: &Node, path: &[&str], value: &Node) -> Option<String> {
        let last = node.entries().last()?;
        let column = usize::try_from(last.key.mark.column).ok()?.checked_sub(1)?;
        let at = self.block_end(last)?;
        let end = line_end(self.document.text);
        let printed = print_preserving_style(&nested(path, value));
        let lines = printed.trim_end_matches('\n').split('\n');
        let lines: Vec<String> =
            lines.map(|line| format!("{}{line}", " ".repeat(column))).collect();
        let piece = lines.join(end);
        let open = at > 0 && !self.document.text.get(..at)?.ends_with('\n');
        let piece = if open { format!("{end}{piece}") } else { format!("{piece}{end}") };
        Some(splice(self.document.text, &(at..at), &piece))
    }

    /// Adds a new key at the start of a mapping in braces.
    fn insert_in_flow(&self, node: &Node, path: &[&str], value: &Node) -> Option<String> {
        let brace = self.document.bytes(node)?.start;
        let behind = self.document.text.get(brace..)?.strip_prefix('{')?;
        let (key, rest) = path.split_first()?;
        let comma = if behind.trim_start().starts_with('}') { "" } else { ", " };
        let key = inline_text(&Node::string(*key), true)?;
        let piece = format!("{key}: {}{comma}", inline_text(&nested(rest, value), true)?);
        Some(splice(self.document.text, &(brace + 1..brace + 1), &piece))
    }

    fn remove(&self, item: &Node, path: &[&str]) -> Option<String> {
        let (key, outer) = path.split_last()?;
        let node = item.at(outer)?;
        let entry = node.entry(key)?;
        let (text, start) = (self.document.text, self.document.start(&entry.key)?);
        let steps = (0..=outer.len()).filter_map(|depth| item.at(outer.get(..depth)?));
        if steps.into_iter().any(is_flow) {
            let end = self.document.bytes(&entry.value)?.end;
            let rest = text.get(end..)?;
            let comma = rest.trim_start().strip_prefix(',').map(str::trim_start);
            let range = match comma {
                Some(next) => start..text.len() - next.len(),
                None => text.get(..start)?.trim_end().trim_end_matches(',').len()..end,
            };
            return Some(splice(text, &range, ""));
        }
        let line = self.lines.at(start);
        // Removing a key after a dash would remove the dash.
        let before = text.get(self.lines.start(line)..start)?;
        before.trim().is_empty().then_some(())?;
        Some(splice(text, &(self.lines.start(line)..self.block_end(entry)?), ""))
    }

    fn after_colon(&self, key: &Node) -> Option<usize> {
        let end = self.document.bytes(key)?.end;
        let rest = self.document.text.get(end..)?;
        let blanks = indent(rest);
        rest.get(blanks..)?.starts_with(':').then_some(end + blanks + 1)
    }

    /// The byte after the last line of an entry of a block mapping.
    fn block_end(&self, entry: &MappingEntry) -> Option<usize> {
        let first = self.lines.at(self.document.start(&entry.key)?);
        let column = usize::try_from(entry.key.mark.column).ok()?.checked_sub(1)?;
        let has_dashes = matches!(&entry.value.value, Value::Sequence(_, Style::Plain));
        Some(self.lines.end_of_block(first, column, has_dashes))
    }

    /// The bytes of the lines of a value below its key.
    fn block_below(&self, entry: &MappingEntry) -> Option<Range<usize>> {
        let start = self.lines.start(self.lines.at(self.document.start(&entry.key)?) + 1);
        Some(start..self.block_end(entry)?.max(start))
    }
}

fn is_flow(node: &Node) -> bool {
    node.collection_style() == Some(Style::Flow)
}

fn nested(path: &[&str], value: &Node) -> Node {
    path.iter().rev().fold(value.clone(), |value, key| {
        let mut mapping = Node::mapping();
        mapping.set(key, value);
        mapping
    })
}

/// A value written on one line; `None` if it needs several.
fn inline_text(value: &Node, in_flow: bool) -> Option<String> {
    let text = if in_flow {
        let list = Node::sequence(vec![value.clone()]);
        print_flow(&list).strip_prefix('[')?.strip_suffix(']')?.to_owned()
    } else {
        print_flow(value)
    };
    (!text.contains('\n')).then_some(text)
}

#[cfg(test)]
mod tests;
