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
fn codes(before: &str, after: &str) -> Vec<&'static str> {
    codes_with_pruning(before, after, &Pruning::NotKnown)
}

fn codes_with_pruning(before: &str, after: &str, pruning: &Pruning) -> Vec<&'static str> {
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

#[test]
fn only_the_replicas_of_a_stateful_set_may_change() {
    let set = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a}\nspec: {serviceName: a, replicas: 1}\n";
    assert_eq!(codes(set, &set.replace("serviceName: a", "serviceName: b")), ["KZ310"]);
    assert_eq!(codes(set, &set.replace("replicas: 1", "replicas: 2")), Vec::<&str>::new());
}

#[test]
fn only_rights_that_no_rule_granted_before_are_dangers() {
    let role = |verbs: &str| {
        format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {{name: a}}\nrules:\n- apiGroups: ['']\n  resources: [pods]\n  verbs: {verbs}\n"
        )
    };
    assert_eq!(codes("", &role("[get]")), ["KZ320"]);
    let binding = |subject: &str| {
        format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {{name: a}}\nroleRef: {{kind: Role, name: a}}\nsubjects:\n- {{kind: User, name: {subject}}}\n"
        )
    };
    assert_eq!(codes(&binding("ada"), &binding("bob")), ["KZ320"]);
    assert_eq!(
        codes(&binding("ada"), &binding("ada").replace("Role, name: a", "Role, name: b")),
        ["KZ310"]
    );
}

const NO_CODES: [&str; 0] = [];

fn object(api_version: &str, kind: &str, rest: &str) -> String {
    format!("apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a, namespace: n}}\n{rest}")
}

#[test]
fn removed_object_has_the_code_of_its_loss() {
    let removed = |api_version: &str, kind: &str| codes(&object(api_version, kind, ""), "");
    assert_eq!(removed("batch/v1", "CronJob"), ["KZ314"]);
    assert_eq!(removed("networking.k8s.io/v1", "Ingress"), ["KZ315"]);
    assert_eq!(removed("apps/v1", "StatefulSet"), ["KZ312"]);
    assert_eq!(removed("serving.example.com/v1", "Service"), NO_CODES, "a kind of another group");
    assert_eq!(removed("v1", "ConfigMap"), NO_CODES);
    assert_eq!(codes("", &object("apps/v1", "Deployment", "")), NO_CODES);
    assert_eq!(codes("", &object("v1", "Namespace", "")), NO_CODES);
}

#[test]
fn renamed_object_replaces_the_former_one() {
    let web = object("apps/v1", "Deployment", "");
    assert_eq!(codes(&web, &web.replace("name: a,", "name: b,")), ["KZ313"]);
}

#[test]
fn removed_object_without_pruning_is_orphaned() {
    let service = object("v1", "Service", "");
    let keeps = Pruning::Keeps("Flux Kustomization apps".to_owned());
    assert_eq!(codes_with_pruning(&service, "", &keeps), ["KZ316"]);
    assert_eq!(codes_with_pruning(&object("v1", "ConfigMap", ""), "", &keeps), ["KZ316"]);
    assert_eq!(codes_with_pruning(&service, "", &Pruning::Deletes), ["KZ315"]);
    let annotated = |annotation: &str| {
        let with = format!("namespace: n, annotations: {{{annotation}}}");
        codes_with_pruning(&service.replace("namespace: n", &with), "", &Pruning::Deletes)
    };
    assert_eq!(annotated("argocd.argoproj.io/sync-options: 'Force=true,Prune=false'"), ["KZ316"]);
    assert_eq!(annotated("helm.sh/resource-policy: keep"), ["KZ316"]);
    assert_eq!(annotated("kustomize.toolkit.fluxcd.io/prune: enabled"), ["KZ315"]);
}

#[test]
fn removed_deployment_object_deletes_or_orphans_its_objects() {
    let flux = |prune: bool| {
        object(
            "kustomize.toolkit.fluxcd.io/v1",
            "Kustomization",
            &format!("spec: {{prune: {prune}}}\n"),
        )
    };
    assert_eq!(codes(&flux(true), ""), ["KZ312"]);
    assert_eq!(codes(&flux(false), ""), ["KZ316"]);
    let argo = |policy: &str| {
        object("argoproj.io/v1alpha1", "Application", &format!("spec: {{syncPolicy: {policy}}}\n"))
    };
    assert_eq!(codes(&argo("{}"), &argo("{automated: {prune: true}}")), ["KZ317"]);
    assert_eq!(codes(&argo("{}"), &argo("{automated: {selfHeal: true}}")), NO_CODES);
    assert_eq!(codes(&argo("{}"), ""), ["KZ316"]);
    let with = "namespace: n, finalizers: [resources-finalizer.argocd.argoproj.io]";
    assert_eq!(codes(&argo("{}").replace("namespace: n", with), ""), ["KZ312"]);
}

#[test]
fn stopped_and_resumed_workloads_are_dangers() {
    let deployment = |spec: &str| object("apps/v1", "Deployment", &format!("spec: {{{spec}}}\n"));
    assert_eq!(codes(&deployment(""), &deployment("replicas: 0")), ["KZ334"]);
    assert_eq!(codes(&deployment("replicas: 2"), &deployment("replicas: 1")), NO_CODES);
    assert_eq!(codes("", &deployment("replicas: 0")), NO_CODES);
    assert_eq!(codes(&deployment(""), &deployment("paused: true")), ["KZ335"]);
    let release = |spec: &str| {
        object("helm.toolkit.fluxcd.io/v2", "HelmRelease", &format!("spec: {{{spec}}}\n"))
    };
    assert_eq!(codes(&release(""), &release("suspend: false")), NO_CODES);
}

#[test]
fn node_rights_are_reported_only_if_new() {
    let pod = |spec: &str| object("v1", "Pod", &format!("spec: {spec}\n"));
    let plain = pod("{containers: [{name: c}]}");
    let privileged = pod("{containers: [{name: c, securityContext: {privileged: true}}]}");
    assert_eq!(codes(&plain, &privileged), ["KZ323"]);
    assert_eq!(codes("", &privileged), ["KZ323"]);
    assert_eq!(codes(&privileged, &plain), NO_CODES);
    assert_eq!(codes(&privileged, &privileged.replace("[{", "[{tty: true, ")), NO_CODES);
    for field in ["hostNetwork", "hostPID", "hostIPC"] {
        let host = pod(&format!("{{{field}: true, containers: [{{name: c}}]}}"));
        assert_eq!(codes(&plain, &host), ["KZ324"]);
        assert_eq!(codes(&host, &plain), NO_CODES);
    }
    let job = |container: &str| {
        let template = format!("{{spec: {{containers: [{{name: c{container}}}]}}}}");
        let spec = format!("spec: {{jobTemplate: {{spec: {{template: {template}}}}}}}\n");
        object("batch/v1", "CronJob", &spec)
    };
    assert_eq!(codes(&job(""), &job(", securityContext: {privileged: true}")), ["KZ323"]);
    // A CustomResourceDefinition runs no pods, so a field `hostNetwork` in it is not a danger.
    let schema = object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec: {}\n");
    assert_eq!(codes(&schema, &schema.replace("{}", "{hostNetwork: true}")), NO_CODES);
}

#[test]
fn major_version_changes_of_images_and_charts_are_dangers() {
    let pod = |image: &str| {
        object("v1", "Pod", &format!("spec: {{containers: [{{name: c, image: {image}}}]}}\n"))
    };
    assert_eq!(codes(&pod("x:1.9"), &pod("x:2.0")), ["KZ332"]);
    assert_eq!(codes(&pod("x:1.9"), &pod("x:1.10")), ["KZ331"]);
    assert_eq!(codes(&pod("x:1"), &pod("y:2")), ["KZ331"], "another image");
    let release = |version: &str, tag: &str| {
        let chart = format!("chart: {{spec: {{chart: web, version: {version}}}}}");
        let values = format!("values: {{image: {{repository: x, tag: '{tag}'}}}}");
        object(
            "helm.toolkit.fluxcd.io/v2",
            "HelmRelease",
            &format!("spec: {{{chart}, {values}}}\n"),
        )
    };
    assert_eq!(codes(&release("1.0.0", "1"), &release("1.0.0", "2")), ["KZ332"]);
    let label = |version: &str| {
        let with = format!("namespace: n, labels: {{helm.sh/chart: web-{version}}}");
        object("v1", "ConfigMap", "").replace("namespace: n", &with)
    };
    assert_eq!(codes(&label("1.0.0"), &label("2.0.0")), ["KZ333"]);
    let application = |version: &str| {
        let sources = format!("spec: {{sources: [{{chart: web, targetRevision: {version}}}]}}\n");
        object("argoproj.io/v1alpha1", "Application", &sources)
    };
    assert_eq!(codes(&application("1.0.0"), &application("2.0.0")), ["KZ333"]);
}

/// Edits of other fields are no cause of a replacement: its dangers are at the field of the
/// identity.
#[test]
fn replaced_object_is_a_danger_of_its_identity_alone() {
    let set = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a, namespace: n}\nspec: {serviceName: a}\n";
    let places = |after: String| {
        let pair = ResourcePair { before: Some(resource(set)), after: Some(resource(&after)) };
        let found = dangers(&pair, &[], &Pruning::NotKnown).into_iter();
        found.map(|it| (it.code().as_str(), it.field.unwrap_or_default())).collect::<Vec<_>>()
    };
    for (from, to, field) in [
        ("namespace: n", "namespace: m", "metadata.namespace"),
        ("name: a,", "name: b,", "metadata.name"),
    ] {
        let expected = [("KZ313", field.to_owned()), ("KZ312", field.to_owned())];
        assert_eq!(places(set.replace(from, to)), expected);
    }
}
