//! Findings of `kzui check` that an owner acts on: what is true of the deployment, what a build file
//! or a user does before a build, and one row for one habit.

use serde_json::Value;

use crate::support::{Tree, kzui_in, messages};

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\n";

/// The codes and severities of a check with notes, in the order of the report.
fn found(tree: &Tree) -> Vec<(String, String)> {
    let all = findings(tree, &["--notes"]);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    all.iter()
        .filter(|it| it["code"] != "KZ618")
        .map(|it| (text(&it["code"]), text(&it["severity"])))
        .collect()
}

fn findings(tree: &Tree, arguments: &[&str]) -> Vec<Value> {
    let arguments = [&["check", "--format", "json"], arguments].concat();
    let answer = kzui_in(&tree.root(), &arguments);
    let report: Value = serde_json::from_str(&answer.out).expect("it is JSON");
    report["findings"].as_array().unwrap().clone()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(code, severity)| ((*code).to_owned(), (*severity).to_owned())).collect()
}

fn repository(files: &[(&str, &str)]) -> Tree {
    Tree::new(&[&[(".git/HEAD", "ref: refs/heads/main\n")], files].concat())
}

/// A Flux Kustomization that deploys `path` of a source of this kind.
fn flux(path: &str, source: &str, more: &str) -> String {
    format!(
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: app, namespace: flux-system}}\nspec:\n  path: {path}\n  sourceRef: {{kind: {source}, name: here}}\n{more}"
    )
}

/// A folder is built without load restrictions if a build file or Flux builds it so; the summary
/// says why.
#[test]
fn file_outside_the_folder_is_read_as_the_repository_builds_it() {
    let files = [("a/kustomization.yaml", "resources: [../c.yaml]\n"), ("c.yaml", MAP)];
    let tree = repository(&files);
    assert_eq!(found(&tree), pairs(&[("KZ021", "error")]));
    let workflow = "steps:\n- run: kustomize build --load-restrictor=LoadRestrictionsNone a\n";
    tree.write(".github/workflows/ci.yaml", workflow);
    assert_eq!(found(&tree), []);
    fs_err::remove_file(tree.path(".github/workflows/ci.yaml")).unwrap();
    tree.write(
        "k8s/Makefile",
        "all:\n\tkustomize build --load-restrictor LoadRestrictionsNone a\n",
    );
    assert_eq!(found(&tree), []);
    let answer = kzui_in(&tree.root(), &["check"]);
    assert!(answer.out.contains("k8s/Makefile:2 passes"), "{}", answer.out);
    assert!(answer.out.contains("--select KZ192"), "{}", answer.out);

    let tree = repository(&files);
    tree.write("other/ks.yaml", &flux("./other", "GitRepository", ""));
    assert_eq!(found(&tree).iter().filter(|(code, _)| code == "KZ021").count(), 0);
    tree.write("a/kustomization.yaml", "resources: [../../outside.yaml]\n");
    assert!(found(&tree).iter().any(|(_, severity)| severity == "error"), "not in the repository");
}

/// A fix is tried in the same build as the finding, also without load restrictions.
#[test]
fn fix_is_tried_without_load_restrictions_where_the_target_is_built_so() {
    let target = "resources: [../c.yaml]\npatches:\n- target: {kind: ConfigMap, version: v2, name: map}\n  patch: |-\n    - {op: add, path: /data, value: {x: \"2\"}}\n";
    let makefile = "all:\n\tkustomize build --load-restrictor LoadRestrictionsNone a\n";
    let files = [("a/kustomization.yaml", target), ("c.yaml", MAP), ("Makefile", makefile)];
    let all = findings(&repository(&files), &[]);
    assert_eq!(all[0]["code"], "KZ101", "{all:#?}");
    assert_eq!(all[0]["noFix"], Value::Null, "{all:#?}");
    assert!(all[0]["fix"].is_string(), "{all:#?}");
}

/// An Application without source is no deployment if nothing lists it, or in a folder of samples.
#[test]
fn application_without_source_is_a_note_unless_it_is_deployed() {
    let app = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec:\n";
    let tree = repository(&[("apps/app.yaml", app)]);
    assert_eq!(found(&tree), pairs(&[("KZ033", "note")]));
    tree.write("apps/kustomization.yaml", "resources: [app.yaml]\n");
    assert!(found(&tree).contains(&("KZ033".to_owned(), "error".to_owned())));
    let sample =
        [("samples/app.yaml", app), ("samples/kustomization.yaml", "resources: [app.yaml]\n")];
    assert!(found(&repository(&sample)).contains(&("KZ033".to_owned(), "note".to_owned())));
}

#[test]
fn equal_names_of_generated_applications_are_named_as_the_cause() {
    let set = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  generators:\n  - list: {elements: [{app: a}, {app: b}]}\n  template:\n    metadata: {name: x}\n    spec: {source: {repoURL: r, path: '{{app}}'}}\n";
    let tree = repository(&[("set.yaml", set), ("a/c.yaml", MAP), ("b/c.yaml", MAP)]);
    let all = findings(&tree, &[]);
    let message = all[0]["message"].as_str().unwrap();
    assert!(message.ends_with("2 Applications with the name x: from a and b"), "{all:#?}");
    assert!(all[0]["hint"].as_str().unwrap().contains("template.metadata.name"), "{all:#?}");
}

/// The build options of Argo CD that are not applied are a fact about the check, not a finding.
#[test]
fn options_of_argo_cd_are_in_the_summary() {
    let settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm}\ndata: {kustomize.buildOptions: --enable-helm}\n";
    let app = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {repoURL: r, path: web}}\n";
    let tree = repository(&[
        ("argocd/cm.yaml", settings),
        ("app.yaml", app),
        ("web/kustomization.yaml", "resources: [c.yaml]\n"),
        ("web/c.yaml", MAP),
    ]);
    let answer = kzui_in(&tree.root(), &["check"]);
    assert_eq!(answer.status, Some(0), "{}", answer.out);
    assert!(!answer.out.contains("[KZ617]"), "{}", answer.out);
    assert!(answer.out.contains("KZ617"), "{}", answer.out);
}

/// A custom resource with the list of a base, and the findings of a patch of this list.
fn of_patched_list(base: &str, patch: &str) -> Vec<Value> {
    let own = |parts: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Own\nmetadata: {{name: o}}\nspec: {{parts: {parts}}}\n"
        )
    };
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [own.yaml]\npatches: [{path: p.yaml}]\n"),
        ("own.yaml", &own(base)),
        ("p.yaml", &own(patch)),
    ]);
    findings(&tree, &["--notes"])
}

/// A patch that repeats values of an element is meant to replace it; one with only the changed
/// value is meant to be merged, and the finding names what it loses.
#[test]
fn replaced_list_is_reported_with_what_it_loses() {
    let base = "[{name: one, size: 1, kind: a, to: {x: 1, y: 2}}]";
    let partial = of_patched_list(base, "[{name: one, size: 2}]");
    assert_eq!(partial[0]["code"], "KZ202");
    let message = partial[0]["message"].as_str().unwrap();
    assert!(message.contains("kind of one, to of one are"), "{message}");
    assert!(of_patched_list(base, "[{name: one, size: 2, kind: b, to: {}}]").is_empty(), "emptied");
    let restated = of_patched_list(base, "[{name: one, size: 2, kind: a}]");
    assert_eq!((&restated[0]["code"], &restated[0]["severity"]), (&"KZ208".into(), &"note".into()));
}

#[test]
fn element_without_key_is_reported_only_if_others_are_lost() {
    let deployment = |mounts: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec: {{template: {{spec: {{containers: [{{name: web, volumeMounts: {mounts}}}]}}}}}}\n"
        )
    };
    let codes = |base: &str, patch: &str| {
        let tree = Tree::new(&[
            ("kustomization.yaml", "resources: [web.yaml]\npatches: [{path: p.yaml}]\n"),
            ("web.yaml", &deployment(base)),
            ("p.yaml", &deployment(patch)),
        ]);
        found(&tree).into_iter().filter(|(code, _)| code == "KZ203").count()
    };
    let both = "[{name: a, mountPath: /a}, {name: b, mountPath: /b}]";
    assert_eq!(codes(both, "[{$patch: delete, name: a}, {$patch: delete, name: b}]"), 0);
    assert_eq!(codes(both, "[{$patch: delete, name: a}, {$patch: delete, name: c}]"), 1);
    assert_eq!(codes("[]", "[{name: a}]"), 0);
}

/// A folder that a Flux Kustomization names by its path gets the namespace of that object, also if
/// its source is another one.
#[test]
fn folder_of_another_source_is_not_judged_without_its_namespace() {
    let release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r}\nspec: {valuesFrom: [{kind: ConfigMap, name: values}]}\n";
    let names = "nameReference:\n- kind: ConfigMap\n  version: v1\n  fieldSpecs:\n  - {path: spec/valuesFrom/name, kind: HelmRelease}\n";
    let tree = repository(&[
        (
            "all/web/app/kustomization.yaml",
            "resources: [r.yaml]\nconfigurations: [names.yaml]\nconfigMapGenerator: [{name: values, namespace: x, literals: [a=b]}]\n",
        ),
        ("all/web/app/r.yaml", release),
        ("all/web/app/names.yaml", names),
    ]);
    assert_eq!(found(&tree), pairs(&[("KZ113", "warning")]));
    tree.write("ks.yaml", &flux("./web/app", "ExternalArtifact", "  targetNamespace: x\n"));
    assert_eq!(found(&tree), pairs(&[("KZ113", "note")]));
}

/// The Secret of another cluster does not show which variables are not set; a variable that is not
/// set is reported where it is used.
#[test]
fn variables_of_another_cluster_are_not_known() {
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata:\n  b: ${b}\n";
    let vars = "apiVersion: v1\nkind: Secret\nmetadata: {name: vars}\nstringData: {a: one}\n";
    let from = "  postBuild: {substituteFrom: [{kind: Secret, name: vars}]}\n";
    let tree = repository(&[
        ("clusters/a.yaml", &flux("./app", "GitRepository", from)),
        ("app/cm.yaml", map),
        ("other/vars.yaml", vars),
    ]);
    let is_unset = |(code, _): &(String, String)| ["KZ620", "KZ054"].contains(&code.as_str());
    assert!(!found(&tree).iter().any(is_unset), "{:?}", found(&tree));
    tree.write(
        "clusters/a.yaml",
        &flux("./app", "GitRepository", "  postBuild: {substitute: {a: one}}\n"),
    );
    let all = findings(&tree, &["--like", "flux-2.8"]);
    let unset = all.iter().find(|it| it["code"] == "KZ620").unwrap_or_else(|| panic!("{all:#?}"));
    assert_eq!((&unset["file"], &unset["line"]), (&"app/cm.yaml".into(), &5.into()));
    assert_eq!(unset["severity"], "warning");
    // The kustomization beside it does not list the object: another one may set the variable.
    tree.write("clusters/kustomization.yaml", "resources: [b.yaml]\n");
    tree.write("clusters/b.yaml", MAP);
    let all = findings(&tree, &["--like", "flux-2.8", "--notes"]);
    let unset = all.iter().find(|it| it["code"] == "KZ620").unwrap_or_else(|| panic!("{all:#?}"));
    assert_eq!(unset["severity"], "note");
}

/// One of two targets of a replacement matches nothing: it alone is removed, with its lines.
#[test]
fn target_of_a_replacement_is_removed_alone() {
    let entry = "replacements:\n- source: {kind: ConfigMap, name: map, fieldPath: data.a}\n  targets:\n  - select: {kind: ConfigMap}\n    fieldPaths: [data.b]\n";
    let unmatched = "  - select: {kind: Ingress}\n    fieldPaths:\n    - spec.x\n";
    let tree = Tree::new(&[
        ("kustomization.yaml", &format!("resources: [c.yaml]\n{entry}{unmatched}# end\n")),
        ("c.yaml", &format!("{MAP}data: {{a: one, b: two}}\n")),
    ]);
    let all = findings(&tree, &["--notes"]);
    assert_eq!(all[0]["code"], "KZ102");
    assert!(all[0]["fix"].as_str().unwrap().contains(messages::REMOVE_THIS_TARGET), "{all:#?}");
    let fix = ["check", "--fix", "--unsafe-fixes", "--notes"];
    assert_eq!(kzui_in(&tree.root(), &fix).status, Some(0));
    let text = String::from_utf8(tree.read("kustomization.yaml")).unwrap();
    assert_eq!(text, format!("resources: [c.yaml]\n{entry}# end\n"));
}

/// A failing build that succeeds with a similar name has an output that nobody has seen: the fix is
/// a suggestion.
#[test]
fn similar_name_is_no_safe_fix() {
    let tree = Tree::new(&[("kustomization.yaml", "resources: [mpa.yaml]\n"), ("map.yaml", MAP)]);
    let fix = findings(&tree, &[])[0]["fix"].as_str().unwrap().to_owned();
    assert!(fix.ends_with(messages::KZUI_CHECK_FIX_UNSAFE_FIXES), "{fix}");
    kzui_in(&tree.root(), &["check", "--fix"]);
    assert_eq!(tree.read("kustomization.yaml"), b"resources: [mpa.yaml]\n");
}

/// `apiVersion` in a field spec is written as group and version.
#[test]
fn api_version_of_a_field_spec_is_written_as_group_and_version() {
    let specs = |version: &str| format!("namespace:\n- path: spec/ns\n  {version}\n  kind: Own\n");
    let tree = Tree::new(&[
        ("kustomization.yaml", "namespace: x\nresources: [own.yaml]\nconfigurations: [c.yaml]\n"),
        ("own.yaml", "apiVersion: example.com/v1\nkind: Own\nmetadata: {name: o}\nspec: {ns: a}\n"),
        ("c.yaml", &specs("apiVersion: example.com/v1")),
    ]);
    kzui_in(&tree.root(), &["check", "--fix"]);
    let text = String::from_utf8(tree.read("c.yaml")).unwrap();
    assert_eq!(text, specs("group: example.com\n  version: v1"));
    let output = kzui_in(&tree.root(), &["build", "."]).built();
    assert!(output.contains("ns: x"), "{output}");
}

/// A missing file that a build file writes, or that has an example beside it, is made before a
/// build.
#[test]
fn missing_file_that_is_made_before_a_build_is_no_error() {
    let tree = repository(&[
        ("a/kustomization.yaml", "resources: [made.yaml]\n"),
        ("Makefile", "all:\n\tkustomize build b > a/made.yaml\n"),
        ("b/kustomization.yaml", "configMapGenerator: [{name: c, files: [x.conf]}]\n"),
        ("b/x.conf.example", "a=b\n"),
    ]);
    let answer = kzui_in(&tree.root(), &["check"]);
    assert_eq!(answer.status, Some(0), "{}", answer.out);
    assert_eq!(found(&tree), pairs(&[("KZ029", "note"), ("KZ029", "note")]));
    let hints = findings(&tree, &["--notes"]);
    assert!(hints[0]["message"].as_str().unwrap().contains("Makefile:2"), "{hints:#?}");
    assert!(hints[1]["hint"].as_str().unwrap().contains("x.conf.example"), "{hints:#?}");
}

/// The images of one list that match nothing are one row, with the lines of all.
#[test]
fn images_of_one_list_are_one_row() {
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources: [c.yaml]\nimages:\n- {name: a, newTag: v1}\n- {name: b, newTag: v1}\n",
        ),
        ("c.yaml", MAP),
    ]);
    assert_eq!(findings(&tree, &[]).len(), 2, "a report for programs lists each");
    let answer = kzui_in(&tree.root(), &["check"]);
    assert_eq!(answer.out.matches("[KZ120]").count(), 1, "{}", answer.out);
    assert!(answer.out.contains("line 4"), "{}", answer.out);
}

/// In a repository of Flux, the custom resources of a folder that nothing deploys are in no cluster.
#[test]
fn old_name_in_a_folder_that_nothing_deploys_is_a_note() {
    let release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r}\nspec: {valuesFrom: [{kind: ConfigMap, name: values}]}\n";
    let tree = repository(&[
        (
            "base/kustomization.yaml",
            "resources: [r.yaml]\nconfigMapGenerator: [{name: values, literals: [a=b]}]\n",
        ),
        ("base/r.yaml", release),
        ("web/c.yaml", MAP),
    ]);
    assert_eq!(found(&tree), pairs(&[("KZ210", "warning")]));
    tree.write("ks.yaml", &flux("./web", "GitRepository", ""));
    assert_eq!(found(&tree), pairs(&[("KZ210", "note")]));
}

/// The source of Flux that is the repository.
const OWN_SOURCE: (&str, &str) = (
    "flux-system/gotk-sync.yaml",
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\nspec: {url: 'https://git.example.com/a/b', ref: {branch: main}}\n",
);

/// The path of a Kustomization of Flux that a parent completes with variables is not known alone.
#[test]
fn a_path_with_variables_of_a_parent_is_no_missing_directory() {
    let tree = repository(&[
        OWN_SOURCE,
        ("apps/kustomization.yaml", "resources: [x/ks.yaml]\n"),
        (
            "apps/x/ks.yaml",
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: x, namespace: flux-system}\nspec:\n  path: ./apps/x/app-${MODE:=false}\n  sourceRef: {kind: GitRepository, name: flux-system}\n",
        ),
        ("apps/x/app-false/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/x/app-false/c.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
    ]);
    assert!(found(&tree).iter().all(|(code, _)| code != "KZ028"), "{:?}", found(&tree));
}

/// The overlay that gives an object its path may fail; the path of the base is then not deployed.
#[test]
fn a_path_of_a_base_below_an_overlay_that_fails_is_no_missing_directory() {
    let sync = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: sync, namespace: flux-system}\nspec:\n  path: ./old\n  sourceRef: {kind: GitRepository, name: flux-system}\n";
    let tree = repository(&[
        OWN_SOURCE,
        ("base/kustomization.yaml", "resources: [sync.yaml]\n"),
        ("base/sync.yaml", sync),
        (
            "prod/kustomization.yaml",
            "resources: [../base]\npatches:\n- target: {kind: Kustomization}\n  patch: |-\n    - {op: replace, path: /spec/path, value: ./prod}\n",
        ),
    ]);
    let is_missing = |(code, _): &(String, String)| code == "KZ028";
    assert!(!found(&tree).iter().any(is_missing), "{:?}", found(&tree));
    tree.write("prod/kustomization.yaml", "resources: [../base, absent.yaml]\n");
    assert!(!found(&tree).iter().any(is_missing), "{:?}", found(&tree));
    tree.write("prod/kustomization.yaml", "resources: [../base]\n");
    assert!(found(&tree).iter().any(is_missing), "{:?}", found(&tree));
}

/// An `add` with most of the old keys was written in full; the keys that it leaves out are meant.
#[test]
fn a_mapping_that_is_written_in_full_is_not_reported() {
    let tree = repository(&[
        (
            "kustomization.yaml",
            "resources: [d.yaml]\npatches:\n- target: {kind: Pod}\n  patch: |-\n    - {op: add, path: /spec/securityContext, value: {fsGroup: 1, runAsUser: 0}}\n",
        ),
        (
            "d.yaml",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  securityContext: {fsGroup: 2, runAsNonRoot: true}\n  containers: [{name: c, image: c}]\n",
        ),
    ]);
    assert!(found(&tree).iter().all(|(code, _)| code != "KZ209"), "{:?}", found(&tree));
}

/// Files that a build or an installation makes first are known in part, not an error.
#[test]
fn a_template_beside_a_missing_file_and_the_folder_of_flux_are_no_errors() {
    let tree = repository(&[
        ("a/kustomization.yaml", "configMapGenerator:\n- name: c\n  files: [x.yaml]\n"),
        ("a/x.yaml.in", "@VALUE@\n"),
        ("b/kustomization.yaml", "resources: [./flux-system, c.yaml]\n"),
        ("b/c.yaml", MAP),
    ]);
    let all = found(&tree);
    assert!(all.iter().all(|(code, severity)| code != "KZ020" && severity == "note"), "{all:?}");
}

/// One file with several objects of one name is an answer to `kzui build FILE`.
#[test]
fn an_application_set_beside_its_applications_is_no_error() {
    let tree = repository(&[
        ("base/kustomization.yaml", "resources: [set.yaml]\n"),
        (
            "base/set.yaml",
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: environments}\nspec:\n  goTemplate: true\n  generators:\n  - list: {elements: []}\n  template:\n    metadata: {name: 'env-{{ .env }}'}\n    spec:\n      source: {repoURL: 'https://git.example.com/a/b.git', path: 'env/{{ .env }}'}\n",
        ),
        (
            "eks/kustomization.yaml",
            "resources: [../base]\npatches:\n- target: {kind: ApplicationSet}\n  patch: |-\n    - op: replace\n      path: /spec/generators/0/list/elements\n      value: [{env: dev}, {env: prod}]\n",
        ),
        ("env/dev/kustomization.yaml", "resources: [c.yaml]\n"),
        ("env/dev/c.yaml", MAP),
        ("env/prod/kustomization.yaml", "resources: [c.yaml]\n"),
        ("env/prod/c.yaml", MAP),
    ]);
    let all = found(&tree);
    assert!(all.iter().all(|(_, severity)| severity == "note"), "{all:?}");
}

/// An object that its owner has commented out is in no cluster.
#[test]
fn an_object_that_is_commented_out_is_a_note() {
    let tree = repository(&[
        OWN_SOURCE,
        ("c/kustomization.yaml", "resources:\n- map.yaml\n#  - ks.yaml  # deprecated\n"),
        ("c/map.yaml", MAP),
        (
            "c/ks.yaml",
            &flux("./gone", "GitRepository", "").replace("name: here", "name: flux-system"),
        ),
    ]);
    assert!(found(&tree).contains(&("KZ028".to_owned(), "note".to_owned())), "{:?}", found(&tree));
    tree.write("c/kustomization.yaml", "resources:\n- map.yaml\n- ks.yaml\n");
    assert!(found(&tree).contains(&("KZ028".to_owned(), "error".to_owned())));
}

/// Two Flux Kustomizations that deploy and prune one directory; with another target namespace, or
/// without prune, they do not conflict.
#[test]
fn directory_that_two_objects_prune_is_a_warning() {
    let own = flux("./apps", "GitRepository", "  prune: true\n");
    let other = |more: &str| {
        let text = flux("./apps", "GitRepository", more);
        text.replace("name: app,", "name: twin,")
    };
    let twin = other("  prune: true\n");
    let tree = repository(&[
        ("apps/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/c.yaml", MAP),
        ("clusters/a.yaml", &own),
        ("clusters/b.yaml", &twin),
    ]);
    assert_eq!(found(&tree), pairs(&[("KZ626", "warning")]));
    for more in ["  prune: false\n", "  prune: true\n  targetNamespace: b\n"] {
        tree.write("clusters/b.yaml", &other(more));
        assert_eq!(found(&tree), [], "{more}");
    }
    fs_err::remove_file(tree.path("clusters/b.yaml")).unwrap();
    tree.write("staging/b.yaml", &twin);
    assert_eq!(found(&tree), [], "a folder of another cluster");
}

/// An invalid patch and a repeated key are told in plain words, with all targets that fail.
#[test]
fn failures_have_plain_words() {
    let tree = repository(&[
        ("base/kustomization.yaml", "resources: [c.yaml]\n"),
        ("base/c.yaml", &format!("{MAP}data: {{a: x}}\nkind: ConfigMap\n")),
        ("one/kustomization.yaml", "resources: [../base]\n"),
        ("two/kustomization.yaml", "resources: [../base]\n"),
    ]);
    let report = kzui_in(&tree.root(), &["check"]).out;
    for words in
        ["the key \"kind\" is in one mapping twice, in lines 2 and 5", "in 2 targets: one, two"]
    {
        assert!(report.contains(words), "{words}: {report}");
    }
    assert!(!report.contains('~'), "{report}");

    let patched = "resources: [c.yaml]\npatches: [{path: p.yaml, target: {kind: ConfigMap}}]\n";
    let patch = "apiVersion: v1\nkind: ConfigMap\nmetadata: {labels: {a: b}}\n";
    let tree = repository(&[("kustomization.yaml", patched), ("c.yaml", MAP), ("p.yaml", patch)]);
    let hint = findings(&tree, &[])[0]["hint"].to_string();
    assert!(hint.contains("no `metadata.name`: write any name"), "{hint}");
    tree.write("p.yaml", &patch.replace("metadata: {", "metadata: {name: any, "));
    assert_eq!(found(&tree), [], "the help was followed");
}
