//! `ValueAddTransformer` (section 4.16).

use crate::diagnostic::{FieldFault, ReplacementFault};
use crate::manifest::{RoleBindingSubjects, ValueAddArgs, ValueAddTarget};
use crate::resource::{CompiledSelector, ResMap, Resource};
use crate::yaml::{Excess, Limits, Mark, Node, NodeKind, Tag};

use super::replacements::ReplacementPath;
use super::{Context, NamespaceTransformer, TransformError, TransformResult, Transformer};

/// Writes one value to fields, or inserts it into the file paths in them.
#[derive(Clone, Debug)]
pub struct ValueAddTransformer {
    value: String,
    /// The mark of the value, if it differs from that of the step.
    place: Mark,
    targets: Vec<(CompiledSelector, ValueAddTarget, ReplacementPath)>,
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
            let path = ReplacementPath::of_field_spec(&target.field_path);
            let deepest = Limits::default().depth;
            if path.depth() > deepest {
                return Err(TransformError::fault(Excess::Depth(deepest), args.value.mark));
            }
            Ok((selector, target.clone(), path))
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
        path: &ReplacementPath,
        node: &mut Node,
        mark: Mark,
    ) -> TransformResult {
        if path.has_wildcard() {
            return Err(TransformError::fault(FieldFault::Wildcard, mark));
        }
        let position = target.file_path_position;
        let mut set = |leaf: &mut Node, is_new: bool| {
            if leaf.as_scalar().is_none() {
                return Err(FieldFault::wrong_kind(NodeKind::Scalar, leaf).into());
            }
            let text = match leaf.text().filter(|_| position > 0 && !is_new) {
                Some(old) => insert_path_element(old, position, &self.value),
                None => self.value.clone(),
            };
            match leaf.as_scalar_mut() {
                Some(scalar) if !is_new && !scalar.is_null() => {
                    scalar.text = text.into();
                    scalar.set_tag(Tag::None);
                    leaf.mark = mark;
                }
                _ => *leaf = Node::plain(text).marked(mark),
            }
            Ok(())
        };
        let written = path.visit(node, true, &mut set);
        written.map(drop).map_err(|fault| TransformError::fault(fault, mark))
    }
}

impl Transformer for ValueAddTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        let mark = self.place.written_by(cx.mark);
        for (selector, target, path) in &self.targets {
            let slots = selector.select(resources)?;
            cx.matched += slots.len();
            let is_namespace = path.written_parts() == ["metadata", "namespace"];
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
