//! Final changes to annotations at the end of a build (sections 2.2, 3.4 and 9).

use std::sync::Arc;

use indexmap::IndexSet;

use crate::resource::{ResMap, Resource, ResourceOrigin, Slot};
use crate::yaml::{
    Mapping, MappingEntry, Mark, Node, NodeKind, ScalarType, Style, Tag, Value, go_string_style,
    parse_nodes, print_preserving_style, resolve_v3, tree_with_merges_applied,
};

use super::set_field::{mapping_at, new_scalar};
use super::{Context, StepInputs, TransformError, TransformResult, Transformer};

pub use crate::resource::{ORIGIN, TRANSFORMATIONS};

/// Internal annotations of Kustomize, which are removed from the output.
const INTERNAL: &[&str] = &[
    "internal.config.kubernetes.io/previousNames",
    "internal.config.kubernetes.io/previousNamespaces",
    "internal.config.kubernetes.io/previousKinds",
    "internal.config.kubernetes.io/prefixes",
    "internal.config.kubernetes.io/suffixes",
    "internal.config.kubernetes.io/refBy",
    "internal.config.kubernetes.io/generatorBehavior",
    "internal.config.kubernetes.io/needsHashSuffix",
    "internal.config.kubernetes.io/allowNameChange",
    "internal.config.kubernetes.io/allowKindChange",
    "internal.config.kubernetes.io/helm-generated",
    "internal.config.kubernetes.io/path",
    "internal.config.kubernetes.io/index",
    "internal.config.kubernetes.io/seqindent",
    "internal.config.kubernetes.io/id",
    "internal.config.kubernetes.io/annotations-migration-resource-id",
    "config.kubernetes.io/path",
    "config.kubernetes.io/index",
    "config.k8s.io/id",
];

/// The last transformer of annotations: removes internal annotations, adds or removes origin and
/// transformations according to `buildMetadata`, and turns all values into strings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FinalAnnotations {
    pub origin: bool,
    /// `transformerAnnotations`
    pub transformations: bool,
}

impl Transformer for FinalAnnotations {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        for slot in resources.slots() {
            cx.apply_or_reuse(resources, slot, |resources, cx| {
                self.finish(slot, resources, cx).map(|()| Some(true))
            })?;
        }
        Ok(())
    }

    fn step_inputs(&self) -> Option<Arc<dyn StepInputs>> {
        Some(Arc::new(*self))
    }
}

impl FinalAnnotations {
    fn finish(self, slot: Slot, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        let merged =
            resources.get(slot).and_then(|resource| tree_with_merges_applied(&resource.node));
        if let Some(merged) = merged {
            resources.update(slot, |resource| resource.node = merged);
        }
        let Some(resource) = resources.get(slot) else { return Ok(()) };
        let added: Vec<_> = origin_annotations(resource, |name| !self.is_dropped(name)).collect();
        cx.matched += usize::from(!added.is_empty());
        if added.is_empty() && !self.has_work(&resource.node) {
            return Ok(());
        }
        let rewritten =
            resources.update(slot, |resource| self.rewrite(&mut resource.node, added, cx.mark));
        rewritten.unwrap_or(Ok(()))
    }

    fn is_dropped(self, key: &str) -> bool {
        INTERNAL.contains(&key)
            || key == ORIGIN && !self.origin
            || key == TRANSFORMATIONS && !self.transformations
    }

    /// True if rewriting would change the printed output.
    fn has_work(self, node: &Node) -> bool {
        let Some(metadata) = node.get("metadata") else { return node.as_mapping().is_some() };
        let Some(annotations) = metadata.get("annotations") else { return false };
        let Some(mapping) = annotations.as_mapping() else { return true };
        // Rewritten annotations move after all other metadata and lose their comments, which
        // changes where other comments are printed.
        mapping.entries.is_empty()
            || metadata.has_comments()
            || has_duplicates(mapping)
            || mapping.entries.iter().any(|entry| {
                let key = entry.key.as_scalar();
                let key_changes = key.is_none_or(|key| {
                    self.is_dropped(&key.text)
                        || key.text.is_empty()
                        || key.tag != Tag::None
                            && (key.tagged
                                || key.style != Style::Plain
                                    && resolve_v3(&key.text) != ScalarType::Str)
                });
                let value_changes = entry.value.as_scalar().is_none_or(|value| {
                    value.tag != Tag::Str || matches!(value.style, Style::Folded | Style::Literal)
                });
                key_changes || value_changes
            })
    }

    fn rewrite(
        self,
        node: &mut Node,
        added: Vec<(&'static str, String)>,
        mark: Mark,
    ) -> TransformResult {
        let Some(metadata) = mapping_at(node, "metadata", mark).and_then(Node::as_mapping_mut)
        else {
            return Ok(());
        };
        let old = metadata.remove("annotations");
        let mut new = Mapping::default();
        for MappingEntry { key, value } in old.as_ref().map_or(Ok(&[][..]), entries)? {
            let (key, text) = (key.text().unwrap_or_default(), value.text().unwrap_or_default());
            if !self.is_dropped(key) {
                new.set(key, new_scalar(text, Tag::Str).marked(value.mark));
            }
        }
        for (key, text) in added {
            new.set(key, new_scalar(&text, Tag::Str).marked(mark));
        }
        if new.entries.is_empty() {
            return Ok(());
        }
        new.entries.sort_by(|one, other| one.key.text().cmp(&other.key.text()));
        let value: Node = Value::Mapping(Arc::new(new)).into();
        let at = old.map_or(mark, |old| old.mark);
        metadata.set("annotations", value.marked(at));
        Ok(())
    }
}

/// The entries of annotations.
///
/// # Errors
/// A non-empty list, or a key without a name; Kustomize panics for both.
fn entries(annotations: &Node) -> Result<&[MappingEntry], TransformError> {
    if annotations.items().is_some_and(|items| !items.is_empty()) {
        return Err(TransformError::wrong_kind(NodeKind::Mapping, annotations));
    }
    if annotations.entries().iter().any(|entry| entry.key.text() == Some("")) {
        return Err(TransformError::wrong_kind(NodeKind::Scalar, annotations));
    }
    Ok(annotations.entries())
}

/// True if a key is repeated. Kustomize reads annotations into a map, so that the last value of a
/// key is used.
fn has_duplicates(mapping: &Mapping) -> bool {
    let mut seen = IndexSet::new();
    !mapping.entries.iter().all(|entry| seen.insert(entry.key.text()))
}

/// The text of an origin annotation.
pub fn origin_text(origin: &ResourceOrigin) -> String {
    lines(&print_preserving_style(&origin_node(origin)))
}

/// The text of a resource's transformations annotation: the list in the resource's file, as written,
/// and the recorded transformations.
pub fn transformations_text(resource: &Resource) -> String {
    let annotation = resource.node.at(&["metadata", "annotations", TRANSFORMATIONS]);
    let earlier =
        annotation.and_then(Node::text).and_then(|text| parse_nodes(text.as_bytes()).ok());
    let earlier = earlier.and_then(|read| Some(read.first()?.items()?.to_vec()));
    let mut items = earlier.unwrap_or_default();
    items.extend(resource.transformations.iter().map(|origin| origin_node(origin)));
    lines(&print_preserving_style(&Node::sequence(items)))
}

fn lines(text: &str) -> String {
    format!("{}\n", text.trim_end_matches('\n'))
}

fn origin_node(origin: &ResourceOrigin) -> Node {
    let ResourceOrigin { path, repo, reference, configured_in, configured_by } = origin;
    let mut node = texts_node([
        ("path", path),
        ("repo", repo),
        ("ref", reference),
        ("configuredIn", configured_in),
    ]);
    if let Some(by) = configured_by {
        let by = texts_node([
            ("apiVersion", &by.gvk.api_version()),
            ("kind", &by.gvk.kind),
            ("name", &by.name),
            ("namespace", &by.namespace),
        ]);
        node.set("configuredBy", by);
    }
    node
}

/// A mapping of texts, without the empty ones.
fn texts_node(texts: [(&str, &str); 4]) -> Node {
    let mut node = Node::mapping();
    for (key, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        node.set(key, Node::scalar(text, Tag::Str, go_string_style(text)));
    }
    node
}

/// The annotations about the origin of a resource, as far as it has them and they are wanted.
pub(super) fn origin_annotations(
    resource: &Resource,
    is_wanted: impl Fn(&str) -> bool,
) -> impl Iterator<Item = (&'static str, String)> {
    let origin = resource.origin.as_ref().filter(|_| is_wanted(ORIGIN));
    let origin = origin.map(|origin| (ORIGIN, origin_text(origin)));
    let has_more = !resource.transformations.is_empty() && is_wanted(TRANSFORMATIONS);
    let transformations = has_more.then(|| (TRANSFORMATIONS, transformations_text(resource)));
    origin.into_iter().chain(transformations)
}
