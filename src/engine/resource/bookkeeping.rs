//! The bookkeeping of a resource: values that Kustomize keeps in internal annotations and this
//! engine in fields. Converts between both, since programs receive and return annotations (section
//! 3.4).

use std::sync::Arc;

use crate::yaml::Node;

use super::annotations::{has_unfit_annotations, set_annotation, take_annotation};
use super::{Behavior, EarlierNames, PreviousId, Resource, ResourceOrigin, Scopes};

const INTERNAL: &str = "internal.config.kubernetes.io/";

/// The annotation that a generator sets on a resource whose name gets a hash.
pub const HASH_ANNOTATION: &str = "kustomize.config.k8s.io/needs-hash";
/// The annotation by which a generator sets how its resource is combined with an existing one with
/// the same id.
pub const BEHAVIOR_ANNOTATION: &str = "kustomize.config.k8s.io/behavior";

/// The annotations for fields of [`Resource`], without their common prefix.
const NAMES: [&str; 10] = [
    "previousNames",
    "previousNamespaces",
    "previousKinds",
    "prefixes",
    "suffixes",
    "needsHashSuffix",
    "allowNameChange",
    "allowKindChange",
    "generatorBehavior",
    "helm-generated",
];

/// Further internal annotations, without the prefix.
const OTHERS: [&str; 6] =
    ["refBy", "path", "index", "seqindent", "id", "annotations-migration-resource-id"];

/// The internal annotations with another prefix.
const WITHOUT_PREFIX: [&str; 3] =
    ["config.kubernetes.io/path", "config.kubernetes.io/index", "config.k8s.io/id"];

/// The annotation that an object in a file has if its name gets a hash.
pub const NEEDS_HASH: &str = "internal.config.kubernetes.io/needsHashSuffix";

/// The annotation with the file that a function assigned to an object, in both spellings.
pub const FUNCTION_PATHS: [&str; 2] =
    ["internal.config.kubernetes.io/path", "config.kubernetes.io/path"];

pub const ORIGIN: &str = "config.kubernetes.io/origin";

/// The annotation that lists the transformers which ran over a resource.
pub const TRANSFORMATIONS: &str = "alpha.config.kubernetes.io/transformations";

fn is_bookkeeping(key: &str) -> bool {
    key.starts_with(INTERNAL)
}

/// True for an internal annotation of Kustomize, which is removed from the output.
pub fn is_internal_annotation(key: &str) -> bool {
    let name = key.strip_prefix(INTERNAL);
    name.is_some_and(|name| NAMES.contains(&name) || OTHERS.contains(&name))
        || WITHOUT_PREFIX.contains(&key)
}

/// Takes the annotations of Kustomize's bookkeeping out of a tree.
pub fn strip_internal_annotations(node: &mut Node) {
    for name in NAMES {
        take_annotation(node, &format!("{INTERNAL}{name}"));
    }
}

/// The tree of a resource with its bookkeeping written as Kustomize's annotations.
pub fn write_internal_annotations(resource: &Resource) -> Node {
    let mut node = resource.node.clone();
    for (name, text) in bookkeeping_pairs(resource) {
        set_annotation(&mut node, &format!("{INTERNAL}{name}"), &text);
    }
    node
}

fn bookkeeping_pairs(resource: &Resource) -> Vec<(&'static str, String)> {
    let previous =
        |part: fn(&PreviousId) -> &Arc<str>| join(resource.names.previous().iter().map(part));
    let enabled = |flag: bool| if flag { "enabled" } else { "" }.to_owned();
    let has_behavior = resource.generated || resource.behavior != Behavior::Unspecified;
    let texts = [
        previous(|id| &id.name),
        previous(|id| &id.namespace),
        previous(|id| &id.kind),
        join(resource.names.prefixes().iter()),
        join(resource.names.suffixes().iter()),
        enabled(resource.needs_hash),
        enabled(resource.allow_name_change),
        enabled(resource.allow_kind_change),
        if has_behavior { resource.behavior.word() } else { "" }.to_owned(),
        if resource.helm_generated { "true" } else { "" }.to_owned(),
    ];
    NAMES.into_iter().zip(texts).filter(|(_, text)| !text.is_empty()).collect()
}

fn join<'a>(texts: impl Iterator<Item = &'a Arc<str>>) -> String {
    texts.map(|text| &**text).collect::<Vec<_>>().join(",")
}

/// A resource of this tree; bookkeeping annotations are moved into its fields.
pub fn adopt_bookkeeping(node: Node, scopes: &Scopes) -> Resource {
    let mut resource = Resource::new(node, scopes);
    read_internal_annotations(&mut resource);
    strip_internal_annotations(&mut resource.node);
    resource
}

/// Reads bookkeeping annotations into the fields of a resource and leaves them in the tree: as in
/// Kustomize, such values in a user's file are used.
pub fn read_internal_annotations(resource: &mut Resource) {
    if !has_bookkeeping_annotation(&resource.node) {
        return;
    }
    let text = |name: &str| resource.annotation(&format!("{INTERNAL}{name}")).unwrap_or_default();
    let list = |name: &str| -> Vec<Arc<str>> {
        let text = resource.annotation(&format!("{INTERNAL}{name}"));
        text.map_or_else(Vec::new, |text| text.split(',').map(Into::into).collect())
    };
    let (names, namespaces) = (list("previousNames"), list("previousNamespaces"));
    let previous = names.into_iter().zip(namespaces).zip(list("previousKinds"));
    let previous = previous.map(|((name, namespace), kind)| PreviousId { kind, name, namespace });
    let enabled = |name: &str| text(name) == "enabled";
    let read = Resource {
        names: EarlierNames::new(previous.collect(), list("prefixes"), list("suffixes")),
        needs_hash: enabled("needsHashSuffix"),
        allow_name_change: enabled("allowNameChange"),
        allow_kind_change: enabled("allowKindChange"),
        behavior: Behavior::from_word(text("generatorBehavior")),
        generated: !text("generatorBehavior").is_empty(),
        helm_generated: text("helm-generated") == "true",
        ..Resource::default()
    };
    let Resource { node, id, origin, transformations, shared, place, .. } =
        std::mem::take(resource);
    *resource = Resource { node, id, origin, shared, transformations, place, ..read };
}

impl Resource {
    /// Removes annotations to which no bookkeeping can be added.
    pub fn drop_unfit_annotations(&mut self) {
        if has_unfit_annotations(&self.node)
            && let Some(metadata) = self.node.get_mut("metadata").and_then(Node::as_mapping_mut)
        {
            metadata.remove("annotations");
        }
    }

    /// Sets the origin. Annotations that are null or empty are replaced, as in Kustomize.
    pub fn set_origin(&mut self, origin: &Arc<ResourceOrigin>) {
        self.drop_unfit_annotations();
        self.origin = Some(Arc::clone(origin));
    }
}

fn has_bookkeeping_annotation(node: &Node) -> bool {
    let entries = node.at(&["metadata", "annotations"]).map(Node::entries).unwrap_or_default();
    entries.iter().any(|entry| entry.key.text().is_some_and(is_bookkeeping))
}
