//! The accumulator of a kustomization (resources, field specs, vars) and the absorption of
//! generated resources.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::diagnostic::{Fault, FieldFault, GeneratorFault};
use crate::manifest::TransformerConfig;
use crate::profile::{Profile, Switch};
use crate::resource::{Behavior, ResMap, Resource, Slot, list_in_metadata};
use crate::transform::VarSet;
use crate::yaml::{MappingEntry, Mark, Node, NodeKind, Style, Tag, new_string_style};

/// Resources and the configuration gathered with them (Kustomize: `accumulator.ResAccumulator`).
#[derive(Clone, Debug, Default)]
pub(super) struct Accumulator {
    pub(super) resources: ResMap,
    pub(super) config: Arc<TransformerConfig>,
    pub(super) vars: VarSet,
    /// True if a resource with `behavior: merge` or `replace` that has no counterpart is added. It
    /// keeps its behavior, which is applied when another accumulator absorbs the result: for a
    /// Composition of `generators:` (section A.15).
    pub(super) keeps_unmatched: bool,
}

impl Accumulator {
    pub(super) fn into_output(self) -> Vec<(Slot, Arc<Resource>)> {
        self.resources.iter().map(|(slot, resource)| (slot, resource.clone())).collect()
    }
}

/// Adds a generated resource, or merges it into its target (section 3.6); returns its slot.
pub(super) fn absorb(
    acc: &mut Accumulator,
    new: Resource,
    profile: Profile,
) -> Result<Slot, Fault> {
    let Accumulator { resources, keeps_unmatched, .. } = acc;
    let found = resources.find_any(&new.id);
    let combines = matches!(new.behavior, Behavior::Merge | Behavior::Replace);
    let id = new.id.clone();
    match found.as_slice() {
        [] if combines && !*keeps_unmatched => {
            Err(GeneratorFault::NothingToMerge(id.to_string()).into())
        }
        [] => resources.append(new).map_err(Fault::from),
        [slot] if combines => {
            let Some(old) = resources.get(*slot).cloned() else { return Ok(*slot) };
            if let Some(list) = list_in_metadata(&old.node) {
                return Err(FieldFault::wrong_kind(NodeKind::Mapping, list).into());
            }
            resources.replace(*slot, combine(&old, new, profile));
            Ok(*slot)
        }
        [_] => {
            let (id, behavior) = (id.to_string(), new.behavior.word());
            Err(GeneratorFault::Exists { id, behavior }.into())
        }
        [..] => Err(GeneratorFault::SeveralToMerge(id.to_string()).into()),
    }
}

/// The resource that replaces `old` in its slot: `new` with the old name and namespace, the labels
/// and annotations of both, and for `merge` the data of both. Labels and annotations are written
/// after all other metadata, as in Kustomize. All other fields of `old` are lost.
fn combine(old: &Resource, mut new: Resource, profile: Profile) -> Resource {
    let behavior = new.behavior;
    let metadata = |resource: &Resource, key: &str| resource.node.at(&["metadata", key]).cloned();
    for key in ["labels", "annotations"] {
        let (old, new_one) = (metadata(old, key), metadata(&new, key));
        if let Some(union) = union(old.as_ref(), new_one.as_ref(), to_metadata_text) {
            set_metadata(&mut new.node, key, None);
            set_metadata(&mut new.node, key, Some(union));
        }
    }
    for key in ["name", "namespace"] {
        let style = metadata(&new, key).and_then(|node| node.as_scalar().map(|new| new.style));
        let again = metadata(old, key).and_then(|node| old_value_in_new_style(&node, style));
        set_metadata(&mut new.node, key, again);
    }
    if behavior == Behavior::Merge {
        for key in ["data", "binaryData"] {
            let union = union(old.node.get(key), new.node.get(key), to_data_string);
            let Some(mapping) = new.node.as_mapping_mut() else { continue };
            match union {
                Some(union) => mapping.set(key, union),
                None => drop(mapping.remove(key)),
            }
        }
        new.origin.clone_from(&old.origin);
    }
    if new.transformations.is_empty() {
        new.transformations.clone_from(&old.transformations);
    }
    new.needs_hash = old.needs_hash && (new.needs_hash || profile.has(Switch::HashKept));
    new.names.clone_from(&old.names);
    new.behavior = old.behavior;
    new.generated = old.generated;
    new.id = old.id.clone();
    new
}

/// The name or namespace of the old object as Kustomize writes it over the new value: untagged and
/// in the style of the new value; quoted if the new value has no style and the text would be
/// misread. `None` if the old value is empty or null.
fn old_value_in_new_style(old: &Node, style: Option<Style>) -> Option<Node> {
    let text = old.text().filter(|text| !text.is_empty() && !old.is_null())?;
    let style = style.unwrap_or_else(|| new_string_style(text));
    Some(Node::scalar(text, Tag::None, style).marked(old.mark))
}

fn set_metadata(node: &mut Node, key: &str, value: Option<Node>) {
    let Some(mapping) = node.as_mapping_mut() else { return };
    if mapping.get("metadata").is_none() {
        mapping.set("metadata", Node::mapping());
    }
    let Some(metadata) = mapping.get_mut("metadata").and_then(Node::as_mapping_mut) else { return };
    match value {
        Some(value) => metadata.set(key, value),
        None => drop(metadata.remove(key)),
    }
}

/// Merges both maps into one string map in key order; values of the new map take precedence. `None`
/// if both are empty.
fn union(old: Option<&Node>, new: Option<&Node>, string: fn(&Node) -> Node) -> Option<Node> {
    let mut entries: IndexMap<&str, (&Node, &Node)> = IndexMap::new();
    for MappingEntry { key, value } in [old, new].into_iter().flatten().flat_map(Node::entries) {
        entries.insert(key.text().unwrap_or_default(), (key, value));
    }
    if entries.is_empty() {
        return None;
    }
    entries.sort_unstable_keys();
    let mut out = Node::mapping();
    let mapping = out.as_mapping_mut()?;
    for (key, value) in entries.into_values() {
        mapping.entries.push(MappingEntry { key: key.clone(), value: string(value) });
    }
    Some(out)
}

/// A data value in Kustomize's string maps: null and non-scalar values become empty strings.
fn to_data_string(value: &Node) -> Node {
    if value.is_null() { Node::string("").marked(value.mark) } else { to_metadata_text(value) }
}

/// A label or annotation in Kustomize's string maps: a text, even for a null, quoted only where
/// YAML 1.1 would misread it.
fn to_metadata_text(value: &Node) -> Node {
    let text = value.as_scalar().map_or_else(|| "".into(), |scalar| scalar.text.clone());
    let style = match &*text {
        text if text.contains('\n') => Style::Literal,
        text => new_string_style(text),
    };
    Node::scalar(text, Tag::Str, style).marked(value.mark)
}

/// Drops the resources that a transformer left empty (Kustomize: `DropEmpties`).
pub(super) fn drop_empties(resources: &mut ResMap) {
    let is_empty = |(_, resource): &(Slot, &Arc<Resource>)| resource.is_empty();
    let empty: Vec<Slot> = resources.iter().filter(is_empty).map(|(slot, _)| slot).collect();
    if !empty.is_empty() {
        resources.remove_all(&empty);
    }
}

/// The location that messages about a resource contain: that of its first key.
pub(super) fn place(resource: &Resource) -> Mark {
    let first = resource.node.entries().first();
    first.map_or(resource.node.mark, |entry| entry.key.mark)
}
