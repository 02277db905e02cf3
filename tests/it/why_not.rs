//! The entries that could have written a field and did not, each with its reason.

use crate::support::{Tree, kzui_in, line_with, messages};

const WEB: &str = "apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: c, image: \"ghcr.io/x/nginx:1\"}]}
";

/// A Rollout, a custom resource without built-in field specs.
const ROLLOUT: &str = "apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: canary}
spec: {replicas: 1, template: {metadata: {labels: {a: b}}}}
";

/// The text that `kzui why` prints about a field in a tree with one kustomization file.
fn why(kustomization: &str, resource: &str, field: &str) -> String {
    let tree = Tree::new(&[
        ("kustomization.yaml", kustomization),
        ("web.yaml", WEB),
        ("rollout.yaml", ROLLOUT),
    ]);
    kzui_in(&tree.root(), &["why", resource, field]).out
}

/// A patch that sets the replicas of the resources that this target selects.
fn patch(target: &str) -> String {
    let patch = "patch: '- {op: add, path: /spec/replicas, value: 9}'";
    format!("resources: [web.yaml, rollout.yaml]\npatches:\n- target: {target}\n  {patch}\n")
}

#[test]
fn reason_names_the_excluding_part_of_the_target() {
    for (target, reason) in [
        ("{kind: Deployment, version: v2}", "not of version \"v2\""),
        ("{kind: Deployment, group: app}", "not of group \"app\""),
        ("{kind: Deployment, namespace: shop}", "none in namespace \"shop\""),
        ("{kind: StatefulSet, name: web}", "no StatefulSet"),
        ("{kind: Deployment, labelSelector: app=y}", "none with labels \"app=y\""),
        ("{kind: Deployment, name: wbe}", "none named \"wbe\""),
        // Another resource matches, so that no finding is about the entry.
        ("{version: v1alpha1}", "the target requires version v1alpha1, the resource has v1"),
    ] {
        let told = why(&patch(target), "Deployment/web", "spec.replicas");
        assert!(
            told.contains(messages::NOT_WRITTEN_BY) && told.contains(reason),
            "{target}: {told}"
        );
        // The patch is about another field.
        let told = why(&patch(target), "Deployment/web", "spec.template.metadata.labels.a");
        assert!(!told.contains("version v1alpha1"), "{target}: {told}");
    }
    let other = why(&patch("{kind: Rollout, name: canary}"), "Deployment/web", "spec.replicas");
    assert!(!other.contains(messages::NOT_WRITTEN_BY), "a patch of another resource: {other}");
}

#[test]
fn each_kind_of_unchanged_field_has_its_reason() {
    let text = "resources: [web.yaml, rollout.yaml]
namePrefix: p-
labels:
- pairs: {team: a}
commonLabels: {app: x}
images:
- name: nginx
  newTag: \"2\"
replicas:
- name: web
  count: 4
- name: canary
  count: 4
configurations: [replicas.yaml]
patches:
- target: {kind: Deployment}
  patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: other}
    spec: {replica: 5}
";
    let specs = "replicas:\n- {path: spec/replicas, kind: Rollout, version: v1alpha1}\n";
    let tree = Tree::new(&[
        ("kustomization.yaml", text),
        ("web.yaml", WEB),
        ("rollout.yaml", ROLLOUT),
        ("replicas.yaml", specs),
    ]);
    for (resource, field, reason) in [
        ("Deployment/web", "metadata.name", "cannot change the name"),
        ("Deployment/web", "spec.replicas", "it writes spec.replica, not this field"),
        ("Deployment/web", "spec.template.spec.containers[c].image", "image nginx"),
        ("Deployment/web", "spec.template.metadata.labels.team", "set on metadata only"),
        ("Rollout/canary", "spec.template.metadata.labels.app", "no field spec of commonLabels"),
    ] {
        let told = kzui_in(&tree.root(), &["why", resource, field]).out;
        assert!(told.contains(reason), "{field}: {told}");
        let json = kzui_in(&tree.root(), &["why", resource, field, "--json"]).out;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let missed = json["missed"].as_array().unwrap();
        let is_told = |it: &serde_json::Value| it["reason"].as_str().unwrap().contains(reason);
        assert!(missed.iter().any(is_told), "{field}: {json}");
    }
}

#[test]
fn a_name_without_a_hash_has_its_reason() {
    let generator = |options: &str| {
        format!("configMapGenerator:\n- name: c\n  literals: [a=b]\n{options}resources: []\n")
    };
    let disabled = generator("  options: {disableNameSuffixHash: true}\n");
    let told = |text: &str, loaded: &str| {
        let tree = Tree::new(&[("kustomization.yaml", text), ("c.yaml", loaded)]);
        kzui_in(&tree.root(), &["why", "ConfigMap/c", "metadata.name"]).out
    };
    let told_disabled = told(&disabled, "");
    assert!(told_disabled.contains("disableNameSuffixHash"), "{told_disabled}");
    let merged =
        "resources: [c.yaml]\nconfigMapGenerator:\n- {name: c, behavior: merge, literals: [a=b]}\n";
    let loaded = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {x: z}\n";
    let told_merged = told(merged, loaded);
    let reason = format!("{}: {}", messages::NO_HASH, messages::LOADED_FROM_FILE);
    assert!(told_merged.contains(&reason), "{told_merged}");
    let hashed = told(&generator(""), "");
    assert!(!hashed.contains(messages::NO_HASH), "{hashed}");
}

#[test]
fn a_line_of_an_output_selects_resource_and_field() {
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [web.yaml]\nreplicas: [{name: web, count: 4}]\n"),
        ("web.yaml", WEB),
    ]);
    let output = kzui_in(&tree.root(), &["build"]).built();
    fs_err::write(tree.root().join("out.yaml"), &output).unwrap();
    let line = output.lines().position(|line| line.contains("replicas: 4")).unwrap() + 1;
    let told = kzui_in(&tree.root(), &["why", &format!("out.yaml:{line}")]).built();
    assert!(told.starts_with("spec.replicas of Deployment/web = 4"), "{told}");
    assert!(told.contains("replicas[web].count, kustomization.yaml:2"), "{told}");
    assert_eq!(kzui_in(&tree.root(), &["why", "out.yaml:999"]).status, Some(2));
}

#[test]
fn the_line_names_the_entry_and_the_source_of_its_value() {
    let text = "resources: [web.yaml]\nreplacements:\n- source: {kind: Deployment, fieldPath: metadata.name}\n  targets:\n  - select: {kind: Deployment}\n    fieldPaths: [metadata.labels.from]\n    options: {create: true}\n";
    let tree = Tree::new(&[("kustomization.yaml", text), ("web.yaml", WEB)]);
    let field = ["Deployment/web", "metadata.labels.from"];
    let told = kzui_in(&tree.root(), &["why", field[0], field[1]]).built();
    let writer = line_with(&told, "replacements[0], kustomization.yaml:3");
    assert!(writer.contains("web.yaml:3"), "{told}");
    let porcelain = kzui_in(&tree.root(), &["why", "--porcelain", field[0], field[1]]).built();
    assert!(porcelain.contains(" kustomization.yaml:3"), "{porcelain}");
}

/// A resource in no step: the switched-off entry that adds it, or the file that no entry lists.
#[test]
fn resource_in_no_step_has_a_reason() {
    let map = |name: &str| format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\n");
    let tree = Tree::new(&[
        (
            "over/kustomization.yaml",
            "namePrefix: x-\nresources:\n- ../base\ncomponents:\n#- ../part\n- ../other\n",
        ),
        ("base/kustomization.yaml", "resources:\n- on.yaml\n"),
        ("base/on.yaml", &map("on")),
        ("base/forgotten.yaml", &map("forgotten")),
        ("part/kustomization.yaml", "kind: Component\nresources: [off.yaml]\n"),
        ("part/off.yaml", &map("off")),
        ("other/kustomization.yaml", "kind: Component\nresources: []\n"),
    ]);
    let why = |name: &str| kzui_in(&tree.root(), &["why", "over", name]);
    for name in ["ConfigMap/off", "ConfigMap/x-off"] {
        let told = why(name);
        assert_eq!(told.status, Some(1));
        assert!(told.err.contains("`../part`"), "{}", told.err);
        assert!(told.err.contains("over/kustomization.yaml:5"), "{}", told.err);
    }
    let told = why("ConfigMap/forgotten").err;
    assert!(
        told.contains("base/kustomization.yaml") && told.contains("base/forgotten.yaml"),
        "{told}"
    );
    let told = why("ConfigMap/none").err;
    assert!(told.contains("ConfigMap/none") && !told.contains("yaml"), "{told}");
}
