//! Dangers of applying a difference to a cluster.

mod changes;
mod removals;
mod versions;

pub use removals::Pruning;

use super::{DifferenceCause, FieldChange, ResourcePair};
use crate::engine::diagnostic::{DangerRemark, Diagnostic, PlacedObject};
use crate::engine::resource::Resource;
use crate::engine::yaml::Mark;

/// A danger as a diagnostic about the field at `path`; an empty path means the resource itself.
fn danger(path: impl Into<String>, remark: DangerRemark) -> Diagnostic {
    let path = path.into();
    let field = (!path.is_empty()).then_some(path);
    Diagnostic { field, ..Diagnostic::new(remark, Mark::default()) }
}

const WORKLOADS: [&str; 4] = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"];

/// The dangers of applying the difference of one resource to a cluster. `pruning` is the effect on
/// removed resources.
pub fn dangers(
    pair: &ResourcePair,
    changes: &[(FieldChange, DifferenceCause)],
    pruning: &Pruning,
) -> Vec<Diagnostic> {
    let changes: Vec<&FieldChange> = changes.iter().map(|(change, _)| change).collect();
    match (&pair.before, &pair.after) {
        (Some(before), Some(after)) => change_dangers(before, after, &changes),
        (Some(before), None) => removals::removal_dangers(before, pruning),
        (None, Some(after)) => {
            let mut found = changes::access_dangers(None, &after.node, after);
            found.extend(changes::node_access_dangers(None, after));
            found
        }
        (None, None) => Vec::new(),
    }
}

fn change_dangers(
    before: &Resource,
    after: &Resource,
    changes: &[&FieldChange],
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let same_place = before.id.name == after.id.name
        && before.id.effective_namespace() == after.id.effective_namespace()
        && before.id.gvk.kind == after.id.gvk.kind;
    if same_place {
        found.extend(changes::immutable_field_dangers(before, changes));
        found.extend(changes::volume_shrink_dangers(before, after));
        found.extend(changes::switch_dangers(before, after));
        found.extend(restart_danger(after, changes));
    } else {
        let is_copied = before.needs_hash || after.needs_hash || before.generated;
        if !is_copied {
            let (was, is) = (PlacedObject::from(&before.id), PlacedObject::from(&after.id));
            let remark = DangerRemark::Replaced { before: was, after: is };
            let field = identity_field(before, after);
            found.push(danger(field, remark));
            found.extend(removals::replacement_danger(before, field));
        }
    }
    found.extend(changes::access_dangers(Some(&before.node), &after.node, after));
    found.extend(changes::node_access_dangers(Some(before), after));
    found.extend(versions::image_change_dangers(before, after, changes));
    found.extend(versions::major_chart_dangers(before, after));
    found
}

/// The field that makes another object of a resource: edits of other fields do not replace it.
fn identity_field(before: &Resource, after: &Resource) -> &'static str {
    let has_name = before.id.name == after.id.name;
    let has_place = before.id.effective_namespace() == after.id.effective_namespace();
    match (before.id.gvk.kind == after.id.gvk.kind, has_name, has_place) {
        (false, true, true) => "kind",
        (true, false, true) => "metadata.name",
        (true, true, false) => "metadata.namespace",
        _ => "metadata",
    }
}

fn restart_danger(after: &Resource, changes: &[&FieldChange]) -> Option<Diagnostic> {
    let kind = &*after.id.gvk.kind;
    if !WORKLOADS.contains(&kind) || kind == "ReplicaSet" {
        return None;
    }
    let of_pods: Vec<&&FieldChange> =
        changes.iter().filter(|change| change.path.is_below(&["spec", "template"])).collect();
    let first = of_pods.first()?;
    let by_hash = name_without_hash(first).filter(|_| of_pods.len() == 1);
    let object = PlacedObject::from(&after.id);
    Some(danger(first.path.to_string(), DangerRemark::Restarts { object, by_hash }))
}

/// The name without its hash, if only the hash changed.
fn name_without_hash(change: &FieldChange) -> Option<String> {
    let (before, after) = (change.before.as_ref()?.text()?, change.after.as_ref()?.text()?);
    let ((one, old), (other, new)) = (before.rsplit_once('-')?, after.rsplit_once('-')?);
    let is_hash =
        |text: &str| text.len() == 10 && text.chars().all(|c| "bcdfghkmt2456789".contains(c));
    (one == other && is_hash(old) && is_hash(new)).then(|| one.to_owned())
}

#[cfg(test)]
mod tests;
