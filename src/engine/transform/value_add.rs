//! `ValueAddTransformer` (section 4.16).

use crate::diagnostic::{FieldFault, ReplacementFault};
use crate::manifest::{RoleBindingSubjects, ValueAddArgs, ValueAddTarget};
use crate::resource::{CompiledSelector, ResMap, Resource};
use crate::yaml::{Excess, Limits, MappingEntry, Mark, Node, NodeKind};

use super::field_walk::split_path;
use super::replacements::{ReplacementSegment, new_missing_node};
use super::{Context, NamespaceTransformer, TransformError, TransformResult, Transformer};

/// Writes one value to fields, or inserts it into the file paths in them.
#[derive(Clone, Debug)]
pub struct ValueAddTransformer {
    value: String,
    /// The mark of the value, if it differs from that of the step.
    place: Mark,
    targets: Vec<(CompiledSelector, ValueAddTarget, Vec<ReplacementSegment>)>,
}

impl ValueAddTransformer {
    /// Creates the transformer. `root` is the base name of the root directory: the default value.
    ///
    /// # Errors
    /// `must specify at least one target`, `fieldPath cannot be empty`, bad expressions.
    pub fn new(args: &ValueAddArgs, root: &str) -> Result<Self, TransformError> {
        let refused = |fault: ReplacementFault| Err(TransformError::fault(fault, args.value.mark));
        if args.targets.is_empty() {
            return refused(ReplacementFault::NoValueTarget);
        }
        if let Some(target) = args.targets.iter().find(|target| target.file_path_position < 0) {
            let position = target.file_path_position;
            return refused(ReplacementFault::NegativePosition(position));
        }
        if args.targets.iter().any(|target| target.field_path.is_empty()) {
            return refused(ReplacementFault::EmptyPath);
        }
        let value = match args.value.value.trim() {
            "" => root,
            value => value,
        };
        let targets = args.targets.iter().map(|target| {
            let selector = target.selector.clone().unwrap_or_default().compile()?;
            let path = split(&target.field_path);
            let deepest = Limits::default().depth;
            if path.len() > deepest {
                return Err(TransformError::fault(Excess::Depth(deepest), args.value.mark));
            }
            Ok((selector, target.clone(), path.into_iter().map(part).collect()))
        });
        Ok(Self {
            value: value.to_owned(),
            place: args.value.mark,
            targets: targets.collect::<Result<_, TransformError>>()?,
        })
    }

    fn write(
        &self,
        target: &ValueAddTarget,
        path: &[ReplacementSegment],
        node: &mut Node,
        mark: Mark,
    ) -> TransformResult {
        let position = target.file_path_position;
        write_at_path(node, path, mark, &mut |leaf| {
            let text = match leaf.text().filter(|_| position > 0) {
                Some(old) => insert_path_element(old, position, &self.value),
                None => self.value.clone(),
            };
            match leaf.as_scalar_mut() {
                Some(scalar) if scalar.is_null() => *leaf = Node::plain(text).marked(mark),
                Some(scalar) => {
                    scalar.text = text.into();
                    scalar.set_tag(crate::yaml::Tag::None);
                    leaf.mark = mark;
                }
                None => return Err(TransformError::wrong_kind(NodeKind::Scalar, leaf)),
            }
            Ok(())
        })
    }
}

impl Transformer for ValueAddTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        let mark = self.place.written_by(cx.mark);
        for (selector, target, path) in &self.targets {
            let slots = selector.select(resources)?;
            cx.matched += slots.len();
            let is_namespace = split(&target.field_path) == ["metadata", "namespace"];
            let namespace = is_namespace.then(|| {
                let subjects = RoleBindingSubjects::DefaultOnly;
                NamespaceTransformer::new(self.value.as_str(), Vec::new(), false, subjects)
            });
            for slot in slots {
                let write = |resource: &mut Resource| match &namespace {
                    Some(namespace) => namespace.set_on(resource, mark),
                    None => self.write(target, path, &mut resource.node, mark),
                };
                resources.update(slot, write).unwrap_or(Ok(()))?;
            }
        }
        Ok(())
    }
}

/// Splits at slashes; `\/` is a literal slash. Blanks around a part do not count, nor do empty
/// parts.
fn split(path: &str) -> Vec<String> {
    let parts = split_path(path.trim_start_matches('/'));
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// A part of a path. Brackets without `=` select no field here, even around dots.
fn part(text: String) -> ReplacementSegment {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    if inner.is_some_and(|inner| !inner.contains('=')) {
        return ReplacementSegment::Nothing;
    }
    ReplacementSegment::parse(text)
}

/// Inserts a value into a file path as its n-th element, counted from 1; a larger number appends
/// it.
fn insert_path_element(path: &str, position: i64, value: &str) -> String {
    let (root, rest) = match path.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", path),
    };
    let mut parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    let at = usize::try_from(position - 1).unwrap_or(0).min(parts.len());
    parts.insert(at, value);
    format!("{root}{}", parts.join("/"))
}

fn write_at_path(
    node: &mut Node,
    path: &[ReplacementSegment],
    mark: Mark,
    write: &mut dyn FnMut(&mut Node) -> TransformResult,
) -> TransformResult {
    let Some((part, rest)) = path.split_first() else { return write(node) };
    let fault = match part {
        ReplacementSegment::Key(key) if key.parse::<i64>().is_ok() => {
            Some(FieldFault::NegativeIndex(key.clone()))
        }
        ReplacementSegment::Every => Some(FieldFault::Wildcard),
        ReplacementSegment::Nothing | ReplacementSegment::Empty => Some(FieldFault::NoCondition),
        _ => None,
    };
    if let Some(fault) = fault {
        return Err(TransformError::fault(fault, mark));
    }
    if node.is_null() {
        // Kustomize: values created below a null are lost.
        return Ok(());
    }
    let is_field = matches!(part, ReplacementSegment::Key(_));
    let expected = if is_field { NodeKind::Mapping } else { NodeKind::Sequence };
    if node.kind() != expected {
        return Err(TransformError::wrong_kind(expected, node));
    }
    let next = match part {
        ReplacementSegment::Key(key) => {
            let Some(mapping) = node.as_mapping_mut() else { return Ok(()) };
            if !mapping.contains(key) {
                let key = Node::plain(key.as_str()).marked(mark);
                let made = if rest.is_empty() { Node::plain("") } else { new_missing_node(rest) };
                let value = made.marked(mark);
                mapping.entries.push(MappingEntry { key, value });
            }
            mapping.get_mut(key)
        }
        ReplacementSegment::Index(index) => {
            node.items_mut().and_then(|items| items.get_mut(*index))
        }
        ReplacementSegment::Last => match node.items().map(<[Node]>::len) {
            // Kustomize panics here.
            None | Some(0) => return Err(TransformError::wrong_kind(NodeKind::Mapping, node)),
            Some(length) => node.items_mut().and_then(|items| items.get_mut(length - 1)),
        },
        ReplacementSegment::Match { key, value, .. } => element(node, key, value, mark),
        ReplacementSegment::Nothing | ReplacementSegment::Every | ReplacementSegment::Empty => None,
    };
    next.map_or(Ok(()), |next| write_at_path(next, rest, mark, write))
}

/// The element that a condition selects, appended if it is missing.
fn element<'n>(list: &'n mut Node, field: &str, text: &str, mark: Mark) -> Option<&'n mut Node> {
    let is_meant = |item: &Node| {
        let value = if field.is_empty() { Some(item) } else { item.get(field) };
        value.and_then(Node::text) == Some(text)
    };
    let items = list.items_mut()?;
    let at = items.iter().position(is_meant).unwrap_or_else(|| {
        let value = Node::plain(text);
        let mut made = if field.is_empty() { value.clone() } else { Node::mapping() };
        made.set(field, value.marked(mark));
        items.push(made.marked(mark));
        items.len() - 1
    });
    items.get_mut(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_is_inserted_between_path_elements() {
        for (path, position, out) in [
            ("/a/b/c", 1, "/v/a/b/c"),
            ("/a/b/c", 2, "/a/v/b/c"),
            ("/a/b/c", 9, "/a/b/c/v"),
            ("a/b", 1, "v/a/b"),
            ("", 1, "v"),
        ] {
            assert_eq!(insert_path_element(path, position, "v"), out);
        }
        assert_eq!(split("a/b\\/c"), ["a", "b/c"]);
    }
}
