//! `ValueAddTransformer` (section 4.16).

use crate::engine::manifest::{RoleBindingSubjects, ValueAddArgs, ValueAddTarget};
use crate::engine::resource::{CompiledSelector, ResMap, Resource};
use crate::engine::yaml::{Entry, Excess, Limits, Mark, Node, NodeKind, print_v3};

use super::{Context, NamespaceTransformer, TransformError, Transformer};

/// Writes one value into fields, or between the elements of a file path in them.
#[derive(Clone, Debug)]
pub struct ValueAddTransformer {
    value: String,
    targets: Vec<(CompiledSelector, ValueAddTarget, Vec<String>)>,
}

impl ValueAddTransformer {
    /// `root` is the base name of the root directory: the value when none is given.
    ///
    /// # Errors
    /// `must specify at least one target`, `fieldPath cannot be empty`, bad expressions.
    pub fn new(args: &ValueAddArgs, root: &str) -> Result<Self, TransformError> {
        let phrase = |text: &str| Err(TransformError::phrase(text, args.value.mark));
        if args.targets.is_empty() {
            return phrase("must specify at least one target");
        }
        if let Some(target) = args.targets.iter().find(|target| target.file_path_position < 0) {
            let position = target.file_path_position;
            return phrase(&format!("value of FilePathPosition ({position}) cannot be negative"));
        }
        if args.targets.iter().any(|target| target.field_path.is_empty()) {
            return phrase("fieldPath cannot be empty");
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
                let phrase = Excess::Depth(deepest).to_string();
                return Err(TransformError::phrase(phrase, args.value.mark));
            }
            Ok((selector, target.clone(), path))
        });
        Ok(Self {
            value: value.to_owned(),
            targets: targets.collect::<Result<_, TransformError>>()?,
        })
    }

    fn write(
        &self,
        target: &ValueAddTarget,
        path: &[String],
        node: &mut Node,
        mark: Mark,
    ) -> Result<(), TransformError> {
        let position = target.file_path_position;
        descend(node, path, mark, &mut |leaf| {
            let text = match leaf.text().filter(|_| position > 0) {
                Some(old) => inserted(old, position, &self.value),
                None => self.value.clone(),
            };
            match leaf.as_scalar_mut() {
                Some(scalar) if scalar.is_null() => *leaf = Node::plain(text).marked(mark),
                Some(scalar) => {
                    scalar.text = text.into();
                    scalar.set_tag(crate::engine::yaml::Tag::None);
                    leaf.mark = mark;
                }
                None => return Err(wrong_kind(NodeKind::Scalar, leaf)),
            }
            Ok(())
        })
    }
}

impl Transformer for ValueAddTransformer {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        for (selector, target, path) in &self.targets {
            let slots = selector.select(resources)?;
            cx.matched += slots.len();
            let is_namespace = matches!(&path[..], [a, b] if a == "metadata" && b == "namespace");
            let namespace = is_namespace.then(|| {
                let subjects = RoleBindingSubjects::DefaultOnly;
                NamespaceTransformer::new(self.value.as_str(), Vec::new(), false, subjects)
            });
            for slot in slots {
                let write = |resource: &mut Resource| match &namespace {
                    Some(namespace) => namespace.set_on(resource, cx.mark),
                    None => self.write(target, path, &mut resource.node, cx.mark),
                };
                resources.update(slot, write).unwrap_or(Ok(()))?;
            }
        }
        Ok(())
    }
}

/// Splits at slashes; `\/` is one that stays.
fn split(path: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = path.trim_start_matches('/').chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.next_if_eq(&'/').is_some() => {
                if let Some(part) = parts.last_mut() {
                    part.push('/');
                }
            }
            '/' => parts.push(String::new()),
            _ => {
                if let Some(part) = parts.last_mut() {
                    part.push(c);
                }
            }
        }
    }
    parts
}

/// The path with a value as its n-th element, from 1; too large means last.
fn inserted(path: &str, position: i64, value: &str) -> String {
    let (root, rest) = match path.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", path),
    };
    let mut parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    let at = usize::try_from(position - 1).unwrap_or(0).min(parts.len());
    parts.insert(at, value);
    format!("{root}{}", parts.join("/"))
}

fn descend(
    node: &mut Node,
    path: &[String],
    mark: Mark,
    write: &mut dyn FnMut(&mut Node) -> Result<(), TransformError>,
) -> Result<(), TransformError> {
    let Some((key, rest)) = path.split_first() else { return write(node) };
    if key.is_empty() {
        return Err(wrong_kind(NodeKind::Scalar, node));
    }
    if node.is_null() {
        // Kustomize: what is made below a null is lost.
        return Ok(());
    }
    if let Some(length) = node.items().map(<[Node]>::len) {
        let index = if key == "-" { length.checked_sub(1) } else { key.parse().ok() };
        let item = index.and_then(|index| node.items_mut()?.get_mut(index));
        return match item {
            Some(item) => descend(item, rest, mark, write),
            None => Err(wrong_kind(NodeKind::Mapping, node)),
        };
    }
    if node.kind() != NodeKind::Mapping {
        return Err(wrong_kind(NodeKind::Mapping, node));
    }
    let Some(mapping) = node.as_mapping_mut() else { return Ok(()) };
    if !mapping.contains(key) {
        let value = if rest.is_empty() { Node::plain("") } else { Node::mapping() };
        let key = Node::plain(key.as_str()).marked(mark);
        mapping.entries.push(Entry { key, value: value.marked(mark) });
    }
    mapping.get_mut(key).map_or(Ok(()), |next| descend(next, rest, mark, write))
}

fn wrong_kind(expected: NodeKind, node: &Node) -> TransformError {
    let phrase = format!(
        "wrong node kind: expected {} but got {}: node contents:\n{}",
        expected.go_name(),
        node.kind().go_name(),
        print_v3(node)
    );
    TransformError::phrase(phrase, node.mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_goes_between_the_elements_of_a_path() {
        for (path, position, out) in [
            ("/a/b/c", 1, "/v/a/b/c"),
            ("/a/b/c", 2, "/a/v/b/c"),
            ("/a/b/c", 9, "/a/b/c/v"),
            ("a/b", 1, "v/a/b"),
            ("", 1, "v"),
        ] {
            assert_eq!(inserted(path, position, "v"), out);
        }
        assert_eq!(split("a/b\\/c"), ["a", "b/c"]);
    }
}
