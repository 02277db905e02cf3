//! Merges the output of a function or a plugin into the resources (sections 8.4 and 8.5).

use crate::diagnostic::PluginFault;
use crate::resource::{
    BEHAVIOR_ANNOTATION, HASH_ANNOTATION, ResId, ResMap, Resource, Scopes, Slot, adopt_bookkeeping,
    behavior, set_annotation, take_annotation,
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

/// The YAML block in the id annotation.
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
    let twice = |id: &ResId| duplicate(configured_by, id, mark);
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

fn duplicate(configured_by: &str, id: &ResId, mark: Mark) -> TransformError {
    let parts = [
        ("group", &id.gvk.group),
        ("version", &id.gvk.version),
        ("kind", &id.gvk.kind),
        ("name", &id.name),
        ("namespace", &id.namespace),
    ];
    let parts = parts.iter().filter(|(_, text)| !text.is_empty());
    let json: Vec<String> = parts.map(|(key, text)| format!("{key:?}:{text:?}")).collect();
    let json = json.join(",");
    let text = format!("plugin {configured_by} generated duplicate resource: {{{json}}}");
    TransformError::fault(PluginFault::Other(text), mark)
        .with_hint("the function must return every object exactly once")
}

/// The object with all its nodes marked as written by the step.
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
///
/// # Errors
/// A `needs-hash` that is not a Go boolean.
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
        resource.behavior = behavior(&word);
    }
    resource.generated = true;
    Ok(())
}

/// The boolean that a text means for Go's `strconv.ParseBool`.
pub(super) fn go_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::resource::Behavior;
    use crate::yaml::{Limits, SourceId, WriterId, parse_documents};

    fn nodes(text: &str, source: u32) -> Vec<Node> {
        let file = parse_documents(text.as_bytes(), SourceId(source), Limits::default()).unwrap();
        file.documents.into_iter().map(|document| document.node).collect()
    }

    fn objects(text: &str, source: u32) -> Vec<Resource> {
        let nodes = nodes(text, source).into_iter();
        nodes.map(|node| Resource::new(node, &Scopes::default())).collect()
    }

    fn map(text: &str) -> ResMap {
        let mut map = ResMap::starting_at(0, Arc::default());
        for node in nodes(text, 1) {
            map.append(Resource::new(node, &Scopes::default())).unwrap();
        }
        map.take_changes();
        map
    }

    fn names(map: &ResMap) -> Vec<String> {
        map.iter().map(|(_, resource)| resource.id.name.to_string()).collect()
    }

    const STEP: Mark = Mark { source: SourceId(9), line: 3, column: 1, writer: WriterId(7) };
    const THREE_RESOURCES: &str = "{apiVersion: v1, kind: A, metadata: {name: a}, x: 1, y: 2}\n---\n\
                         {apiVersion: v1, kind: A, metadata: {name: b}}\n---\n\
                         {apiVersion: v1, kind: A, metadata: {name: c}}\n";

    #[test]
    fn replaces_appends_and_removes_by_current_id() {
        let mut map = map(THREE_RESOURCES);
        let back = "{apiVersion: v1, kind: A, metadata: {name: d}}\n---\n\
                    {apiVersion: v1, kind: A, metadata: {name: c}}\n---\n\
                    {y: 3, x: 1, apiVersion: v1, kind: A, metadata: {name: a}}\n";
        apply_answer(&mut map, &objects(back, 2), "p", STEP).unwrap();
        assert_eq!(names(&map), ["a", "c", "d"]);
        let (_, a) = map.iter().next().unwrap();
        assert_eq!(a.node.get("y").unwrap().mark, STEP);
        assert_eq!(a.node.get("x").unwrap().mark.source, SourceId(1));
        let changes = map.take_changes();
        let touched: Vec<u32> = changes.iter().map(|change| change.slot.0).collect();
        assert_eq!(touched, [3, 0, 1], "c came back as it was");
    }

    #[test]
    fn bookkeeping_survives_a_round_trip() {
        let mut map = map("{apiVersion: apps/v1, kind: A, metadata: {name: a}}\n");
        let slot = map.slots()[0];
        map.update(slot, |resource| {
            resource.store_previous_id();
            resource.names.add_prefix("p-".into());
            resource.needs_hash = true;
            resource.behavior = Behavior::Merge;
        });
        map.take_changes();
        let shown = resources_for_programs(&map);
        let annotation = |key: &str| shown[0].at(&["metadata", "annotations", key]).unwrap().text();
        assert_eq!(annotation(ID_ANNOTATION), Some("group: apps\nkind: A\nname: a\nversion: v1\n"));
        assert_eq!(annotation("internal.config.kubernetes.io/previousNamespaces"), Some("default"));
        let back = shown.into_iter().map(|node| Resource::new(node, &Scopes::default()));
        apply_answer(&mut map, &back.collect::<Vec<_>>(), "p", STEP).unwrap();
        assert!(map.take_changes().is_empty(), "no change");
    }
}
