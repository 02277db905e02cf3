//! The writers of a field, as the binary reports them.

use crate::support::messages;
use kzui::answers::secrets::Secrets;
use std::path::Path;
use std::process::Command;

/// Writes files, and runs `kzui why` in their directory.
fn why(files: &[(&str, &str)], arguments: &[&str]) -> (i32, String, String) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    run(dir.path(), arguments)
}

fn run(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    let porcelain = (!arguments.contains(&"--json")).then_some("--porcelain");
    let arguments: Vec<&str> = porcelain.into_iter().chain(arguments.iter().copied()).collect();
    kzui(dir, "why", &arguments)
}

fn kzui(dir: &Path, asked: &str, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kzui"));
    let ended = command.arg(asked).args(arguments).current_dir(dir).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (ended.status.code().unwrap_or(-1), text(ended.stdout), text(ended.stderr))
}

const DEPLOYMENT: &str = "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: app
        image: nginx:1
        env:
        - name: A
          value: a
        - name: B
          value: b
";

/// A base, and an overlay that repeats many of its values.
fn shop() -> Vec<(&'static str, &'static str)> {
    vec![
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", DEPLOYMENT),
        (
            "over/kustomization.yaml",
            "resources: [../base]
namespace: shop
namePrefix: p-
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, namespace: shop}
    spec:
      replicas: 1
      template:
        spec:
          containers:
          - name: side
            image: side:1
- target: {kind: Deployment}
  patch: |-
    - op: remove
      path: /spec/template/spec/containers/1/env/0
images:
- name: nginx
  newName: mirror
  newTag: \"2\"
configMapGenerator:
- name: settings
  literals:
  - x=1
  - y=two
replacements:
- source: {kind: ConfigMap, name: settings, fieldPath: data.y}
  targets:
  - select: {kind: Deployment}
    fieldPaths: [\"spec.template.spec.containers.[name=app].env.[name=B].value\"]
",
        ),
    ]
}

/// The locations and writers that `kzui why` prints for a field.
fn why_lines(field: &str) -> Vec<String> {
    let (status, out, err) = why(&shop(), &["over", "Deployment/web", field]);
    assert_eq!((status, err.as_str()), (0, ""), "{field}\n{out}");
    let place = |line: &str| {
        let (at, rest) = line.split_once('\t').unwrap();
        format!("{at} {}", rest.split_once('\t').unwrap().1)
    };
    out.lines().map(place).collect()
}

#[test]
fn last_writer_of_an_equal_value_is_final() {
    assert_eq!(
        why_lines("metadata.namespace"),
        [
            "over/kustomization.yaml:2:namespace=shop final, step 6, same value as before",
            "base/web.yaml:5:metadata.namespace=shop overridden in step 6, step 1",
        ]
    );
    assert_eq!(
        why_lines("spec.replicas"),
        [
            "over/kustomization.yaml:10:patches[0]=1 final, step 4, same value as before",
            "base/web.yaml:7:spec.replicas=1 overridden in step 4, step 1",
        ]
    );
}

#[test]
fn every_part_of_a_value_has_a_line() {
    assert_eq!(
        why_lines("spec.template.spec.containers[app].image")[0],
        "over/kustomization.yaml:23:images[nginx]=mirror:2 final, step 8, also \
         over/kustomization.yaml:22"
    );
    assert_eq!(
        why_lines("metadata.name"),
        [
            "over/kustomization.yaml:3:namePrefix=p-web final, step 7",
            "base/web.yaml:4:metadata.name=web partly, step 1",
        ]
    );
}

#[test]
fn a_replacement_leads_to_the_field_that_it_copies() {
    assert_eq!(
        why_lines("spec.template.spec.containers[app].env[B].value"),
        [
            "over/kustomization.yaml:28:replacements[0]=two final, step 9",
            "over/kustomization.yaml:28:configMapGenerator[0]=two source, final, step 3",
            "base/web.yaml:17:spec.template.spec.containers[app].env[B].value=b overridden in step 9, step 1",
        ]
    );
}

#[test]
fn reference_source_is_only_the_referenced_field() {
    let tree = [
        ("base/kustomization.yaml", "resources: [rbac.yaml]\nnamePrefix: p-\n"),
        (
            "base/rbac.yaml",
            "apiVersion: v1
kind: ServiceAccount
metadata: {name: robot}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: robot}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
subjects:
- kind: ServiceAccount
  name: robot
",
        ),
        ("over/kustomization.yaml", "resources: [../base]\nnamespace: shop\n"),
    ];
    let source = |field: &str| {
        let (_, out, _) = why(&tree, &["over", "RoleBinding/p-robot", field]);
        let sources = out.lines().filter(|line| line.contains("source"));
        sources.map(|line| line.split('=').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        source("/subjects/0/name"),
        ["base/kustomization.yaml:2:namePrefix", "base/rbac.yaml:3:metadata.name"]
    );
    assert_eq!(source("/subjects/0/namespace"), ["over/kustomization.yaml:2:namespace"]);
}

#[test]
fn namespace_is_writer_of_equal_values() {
    let tree = [
        ("kustomization.yaml", "resources: [all.yaml]\nnamespace: shop\n"),
        (
            "all.yaml",
            "apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: b, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
subjects:
- {kind: ServiceAccount, name: default, namespace: shop}
- {kind: ServiceAccount, name: other, namespace: shop}
",
        ),
    ];
    for (resource, field, place) in [
        ("Namespace/shop", "metadata.name", "kustomization.yaml:2"),
        ("RoleBinding/b", "/subjects/0/namespace", "kustomization.yaml:2"),
        ("RoleBinding/b", "/subjects/1/namespace", "all.yaml:11"),
    ] {
        let (_, out, err) = why(&tree, &[resource, field]);
        assert!(out.starts_with(place), "{resource} {field}: {out}{err}");
    }
}

/// The value of a field that a step added is changed where its source is.
#[test]
fn blame_of_an_added_field_names_the_line_of_its_source() {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("kustomization.yaml", "namespace: prod\nresources: [rb.yaml]\n"),
        (
            "rb.yaml",
            "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: sa\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata:\n  name: rb\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}\nsubjects:\n- kind: ServiceAccount\n  name: sa\n",
        ),
    ] {
        fs_err::write(dir.path().join(path), text).unwrap();
    }
    let (_, out, _) = kzui(dir.path(), "blame", &[]);
    let line = |end: &str| out.lines().rfind(|line| line.ends_with(end)).unwrap();
    assert!(line("  namespace: prod").starts_with("kustomization.yaml:1 "), "{out}");
    assert!(line("  name: sa").starts_with("rb.yaml:13 "), "{out}");
}

/// A field that is one var alone is changed where the var has its value; with other text, at the
/// text.
#[test]
fn blame_of_a_var_names_the_line_of_its_value() {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in [
        (
            "kustomization.yaml",
            "resources: [web.yaml]\nnamePrefix: p-\nvars:\n- name: PORT\n  objref: {apiVersion: v1, kind: Service, name: web}\n  fieldref: {fieldpath: \"spec.ports[0].name\"}\n",
        ),
        (
            "web.yaml",
            "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  ports:\n  - name: http\n    port: 80\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: app\n    args:\n    - $(PORT)\n    - --port=$(PORT)\n",
        ),
    ] {
        fs_err::write(dir.path().join(path), text).unwrap();
    }
    let (_, out, _) = kzui(dir.path(), "blame", &[]);
    let line = |end: &str| out.lines().rfind(|line| line.ends_with(end)).unwrap();
    assert!(line("- http").starts_with("web.yaml:6 "), "{out}");
    assert!(line("- --port=http").starts_with("web.yaml:17 "), "{out}");
}

#[test]
fn equal_write_in_a_layer_with_components_is_final() {
    let tree = [
        ("base/kustomization.yaml", "resources: [map.yaml]\nnamespace: shop\n"),
        ("base/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
        (
            "note/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {a: b}\n",
        ),
        (
            "over/kustomization.yaml",
            "resources: [../base]\ncomponents: [../note]\nnamespace: shop\n",
        ),
    ];
    let (_, out, _) = why(&tree, &["over", "ConfigMap/c", "metadata.namespace"]);
    assert!(out.starts_with("over/kustomization.yaml:3:namespace"), "{out}");
}

#[test]
fn removed_fields_have_the_line_that_removes_them() {
    let (status, out, _) = why(&shop(), &["over", "Deployment/web", "/spec/template/spec/nothing"]);
    assert_eq!((status, out.as_str()), (1, ""));
    let tree = [
        (
            "kustomization.yaml",
            "resources: [web.yaml]\npatches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web, namespace: shop}\n    spec:\n      replicas: null\n",
        ),
        ("web.yaml", DEPLOYMENT),
    ];
    let (_, out, _) = why(&tree, &["Deployment/web", "spec.replicas"]);
    let first = out.lines().next().unwrap();
    assert_eq!(
        first,
        "kustomization.yaml:8:patches[0] removed\tDeployment/web:spec.replicas\tfinal, step 2"
    );
    let gone = [
        (
            "kustomization.yaml",
            "resources: [web.yaml]\npatches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web, namespace: shop}\n    $patch: delete\n",
        ),
        ("web.yaml", DEPLOYMENT),
    ];
    let (status, out, _) = why(&gone, &["deployment/web"]);
    assert_eq!(status, 0);
    assert!(
        out.starts_with("kustomization.yaml:7:patches[0]\tDeployment/web\tremoved by step 2"),
        "{out}"
    );
}

/// A strategic merge patch puts its new container first: the indices of the loaded file are not
/// those of the output.
#[test]
fn path_of_an_element_is_that_of_the_output() {
    let patch = "resources: [web.yaml]\npatches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web, namespace: shop}\n    spec: {template: {spec: {containers: [{name: side, image: side:1}]}}}\n";
    let tree = [("kustomization.yaml", patch), ("web.yaml", DEPLOYMENT)];
    let pointer = "/spec/template/spec/containers/1/image";
    let (_, out, _) = why(&tree, &["Deployment/web", pointer, "--json"]);
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["fields"][0]["pointer"], pointer);
    assert_eq!(document["fields"][0]["writers"][0]["value"], "nginx:1");
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in tree {
        fs_err::write(dir.path().join(path), text).unwrap();
    }
    let page =
        |field: &[&str]| kzui(dir.path(), "why", &[&["Deployment/web"][..], field].concat()).1;
    assert!(page(&[pointer]).starts_with("spec.template.spec.containers[app].image of "));
    let all = page(&[]);
    assert!(all.contains("containers[app].image = nginx:1"), "{all}");
    assert!(all.contains("containers[side].image = side:1"), "{all}");
}

#[test]
fn ambiguous_name_is_refused_with_unambiguous_names() {
    let tree = [
        ("kustomization.yaml", "resources: [a.yaml, b.yaml]\n"),
        (
            "a.yaml",
            "{apiVersion: v1, kind: Service, metadata: {name: s, namespace: one}}\n---\n{apiVersion: v1, kind: Service, metadata: {name: s, namespace: two}}\n",
        ),
        ("b.yaml", "{apiVersion: x.io/v1, kind: Service, metadata: {name: s}, spec: {a: b}}\n"),
    ];
    let (status, _, err) = why(&tree, &["Service/s"]);
    assert_eq!(status, 2);
    let choices = ["one/Service/s", "two/Service/s", "Service.x.io/s"];
    for choice in choices {
        assert!(err.contains(choice), "{err}");
        let (status, out, err) = why(&tree, &[choice, "metadata.name"]);
        assert_eq!((status, out.lines().count()), (0, 1), "{choice}: {err}");
    }
    let (status, _, err) = why(&tree, &["Service/z"]);
    assert_eq!(status, 1);
    assert!(err.contains(messages::SIMILAR_NAMES), "{err}");
}

#[test]
fn blame_prints_location_and_step_of_each_value() {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| fs_err::write(dir.path().join(path), text).unwrap();
    write("kustomization.yaml", "resources: [s.yaml, k.yaml]\nnamePrefix: p-\n");
    write(
        "s.yaml",
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: s\nspec:\n  ports:\n  - port: 80\n",
    );
    write(
        "k.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: k\nstringData:\n  a: |\n    one\n    two\n",
    );
    let (status, out, err) = kzui(dir.path(), "blame", &[]);
    assert_eq!(status, 0, "{err}");
    // Secrets come before Services in the order of the output.
    let expected = [
        "k.yaml:1              2  apiVersion: v1",
        "k.yaml:2              2  kind: Secret",
        "                         metadata:",
        "kustomization.yaml:2  3    name: p-k",
        "                         stringData:",
        "k.yaml:6              2    a: <secret>",
        "                             <secret>",
        "                             <secret>",
        "                         ---",
        "s.yaml:1              1  apiVersion: v1",
        "s.yaml:2              1  kind: Service",
        "                         metadata:",
        "kustomization.yaml:2  3    name: p-s",
        "                         spec:",
        "                           ports:",
        "s.yaml:7              1    - port: 80",
    ];
    let masked = Secrets::without_salt(&out);
    assert_eq!(masked.lines().collect::<Vec<_>>(), expected, "{out}");
    let (_, out, _) = kzui(dir.path(), "blame", &["--show-secrets"]);
    let built = kzui(dir.path(), "build", &[]).1;
    let beside = expected[0].find("apiVersion").unwrap();
    let texts: Vec<&str> = out.lines().map(|line| line.get(beside..).unwrap_or("")).collect();
    assert_eq!(texts, built.lines().collect::<Vec<_>>());
}

#[test]
fn a_json_patch_that_sorts_keys_shows_its_one_change() {
    let tree = [
        (
            "kustomization.yaml",
            "resources: [map.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |-\n    - {op: replace, path: /data/b, value: other}\n",
        ),
        (
            "map.yaml",
            "kind: ConfigMap # what it is\nmetadata: {name: c}\napiVersion: v1\ndata:\n  z: 'one'\n  b: two\n  a: three\n",
        ),
    ];
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in tree {
        fs_err::write(dir.path().join(path), text).unwrap();
    }
    let (_, out, _) = kzui(dir.path(), "trace", &["--diff", "--step", "2"]);
    let changed: Vec<&str> = out
        .lines()
        .map(str::trim_start)
        .filter(|line| {
            line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---")
        })
        .collect();
    assert_eq!(changed, ["-  b: two", "+  b: other"], "{out}");
}

/// A repository with two commits by two authors, and uncommitted changes.
#[cfg(unix)]
fn history() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| fs_err::write(dir.path().join(path), text).unwrap();
    let git = |author: &str, arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(dir.path()).args(arguments).env("GIT_CONFIG_GLOBAL", "/dev/null");
        for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"] {
            command.env(name, author);
        }
        for name in ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"] {
            command.env(name, "a@example.com");
        }
        command.env("GIT_AUTHOR_DATE", "2024-02-29T12:00:00Z");
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
    };
    git("Ada", &["init", "-q"]);
    write("kustomization.yaml", "resources: [s.yaml]\n");
    write(
        "s.yaml",
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: s\nspec:\n  type: ClusterIP\n",
    );
    git("Ada", &["add", "-A"]);
    git("Ada", &["commit", "-qm", "Begin"]);
    write(
        "s.yaml",
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: s\nspec:\n  type: NodePort\n",
    );
    git("Ben", &["commit", "-qam", "Open the port"]);
    write("kustomization.yaml", "resources: [s.yaml]\nnamePrefix: p-\n");
    write(
        "s.yaml",
        "# new\napiVersion: v1\nkind: Service\nmetadata:\n  name: s\nspec:\n  type: NodePort\n",
    );
    // No program in the repository's configuration may run.
    let hook = format!(
        "[core]\n\tfsmonitor = touch {}/ran\n[diff]\n\texternal = false\n",
        dir.path().display()
    );
    let config = fs_err::read_to_string(dir.path().join(".git/config")).unwrap();
    write(".git/config", &(config + &hook));
    dir
}

#[cfg(unix)]
#[test]
fn each_line_has_the_commit_that_wrote_it() {
    let dir = history();
    let (status, out, err) = kzui(dir.path(), "blame", &["--commits"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let row = |text: &str| {
        let row = out.lines().find(|line| line.ends_with(text)).unwrap();
        row.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("type: NodePort"), "Ben 2024-02-29 Open the port s.yaml:7 1 type: NodePort");
    assert_eq!(row("kind: Service"), "Ada 2024-02-29 Begin s.yaml:3 1 kind: Service");
    assert_eq!(row("name: p-s"), "not committed kustomization.yaml:2 2 name: p-s");
    let (_, json, _) = kzui(dir.path(), "blame", &["--commits", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let last = report["lines"].as_array().unwrap().last().unwrap();
    assert_eq!(last["values"][0]["commit"]["author"], "Ben");
    assert_eq!(last["values"][0]["commit"]["date"], "2024-02-29T12:00:00Z");
    assert_eq!(report["lines"][3]["values"][0]["commit"]["id"], serde_json::Value::Null);
    let (_, lines, _) = kzui(dir.path(), "blame", &["--commits", "--porcelain"]);
    let of_last = lines
        .split("line 6\n")
        .nth(1)
        .unwrap()
        .replace(last["values"][0]["commit"]["id"].as_str().unwrap(), "ID");
    assert_eq!(
        of_last,
        "value 9 spec.type\nat s.yaml 7 9\nstep 1 load\ncommit ID\nauthor Ben\ndate 2024-02-29T12:00:00Z\nsubject Open the port\n\t  type: NodePort\n"
    );
    assert!(
        lines.contains(
            "at kustomization.yaml 2 13\nalso s.yaml 5 9\nstep 2 PrefixTransformer\ncommit -\n"
        ),
        "{lines}"
    );
    assert!(!dir.path().join("ran").exists(), "git was told to run something");
}

#[test]
fn blame_without_repository_has_no_commits() {
    let dir = tempfile::tempdir().unwrap();
    fs_err::write(
        dir.path().join("kustomization.yaml"),
        "resources: []\nnamePrefix: a-\nconfigMapGenerator: [{name: a}]\n",
    )
    .unwrap();
    let (status, out, err) = kzui(dir.path(), "blame", &["--commits"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(
        err.starts_with("error: --commits: ") && err.contains(messages::IN_NO_GIT_REPOSITORY),
        "{err}"
    );
}

/// The text of an inline configuration begins somewhere in its file: places count from there.
#[test]
fn a_line_of_an_inline_configuration_is_a_line_of_its_file() {
    let files = [
        (
            "kustomization.yaml",
            "# above\nresources: [a.yaml]\ntransformers:\n- |-\n  apiVersion: builtin\n  kind: PrefixTransformer\n  metadata: {name: p}\n  prefix: x-\n  fieldSpecs: [{path: metadata/name}]\n",
        ),
        ("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"),
    ];
    let (status, out, err) = why(&files, &[".", "ConfigMap/x-a", "metadata.name"]);
    assert_eq!((status, &*err), (0, ""), "{out}");
    assert!(out.contains("kustomization.yaml:8"), "{out}");
}
