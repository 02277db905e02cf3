//! The fields in which two trees differ: mappings by key in whatever order, lists by what identifies their elements.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{FieldPath, Segment};
use crate::engine::yaml::Node;

/// What became of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It is there now.
    Added,
    /// It is gone.
    Removed,
    /// It has another value.
    Changed,
    /// The elements of a list stand in another order.
    Reordered,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The field; what is below one that was added or removed belongs to it.
    pub path: FieldPath,
    /// What became of it.
    pub kind: ChangeKind,
    /// What was there.
    pub before: Option<Node>,
    /// What is there.
    pub after: Option<Node>,
}

impl FieldChange {
    /// How many values it is: a mapping that was added counts with all that is in it.
    pub fn leaves(&self) -> usize {
        if self.kind == ChangeKind::Reordered {
            return 1;
        }
        let count = |node: &Option<Node>| node.as_ref().map_or(0, leaves);
        count(&self.before).max(count(&self.after))
    }
}

fn leaves(node: &Node) -> usize {
    let below = node.entries().iter().map(|entry| leaves(&entry.value)).sum::<usize>()
        + node.items().unwrap_or_default().iter().map(leaves).sum::<usize>();
    below.max(1)
}

/// The differences between two trees, in the order of the fields.
pub fn differences(before: &Node, after: &Node) -> Vec<FieldChange> {
    let mut found = Vec::new();
    compare(&FieldPath::default(), before, after, &mut found);
    found
}

/// What may tell the elements of a list apart: the merge keys of Kubernetes' own lists first, then what custom resources
/// commonly have. A second key may be missing.
const KEYS: &[&[&str]] = &[
    &["name"],
    &["containerPort", "protocol"],
    &["port", "protocol"],
    &["mountPath"],
    &["devicePath"],
    &["topologyKey"],
    &["key"],
    &["type"],
    &["ip"],
    &["id"],
    &["host"],
    &["path"],
    &["alert"],
    &["record"],
];

fn compare(path: &FieldPath, before: &Node, after: &Node, found: &mut Vec<FieldChange>) {
    match (before.as_mapping(), after.as_mapping(), before.items(), after.items()) {
        (Some(_), Some(_), ..) => mappings(path, before, after, found),
        (.., Some(old), Some(new)) => lists(path, old, new, found),
        _ if is_same(before, after) => {}
        _ => found.push(change(path.clone(), Some(before), Some(after))),
    }
}

fn mappings(path: &FieldPath, before: &Node, after: &Node, found: &mut Vec<FieldChange>) {
    let find = |node: &Node, key: &Node| {
        let entry = node.entries().iter().find(|entry| entry.key.same_value(key));
        entry.map(|entry| entry.value.clone())
    };
    let step = |key: &Node| path.with(Segment::Key(key.text().unwrap_or_default().to_owned()));
    for entry in before.entries() {
        match find(after, &entry.key) {
            Some(new) => compare(&step(&entry.key), &entry.value, &new, found),
            None => found.push(change(step(&entry.key), Some(&entry.value), None)),
        }
    }
    for entry in after.entries() {
        if find(before, &entry.key).is_none() {
            found.push(change(step(&entry.key), None, Some(&entry.value)));
        }
    }
}

fn lists(path: &FieldPath, old: &[Node], new: &[Node], found: &mut Vec<FieldChange>) {
    let Some((key, old_names, new_names)) = key_of(old, new) else {
        return by_place(path, old, new, found);
    };
    let step = |name: &String| path.with(Segment::Element(key.to_owned(), name.clone()));
    for (name, item) in old_names.iter().zip(old) {
        match new_names.iter().position(|other| other == name) {
            Some(at) => compare(&step(name), item, &new[at], found),
            None => found.push(change(step(name), Some(item), None)),
        }
    }
    for (name, item) in new_names.iter().zip(new) {
        if !old_names.contains(name) {
            found.push(change(step(name), None, Some(item)));
        }
    }
    let stay: Vec<&String> = old_names.iter().filter(|name| new_names.contains(name)).collect();
    let now: Vec<&String> = new_names.iter().filter(|name| old_names.contains(name)).collect();
    if stay != now {
        let names = |names: &[&String]| {
            Node::sequence(names.iter().map(|name| Node::string(name.as_str())).collect())
        };
        found.push(FieldChange {
            path: path.clone(),
            kind: ChangeKind::Reordered,
            before: Some(names(&stay)),
            after: Some(names(&now)),
        });
    }
}

/// The key that tells all elements of both lists apart, with what each has there.
fn key_of(old: &[Node], new: &[Node]) -> Option<(&'static str, Vec<String>, Vec<String>)> {
    if old.is_empty() || new.is_empty() {
        return None;
    }
    KEYS.iter().find_map(|keys| {
        let (first, rest) = keys.split_first()?;
        let name = |item: &Node| {
            let mut name = item.get(first)?.text()?.to_owned();
            for more in rest.iter().filter_map(|key| item.get(key)?.text()) {
                name.push_str(&format!("/{more}"));
            }
            Some(name)
        };
        let names = |items: &[Node]| {
            let names: Option<Vec<String>> = items.iter().map(name).collect();
            let names = names?;
            let twice = (1..names.len()).any(|at| names[..at].contains(&names[at]));
            (!twice).then_some(names)
        };
        Some((*first, names(old)?, names(new)?))
    })
}

/// Elements that nothing tells apart: what is the same stays, and what is between is paired as far as it goes.
fn by_place(path: &FieldPath, old: &[Node], new: &[Node], found: &mut Vec<FieldChange>) {
    let texts = |items: &[Node]| items.iter().map(settled).collect::<Vec<_>>();
    let ops = capture_diff_slices(Algorithm::Myers, &texts(old), &texts(new));
    for op in ops {
        let (old_at, new_at) = (op.old_range(), op.new_range());
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let scalars = |items: &[Node]| items.iter().all(|item| item.as_scalar().is_some());
        let (gone, come) = (&old[old_at.clone()], &new[new_at.clone()]);
        let paired = if scalars(gone) && scalars(come) { 0 } else { gone.len().min(come.len()) };
        for (at, (gone, come)) in gone.iter().zip(come).take(paired).enumerate() {
            compare(&path.with(Segment::Index(new_at.start + at)), gone, come, found);
        }
        let step = |item: &Node, place: usize| match item.text() {
            Some(text) => path.with(Segment::Element(String::new(), text.to_owned())),
            None => path.with(Segment::Index(place)),
        };
        for (at, item) in gone.iter().enumerate().skip(paired) {
            found.push(change(step(item, old_at.start + at), Some(item), None));
        }
        for (at, item) in come.iter().enumerate().skip(paired) {
            found.push(change(step(item, new_at.start + at), None, Some(item)));
        }
    }
}

fn change(path: FieldPath, before: Option<&Node>, after: Option<&Node>) -> FieldChange {
    let kind = match (before, after) {
        (None, _) => ChangeKind::Added,
        (_, None) => ChangeKind::Removed,
        _ => ChangeKind::Changed,
    };
    FieldChange { path, kind, before: before.cloned(), after: after.cloned() }
}

/// True when both hold the same data, in whatever order their keys stand.
fn is_same(before: &Node, after: &Node) -> bool {
    before.same_value(after) || settled(before) == settled(after)
}

/// A text that is the same for the same data.
fn settled(node: &Node) -> String {
    if let Some(items) = node.items() {
        let items: Vec<String> = items.iter().map(settled).collect();
        return format!("[{}]", items.join(","));
    }
    if node.as_mapping().is_some() {
        let entry = |entry: &crate::engine::yaml::Entry| {
            format!("{}:{}", settled(&entry.key), settled(&entry.value))
        };
        let mut entries: Vec<String> = node.entries().iter().map(entry).collect();
        entries.sort();
        return format!("{{{}}}", entries.join(","));
    }
    // The printed form says whether `1` is a number or a text.
    crate::engine::yaml::print_flow(&plain(node))
}

/// The scalar without its layout.
fn plain(node: &Node) -> Node {
    let mut node = node.clone();
    node.comments = None;
    if let Some(scalar) = node.as_scalar_mut() {
        let quoted = scalar.style != crate::engine::yaml::Style::Plain;
        let is_text = scalar.tag == crate::engine::yaml::Tag::Str
            || scalar.tag == crate::engine::yaml::Tag::None && quoted;
        if is_text {
            scalar.set_tag(crate::engine::yaml::Tag::Str);
            scalar.style = crate::engine::yaml::Style::DoubleQuoted;
        }
    }
    node
}
