//! Final changes to annotations at the end of a build (sections 2.2, 3.4 and 9).

use std::sync::Arc;

use crate::resource::{
    ResMap, Resource, ResourceOrigin, Slot, is_internal_annotation, rewrite_annotations,
    rewriting_changes, set_annotation, take_annotation, write_internal_annotations,
};
use crate::yaml::{Mapping, Node, Tag, Value, go_string_style, print_preserving_style};

use super::field_walk::new_scalar;
use super::{Context, StepInputs, TransformResult, Transformer};

pub use crate::resource::{ORIGIN, TRANSFORMATIONS};

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
                self.finish(slot, resources, cx);
                Ok(Some(true))
            })?;
        }
        Ok(())
    }

    fn step_inputs(&self) -> Option<Arc<dyn StepInputs>> {
        Some(Arc::new(*self))
    }
}

impl FinalAnnotations {
    fn finish(self, slot: Slot, resources: &mut ResMap, cx: &mut Context<'_>) {
        let Some(resource) = resources.get(slot) else { return };
        let is_dropped = |key: &str| self.is_dropped(key);
        let added = origin_annotations(resource).filter(|(name, _)| !is_dropped(name));
        let added: Vec<(&str, Node)> =
            added.map(|(name, text)| (name, new_scalar(&text, Tag::Str).marked(cx.mark))).collect();
        cx.matched += usize::from(!added.is_empty());
        if !added.is_empty() || rewriting_changes(&resource.node, is_dropped) {
            resources.update(slot, |resource| {
                rewrite_annotations(&mut resource.node, is_dropped, added);
            });
        }
    }

    fn is_dropped(self, key: &str) -> bool {
        is_internal_annotation(key)
            || key == ORIGIN && !self.origin
            || key == TRANSFORMATIONS && !self.transformations
    }
}

/// The text of an origin annotation.
pub fn origin_text(origin: &ResourceOrigin) -> String {
    lines(&print_preserving_style(&origin_node(origin)))
}

fn transformations_text(resource: &Resource) -> String {
    let items = resource.transformations.iter().map(|origin| origin_node(origin));
    lines(&print_preserving_style(&Node::sequence(items.collect())))
}

fn lines(text: &str) -> String {
    format!("{}\n", text.trim_end_matches('\n'))
}

/// The node for an origin, as Kustomize writes it: empty texts are left out.
fn origin_node(origin: &ResourceOrigin) -> Node {
    let set = |mapping: &mut Mapping, key: &str, text: &str| {
        if !text.is_empty() {
            mapping.set(key, Node::scalar(text, Tag::Str, go_string_style(text)));
        }
    };
    let ResourceOrigin { path, repo, reference, configured_in, configured_by } = origin;
    let mut mapping = Mapping::default();
    set(&mut mapping, "path", path);
    set(&mut mapping, "repo", repo);
    set(&mut mapping, "ref", reference);
    set(&mut mapping, "configuredIn", configured_in);
    if let Some(id) = configured_by {
        let mut by = Mapping::default();
        set(&mut by, "apiVersion", &id.gvk.api_version());
        set(&mut by, "kind", &id.gvk.kind);
        set(&mut by, "name", &id.name);
        set(&mut by, "namespace", &id.namespace);
        mapping.set("configuredBy", Value::Mapping(Arc::new(by)).into());
    }
    Value::Mapping(Arc::new(mapping)).into()
}

/// The annotations about the origin of a resource.
pub fn origin_annotations(resource: &Resource) -> impl Iterator<Item = (&'static str, String)> {
    let origin = resource.origin.as_ref().map(|origin| (ORIGIN, origin_text(origin)));
    let has_more = !resource.transformations.is_empty();
    let transformations = has_more.then(|| (TRANSFORMATIONS, transformations_text(resource)));
    origin.into_iter().chain(transformations)
}

/// The tree that Kustomize passes to a program: with its bookkeeping and the annotations about the
/// origin of the resource.
pub fn program_input_tree(resource: &Resource) -> Node {
    let mut node = write_internal_annotations(resource);
    for (name, text) in origin_annotations(resource) {
        set_annotation(&mut node, name, &text);
    }
    node
}

/// Moves the origin annotations of a returned resource back into its fields, if they equal those of
/// `old`. An annotation that the program changed stays an ordinary annotation; one that it removed
/// is dropped.
pub fn take_origin_annotations(new: &mut Resource, old: &Resource) {
    for (name, text) in origin_annotations(old) {
        if new.annotation(name) != Some(&text) {
            continue;
        }
        take_annotation(&mut new.node, name);
        if name == ORIGIN {
            new.origin.clone_from(&old.origin);
        } else {
            new.transformations.clone_from(&old.transformations);
        }
    }
}
