//! Merges the output of a function or a plugin into the resources (sections 8.4 and 8.5).

use crate::diagnostic::PluginFault;
use crate::load::go_bool;
use crate::resource::{
    BEHAVIOR_ANNOTATION, Behavior, HASH_ANNOTATION, ResId, ResMap, Resource, Scopes, Slot,
    adopt_bookkeeping, set_annotation, take_annotation,
};
use crate::transform::{TransformError, program_input_tree, take_origin_annotations};
use crate::yaml::{Mapping, MappingEntry, Mark, Node, Style, Value, to_json};

/// The annotation by which Kustomize identifies resources to a program.
pub const ID_ANNOTATION: &str = "kustomize.config.k8s.io/id";

/// The resources as passed to a program, in order: internal data are in annotations, and the id
/// annotation is added.
pub fn resources_for_programs(resources: &ResMap) -> Vec<Node> {
    let shown = resources.iter().map(|(_, resource)| {
        let mut node = program_input_tree(resource);
        set_annotation(&mut node, ID_ANNOTATION, &id_block(&resource.id));
        node
    });
    shown.collect()
}

fn id_block(id: &ResId) -> String {
    let parts = [
        ("group", &id.gvk.group),
        ("kind", &id.gvk.kind),
        ("name", &id.name),
        ("namespace", &id.namespace),
        ("version", &id.gvk.version),
    ];
    let lines = parts.iter().filter(|(_, text)| !text.is_empty());
    let lines = lines.map(|(key, text)| {
        // A name that would otherwise not be read as a text.
        let quote = if crate::yaml::v1_1_is_string(text) { "" } else { "\"" };
        format!("{key}: {quote}{text}{quote}\n")
    });
    lines.collect()
}

/// Replaces the input of a transformer by its output: an object replaces the resource with the same
/// current id, or is appended; resources that are missing in the output are removed.
///
/// `configured_by` is used in messages (`api: v1, kind: Foo, name: f`, or a plugin's path); every
/// changed node gets `mark`.
///
/// # Errors
/// Two objects of the same id.
pub fn apply_answer(
    resources: &mut ResMap,
    returned: &[Resource],
    configured_by: &str,
    mark: Mark,
) -> Result<(), TransformError> {
    let scopes = resources.scopes().clone();
    let mut adopted = Vec::with_capacity(returned.len());
    for read in returned {
        let mut node = read.node.clone();
        take_annotation(&mut node, ID_ANNOTATION);
        let mut new = adopt_bookkeeping(node, &scopes);
        let old = resources.find_current(&new.id);
        if let Some(old) = old.first().and_then(|slot| resources.get(*slot)) {
            take_origin_annotations(&mut new, old);
        }
        adopted.push(new);
    }
    let traces = |it: &Resource| (it.origin.clone(), it.transformations.clone());
    let traces: Vec<_> = adopted.iter().map(traces).collect();
    let twice = |id: &ResId| {
        let text = format!("plugin {configured_by} generated duplicate resource: {id}");
        TransformError::fault(PluginFault::Other(text), mark)
            .with_hint("the function must return every object exactly once")
    };
    let slots = replace_resources(resources, adopted, mark, twice)?;
    for (slot, traces) in slots.into_iter().zip(traces) {
        resources.update(slot, |resource| {
            (resource.origin, resource.transformations) = traces;
        });
    }
    Ok(())
}

/// Same as [`apply_answer`], for objects whose internal data are already restored. Returns their
/// slots in the order of the output.
///
/// # Errors
/// Two objects of one id (`twice`); a new object with the id of another resource that is kept.
pub(super) fn replace_resources(
    resources: &mut ResMap,
    returned: Vec<Resource>,
    mark: Mark,
    twice: impl FnOnce(&ResId) -> TransformError,
) -> Result<Vec<Slot>, TransformError> {
    let mut kept = ResMap::starting_at(0, resources.scopes().clone());
    let mut slots = Vec::with_capacity(returned.len());
    for resource in returned {
        if kept.append(resource.clone()).is_err() {
            return Err(twice(&resource.id));
        }
        match resources.find_current(&resource.id).first() {
            Some(slot) => {
                slots.push(*slot);
                let Some(old) = resources.get(*slot).cloned() else { continue };
                let mut merged = resource;
                blame(&old.node, &mut merged.node, mark);
                merged.origin.clone_from(&old.origin);
                merged.transformations.clone_from(&old.transformations);
                if *old != merged {
                    resources.replace(*slot, merged);
                }
            }
            None => slots.push(resources.append(mark_as_written(resource, mark))?),
        }
    }
    let gone = resources.iter().filter(|(_, resource)| kept.find_current(&resource.id).is_empty());
    let gone: Vec<_> = gone.map(|(slot, _)| slot).collect();
    resources.remove_all(&gone);
    Ok(slots)
}

pub(super) fn mark_as_written(mut resource: Resource, mark: Mark) -> Resource {
    resource.node.mark_all(mark);
    resource
}

/// Restores the old mark of each unchanged node; changed nodes get the mark of the step. Keys keep
/// their old order and collections their old style, which do not affect the output, so that an
/// unchanged resource is equal to the old one.
fn blame(old: &Node, new: &mut Node, mark: Mark) {
    if new.comments.is_none() {
        new.comments.clone_from(&old.comments);
    }
    match (&old.value, &mut new.value) {
        (Value::Scalar(was), Value::Scalar(is)) => {
            let kept = was.text == is.text && was.is_null() == is.is_null();
            new.mark = if kept { old.mark } else { mark };
            if kept && (was.style == is.style || is_same_value(old, new)) {
                new.value = old.value.clone();
            }
        }
        (Value::Sequence(was, flow), Value::Sequence(..)) => {
            let (was, flow) = (was.clone(), *flow);
            for (index, item) in new.items_mut().into_iter().flatten().enumerate() {
                match was.get(index) {
                    Some(old) => blame(old, item, mark),
                    None => item.mark_all(mark),
                }
            }
            if let Value::Sequence(_, style) = &mut new.value {
                *style = flow;
            }
            new.mark = old.mark;
        }
        (Value::Mapping(was), Value::Mapping(_)) => {
            let was = was.clone();
            if let Some(mapping) = new.as_mapping_mut() {
                blame_entries(&was, mapping, mark);
                mapping.style = was.style;
            }
            new.mark = old.mark;
        }
        _ => new.mark_all(mark),
    }
}

/// True if two values differ only in their YAML style, in a way that does not affect the output.
fn is_same_value(old: &Node, new: &Node) -> bool {
    let folded = |node: &Node| node.as_scalar().is_some_and(|scalar| scalar.style == Style::Folded);
    match (to_json(old), to_json(new)) {
        (Ok(was), Ok(is)) => was == is && !folded(old) && !folded(new),
        _ => false,
    }
}

/// Marks changed and added entries of a mapping as written by the step, and keeps the old order.
fn blame_entries(was: &Mapping, is: &mut Mapping, mark: Mark) {
    let mut ranked: Vec<(usize, MappingEntry)> = Vec::with_capacity(is.entries.len());
    for mut entry in is.entries.drain(..) {
        let key = entry.key.text();
        let place = was.entries.iter().position(|old| old.key.text() == key);
        if let Some(old) = place.and_then(|place| was.entries.get(place)) {
            entry.key = old.key.clone();
            blame(&old.value, &mut entry.value, mark);
        } else {
            entry.key.mark_all(mark);
            entry.value.mark_all(mark);
        }
        ranked.push((place.unwrap_or(usize::MAX), entry));
    }
    ranked.sort_by_key(|(place, _)| *place);
    is.entries = ranked.into_iter().map(|(_, entry)| entry).collect();
}

/// The output of a generator as resources, with the options from their annotations.
///
/// # Errors
/// A `needs-hash` that is not a Go boolean.
pub fn generated(
    returned: &[Resource],
    scopes: &Scopes,
    mark: Mark,
) -> Result<Vec<Resource>, TransformError> {
    let made = returned.iter().map(|read| {
        let mut resource = adopt_bookkeeping(read.node.clone(), scopes);
        take_options(&mut resource, mark)?;
        Ok(mark_as_written(resource, mark))
    });
    made.collect()
}

/// Removes the annotations with generator options from an object and applies the options.
pub(super) fn take_options(resource: &mut Resource, mark: Mark) -> Result<(), TransformError> {
    let hash = take_annotation(&mut resource.node, HASH_ANNOTATION);
    let word = take_annotation(&mut resource.node, BEHAVIOR_ANNOTATION);
    if let Some(text) = hash {
        resource.needs_hash = go_bool(&text).ok_or_else(|| {
            let text =
                format!("the annotation {HASH_ANNOTATION:?} contains an invalid value ({text:?})");
            let hint = "set the annotation to `true` or `false`";
            TransformError::fault(PluginFault::Other(text), mark).with_hint(hint)
        })?;
    }
    if let Some(word) = word {
        resource.behavior = Behavior::from_word(&word);
    }
    resource.generated = true;
    Ok(())
}
