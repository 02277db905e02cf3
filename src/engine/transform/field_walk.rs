//! The walker that most transformers share: from a field spec to the nodes it reaches (section 4.1 of the build
//! reference).

use std::rc::Rc;

use indexmap::IndexMap;

use crate::engine::manifest::FieldSpec;
use crate::engine::resource::{Gvk, ResId, ResMap, Resource};
use crate::engine::yaml::{
    Entry, Mapping, Mark, Node, NodeKind, Scalar, ScalarType, Style, Tag, Value, print_v3,
    resolve_v3, v1_1_is_string,
};

use super::{Context, TransformError};

/// A field spec with its path taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPath {
    spec: FieldSpec,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Segment {
    key: String,
    /// Written with `[]`: a sequence is expected, and never created.
    sequence: bool,
}

/// What is wrong below a field, before the walker says which field and which resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) phrase: String,
    pub(super) mark: Mark,
}

/// What a walk comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// No such field, or nothing that the setter is for.
    No,
    /// The field is there and holds what would be written.
    Same,
    /// Something is to be written, or goes wrong.
    Write,
}

/// What is made where the last segment of a path is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Nothing,
    Scalar(Tag),
    Mapping,
}

/// Writes to the nodes that a walk reaches.
pub(super) trait Setter {
    /// The mark of nodes that the walker makes on the way.
    fn mark(&self) -> Mark;
    /// What to make where a field is missing.
    fn leaf(&self) -> Leaf {
        Leaf::Nothing
    }
    /// What [`Setter::set`] would do; asked before anything is copied.
    fn reach(&self, node: &Node) -> Reach;
    /// Writes.
    fn set(&mut self, node: &mut Node) -> Result<(), Fault>;
}

impl Fault {
    /// Kustomize's words for a node of the wrong kind.
    pub(super) fn wrong_kind(expected: NodeKind, node: &Node) -> Self {
        let phrase = format!(
            "wrong node kind: expected {} but got {}: node contents:\n{}",
            expected.go_name(),
            node.kind().go_name(),
            print_v3(node).trim_end()
        );
        Self { phrase, mark: node.mark }
    }

    pub(super) fn into_error(self) -> TransformError {
        TransformError::phrase(self.phrase, self.mark)
    }

    pub(super) fn within(mut self, context: &str) -> Self {
        self.phrase = format!("{context}: {}", self.phrase);
        self
    }
}

impl FieldPath {
    /// Takes the path apart: at `/`, with `\/` for a slash in a key; one leading `/` is ignored.
    pub fn new(spec: FieldSpec) -> Self {
        let segments = split_path(&spec.path)
            .into_iter()
            .map(|text| match text.strip_suffix("[]") {
                Some(key) => Segment { key: key.to_owned(), sequence: true },
                None => Segment { key: text, sequence: false },
            })
            .collect();
        Self { spec, segments }
    }

    /// The spec it was made from.
    pub fn spec(&self) -> &FieldSpec {
        &self.spec
    }

    /// Walks without writing.
    pub(super) fn reach(&self, node: &Node, setter: &impl Setter) -> Reach {
        let create = self.spec.create && setter.leaf() != Leaf::Nothing;
        reach(node, &self.segments, create, setter)
    }

    /// Walks and writes; a tree that the walk leaves alone is not copied.
    pub(super) fn apply(&self, node: &mut Node, setter: &mut impl Setter) -> Result<Reach, Fault> {
        let found = self.reach(node, setter);
        if found == Reach::Write {
            let create = self.spec.create && setter.leaf() != Leaf::Nothing;
            walk(node, &self.segments, create, setter)?;
        }
        Ok(found)
    }

    /// As [`FieldPath::apply`], with the field and the resource in the error.
    pub(super) fn apply_to(
        &self,
        node: &mut Node,
        id: &ResId,
        setter: &mut impl Setter,
    ) -> Result<Reach, TransformError> {
        self.apply(node, setter).map_err(|fault| {
            fault
                .within(&format!("considering field '{}' of object {id}", self.spec.path))
                .into_error()
        })
    }
}

/// Cuts a path at `/`, keeping `\/` as a slash inside a segment.
pub(super) fn split_path(path: &str) -> Vec<String> {
    let mut segments = vec![String::new()];
    let mut rest = path.strip_prefix('/').unwrap_or(path).chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '/' => segments.push(String::new()),
            '\\' if rest.peek() == Some(&'/') => {
                rest.next();
                if let Some(last) = segments.last_mut() {
                    last.push('/');
                }
            }
            _ => {
                if let Some(last) = segments.last_mut() {
                    last.push(character);
                }
            }
        }
    }
    segments
}

fn reach(node: &Node, path: &[Segment], create: bool, setter: &impl Setter) -> Reach {
    let Some((segment, rest)) = path.split_first() else { return setter.reach(node) };
    if node.is_null() {
        return Reach::No;
    }
    match &node.value {
        Value::Scalar(_) => Reach::Write,
        Value::Sequence(items, _) => {
            items.iter().map(|item| reach(item, path, create, setter)).max().unwrap_or(Reach::No)
        }
        Value::Mapping(_) if segment.key.is_empty() => Reach::Write,
        Value::Mapping(mapping) => match mapping.get(&segment.key) {
            None if create && !segment.sequence => Reach::Write,
            None => Reach::No,
            Some(value) if is_tagged_null(value) && (create || segment.sequence) => Reach::Write,
            Some(value) => reach(value, rest, create, setter),
        },
    }
}

fn walk(
    node: &mut Node,
    path: &[Segment],
    create: bool,
    setter: &mut impl Setter,
) -> Result<(), Fault> {
    let Some((segment, rest)) = path.split_first() else { return setter.set(node) };
    if node.is_null() {
        return Ok(());
    }
    match node.kind() {
        NodeKind::Scalar => {
            let phrase = "expected sequence or mapping node".to_owned();
            Err(Fault { phrase, mark: node.mark })
        }
        NodeKind::Sequence => {
            for item in node.items_mut().into_iter().flatten() {
                if reach(item, path, create, setter) == Reach::Write {
                    walk(item, path, create, setter).map_err(|fault| {
                        fault.within(&format!("visit traversal on path: {}", shown(path)))
                    })?;
                }
            }
            Ok(())
        }
        NodeKind::Mapping if segment.key.is_empty() => {
            let phrase = "cannot set or create an empty field name".to_owned();
            Err(Fault { phrase, mark: node.mark })
        }
        NodeKind::Mapping => {
            let made = made_for(segment, rest, create, setter);
            let mark = setter.mark();
            let Some(mapping) = node.as_mapping_mut() else { return Ok(()) };
            if mapping.get(&segment.key).is_none() {
                let Some(made) = made.clone().filter(|_| !segment.sequence) else { return Ok(()) };
                mapping.set(&segment.key, made.marked(mark));
            }
            let Some(value) = mapping.get_mut(&segment.key) else { return Ok(()) };
            if let Some(made) = made.filter(|_| is_tagged_null(value)) {
                become_kind(value, made, mark);
            }
            walk(value, rest, create, setter)
        }
    }
}

/// What stands in for a missing or null field: nothing where it must not be made.
fn made_for(
    segment: &Segment,
    rest: &[Segment],
    create: bool,
    setter: &impl Setter,
) -> Option<Node> {
    if segment.sequence {
        return Some(Node::sequence(Vec::new()));
    }
    match setter.leaf() {
        _ if !create => None,
        _ if !rest.is_empty() => Some(Node::mapping()),
        Leaf::Nothing => None,
        Leaf::Mapping => Some(Node::mapping()),
        Leaf::Scalar(_) => Some(Node::plain("")),
    }
}

/// Turns a null into what the walk needs; a scalar keeps the text that its null was written with.
fn become_kind(value: &mut Node, made: Node, mark: Mark) {
    match (&mut value.value, made.value) {
        (Value::Scalar(scalar), Value::Scalar(_)) => scalar.tag = Tag::Str,
        (_, made) => {
            value.value = made;
            value.mark = mark;
        }
    }
}

fn is_tagged_null(node: &Node) -> bool {
    node.as_scalar().is_some_and(|scalar| scalar.tag == Tag::Null)
}

/// The path as Go prints a list of strings.
fn shown(path: &[Segment]) -> String {
    let texts: Vec<String> = path
        .iter()
        .map(|segment| format!("{}{}", segment.key, if segment.sequence { "[]" } else { "" }))
        .collect();
    format!("[{}]", texts.join(" "))
}

/// Whether writing this text and tag over a scalar would change what is printed.
pub(super) fn scalar_reach(scalar: &Scalar, text: &str, tag: &Tag) -> Reach {
    let same = *scalar.text == *text
        && (scalar.tag == *tag
            || *tag == Tag::None
                && scalar.tag == Tag::Str
                && (scalar.style != Style::Plain || resolve_v3(text) == ScalarType::Str));
    if same { Reach::Same } else { Reach::Write }
}

/// Writes text and tag over a scalar, which keeps its style.
pub(super) fn set_scalar(node: &mut Node, text: &str, tag: Tag, mark: Mark) -> Result<(), Fault> {
    let Some(scalar) = node.as_scalar_mut() else {
        return Err(Fault::wrong_kind(NodeKind::Scalar, node));
    };
    if scalar_reach(scalar, text, &tag) == Reach::Write {
        scalar.text = text.into();
        scalar.tag = tag;
        scalar.tagged = false;
        node.mark = mark;
    }
    Ok(())
}

/// Whether writing an entry of a mapping would change it.
pub(super) fn entry_reach(node: &Node, key: &str, text: &str, tag: &Tag) -> Reach {
    if node.is_null() {
        // Kustomize: the entry is appended to a null node, which still prints as null.
        return Reach::Same;
    }
    match node.get(key) {
        Some(Node { value: Value::Scalar(scalar), .. }) => scalar_reach(scalar, text, tag),
        _ => Reach::Write,
    }
}

/// Writes an entry of a mapping: an existing scalar keeps its style; a new string that YAML 1.1 would read as
/// something else is double-quoted.
pub(super) fn set_entry(
    node: &mut Node,
    key: &str,
    text: &str,
    tag: Tag,
    mark: Mark,
) -> Result<(), Fault> {
    if node.is_null() {
        return Ok(());
    }
    if node.as_mapping().is_none() {
        return Err(Fault::wrong_kind(NodeKind::Mapping, node));
    }
    match node.get(key) {
        Some(Node { value: Value::Scalar(scalar), .. })
            if scalar_reach(scalar, text, &tag) == Reach::Same =>
        {
            Ok(())
        }
        Some(Node { value: Value::Scalar(_), .. }) => match node.get_mut(key) {
            Some(value) => set_scalar(value, text, tag, mark),
            None => Ok(()),
        },
        _ => {
            let value = new_scalar(text, tag).marked(mark);
            if let Some(mapping) = node.as_mapping_mut() {
                mapping.set(key, value);
            }
            Ok(())
        }
    }
}

/// A scalar for a new field: a string that YAML 1.1 would misread is double-quoted.
pub(super) fn new_scalar(text: &str, tag: Tag) -> Node {
    let misread = matches!(tag, Tag::Str | Tag::None) && !v1_1_is_string(text);
    Node::scalar(text, tag, if misread { Style::DoubleQuoted } else { Style::Plain })
}

/// An empty mapping under a key of a mapping, made where it is missing or null.
pub(super) fn mapping_at<'a>(node: &'a mut Node, key: &str, mark: Mark) -> Option<&'a mut Node> {
    let missing = node.get(key).is_none_or(Node::is_null);
    let mapping = node.as_mapping_mut()?;
    if missing {
        let made = Node { mark, ..Value::Mapping(std::sync::Arc::new(Mapping::default())).into() };
        match mapping.get_mut(key) {
            Some(slot) => *slot = made,
            None => mapping.entries.push(Entry { key: Node::plain(key).marked(mark), value: made }),
        }
    }
    mapping.get_mut(key)
}

/// Field paths, chosen by type once per type and not once per resource.
#[derive(Debug)]
pub(super) struct Selected<'a> {
    paths: &'a [FieldPath],
    by_gvk: IndexMap<Gvk, Rc<[&'a FieldPath]>>,
}

impl<'a> Selected<'a> {
    pub(super) fn new(paths: &'a [FieldPath]) -> Self {
        Self { paths, by_gvk: IndexMap::new() }
    }

    /// The paths for a type, in their order.
    pub(super) fn of(&mut self, gvk: &Gvk) -> Rc<[&'a FieldPath]> {
        if let Some(known) = self.by_gvk.get(gvk) {
            return known.clone();
        }
        let chosen: Rc<[&FieldPath]> =
            self.paths.iter().filter(|path| gvk.is_selected_by(&path.spec.gvk)).collect();
        self.by_gvk.insert(gvk.clone(), chosen.clone());
        chosen
    }
}

/// Takes all specs apart.
pub(super) fn compile(specs: Vec<FieldSpec>) -> Vec<FieldPath> {
    specs.into_iter().map(FieldPath::new).collect()
}

/// Lets a setter write to all fields of all resources that it is for; counts those in `cx.matched`.
pub(super) fn write_fields(
    paths: &[FieldPath],
    resources: &mut ResMap,
    cx: &mut Context<'_>,
    setter: &mut impl Setter,
    is_for: impl Fn(&Resource) -> bool,
) -> Result<(), TransformError> {
    let mut selected = Selected::new(paths);
    for slot in resources.slots() {
        let Some(resource) = resources.get(slot) else { continue };
        if !is_for(resource) {
            continue;
        }
        let chosen = selected.of(&resource.id.gvk);
        let found = chosen.iter().map(|path| path.reach(&resource.node, setter)).max();
        match found {
            None | Some(Reach::No) => continue,
            Some(Reach::Same) => {}
            Some(Reach::Write) => {
                let id = resource.id.clone();
                let written = resources.update(slot, |resource| {
                    chosen.iter().try_for_each(|path| {
                        path.apply_to(&mut resource.node, &id, setter).map(drop)
                    })
                });
                written.unwrap_or(Ok(()))?;
            }
        }
        cx.matched += 1;
    }
    Ok(())
}
