//! Mistakes that Kustomize builds without a warning: each rule reports its own case, and not the
//! corrected one.

use serde_json::Value;

use crate::support::{Tree, kzui_in};

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app-config\n  annotations: {owner: me, tier: gold}\ndata: {a: b}\n";

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web-server}\nspec:\n  template:\n    spec:\n      containers:\n      - name: app\n        image: nginx:1.25\n        env:\n        - {name: HOST, valueFrom: {fieldRef: {fieldPath: status.hostIP}}}\n        envFrom:\n        - configMapRef: {name: app-config}\n";

/// The severities of the findings of one code in a tree with these files.
fn severities(code: &str, files: &[(&str, &str)]) -> Vec<String> {
    let tree = Tree::new(files);
    let answer = kzui_in(&tree.root(), &["check", "--select", code, "--format", "json"]);
    let report: Value = serde_json::from_str(&answer.out).expect("it is JSON");
    let found = report["findings"].as_array().unwrap().iter();
    found.map(|one| one["severity"].as_str().unwrap().to_owned()).collect()
}

/// Asserts that a rule reports `wrong` in a file, and not `right` in its place.
fn assert_rule(code: &str, severity: &str, files: &[(&str, &str)], wrong: &str, right: &str) {
    assert_eq!(severities(code, files), [severity], "{code}");
    let corrected: Vec<(&str, String)> =
        files.iter().map(|(name, text)| (*name, text.replace(wrong, right))).collect();
    let corrected: Vec<(&str, &str)> =
        corrected.iter().map(|(name, text)| (*name, &**text)).collect();
    assert_ne!(files, corrected, "{code}: nothing is corrected");
    assert_eq!(severities(code, &corrected), [""; 0], "{code} of the corrected tree");
}

fn kustomization(more: &str) -> String {
    format!("resources: [map.yaml, web.yaml]\n{more}")
}

#[test]
fn values_that_the_api_server_refuses_are_errors() {
    let patched = kustomization(
        "patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web-server}\n    spec:\n      template:\n        spec:\n          containers:\n          - name: app\n            env: [{name: HOST, value: x}]\n",
    );
    let files = [("kustomization.yaml", &*patched), ("map.yaml", MAP), ("web.yaml", WEB)];
    assert_rule("KZ230", "error", &files, "value: x", "value: x, valueFrom: null");
    let files = [
        ("kustomization.yaml", "configMapGenerator:\n- name: c\n  envs: [app.env]\n"),
        ("app.env", "export A B\n"),
    ];
    assert_rule("KZ231", "error", &files, "export A B", "A=B");
}

#[test]
fn references_to_a_misspelt_resource_are_warnings() {
    let wrong = WEB.replace("app-config", "app-cofnig");
    let kustomization = kustomization("namePrefix: x-\n");
    let files = [("kustomization.yaml", &*kustomization), ("map.yaml", MAP), ("web.yaml", &*wrong)];
    assert_rule("KZ232", "warning", &files, "app-cofnig", "app-config");
    // Names with different numbers name different objects, and an optional reference may be
    // missing.
    assert_rule("KZ232", "warning", &files, "app-cofnig", "app-config-2");
    assert_rule("KZ232", "warning", &files, "app-cofnig}", "app-cofnig, optional: true}");
    let scaler = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: other}\n";
    let scaled = "resources: [scaler.yaml, web.yaml]\n";
    let files = [("kustomization.yaml", scaled), ("scaler.yaml", scaler), ("web.yaml", WEB)];
    assert_rule("KZ232", "warning", &files, "name: other", "name: web-server");
}

/// The kind of a roleRef decides: a `ClusterRole` that had the name is not meant if the Role exists.
#[test]
fn old_name_of_another_type_is_no_reference() {
    let role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: other, namespace: n}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: binding, namespace: n}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}\n";
    let files = [
        ("kustomization.yaml", "resources: [cluster, role.yaml]\n"),
        ("cluster/kustomization.yaml", "namePrefix: x-\nresources: [role.yaml]\n"),
        (
            "cluster/role.yaml",
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader}\n",
        ),
        ("role.yaml", role),
    ];
    assert_rule("KZ113", "warning", &files, "name: other", "name: reader");
}

#[test]
fn json_patches_that_lose_keys_or_miss_their_field_are_warnings() {
    let patched = |path: &str, value: &str| {
        kustomization(&format!(
            "patches:\n- target: {{kind: ConfigMap}}\n  patch: |-\n    - {{op: add, path: {path}, value: {value}}}\n"
        ))
    };
    let add = patched("/metadata/annotations", "{team: shop}");
    let files = [("kustomization.yaml", &*add), ("map.yaml", MAP), ("web.yaml", WEB)];
    let right = "annotations/team, value: shop";
    assert_rule("KZ209", "warning", &files, "annotations, value: {team: shop}", right);
    let path = patched("data/z", "z");
    let files = [("kustomization.yaml", &*path), ("map.yaml", MAP), ("web.yaml", WEB)];
    assert_rule("KZ211", "warning", &files, "path: data/z", "path: /data/z");
    for (path, right) in [("data/z", "write /data/z"), ("x/data/z", "write /data/z")] {
        let path = patched(path, "z");
        let tree =
            Tree::new(&[("kustomization.yaml", &path), ("map.yaml", MAP), ("web.yaml", WEB)]);
        let told = kzui_in(&tree.root(), &["check", "--select", "KZ211"]).out;
        assert!(told.contains(right), "{told}");
    }
}

#[test]
fn fields_that_kustomize_ignores_are_reported() {
    let files = [
        ("kustomization.yaml", "resources: [map.yaml]\nnamePrefix: x-\nresources: [web.yaml]\n"),
        ("map.yaml", MAP),
        ("web.yaml", WEB),
    ];
    assert_rule("KZ233", "error", &files, "\nresources: [web.yaml]", "");
    let files = [
        ("kustomization.yaml", "resources: [map.yaml]\ntransformers: [labels.yaml]\n"),
        ("map.yaml", MAP),
        (
            "labels.yaml",
            "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: l}\nlabel: {a: b}\nfieldSpecs: [{path: metadata/labels, create: true}]\n",
        ),
    ];
    assert_rule("KZ234", "warning", &files, "label: {", "labels: {");
    let files = [
        (
            "kustomization.yaml",
            "resources: [own.yaml]\nconfigurations: [c.yaml]\nimages:\n- {name: nginx, newTag: \"2\"}\n",
        ),
        ("c.yaml", "images:\n- {path: spec/containers/image, kind: Own}\n"),
        (
            "own.yaml",
            "apiVersion: example.com/v1\nkind: Own\nmetadata: {name: a}\nspec:\n  container: {image: nginx:1}\n",
        ),
    ];
    assert_rule("KZ236", "warning", &files, "spec/containers", "spec/container");
    // A slash in a key is written `\/`.
    let files = [
        ("kustomization.yaml", "resources: [own.yaml]\nconfigurations: [c.yaml]\n"),
        ("c.yaml", "images:\n- {path: metadata/annotations/check~1sum, kind: Own}\n"),
        (
            "own.yaml",
            "apiVersion: example.com/v1\nkind: Own\nmetadata: {name: a, annotations: {check/sum: x}}\n",
        ),
    ];
    assert_rule("KZ236", "warning", &files, "check~1sum", "check\\/sum");
}

#[test]
fn atomic_lists_and_labels_of_custom_resources_are_reported() {
    let ingress = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web}\nspec:\n  rules:\n  - host: dev\n    http: {paths: []}\n";
    let patch = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web}\nspec: {rules: [{host: prod}]}\n";
    let files = [
        ("kustomization.yaml", "resources: [i.yaml]\npatches:\n- path: p.yaml\n"),
        ("i.yaml", ingress),
        ("p.yaml", patch),
    ];
    assert_rule("KZ207", "warning", &files, "host: prod", "host: prod, http: {paths: []}");
    let rollout = WEB
        .replace("apps/v1", "argoproj.io/v1alpha1")
        .replace("Deployment", "Rollout")
        .replace("  template:\n", "  template:\n    metadata: {labels: {app: web}}\n");
    let labels =
        "resources: [rollout.yaml]\nlabels:\n- pairs: {team: shop}\n  includeSelectors: true\n";
    let files = [("kustomization.yaml", labels), ("rollout.yaml", &*rollout)];
    assert_rule("KZ235", "warning", &files, "includeSelectors: true", "includeSelectors: false");
}

#[test]
fn var_placeholder_left_in_other_field_is_reported() {
    let vars = "namePrefix: x-\nresources: [a.yaml]\nvars:\n- name: NAME\n  objref: {kind: ServiceAccount, name: manager, apiVersion: v1}\n";
    let account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: manager}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      serviceAccountName: $(NAME)\n      containers:\n      - name: app\n        image: nginx\n        env: [{name: A, value: $(NAME)}]\n";
    let files = [("kustomization.yaml", vars), ("a.yaml", account)];
    assert_rule("KZ123", "warning", &files, "      serviceAccountName: $(NAME)\n", "");
}

#[test]
fn a_replaced_list_comes_with_the_json_patch_that_keeps_it() {
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [ingress.yaml]\npatches: [{path: patch.yaml}]\n"),
        (
            "ingress.yaml",
            "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web}\nspec:\n  rules:\n  - host: a.dev\n    http: {paths: []}\n  - host: b.dev\n    http: {paths: []}\n",
        ),
        (
            "patch.yaml",
            "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web}\nspec:\n  rules:\n  - host: a.prod\n",
        ),
    ]);
    let out = kzui_in(&tree.root(), &["check", "."]).out;
    assert!(out.contains("http of element 0, element 1 are lost"), "{out}");
    let patch = "[{\"op\": \"replace\", \"path\": \"/spec/rules/0/host\", \"value\": \"a.prod\"}]";
    assert!(out.contains(patch), "{out}");
    // With the proposed patch, the output keeps the rules.
    let fixed = format!(
        "resources: [ingress.yaml]\npatches:\n- target: {{kind: Ingress}}\n  patch: |-\n    {patch}\n"
    );
    tree.write("kustomization.yaml", &fixed);
    let built = kzui_in(&tree.root(), &["build", "."]).built();
    assert!(built.contains("host: a.prod\n") && built.contains("host: b.dev\n"), "{built}");
}

/// One patch replaces the list of several resources of a custom type: the warning names them, and
/// the elements by the kind that they are about.
#[test]
fn replaced_list_names_resources_and_whole_elements() {
    let own = |name: &str| {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: {name}}}\nspec:\n  patches: [{{patch: x, target: {{kind: Source, group: a}}}}]\n"
        )
    };
    let patch = "patches:\n- target: {kind: Kustomization}\n  patch: |-\n    apiVersion: kustomize.toolkit.fluxcd.io/v1\n    kind: Kustomization\n    metadata: {name: any}\n    spec: {patches: [{patch: y, target: {kind: Release}}]}\n";
    let tree = Tree::new(&[
        ("kustomization.yaml", &format!("resources: [a.yaml, b.yaml]\n{patch}")),
        ("a.yaml", &own("a")),
        ("b.yaml", &own("b")),
    ]);
    let answer = kzui_in(&tree.root(), &["check", "--select", "KZ202", "--format", "json"]);
    let words =
        "the list spec.patches of a and b is replaced whole: element 0 (for Source) is lost";
    assert!(answer.out.contains(words), "{}", answer.out);
}

/// An API server refuses a pod with a mount of a volume that the pod does not have; in a custom
/// type, the list of volumes may be elsewhere.
#[test]
fn mount_without_its_volume_is_an_error() {
    let mounts = WEB.replace(
        "        env:\n",
        "        volumeMounts: [{name: data, mountPath: /d}]\n        env:\n",
    );
    let wrong = format!("{mounts}      volumes: [{{name: other, emptyDir: {{}}}}]\n");
    let kustomization = kustomization("");
    let files = [("kustomization.yaml", &*kustomization), ("map.yaml", MAP), ("web.yaml", &*wrong)];
    assert_rule("KZ241", "error", &files, "name: other", "name: data");
    assert_rule("KZ241", "error", &files, "apiVersion: apps/v1", "apiVersion: example.com/v1");
    let claims = "spec:\n  volumeClaimTemplates: [{metadata: {name: data}}]\n  template:";
    assert_rule("KZ241", "error", &files, "spec:\n  template:", claims);
}

/// `add` over a list with names replaces all of its elements; a value that repeats one of them was
/// written in full.
#[test]
fn added_list_without_the_old_elements_is_a_warning() {
    let wrong = kustomization(
        "patches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: add, path: /spec/template/spec/containers/0/env, value: [{name: PORT, value: a}]}\n",
    );
    let files = [("kustomization.yaml", &*wrong), ("map.yaml", MAP), ("web.yaml", WEB)];
    assert_rule(
        "KZ209",
        "warning",
        &files,
        "[{name: PORT,",
        "[{name: HOST, value: b}, {name: PORT,",
    );
    assert_rule(
        "KZ209",
        "warning",
        &files,
        "0/env, value: [{name: PORT, value: a}]",
        "0/env/-, value: {name: PORT, value: a}",
    );
}
