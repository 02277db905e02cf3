//! Flux Kustomizations that deploy and prune the same directory.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::answers::SharedFindings;
use crate::engine::manifest::DeploymentObject;
use crate::repository::{LocatedDeploymentObject, Repository};

/// Fields of a Flux Kustomization by which it deploys other objects, or to another place.
const DISTINGUISHING_FIELDS: [&str; 11] = [
    "commonMetadata",
    "components",
    "images",
    "kubeConfig",
    "namePrefix",
    "nameSuffix",
    "patches",
    "postBuild",
    "serviceAccountName",
    "sourceRef",
    "targetNamespace",
];

/// Adds a warning for each Flux Kustomization that prunes the objects of a directory which another
/// one in the same folder prunes as well.
pub fn add_shared_paths(around: &[Arc<Repository>], report: &mut SharedFindings) {
    let objects = around.iter().flat_map(|it| &*it.objects);
    let objects = objects.filter(|it| it.definition.is_flux());
    let mut by_path: BTreeMap<_, Vec<&LocatedDeploymentObject>> = BTreeMap::new();
    for object in objects {
        if let (Some(builds), Some(folder)) = (&object.builds, object.at.file.parent()) {
            let key = (builds, folder, &object.origin.parents);
            by_path.entry(key).or_default().push(object);
        }
    }
    for same in by_path.values().filter(|same| same.len() > 1) {
        let mut pruning: Vec<&LocatedDeploymentObject> = Vec::new();
        for object in same.iter().filter(|object| prunes(&object.definition)) {
            let twin = pruning.iter().find(|other| {
                other.name != object.name && deploy_the_same(&other.definition, &object.definition)
            });
            if let Some(twin) = twin {
                report.add_shared_path(object, &twin.name);
            }
            pruning.push(object);
        }
    }
}

fn prunes(object: &DeploymentObject) -> bool {
    let is_true = |field: &str| object.text(&["spec", field]) == "true";
    is_true("prune") && !is_true("suspend")
}

/// True if two Flux Kustomizations of the same directory deploy the same objects to the same place.
fn deploy_the_same(one: &DeploymentObject, other: &DeploymentObject) -> bool {
    let is_same = |path: &[&str]| match (one.node(path), other.node(path)) {
        (Some(one), Some(other)) => one.same_content(other),
        (one, other) => one.is_none() && other.is_none(),
    };
    is_same(&["metadata", "namespace"])
        && DISTINGUISHING_FIELDS.iter().all(|field| is_same(&["spec", field]))
}
