//! `kzui compat`: the output with another Kustomize, and the cause of each difference.

use serde_json::Value;

use crate::support::{Answer, Tree, kzui_in, line_with, messages};

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - image: example.com/web:1\n    \
     name: web\n  volumes:\n  - image:\n      reference: example.com/data:1\n    name: data\n";

/// A pod with an image volume, which `images` reaches from v5.7.0 on.
fn image_volume() -> Tree {
    Tree::new(&[
        (
            "app/kustomization.yaml",
            "resources:\n- pod.yaml\nimages:\n- name: example.com/data\n  newTag: \"2\"\n",
        ),
        ("app/pod.yaml", POD),
        ("plain/kustomization.yaml", "configMapGenerator:\n- name: c\n  literals: [a=1]\n"),
    ])
}

fn compat(tree: &Tree, arguments: &[&str]) -> Answer {
    kzui_in(&tree.root(), &[&["compat"], arguments].concat())
}

fn json(answer: &Answer) -> Value {
    assert_eq!(answer.err, "");
    serde_json::from_str(&answer.out).expect("it is JSON")
}

#[test]
fn equal_targets_are_counted_with_exit_status_0() {
    let answer = compat(&image_volume(), &["--from", "v5.7.1", "--to", "v5.8.1"]);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    assert_eq!(answer.out, "v5.7.1 → v5.8.1\n  2 the same\n");
}

#[test]
fn change_is_reported_with_switch_field_and_line() {
    let tree = image_volume();
    let answer = compat(&tree, &["--from", "argocd-3.0", "--to", "argocd-3.3"]);
    assert_eq!(answer.status, Some(1), "{}", answer.err);
    let lines: Vec<&str> = answer.out.lines().map(str::trim).collect();
    assert!(lines[0].starts_with("argocd-3.0 (Kustomize v5."), "{}", answer.out);
    assert_eq!(lines[1], "1 the same, 1 changes");
    assert_eq!(lines[3], "app   changes");
    assert!(lines[4].starts_with("no-image-volumes: "), "{}", answer.out);
    assert_eq!(
        lines[5],
        "Pod/p spec.volumes[0].image.reference: example.com/data:1 → example.com/data:2 (app/kustomization.yaml:5)"
    );
    let answer = compat(&tree, &["--from", "argocd-3.0", "--to", "argocd-3.3", "-o", "json"]);
    let report = json(&answer);
    assert_eq!(report["schemaVersion"], 1);
    assert_eq!(report["toVersion"], "v5.8.1");
    let verdicts: Vec<_> = report["targets"].as_array().unwrap().iter().collect();
    assert_eq!(
        (&verdicts[0]["target"], &verdicts[0]["verdict"]),
        (&"app".into(), &"changes".into())
    );
    assert_eq!(verdicts[1]["verdict"], "same");
    let cause = &verdicts[0]["causes"][0];
    assert_eq!((&cause["switch"], &cause["since"]), (&"no-image-volumes".into(), &"v5.7.0".into()));
    assert_eq!(cause["differences"][0]["at"], "app/kustomization.yaml:5");
    let markdown = compat(&tree, &["--from", "v5.6.0", "--to", "v5.8.1", "-o", "markdown"]);
    assert!(
        markdown.out.contains("- **`app`** changes\n  - no-image-volumes: "),
        "{}",
        markdown.out
    );
}

#[test]
fn failure_in_either_direction_is_reported() {
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources: [cm.yaml]\npatches:\n- target: {kind: ConfigMap}\n  options: {unheard: true}\n  patch: |-\n    - {op: add, path: /data/b, value: c}\n",
        ),
        ("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n"),
    ]);
    let answer = compat(&tree, &["--from", "v5.0.1", "--to", "v5.8.1"]);
    assert_eq!(answer.status, Some(1), "{}", answer.out);
    assert!(answer.out.contains("\n  .   fails\n    any-patch-option: "), "{}", answer.out);
    assert!(answer.out.contains("(kustomization.yaml:"), "{}", answer.out);
    let answer = compat(&tree, &["--from", "v5.8.1", "--to", "v5.0.1"]);
    assert_eq!(answer.status, Some(1), "{}", answer.out);
    assert!(answer.out.contains(messages::FAILED_BEFORE), "{}", answer.out);
}

#[test]
fn invalid_arguments_exit_with_status_2() {
    let tree = image_volume();
    for arguments in [
        &["--from", "v5.6.0", "--to", "argocd-99"][..],
        &["--from", "v4", "--to", "v5.8.1"],
        &["nowhere", "--from", "v5.6.0"],
        &["--from"],
    ] {
        let answer = compat(&tree, arguments);
        assert_eq!((answer.status, &*answer.out), (Some(2), ""), "{arguments:?}");
    }
}

/// The difference of kustomize#6031.
#[test]
fn inherited_namespace_difference_is_reported() {
    let tree = Tree::new(&[
        ("kustomization.yaml", "namespace: top\nresources: [mid]\n"),
        (
            "mid/kustomization.yaml",
            "resources: [base]\nreplacements:\n- source: {kind: ConfigMap, name: a, fieldPath: metadata.namespace}\n  targets:\n  \
             - select: {kind: ConfigMap, name: a}\n    fieldPaths: [data.a]\n",
        ),
        ("mid/base/kustomization.yaml", "resources: [cm.yaml]\n"),
        (
            "mid/base/cm.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: one\ndata: {a: b}\n",
        ),
    ]);
    let answer = compat(&tree, &["--from", "v5.8.0", "--to", "v5.8.1"]);
    assert_eq!(answer.status, Some(1));
    assert!(answer.out.contains("namespace-handed-down: "), "{}", answer.out);
    assert!(
        answer.out.contains("ConfigMap/a data.a: top → one (mid/base/cm.yaml:5)"),
        "{}",
        answer.out
    );
}

#[test]
fn resource_with_changed_namespace_is_matched() {
    let tree = Tree::new(&[
        ("app/kustomization.yaml", "resources: [policy.yaml]\nnamespace: foo\n"),
        (
            "app/policy.yaml",
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: pol}\n",
        ),
        ("elsewhere/note.txt", "\n"),
    ]);
    let answer = kzui_in(
        &tree.path("elsewhere"),
        &["compat", "../app", "--from", "v5.8.1", "--to", "master"],
    );
    assert_eq!(answer.status, Some(1), "{}", answer.err);
    assert!(answer.out.contains("namespaced-policies: "), "{}", answer.out);
    let lost = line_with(&answer.out, "ValidatingAdmissionPolicy/pol ");
    assert!(
        lost.contains("metadata.namespace: foo (../app/kustomization.yaml:2)"),
        "{}",
        answer.out
    );
}

#[test]
fn target_with_a_pending_step_is_not_known() {
    let tree = Tree::new(&[(
        "kustomization.yaml",
        "resources: [\"https://github.com/example/none//base?ref=v1\"]\n",
    )]);
    let answer = kzui_in(&tree.root(), &["compat", "--from", "v5.7.1", "--to", "v5.8.1"]);
    assert_eq!(answer.status, Some(3), "{}{}", answer.out, answer.err);
}

/// Releases before v5.0.2 keep the aliases of a scalar as one node, and its anchor as another; as
/// kubectl 1.27 prints it.
#[test]
fn an_image_that_is_an_alias_changes_the_other_aliases_but_not_the_anchor() {
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [d.yaml]\nimages: [{name: nginx, newName: my-nginx}]\n"),
        (
            "d.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  n: &n nginx\n  b: &b {k: *n}\n  \
             c: {z: *b, v: *n}\n  template:\n    spec:\n      containers: [{image: *n}]\n",
        ),
    ]);
    let before = "spec:\n  b:\n    k: my-nginx\n  c:\n    v: my-nginx\n    z:\n      k: my-nginx\n  \"n\": nginx\n  template:\n    \
                  spec:\n      containers:\n      - image: my-nginx\n";
    let built = kzui_in(&tree.root(), &["build", "--like", "v5.0.1"]).built();
    assert!(built.ends_with(before), "{built}");
    let answer = compat(&tree, &["--from", "v5.0.1", "--to", "v5.4.2"]);
    assert_eq!(answer.status, Some(1));
    assert!(answer.out.contains("aliases-shared: "), "{}", answer.out);
    assert!(
        answer.out.contains("Deployment/a spec.c.v: my-nginx → nginx (d.yaml:6)"),
        "{}",
        answer.out
    );
}

/// A script that answers Kustomize's calls as Helm 3 does.
#[cfg(unix)]
const HELM: &str = "#!/bin/sh\ncase $1 in version) echo v3.15.0+g1; exit ;; esac\n\
     printf 'apiVersion: v1\\nkind: Service\\nmetadata:\\n  name: app\\n'\n";

/// kustomize#6189: from v5.8.0 on a chart's object without a namespace does not match a resource
/// that is generated into one.
#[cfg(unix)]
#[test]
fn a_hash_that_no_longer_reaches_an_object_of_a_chart_is_named() {
    let pod = "spec:\\n  containers:\\n  - name: a\\n    envFrom:\\n    - configMapRef: {name: settings}\\n";
    let helm = HELM
        .replace("kind: Service", "kind: Pod")
        .replace("name: app\\n'", &format!("name: app\\n{pod}'"));
    let tree = Tree::new(&[
        ("helm", &helm),
        (
            "app/kustomization.yaml",
            "namespace: shop\nconfigMapGenerator:\n- name: settings\n  literals: [a=b]\nhelmCharts:\n- name: app\n  releaseName: app\n",
        ),
        ("app/charts/app/values.yaml", "{}\n"),
    ]);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs_err::set_permissions(tree.path("helm"), mode).unwrap();
    let helm = tree.path("helm").to_string_lossy().into_owned();
    let helm = ["--enable-helm", "--helm-command", &helm];
    let answer =
        compat(&tree, &[&["app", "--from", "v5.7.1", "--to", "v5.8.1"][..], &helm].concat());
    assert_eq!(answer.status, Some(1), "{}{}", answer.out, answer.err);
    let (_, told) = answer.out.split_once("namespace-over-charts: ").expect("the switch is named");
    let lost = "Pod/app spec.containers[0].envFrom[0].configMapRef.name: settings-";
    let line = told.lines().find(|line| line.contains(lost)).unwrap_or_else(|| panic!("{told}"));
    assert!(line.contains(" → settings "), "{line}");
}

/// Argo CD renders charts by helm 3, and from 3.5 on by helm 4.
#[cfg(unix)]
#[test]
fn the_helm_of_the_controller_is_a_switch() {
    let tree = Tree::new(&[
        ("helm", HELM),
        ("helm4", &HELM.replace("v3.15.0", "v4.2.0")),
        ("app/kustomization.yaml", "helmCharts:\n- name: app\n  releaseName: app\n"),
        ("app/charts/app/values.yaml", "{}\n"),
    ]);
    let mode: std::fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    for name in ["helm", "helm4"] {
        fs_err::set_permissions(tree.path(name), mode.clone()).unwrap();
    }
    let answer = |name: &str, from: &str, to: &str| {
        let helm = tree.path(name).to_string_lossy().into_owned();
        let helm = ["app", "--enable-helm", "--helm-command", &helm, "--from", from, "--to", to];
        compat(&tree, &helm)
    };
    for (helm, switch, wanted) in [("helm", "helm-4: ", "V4"), ("helm4", "helm-3: ", "V3")] {
        let answer = answer(helm, "argocd-3.4", "argocd-3.5");
        assert_eq!(answer.status, Some(1), "{}{}", answer.out, answer.err);
        let message = format!("requires helm {wanted} but got");
        assert!(answer.out.contains(switch) && answer.out.contains(&message), "{}", answer.out);
        // Without a known controller every helm is accepted.
        assert_eq!(
            self::compat(&tree, &["app", "--to", "v5.8.1", "--from", "master"]).status,
            Some(0)
        );
    }
    let same = answer("helm", "argocd-3.3", "argocd-3.4");
    assert_eq!(same.status, Some(0), "{}", same.out);
}

/// The difference of kustomize#6058.
#[cfg(unix)]
#[test]
fn objects_of_charts_that_lose_their_namespace_are_named() {
    let tree = Tree::new(&[
        ("helm", HELM),
        (
            "app/kustomization.yaml",
            "namespace: cache\nhelmCharts:\n- name: app\n  releaseName: app\n",
        ),
        ("app/charts/app/values.yaml", "{}\n"),
    ]);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs_err::set_permissions(tree.path("helm"), mode).unwrap();
    let helm = tree.path("helm").to_string_lossy().into_owned();
    let helm = ["--enable-helm", "--helm-command", &helm];
    let answer =
        compat(&tree, &[&["app", "--from", "v5.7.1", "--to", "v5.8.1"][..], &helm].concat());
    assert_eq!(answer.status, Some(1), "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("namespace-over-charts: "), "{}", answer.out);
    let lost = line_with(&answer.out, "Service/app ");
    assert!(
        lost.contains("metadata.namespace: cache (app/kustomization.yaml:1)"),
        "{}",
        answer.out
    );
}

/// A Composition is a target like any other; another kind of object in a file of that name is none.
#[test]
fn composition_is_compared_between_versions() {
    let composition = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Composition\ntransformers:\n\
                       - {apiVersion: builtin, kind: ResourceGenerator, resources: [pod.yaml]}\n\
                       - {apiVersion: builtin, kind: ImageTagTransformer, metadata: {name: i}, imageTag: {name: example.com/data, newTag: \"2\"}}\n";
    let foreign =
        "apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: db}\n";
    let tree = Tree::new(&[
        ("app/composition.yaml", composition),
        ("app/pod.yaml", POD),
        ("db/composition.yaml", foreign),
    ]);
    let answer = compat(&tree, &["--from", "v5.6.0", "--to", "v5.8.1", "-o", "json"]);
    let report = json(&answer);
    let targets = report["targets"].as_array().unwrap();
    assert_eq!(targets.len(), 1, "{}", answer.out);
    assert_eq!(targets[0]["target"], "app", "{}", answer.out);
    compat(&tree, &["db"]).refused();
}

#[test]
fn unknown_profiles_and_missing_folders_are_refused() {
    let tree = image_volume();
    let words = compat(&tree, &["--to", "argocd-9.9"]).refused();
    assert!(
        words.contains(&format!("--to: {} \"argocd-9.9\"", messages::NO_SUCH_VERSION)),
        "{words}"
    );
    let words = compat(&tree, &["nowhere"]).refused();
    assert!(
        words.contains(&format!("nowhere: {}", messages::NO_KUSTOMIZATION_FILE_BELOW)),
        "{words}"
    );
}
