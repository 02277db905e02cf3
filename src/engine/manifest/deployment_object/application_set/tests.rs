use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::load::{MemoryFiles, SourceNumbers};
use crate::manifest::deployment_objects_in;
use crate::yaml::to_json;

/// The spec of a set with these generators; `head` are further fields of the spec.
fn set(head: &str, generators: &str, template: &str) -> String {
    let indented = |text: &str| text.lines().map(|line| format!("  {line}\n")).collect::<String>();
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {{name: apps}}\nspec:\n{}{}{}",
        indented(head),
        indented(generators),
        indented(template)
    )
}

const TEMPLATE: &str =
    "template:\n  metadata: {name: '{{name}}'}\n  spec:\n    source: {path: '{{path}}'}";
const GO: &str = "goTemplate: true\ngoTemplateOptions: [missingkey=error]";
const GO_TEMPLATE: &str = "template:\n  metadata: {name: '{{.path.basename}}'}\n  spec:\n    source: {path: '{{.path.path}}'}";

fn template(name: &str, path: &str) -> String {
    format!("template: {{metadata: {{name: '{name}'}}, spec: {{source: {{path: '{path}'}}}}}}")
}

fn repository() -> MemoryFiles {
    MemoryFiles::default()
        .file("/r/.git/HEAD", "x")
        .file("/r/apps/web/k.yaml", "a: b")
        .file("/r/apps/db/k.yaml", "a: b")
        .file("/r/apps/.hidden/k.yaml", "a: b")
        .file("/r/apps/old/base/k.yaml", "a: b")
        .file(
            "/r/clusters/eu/config.json",
            "{\"name\": \"eu\", \"path\": \"ignored\", \"cluster\": {\"size\": 3}}",
        )
        .file("/r/clusters/us/config.yaml", "- name: us1\n- name: us2\n")
}

fn generate(text: &str) -> GeneratedDeploymentObjects {
    let files = repository();
    let mut sources = SourceNumbers::default();
    let source = sources.intern("/r/set.yaml");
    let set = deployment_objects_in(text.as_bytes(), source).remove(0);
    let is_here = |_: &str, _: &str| Ok(());
    let root = Path::new("/r");
    let mut view = GeneratorView { files: &files, root, sources: &mut sources, is_here: &is_here };
    set.applications(&mut view)
}

/// `name path` of each Application.
fn generated(text: &str) -> Vec<String> {
    let all = generate(text);
    assert_eq!(all.not_known, []);
    all.known.iter().map(shown).collect()
}

fn assert_generated(head: &str, generators: &str, template: &str, expected: &[&str]) {
    assert_eq!(generated(&set(head, generators, template)), expected, "{generators}");
}

fn assert_refused(head: &str, generators: &str, template: &str, reason: &str) {
    let all = generate(&set(head, generators, template));
    assert!(all.known.is_empty());
    assert!(all.not_known[0].0.to_string().starts_with(reason), "{:?}", all.not_known);
}

fn shown(application: &DeploymentObject) -> String {
    let path = application.object.text_at(&["spec", "source", "path"]);
    format!("{} {}", application.name, path.unwrap_or_default())
}

fn unknown(application: &DeploymentObject) -> Option<(Arc<str>, Mark)> {
    application.generated.as_ref().unwrap().unknown.clone()
}

#[test]
fn list_elements_are_applications_with_their_lines() {
    let list = "generators:\n- list:\n    elements:\n    - name: a\n      path: apps/web\n    - {name: b, path: x, values: {v: w}}";
    assert_generated("", list, TEMPLATE, &["a apps/web", "b x"]);
    let all = generate(&set("", list, TEMPLATE));
    let path = all.known[0].object.at(&["spec", "source", "path"]).unwrap();
    assert_eq!((all.known[0].place().line, path.mark.line), (8, 9));
}

#[test]
fn list_values_must_be_texts_unless_go_template_is_set() {
    let list = "generators:\n- list: {elements: [{name: a, path: 1}]}";
    assert_refused("", list, TEMPLATE, "error parsing value as string");
    let go = "generators:\n- list: {elements: [{n: {m: 1}}]}";
    assert_generated(GO, go, &template("a{{.n.m}}", "x"), &["a1 x"]);
}

#[test]
fn directories_are_included_and_excluded() {
    let git = "generators:\n- git:\n    repoURL: x\n    revision: HEAD\n    directories:\n    - path: apps/*\n    - path: apps/old\n      exclude: true";
    assert_generated(GO, git, GO_TEMPLATE, &["db apps/db", "web apps/web"]);
    let parts = template("{{path[0]}}-{{path.basename}}{{path[7]}}", "{{ path }}");
    assert_generated(
        "",
        git,
        &parts,
        &["apps-db{{path[7]}} apps/db", "apps-web{{path[7]}} apps/web"],
    );
    let prefixed = git.replace(
        "    revision",
        "    pathParamPrefix: p\n    values: {v: '{{.p.path.basename}}!'}\n    revision",
    );
    let values = template("{{.values.v}}", "{{.p.path.path}}");
    assert_generated(GO, &prefixed, &values, &["db! apps/db", "web! apps/web"]);
}

#[test]
fn git_files_generate_element_for_each_object() {
    let git = "generators:\n- git:\n    repoURL: x\n    files:\n    - path: 'clusters/**/config.*'";
    let all = [
        "eu clusters/eu/config.json",
        "us1 clusters/us/config.yaml",
        "us2 clusters/us/config.yaml",
    ];
    assert_generated("", git, &template("{{name}}", "{{path}}/{{path.filename}}"), &all);
    let json = git.replace("config.*", "config.json");
    let size = template("{{name}}-{{cluster.size}}", "{{path}}");
    assert_generated("", &json, &size, &["eu-3 clusters/eu"]);
    let all = generate(&set("", &json, &size));
    let name = all.known[0].object.at(&["metadata", "name"]).unwrap();
    assert_eq!((name.mark.source.0, name.mark.line), (2, 1));
}

#[test]
fn matrix_passes_parameters_to_its_second_generator() {
    let matrix = "generators:\n- matrix:\n    generators:\n    - git: {repoURL: x, files: [{path: clusters/us/config.yaml}]}\n    - list: {elements: [{env: 'p-{{.name}}'}]}";
    let both = template("{{.name}}-{{.env}}", "{{.path.path}}");
    assert_generated(GO, matrix, &both, &["us1-p-us1 clusters/us", "us2-p-us2 clusters/us"]);
    let same = "generators:\n- matrix:\n    generators:\n    - list: {elements: [{name: a, path: x}]}\n    - list: {elements: [{name: b}]}";
    let reason = "found duplicate key name with different value, a: a ,b: b";
    assert_refused("", same, TEMPLATE, reason);
    let yaml = "generators:\n- matrix:\n    generators:\n    - list: {elements: [{path: x, names: [{name: p}, {name: q}]}]}\n    - list: {elements: [], elementsYaml: '{{ .names | toJson }}'}";
    assert_generated(GO, yaml, &template("{{.name}}", "{{.path}}"), &["p x", "q x"]);
    let three = "generators:\n- matrix: {generators: [{list: {}}, {list: {}}, {list: {}}]}";
    assert_refused("", three, TEMPLATE, "found more than two generators, Matrix support only two");
}

#[test]
fn merge_overrides_by_keys() {
    let merge = "generators:\n- merge:\n    mergeKeys: [name]\n    generators:\n    - list: {elements: [{name: a, path: x}, {name: b, path: x}]}\n    - list: {elements: [{name: b, path: q}, {name: c, path: z}]}";
    assert_generated("", merge, TEMPLATE, &["a x", "b q"]);
    let twice = merge.replace("{name: b, path: x}", "{name: a, path: q}");
    assert_refused("", &twice, TEMPLATE, "the parameters from a generator were not unique");
}

#[test]
fn clusters_without_selector_include_the_local_cluster() {
    let clusters = "generators:\n- clusters: {values: {v: '{{name}}'}}";
    let named = template("{{nameNormalized}}-web", "apps/{{values.v}}");
    let all = generate(&set("", clusters, &named));
    let known: Vec<_> =
        all.known.iter().map(|it| (shown(it), unknown(it).is_some(), it.cluster())).collect();
    let expected = [
        ("in-cluster-web apps/in-cluster", false, ElementCluster::Local),
        ("{{nameNormalized}}-web apps/{{values.v}}", true, ElementCluster::Any),
    ];
    assert_eq!(
        known,
        expected.map(|(shown, unknown, cluster)| (shown.to_owned(), unknown, cluster))
    );
    let same = template("{{nameNormalized}}-web", "apps/web");
    assert_generated("", clusters, &same, &["in-cluster-web apps/web"]);
    let none = "generators:\n- clusters: {selector: {}}";
    assert_generated("", none, &same, &["in-cluster-web apps/web"]);
    let go = |text: &str| text.replace("{{", "{{.");
    let all = generate(&set(GO, &go(clusters), &go(&named)));
    assert_eq!(shown(&all.known[0]), "in-cluster-web apps/in-cluster");
    let inner = "generators:\n- matrix:\n    generators:\n    - clusters: {}\n    - list: {elements: [{path: 'x/{{name}}'}]}";
    let all = generate(&set("", inner, TEMPLATE));
    assert_eq!(all.known.iter().map(shown).collect::<Vec<_>>(), ["in-cluster x/in-cluster"]);
    assert_eq!(all.not_known.len(), 1);
}

#[test]
fn selectors_drop_elements() {
    let list = "generators:\n- list: {elements: [{name: a, path: x}, {name: b, path: q}]}\n  selector: {matchExpressions: [{key: name, operator: NotIn, values: [a]}]}";
    assert_generated("", list, TEMPLATE, &["b q"]);
    let go = "generators:\n- git: {repoURL: x, directories: [{path: apps/*}]}\n  selector: {matchLabels: {path.basename: web}}";
    assert_generated(GO, go, GO_TEMPLATE, &["web apps/web"]);
}

/// The cluster that the selector names is assumed to exist, so no other one is selected.
#[test]
fn a_selector_of_an_assumed_cluster_drops_the_element_of_any_cluster() {
    let merge = "generators:\n- merge:\n    mergeKeys: [nameNormalized]\n    generators:\n    - clusters: {selector: {matchLabels: {env: prod}}}\n    - list: {elements: [{nameNormalized: eu}, {nameNormalized: us}]}\n";
    let select = |values: &str| {
        format!(
            "{merge}  selector: {{matchExpressions: [{{key: nameNormalized, operator: In, values: [{values}]}}]}}"
        )
    };
    let named = template("{{nameNormalized}}", "q");
    assert_generated("", merge, &named, &["eu q", "us q", "{{nameNormalized}} q"]);
    assert_generated("", &select("eu"), &named, &["eu q"]);
    assert_generated("", &select("eu, asia"), &named, &["eu q", "{{nameNormalized}} q"]);
}

#[test]
fn templates_of_generators_override_that_of_the_set() {
    let list = "generators:\n- list:\n    elements: [{name: a, path: x}]\n    template: {metadata: {}, spec: {source: {path: 'own/{{path}}'}}}";
    assert_generated("", list, TEMPLATE, &["a own/x"]);
}

#[test]
fn template_patch_cannot_change_the_project() {
    let patch = "goTemplate: true\ntemplatePatch: |\n  spec:\n    project: other\n    source:\n      path: {{ .path }}/patched\n    {{- if .on }}\n    syncPolicy: {automated: {}}\n    {{- end }}";
    let list = "generators:\n- list: {elements: [{name: a, path: x, on: true}]}";
    let own = template("{{.name}}", "q").replace("spec: {", "spec: {project: own, ");
    let all = generate(&set(patch, list, &own));
    assert_eq!(shown(&all.known[0]), "a x/patched");
    let spec = all.known[0].object.get("spec").unwrap();
    assert_eq!(
        to_json(spec).unwrap(),
        "{\"project\":\"own\",\"source\":{\"path\":\"x/patched\"},\"syncPolicy\":{\"automated\":{}}}"
    );
}

#[test]
fn only_the_element_with_a_missing_key_is_refused() {
    let list = "generators:\n- list: {elements: [{name: a, path: x}, {name: b}]}";
    let path = template("{{.name}}", "{{.path}}");
    let all = generate(&set(GO, list, &path));
    assert_eq!(all.known.len(), 1);
    assert_eq!(all.not_known[0].0.to_string(), "template: map has no entry for key \"path\"");
    assert_generated("goTemplate: true", list, &path, &["a x", "b <no value>"]);
}

/// Directives of strategic merges in a `templatePatch`.
#[test]
fn patch_directives_remove_and_replace_fields() {
    let node = |text: &str| crate::yaml::parse_nodes(text.as_bytes()).unwrap().remove(0);
    let mut object = node("{spec: {a: {b: 1}, c: {d: 1, e: 2}, f: {g: 1}}}");
    let patch = "{spec: {a: {$patch: delete}, c: {$patch: replace, d: 3}, f: {g: null, h: [1]}}}";
    super::merge_patch(&mut object, &node(patch));
    let merged = to_json(&object).unwrap();
    assert_eq!(merged, to_json(&node("{spec: {c: {d: 3}, f: {h: [1]}}}")).unwrap());
}
