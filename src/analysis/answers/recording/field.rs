//! Paths of fields: parsing, display, and the same element in two states of a list.
//!
//! `spec.template.spec.containers[web].image`: keys separated by dots; a key with a dot or a slash
//! in brackets, `metadata.annotations[a.b/c]`; an element by its number, its name or `[key=value]`.
//! JSON pointers and the paths of `replacements` (`containers.[name=web].image`, `a\.b`) are
//! accepted as well.

use std::sync::Arc;

use crate::engine::resource::PathStep;
use crate::engine::yaml::{Mark, Node, Value, WriterId};

use super::lookup::{corresponding_element, element_index, element_key};

/// A path as written; the node that it leads to depends on the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenPath {
    parts: Vec<String>,
}

impl WrittenPath {
    pub fn parse(text: &str) -> Self {
        if let Some(pointer) = text.strip_prefix('/') {
            let parts = pointer.split('/').map(|part| part.replace("~1", "/").replace("~0", "~"));
            return Self { parts: parts.collect() };
        }
        let (mut parts, mut part) = (Vec::new(), String::new());
        let mut rest = text.chars().peekable();
        while let Some(character) = rest.next() {
            match character {
                '\\' if matches!(rest.peek(), Some('.')) => part.extend(rest.next()),
                '.' => parts.push(std::mem::take(&mut part)),
                '[' => {
                    parts.push(std::mem::take(&mut part));
                    part.extend(rest.by_ref().take_while(|inner| *inner != ']'));
                    parts.push(std::mem::take(&mut part));
                }
                other => part.push(other),
            }
        }
        parts.push(part);
        parts.retain(|part| !part.is_empty());
        Self { parts }
    }

    /// The written form of a path of a tree, with elements by index.
    pub fn from_path(path: &[PathStep]) -> Self {
        let part = |step: &PathStep| match step {
            PathStep::Key(key) => key.to_string(),
            PathStep::Index(index) => index.to_string(),
        };
        Self { parts: path.iter().map(part).collect() }
    }

    /// A path of a tree with its elements by name, so that the same elements are found at other
    /// indices.
    pub fn named(node: &Node, path: &[PathStep]) -> Self {
        let mut parts = Vec::with_capacity(path.len());
        let mut node = Some(node);
        for step in path {
            match step {
                PathStep::Key(key) => {
                    parts.push(key.to_string());
                    node = node.and_then(|node| Some(&node.entry(key)?.value));
                }
                PathStep::Index(index) => {
                    let items = node.and_then(Node::items).unwrap_or_default();
                    let item = items.get(*index);
                    let key = item.and_then(element_key).map(|(key, text)| format!("{key}={text}"));
                    let name = key.or_else(|| Some(item?.text()?.to_owned()));
                    let name = name.filter(|name| element_index(items, name) == Some(*index));
                    parts.push(name.unwrap_or_else(|| index.to_string()));
                    node = item;
                }
            }
        }
        Self { parts }
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub fn find(&self, node: &Node) -> Option<Vec<PathStep>> {
        let mut path = Vec::new();
        find_parts(node, &self.parts, &mut path).then_some(path)
    }

    /// The path as far as the tree has the field, then the parts as written.
    pub(in crate::answers) fn find_or_extend(&self, node: &Node) -> Vec<PathStep> {
        let known = (0..=self.parts.len()).rev().find_map(|count| {
            let mut path = Vec::new();
            find_parts(node, &self.parts[..count], &mut path).then_some((count, path))
        });
        let (count, mut path) = known.unwrap_or_default();
        let is_list = value_at(node, &path).is_some_and(|(known, _)| known.items().is_some());
        path.extend(self.parts.iter().skip(count).enumerate().map(
            |(at, part)| match part.parse() {
                Ok(index) if is_list && at == 0 => PathStep::Index(index),
                _ => PathStep::Key(part.as_str().into()),
            },
        ));
        path
    }
}

/// Appends the path of the field with these parts to `path`; false if the tree has no such field. A
/// dot may separate two keys or be part of a key without brackets; the shorter key is tried first.
fn find_parts(node: &Node, parts: &[String], path: &mut Vec<PathStep>) -> bool {
    let Some((first, rest)) = parts.split_first() else { return true };
    if let Some(items) = node.items() {
        let Some(index) = element_index(items, first) else { return false };
        path.push(PathStep::Index(index));
        return find_parts(&items[index], rest, path) || path.pop().is_none();
    }
    let mut key = first.clone();
    for (taken, next) in (0..).zip(rest.iter().map(Some).chain([None])) {
        if let Some(entry) = node.entry(&key) {
            path.push(PathStep::Key(key.as_str().into()));
            if find_parts(&entry.value, &rest[taken..], path) {
                return true;
            }
            path.pop();
        }
        if let Some(next) = next {
            key.push('.');
            key.push_str(next);
        }
    }
    false
}

/// A path for display: `spec.template.spec.containers[0].image`, `metadata.annotations[a.b/c]`.
pub fn path_text(path: &[PathStep]) -> String {
    displayed_steps(None, path)
}

/// A path for display, with elements by name if they have one: `spec.containers[web].image`.
pub fn named_path_text(node: &Node, path: &[PathStep]) -> String {
    displayed_steps(Some(node), path)
}

fn displayed_steps(mut node: Option<&Node>, path: &[PathStep]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            // An element that is a text may be the value of a Secret, so its index is shown in
            // place of the text.
            PathStep::Index(index) => {
                let items = node.and_then(Node::items).unwrap_or_default();
                node = items.get(*index);
                let is_exact = |name: &str| element_index(items, name) == Some(*index);
                match node.and_then(element_key) {
                    Some((key, name)) if is_exact(&format!("{key}={name}")) => {
                        let key = if key == "name" { "" } else { &format!("{key}=") };
                        text.push_str(&format!("[{key}{name}]"));
                    }
                    _ => text.push_str(&format!("[{index}]")),
                }
            }
            PathStep::Key(key) => {
                node = node.and_then(|node| node.get(key));
                if key.contains(['.', '/']) {
                    text.push_str(&format!("[{key}]"));
                } else {
                    text.push_str(if text.is_empty() { "" } else { "." });
                    text.push_str(key);
                }
            }
        }
    }
    text
}

/// A path for display that finds the same field again: with elements by name if this is exact, else
/// by index.
pub fn exact_path_text(node: &Node, path: &[PathStep]) -> String {
    let named = named_path_text(node, path);
    let is_exact = WrittenPath::parse(&named).find(node).as_deref() == Some(path);
    if is_exact { named } else { path_text(path) }
}

/// The path as a JSON pointer (RFC 6901).
pub fn pointer(path: &[PathStep]) -> String {
    let part = |step: &PathStep| match step {
        PathStep::Index(index) => format!("/{index}"),
        PathStep::Key(key) => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
    };
    path.iter().map(part).collect::<Vec<_>>().concat()
}

/// The value at a path, with its mark. A value without a mark has the mark of its key.
pub fn value_at<'n>(node: &'n Node, path: &[PathStep]) -> Option<(&'n Node, Mark)> {
    let mut found = (node, node.mark);
    for step in path {
        found = match step {
            PathStep::Index(index) => {
                let item = found.0.items()?.get(*index)?;
                (item, item.mark)
            }
            PathStep::Key(key) => {
                let entry = found.0.last_entry(key)?;
                (&entry.value, value_or_key_mark(entry.value.mark, entry.key.mark))
            }
        };
    }
    Some(found)
}

/// The mark of an entry's value, or the mark of its key if the value has none. A value from a final
/// step has no line, but has a writer.
pub fn value_or_key_mark(value: Mark, key: Mark) -> Mark {
    if value.line == 0 && value.writer == WriterId::NONE { key } else { value }
}

/// A field that is a scalar or an empty collection, with its value and the mark of the value.
pub type Leaf<'n> = (Vec<PathStep>, &'n Node, Mark);

/// Every scalar of a tree, and every empty collection.
pub fn leaves(node: &Node) -> Vec<Leaf<'_>> {
    let mut found = Vec::new();
    gather(node, node.mark, &mut Vec::new(), &mut found);
    found
}

fn gather<'n>(node: &'n Node, mark: Mark, path: &mut Vec<PathStep>, found: &mut Vec<Leaf<'n>>) {
    let (entries, items) = (node.entries(), node.items().unwrap_or_default());
    if entries.is_empty() && items.is_empty() {
        found.push((path.clone(), node, mark));
    }
    for entry in entries {
        let Some(key) = entry.key.as_scalar() else { continue };
        path.push(PathStep::Key(key.text.clone()));
        gather(&entry.value, value_or_key_mark(entry.value.mark, entry.key.mark), path, found);
        path.pop();
    }
    for (index, item) in items.iter().enumerate() {
        path.push(PathStep::Index(index));
        gather(item, item.mark, path, found);
        path.pop();
    }
}

/// The path of a field of `now` in another state of the tree: a list element is followed even if
/// its index differs.
pub fn path_in_other_state(now: &Node, before: &Node, path: &[PathStep]) -> Option<Vec<PathStep>> {
    let (mut now, mut before) = (now, before);
    let mut found = Vec::with_capacity(path.len());
    for (number, step) in path.iter().enumerate() {
        // Both states share an unchanged node, so the rest of the path is the same.
        if is_shared(now, before) {
            found.extend_from_slice(&path[number..]);
            return value_at(now, &path[number..]).map(|_| found);
        }
        match step {
            PathStep::Key(key) => {
                let (one, other) = (now.entry(key)?, before.entry(key)?);
                (now, before) = (&one.value, &other.value);
                found.push(step.clone());
            }
            PathStep::Index(index) => {
                let (items, old) = (now.items()?, before.items()?);
                let at = corresponding_element(items, old, *index)?;
                (now, before) = (items.get(*index)?, old.get(at)?);
                found.push(PathStep::Index(at));
            }
        }
    }
    Some(found)
}

/// True if both nodes share the memory of their collection; an equal collection is not enough.
pub(in crate::answers) fn is_shared(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Mapping(one), Value::Mapping(other)) => Arc::ptr_eq(one, other),
        (Value::Sequence(one, _), Value::Sequence(other, _)) => Arc::ptr_eq(one, other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::answers::recording::field::*;
    use crate::engine::yaml::{Limits, SourceId, parse_documents};

    fn tree(text: &str) -> Node {
        parse_from_source(1, text)
    }

    fn parse_from_source(source: u32, text: &str) -> Node {
        let parsed = parse_documents(text.as_bytes(), SourceId(source), Limits::default()).unwrap();
        parsed.documents.into_iter().next().unwrap().node
    }

    #[test]
    fn path_is_found_in_every_notation() {
        let node = tree(
            "spec:\n  list:\n  - name: a\n    v: 1\n  - name: b\n    v: 2\ndata:\n  x.y: z\n  p/q: r\n",
        );
        for (text, shown) in [
            ("spec.list[1].v", "spec.list[1].v"),
            ("spec.list[b].v", "spec.list[1].v"),
            ("spec.list.[name=b].v", "spec.list[1].v"),
            ("/spec/list/1/v", "spec.list[1].v"),
            ("data.x.y", "data[x.y]"),
            ("data[x.y]", "data[x.y]"),
            (r"data.x\.y", "data[x.y]"),
            ("/data/p~1q", "data[p/q]"),
        ] {
            let path = WrittenPath::parse(text).find(&node).unwrap_or_default();
            assert_eq!(path_text(&path), shown, "{text}");
        }
        assert_eq!(WrittenPath::parse("spec.list[c].v").find(&node), None);
    }

    #[test]
    fn element_is_followed_by_name() {
        let before = tree("- name: app\n  image: a\n");
        let now = parse_from_source(2, "- name: side\n  image: s\n- name: app\n  image: b\n");
        let path = [PathStep::Index(1), PathStep::Key("image".into())];
        assert_eq!(path_text(&path_in_other_state(&now, &before, &path).unwrap()), "[0].image");
        assert_eq!(path_in_other_state(&now, &before, &[PathStep::Index(0)]), None);
        let (before, now) = (tree("[x, y]"), parse_from_source(2, "[x, z]"));
        assert_eq!(
            path_in_other_state(&now, &before, &[PathStep::Index(1)]),
            Some(vec![PathStep::Index(1)])
        );
    }
}
