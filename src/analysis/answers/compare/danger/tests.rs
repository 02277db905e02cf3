//! Dangers, and harmless changes that are similar to them, besides the pages of `tests/cases/dangers`.

use std::sync::Arc;

use super::*;
use crate::answers::compare::differences;
use crate::engine::resource::Scopes;
use crate::engine::yaml::parse_nodes;

fn resource(text: &str) -> Arc<Resource> {
    let parsed = parse_nodes(text.as_bytes()).unwrap();
    Arc::new(Resource::new(parsed[0].clone(), &Scopes::default()))
}

/// The codes of the dangers of a change; an empty text is a missing resource.
fn codes(before: &str, after: &str, pruning: &Pruning) -> Vec<&'static str> {
    let read = |text: &str| (!text.is_empty()).then(|| resource(text));
    let pair = ResourcePair { before: read(before), after: read(after) };
    let changes = match (&pair.before, &pair.after) {
        (Some(one), Some(other)) => differences(&one.node, &other.node),
        _ => Vec::new(),
    };
    let changes: Vec<(FieldChange, DifferenceCause)> =
        changes.into_iter().map(|change| (change, DifferenceCause::default())).collect();
    dangers(&pair, &changes, pruning).into_iter().map(|danger| danger.code().as_str()).collect()
}

fn object(api_version: &str, kind: &str, rest: &str) -> String {
    format!("apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a, namespace: n}}\n{rest}")
}

/// Changes, each as a pattern that is replaced in an object, and its codes.
type Changes<'a> = &'a [(String, &'a str, &'a str, &'a [&'a str])];

fn assert_changes(changes: Changes<'_>) {
    for (before, from, to, expected) in changes {
        let after = before.replace(from, to);
        assert_eq!(codes(before, &after, &Pruning::NotKnown), *expected, "{before}{from} → {to}");
    }
}

#[test]
fn changes_of_objects_have_dangers_by_their_kind() {
    let of = |api_version: &str, kind: &str, spec: &str| {
        object(api_version, kind, &format!("spec: {{{spec}}}\n"))
    };
    let set = of("apps/v1", "StatefulSet", "serviceName: a, replicas: 1");
    let binding = object(
        "rbac.authorization.k8s.io/v1",
        "RoleBinding",
        "roleRef: {kind: Role, name: r}\nsubjects: [{kind: User, name: ada}]\n",
    );
    let deployment = of("apps/v1", "Deployment", "x: 1");
    let argo = of("argoproj.io/v1alpha1", "Application", "syncPolicy: {}");
    assert_changes(&[
        (set.clone(), "serviceName: a", "serviceName: b", &["KZ310"]),
        (set, "replicas: 1", "replicas: 2", &[]),
        (binding.clone(), "name: ada", "name: bob", &["KZ320"]),
        (binding, "name: r", "name: s", &["KZ310"]),
        (deployment.clone(), "name: a,", "name: b,", &["KZ313"]),
        (deployment.clone(), "x: 1", "replicas: 0", &["KZ334"]),
        (deployment.clone(), "x: 1", "replicas: 1", &[]),
        (deployment, "x: 1", "paused: true", &["KZ335"]),
        (of("helm.toolkit.fluxcd.io/v2", "HelmRelease", "x: 1"), "x: 1", "suspend: false", &[]),
        (argo.clone(), "{}", "{automated: {prune: true}}", &["KZ317"]),
        (argo, "{}", "{automated: {selfHeal: true}}", &[]),
    ]);
    let added = |object: &str| codes("", object, &Pruning::NotKnown);
    assert!(added(&of("apps/v1", "Deployment", "replicas: 0")).is_empty());
    assert!(added(&object("v1", "Namespace", "")).is_empty());
    let rules = "rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]\n";
    assert_eq!(added(&object("rbac.authorization.k8s.io/v1", "Role", rules)), ["KZ320"]);
}

#[test]
fn removed_object_has_the_code_of_its_loss() {
    let keeps = Pruning::Keeps("Flux Kustomization apps".to_owned());
    let service = object("v1", "Service", "");
    let annotated = |annotation: &str| {
        service.replace("namespace: n", &format!("namespace: n, annotations: {{{annotation}}}"))
    };
    let flux = |prune: bool| {
        let spec = format!("spec: {{prune: {prune}}}\n");
        object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", &spec)
    };
    let argo = object("argoproj.io/v1alpha1", "Application", "");
    let finalizer = "namespace: n, finalizers: [resources-finalizer.argocd.argoproj.io]";
    let no_prune = "argocd.argoproj.io/sync-options: 'Force=true,Prune=false'";
    for (removed, pruning, expected) in [
        (object("batch/v1", "CronJob", ""), &Pruning::NotKnown, &["KZ314"][..]),
        (object("networking.k8s.io/v1", "Ingress", ""), &Pruning::NotKnown, &["KZ315"]),
        (object("apps/v1", "StatefulSet", ""), &Pruning::NotKnown, &["KZ312"]),
        // A kind of another group.
        (object("serving.example.com/v1", "Service", ""), &Pruning::NotKnown, &[]),
        (object("v1", "ConfigMap", ""), &Pruning::NotKnown, &[]),
        (object("v1", "ConfigMap", ""), &keeps, &["KZ316"]),
        (service.clone(), &keeps, &["KZ316"]),
        (service.clone(), &Pruning::Deletes, &["KZ315"]),
        (annotated(no_prune), &Pruning::Deletes, &["KZ316"]),
        (annotated("helm.sh/resource-policy: keep"), &Pruning::Deletes, &["KZ316"]),
        (annotated("kustomize.toolkit.fluxcd.io/prune: enabled"), &Pruning::Deletes, &["KZ315"]),
        (flux(true), &Pruning::NotKnown, &["KZ312"]),
        (flux(false), &Pruning::NotKnown, &["KZ316"]),
        (argo.clone(), &Pruning::NotKnown, &["KZ316"]),
        (argo.replace("namespace: n", finalizer), &Pruning::NotKnown, &["KZ312"]),
    ] {
        assert_eq!(codes(&removed, "", pruning), expected, "{removed}");
    }
}

#[test]
fn node_rights_are_reported_only_if_new() {
    let pod = |spec: &str| object("v1", "Pod", &format!("spec: {spec}\n"));
    let plain = pod("{containers: [{name: c}]}");
    let privileged = "[{name: c, securityContext: {privileged: true}}]";
    assert_eq!(codes("", &plain.replace("[{name: c}]", privileged), &Pruning::NotKnown), ["KZ323"]);
    let template = "{spec: {containers: [{name: c}]}}";
    let job = format!("spec: {{jobTemplate: {{spec: {{template: {template}}}}}}}\n");
    let host = |field: &str| pod(&format!("{{{field}: true, containers: [{{name: c}}]}}"));
    // A CustomResourceDefinition runs no pods, so a field `hostNetwork` in it is not a danger.
    let schema = object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec: {}\n");
    assert_changes(&[
        (plain.clone(), "[{name: c}]", privileged, &["KZ323"]),
        (plain.replace("[{name: c}]", privileged), privileged, "[{name: c}]", &[]),
        (plain.replace("[{name: c}]", privileged), "[{", "[{tty: true, ", &[]),
        (object("batch/v1", "CronJob", &job), "[{name: c}]", privileged, &["KZ323"]),
        (plain.clone(), "{containers", "{hostNetwork: true, containers", &["KZ324"]),
        (plain.clone(), "{containers", "{hostPID: true, containers", &["KZ324"]),
        (plain, "{containers", "{hostIPC: true, containers", &["KZ324"]),
        (host("hostPID"), "hostPID: true, ", "", &[]),
        (schema, "{}", "{hostNetwork: true}", &[]),
    ]);
}

#[test]
fn major_version_changes_of_images_and_charts_are_dangers() {
    let pod = |image: &str| {
        object("v1", "Pod", &format!("spec: {{containers: [{{name: c, image: {image}}}]}}\n"))
    };
    let values = "spec: {values: {image: {repository: x, tag: '1'}}}\n";
    let label = object("v1", "ConfigMap", "")
        .replace("namespace: n", "namespace: n, labels: {helm.sh/chart: web-1.0.0}");
    let sources = "spec: {sources: [{chart: web, targetRevision: 1.0.0}]}\n";
    assert_changes(&[
        (pod("x:1.9"), "1.9", "2.0", &["KZ332"]),
        (pod("x:1.9"), "1.9", "1.10", &["KZ331"]),
        // Another image.
        (pod("x:1"), "x:1", "y:2", &["KZ331"]),
        (object("helm.toolkit.fluxcd.io/v2", "HelmRelease", values), "'1'", "'2'", &["KZ332"]),
        (label, "1.0.0", "2.0.0", &["KZ333"]),
        (object("argoproj.io/v1alpha1", "Application", sources), "1.0.0", "2.0.0", &["KZ333"]),
    ]);
}

/// Edits of other fields are no cause of a replacement: its dangers are at the field of the
/// identity.
#[test]
fn replaced_object_is_a_danger_of_its_identity_alone() {
    let set = object("apps/v1", "StatefulSet", "spec: {serviceName: a}\n");
    for (from, to, field) in [
        ("namespace: n", "namespace: m", "metadata.namespace"),
        ("name: a,", "name: b,", "metadata.name"),
    ] {
        let after = resource(&set.replace(from, to));
        let pair = ResourcePair { before: Some(resource(&set)), after: Some(after) };
        let found = dangers(&pair, &[], &Pruning::NotKnown).into_iter();
        let places = found.map(|it| (it.code().as_str(), it.field.unwrap_or_default()));
        let expected = [("KZ313", field.to_owned()), ("KZ312", field.to_owned())];
        assert_eq!(places.collect::<Vec<_>>(), expected);
    }
}
