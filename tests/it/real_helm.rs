//! Charts of this tree rendered by the real helm, from `KZUI_HELM` or PATH. Without helm, the tests
//! are skipped with a note. The expected output is that of `kubectl kustomize` 1.36 (v5.8.1) with
//! helm 4.2.3; if `KZUI_ORACLE` names such a program, it is compared again.

use std::path::PathBuf;
use std::process::Command;

use crate::support::{Tree, kzui_in};

/// The helm to test with.
fn helm() -> Option<PathBuf> {
    let named = std::env::var_os("KZUI_HELM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = named.or_else(|| {
        std::env::split_paths(&path).map(|folder| folder.join("helm")).find(|file| file.is_file())
    });
    if found.is_none() {
        eprintln!("skipped: there is no helm; KZUI_HELM names one");
    }
    found
}

/// A chart with values, a condition, a hook, a custom resource definition and a test.
const CHART: &[(&str, &str)] = &[
    ("app/charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\nappVersion: '4'\n"),
    (
        "app/charts/web/values.yaml",
        "replicas: 1\nimage: {name: nginx, tag: '1'}\nextra: false\nlabels: {a: b}\n",
    ),
    (
        "app/charts/web/templates/deployment.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Release.Name }}-web\n  namespace: {{ .Release.Namespace }}\n  \
         labels:\n    chart: {{ .Chart.Name }}-{{ .Chart.Version }}\n    {{- toYaml .Values.labels | nindent 4 }}\nspec:\n  \
         replicas: {{ .Values.replicas }}\n  template:\n    spec:\n      containers:\n      - name: web\n        \
         image: {{ .Values.image.name }}:{{ .Values.image.tag }}\n        envFrom:\n        - configMapRef:\n            name: settings\n",
    ),
    (
        "app/charts/web/templates/extra.yaml",
        "{{- if .Values.extra }}\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\ndata:\n  kube: \"{{ .Capabilities.KubeVersion.Major }}\"\n  \
         {{- if .Capabilities.APIVersions.Has \"example.com/v1\" }}\n  api: \"yes\"\n  {{- end }}\n{{- end }}\n",
    ),
    (
        "app/charts/web/templates/hook.yaml",
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: hook\n  annotations:\n    helm.sh/hook: pre-install\nspec:\n  template: {}\n",
    ),
    (
        "app/charts/web/templates/tests/test.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: test\n  annotations:\n    helm.sh/hook: test\nspec: {}\n",
    ),
    (
        "app/charts/web/crds/foo.yaml",
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: foos.example.com\nspec:\n  group: example.com\n",
    ),
];

/// Builds a kustomization beside the chart. With an oracle, its output is asserted too.
fn build_chart(kustomization: &str, flags: &[&str]) -> Option<String> {
    let helm = helm()?;
    let tree = Tree::new(CHART);
    tree.write("app/kustomization.yaml", kustomization);
    let helm = helm.to_string_lossy().into_owned();
    let arguments = [&["--enable-helm", "--helm-command", &helm], flags, &["app"]].concat();
    let out = kzui_in(&tree.root(), &[&["build"], &arguments[..]].concat()).built();
    if let Some(oracle) = std::env::var_os("KZUI_ORACLE") {
        let mut command = Command::new(oracle);
        command.arg("kustomize").args(&arguments).current_dir(tree.root());
        let theirs = command.output().unwrap();
        let said = String::from_utf8_lossy(&theirs.stderr).into_owned();
        assert_eq!(String::from_utf8_lossy(&theirs.stdout), out, "{said}");
    }
    Some(out)
}

#[test]
fn kustomization_transforms_the_rendered_chart() {
    let kustomization = "namespace: shop\nnamePrefix: p-\nhelmCharts:\n- name: web\n  releaseName: rel\n  valuesInline: {replicas: 3}\n\
        images:\n- {name: nginx, newTag: '2'}\nconfigMapGenerator:\n- name: settings\n  literals: [a=b]\n";
    let Some(out) = build_chart(kustomization, &[]) else { return };
    for line in [
        "  name: p-rel-web\n  namespace: shop\n",
        "    chart: web-1.2.3\n",
        "  replicas: 3\n",
        "        image: nginx:2\n",
        "            name: p-settings-",
        "  name: p-hook\n",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
    assert!(
        !out.contains("kind: CustomResourceDefinition") && !out.contains("name: extra"),
        "{out}"
    );
}

#[test]
fn chart_options_reach_templates() {
    let kustomization = "helmCharts:\n- name: web\n  releaseName: rel\n  namespace: own\n  includeCRDs: true\n  skipHooks: true\n  skipTests: true\n  \
        apiVersions: [example.com/v1]\n  kubeVersion: '1.29'\n  valuesInline: {extra: true, labels: {c: d}}\n";
    let Some(out) = build_chart(kustomization, &[]) else { return };
    for line in [
        "kind: CustomResourceDefinition",
        "  namespace: own\n",
        "  api: \"yes\"\n  kube: \"1\"\n",
        "    a: b\n    c: d\n",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
    assert!(!out.contains("name: hook") && !out.contains("name: test"), "{out}");
}

#[test]
fn inline_values_are_merged_by_values_merge() {
    for (merge, image) in
        [("override", "mine:1"), ("merge", "nginx:1"), ("replace", "mine:<no value>")]
    {
        let kustomization = format!(
            "helmCharts:\n- name: web\n  releaseName: rel\n  valuesMerge: {merge}\n  valuesInline: {{image: {{name: mine}}, replicas: 2, labels: {{}}}}\n"
        );
        // A value that the templates need may be missing: helm fills it in from the chart's own
        // values.
        let Some(out) = build_chart(&kustomization, &[]) else { return };
        let image = if merge == "replace" { "mine:1" } else { image };
        assert!(out.contains(&format!("image: {image}\n")), "{merge}: {out}");
    }
}

#[test]
fn helm_error_is_part_of_the_message() {
    let Some(helm) = helm() else { return };
    let tree = Tree::new(CHART);
    tree.write("app/charts/web/templates/bad.yaml", "{{ fail \"no replicas\" }}\n");
    tree.write("app/kustomization.yaml", "helmCharts: [{name: web, releaseName: rel}]\n");
    let helm = helm.to_string_lossy().into_owned();
    let arguments = ["build", "--enable-helm", "--helm-command", &helm, "app"];
    let error = kzui_in(&tree.root(), &arguments).refused();
    assert!(error.contains("no replicas") && error.contains("unable to run: "), "{error}");
}
