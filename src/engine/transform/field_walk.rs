//! The walker that most transformers share: finds and writes the fields of a field spec (section
//! 4.1 of the build reference). Scalars and entries are written as Kustomize does: an existing scalar
//! keeps its style (point 6).

use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use crate::diagnostic::{FailedOperation, FieldFault};
use crate::manifest::FieldSpec;
use crate::resource::{Gvk, PathStep, QuickMap, ResId, Resource};
use crate::yaml::{
    Excess, Limits, MappingEntry, Mark, Node, NodeKind, Scalar, ScalarType, Style, Tag, Value,
    new_string_style, resolve_v3,
};

use super::TransformError;

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

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SpecSegment {
    /// The key without surrounding blanks, which Kustomize ignores.
    key: Arc<str>,
    /// True for a segment with `[]`, which requires a list; a missing one is never created.
    sequence: bool,
}

impl SpecSegment {
    fn new(text: &str) -> Self {
        let (text, sequence) = match text.strip_suffix("[]") {
            Some(key) => (key, true),
            None => (text, false),
        };
        Self { key: text.trim().into(), sequence }
    }

    /// The error if a segment is invalid in a mapping. In a list, each segment visits all elements.
    fn refusal(&self, mapping: &Node) -> Option<TransformError> {
        // Called for each mapping on a path; nearly all segments are words.
        if self.key.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let error = |fault: FieldFault| TransformError::fault(fault, mapping.mark);
        let of_list = || TransformError::wrong_kind(NodeKind::Sequence, mapping);
        let condition = self.key.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
        let refused = match (&*self.key, condition) {
            ("", _) => return Some(error(FieldFault::EmptyName)),
            ("*", _) => error(FieldFault::Wildcard),
            (_, Some(condition)) if !condition.contains('=') => error(FieldFault::NoCondition),
            ("-", _) | (_, Some(_)) => of_list(),
            (key, _) if key.parse::<i64>().is_ok() => of_list(),
            _ => return None,
        };
        Some(refused.within(FailedOperation::Segment(self.key.to_string())))
    }
}

pub(super) struct FieldWriter<'w> {
    /// The mark of nodes that the walker creates on the path.
    pub(super) mark: Mark,
    /// The node that is created if the last segment of a path is missing; `None` to create none.
    pub(super) leaf: Option<Node>,
    pub(super) write: &'w mut WriteField<'w>,
}

pub(super) type WriteField<'w> = dyn FnMut(&Node) -> Result<Rewrite, TransformError> + 'w;

impl<'w> FieldWriter<'w> {
    pub(super) fn of_existing(mark: Mark, write: &'w mut WriteField<'w>) -> Self {
        Self { mark, leaf: None, write }
    }
}

impl FieldSpecPath {
    /// Creates the path of a field spec. At its first use it is split at `/`, with `\/` for a slash
    /// in a key; one leading `/` is ignored.
    pub fn new(spec: FieldSpec) -> Self {
        Self { spec, segments: OnceLock::new() }
    }

    fn segments(&self) -> &[SpecSegment] {
        let take_apart =
            || split_path(&self.spec.path).iter().map(|text| SpecSegment::new(text)).collect();
        self.segments.get_or_init(take_apart)
    }

    /// The spec of the path.
    pub fn spec(&self) -> &FieldSpec {
        &self.spec
    }

    pub(super) fn places<'n>(&self, node: &'n Node) -> Vec<(Vec<PathStep>, &'n Node)> {
        let mut found = Vec::new();
        places(node, self.segments(), &mut Vec::new(), &mut found);
        found
    }

    /// The tree with the fields of the path written. Parts without a change are shared with `node`.
    pub(super) fn rewrite(
        &self,
        node: &Node,
        writer: &mut FieldWriter<'_>,
    ) -> Result<Rewrite, TransformError> {
        let create = self.spec.create && writer.leaf.is_some();
        let deepest = Limits::default().depth;
        if create && self.segments().len() > deepest {
            return Err(TransformError::fault(Excess::Depth(deepest), node.mark));
        }
        rewrite(node, self.segments(), create, writer)
    }

    pub(super) fn error_for(&self, error: TransformError, id: &ResId) -> TransformError {
        error.within(FailedOperation::Field(self.spec.path.clone(), id.to_string()))
    }
}

fn places<'n>(
    node: &'n Node,
    path: &[SpecSegment],
    way: &mut Vec<PathStep>,
    found: &mut Vec<(Vec<PathStep>, &'n Node)>,
) {
    let Some((segment, rest)) = path.split_first() else {
        return found.push((way.clone(), node));
    };
    if let Some(items) = node.items() {
        for (index, item) in items.iter().enumerate() {
            way.push(PathStep::Index(index));
            places(item, path, way, found);
            way.pop();
        }
    } else if let Some(value) = node.get(&segment.key) {
        way.push(PathStep::Key(segment.key.clone()));
        places(value, rest, way, found);
        way.pop();
    }
}

fn rewrite(
    node: &Node,
    path: &[SpecSegment],
    create: bool,
    writer: &mut FieldWriter<'_>,
) -> Result<Rewrite, TransformError> {
    let Some((segment, rest)) = path.split_first() else { return (writer.write)(node) };
    if node.is_null() {
        return Ok(Rewrite::NO);
    }
    match &node.value {
        Value::Scalar(_) => Err(TransformError::fault(FieldFault::BelowAScalar, node.mark)),
        Value::Sequence(items, _) => {
            let mut result = Rewrite::NO;
            for (index, item) in items.iter().enumerate() {
                let written = rewrite(item, path, create, writer)
                    .map_err(|error| error.within(FailedOperation::Elements(shown(path))))?;
                result.add_item(node, index, written);
            }
            Ok(result)
        }
        Value::Mapping(mapping) => {
            if let Some(fault) = segment.refusal(node) {
                return Err(fault);
            }
            let Some(place) = mapping.place(&segment.key) else {
                return create_field(node, path, create, writer);
            };
            let value = &mapping.entries[place].value;
            let made = if is_tagged_null(value) {
                new_node(segment, rest, create, writer).map(|made| made.marked(writer.mark))
            } else {
                None
            };
            let written = rewrite(made.as_ref().unwrap_or(value), rest, create, writer)?;
            let is_met = made.is_some() || written.is_met;
            let mut result = Rewrite::NO;
            result.add_value(node, place, Rewrite { is_met, node: written.node.or(made) });
            Ok(result)
        }
    }
}

/// The mapping with a new field at the end, if the writer creates it.
fn create_field(
    node: &Node,
    path: &[SpecSegment],
    create: bool,
    writer: &mut FieldWriter<'_>,
) -> Result<Rewrite, TransformError> {
    let Some((segment, rest)) = path.split_first().filter(|(it, _)| !it.sequence) else {
        return Ok(Rewrite::NO);
    };
    let mark = writer.mark;
    let Some(made) = new_node(segment, rest, create, writer) else { return Ok(Rewrite::NO) };
    let made = made.marked(mark);
    let written = rewrite(&made, rest, create, writer)?;
    if !written.is_met {
        return Ok(Rewrite::NO);
    }
    let key = Node::plain(segment.key.clone()).marked(mark);
    let mut node = node.clone();
    if let Some(mapping) = node.as_mapping_mut() {
        mapping.push(MappingEntry { key, value: written.node.unwrap_or(made) });
    }
    Ok(Rewrite::written(node))
}

/// The new node for a missing or null field; `None` if the field must not be created.
fn new_node(
    segment: &SpecSegment,
    rest: &[SpecSegment],
    create: bool,
    writer: &FieldWriter<'_>,
) -> Option<Node> {
    if segment.sequence {
        return Some(Node::sequence(Vec::new()));
    }
    let leaf = writer.leaf.as_ref().filter(|_| create)?;
    Some(if rest.is_empty() { leaf.clone() } else { Node::mapping() })
}

fn is_tagged_null(node: &Node) -> bool {
    node.as_scalar().is_some_and(|scalar| scalar.tag == Tag::Null)
}

/// The path as Go prints a list of strings.
fn shown(path: &[SpecSegment]) -> String {
    let text = |it: &SpecSegment| it.key.to_string() + if it.sequence { "[]" } else { "" };
    format!("[{}]", path.iter().map(text).collect::<Vec<_>>().join(" "))
}

/// Field paths selected by type, cached so that the selection is made once for each type and not
/// for each resource. `T` is a path, or contains one.
#[derive(Debug)]
pub(super) struct PathsByType<'a, T = FieldSpecPath> {
    paths: &'a [T],
    by_type: QuickMap<Gvk, Rc<[&'a T]>>,
}

impl<'a, T: AsRef<FieldSpecPath>> PathsByType<'a, T> {
    pub(super) fn new(paths: &'a [T]) -> Self {
        Self { paths, by_type: QuickMap::default() }
    }

    pub(super) fn paths_for(&mut self, gvk: &Gvk) -> Rc<[&'a T]> {
        if let Some(known) = self.by_type.get(gvk) {
            return Rc::clone(known);
        }
        let is_for = |path: &&T| gvk.is_selected_by(&(*path).as_ref().spec.gvk);
        let chosen: Rc<[&'a T]> = self.paths.iter().filter(is_for).collect();
        self.by_type.insert(gvk.clone(), Rc::clone(&chosen));
        chosen
    }
}

impl AsRef<Self> for FieldSpecPath {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// The tree of a resource with the fields at these paths written, one path after the other. Errors
/// contain the field and the id.
pub(super) fn rewrite_fields(
    resource: &Resource,
    paths: &[&FieldSpecPath],
    writer: &mut FieldWriter<'_>,
) -> Result<Rewrite, TransformError> {
    let mut result = Rewrite::NO;
    for path in paths {
        let before = result.node.as_ref().unwrap_or(&resource.node);
        let written = path.rewrite(before, writer);
        result.then(written.map_err(|error| path.error_for(error, &resource.id))?);
    }
    Ok(result)
}

pub(super) fn compile(specs: Vec<FieldSpec>) -> Vec<FieldSpecPath> {
    specs.into_iter().map(FieldSpecPath::new).collect()
}

/// The segments of the path of a field spec, cut at `/`; `\/` is a slash inside a segment.
pub fn split_path(path: &str) -> Vec<String> {
    let mut segments: Vec<String> = Vec::new();
    for part in path.strip_prefix('/').unwrap_or(path).split('/') {
        match segments.last_mut().filter(|last| last.ends_with('\\')) {
            Some(last) => last.replace_range(last.len() - 1.., &format!("/{part}")),
            None => segments.push(part.to_owned()),
        }
    }
    segments
}

/// The result of a setter for a field, or of a walk for a tree.
#[derive(Debug)]
pub(super) struct Rewrite {
    /// False if the field is missing, or the setter does not match its value.
    pub(super) is_met: bool,
    /// The new tree; `None` if it is the same as before.
    pub(super) node: Option<Node>,
}

impl Rewrite {
    /// The result for a field that is missing or does not match.
    pub(super) const NO: Self = Self { is_met: false, node: None };

    /// The result for a field that has the value that would be written.
    pub(super) const SAME: Self = Self { is_met: true, node: None };

    pub(super) fn written(node: Node) -> Self {
        Self { is_met: true, node: Some(node) }
    }

    /// The result with the step as the writer of the scalar also if its value is the same as before.
    pub(super) fn claimed(mut self, before: &Node, mark: Mark) -> Self {
        let node = self.node.as_ref().unwrap_or(before);
        let is_other = node.mark != mark || node.comments.is_some();
        if self.is_met && node.as_scalar().is_some() && is_other {
            self.node = Some(Node { mark, comments: None, ..node.clone() });
        }
        self
    }

    /// Adds the result of the next walk through the same tree.
    pub(super) fn then(&mut self, next: Self) {
        self.is_met |= next.is_met;
        self.node = next.node.or(self.node.take());
    }

    pub(super) fn add_item(&mut self, list: &Node, index: usize, item: Self) {
        self.is_met |= item.is_met;
        if let Some(item) = item.node
            && let Some(items) = self.node.get_or_insert_with(|| list.clone()).items_mut()
        {
            items[index] = item;
        }
    }

    pub(super) fn add_value(&mut self, mapping: &Node, index: usize, value: Self) {
        self.is_met |= value.is_met;
        if let Some(value) = value.node
            && let Some(mapping) = self.node.get_or_insert_with(|| mapping.clone()).as_mapping_mut()
            && let Some(slot) = mapping.value_mut(index)
        {
            *slot = value;
        }
    }
}

/// True for a scalar with this text and tag. Losing only the tag changes the printed output only if
/// another text is written there later.
pub(super) fn is_set(node: &Node, text: &str, tag: &Tag) -> bool {
    node.as_scalar().is_some_and(|scalar| *scalar.text == *text && scalar.tag == *tag)
}

fn prints_the_same(scalar: &Scalar, text: &str, tag: &Tag) -> bool {
    let reads_as_string = scalar.style != Style::Plain || resolve_v3(text) == ScalarType::Str;
    *scalar.text == *text
        && (scalar.tag == *tag || *tag == Tag::None && scalar.tag == Tag::Str && reads_as_string)
}

pub(super) fn rewrite_scalar(
    node: &Node,
    text: impl AsRef<str> + Into<Arc<str>>,
    tag: Tag,
    mark: Mark,
) -> Result<Rewrite, TransformError> {
    if node.as_scalar().is_none() {
        return Err(TransformError::wrong_kind(NodeKind::Scalar, node));
    }
    if is_set(node, text.as_ref(), &tag) {
        return Ok(Rewrite::SAME);
    }
    let mut node = node.clone();
    set_value(&mut node, text, tag, mark);
    Ok(Rewrite::written(node))
}

/// Writes text and tag over a node. A scalar keeps only its style: Kustomize replaces it by a new
/// node, without the comments of the old one. A shared text is not copied.
pub(super) fn set_value(
    node: &mut Node,
    text: impl AsRef<str> + Into<Arc<str>>,
    tag: Tag,
    mark: Mark,
) {
    if is_set(node, text.as_ref(), &tag) {
        return;
    }
    let Some(scalar) = node.as_scalar_mut() else {
        *node = new_scalar(text.as_ref(), tag).marked(mark);
        return;
    };
    let is_seen = !prints_the_same(scalar, text.as_ref(), &tag);
    scalar.text = text.into();
    scalar.tagged &= tag != Tag::None;
    scalar.set_tag(tag);
    node.comments = None;
    if is_seen {
        node.mark = mark;
    }
}

/// Writes an entry of a mapping: an existing scalar keeps its style; a new string that YAML 1.1
/// would read as another type is double-quoted.
pub(super) fn set_entry(node: &mut Node, key: &str, text: &Arc<str>, tag: Tag, mark: Mark) {
    match node.get_mut(key) {
        Some(value) => set_value(value, text.clone(), tag, mark),
        None => node.set(key, new_scalar(text, tag).marked(mark)),
    }
}

/// A scalar for a new field: a string that YAML 1.1 would misread is double-quoted.
pub(super) fn new_scalar(text: &str, tag: Tag) -> Node {
    let is_string = matches!(tag, Tag::Str | Tag::None);
    let style = if is_string { new_string_style(text) } else { Style::Plain };
    Node::scalar(text, tag, style)
}
