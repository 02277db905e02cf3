//! One repository for each way in which a deployment differs from the build of its folder: every
//! command shows the deployment.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use kzui::answers::RepositoryBuilds;
use kzui::engine::evaluate::{BuildOptions, Ports};
use kzui::engine::load::MemoryFiles;
use kzui::host::{DiskFiles, DiskListing};
use serde_json::Value;

use crate::deployed::conversation;
use crate::support::{Answer, Tree, kzui_in};

const SETTINGS: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {DOMAIN: example.org}\n";

fn flux(name: &str, spec: &str) -> String {
    format!(
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n\
         metadata: {{name: {name}, namespace: flux-system}}\nspec:\n  \
         sourceRef: {{kind: GitRepository, name: flux-system}}\n{spec}"
    )
}

fn application(name: &str, source: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}}}\nspec:\n  \
         source:\n    repoURL: https://git.example.com/org/shop.git\n{source}"
    )
}

fn committed(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(files);
    tree.commit("one");
    tree
}

/// Runs a command, and expects an exit status and texts in its output.
fn expect(tree: &Tree, line: &str, status: i32, texts: &[&str]) -> Answer {
    let words: Vec<&str> = line.split(' ').collect();
    let answer = kzui_in(&tree.root(), &words);
    let all = format!("{}{}", answer.out, answer.err);
    assert_eq!(answer.status, Some(status), "{line}: {all}");
    for text in texts {
        assert!(all.contains(text), "{line}: no {text:?} in {all}");
    }
    answer
}

/// The severities of a finding in the report of `check`, in the workbench's linear mode and in
/// SARIF.
fn severities(tree: &Tree, target: &str, code: &str) -> [String; 3] {
    let report = kzui_in(&tree.root(), &["check", target, "--notes", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&report).unwrap();
    let found = report["findings"].as_array().unwrap().iter();
    let found = found.filter(|one| one["code"] == code).map(|one| one["severity"].clone());
    let json = found.map(|it| it.as_str().unwrap().to_owned()).next().unwrap_or_default();
    let sarif = kzui_in(&tree.root(), &["check", target, "--notes", "--format", "sarif"]).out;
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap().iter();
    let level = results.filter(|one| one["ruleId"] == code).map(|one| one["level"].clone()).next();
    let told = conversation(tree, target, "problems\nquit!\n");
    let line = told.lines().find(|line| line.contains(code)).unwrap_or_default().to_lowercase();
    let words = ["error", "warning", "note"].into_iter().find(|word| line.contains(word));
    [
        json,
        level.and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default(),
        words.unwrap_or_default().to_owned(),
    ]
}

/// A patch whose target has a namespace that the object sets only later.
pub(crate) fn patch_before_namespace() -> Tree {
    committed(&[
        (
            "app.yaml",
            &flux(
                "web",
                "  path: ./web\n  targetNamespace: prod\n  patches:\n  - target: {kind: Deployment, namespace: prod}\n    \
                 patch: |-\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata: {name: web}\n      \
                 spec: {replicas: 3}\n",
            ),
        ),
        ("web/kustomization.yaml", "resources: [web.yaml]\n"),
        (
            "web/web.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n",
        ),
    ])
}

#[test]
fn a_patch_that_an_object_adds_without_a_match_is_reported_by_every_command() {
    let tree = patch_before_namespace();
    for target in [".", "app.yaml", "app.yaml#web", "web"] {
        expect(&tree, &format!("check {target}"), 1, &["KZ101", "app.yaml:9", "namespace prod"]);
    }
    let field = "Deployment/web spec.replicas";
    expect(&tree, &format!("why app.yaml {field}"), 0, &["web/web.yaml:4", "app.yaml:9", "KZ101"]);
    expect(&tree, "trace app.yaml", 0, &["KZ101", "no match"]);
    expect(&tree, "build app.yaml", 0, &["replicas: 1", "namespace: prod"]);
    expect(&tree, "blame app.yaml", 0, &["app.yaml:7"]);
    expect(&tree, "grep replicas", 0, &["web/web.yaml:4\tapp.yaml#web"]);
    expect(&tree, "where web/web.yaml", 0, &["app.yaml#web"]);
    expect(&tree, "diff web app.yaml", 1, &["namespace: prod", "app.yaml:7"]);
    expect(&tree, "order app.yaml", 0, &[]);
    expect(&tree, "compat --from v5.0.1 app.yaml", 0, &["1 the same"]);
    assert_eq!(severities(&tree, "app.yaml", "KZ101"), ["error"; 3]);
}

/// One target adds an Application several times, each with a suffix and a path.
#[test]
fn an_application_that_one_target_adds_twice_is_built_by_its_new_names() {
    let app = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec:\n  source: {repoURL: 'https://git.example.com/org/shop.git', path: web}\n  destination: {namespace: shop}\n";
    let overlay = |name: &str| {
        format!(
            "resources: [../base]\nnameSuffix: -{name}\npatches:\n- target: {{kind: Application}}\n  patch: |-\n    - {{op: replace, path: /spec/source/path, value: web/{name}}}\n"
        )
    };
    let tree = committed(&[
        (".git/config", "[remote \"origin\"]\n\turl = https://git.example.com/org/shop.git\n"),
        ("all/kustomization.yaml", "resources: [../dev, ../test]\n"),
        ("base/kustomization.yaml", "resources: [app.yaml]\n"),
        ("base/app.yaml", app),
        ("dev/kustomization.yaml", &overlay("dev")),
        ("test/kustomization.yaml", &overlay("test")),
        ("web/dev/kustomization.yaml", "configMapGenerator: [{name: of-dev}]\n"),
        ("web/test/kustomization.yaml", "configMapGenerator: [{name: of-test}]\n"),
    ]);
    expect(&tree, "check . --notes", 0, &[]);
    expect(&tree, "where web/dev/kustomization.yaml", 0, &["base/app.yaml#web-dev"]);
    expect(&tree, "build base/app.yaml#web-dev", 0, &["of-dev"]);
    expect(&tree, "build base/app.yaml#web-test", 0, &["of-test"]);
    expect(&tree, "build base/app.yaml#web", 1, &["base/app.yaml#web-dev@all"]);
}

/// A manifest with a variable that no object sets.
pub(crate) fn unset_variable() -> Tree {
    committed(&[
        (
            "clusters/obs.yaml",
            &flux("obs", "  path: ./obs\n  postBuild: {substitute: {ZONE: eu}}\n"),
        ),
        ("obs/kustomization.yaml", "resources: [cm.yaml]\n"),
        (
            "obs/cm.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: otel}\ndata:\n  zone: ${ZONE}\n  key: ${API_KEY}\n",
        ),
    ])
}

#[test]
fn a_variable_without_a_value_fails_from_flux_2_9_on() {
    let tree = unset_variable();
    let failed = ["KZ054", "obs/cm.yaml:6", "API_KEY", "or escape it as"];
    expect(&tree, "check", 1, &failed);
    expect(&tree, "check --like flux-2.9", 1, &failed);
    expect(&tree, "check --like flux-2.8", 0, &["KZ620", "API_KEY"]);
    expect(&tree, "build clusters/obs.yaml --like flux-2.9", 1, &failed[1..]);
    let old = expect(&tree, "build clusters/obs.yaml --like flux-2.8", 0, &["API_KEY is not set"]);
    assert!(old.out.contains("zone: eu\n") && !old.out.contains("${"), "{}", old.out);
    expect(
        &tree,
        "compat --from flux-2.8 --to flux-2.9",
        1,
        &["strict-substitution", "clusters/obs.yaml#obs", "API_KEY"],
    );
    expect(
        &tree,
        "why clusters/obs.yaml ConfigMap/otel data.zone --like flux-2.8",
        0,
        &["clusters/obs.yaml:7"],
    );
    expect(&tree, "graph --format mermaid", 0, &["clusters/obs.yaml#35;obs\"]:::fails"]);
    expect(&tree, "diff obs clusters/obs.yaml", 1, &["fails now"]);
    assert_eq!(severities(&tree, "clusters/obs.yaml", "KZ054"), ["error"; 3]);
}

#[test]
fn a_variable_in_a_text_of_several_lines_has_the_line_of_its_use() {
    let tree = unset_variable();
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: otel}\ndata:\n  config: |\n    a: ${ZONE}\n    \
                b:\n      key: \"${API_KEY}\"\n";
    tree.write("obs/cm.yaml", text);
    let shown = ["obs/cm.yaml:8:13", "API_KEY"];
    expect(&tree, "build clusters/obs.yaml --like flux-2.9", 1, &shown);
    expect(&tree, "check", 1, &["KZ054", shown[0]]);
}

/// An Application with labels, and a file of the folder that overrides its image.
pub(crate) fn overridden_image() -> Tree {
    committed(&[
        (
            "argocd/app.yaml",
            &application(
                "web",
                "    path: deploy/web\n    kustomize:\n      commonLabels: {tag: v42}\n",
            ),
        ),
        ("deploy/web/kustomization.yaml", "resources: [web.yaml]\n"),
        (
            "deploy/web/web.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n\
             spec: {template: {spec: {containers: [{name: web, image: 'web:v1'}]}}}\n",
        ),
        ("deploy/web/.argocd-source-web.yaml", "kustomize:\n  images: ['web:v44']\n"),
    ])
}

#[test]
fn files_that_override_an_application_count_for_every_command() {
    let tree = overridden_image();
    let file = "deploy/web/.argocd-source-web.yaml:2";
    expect(&tree, "build argocd/app.yaml", 0, &["image: web:v44", "tag: v42"]);
    let image = "Deployment/web spec.template.spec.containers[web].image";
    expect(&tree, &format!("why argocd/app.yaml {image}"), 0, &[file, "web:v44"]);
    expect(
        &tree,
        "why argocd/app.yaml Deployment/web metadata.labels.tag",
        0,
        &["argocd/app.yaml:9"],
    );
    expect(&tree, "blame argocd/app.yaml", 0, &[file, "argocd/app.yaml:9"]);
    expect(&tree, "grep web:v44", 0, &[file, "argocd/app.yaml#web"]);
    expect(&tree, "images", 0, &["v44", "argocd/app.yaml#web"]);
    expect(&tree, "where deploy/web/.argocd-source-web.yaml", 0, &["argocd/app.yaml#web"]);
    expect(&tree, "diff deploy/web argocd/app.yaml", 1, &["v44", "tag: v42"]);
    expect(&tree, "build argocd/app.yaml --map map.json", 0, &[]);
    let map = String::from_utf8(tree.read("map.json")).unwrap();
    assert!(map.contains(".argocd-source-web.yaml"), "{map}");
    expect(&tree, "check", 0, &["in 1 target"]);
}

/// A folder that reaches outside itself, which only Flux allows.
pub(crate) fn file_outside_folder() -> Tree {
    committed(&[
        ("clusters/a.yaml", &flux("a", "  path: ./apps/a\n")),
        ("apps/a/kustomization.yaml", "resources: [../../shared/cm.yaml]\n"),
        ("shared/cm.yaml", SETTINGS),
    ])
}

#[test]
fn a_restriction_that_flux_does_not_have_is_no_finding() {
    let tree = file_outside_folder();
    for target in [".", "apps/a", "clusters/a.yaml", "clusters/a.yaml#a"] {
        expect(&tree, &format!("check {target}"), 0, &["0 errors"]);
    }
    expect(&tree, "build clusters/a.yaml", 0, &["name: settings"]);
    let alone = ["load_restrictor", "clusters/a.yaml#a"];
    expect(&tree, "build apps/a", 1, &alone[..1]);
    let graph = expect(&tree, "graph --format mermaid", 0, &["apps/a\"]:::builds"]);
    assert!(!graph.out.contains(":::fails\n"), "{}", graph.out);
    expect(&tree, "grep example.org", 0, &["shared/cm.yaml:4\tclusters/a.yaml#a"]);
}

/// A parent that patches its children and sets a part of their paths, and a `ConfigMap` with
/// variables.
pub(crate) fn parent_and_child() -> Tree {
    committed(&[
        (
            "clusters/parent.yaml",
            &flux(
                "apps",
                "  path: ./apps\n  postBuild: {substitute: {TIER: gold}}\n  patches:\n  - target: {kind: Kustomization}\n    \
                 patch: |\n      apiVersion: kustomize.toolkit.fluxcd.io/v1\n      kind: Kustomization\n      \
                 metadata: {name: all}\n      spec: {postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}}\n",
            ),
        ),
        ("apps/kustomization.yaml", "resources: [child.yaml, settings.yaml, other.yaml]\n"),
        ("apps/settings.yaml", SETTINGS),
        ("apps/child.yaml", &flux("child", "  path: ./web/${TIER}\n")),
        ("apps/other.yaml", "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: other}\n"),
        ("web/gold/kustomization.yaml", "resources: [cm.yaml]\n"),
        (
            "web/gold/cm.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {host: 'x.${DOMAIN}'}\n",
        ),
    ])
}

#[test]
fn a_child_is_built_as_its_parent_deploys_it() {
    let tree = parent_and_child();
    expect(&tree, "build apps/child.yaml", 0, &["host: x.example.org"]);
    expect(&tree, "why apps/child.yaml ConfigMap/web data.host", 0, &["apps/settings.yaml:4"]);
    expect(&tree, "grep x.example.org", 0, &["apps/settings.yaml:4\tapps/child.yaml#child"]);
    let graph = expect(&tree, "graph --format mermaid", 0, &[]);
    let nodes: Vec<&str> = ["clusters/parent.yaml#35;apps", "apps/child.yaml#35;child"]
        .into_iter()
        .map(|name| {
            let line = graph.out.lines().find(|line| line.contains(name)).unwrap();
            line.trim().split('[').next().unwrap()
        })
        .collect();
    let arrow = format!("{} -->|\"deploys:", nodes[0]);
    let target = format!(" {}", nodes[1]);
    let is_arrow = |line: &str| line.contains(&arrow) && line.ends_with(&target);
    assert!(graph.out.lines().any(is_arrow), "{}", graph.out);
}

/// A patch that a parent adds to all its children is meant for some of them: the list of targets
/// counts it as `kzui check` reports it.
#[test]
fn a_patch_of_a_parent_without_match_in_one_child_is_a_note() {
    let tree = parent_and_child();
    let parent = String::from_utf8(tree.read("clusters/parent.yaml")).unwrap();
    let patch = r#"spec: {patches: [{target: {kind: Job}, patch: '[{"op": "remove", "path": "/spec"}]'}], postBuild: "#;
    tree.write("clusters/parent.yaml", &parent.replace("spec: {postBuild: ", patch));
    tree.write(
        "apps/kustomization.yaml",
        "resources: [child.yaml, settings.yaml, other.yaml, jobs.yaml]\n",
    );
    tree.write("apps/jobs.yaml", &flux("jobs", "  path: ./jobs\n"));
    tree.write("jobs/kustomization.yaml", "resources: [job.yaml]\n");
    tree.write("jobs/job.yaml", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {}\n");
    expect(&tree, "check --notes", 0, &["note[KZ101]"]);
    let ports = Ports { files: Arc::new(DiskFiles), ..Ports::of_files(MemoryFiles::default()) };
    let child = tree.path("apps/child.yaml#child");
    let (listing, options) = (Arc::new(DiskListing), BuildOptions::default());
    let mut builds = RepositoryBuilds::new(&tree.root(), listing, options, ports, [1; 16]);
    builds.find().unwrap();
    builds.read();
    let summary = Mutex::new(BTreeMap::new());
    builds.build(std::slice::from_ref(&child), &|path, found| {
        summary.lock().unwrap().insert(path.to_owned(), found.unwrap());
    });
    let mut summary = summary.into_inner().unwrap();
    builds.report().count_in(&mut summary);
    let found = &summary[&child];
    assert_eq!((found.errors, found.notes), (0, 1), "{found:?}");
}

#[test]
fn a_change_of_variables_or_of_a_parent_reaches_the_child() {
    let tree = parent_and_child();
    for file in ["apps/settings.yaml", "clusters/parent.yaml"] {
        expect(&tree, &format!("where {file}"), 0, &["apps/child.yaml#child"]);
    }
    let other = expect(&tree, "where apps/other.yaml", 0, &["clusters/parent.yaml#apps"]);
    assert!(!other.out.contains("child"), "{}", other.out);
    tree.write("apps/settings.yaml", &SETTINGS.replace("example.org", "example.com"));
    let child = ["apps/child.yaml#child", "x.example.org → x.example.com", "apps/settings.yaml:4"];
    expect(&tree, "diff HEAD", 1, &child);
    expect(&tree, "check --changed HEAD --format json", 0, &["\"targets\": 2"]);
    tree.commit("two");
    let parent = String::from_utf8(tree.read("clusters/parent.yaml")).unwrap();
    tree.write("clusters/parent.yaml", &parent.replace("TIER: gold", "TIER: lead"));
    expect(&tree, "diff HEAD", 1, &["apps/child.yaml#child", "fails now"]);
    expect(&tree, "check --changed HEAD --format json", 1, &["\"targets\": 2"]);
}

/// Objects whose sources are not built here.
fn other_sources() -> Tree {
    committed(&[
        (
            "clusters/oci.yaml",
            &flux("oci", "  path: ./deploy\n")
                .replace("GitRepository, name: flux-system", "OCIRepository, name: capacitor"),
        ),
        ("deploy/cm.yaml", SETTINGS),
        ("apps/chart.yaml", &application("chart", "    chart: redis\n    targetRevision: 1.2.3\n")),
        ("apps/here.yaml", &application("here", "    path: deploy\n")),
    ])
}

#[test]
fn objects_of_other_sources_are_targets_that_are_not_known() {
    let tree = other_sources();
    let oci = ["OCIRepository capacitor", "clusters/oci.yaml:5"];
    let built = expect(&tree, "build clusters/oci.yaml", 1, &oci);
    assert!(built.out.is_empty(), "{}", built.out);
    expect(&tree, "build apps/chart.yaml", 1, &["Helm from a chart", "apps/chart.yaml:6"]);
    expect(
        &tree,
        "check",
        0,
        &["in 3 targets", "1 object of another source", "1 object rendered by Helm"],
    );
    expect(&tree, "graph --format mermaid", 0, &["clusters/oci.yaml#35;oci\"]:::waits"]);
    // Never the same: what is deployed is not known.
    tree.write(
        "apps/chart.yaml",
        &application("chart", "    chart: redis\n    targetRevision: 1.2.4\n"),
    );
    let report = expect(&tree, "diff HEAD", 3, &["apps/chart.yaml#chart", "not known"]);
    assert!(report.out.contains("1 not known"), "{}", report.out);
    expect(&tree, "where apps/chart.yaml", 0, &["apps/chart.yaml#chart"]);
}

#[test]
fn texts_of_yaml_1_1_become_booleans_as_in_flux() {
    let tree = committed(&[
        (
            "k.yaml",
            &flux("k", "  path: ./app\n  postBuild: {substitute: {B: 'yes', D: '2024-01-01'}}\n"),
        ),
        (
            "app/cm.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  b: \"${B}\"\n  d: ${D}\n",
        ),
    ]);
    expect(&tree, "build k.yaml", 0, &["b: true\n", "d: \"2024-01-01\"\n", "`yes` becomes true"]);
    expect(&tree, "check", 0, &["KZ619"]);
    assert_eq!(severities(&tree, "k.yaml", "KZ619"), ["warning"; 3]);
}

#[test]
fn each_element_of_a_set_is_a_target_and_the_set_lists_them() {
    let set = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec:\n  generators:\n  - list:\n      \
               elements: [{env: dev}, {env: prod}]\n  template:\n    metadata: {name: 's-{{env}}'}\n    spec:\n      source: \
               {repoURL: 'https://git.example.com/org/shop.git', path: 'env/{{env}}'}\n";
    let tree = committed(&[
        ("sets/set.yaml", set),
        ("env/dev/kustomization.yaml", "resources: [cm.yaml]\n"),
        ("env/dev/cm.yaml", SETTINGS),
        ("env/prod/kustomization.yaml", "namePrefix: p-\nresources: [../dev]\n"),
    ]);
    expect(&tree, "build sets/set.yaml", 1, &["sets/set.yaml#s-dev, sets/set.yaml#s-prod"]);
    expect(&tree, "build sets/set.yaml#s-prod", 0, &["name: p-settings"]);
    expect(&tree, "check", 0, &["in 2 targets"]);
    expect(&tree, "diff sets/set.yaml#s-dev sets/set.yaml#s-prod", 1, &["p-settings"]);
    expect(&tree, "where env/prod/kustomization.yaml", 0, &["sets/set.yaml#s-prod"]);
}

#[test]
fn an_element_of_a_cluster_that_may_not_exist_is_no_error() {
    let set = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec:\n  generators:\n  - merge:\n      \
               mergeKeys: [name]\n      generators:\n      - clusters: {selector: {matchLabels: {env: prod}}, values: {dir: base}}\n      \
               - list: {elements: [{name: here, values.dir: prod}, {name: gone, values.dir: none}]}\n  template:\n    metadata: {name: 's-{{name}}'}\n    \
               spec:\n      source: {repoURL: 'https://git.example.com/org/shop.git', path: 'env/{{values.dir}}'}\n";
    let tree = committed(&[
        ("sets/set.yaml", set),
        (
            "sets/patch.yaml",
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec: {syncPolicy: {}}\n",
        ),
        ("env/base/kustomization.yaml", "resources: [cm.yaml]\n"),
        ("env/base/cm.yaml", SETTINGS),
        ("env/prod/kustomization.yaml", "resources: [../base]\n"),
    ]);
    expect(&tree, "build sets/set.yaml#s-here", 0, &["name: settings"]);
    expect(&tree, "build sets/set.yaml#s-gone", 1, &["'env/none'"]);
    expect(&tree, "check", 0, &["0 errors"]);
    // A set without generators only completes another one.
    expect(&tree, "build sets/patch.yaml", 1, &["no generators"]);
}

#[test]
fn the_name_of_an_object_alone_is_a_target() {
    let tree = overridden_image();
    for line in [
        "build web",
        "trace web",
        "why web Deployment/web spec.template.spec.containers[web].image",
        "blame web",
        "check web",
        "order web",
        "grep web:v44 web",
        "images web",
        "table kind web",
        "where web",
        "graph web --format mermaid",
        "compat --from v5.0.1 web",
        "components web",
        "set web Deployment/web spec.replicas=4",
        "drafts web",
        "migrate web",
        "openapi info web",
        "edit set namespace shop --dir web --dry-run",
    ] {
        expect(&tree, line, 0, &[]);
    }
    expect(&tree, "diff deploy/web web", 1, &["v44"]);
    expect(&tree, "matrix web", 2, &["argocd/app.yaml#web: its kustomization file lists no"]);
    expect(&tree, "consolidate web", 1, &["deploy/web"]);
    let image = "Deployment/web spec.template.spec.containers[web].image";
    expect(&tree, &format!("why-differ deploy/web web {image}"), 1, &["web:v44"]);
    assert!(conversation(&tree, "web", "quit!\n").contains("argocd/app.yaml#web. Build ok"));
    expect(&tree, "build none", 1, &["no such file or directory"]);
    // A folder of this name precedes the object.
    tree.write("web/kustomization.yaml", "resources: [cm.yaml]\n");
    tree.write("web/cm.yaml", SETTINGS);
    expect(&tree, "build web", 0, &["name: settings"]);
}

#[test]
fn the_name_of_an_object_is_a_target_in_a_commit() {
    let tree = overridden_image();
    let file = "deploy/web/.argocd-source-web.yaml";
    tree.write(file, "kustomize:\n  images: ['web:v45']\n");
    tree.commit("two");
    let image = "Deployment/web spec.template.spec.containers[web].image";
    for (before, after) in [("HEAD~1:web", "HEAD:web"), ("HEAD~1:web", "web")] {
        expect(&tree, &format!("diff {before} {after}"), 1, &["v44 → v45", file]);
        let why = format!("why-differ {before} {after} {image}");
        expect(&tree, &why, 1, &["argocd/app.yaml#web", file]);
    }
    expect(&tree, "diff HEAD~1:none HEAD:none", 2, &["no 'none' in HEAD~1:none"]);
    let bisected = format!("bisect web --good HEAD~1 --field {image}");
    expect(&tree, &bisected, 0, &["argocd/app.yaml#web", file]);
    // A git reference precedes the object.
    tree.write("new.yaml", SETTINGS);
    tree.commit("web");
    expect(&tree, "diff web", 0, &["1 the same"]);
}

/// The causes of `kzui diff FOLDER OBJECT` are the lines of the object.
#[test]
fn each_addition_of_an_object_is_the_cause_of_its_differences() {
    let tree = committed(&[
        (
            "clusters/web.yaml",
            &flux(
                "web",
                "  path: ./web\n  images:\n  - name: web\n    newTag: v2\n  commonMetadata:\n    labels:\n      team: a\n  \
                 patches:\n  - target: {kind: Deployment}\n    patch: |\n      - op: replace\n        path: /spec/replicas\n        \
                 value: 5\n  - target: {kind: Deployment}\n    patch: |\n      - op: add\n        path: /spec/paused\n        value: true\n  \
                 postBuild:\n    substitute:\n      ZONE: eu\n",
            ),
        ),
        ("web/kustomization.yaml", "resources: [web.yaml]\n"),
        (
            "web/web.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n  template:\n    spec:\n      \
             containers:\n      - name: web\n        image: web:v1\n        env: [{name: ZONE, value: '${ZONE}'}]\n",
        ),
    ]);
    let causes = [
        "clusters/web.yaml:7  + images:",
        "clusters/web.yaml:10  + commonMetadata:",
        "metadata.labels  + team: a  clusters/web.yaml:12",
        "clusters/web.yaml:14  + 5 lines",
        "spec.replicas  1 → 5  clusters/web.yaml:18",
        "clusters/web.yaml:19  + 5 lines",
        "spec.paused  + true  clusters/web.yaml:23",
        "clusters/web.yaml:24  + postBuild:",
        "value  '${ZONE}' → eu  clusters/web.yaml:26",
    ];
    let answer = expect(&tree, "diff web clusters/web.yaml", 1, &causes);
    assert!(!answer.out.contains("different files") && !answer.out.contains("not verified"));
    let back = ["clusters/web.yaml:7  − images:", "spec.replicas  5 → 1  clusters/web.yaml:18"];
    expect(&tree, "diff clusters/web.yaml web", 1, &back);
    let why = "why-differ web clusters/web.yaml Deployment/web spec.replicas";
    expect(&tree, why, 1, &["cause (verified)", "clusters/web.yaml:14"]);
    let report = kzui_in(&tree.root(), &["diff", "web", "clusters/web.yaml", "-f", "json"]).out;
    let report: Value = serde_json::from_str(&report).unwrap();
    let resources = report["targets"][0]["resources"].as_array().unwrap();
    let fields = resources.iter().flat_map(|it| it["fields"].as_array().unwrap());
    for field in fields {
        assert_eq!(field["tried"], true, "{field}");
        assert_eq!(field["edits"].as_array().unwrap().len(), 1, "{field}");
    }
}

#[test]
fn two_deployments_of_a_folder_differ_by_the_lines_of_their_objects() {
    let object = |name: &str, tag: &str| {
        application(
            name,
            &format!("    path: web\n    kustomize:\n      images:\n      - web:{tag}\n"),
        )
    };
    let tree = committed(&[
        ("apps/dev.yaml", &object("dev", "v2")),
        ("apps/prod.yaml", &object("prod", "v1")),
        ("web/kustomization.yaml", "resources: [web.yaml]\n"),
        (
            "web/web.yaml",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: web}]}\n",
        ),
    ]);
    expect(&tree, "diff dev prod", 1, &["apps/prod.yaml:10  - web:v2 → - web:v1"]);
}
