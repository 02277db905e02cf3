//! New access of pods to their Kubernetes node.

use std::collections::BTreeSet;

use super::danger;
use crate::engine::diagnostic::{DangerRemark, Diagnostic, PlacedObject};
use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

const HOST_NAMESPACES: [&str; 3] = ["hostNetwork", "hostPID", "hostIPC"];
const CONTAINER_LISTS: [&str; 3] = ["containers", "initContainers", "ephemeralContainers"];

fn pod_spec(resource: &Resource) -> Option<(&'static str, &Node)> {
    let template = [
        ("spec.template.spec", &["spec", "template", "spec"][..]),
        (
            "spec.jobTemplate.spec.template.spec",
            &["spec", "jobTemplate", "spec", "template", "spec"],
        ),
    ];
    if (&*resource.id.gvk.group, &*resource.id.gvk.kind) == ("", "Pod") {
        return Some(("spec", resource.node.get("spec")?));
    }
    template.into_iter().find_map(|(path, keys)| Some((path, resource.node.at(keys)?)))
}

fn is_true(node: Option<&Node>) -> bool {
    node.and_then(Node::text) == Some("true")
}

/// The privileged containers, each as the name of its list and its own name.
fn privileged_containers(spec: &Node) -> BTreeSet<(&'static str, &str)> {
    let mut found = BTreeSet::new();
    for list in CONTAINER_LISTS {
        for container in spec.get(list).and_then(Node::items).unwrap_or_default() {
            if is_true(container.at(&["securityContext", "privileged"])) {
                let name = container.get("name").and_then(Node::text);
                found.insert((list, name.unwrap_or_default()));
            }
        }
    }
    found
}

/// Findings for pods with new access to their Kubernetes node: privileged containers, host
/// namespaces, host paths.
pub(super) fn node_access_dangers(before: Option<&Resource>, after: &Resource) -> Vec<Diagnostic> {
    let Some((path, now)) = pod_spec(after) else { return Vec::new() };
    let was = before.and_then(pod_spec).map(|(_, spec)| spec);
    let object = PlacedObject::from(&after.id);
    let had = was.map(privileged_containers).unwrap_or_default();
    let mut found = Vec::new();
    for (list, container) in privileged_containers(now).difference(&had) {
        let field = format!("{path}.{list}[{container}].securityContext.privileged");
        let (object, container) = (object.clone(), (*container).to_owned());
        found.push(danger(field, DangerRemark::Privileged { object, container }));
    }
    for field in HOST_NAMESPACES {
        if is_true(now.get(field)) && !is_true(was.and_then(|spec| spec.get(field))) {
            let remark = DangerRemark::HostNamespace { object: object.clone(), field };
            found.push(danger(format!("{path}.{field}"), remark));
        }
    }
    found
}
