//! Findings that a report does not list by default, because owners want the tree as it is, and
//! proposals that a trial refutes.

use serde_json::Value;

use crate::support::{Tree, kzui_in};

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: x}\n";

const LABELLED: &str =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map, labels: {tier: db}}\ndata: {a: x}\n";

pub(super) fn findings(tree: &Tree) -> Vec<Value> {
    let answer = kzui_in(&tree.root(), &["check", "--format", "json", "--notes"]);
    let report: Value = serde_json::from_str(&answer.out).expect("it is JSON");
    report["findings"].as_array().unwrap().clone()
}

/// The severity of each finding with this code.
pub(super) fn severities(tree: &Tree, code: &str) -> Vec<String> {
    let all = findings(tree);
    let own = all.iter().filter(|it| it["code"] == code);
    own.map(|it| it["severity"].as_str().unwrap_or_default().to_owned()).collect()
}

/// The help of the finding with this code.
pub(super) fn help(tree: &Tree, code: &str) -> String {
    let all = findings(tree);
    let own = all.iter().find(|it| it["code"] == code).unwrap();
    own["hint"].as_str().unwrap_or_default().to_owned()
}

pub(super) fn repository(files: &[(&str, &str)]) -> Tree {
    Tree::new(&[&[(".git/HEAD", "ref: refs/heads/main\n")], files].concat())
}

/// A tree with one patch of this target.
fn patched(target: &str) -> Tree {
    let text = format!(
        "resources: [c.yaml]\npatches:\n- target: {{{target}}}\n  patch: |-\n    - {{op: add, path: /data/b, value: y}}\n"
    );
    repository(&[("kustomization.yaml", &text), ("c.yaml", LABELLED)])
}

/// A selector for resources of which the build has none is often meant, as in a shared component; a
/// wrong name, kind or version is not.
#[test]
fn selector_for_absent_resources_is_a_note() {
    for target in
        ["kind: Ingress", "group: metallb.io, name: .*", "kind: ConfigMap, labelSelector: tier=web"]
    {
        assert_eq!(severities(&patched(target), "KZ101"), ["note"], "{target}");
    }
    for target in ["kind: ConfigMap, name: other", "kind: ConfigMap, version: v2"] {
        assert_eq!(severities(&patched(target), "KZ101"), ["error"], "{target}");
    }
    let tree = patched("group: kustomize.toolkit.fluxcd.io, kind: Kustomization");
    let list = "resources: [c.yaml, list.yaml]";
    let text = fs_err::read_to_string(tree.path("kustomization.yaml")).unwrap();
    tree.write("kustomization.yaml", &text.replace("resources: [c.yaml]", list));
    tree.write(
        "list.yaml",
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: {name: x}\n",
    );
    assert_eq!(severities(&tree, "KZ101"), ["note"], "a kustomization file is no candidate");
    let text = "resources: [c.yaml]\nreplacements:\n- source: {kind: ConfigMap, fieldPath: metadata.name}\n  targets:\n  - {select: {kind: ConfigMap}, fieldPaths: [data.a]}\n  - {select: {kind: Ingress}, fieldPaths: [spec.x]}\n";
    let tree = repository(&[("kustomization.yaml", text), ("c.yaml", MAP)]);
    assert_eq!(severities(&tree, "KZ102"), ["note"]);
}

/// A value that a later step writes again is a note; one entry that is listed twice is not.
#[test]
fn value_that_is_written_again_is_a_note() {
    let patch = "- target: {kind: ConfigMap, name: map}\n  patch: |-\n    - {op: replace, path: /data/a, value: y}\n";
    let by_kind = patch.replace(", name: map", "");
    let text = format!("resources: [c.yaml]\npatches:\n{by_kind}{patch}");
    let tree = repository(&[("kustomization.yaml", &text), ("c.yaml", MAP)]);
    assert_eq!(severities(&tree, "KZ110"), ["note"]);

    let inline = |data: &str| {
        format!(
            "- target: {{kind: ConfigMap}}\n  patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {{name: _}}\n    data: {{{data}}}\n"
        )
    };
    let text = format!("resources: [c.yaml]\npatches:\n{}{}", inline("a: y"), inline("a: y, b: z"));
    let tree = repository(&[("kustomization.yaml", &text), ("c.yaml", MAP)]);
    assert_eq!(severities(&tree, "KZ110"), ["note"], "two inline patches are two entries");

    let text = "resources: [c.yaml]\npatches: [{path: p.yaml}, {path: p.yaml}]\n";
    let patch = MAP.replace("a: x", "a: y");
    let tree = repository(&[("kustomization.yaml", text), ("c.yaml", MAP), ("p.yaml", &patch)]);
    assert_eq!(severities(&tree, "KZ110"), ["warning"]);
    let hint = findings(&tree)[0]["hint"].to_string();
    assert!(hint.contains("listed twice"), "{hint}");

    tree.write(
        "kustomization.yaml",
        "resources: [c.yaml]\npatches: [{path: p.yaml}, {path: q.yaml}]\n",
    );
    tree.write("q.yaml", &MAP.replace("a: x", "a: z"));
    assert_eq!(severities(&tree, "KZ110"), ["warning"], "another value is lost");
}

/// A proposal with which the build fails is not printed as help; the result of its trial is.
#[test]
fn proposal_with_which_the_build_fails_is_not_the_help() {
    let role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: manager, namespace: system}\n";
    let operations = "    - {op: replace, path: /kind, value: ClusterRole}\n    - {op: remove, path: /metadata/namespace}\n";
    let patch = format!(
        "patches:\n- target: {{group: rbac.authorization.k8s.io, kind: Role, name: manager, version: v1}}\n  patch: |-\n{operations}"
    );
    let other = role.replace("manager", "other");
    let tree = repository(&[
        ("base/kustomization.yaml", "resources: [role.yaml]\n"),
        ("base/role.yaml", role),
        ("default/kustomization.yaml", &format!("resources: [../base]\n{patch}")),
        ("test/kustomization.yaml", &format!("resources: [../default, other.yaml]\n{patch}")),
        ("test/other.yaml", &other),
    ]);
    let all = findings(&tree);
    let one = all.iter().find(|it| it["code"] == "KZ101").expect("the second patch has no match");
    assert_eq!(one["hint"], Value::Null, "{one:#}");
    let fix = one["fix"].as_str().unwrap_or_default();
    assert!(fix.starts_with("remove this entry"), "{one:#}");
    assert!(fix.contains("with kind: ClusterRole the build fails"), "{one:#}");
    assert!(!fix.contains(&*tree.root().to_string_lossy()), "{one:#}");
}

/// The step that adds the resource later is named only if the entry can be moved behind it: the
/// resources of a folder beside this one are no remedy.
#[test]
fn resource_of_a_folder_beside_is_no_remedy() {
    let tree = repository(&[
        ("kustomization.yaml", "resources: [a, b]\n"),
        (
            "a/kustomization.yaml",
            "resources: [c.yaml]\npatches:\n- target: {kind: Service, name: web}\n  patch: |-\n    - {op: remove, path: /spec}\n",
        ),
        ("a/c.yaml", MAP),
        ("b/kustomization.yaml", "resources: [s.yaml]\n"),
        ("b/s.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {}\n"),
    ]);
    let all = findings(&tree);
    let one = all.iter().find(|it| it["code"] == "KZ101").expect("the patch has no match");
    assert_eq!(one["severity"], "note", "{one:#}");
    assert!(!one["hint"].to_string().contains("move this entry"), "{one:#}");

    // A patch of the parent changes the resource, and does not add it.
    let patch = "patches:\n- target: {kind: Service, name: NAME}\n  patch: |-\n    - {op: add, path: /spec, value: {a: b}}\n";
    tree.write(
        "kustomization.yaml",
        &format!("resources: [b, a]\n{}", patch.replace("NAME", "p-web")),
    );
    tree.write(
        "a/kustomization.yaml",
        &format!("resources: [c.yaml]\n{}", patch.replace("NAME", "web")),
    );
    tree.write("b/kustomization.yaml", "namePrefix: p-\nresources: [s.yaml]\n");
    let all = findings(&tree);
    let one = all.iter().find(|it| it["code"] == "KZ101").expect("the patch has no match");
    assert_eq!(one["severity"], "note", "{one:#}");
    assert!(!one["hint"].to_string().contains("move this entry"), "{one:#}");
}

/// A folder whose kustomization file is made from a template, or that git ignores.
#[test]
fn kustomization_that_is_made_before_a_build_is_a_note() {
    let tree = repository(&[
        ("default/kustomization.yaml", "resources: [../manager]\n"),
        ("manager/kustomization.yaml.in", "resources: [c.yaml]\n"),
        ("manager/c.yaml", MAP),
    ]);
    assert_eq!(severities(&tree, "KZ029"), ["note"]);
    fs_err::remove_file(tree.path("manager/kustomization.yaml.in")).unwrap();
    assert_eq!(severities(&tree, "KZ022"), ["error"]);
    tree.write(".gitignore", "manager/kustomization.yaml\n");
    assert_eq!(severities(&tree, "KZ029"), ["note"]);
}

/// Files that build files write under a path of their own, by a placeholder, or by a tool.
#[test]
fn files_that_make_writes_are_notes() {
    let missing = |file: &str, makefile: (&str, &str)| {
        let text = format!("resources: [{file}]\n");
        let tree = repository(&[("config/webhook/kustomization.yaml", &text), makefile]);
        let all = findings(&tree);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        all.iter().map(|it| (text(&it["code"]), text(&it["severity"]))).collect::<Vec<_>>()
    };
    let replaced = "all:\n\tsed -e 's/a/b/' \\\n\t  -e 's|PLACEHOLDER|all.yaml|' k.yaml\n";
    for (file, makefile) in [
        ("made.yaml", ("Makefile.build", "all:\n\tmv out.yaml made.yaml\n")),
        ("PLACEHOLDER", ("Makefile", replaced)),
        ("manifests.yaml", ("Makefile", "all:\n\t$(CONTROLLER_GEN) crd webhook paths=./...\n")),
        (
            "a.clusterserviceversion.yaml",
            ("Makefile", "all:\n\t$(OPERATOR_SDK) generate kustomize manifests -q\n"),
        ),
    ] {
        assert_eq!(missing(file, makefile), [("KZ029".to_owned(), "note".to_owned())], "{file}");
    }
    let makefile = ("Makefile", "all:\n\t$(CONTROLLER_GEN) webhook\n");
    assert_eq!(missing("other.yaml", makefile), [("KZ020".to_owned(), "error".to_owned())]);
}

/// A folder that nothing builds: a kustomization has it in a comment, or the repository deploys
/// others, and no document or script names it.
#[test]
fn failure_of_a_folder_that_nothing_builds_is_a_note() {
    let broken = "resources: [gone.yaml]\n";
    let tree = repository(&[
        ("config/default/kustomization.yaml", "resources:\n- c.yaml\n#- ../webhook\n"),
        ("config/default/c.yaml", MAP),
        ("config/webhook/kustomization.yaml", broken),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
    tree.write("config/default/kustomization.yaml", "resources:\n- c.yaml\n");
    assert_eq!(severities(&tree, "KZ020"), ["error"]);

    let flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web, namespace: flux-system}\nspec:\n  path: ./apps/web\n  sourceRef: {kind: GitRepository, name: here}\n";
    let tree = repository(&[
        ("clusters/web.yaml", flux),
        ("apps/web/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/web/c.yaml", MAP),
        ("apps/old/kustomization.yaml", broken),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
    let by_name = kzui_in(&tree.root(), &["check", "apps/old"]);
    assert!(by_name.out.contains("error[KZ020]"), "the user names it: {}", by_name.out);
    tree.write("README.md", "Then run `kubectl apply -k apps/old`.\n");
    assert_eq!(severities(&tree, "KZ020"), ["error"], "a document builds it");
    tree.write("README.md", "");
    let other = flux.replace("name: web", "name: all").replace("./apps/web", "./other/${APP}");
    tree.write("clusters/all.yaml", &other);
    assert_eq!(severities(&tree, "KZ020"), ["note"], "a variable path elsewhere");
    let cluster = flux.replace("name: web", "name: all").replace("./apps/web", "./apps/${APP}");
    tree.write("clusters/all.yaml", &cluster);
    assert_eq!(severities(&tree, "KZ020"), ["error"], "a path is known only in the cluster");
    fs_err::remove_file(tree.path("clusters/all.yaml")).unwrap();
    tree.write("apps/web/kustomization.yaml", broken);
    assert_eq!(severities(&tree, "KZ020"), ["note", "error"], "the deployed one is an error");
}

/// A path with one `..` too many or too few.
#[test]
fn path_of_another_depth_is_proposed() {
    let tree = repository(&[
        ("base/kustomization.yaml", "resources: [c.yaml]\n"),
        ("base/c.yaml", MAP),
        ("overlays/dev/kustomization.yaml", "resources:\n- ../base\n"),
    ]);
    let all = findings(&tree);
    assert!(all[0]["fix"].to_string().contains("write ../../base in place of ../base"), "{all:#?}");
    kzui_in(&tree.root(), &["check", "--fix", "--unsafe-fixes"]);
    let text = String::from_utf8(tree.read("overlays/dev/kustomization.yaml")).unwrap();
    assert_eq!(text, "resources:\n- ../../base\n");
}

pub(crate) const FLUX: &str = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web, namespace: flux-system}\nspec:\n  path: ./apps/web\n  sourceRef: {kind: GitRepository, name: here}\n";

const APPLICATION: &str = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: argocd}\nspec:\n  source: {repoURL: https://example.com/own.git, path: apps/web}\n  destination: {name: in-cluster, namespace: web}\n";

/// The samples of an operator are only for its bundle: a failure counts where something builds them.
#[test]
fn failure_of_samples_that_nothing_builds_is_a_note() {
    let tree = repository(&[
        ("config/samples/kustomization.yaml", "resources:\n- gone.yaml\n"),
        ("config/default/kustomization.yaml", "resources:\n- c.yaml\n"),
        ("config/default/c.yaml", MAP),
        ("README.md", "See config/samples. Run `kubectl apply -f config/samples/`.\n"),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["error"], "it is not known what is built");
    let makefile = "deploy:\n\t$(KUSTOMIZE) build config/default | kubectl apply -f -\n";
    tree.write("Makefile", makefile);
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
    tree.write("README.md", "Run `kubectl apply -k config/samples`.\n");
    assert_eq!(severities(&tree, "KZ020"), ["error"], "a document builds it");
}

/// A file that operator-sdk writes is no error; a second missing entry of the list is, and the help
/// names both.
#[test]
fn all_missing_entries_of_a_list_are_named() {
    let csv = "bases/own.clusterserviceversion.yaml";
    let text = format!("resources:\n- {csv}\n- ../default\n");
    let tree = repository(&[
        ("config/manifests/kustomization.yaml", &text),
        ("config/default/kustomization.yaml", "resources: [c.yaml]\n"),
        ("config/default/c.yaml", MAP),
        ("Makefile", "bundle:\n\toperator-sdk generate kustomize manifests -q\n"),
    ]);
    assert_eq!(severities(&tree, "KZ029"), ["note"]);
    fs_err::remove_dir_all(tree.path("config/default")).unwrap();
    assert_eq!(severities(&tree, "KZ020"), ["error"]);
    let help = help(&tree, "KZ020");
    assert!(help.starts_with(&format!("`{csv}`, `../default` do not exist")), "{help}");
}

/// A similar name that the file lists already is not the one that is meant.
#[test]
fn listed_name_is_not_proposed() {
    let tree = repository(&[
        ("kustomization.yaml", "resources:\n- 01-pull-secret.yaml\n- 01-bmc-secret.yaml\n"),
        ("01-pull-secret.yaml", MAP),
        ("01-bmc.yaml", MAP),
    ]);
    let all = findings(&tree);
    let one = all.iter().find(|it| it["code"] == "KZ020").expect("the path does not exist");
    let hint = one["hint"].as_str().unwrap_or_default();
    assert!(hint.starts_with("`01-bmc-secret.yaml` does not exist"), "{hint}");
    assert_eq!(one["fix"], Value::Null, "{one:#?}");
}

/// A document sets the build option of Argo CD that lifts the load restrictions.
#[test]
fn file_outside_is_a_note_where_a_document_lifts_the_restriction() {
    let tree = repository(&[
        ("argocd/web.yaml", APPLICATION),
        ("apps/web/kustomization.yaml", "resources: [../c.yaml]\n"),
        ("apps/c.yaml", MAP),
    ]);
    assert_eq!(severities(&tree, "KZ021"), ["error"]);
    tree.write(
        "docs/install.md",
        "kustomize.buildOptions: --load-restrictor=LoadRestrictionsNone\n",
    );
    assert_eq!(severities(&tree, "KZ021"), ["note"]);
}

/// An object that no other one deploys, beside objects that are deployed, is kept for later.
#[test]
fn object_that_is_set_aside_is_a_note() {
    let object = |name: &str, path: &str| {
        FLUX.replace("name: web", &format!("name: {name}")).replace("./apps/web", path)
    };
    let (root, web) = (object("apps", "./apps"), object("web", "./web"));
    let old = object("old", "./gone");
    let tree = repository(&[
        ("clusters/apps.yaml", &root),
        ("apps/kustomization.yaml", "resources: [web.yaml]\n"),
        ("apps/web.yaml", &web),
        ("web/kustomization.yaml", "resources: [c.yaml]\n"),
        ("web/c.yaml", MAP),
        ("later/kustomization.yaml", "resources: [old.yaml]\n"),
        ("later/old.yaml", &old),
    ]);
    assert_eq!(severities(&tree, "KZ028"), ["note"]);
    tree.write("README.md", "kubectl apply -k later\n");
    assert_eq!(severities(&tree, "KZ028"), ["error"]);
    tree.write("README.md", "");
    tree.write("apps/kustomization.yaml", "resources: [web.yaml, ../later]\n");
    assert_eq!(severities(&tree, "KZ028"), ["error"], "an object deploys it");
}

/// A command in a document inside a folder of documents is of that document's example.
#[test]
fn example_that_only_its_own_document_builds_is_a_note() {
    let tree = repository(&[
        ("app/kustomization.yaml", "resources: [c.yaml]\n"),
        ("app/c.yaml", MAP),
        ("README.md", "kubectl apply -k app\n"),
        ("docs/plan/dev/kustomization.yaml", "resources: [gone.yaml]\n"),
        ("docs/plan/README.md", "kubectl apply -k docs/plan/dev\n"),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
    tree.write("README.md", "kubectl apply -k app\nkubectl apply -k docs/plan/dev\n");
    assert_eq!(severities(&tree, "KZ020"), ["error"]);
}

/// An object that only a folder deploys which nothing builds is in no cluster.
#[test]
fn object_of_a_folder_that_nothing_builds_is_a_note() {
    let wrong = FLUX.replace("name: web", "name: old").replace("./apps/web", "./gone");
    let tree = repository(&[
        ("clusters/web.yaml", FLUX),
        ("apps/web/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/web/c.yaml", MAP),
        ("install/base/kustomization.yaml", "resources: [old.yaml]\n"),
        ("install/base/old.yaml", &wrong),
        ("install/dev/kustomization.yaml", "resources: [../base]\n"),
    ]);
    assert_eq!(severities(&tree, "KZ028"), ["note"]);
    tree.write("README.md", "kubectl apply -k install/dev\n");
    assert_eq!(severities(&tree, "KZ028"), ["error"]);
}

/// A variable that is not set, with a similar one that is.
#[test]
fn similar_variable_is_named() {
    let object = format!("{FLUX}  postBuild: {{substitute: {{TIME_ZONE: x, TO: y}}}}\n");
    let tree = repository(&[
        ("clusters/web.yaml", &object),
        ("apps/web/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/web/c.yaml", &MAP.replace("a: x", "a: '${TIMEZONE}'")),
    ]);
    let near = help(&tree, "KZ054");
    assert!(near.contains("did you mean `${TIME_ZONE}`"), "{near}");
    tree.write("apps/web/c.yaml", &MAP.replace("a: x", "a: '${TZ}'"));
    let other = help(&tree, "KZ054");
    assert!(other.starts_with("set the variable"), "{other}");
}

/// A generator that merges into an object with another namespace has the right name.
#[test]
fn namespace_of_a_generated_object_is_named() {
    let generator = "configMapGenerator:\n- {name: c, literals: [A=1]";
    let base = format!("namespace: sys\nnamePrefix: p-\n{generator}, namespace: system}}\n");
    let over = format!("namespace: sys\nresources: [../base]\n{generator}, behavior: merge}}\n");
    let tree =
        repository(&[("base/kustomization.yaml", &base), ("over/kustomization.yaml", &over)]);
    let expected = "ConfigMap p-c was named c, in namespace system: write `namespace: system`";
    assert_eq!(help(&tree, "KZ061"), expected);
}

/// A link to a file outside is below the folder already.
#[cfg(unix)]
#[test]
fn link_to_a_file_outside_is_called_a_link() {
    let tree =
        repository(&[("cmd/a.yaml", MAP), ("config/kustomization.yaml", "resources: [a.yaml]\n")]);
    std::os::unix::fs::symlink("../cmd/a.yaml", tree.root().join("config/a.yaml")).unwrap();
    let help = help(&tree, "KZ021");
    assert!(help.starts_with("`a.yaml` is a symbolic link to `../cmd/a.yaml`"), "{help}");
}

/// A Kustomization of Flux whose folder contains it, but no kustomization file.
#[test]
fn folder_of_an_object_that_deploys_itself_is_proposed() {
    let flux = |name: &str, path: &str| {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: {name}, namespace: f}}\n\
             spec: {{path: {path}, sourceRef: {{kind: GitRepository, name: g}}}}\n"
        )
    };
    let patched = flux("apps", "./apps").replace(
        "sourceRef",
        "patches: [{target: {kind: Kustomization}, patch: '- {op: add, path: /spec/prune, value: true}'}], sourceRef",
    ) + "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: g, namespace: f}\n\
         spec: {url: 'https://example.com/o/r'}\n";
    let tree = repository(&[
        (".git/config", "[remote \"origin\"]\n\turl = https://example.com/o/r\n"),
        ("flux/apps.yaml", &patched),
        ("apps/kustomization.yaml", "resources: [tools/ks.yaml]\n"),
        ("apps/tools/ks.yaml", &flux("tools", "./apps/tools")),
        ("apps/tools/app/kustomization.yaml", "resources: [map.yaml]\n"),
        ("apps/tools/app/map.yaml", MAP),
    ]);
    let all = findings(&tree);
    let own = all.iter().find(|it| it["message"].as_str().unwrap().contains("different fields"));
    let help = own.unwrap()["hint"].as_str().unwrap();
    assert!(help.ends_with("did you mean `path: ./apps/tools/app`?"), "{help}");

    // Labels make no other build.
    let labelled = patched.replace("path: /spec/prune", "path: /metadata/labels");
    tree.write("flux/apps.yaml", &labelled.replace("value: true", "value: {a: b}"));
    let all = findings(&tree);
    assert!(!all.iter().any(|it| it["message"].as_str().unwrap().contains("different fields")));
}

/// A list that is commented out, an object that is commented out, and copies of another repository
/// that are not deployed are notes.
#[test]
fn comments_and_copies_are_notes() {
    let patch = "resources: [c.yaml]\npatches:\n- target: {kind: ConfigMap, name: gone}\n  patch: |-\n    - {op: add, path: /data/x, value: y}\n";
    let commented =
        format!("{MAP}---\n#apiVersion: v1\n#kind: ConfigMap\n#metadata:\n#  name: gone\n");
    let tree = repository(&[
        ("off/kustomization.yaml", "# resources:\n#   - ../app\n"),
        ("app/kustomization.yaml", patch),
        ("app/c.yaml", &commented),
        ("x/upstream/kustomization.yaml", "resources: [gone.yaml]\n"),
    ]);
    assert_eq!(severities(&tree, "KZ017"), ["note"]);
    assert_eq!(severities(&tree, "KZ101"), ["note"]);
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
    // A folder that the user names is checked as it is.
    let own = crate::support::kzui_in(&tree.root(), &["check", "off"]);
    assert!(own.out.contains("error[KZ017]"), "{}", own.out);
    tree.write("off/kustomization.yaml", "# Later\n");
    tree.write("app/c.yaml", MAP);
    assert_eq!(severities(&tree, "KZ017"), ["error"]);
    assert_eq!(severities(&tree, "KZ101"), ["error"]);
}

/// The object that a generator or patch needs is in a file that no kustomization lists.
#[test]
fn unlisted_file_with_the_wanted_object_is_named() {
    let tree = repository(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", &MAP.replace("name: map", "name: web")),
        ("base/c.yaml", MAP),
        (
            "over/kustomization.yaml",
            "resources: [../base]\nconfigMapGenerator:\n- {name: map, behavior: merge, literals: [a=b]}\n",
        ),
        (
            "patched/kustomization.yaml",
            "resources: [../base]\npatches:\n- target: {kind: ConfigMap, name: map}\n  patch: |-\n    - {op: add, path: /data/x, value: y}\n",
        ),
    ]);
    let all = findings(&tree);
    for code in ["KZ061", "KZ101"] {
        let found = all.iter().find(|it| it["code"] == code).expect("it is found");
        let help = found["hint"].as_str().unwrap();
        assert!(help.starts_with("base/c.yaml has it"), "{code}: {help}");
    }
}

/// Folders of archives, patches that are commented out, and folders without resources are notes.
#[test]
fn parts_that_their_owner_left_out_are_notes() {
    let tree = repository(&[
        (".archives/old/kustomization.yaml", "resources: [gone.yaml]\n"),
        (
            "app/kustomization.yaml",
            "resources: [c.yaml]\npatches:\n- patch: |\n    # later\n  target: {kind: ConfigMap}\n",
        ),
        ("app/c.yaml", MAP),
        ("later/kustomization.yaml", "# resources: []\nlabels:\n- pairs: {a: b}\n"),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
    assert_eq!(severities(&tree, "KZ121"), ["note"]);
    assert_eq!(severities(&tree, "KZ122"), ["note"]);
    tree.write("app/kustomization.yaml", "resources: [c.yaml]\npatches: [{path: p.yaml}]\n");
    tree.write("app/p.yaml", "");
    assert_eq!(severities(&tree, "KZ121"), ["error"], "an empty patch");
}

/// Commands that build a folder by another path than its own: a variable, another folder, all of them.
#[test]
fn command_with_a_variable_or_pattern_builds_the_folder() {
    let tree = repository(&[
        ("deploy/web/prod/kustomization.yaml", "resources:\n- gone.yaml\n"),
        ("deploy/api/kustomization.yaml", "resources:\n- c.yaml\n"),
        ("deploy/api/c.yaml", MAP),
        ("Makefile", "api:\n\tkustomize build deploy/api\n"),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
    for script in [
        "kustomize build deploy/web/$ENV",
        "for d in deploy/web/*; do kustomize build $d; done",
        "cd deploy && kustomize build web/prod",
        "(cd deploy/web/prod/ && kustomize build .)",
        "find . -name kustomization.yaml -execdir kustomize build . ';'",
    ] {
        tree.write("hack/build.sh", script);
        assert_eq!(severities(&tree, "KZ020"), ["error"], "{script}");
    }
    for script in ["kustomize build deploy/web", "kustomize build other-web/prod", "vi web/prod"] {
        tree.write("hack/build.sh", script);
        assert_eq!(severities(&tree, "KZ020"), ["note"], "{script}");
    }
}

/// A variant of a target is built as the others are.
#[test]
fn variant_beside_a_built_one_is_in_use() {
    let tree = repository(&[
        ("overlays/prod/kustomization.yaml", "resources:\n- gone.yaml\n"),
        ("overlays/dev/kustomization.yaml", "resources:\n- c.yaml\n"),
        ("overlays/dev/c.yaml", MAP),
        ("README.md", "Run `kubectl apply -k overlays/dev`.\n"),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["error"]);
}

/// Warnings and entries without effect of a folder that nothing builds are notes as well.
#[test]
fn entry_without_effect_of_a_folder_that_nothing_builds_is_a_note() {
    let text = "resources: [c.yaml]\npatches:\n- target: {kind: ConfigMap, name: other}\n  patch: |-\n    - {op: add, path: /data/b, value: y}\n";
    let tree = repository(&[
        ("old/kustomization.yaml", text),
        ("old/c.yaml", MAP),
        ("web/kustomization.yaml", "resources: [c.yaml]\n"),
        ("web/c.yaml", MAP),
    ]);
    assert_eq!(severities(&tree, "KZ101"), ["error"]);
    tree.write("Makefile", "web:\n\tkustomize build web\n");
    assert_eq!(severities(&tree, "KZ101"), ["note"]);
}

/// The target of a patch has another name than the patch itself.
#[test]
fn own_name_of_a_patch_is_proposed() {
    let text = "resources: [c.yaml]\npatches:\n- target: {kind: ConfigMap, name: another}\n  path: p.yaml\n";
    let tree = repository(&[
        ("kustomization.yaml", text),
        ("c.yaml", MAP),
        ("p.yaml", &MAP.replace("a: x", "a: y")),
    ]);
    let all = findings(&tree);
    assert!(all[0]["fix"].to_string().contains("write name: map"), "{all:#?}");
}

/// A path in a git submodule without files.
#[test]
fn submodule_that_is_not_checked_out_is_a_note() {
    let tree = repository(&[
        ("kustomization.yaml", "resources: [dns/config]\n"),
        (".gitmodules", "[submodule \"dns\"]\n\tpath = dns\n\turl = https://example.com/dns\n"),
    ]);
    fs_err::create_dir(tree.path("dns")).unwrap();
    assert_eq!(severities(&tree, "KZ029"), ["note"]);
    assert!(help(&tree, "KZ029").contains("submodule `dns`"), "{}", help(&tree, "KZ029"));
    tree.write("dns/README.md", "");
    assert_eq!(severities(&tree, "KZ020"), ["error"]);
}

/// Placeholders and empty files that a program fills before the build.
#[test]
fn placeholder_that_a_program_fills_is_a_note() {
    let workload = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: web, image: web}]}}}\n";
    let tree = repository(&[
        ("kustomization.yaml", "resources: [d.yaml]\nimages:\n- name: web\n  newTag: $(COMMIT)\n"),
        ("d.yaml", workload),
    ]);
    assert_eq!(severities(&tree, "KZ223"), ["note"]);

    let patched = "resources: [d.yaml]\npatches:\n- path: p.json\n  target: {kind: Deployment}\n";
    tree.write("kustomization.yaml", patched);
    tree.write("p.json", "[]\n");
    assert_eq!(severities(&tree, "KZ121"), ["error"]);
    tree.write("Makefile", "dev:\n\techo '[]' > ./p.json\n");
    assert_eq!(severities(&tree, "KZ121"), ["note"]);
}

/// A missing folder that exists under another path, and the only entry of a kustomization.
#[test]
fn moved_folder_is_named() {
    let moved = FLUX.replace("./apps/web", "./apps/default/web/app");
    let tree = repository(&[
        ("clusters/web.yaml", &moved),
        ("clusters/other.yaml", &FLUX.replace("apps/web", "apps/dev/other/app")),
        ("apps/dev/web/app/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/dev/web/app/c.yaml", MAP),
        ("apps/dev/other/app/c.yaml", MAP),
    ]);
    assert_eq!(help(&tree, "KZ028"), "did you mean ./apps/dev/web/app?");
    tree.write("other/web/app/c.yaml", MAP);
    assert!(help(&tree, "KZ028").starts_with("correct the path"), "two folders");

    let tree = repository(&[("kustomization.yaml", "resources:\n- longhorn\n")]);
    assert!(help(&tree, "KZ020").contains("delete this kustomization"), "{}", help(&tree, "KZ020"));
}

/// The files of a program's templates.
#[test]
fn template_of_a_program_is_a_note() {
    let tree = repository(&[
        ("config/options/kustomization.yaml", "resources: [c.yaml]\npatches:\n- path: p.yaml\n"),
        ("config/options/c.yaml", MAP),
        ("config/options/p.yaml", "kind: ConfigMap\n{{- range .Names }}\n- {{ . }}\n{{- end }}\n"),
    ]);
    assert_eq!(severities(&tree, "KZ012"), ["note"]);
    assert!(help(&tree, "KZ012").starts_with("line 2 of p.yaml"), "{}", help(&tree, "KZ012"));
}

/// Applications with equal names are one row for each file, with the folders that give the name.
#[test]
fn applications_with_equal_names_are_one_row() {
    let set = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all, namespace: argocd}\nspec:\n  generators:\n  - git:\n      repoURL: https://example.com/own.git\n      revision: HEAD\n      directories: [{path: apps/*/*}]\n  template:\n    metadata: {name: '{{path[1]}}'}\n    spec:\n      source: {repoURL: https://example.com/own.git, path: '{{path}}'}\n      destination: {name: in-cluster, namespace: web}\n";
    let mut files = vec![("argocd/all.yaml".to_owned(), set.to_owned())];
    for folder in ["apps/a/dev", "apps/a/prod", "apps/b/dev", "apps/b/prod"] {
        files.push((format!("{folder}/kustomization.yaml"), "resources: [c.yaml]\n".to_owned()));
        files.push((format!("{folder}/c.yaml"), MAP.to_owned()));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let tree = repository(&files);
    let text = kzui_in(&tree.root(), &["check"]).out;
    assert_eq!(text.matches("error[KZ035]").count(), 1, "{text}");
    assert!(text.contains("from apps/a/dev and apps/a/prod (and 1 more)"), "{text}");
}

/// A target of an object that its owner commented out is in no cluster, whatever the finding.
#[test]
fn finding_of_an_object_that_is_commented_out_is_a_note() {
    let tree = repository(&[
        ("clusters/kustomization.yaml", "resources:\n- web.yaml\n- other.yaml\n"),
        ("clusters/web.yaml", FLUX),
        ("clusters/other.yaml", &FLUX.replace("web", "other")),
        ("apps/web/kustomization.yaml", "resources: [gone.yaml]\n"),
        ("apps/other/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/other/c.yaml", MAP),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["error"]);
    tree.write("clusters/kustomization.yaml", "resources:\n# - web.yaml\n- other.yaml\n");
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
}

/// A layer that lists its own version of a resource of its base needs a patch.
#[test]
fn patch_is_proposed_for_a_second_version_of_a_resource() {
    let tree = repository(&[
        ("base/kustomization.yaml", "resources: [c.yaml]\n"),
        ("base/c.yaml", MAP),
        ("prod/kustomization.yaml", "resources: [../base, c.yaml]\n"),
        ("prod/c.yaml", MAP),
    ]);
    assert!(help(&tree, "KZ030").contains("under `patches`"), "{}", help(&tree, "KZ030"));
}

/// The line of a variable in the file of a generator.
#[test]
fn line_of_a_variable_in_a_generated_file_is_that_of_the_file() {
    let object = format!("{FLUX}  postBuild: {{substitute: {{OTHER: x}}}}\n");
    let tree = repository(&[
        ("clusters/web.yaml", &object),
        ("apps/web/kustomization.yaml", "configMapGenerator:\n- {name: c, files: [c.yml]}\n"),
        ("apps/web/c.yml", "one: 1\ntwo: 2\nthree: ${THREE}\n"),
    ]);
    let all = findings(&tree);
    let one = all.iter().find(|it| it["code"] == "KZ054").expect("the variable has no value");
    assert_eq!((&one["line"], &one["column"]), (&Value::from(3), &Value::from(8)), "{one:#}");
}

/// The folders of templates end with that word; a folder of another project above the repository
/// hides none of its scripts.
#[test]
fn names_of_folders_above_the_repository_do_not_count() {
    let broken = "resources:\n- gone.yaml\n";
    let tree = repository(&[("web-template/kustomization.yaml", broken)]);
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
    let tree = repository(&[("templated/kustomization.yaml", broken)]);
    assert_eq!(severities(&tree, "KZ020"), ["error"]);

    let tree = Tree::new(&[
        ("vendor/repo/.git/HEAD", "ref: refs/heads/main\n"),
        ("vendor/repo/old/kustomization.yaml", broken),
        ("vendor/repo/web/kustomization.yaml", "resources: [c.yaml]\n"),
        ("vendor/repo/web/c.yaml", MAP),
        ("vendor/repo/Makefile", "web:\n\tkustomize build web\n"),
    ]);
    let text = kzui_in(&tree.path("vendor/repo"), &["check"]).out;
    assert!(!text.contains("error[KZ020]"), "{text}");
}
