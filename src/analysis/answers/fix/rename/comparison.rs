//! Compares the build of a target before and after a rename.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::answers::recording::field::path_text;
use crate::engine::evaluate::{Evaluation, StepKind, StepOutcome};
use crate::engine::resource::{PathStep, Resource, Slot};
use crate::engine::yaml::Node;

use super::TargetBefore;
use super::name_change::NameChange;
use super::places::referring_names;

/// Requires that the output of a target differs only in the name, that no entry loses its match,
/// and that no reference keeps the old name. `only_refers` is true for a base that is built only
/// with others: without the resource it may refer to it, unless it means its resource with that name.
pub(super) fn compare(
    before: &TargetBefore,
    now: &Evaluation,
    change: &NameChange,
    only_refers: bool,
) -> Result<(), String> {
    let (old, new) = (resources(&before.built), resources(now));
    let mut names: Vec<Arc<str>> =
        before.resources.iter().flat_map(|it| it.names.iter().cloned()).collect();
    // A reference with the old or the new name can mean such a resource.
    let can_mean = |it: &Resource| {
        *it.id.gvk.kind == *change.kind && [&*change.declared, &change.new].contains(&&*it.id.name)
    };
    if names.is_empty() && only_refers && !old.values().any(|it| can_mean(it)) {
        names.push(change.declared.clone());
    }
    for (slot, was) in &old {
        let title = || format!("{} {}", was.id.gvk.kind, was.id.name);
        let Some(now) = new.get(slot) else {
            return Err(format!("{} would not be in the output", title()));
        };
        let is_renamed = before.resources.iter().any(|it| it.slot == *slot);
        if !is_renamed && was.id.name != now.id.name {
            return Err(format!("{} would have the name {}", title(), now.id.name));
        }
        let explains = |was: &str, now: &str| change.explains(&names, was, now);
        if let Some(path) = first_difference(&was.node, &now.node, &explains) {
            return Err(format!("{} would change in {}", title(), path_text(&path)));
        }
    }
    if let Some((_, added)) = new.iter().find(|(slot, _)| !old.contains_key(slot)) {
        return Err(format!("{} {} would be added", added.id.gvk.kind, added.id.name));
    }
    check_matches(before, now)?;
    check_references(before, &new, now)
}

fn resources(built: &Evaluation) -> BTreeMap<Slot, &Arc<Resource>> {
    let output = built.outcome.as_ref().map(Vec::as_slice).unwrap_or_default();
    built.slots.iter().copied().zip(output).collect()
}

fn first_difference(
    was: &Node,
    now: &Node,
    explains: &dyn Fn(&str, &str) -> bool,
) -> Option<Vec<PathStep>> {
    if let (Some(was), Some(now)) = (was.as_scalar(), now.as_scalar()) {
        let is_same = was.text == now.text && was.tag == now.tag;
        return (!is_same && !explains(&was.text, &now.text)).then(Vec::new);
    }
    let below = |step: PathStep, was: &Node, now: &Node| {
        let mut path = first_difference(was, now, explains)?;
        path.insert(0, step);
        Some(path)
    };
    if let (Some(was), Some(now)) = (was.items(), now.items()) {
        let mut items = was.iter().zip(now).enumerate();
        let found = items.find_map(|(at, (was, now))| below(PathStep::Index(at), was, now));
        return found.or_else(|| (was.len() != now.len()).then(Vec::new));
    }
    let (was, now) = (was.as_mapping().map(|_| was), now.as_mapping().map(|_| now));
    let (Some(was), Some(now)) = (was, now) else { return Some(Vec::new()) };
    if was.entries().len() != now.entries().len() {
        return Some(Vec::new());
    }
    was.entries().iter().zip(now.entries()).find_map(|(old, new)| {
        let key = old.key.text().unwrap_or_default();
        if new.key.text() != old.key.text() {
            return Some(vec![PathStep::Key(key.into())]);
        }
        below(PathStep::Key(key.into()), &old.value, &new.value)
    })
}

fn check_matches(before: &TargetBefore, now: &Evaluation) -> Result<(), String> {
    let (old, new) = (&before.built.trace, &now.trace);
    let is_unmatched = |outcome: &StepOutcome| matches!(outcome, StepOutcome::MatchedNothing);
    let both = old.steps.iter().zip(&new.steps);
    let mut lost = both.filter(|(was, now)| {
        was.kind != StepKind::NameReferences
            && was.field == now.field
            && is_unmatched(&now.outcome)
            && !is_unmatched(&was.outcome)
    });
    match lost.next() {
        Some((_, step)) => {
            let (field, argument) = (step.field, &step.argument);
            Err(format!("`{field}` {argument} would match no resource"))
        }
        None => Ok(()),
    }
}

fn check_references(
    before: &TargetBefore,
    new: &BTreeMap<Slot, &Arc<Resource>>,
    now: &Evaluation,
) -> Result<(), String> {
    let mut steps = now.trace.steps.iter();
    let step = steps.find(|step| step.kind == StepKind::NameReferences);
    let Some(table) = step.and_then(|step| step.transformer.as_deref()) else { return Ok(()) };
    let old = resources(&before.built);
    for own in &before.resources {
        let Some(was) = old.get(&own.slot) else { continue };
        let has_it = |it: &Resource| it.id.gvk.kind == was.id.gvk.kind && it.id.name == was.id.name;
        if new.values().any(|it| has_it(it)) {
            continue;
        }
        for referrer in new.values() {
            let names = referring_names(table, referrer, &was.id.gvk);
            if names.iter().any(|node| node.text() == Some(&*was.id.name)) {
                let (kind, name) = (&referrer.id.gvk.kind, &referrer.id.name);
                return Err(format!("{kind} {name} would still refer to {}", was.id.name));
            }
        }
    }
    Ok(())
}
