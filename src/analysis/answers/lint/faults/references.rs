//! References in custom resources with the former name of a resource.

use indexmap::IndexSet;

use super::{
    LastStates, PathPart, Scan, StepDiagnostic, is_builtin_group, last_states, last_step, of_field,
    visit_entries,
};
use crate::answers::recording::field::{leaves, value_at};
use crate::engine::diagnostic::{Code, Diagnostic, Fix, Object, SilentRemark};
use crate::engine::evaluate::{StepKind, Trace};
use crate::engine::resource::{Gvk, PathStep, Resource, Slot};
use crate::engine::yaml::{Mark, Node};

/// Finds fields of custom resources that contain the former name of a renamed resource.
pub(super) fn stale_names(scan: &mut Scan<'_, '_>) {
    let Some(step) = last_step(scan.trace, StepKind::NameReferences) else { return };
    let is_renamed = |it: &&Resource| it.names.previous().iter().any(|was| was.name != it.id.name);
    let resources = scan.last.values().map(|resource| &***resource);
    let renamed: Vec<&Resource> = resources.filter(is_renamed).collect();
    for (slot, resource) in scan.last.iter().filter(|_| !renamed.is_empty()) {
        for (spec, kind, name) in custom_references(resource) {
            let text = name.text().unwrap_or_default();
            let target = resource_by_old_name(text, &kind, resource, &renamed, scan.last);
            scan.found.extend(target.map(|target| {
                (step, old_name_diagnostic((*slot, resource), &spec, (text, name.mark), target))
            }));
        }
    }
}

/// Finds references with the name of a resource of the output that are changed to another resource,
/// which had the name before.
pub(super) fn redirected_references(scan: &mut Scan<'_, '_>) {
    let (trace, last) = (scan.trace, scan.last);
    let kept = |it: &Resource| it.names.previous().iter().all(|earlier| earlier.name == it.id.name);
    let kept: IndexSet<&str> = last.values().filter(|it| kept(it)).map(|it| &*it.id.name).collect();
    let former = last
        .values()
        .flat_map(|it| it.names.previous().iter().filter(|earlier| earlier.name != it.id.name));
    let names: IndexSet<&str> =
        former.map(|earlier| &*earlier.name).filter(|name| kept.contains(name)).collect();
    let steps = trace.steps.iter().enumerate().filter(|_| !names.is_empty());
    for (index, step) in steps.filter(|(_, step)| step.kind == StepKind::NameReferences) {
        for change in &step.changes {
            let (Some(before), Some(after)) = (&change.before, &change.after) else { continue };
            for (path, written, mark) in leaves(&before.node) {
                let Some(name) = written.text().filter(|name| names.contains(name)) else {
                    continue;
                };
                let now = value_at(&after.node, &path).and_then(|(value, _)| value.text());
                let Some(now) = now.filter(|now| *now != name) else { continue };
                let kind = redirected_kind(trace, last, change.slot, (name, now));
                let Some(kind) = kind else { continue };
                let keys: Vec<&str> = path.iter().filter_map(PathStep::key).collect();
                let (field, object) = (keys.join("."), Object::from(&after.id));
                let (name, now, of) = (name.to_owned(), now.to_owned(), field.clone());
                let remark = SilentRemark::RedirectedReference { field, object, kind, name, now };
                scan.found.push((index, of_field(remark, mark, (change.slot, after), of)));
            }
        }
    }
}

/// The kind of two resources in sight of the referrer's layer: one was never renamed and has the
/// written name, the other one has the new name.
fn redirected_kind(
    trace: &Trace,
    last: &LastStates<'_>,
    referrer: Slot,
    (name, now): (&str, &str),
) -> Option<String> {
    let first_step = |slot: Slot| trace.history(slot).first().copied();
    let layer = trace.layer(trace.steps.get(first_step(referrer)?)?.layer)?;
    let is_below = |slot: Slot| {
        first_step(slot).is_some_and(|step| (layer.first_step..layer.end_step).contains(&step))
    };
    let previous = |it: &Resource, name: &str| {
        it.names.previous().iter().any(|previous| *previous.name == *name)
    };
    let is_target = |it: &Resource| *it.id.name == *now && previous(it, name);
    let (target, changed) = last.iter().find(|(_, it)| is_target(it))?;
    let is_written = |it: &Resource| {
        *it.id.name == *name
            && it.id.gvk.kind == changed.id.gvk.kind
            && it.id.effective_namespace() == changed.id.effective_namespace()
            && it.names.previous().iter().all(|previous| *previous.name == *name)
    };
    let (written, _) = last.iter().find(|(_, it)| is_written(it))?;
    (is_below(*target) && is_below(*written)).then(|| changed.id.gvk.kind.to_string())
}

/// The names in a custom resource that refer to other resources, each with the path of its field,
/// in the form of a field spec, and the kind of the other resource.
pub(in crate::answers) fn custom_references(resource: &Resource) -> Vec<(String, String, &Node)> {
    let mut found = Vec::new();
    if is_builtin_group(&resource.id.gvk.group) {
        return found;
    }
    visit_entries(&resource.node, &mut Vec::new(), &mut |path, key, around, value| {
        let keys = path.iter().filter_map(|part| match part {
            PathPart::Key(key) => Some(*key),
            PathPart::Element(_) => None,
        });
        let keys: Vec<&str> = keys.collect();
        if keys.first().is_none_or(|first| *first == "metadata") {
            return;
        }
        let spec = [keys.join("/").as_str(), key].join("/");
        let own = value.items().unwrap_or(std::slice::from_ref(value));
        for name in own.iter().filter(|node| node.text().is_some()) {
            let kind = referenced_kind(resource, &spec, key, &keys, around);
            found.extend(kind.map(|kind| (spec.clone(), kind, name)));
        }
    });
    found
}

fn old_name_diagnostic(
    (slot, resource): (Slot, &Resource),
    spec: &str,
    (text, mark): (&str, Mark),
    target: &Resource,
) -> Diagnostic {
    let own = &resource.id.gvk;
    let kind = target.id.gvk.kind.to_string();
    let remark = SilentRemark::StaleReference {
        field: spec.replace('/', "."),
        object: Object::from(&resource.id),
        old_name: text.to_owned(),
        kind: kind.clone(),
        now: target.id.name.to_string(),
    };
    let text = format!(
        "nameReference:\n- kind: {kind}\n  fieldSpecs:\n  - path: {spec}\n    group: {}\n    kind: {}\n",
        own.group, own.kind
    );
    let (field, name) = ("configurations".to_owned(), "name-references.yaml".to_owned());
    let hint = format!(
        "add to a file listed under `configurations`: nameReference: [{{kind: {kind}, fieldSpecs: [{{path: {spec}, group: {}, \
         kind: {}}}]}}]",
        own.group, own.kind
    );
    of_field(remark, mark, (slot, resource), spec.replace('/', "."))
        .fix(Some(Fix::AddFile { field, name, text }))
        .hint(hint)
}

/// The reason why Kustomize did not update a name in a field of a custom resource: findings for the
/// visible resources that formerly had this name, one for each kind.
pub(in crate::answers) fn unwritten_reference_diagnostics(
    trace: &Trace,
    slot: Slot,
    path: &[PathStep],
) -> Vec<StepDiagnostic> {
    let Some(step) = last_step(trace, StepKind::NameReferences) else { return Vec::new() };
    let last = last_states(trace);
    let resource = last.get(&slot).filter(|resource| !is_builtin_group(&resource.id.gvk.group));
    let keys: Vec<&str> = path.iter().filter_map(PathStep::key).collect();
    let (Some(resource), Some((key, above))) = (resource, keys.split_last()) else {
        return Vec::new();
    };
    let value = value_at(&resource.node, path).map(|(value, _)| value);
    let Some(value) = value.filter(|_| !above.is_empty() && above[0] != "metadata") else {
        return Vec::new();
    };
    let Some(text) = value.text().filter(|text| !text.is_empty()) else { return Vec::new() };
    // Kustomize knows this reference and has another reason to keep it, which is a warning of the
    // step.
    let is_of_step = |it: &&Diagnostic| it.mark == value.mark && it.code() != Code::KZ210;
    let held_back = trace.steps[step].warnings.iter().filter(is_of_step);
    let held_back: Vec<StepDiagnostic> = held_back.map(|it| (step, it.clone())).collect();
    if !held_back.is_empty() {
        return held_back;
    }
    let around = path.iter().rposition(|step| step.key().is_some()).unwrap_or_default();
    let around = value_at(&resource.node, &path[..around]).map(|(around, _)| around);
    let spec = keys.join("/");
    let meant = around.and_then(|around| referenced_kind(resource, &spec, key, above, around));
    let renamed: Vec<&Resource> = last
        .values()
        .map(|resource| &***resource)
        .filter(|it| *it.id.name != *text && it.names.previous().iter().any(|it| *it.name == *text))
        .collect();
    let kinds: IndexSet<&str> = renamed.iter().map(|it| &*it.id.gvk.kind).collect();
    kinds
        .into_iter()
        .filter(|kind| meant.as_ref().is_none_or(|meant| meant == kind))
        .filter_map(|kind| resource_by_old_name(text, kind, resource, &renamed, &last))
        .map(|target| {
            (step, old_name_diagnostic((slot, resource), &spec, (text, value.mark), target))
        })
        .collect()
}

/// The kind to which a field refers: from the table, from the `kind` beside the name, or from the
/// name of the field.
fn referenced_kind(
    resource: &Resource,
    spec: &str,
    key: &str,
    keys: &[&str],
    around: &Node,
) -> Option<String> {
    let beside = || around.text_of("kind").map(str::to_owned);
    let gvk = &resource.id.gvk;
    // A Certificate creates this Secret: the field does not refer to an existing one.
    if (&*gvk.group, &*gvk.kind, spec) == ("cert-manager.io", "Certificate", "spec/secretName") {
        return None;
    }
    if let Some(kind) = listed_reference(gvk, spec) {
        return beside().or_else(|| (!kind.is_empty()).then(|| kind.to_owned()));
    }
    let last = keys.last().copied().unwrap_or_default();
    match (key, last) {
        ("name", last) if last.ends_with("Ref") || last.ends_with("Refs") => {
            beside().or_else(|| kind_from_word(last.trim_end_matches('s').trim_end_matches("Ref")))
        }
        ("name", "configMap") => Some("ConfigMap".to_owned()),
        (key, _) => kind_from_word(key.strip_suffix("Name")?),
    }
}

fn kind_from_word(word: &str) -> Option<String> {
    let word = word.strip_suffix("Key").unwrap_or(word);
    let kinds = ["ConfigMap", "Secret", "ServiceAccount", "Service", "PersistentVolumeClaim"];
    let is_it = |kind: &&str| word.eq_ignore_ascii_case(kind) || word.ends_with(kind);
    kinds.into_iter().find(is_it).map(str::to_owned)
}

/// The only resource of this kind that is visible to the referring resource and formerly had the
/// name `text`; `None` if a resource has this name now.
fn resource_by_old_name<'r>(
    text: &str,
    kind: &str,
    referrer: &Resource,
    renamed: &[&'r Resource],
    last: &LastStates<'_>,
) -> Option<&'r Resource> {
    let in_sight = |other: &Resource| {
        *other.id.gvk.kind == *kind
            && other.id.effective_namespace() == referrer.id.effective_namespace()
    };
    if last.values().any(|other| in_sight(other) && *other.id.name == *text) {
        return None;
    }
    let had = |other: &&&Resource| {
        in_sight(other) && other.names.previous().iter().any(|previous| *previous.name == *text)
    };
    let mut found = renamed.iter().filter(had);
    let one = found.next()?;
    found.next().is_none().then_some(*one)
}

/// In each line a field of a custom resource that refers to another resource, unless its name shows the
/// kind: group, kind, path in the form of a field spec, and the kind of the other resource if no `kind`
/// is written beside the name. Without the last word, `kind` is required.
const REFERENCE_FIELDS: &str = "
argoproj.io Rollout spec/strategy/canary/canaryService Service
argoproj.io Rollout spec/strategy/canary/stableService Service
argoproj.io Rollout spec/strategy/blueGreen/activeService Service
argoproj.io Rollout spec/strategy/blueGreen/previewService Service
argoproj.io Workflow spec/workflowTemplateRef/name WorkflowTemplate
argoproj.io Sensor spec/dependencies/eventSourceName EventSource
cert-manager.io Certificate spec/issuerRef/name Issuer
networking.istio.io VirtualService spec/http/route/destination/host Service
networking.istio.io VirtualService spec/tcp/route/destination/host Service
networking.istio.io VirtualService spec/gateways Gateway
networking.istio.io DestinationRule spec/host Service
networking.istio.io Gateway spec/servers/tls/credentialName Secret
gateway.networking.k8s.io HTTPRoute spec/rules/backendRefs/name Service
gateway.networking.k8s.io GRPCRoute spec/rules/backendRefs/name Service
gateway.networking.k8s.io TCPRoute spec/rules/backendRefs/name Service
gateway.networking.k8s.io HTTPRoute spec/parentRefs/name Gateway
gateway.networking.k8s.io Gateway spec/listeners/tls/certificateRefs/name Secret
keda.sh ScaledObject spec/scaleTargetRef/name Deployment
keda.sh ScaledObject spec/triggers/authenticationRef/name TriggerAuthentication
keda.sh TriggerAuthentication spec/secretTargetRef/name Secret
monitoring.coreos.com Alertmanager spec/configSecret Secret
monitoring.coreos.com ServiceMonitor spec/endpoints/bearerTokenSecret/name Secret
monitoring.coreos.com ServiceMonitor spec/endpoints/basicAuth/username/name Secret
monitoring.coreos.com ServiceMonitor spec/endpoints/basicAuth/password/name Secret
external-secrets.io ExternalSecret spec/secretStoreRef/name SecretStore
helm.toolkit.fluxcd.io HelmRelease spec/valuesFrom/name
traefik.io IngressRoute spec/routes/services/name Service
traefik.io IngressRoute spec/routes/middlewares/name Middleware
tekton.dev Pipeline spec/tasks/taskRef/name Task
tekton.dev PipelineRun spec/pipelineRef/name Pipeline
tekton.dev TaskRun spec/taskRef/name Task
postgresql.cnpg.io Cluster spec/bootstrap/initdb/secret/name Secret
velero.io BackupStorageLocation spec/credential/name Secret
";

/// The kind to which the field at a path refers, empty if the `kind` beside it is required; `None`
/// for a field that is not in the table.
pub(super) fn listed_reference(gvk: &Gvk, path: &str) -> Option<&'static str> {
    REFERENCE_FIELDS.lines().find_map(|row| {
        let field = row.strip_prefix(&*gvk.group)?.strip_prefix(' ')?.strip_prefix(&*gvk.kind)?;
        let kind = field.strip_prefix(' ')?.strip_prefix(path)?;
        if kind.is_empty() { Some(kind) } else { kind.strip_prefix(' ') }
    })
}
