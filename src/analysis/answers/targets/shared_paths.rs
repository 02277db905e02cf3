//! Flux Kustomizations that deploy and prune the same directory.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::answers::SharedFindings;
use crate::engine::load::Files;
use crate::engine::yaml::{Node, parse_nodes};
use crate::repository::{GitOpsController, LocatedDeploymentObject, Repository};

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
pub fn add_shared_paths(
    around: &[Arc<Repository>],
    report: &mut SharedFindings,
    files: &dyn Files,
) {
    let objects = around.iter().flat_map(|it| &*it.objects);
    let objects = objects.filter(|it| it.kind == GitOpsController::Flux);
    let mut by_path: BTreeMap<_, Vec<&LocatedDeploymentObject>> = BTreeMap::new();
    for object in objects {
        if let (Some(builds), Some(folder)) = (&object.builds, object.at.file.parent()) {
            let key = (builds, folder, &object.origin.parents);
            by_path.entry(key).or_default().push(object);
        }
    }
    for same in by_path.values().filter(|same| same.len() > 1) {
        let mut pruning: Vec<(&LocatedDeploymentObject, Node)> = Vec::new();
        for object in same {
            let Some(node) = pruning_object(&object.at.file, &object.name, files) else { continue };
            let twin = pruning
                .iter()
                .find(|(other, it)| other.name != object.name && deploys_the_same(it, &node));
            if let Some((twin, _)) = twin {
                report.add_shared_path(object, &twin.name);
            }
            pruning.push((*object, node));
        }
    }
}

/// The only object with this name in a file, if it prunes and is not suspended.
fn pruning_object(file: &Path, name: &str, files: &dyn Files) -> Option<Node> {
    let parsed = parse_nodes(&files.read(file).ok()?).ok()?;
    let nodes = parsed.into_iter();
    let mut named = nodes.filter(|it| it.text_at(&["metadata", "name"]) == Some(name));
    let node = named.next().filter(|_| named.next().is_none())?;
    let is_true = |field: &str| node.text_at(&["spec", field]) == Some("true");
    (is_true("prune") && !is_true("suspend")).then_some(node)
}

/// True if two Flux Kustomizations of the same directory deploy the same objects to the same place.
fn deploys_the_same(one: &Node, other: &Node) -> bool {
    let is_same = |path: &[&str]| match (one.at(path), other.at(path)) {
        (Some(one), Some(other)) => one.same_content(other),
        (one, other) => one.is_none() && other.is_none(),
    };
    is_same(&["metadata", "namespace"])
        && DISTINGUISHING_FIELDS.iter().all(|field| is_same(&["spec", field]))
}
