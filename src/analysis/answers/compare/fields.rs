//! The fields in which two trees differ: mappings by key in any order, lists by the keys of their
//! elements.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::field_path::identifying_key;
use super::{FieldPath, FieldSegment};
use crate::engine::resource::{QuickMap, QuickSet};
use crate::engine::yaml::{MappingEntry, Mark, Node, Style, Tag, print_flow};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Added,
    Removed,
    Changed,
    /// The elements of a list have another order.
    Reordered,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The field; added or removed fields include their contents.
    pub path: FieldPath,
    /// The path with the indices of elements on the first side, independent of other changes on the
    /// second side; for an added element without a name, the path of its list.
    pub first_path: FieldPath,
    pub kind: ChangeKind,
    pub before: Option<Node>,
    pub after: Option<Node>,
    /// The location of the key of an added or removed field, on the side that has the field.
    pub key: Option<Mark>,
}

impl FieldChange {
    pub(super) fn flip(&mut self) {
        std::mem::swap(&mut self.path, &mut self.first_path);
        std::mem::swap(&mut self.before, &mut self.after);
        self.kind = match self.kind {
            ChangeKind::Added => ChangeKind::Removed,
            ChangeKind::Removed => ChangeKind::Added,
            kind => kind,
        };
    }

    /// The difference of a resource that only one side has.
    pub fn of_resource(before: Option<&Node>, after: Option<&Node>) -> Self {
        SidePaths::default().into_change(before, after)
    }

    /// The number of values: an added mapping counts with all its contents.
    pub fn count_values(&self) -> usize {
        if self.kind == ChangeKind::Reordered {
            return 1;
        }
        // An empty collection counts as a value.
        let is_value = |node: &&Node| node.children().next().is_none();
        let count =
            |node: &Option<Node>| node.iter().flat_map(Node::nodes).filter(is_value).count();
        count(&self.before).max(count(&self.after))
    }
}

/// The differences between two trees, in the order of the fields.
pub fn differences(before: &Node, after: &Node) -> Vec<FieldChange> {
    differences_with_renames(before, after, &NewNames::default())
}

/// Like [`differences`]; list elements that are named after a renamed resource are paired although
/// their names differ.
pub(super) fn differences_with_renames(
    before: &Node,
    after: &Node,
    names: &NewNames,
) -> Vec<FieldChange> {
    let mut compared = Comparison { names, found: Vec::new() };
    compared.nodes(&SidePaths::default(), (before, after));
    compared.found
}

#[derive(Clone, Default)]
struct SidePaths {
    path: FieldPath,
    first_path: FieldPath,
}

impl SidePaths {
    fn with(&self, segment: FieldSegment) -> Self {
        Self { path: self.path.with(segment.clone()), first_path: self.first_path.with(segment) }
    }

    fn with_indices(&self, first: usize, second: usize) -> Self {
        Self {
            path: self.path.with(FieldSegment::Index(second)),
            first_path: self.first_path.with(FieldSegment::Index(first)),
        }
    }

    fn into_change(self, before: Option<&Node>, after: Option<&Node>) -> FieldChange {
        let kind = match (before, after) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        };
        let (before, after) = (before.cloned(), after.cloned());
        FieldChange { path: self.path, first_path: self.first_path, kind, before, after, key: None }
    }
}

struct Comparison<'n> {
    names: &'n NewNames,
    found: Vec<FieldChange>,
}

impl Comparison<'_> {
    fn nodes(&mut self, path: &SidePaths, (before, after): (&Node, &Node)) {
        match (before.as_mapping(), after.as_mapping(), before.items(), after.items()) {
            (Some(_), Some(_), ..) => self.mappings(path, (before, after)),
            (.., Some(old), Some(new)) => self.lists(path, (old, new)),
            _ if is_same(before, after) => {}
            _ => self.found.push(path.clone().into_change(Some(before), Some(after))),
        }
    }

    /// Compares the values of equal keys; a key of one side is an added or a removed field.
    fn mappings(&mut self, path: &SidePaths, (before, after): (&Node, &Node)) {
        let step =
            |key: &Node| path.with(FieldSegment::Key(key.text().unwrap_or_default().to_owned()));
        let of_one_side = |entry: &MappingEntry, before: Option<&Node>, after: Option<&Node>| {
            let key = (entry.key.mark != Mark::default()).then_some(entry.key.mark);
            FieldChange { key, ..step(&entry.key).into_change(before, after) }
        };
        for entry in before.entries() {
            match entry_with_key(after, &entry.key) {
                // Most fields are equal: their paths are not built.
                Some(new) if entry.value.same_value(&new.value) => {}
                Some(new) => self.nodes(&step(&entry.key), (&entry.value, &new.value)),
                None => self.found.push(of_one_side(entry, Some(&entry.value), None)),
            }
        }
        for entry in after.entries() {
            if entry_with_key(before, &entry.key).is_none() {
                self.found.push(of_one_side(entry, None, Some(&entry.value)));
            }
        }
    }

    /// Compares elements of equal name if the elements have a name, otherwise by position.
    fn lists(&mut self, path: &SidePaths, (old, new): (&[Node], &[Node])) {
        let Some((key, old_names, new_names)) = identifying_key(old, new) else {
            return self.unkeyed_lists(path, (old, new));
        };
        let element = |name: &String| FieldSegment::Element(key.to_owned(), name.clone());
        let was: QuickSet<&String> = old_names.iter().collect();
        let now: QuickMap<&String, &Node> = new_names.iter().zip(new).collect();
        let known = self.names;
        // A resource of this name was renamed, and the element carries its name.
        let renamed = |name: &String| {
            let new = known.get(name).filter(|_| key == "name" && !now.contains_key(&name));
            new?.as_ref().filter(|new| now.contains_key(new) && !was.contains(new))
        };
        let names: Vec<&String> =
            old_names.iter().map(|name| renamed(name).unwrap_or(name)).collect();
        let kept: QuickSet<&String> = names.iter().copied().collect();
        for ((name, first), item) in names.iter().zip(&old_names).zip(old) {
            let other = now.get(name).copied();
            if other.is_some_and(|other| item.same_value(other)) {
                continue;
            }
            let path = SidePaths {
                path: path.path.with(element(name)),
                first_path: path.first_path.with(element(first)),
            };
            match other {
                Some(other) => self.nodes(&path, (item, other)),
                None => self.found.push(path.into_change(Some(item), None)),
            }
        }
        for (name, item) in new_names.iter().zip(new).filter(|(name, _)| !kept.contains(name)) {
            self.found.push(path.with(element(name)).into_change(None, Some(item)));
        }
        let stay: Vec<&String> = names.into_iter().filter(|name| now.contains_key(name)).collect();
        let stand: Vec<&String> = new_names.iter().filter(|name| kept.contains(name)).collect();
        if stay != stand {
            let names = |names: &[&String]| {
                Node::sequence(names.iter().map(|name| Node::string(name.as_str())).collect())
            };
            let change = path.clone().into_change(Some(&names(&stay)), Some(&names(&stand)));
            self.found.push(FieldChange { kind: ChangeKind::Reordered, ..change });
        }
    }

    /// Compares lists without identifying keys: equal elements are kept, and the elements between them
    /// are paired by similarity.
    fn unkeyed_lists(&mut self, path: &SidePaths, (old, new): (&[Node], &[Node])) {
        let texts = |items: &[Node]| items.iter().map(canonical_text).collect::<Vec<_>>();
        let ops = capture_diff_slices(Algorithm::Myers, &texts(old), &texts(new));
        for op in ops {
            let (old_at, new_at) = (op.old_range(), op.new_range());
            if matches!(op, DiffOp::Equal { .. }) {
                continue;
            }
            let scalars = |items: &[Node]| items.iter().all(|item| item.as_scalar().is_some());
            let (gone, come) = (&old[old_at.clone()], &new[new_at.clone()]);
            let pairs = if scalars(gone) && scalars(come) {
                Vec::new()
            } else {
                pair_by_similarity(gone, come)
            };
            let (mut paired, mut with) = (vec![false; gone.len()], vec![false; come.len()]);
            for (one, other) in pairs {
                let place = path.with_indices(old_at.start + one, new_at.start + other);
                self.nodes(&place, (&gone[one], &come[other]));
                (paired[one], with[other]) = (true, true);
            }
            let alone = |item: &Node, other: SidePaths| match item.text() {
                Some(text) => path.with(FieldSegment::Element(String::new(), text.to_owned())),
                None => other,
            };
            for (at, item) in gone.iter().enumerate().filter(|(at, _)| !paired[*at]) {
                let place = path.with_indices(old_at.start + at, old_at.start + at);
                self.found.push(alone(item, place).into_change(Some(item), None));
            }
            for (at, item) in come.iter().enumerate().filter(|(at, _)| !with[*at]) {
                let added = path.path.with(FieldSegment::Index(new_at.start + at));
                let place = SidePaths { first_path: path.first_path.clone(), path: added };
                self.found.push(alone(item, place).into_change(None, Some(item)));
            }
        }
    }
}

/// The first entry of a mapping with a key that is equal to `key` as data.
fn entry_with_key<'n>(node: &'n Node, key: &Node) -> Option<&'n MappingEntry> {
    let mapping = node.as_mapping()?;
    let among = match key.text() {
        Some(text) => mapping.entries.get(mapping.place(text)?..=mapping.last_place(text)?)?,
        None => &mapping.entries,
    };
    among.iter().find(|entry| entry.key.same_value(key))
}

/// The new names of renamed resources, by their old names; `None` for ambiguous names.
pub(super) type NewNames = QuickMap<String, Option<String>>;

/// True if both nodes contain the same data, with keys in any order.
pub(super) fn is_same(before: &Node, after: &Node) -> bool {
    before.same_value(after) || canonical_text(before) == canonical_text(after)
}

/// The data of a node as one line of text. Equal data, with keys in any order, has equal text.
pub(super) fn canonical_text(node: &Node) -> String {
    if let Some(items) = node.items() {
        let items: Vec<String> = items.iter().map(canonical_text).collect();
        return format!("[{}]", items.join(","));
    }
    if node.as_mapping().is_some() {
        let entry = |entry: &MappingEntry| {
            format!("{}:{}", canonical_text(&entry.key), canonical_text(&entry.value))
        };
        let mut entries: Vec<String> = node.entries().iter().map(entry).collect();
        entries.sort_unstable();
        return format!("{{{}}}", entries.join(","));
    }
    // The printed form distinguishes the number `1` from the text `"1"`.
    print_flow(&scalar_without_layout(node))
}

/// A copy of a scalar without comments. A text is always quoted, so that its quotes in the file
/// make no difference.
fn scalar_without_layout(node: &Node) -> Node {
    let mut node = node.clone();
    node.comments = None;
    if let Some(scalar) = node.as_scalar_mut() {
        let quoted = scalar.style != Style::Plain;
        let is_text = scalar.tag == Tag::Str || scalar.tag == Tag::None && quoted;
        if is_text {
            scalar.set_tag(Tag::Str);
            scalar.style = Style::DoubleQuoted;
        }
    }
    node
}

/// The limit on compared pairs of elements; elements of longer lists are paired by index.
const MAX_PAIRS_COMPARED: usize = 10_000;
/// The weight of a value that only one element has.
const VALUE_WEIGHT: usize = 10_000;

/// Pairs of indices into both lists, in the order of both lists. Elements between two pairs that
/// have no value in common with another element are paired by their order.
pub(super) fn pair_by_similarity(old: &[Node], new: &[Node]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > MAX_PAIRS_COMPARED {
        return (0..old.len().min(new.len())).map(|at| (at, at)).collect();
    }
    let values = |items: &[Node]| items.iter().map(values_of).collect::<Vec<_>>();
    let (before, after) = (values(old), values(new));
    let mut elements: QuickMap<&str, usize> = QuickMap::default();
    for value in before.iter().chain(&after).flatten() {
        *elements.entry(value).or_default() += 1;
    }
    let weight = |value: &String| VALUE_WEIGHT / elements.get(value.as_str()).copied().unwrap_or(1);
    let score = |one: &QuickSet<String>, other: &QuickSet<String>| -> usize {
        one.iter().filter(|value| other.contains(*value)).map(weight).sum()
    };
    let scores: Vec<Vec<usize>> =
        before.iter().map(|one| after.iter().map(|other| score(one, other)).collect()).collect();
    let score = |at: usize, by: usize| Some(scores[at][by]).filter(|score| *score > 0);
    let mut pairs = Vec::new();
    let mut ends = (0, 0);
    for (at, by) in best_pairs([old.len(), new.len()], score) {
        pairs.extend((ends.0..at).zip(ends.1..by));
        pairs.push((at, by));
        ends = (at + 1, by + 1);
    }
    pairs.extend((ends.0..old.len()).zip(ends.1..new.len()));
    pairs
}

/// The pairs of indices into two lists, in the order of both, with the highest sum of scores.
/// Elements without a score are no pair.
pub(super) fn best_pairs(
    [olds, news]: [usize; 2],
    score: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<(usize, usize)> {
    // `best[at][by]`: the highest sum for the elements from `at` and from `by` on.
    let mut best = vec![vec![0; news + 1]; olds + 1];
    for at in (0..olds).rev() {
        for by in (0..news).rev() {
            let paired = score(at, by).map_or(0, |score| score + best[at + 1][by + 1]);
            best[at][by] = paired.max(best[at + 1][by]).max(best[at][by + 1]);
        }
    }
    let mut pairs = Vec::new();
    let (mut at, mut by) = (0, 0);
    while at < olds && by < news {
        if score(at, by).is_some_and(|score| score + best[at + 1][by + 1] == best[at][by]) {
            pairs.push((at, by));
            (at, by) = (at + 1, by + 1);
        } else if best[at + 1][by] == best[at][by] {
            at += 1;
        } else {
            by += 1;
        }
    }
    pairs
}

fn values_of(node: &Node) -> QuickSet<String> {
    let mut values = QuickSet::default();
    add_values(node, "", &mut values);
    values
}

fn add_values(node: &Node, path: &str, values: &mut QuickSet<String>) {
    if node.as_mapping().is_some() {
        for entry in node.entries() {
            let key = entry.key.text().unwrap_or_default();
            add_values(&entry.value, &format!("{path}.{key}"), values);
        }
    } else if let Some(items) = node.items() {
        values.extend(items.iter().map(|item| format!("{path}[]{}", canonical_text(item))));
    } else {
        values.insert(format!("{path}={}", canonical_text(node)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::yaml::parse_nodes;

    fn signed_paths(before: &str, after: &str) -> Vec<String> {
        let read = |text: &str| {
            let parsed = parse_nodes(text.as_bytes());
            parsed.unwrap()[0].clone()
        };
        let sign = |change: FieldChange| {
            let sign = match change.kind {
                ChangeKind::Added => "+",
                ChangeKind::Removed => "-",
                ChangeKind::Changed => "~",
                ChangeKind::Reordered => "#",
            };
            format!("{sign}{}", change.path)
        };
        differences(&read(before), &read(after)).into_iter().map(sign).collect()
    }

    #[test]
    fn the_order_of_keys_and_the_layout_are_no_difference() {
        let none: [&str; 0] = [];
        assert_eq!(
            signed_paths("a: 1\nb: {c: 2, d: [x, y]}\n", "b:\n  d: ['x', \"y\"]\n  c: 2\na: 1\n"),
            none
        );
        assert_eq!(signed_paths("a: '1'\n", "a: 1\n"), ["~a"]);
        assert_eq!(signed_paths("a: 'true'\n", "a: true\n"), ["~a"]);
        assert_eq!(signed_paths("l: [{a: 1, b: 2}]\n", "l: [{b: 2, a: 1}]\n"), none);
    }

    #[test]
    fn elements_are_matched_by_key_then_similarity() {
        let list = "l: [{name: a, v: 1}, {name: b, v: 2}]\n";
        assert_eq!(
            signed_paths(list, "l: [{name: c, v: 3}, {name: a, v: 1}, {name: b, v: 4}]\n"),
            ["~l[b].v", "+l[c]"]
        );
        assert_eq!(signed_paths(list, "l: [{name: b, v: 2}, {name: a, v: 1}]\n"), ["#l"]);
        let ports = "p: [{port: 1, protocol: TCP}, {port: 1, protocol: UDP, x: 1}]\n";
        assert_eq!(signed_paths(ports, &ports.replace("x: 1", "x: 2")), ["~p[port=\"1/UDP\"].x"]);
        assert_eq!(signed_paths("l: [a, b, c]\n", "l: [a, c, d]\n"), ["-l[\"b\"]", "+l[\"d\"]"]);
        assert_eq!(signed_paths("l: [{x: 1}, {x: 2}]\n", "l: [{x: 1}, {x: 3}]\n"), ["~l[1].x"]);
        assert_eq!(signed_paths("a.b/c: 1\n", "a.b/c: 2\n"), ["~[\"a.b/c\"]"]);
        let rules = "r: [{text: one, rule: a}, {text: two, rule: b}]\n";
        assert_eq!(signed_paths(rules, "r: [{text: two, rule: c}]\n"), ["~r[0].rule", "-r[0]"]);
        assert_eq!(
            signed_paths(
                rules,
                "r: [{text: 0, rule: 0}, {text: one, rule: c}, {text: two, rule: d}]\n"
            ),
            ["~r[1].rule", "~r[2].rule", "+r[0]"]
        );
    }
}
