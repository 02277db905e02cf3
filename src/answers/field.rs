//! Paths of fields: as a person writes them, as they are shown, and the same element in two states of a list.
//!
//! `spec.template.spec.containers[web].image`: keys with dots between them; a key that has a dot or a slash in brackets,
//! `metadata.annotations[a.b/c]`; an element by its number, its name or `[key=value]`. A JSON pointer and the paths of
//! `replacements` (`containers.[name=web].image`, `a\.b`) are read too.

use std::sync::Arc;

use crate::engine::resource::PathStep;
use crate::engine::yaml::{Mark, Node, Value, WriterId};

/// A path as it is written; what it leads to depends on the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    parts: Vec<String>,
}

impl Field {
    /// Reads a path.
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

    /// A path that is known.
    pub fn of(path: &[PathStep]) -> Self {
        let part = |step: &PathStep| match step {
            PathStep::Key(key) => key.to_string(),
            PathStep::Index(index) => index.to_string(),
        };
        Self { parts: path.iter().map(part).collect() }
    }

    /// A path of a tree with its elements as they are called, so that it finds them where they have another number.
    pub fn named(node: &Node, path: &[PathStep]) -> Self {
        let mut parts = Vec::with_capacity(path.len());
        let mut node = Some(node);
        for step in path {
            match step {
                PathStep::Key(key) => {
                    parts.push(key.to_string());
                    node = node.and_then(|node| node.get(key));
                }
                PathStep::Index(index) => {
                    let item = node.and_then(Node::items).and_then(|items| items.get(*index));
                    let key = item.and_then(own_key).map(|(key, text)| format!("{key}={text}"));
                    let name = key.or_else(|| Some(item?.text()?.to_owned()));
                    let items = node.and_then(Node::items).unwrap_or_default();
                    let name = name.filter(|name| element(items, name) == Some(*index));
                    parts.push(name.unwrap_or_else(|| index.to_string()));
                    node = item;
                }
            }
        }
        Self { parts }
    }

    /// True when it names no field.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The field of a tree that it leads to.
    pub fn find(&self, node: &Node) -> Option<Vec<PathStep>> {
        let mut path = Vec::new();
        find(node, &self.parts, &mut path).then_some(path)
    }
}

/// A key that is written with dots in it, and without brackets, is found where no shorter one is there.
fn find(node: &Node, parts: &[String], path: &mut Vec<PathStep>) -> bool {
    let Some((first, rest)) = parts.split_first() else { return true };
    if let Some(items) = node.items() {
        let Some(index) = element(items, first) else { return false };
        path.push(PathStep::Index(index));
        return find(&items[index], rest, path) || path.pop().is_none();
    }
    let mut key = first.clone();
    for (taken, next) in (0..).zip(rest.iter().map(Some).chain([None])) {
        if let Some(value) = node.get(&key) {
            path.push(PathStep::Key(key.as_str().into()));
            if find(value, &rest[taken..], path) {
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

/// The element of a list that a part of a path names.
fn element(items: &[Node], part: &str) -> Option<usize> {
    if let Some((key, value)) = part.split_once('=') {
        let is_it = |item: &Node| item.get(key).and_then(Node::text) == Some(value);
        if let Some(found) = items.iter().position(is_it) {
            return Some(found);
        }
    }
    match part.parse::<usize>() {
        Ok(index) if index < items.len() => Some(index),
        _ => items.iter().position(|item| {
            item.text() == Some(part) || own_key(item).is_some_and(|(_, text)| text == part)
        }),
    }
}

/// The path as it is shown: `spec.template.spec.containers[0].image`, `metadata.annotations[a.b/c]`.
pub fn path_text(path: &[PathStep]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            PathStep::Key(key) if key.contains(['.', '/']) => text.push_str(&format!("[{key}]")),
            PathStep::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(key);
            }
        }
    }
    text
}

/// The path as a JSON pointer (RFC 6901).
pub fn pointer(path: &[PathStep]) -> String {
    let part = |step: &PathStep| match step {
        PathStep::Index(index) => format!("/{index}"),
        PathStep::Key(key) => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
    };
    path.iter().map(part).collect::<Vec<_>>().concat()
}

/// The value at a path, and where it came from: of a value without a place, its key's.
pub fn value_at<'n>(node: &'n Node, path: &[PathStep]) -> Option<(&'n Node, Mark)> {
    let mut found = (node, node.mark);
    for step in path {
        found = match step {
            PathStep::Index(index) => {
                let item = found.0.items()?.get(*index)?;
                (item, item.mark)
            }
            PathStep::Key(key) => {
                let entries = found.0.entries().iter();
                let entry = entries.rev().find(|entry| entry.key.text() == Some(key))?;
                (&entry.value, mark_of(entry.value.mark, entry.key.mark))
            }
        };
    }
    Some(found)
}

/// Where an entry's value came from. A step at the root has no line, but it is a writer all the same.
pub fn mark_of(value: Mark, key: Mark) -> Mark {
    if value.line == 0 && value.writer == WriterId::NONE { key } else { value }
}

/// A field that holds no other, with its value and where that came from.
pub type Leaf<'n> = (Vec<PathStep>, &'n Node, Mark);

/// Every scalar of a tree, and every collection that is empty.
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
        gather(&entry.value, mark_of(entry.value.mark, entry.key.mark), path, found);
        path.pop();
    }
    for (index, item) in items.iter().enumerate() {
        path.push(PathStep::Index(index));
        gather(item, item.mark, path, found);
        path.pop();
    }
}

/// The same field in an earlier state of the tree: elements of lists are followed, not their numbers.
pub fn earlier(now: &Node, before: &Node, path: &[PathStep]) -> Option<Vec<PathStep>> {
    let (mut now, mut before) = (now, before);
    let mut found = Vec::with_capacity(path.len());
    for (number, step) in path.iter().enumerate() {
        // What nobody touched is one and the same, and so is the way through it.
        if is_shared(now, before) {
            found.extend_from_slice(&path[number..]);
            return value_at(now, &path[number..]).map(|_| found);
        }
        match step {
            PathStep::Key(key) => {
                (now, before) = (now.get(key)?, before.get(key)?);
                found.push(step.clone());
            }
            PathStep::Index(index) => {
                let (items, old) = (now.items()?, before.items()?);
                let at = same_element(items, old, *index)?;
                (now, before) = (items.get(*index)?, old.get(at)?);
                found.push(PathStep::Index(at));
            }
        }
    }
    Some(found)
}

/// True for a collection that stands in both states, and not only one like it.
fn is_shared(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Mapping(one), Value::Mapping(other)) => Arc::ptr_eq(one, other),
        (Value::Sequence(one, _), Value::Sequence(other, _)) => Arc::ptr_eq(one, other),
        _ => false,
    }
}

/// The element of a list as it was before that is the one with this number now: it stands at the same place of a file,
/// has the same key, or the same content; of a list that kept its length, what stands for none of the others.
pub fn same_element(now: &[Node], before: &[Node], index: usize) -> Option<usize> {
    let item = now.get(index)?;
    like(item, index, now, before).or_else(|| {
        let old = before.get(index).filter(|_| now.len() == before.len())?;
        let is_new = own_key(item).is_some() && own_key(old).is_some();
        let is_anothers = like(old, index, before, now).is_some();
        (!is_new && !is_anothers).then_some(index)
    })
}

fn like(item: &Node, index: usize, own: &[Node], others: &[Node]) -> Option<usize> {
    if others.is_empty() {
        return None;
    }
    let place = |node: &Node| (node.mark.source, node.mark.line, node.mark.column);
    let is_collection = item.as_scalar().is_none();
    if is_collection && item.mark.line > 0 && item.mark.column > 0 {
        let key = own_key(item);
        let stands_there = |other: &&Node| place(other) == place(item);
        let there = || others.iter().enumerate().filter(|(_, other)| stands_there(other));
        let mut alike = there().filter(|(_, other)| own_key(other) == key || key.is_none());
        if let (Some((found, _)), None) = (alike.next(), alike.next()) {
            return Some(found);
        }
        // What it is called may have been changed: a name that follows a prefix.
        let mut there = there();
        let is_alone = own.iter().filter(stands_there).count() == 1;
        if let (true, Some((found, _)), None) = (is_alone, there.next(), there.next()) {
            return Some(found);
        }
    }
    let is_same = |other: &&Node| match own_key(item) {
        Some(key) => own_key(other) == Some(key),
        None => other.same_content(item),
    };
    // Of several that are alike, the first is the first.
    let number = own.iter().take(index).filter(is_same).count();
    let mut alike = others.iter().enumerate().filter(|(_, other)| is_same(other));
    alike.nth(number).map(|(found, _)| found)
}

/// What an element is called: the keys by which Kubernetes merges lists, the most telling first.
const KEYS: [&str; 9] =
    ["name", "key", "mountPath", "containerPort", "port", "devicePath", "topologyKey", "ip", "id"];

/// The key of an element and its text.
pub fn own_key(item: &Node) -> Option<(&'static str, &str)> {
    let of = |key: &'static str| Some((key, item.get(key)?.text()?));
    KEYS.into_iter().find_map(of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::yaml::{Limits, SourceId, parse_documents};

    fn tree(text: &str) -> Node {
        of_source(1, text)
    }

    fn of_source(source: u32, text: &str) -> Node {
        let parsed = parse_documents(text.as_bytes(), SourceId(source), Limits::default()).unwrap();
        parsed.documents.into_iter().next().unwrap().node
    }

    #[test]
    fn a_path_is_found_in_every_way_to_write_it() {
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
            let path = Field::parse(text).find(&node).unwrap_or_default();
            assert_eq!(path_text(&path), shown, "{text}");
        }
        assert_eq!(Field::parse("spec.list[c].v").find(&node), None);
    }

    #[test]
    fn an_element_is_followed_by_what_it_is() {
        let before = tree("- name: app\n  image: a\n");
        let now = of_source(2, "- name: side\n  image: s\n- name: app\n  image: b\n");
        let path = [PathStep::Index(1), PathStep::Key("image".into())];
        assert_eq!(path_text(&earlier(&now, &before, &path).unwrap()), "[0].image");
        assert_eq!(earlier(&now, &before, &[PathStep::Index(0)]), None);
        let (before, now) = (tree("[x, y]"), of_source(2, "[x, z]"));
        assert_eq!(earlier(&now, &before, &[PathStep::Index(1)]), Some(vec![PathStep::Index(1)]));
    }
}
