//! The walker that most transformers share: finds and writes the fields of a field spec (section
//! 4.1 of the build reference).

mod all_resources;
mod child_path;
mod mark_unchanged;
mod places;

use std::sync::{Arc, OnceLock};

use crate::diagnostic::{FailedOperation, FieldFault};
use crate::manifest::FieldSpec;
use crate::resource::{ResId, Resource};
use crate::yaml::{Excess, Limits, Mapping, MappingEntry, Mark, Node, NodeKind, Style, Tag, Value};

use super::set_field::{FieldError, WalkResult};

use super::TransformError;
pub(super) use all_resources::{PathsByType, write_fields, write_resource_fields};
pub(super) use child_path::{ChildPath, at_child_path, at_child_path_mut};
pub(super) use mark_unchanged::mark_each_unchanged_as_written;
pub(super) use places::BorrowedStep;

/// A field spec whose path is parsed at its first use: most default specs are for types that the
/// build does not have.
#[derive(Clone, Debug)]
pub struct FieldSpecPath {
    spec: FieldSpec,
    segments: OnceLock<Vec<SpecSegment>>,
}

impl PartialEq for FieldSpecPath {
    fn eq(&self, other: &Self) -> bool {
        self.spec == other.spec
    }
}

impl Eq for FieldSpecPath {}

/// One segment of the path of a field spec.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SpecSegment {
    /// The key without surrounding blanks, which Kustomize ignores.
    key: Arc<str>,
    /// True for a segment with `[]`, which requires a list; a missing one is never created.
    sequence: bool,
    meaning: SegmentMeaning,
}

/// The meaning of a segment for a mapping. In a sequence each segment visits all elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum SegmentMeaning {
    Field,
    Empty,
    /// Only blanks; refers to the mapping itself.
    Blank,
    /// `5`, `-`, `[name=x]`: an element of a list; invalid in a mapping.
    Element,
    /// `[name]`: a condition without a value.
    ConditionWithoutValue,
    /// `*`
    Wildcard,
}

impl SpecSegment {
    fn new(text: &str) -> Self {
        let (text, sequence) = match text.strip_suffix("[]") {
            Some(key) => (key, true),
            None => (text, false),
        };
        let key = text.trim();
        let condition = key.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
        let meaning = match (key, condition) {
            ("", _) if text.is_empty() => SegmentMeaning::Empty,
            ("", _) => SegmentMeaning::Blank,
            ("*", _) => SegmentMeaning::Wildcard,
            ("-", _) => SegmentMeaning::Element,
            (_, Some(condition)) if condition.contains('=') => SegmentMeaning::Element,
            (_, Some(_)) => SegmentMeaning::ConditionWithoutValue,
            _ if key.parse::<i64>().is_ok() => SegmentMeaning::Element,
            _ => SegmentMeaning::Field,
        };
        Self { key: key.into(), sequence, meaning }
    }

    /// The error if a segment is invalid in a mapping.
    fn refusal(&self, mapping: &Node) -> Option<FieldError> {
        let error = |fault: FieldFault| FieldError::new(fault, mapping.mark);
        let refused = match self.meaning {
            SegmentMeaning::Field | SegmentMeaning::Blank => return None,
            SegmentMeaning::Empty => return Some(error(FieldFault::EmptyName)),
            SegmentMeaning::Element => FieldError::wrong_kind(NodeKind::Sequence, mapping),
            SegmentMeaning::ConditionWithoutValue => error(FieldFault::NoCondition),
            SegmentMeaning::Wildcard => error(FieldFault::Wildcard),
        };
        Some(refused.within(FailedOperation::Segment(self.key.to_string())))
    }
}

/// The node that is created if the last segment of a path is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Nothing,
    Scalar(Tag),
    Mapping,
}

/// Writes the values at the fields that a walk finds.
pub(super) trait Setter {
    /// The mark of nodes that the walker creates on the path.
    fn mark(&self) -> Mark;
    /// The node to create if a field is missing.
    fn leaf(&self) -> Leaf {
        Leaf::Nothing
    }
    /// The effect that [`Setter::set`] would have; queried before anything is copied.
    fn reach(&self, node: &Node) -> WalkResult;
    /// The nodes that [`Setter::set`] would overwrite with the same text.
    fn equal<'n>(&self, _node: &'n Node) -> Vec<&'n Node> {
        Vec::new()
    }
    /// Writes the value.
    fn set(&mut self, node: &mut Node) -> Result<(), FieldError>;
    /// A copy of the node in which the values that [`Setter::set`] would not change are marked as
    /// written by this step; `None` if the node has no such value, or if it is already marked.
    fn mark_unchanged_as_written(&self, _node: &Node) -> Option<Node> {
        None
    }
    /// True if the new value contains the old one (as for a name prefix), so that writing twice
    /// differs from writing once.
    fn appends_to_current(&self) -> bool {
        false
    }
    /// Called after all paths of a resource were written.
    fn finish(&mut self, _resource: &mut Resource, _chosen: &[&FieldSpecPath]) {}
}

impl FieldSpecPath {
    /// Creates the path of a field spec. At its first use it is split at `/`, with `\/` for a slash
    /// in a key; one leading `/` is ignored.
    pub fn new(spec: FieldSpec) -> Self {
        Self { spec, segments: OnceLock::new() }
    }

    /// The segments of the path, parsed at the first use.
    fn segments(&self) -> &[SpecSegment] {
        let take_apart =
            || split_path(&self.spec.path).iter().map(|text| SpecSegment::new(text)).collect();
        self.segments.get_or_init(take_apart)
    }

    /// The spec of the path.
    pub fn spec(&self) -> &FieldSpec {
        &self.spec
    }

    /// The values of the fields of the path, in order.
    pub(super) fn values<'n>(&self, node: &'n Node) -> Vec<&'n Node> {
        let mut found = Vec::new();
        collect_values(node, self.segments(), &mut found);
        found
    }

    /// The effect of the setter on the fields of the path; no field is written.
    pub(super) fn reach(&self, node: &Node, setter: &impl Setter) -> WalkResult {
        let create = self.spec.create && setter.leaf() != Leaf::Nothing;
        reach(node, self.segments(), create, setter)
    }

    /// Writes to the fields of the path; an unchanged tree is not copied.
    pub(super) fn apply(
        &self,
        node: &mut Node,
        setter: &mut impl Setter,
    ) -> Result<WalkResult, FieldError> {
        let found = self.reach(node, setter);
        if found == WalkResult::Write {
            self.write(node, None, setter)?;
        }
        Ok(found)
    }

    /// Writes to the fields of the path; `elements` restricts it to one index for each list on the
    /// path.
    fn write(
        &self,
        node: &mut Node,
        elements: Option<&[usize]>,
        setter: &mut impl Setter,
    ) -> Result<(), FieldError> {
        let create = self.spec.create && setter.leaf() != Leaf::Nothing;
        let deepest = Limits::default().depth;
        if create && self.segments().len() > deepest {
            return Err(FieldError::new(Excess::Depth(deepest), node.mark));
        }
        walk(node, self.segments(), create, elements, setter)
    }

    /// The tree with its unchanged values attributed to this step.
    pub(super) fn attribute_unchanged(&self, node: &Node, setter: &impl Setter) -> Option<Node> {
        mark_unchanged::mark_unchanged_as_written(node, self.segments(), setter)
    }

    /// Same as [`FieldSpecPath::apply`], for a resource with shared nodes; errors contain the id.
    pub(super) fn apply_to(
        &self,
        resource: &mut Resource,
        id: &ResId,
        setter: &mut impl Setter,
    ) -> Result<WalkResult, TransformError> {
        if setter.appends_to_current() && !resource.shared.is_empty() {
            let written = self.apply_one_by_one(resource, setter);
            written.map_err(|error| self.error_for(error, id))
        } else {
            self.apply_for(&mut resource.node, id, setter)
        }
    }

    /// Same as [`FieldSpecPath::apply`]; errors contain the field and the id.
    pub(super) fn apply_for(
        &self,
        node: &mut Node,
        id: &ResId,
        setter: &mut impl Setter,
    ) -> Result<WalkResult, TransformError> {
        self.apply(node, setter).map_err(|error| self.error_for(error, id))
    }

    /// Adds the field and the id to an error.
    fn error_for(&self, error: FieldError, id: &ResId) -> TransformError {
        error.within(FailedOperation::Field(self.spec.path.clone(), id.to_string())).into_error()
    }
}

/// Collects the values at a path; a segment visits all elements of a list.
fn collect_values<'n>(node: &'n Node, path: &[SpecSegment], found: &mut Vec<&'n Node>) {
    let Some((segment, rest)) = path.split_first() else { return found.push(node) };
    match &node.value {
        Value::Scalar(_) => {}
        Value::Sequence(items, _) => items.iter().for_each(|it| collect_values(it, path, found)),
        Value::Mapping(_) if segment.meaning == SegmentMeaning::Blank => {
            collect_values(node, rest, found);
        }
        Value::Mapping(mapping) => {
            let value = mapping.get(&segment.key);
            if let Some(value) = value.filter(|_| segment.meaning == SegmentMeaning::Field) {
                collect_values(value, rest, found);
            }
        }
    }
}

fn reach(node: &Node, path: &[SpecSegment], create: bool, setter: &impl Setter) -> WalkResult {
    let Some((segment, rest)) = path.split_first() else { return setter.reach(node) };
    if node.is_null() {
        return WalkResult::No;
    }
    match &node.value {
        Value::Scalar(_) => WalkResult::Write,
        Value::Sequence(items, _) => items
            .iter()
            .map(|item| reach(item, path, create, setter))
            .max()
            .unwrap_or(WalkResult::No),
        Value::Mapping(_) if segment.meaning == SegmentMeaning::Blank => {
            reach(node, rest, create, setter)
        }
        Value::Mapping(_) if segment.meaning != SegmentMeaning::Field => WalkResult::Write,
        Value::Mapping(mapping) => match mapping.get(&segment.key) {
            None if create && !segment.sequence => WalkResult::Write,
            None => WalkResult::No,
            Some(value) if is_tagged_null(value) && (create || segment.sequence) => {
                WalkResult::Write
            }
            Some(value) => reach(value, rest, create, setter),
        },
    }
}

fn walk(
    node: &mut Node,
    path: &[SpecSegment],
    create: bool,
    elements: Option<&[usize]>,
    setter: &mut impl Setter,
) -> Result<(), FieldError> {
    let Some((segment, rest)) = path.split_first() else { return setter.set(node) };
    if node.is_null() {
        return Ok(());
    }
    match node.kind() {
        NodeKind::Scalar => Err(FieldError::new(FieldFault::BelowAScalar, node.mark)),
        NodeKind::Sequence => {
            let only = elements.and_then(<[usize]>::split_first);
            for (index, item) in node.items_mut().into_iter().flatten().enumerate() {
                let is_asked = only.is_none_or(|(only, _)| *only == index);
                if is_asked && reach(item, path, create, setter) == WalkResult::Write {
                    walk(item, path, create, only.map(|(_, below)| below), setter)
                        .map_err(|error| error.within(FailedOperation::Elements(shown(path))))?;
                }
            }
            Ok(())
        }
        NodeKind::Mapping if segment.meaning == SegmentMeaning::Blank => {
            walk(node, rest, create, elements, setter)
        }
        NodeKind::Mapping => {
            if let Some(fault) = segment.refusal(node) {
                return Err(fault);
            }
            let Some(mapping) = node.as_mapping_mut() else { return Ok(()) };
            if !mapping.contains(&segment.key) {
                let made = new_node(segment, rest, create, setter);
                let Some(made) = made.filter(|_| !segment.sequence) else { return Ok(()) };
                let mark = setter.mark();
                let key = Node::plain(segment.key.clone()).marked(mark);
                mapping.push(MappingEntry { key, value: made.marked(mark) });
            }
            let Some(value) = mapping.get_mut(&segment.key) else { return Ok(()) };
            if is_tagged_null(value)
                && let Some(made) = new_node(segment, rest, create, setter)
            {
                replace_null(value, made, setter.mark());
            }
            walk(value, rest, create, elements, setter)
        }
    }
}

/// The new node for a missing or null field; `None` if the field must not be created.
fn new_node(
    segment: &SpecSegment,
    rest: &[SpecSegment],
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
        Leaf::Scalar(tag) => Some(Node::scalar("", tag, Style::Plain)),
    }
}

/// Turns a null into the required kind of node. A scalar keeps the text with which the null was
/// written; in a mapping, entries that the null has hidden become visible again.
fn replace_null(value: &mut Node, made: Node, mark: Mark) {
    let entries = value.hidden_entries().to_vec();
    match (&mut value.value, made.value) {
        (Value::Scalar(scalar), Value::Scalar(made)) => scalar.set_tag(made.tag),
        (_, Value::Mapping(made)) => {
            value.value = Value::Mapping(Arc::new(Mapping { entries: entries.into(), ..*made }));
            value.mark = mark;
        }
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
fn shown(path: &[SpecSegment]) -> String {
    let texts: Vec<String> = path
        .iter()
        .map(|segment| format!("{}{}", segment.key, if segment.sequence { "[]" } else { "" }))
        .collect();
    format!("[{}]", texts.join(" "))
}

/// Converts field specs to paths, which are parsed at their first use.
pub(super) fn compile(specs: Vec<FieldSpec>) -> Vec<FieldSpecPath> {
    specs.into_iter().map(FieldSpecPath::new).collect()
}

/// The segments of the path of a field spec, cut at `/`; `\/` is a slash inside a segment.
pub fn split_path(path: &str) -> Vec<String> {
    let path = path.strip_prefix('/').unwrap_or(path);
    if !path.contains('\\') {
        return path.split('/').map(str::to_owned).collect();
    }
    let mut segments = vec![String::new()];
    let mut rest = path.chars().peekable();
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

impl FieldSpecPath {
    /// Same as [`FieldSpecPath::apply`], but writes one position after the other.
    pub(super) fn apply_one_by_one(
        &self,
        resource: &mut Resource,
        setter: &mut impl Setter,
    ) -> Result<WalkResult, FieldError> {
        let found = self.reach(&resource.node, setter);
        if found == WalkResult::Write {
            let mut ways = Vec::new();
            list_indices(&resource.node, self.segments(), &mut Vec::new(), &mut ways);
            for way in ways {
                self.write(&mut resource.node, Some(&way), setter)?;
                resource.spread_shared();
            }
        }
        Ok(found)
    }
}

/// For each position of a path, the indices of the list elements on it.
fn list_indices(
    node: &Node,
    path: &[SpecSegment],
    elements: &mut Vec<usize>,
    ways: &mut Vec<Vec<usize>>,
) {
    let Some((segment, rest)) = path.split_first() else { return ways.push(elements.clone()) };
    let next = match &node.value {
        Value::Sequence(items, _) => {
            for (index, item) in items.iter().enumerate() {
                elements.push(index);
                list_indices(item, path, elements, ways);
                elements.pop();
            }
            return;
        }
        Value::Mapping(_) if segment.meaning == SegmentMeaning::Blank => Some(node),
        _ => node.get(&segment.key),
    };
    match next {
        Some(next) => list_indices(next, rest, elements, ways),
        None => ways.push(elements.clone()),
    }
}
