//! New access of pods to their Kubernetes node.

use std::collections::BTreeSet;

use super::danger;
use crate::answers::lint::faults::containers::{containers, pod_spec};
use crate::engine::diagnostic::{DangerRemark, Diagnostic, PlacedObject};
use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

const HOST_NAMESPACES: [&str; 3] = ["hostNetwork", "hostPID", "hostIPC"];

/// The privileged containers, each as the name of its list and its own name.
fn privileged_containers(spec: &Node) -> BTreeSet<(&'static str, &str)> {
    let is_privileged = |it: &Node| it.text_at(&["securityContext", "privileged"]) == Some("true");
    let found = containers(spec).filter(|(_, container)| is_privileged(container));
    found.map(|(list, it)| (list, it.text_of("name").unwrap_or_default())).collect()
}

/// Findings for pods with new access to their Kubernetes node: privileged containers, host
/// namespaces, host paths.
pub(super) fn node_access_dangers(before: Option<&Resource>, after: &Resource) -> Vec<Diagnostic> {
    let Some((path, now)) = pod_spec(&after.node) else { return Vec::new() };
    let path = path.join(".");
    let was = before.and_then(|before| pod_spec(&before.node)).map(|(_, spec)| spec);
    let object = PlacedObject::from(&after.id);
    let had = was.map(privileged_containers).unwrap_or_default();
    let mut found = Vec::new();
    for (list, container) in privileged_containers(now).difference(&had) {
        let field = format!("{path}.{list}[{container}].securityContext.privileged");
        let (object, container) = (object.clone(), (*container).to_owned());
        found.push(danger(field, DangerRemark::Privileged { object, container }));
    }
    for field in HOST_NAMESPACES {
        let is_on = |spec: &Node| spec.text_of(field) == Some("true");
        if is_on(now) && !was.is_some_and(is_on) {
            let remark = DangerRemark::HostNamespace { object: object.clone(), field };
            found.push(danger(format!("{path}.{field}"), remark));
        }
    }
    found
}
