//! Merges the output of a function into the resources, depending on the role of the function (C.4,
//! C.5).

use std::sync::Arc;

use crate::diagnostic::{PluginFault, ResourceFault};
use crate::resource::{
    BEHAVIOR_ANNOTATION, Behavior, ResId, ResMap, Resource, ResourceOrigin, Scopes, Slot,
    set_annotation, take_annotation,
};
use crate::transform::{ORIGIN, TRANSFORMATIONS, TransformError};
use crate::yaml::{Mark, Node, to_json};

use super::answer::{mark_as_written, replace_resources, take_options};
use super::reconcile::{ReplyingFunction, ReturnedObject, match_returned_objects};

const VALIDATED_BY: &str = "validated-by";

/// The effect of a function's output.
#[derive(Clone, Debug, Default)]
pub struct AppliedReply {
    pub warnings: Vec<String>,
    /// The slots of the returned objects, in their order.
    pub order: Vec<Slot>,
    /// New objects, to be added like those of a generator.
    pub new_resources: Vec<Resource>,
}

/// The objects that a generator returned.
///
/// # Errors
/// An invalid `needs-hash`; two objects with the same id.
pub fn receive_generated(
    items: Vec<Node>,
    scopes: &Scopes,
    cx: ReplyingFunction<'_>,
) -> Result<AppliedReply, TransformError> {
    let (back, warnings) = receive_objects(items, scopes, cx)?;
    let mut seen = ResMap::default();
    let mut made = Vec::with_capacity(back.len());
    for ReturnedObject { mut resource, .. } in back {
        take_options(&mut resource, cx.mark)?;
        if seen.append(resource.clone()).is_err() {
            return Err(duplicate_id_error(&resource.id, cx));
        }
        made.push(mark_as_written(resource, cx.mark));
    }
    Ok(AppliedReply { warnings, new_resources: made, ..AppliedReply::default() })
}

/// Replaces the input of a transformer by its output.
///
/// # Errors
/// Two objects of one id; in a Composition a bad `needs-hash`.
pub fn receive_transformed(
    resources: &mut ResMap,
    items: Vec<Node>,
    cx: ReplyingFunction<'_>,
) -> Result<AppliedReply, TransformError> {
    let scopes = resources.scopes().clone();
    let before = resources.len();
    let (back, mut warnings) = receive_objects(items, &scopes, cx)?;
    let (mut answer, mut made) = (Vec::with_capacity(back.len()), Vec::new());
    let mut inputs = 0_usize;
    for ReturnedObject { mut resource, input } in back {
        inputs += usize::from(input.is_some());
        if cx.composed && resource.annotation(BEHAVIOR_ANNOTATION).is_some() {
            resource = Resource::new(resource.node, &scopes);
            take_options(&mut resource, cx.mark)?;
            made.push(mark_as_written(resource, cx.mark));
            continue;
        }
        if cx.composed && input.is_none() {
            take_options(&mut resource, cx.mark)?;
        }
        answer.push(resource);
    }
    keep_targets(resources, &mut answer, &made);
    if cx.composed && before > 0 && inputs == 0 && !(answer.is_empty() && made.is_empty()) {
        warnings.push(format!(
            "{} dropped all {before} input resources; if it is a generator, place it first",
            cx.configured_by
        ));
    }
    let twice = |id: &ResId| duplicate_id_error(id, cx);
    let order = replace_resources(resources, answer, cx.mark, twice)?;
    Ok(AppliedReply { warnings, order, new_resources: made })
}

/// Keeps the resources into which new objects are merged, even if the function did not return them.
fn keep_targets(resources: &ResMap, answer: &mut Vec<Resource>, made: &[Resource]) {
    for new in made.iter().filter(|new| matches!(new.behavior, Behavior::Merge | Behavior::Replace))
    {
        if answer.iter().any(|resource| resource.id.same(&new.id)) {
            continue;
        }
        let old = resources.find_current(&new.id);
        let old = old.first().and_then(|slot| resources.get(*slot));
        answer.extend(old.map(|old| Resource::clone(old)));
    }
}

/// Runs a validator; fails if it changes more than the label `validated-by`. In Kustomize every
/// validator function fails, because of the annotations that are added for it. The resources stay as
/// they were, with the new label: a validator returns the same data, perhaps in another notation, and
/// is not the writer of them.
///
/// # Errors
/// Those of `work`; any other change.
pub fn validate<T>(
    resources: &mut ResMap,
    mark: Mark,
    work: impl FnOnce(&mut ResMap) -> Result<T, TransformError>,
) -> Result<T, TransformError> {
    let before: Vec<(Slot, Arc<Resource>)> =
        resources.iter().map(|(slot, resource)| (slot, resource.clone())).collect();
    let result = work(resources)?;
    let count = before.len();
    let mut labelled = Vec::new();
    let mut change = None;
    for (slot, old) in before {
        let path = match resources.get(slot) {
            Some(new) if Arc::ptr_eq(&old, new) => continue,
            Some(new) => {
                let mut expected = Resource::clone(&old);
                set_label(&mut expected.node, &new.node, mark);
                let path = first_difference(&expected.node, &new.node);
                labelled.push((slot, expected));
                path.map(|path| if path.is_empty() { ".".to_owned() } else { path })
            }
            None => Some("removed".to_owned()),
        };
        change = change.or_else(|| Some(format!("{}: {}", old.id, path?)));
    }
    let added = || Some(format!("{}: added", resources.iter().nth(count)?.1.id));
    if let Some(change) = change.or_else(added) {
        let hint = "list it under `transformers:` if it is meant to change resources";
        let fault = ResourceFault::ChangedByValidator(change);
        return Err(TransformError::fault(fault, mark).with_hint(hint));
    }
    for (slot, resource) in labelled {
        resources.replace(slot, resource);
    }
    Ok(result)
}

fn receive_objects(
    items: Vec<Node>,
    scopes: &Scopes,
    cx: ReplyingFunction<'_>,
) -> Result<(Vec<ReturnedObject>, Vec<String>), TransformError> {
    let (back, warnings) = match_returned_objects(items, scopes, cx);
    let mut back = back.map_err(|fault| TransformError::fault(fault, cx.mark))?;
    for item in &mut back {
        // The build records the origin of existing resources itself, so that origin annotations are
        // used only for new objects.
        let input = item.input.and_then(|index| cx.sent.get(index));
        let transformations = take_annotation(&mut item.resource.node, TRANSFORMATIONS);
        match input.map(|input| input.resource.annotation(TRANSFORMATIONS)) {
            Some(Some(own)) => set_annotation(&mut item.resource.node, TRANSFORMATIONS, own),
            Some(None) => {}
            // The build has no origin for a new object.
            None => {
                if let Some(text) = transformations {
                    set_annotation(&mut item.resource.node, TRANSFORMATIONS, &text);
                }
            }
        }
        let origin = take_annotation(&mut item.resource.node, ORIGIN);
        match input.and_then(|input| input.resource.annotation(ORIGIN)) {
            Some(own) => set_annotation(&mut item.resource.node, ORIGIN, own),
            None if item.input.is_none() => {
                item.resource.origin = origin.map(|text| Arc::new(read_origin(&text)));
            }
            None => {}
        }
    }
    Ok((back, warnings))
}

fn read_origin(text: &str) -> ResourceOrigin {
    let value = |key: &str| {
        let lines = text.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        lines.map(|value| value.trim().to_owned()).next().unwrap_or_default()
    };
    ResourceOrigin {
        path: value("path"),
        repo: value("repo"),
        reference: value("ref"),
        configured_in: value("configuredIn"),
        configured_by: None,
    }
}

fn duplicate_id_error(id: &ResId, cx: ReplyingFunction<'_>) -> TransformError {
    let text = format!("function {} generated duplicate resource: {id}", cx.configured_by);
    let hint = "a function must return every object exactly once";
    TransformError::fault(PluginFault::Other(text), cx.mark).with_hint(hint)
}

/// Gives an object the label `validated-by` of another one, or removes it.
fn set_label(node: &mut Node, from: &Node, mark: Mark) {
    let label = |node: &Node| node.at(&["metadata", "labels", VALIDATED_BY]).cloned();
    let value = label(from);
    if label(node).as_ref().and_then(Node::text) == value.as_ref().and_then(Node::text) {
        return;
    }
    let Some(metadata) = node.get_mut("metadata").and_then(Node::as_mapping_mut) else { return };
    if metadata.get("labels").is_none_or(Node::is_null) {
        metadata.set("labels", Node::mapping().marked(mark));
    }
    let Some(labels) = metadata.get_mut("labels").and_then(Node::as_mapping_mut) else { return };
    match value {
        Some(value) => labels.set(VALIDATED_BY, value.marked(mark)),
        None => drop(labels.remove(VALIDATED_BY)),
    }
    if labels.entries.is_empty() {
        metadata.remove("labels");
    }
}

/// The path of the first value that differs in meaning, regardless of style, the order of keys and
/// empty fields; empty for the values themselves.
fn first_difference(was: &Node, is: &Node) -> Option<String> {
    if was.same_content(is) {
        return None;
    }
    let below = |key: &str, was: Option<&Node>, is: Option<&Node>| {
        let path = match (was, is) {
            (Some(was), Some(is)) => first_difference(was, is)?,
            (None, None) => return None,
            _ => String::new(),
        };
        Some(if path.is_empty() { key.to_owned() } else { format!("{key}.{path}") })
    };
    if was.as_mapping().is_some() && is.as_mapping().is_some() {
        let field = |node: &'_ Node, key: &str| {
            node.get(key).filter(|it| !it.is_null() && !it.is_empty_collection()).cloned()
        };
        let entries = was.entries().iter().chain(is.entries());
        let mut keys = entries.map(|entry| entry.key.text().unwrap_or_default());
        return keys.find_map(|key| {
            let (was, is) = (field(was, key), field(is, key));
            below(key, was.as_ref(), is.as_ref())
        });
    }
    if let (Some(before), Some(after)) = (was.items(), is.items()) {
        let mut places = 0..before.len().max(after.len());
        return places.find_map(|at| below(&at.to_string(), before.get(at), after.get(at)));
    }
    let is_equal = matches!((to_json(was), to_json(is)), (Ok(was), Ok(is)) if was == is);
    (!is_equal).then(String::new)
}

#[cfg(test)]
mod tests;
