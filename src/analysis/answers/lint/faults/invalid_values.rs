//! Output that the API server refuses.

use crate::engine::diagnostic::{Object, SilentRemark};
use crate::engine::resource::Resource;
use crate::engine::yaml::{Mark, Node};

use super::containers::{containers, pod_spec};
use super::{Scan, of_field};

/// Finds invalid values in the output, each with the last step that writes its location.
pub(super) fn invalid_values(scan: &mut Scan<'_, '_>) {
    for (slot, resource) in scan.last {
        let mut add = |remark: SilentRemark, mark: Mark, field: String, hint: &'static str| {
            let step = scan.trace.steps.iter().rposition(|step| step.writer == mark.writer);
            let diagnostic = of_field(remark, mark, (*slot, resource), field).hint(hint);
            scan.found.push((step.unwrap_or_default(), diagnostic));
        };
        check_variable_sources(resource, &mut add);
        check_mounts(resource, &mut add);
        if resource.node.text_of("apiVersion").is_none_or(str::is_empty) {
            let remark = SilentRemark::WithoutApiVersion(Object::from(&resource.id));
            let hint = "write `apiVersion` in the object";
            add(remark, resource.node.mark, "apiVersion".to_owned(), hint);
        }
        check_data_keys(resource, &mut add);
    }
}

type AddDiagnostic<'a> = dyn FnMut(SilentRemark, Mark, String, &'static str) + 'a;

/// Reports mounts of volumes that the pod of a workload does not have. Placeholders are skipped.
fn check_mounts(resource: &Resource, add: &mut AddDiagnostic<'_>) {
    let gvk = &resource.id.gvk;
    let is_known = matches!(&*gvk.group, "" | "apps" | "batch");
    let Some((path, pod)) = pod_spec(&resource.node).filter(|_| is_known) else { return };
    let claims = resource.node.get("spec").map(|spec| spec.items_of("volumeClaimTemplates"));
    let claims = claims.into_iter().flatten();
    let claims = claims.filter_map(|claim| claim.text_at(&["metadata", "name"]));
    let volumes = pod.items_of("volumes").iter().filter_map(|it| it.text_of("name"));
    let volumes: Vec<&str> = volumes.chain(claims).collect();
    for (list, container) in containers(pod) {
        let own = container.text_of("name").unwrap_or_default();
        for mount in container.items_of("volumeMounts") {
            let Some(name) = mount.get("name") else { continue };
            let Some(volume) = name.text().filter(|it| !volumes.contains(it)) else { continue };
            if volume.is_empty() || volume.contains(['$', '{', '<']) {
                continue;
            }
            let field = format!("{}.{list}[{own}].volumeMounts", path.join("."));
            let remark = SilentRemark::MountWithoutVolume {
                container: own.to_owned(),
                object: Object::from(&resource.id),
                volume: volume.to_owned(),
            };
            add(remark, name.mark, field, "add the volume to `volumes`, or correct the name");
        }
    }
}

/// Reports environment variables with both `value` and `valueFrom`.
fn check_variable_sources(resource: &Resource, add: &mut AddDiagnostic<'_>) {
    let Some((path, pod)) = pod_spec(&resource.node) else { return };
    for (list, container) in containers(pod) {
        for variable in container.items_of("env") {
            let (value, source) = (variable.get("value"), variable.get("valueFrom"));
            let is_set = |node: &&Node| !node.is_null() && node.text() != Some("");
            let (Some(value), Some(source)) = (value.filter(is_set), source.filter(is_set)) else {
                continue;
            };
            let name = |node: &Node| node.text_of("name").unwrap_or_default().to_owned();
            let field =
                format!("{}.{list}[{}].env[{}]", path.join("."), name(container), name(variable));
            let object = Object::from(&resource.id);
            let remark = SilentRemark::ValueBesideValueFrom { field: field.clone(), object };
            // The patch added the field that was written later.
            let (mark, hint) = if value.mark.writer >= source.mark.writer {
                (value.mark, "add `valueFrom: null` to the variable in the patch")
            } else {
                (source.mark, "add `value: null` to the variable in the patch")
            };
            add(remark, mark, field, hint);
        }
    }
}

fn check_data_keys(resource: &Resource, add: &mut AddDiagnostic<'_>) {
    let gvk = &resource.id.gvk;
    if !gvk.group.is_empty() || !matches!(&*gvk.kind, "ConfigMap" | "Secret") {
        return;
    }
    for part in ["data", "binaryData", "stringData"] {
        for entry in resource.node.get(part).map(Node::entries).unwrap_or_default() {
            let Some(key) = entry.key.text() else { continue };
            let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            // `$` and `{` belong to a variable or template that is replaced after the build.
            let is_template = key.contains('$') || key.contains("{{");
            if key.chars().all(is_allowed) && !key.is_empty() && key.len() <= 253 || is_template {
                continue;
            }
            let object = Object::from(&resource.id);
            let remark = SilentRemark::RefusedKey { key: key.to_owned(), object };
            let place = if entry.key.mark.line > 0 { entry.key.mark } else { entry.value.mark };
            let hint = if key.starts_with("export ") {
                "a file of `envs` has lines KEY=VALUE: remove `export`"
            } else {
                "correct the key; in a file of `envs`, each line is KEY=VALUE"
            };
            add(remark, place, part.to_owned(), hint);
        }
    }
}
