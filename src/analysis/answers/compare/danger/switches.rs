//! Fields that stop or start work: replicas, suspension, pruning.

use super::danger;
use super::removals::is_true;
use crate::engine::diagnostic::{DangerRemark, Diagnostic, PlacedObject};
use crate::engine::resource::Resource;

const REPLICA_KINDS: [(&str, &str); 5] = [
    ("apps", "Deployment"),
    ("apps", "StatefulSet"),
    ("apps", "ReplicaSet"),
    ("", "ReplicationController"),
    ("argoproj.io", "Rollout"),
];

/// Findings for the switches that a change flips: replicas set to 0, `suspend`, `paused`, pruning.
pub(super) fn switch_dangers(before: &Resource, after: &Resource) -> Vec<Diagnostic> {
    let object = || PlacedObject::from(&after.id);
    let mut found = Vec::new();
    let id = (&*after.id.gvk.group, &*after.id.gvk.kind);
    let replicas = |resource: &Resource| {
        let replicas = resource.node.at(&["spec", "replicas"])?;
        replicas.text()?.parse::<u64>().ok()
    };
    if REPLICA_KINDS.contains(&id) && replicas(after) == Some(0) && replicas(before) != Some(0) {
        found.push(danger("spec.replicas", DangerRemark::ScaledToZero { object: object() }));
    }
    for field in ["suspend", "paused"] {
        let path = ["spec", field];
        let remark = match (is_true(before, &path), is_true(after, &path)) {
            (false, true) => DangerRemark::Suspended { object: object() },
            (true, false) => DangerRemark::Resumed { object: object() },
            _ => continue,
        };
        found.push(danger(path.join("."), remark));
    }
    if let Some(path) = pruning_field(id) {
        let (was, is_on) = (is_true(before, path), is_true(after, path));
        if was != is_on {
            let remark = DangerRemark::Pruning { object: object(), is_on };
            found.push(danger(path.join("."), remark));
        }
    }
    found
}

/// The path of the field that switches pruning on in a deployment object of this group and kind.
fn pruning_field(id: (&str, &str)) -> Option<&'static [&'static str]> {
    Some(match id {
        ("kustomize.toolkit.fluxcd.io", "Kustomization") => &["spec", "prune"],
        ("argoproj.io", "Application") => &["spec", "syncPolicy", "automated", "prune"],
        ("argoproj.io", "ApplicationSet") => {
            &["spec", "template", "spec", "syncPolicy", "automated", "prune"]
        }
        _ => return None,
    })
}
