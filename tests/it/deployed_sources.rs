//! An Argo CD Application with several sources: one target with the steps of each.

use serde_json::Value;

use crate::deployed::{build, conversation, read_text, toggle_row_and_write};
use crate::support::{Tree, kzui_in};

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n";

/// An Application with a source of Kustomize, a plain directory, and another source of Kustomize.
fn several_sources() -> Tree {
    let config = |namespace: &str, value: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n{namespace}data:\n  k: {value}\n"
        )
    };
    let url = "https://example.com/shop.git";
    let tree = Tree::new(&[
        ("web/kustomization.yaml", "resources: [web.yaml]\n"),
        ("web/web.yaml", WEB),
        ("plain/extra.yaml", &config("", "plain")),
        ("other/kustomization.yaml", "resources: [cm.yaml]\n"),
        ("other/cm.yaml", &config("  namespace: prod\n", "other")),
        (
            "app.yaml",
            &format!(
                "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: shop}}\nspec:\n  \
                 destination: {{namespace: prod}}\n  sources:\n  - repoURL: {url}\n    path: web\n    kustomize:\n      \
                 namePrefix: a-\n  - repoURL: {url}\n    path: plain\n  - repoURL: {url}\n    path: other\n    \
                 kustomize:\n      namePrefix: b-\n      commonAnnotations: {{team: shop}}\n      #nameSuffix: -c\n"
            ),
        ),
    ]);
    tree.commit("one");
    tree
}

#[test]
fn each_source_of_an_application_has_its_own_steps() {
    let tree = several_sources();
    let run = |arguments: &[&str]| kzui_in(&tree.root(), arguments).out;
    let why = |field: &[&str]| run(&[&["why", "--porcelain", "app.yaml"], field].concat());
    let name = why(&["Deployment/a-web", "metadata.name"]);
    assert!(name.contains("app.yaml:10"), "{name}");
    let team = why(&["ConfigMap/b-extra", "metadata.annotations.team"]);
    assert!(team.contains("app.yaml:17"), "{team}");
    let blame = run(&["blame", "app.yaml"]);
    for file in ["web/web.yaml:1", "plain/extra.yaml:6", "other/cm.yaml:7", "app.yaml:16"] {
        assert!(blame.contains(file), "{file}: {blame}");
    }
    for file in ["web/web.yaml", "plain/extra.yaml", "other/cm.yaml"] {
        assert!(run(&["where", file]).contains("app.yaml#shop"), "{file}");
    }
    let check = run(&["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&check).unwrap();
    assert_eq!(report["targets"], 1, "{check}");
    let graph = run(&["graph", "--format", "mermaid"]);
    assert_eq!(graph.matches("deploys:").count(), 2, "{graph}");
}

#[test]
fn the_tree_of_several_sources_lists_each_with_its_additions() {
    let tree = several_sources();
    let text = conversation(&tree, "app.yaml", "tree\nquit!\n");
    for line in [
        "Level 1. sources. 3 entries, in the order of Argo CD",
        "Level 2. web. ",
        "Level 2. plain. ",
        "Level 2. other. ",
        "Level 2. spec.sources.0.kustomize",
        "Level 3. namePrefix a-",
        "Level 2. spec.sources.2.kustomize",
        "Level 3. namePrefix b-",
        "Level 3. nameSuffix -c. Off",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(!text.contains("Level 1. resources"), "{text}");
    toggle_row_and_write(&tree, "app.yaml", "nameSuffix -c. Off");
    assert!(read_text(&tree, "app.yaml").contains("      nameSuffix: -c\n"));
    let built = build(&tree, "app.yaml");
    assert!(built.contains("name: b-extra-c") && built.contains("name: a-web\n"), "{built}");
}

/// A repository with a remote and the manifests of a folder.
fn repository(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(files);
    tree.write("foo/x/kustomization.yaml", "resources: [cm.yaml]\n");
    tree.write("foo/x/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n");
    tree.write("kustomization.yaml", "resources: [foo/x]\n");
    tree.commit("one");
    let arguments = ["remote", "add", "origin", "https://git.example.com/org/shop.git"];
    let git = std::process::Command::new("git").args(arguments).current_dir(tree.root()).status();
    assert!(git.unwrap().success());
    tree
}

/// A `repoURL` that is no URL is another source; without one, or without a path and a chart, Argo
/// CD deploys nothing.
#[test]
fn an_application_without_a_usable_source_is_not_built_from_this_repository() {
    let source = |source: &str| {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: a}}\nspec:\n  {source}\n"
        )
    };
    let flux = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: g}\nspec: {url: foo}\n---\n\
                apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k}\n\
                spec: {path: x, sourceRef: {kind: GitRepository, name: g}}\n";
    let own = "https://git.example.com/org/shop.git";
    let cases = [
        (source("source: {repoURL: foo, path: x}"), "the source foo is not in this repository"),
        (source("source: {repoURL: ./foo, path: x}"), "the source ./foo is not in this repository"),
        (source("source: {kustomize: {namePrefix: p-}}"), "a has no repoURL: it is a fragment"),
        (source("source: {helm: {releaseName: p}}"), "a has no repoURL: it is a fragment"),
        (source("source: {path: foo/x}"), "a has no repoURL: it is a fragment"),
        (
            source("sources: [{}, {kustomize: {namePrefix: p-}}]"),
            "a has no repoURL: it is a fragment",
        ),
        (source(&format!("source: {{repoURL: '{own}'}}")), "no source that Kustomize builds"),
        (flux.to_owned(), "GitRepository g is not in this repository"),
    ];
    for (text, expected) in cases {
        let tree = repository(&[("apps/a.yaml", &text)]);
        let answer = kzui_in(&tree.root(), &["build", "apps/a.yaml", "--offline"]);
        assert_eq!((answer.status, &*answer.out), (Some(1), ""), "{text}{}", answer.err);
        assert!(answer.err.contains(expected), "{expected}: {}", answer.err);
        let is_fragment = expected.contains("fragment");
        let check = kzui_in(&tree.root(), &["check", "--offline", "--format", "json"]).out;
        let report: Value = serde_json::from_str(&check).unwrap();
        // A fragment is no target; the folder of the repository is.
        assert_eq!(report["targets"], if is_fragment { 1 } else { 2 }, "{text}{check}");
    }
}

/// Values with variables that are not known for the parent are not known for the child.
#[test]
fn a_value_that_a_parent_cannot_know_is_not_known_in_the_child() {
    let kustomization = |name: &str, spec: &str| {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: {name}, namespace: f}}\nspec:\n  \
             sourceRef: {{kind: GitRepository, name: flux-system}}\n{spec}"
        )
    };
    let parent = kustomization(
        "parent",
        "  path: ./apps\n  postBuild: {substituteFrom: [{kind: Secret, name: vault}]}\n",
    );
    let child = kustomization(
        "child",
        "  path: ./web\n  postBuild:\n    substitute: {OWNER: 'x-${TEAM}', LIST: \"${q:=''}[a]${q:=''}\", KNOWN: yes-}\n    \
         substituteFrom: [{kind: ConfigMap, name: defaults}]\n",
    );
    let tree = repository(&[
        ("clusters/parent.yaml", &parent),
        ("apps/kustomization.yaml", "resources: [child.yaml, defaults.yaml]\n"),
        ("apps/child.yaml", &child),
        (
            "apps/defaults.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: defaults, namespace: f}\ndata: {OWNER: nobody, TIER: 'a${TEAM}'}\n",
        ),
        ("web/kustomization.yaml", "resources: [cm.yaml]\n"),
        (
            "web/cm.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  owner: ${OWNER}\n  list: ${LIST:=none}\n  \
             tier: ${TIER}\n  known: ${KNOWN}\n",
        ),
    ]);
    let answer = kzui_in(&tree.root(), &["build", "apps/child.yaml", "--offline"]);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    for line in ["owner: ${OWNER}", "list: ${LIST:=none}", "tier: ${TIER}", "known: yes-"] {
        assert!(answer.out.contains(line), "{line}: {}", answer.out);
    }
    for text in [
        "the parent does not know all variables in OWNER, LIST",
        "ConfigMap defaults are not known",
    ] {
        assert!(answer.err.contains(text), "{text}: {}", answer.err);
    }
    // A value of the user replaces one that is not known.
    let given = ["build", "apps/child.yaml", "--offline", "--env", "OWNER=me"];
    assert!(kzui_in(&tree.root(), &given).out.contains("owner: me\n"));
}

/// Another program replaces references to a vault before Flux reads them.
#[test]
fn a_reference_to_a_vault_is_reported_as_not_known() {
    let tree = repository(&[
        (
            "clusters/web.yaml",
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web, namespace: f}\nspec:\n  \
             path: ./web\n  sourceRef: {kind: GitRepository, name: flux-system}\n  \
             postBuild: {substituteFrom: [{kind: Secret, name: ids}]}\n",
        ),
        (
            "boot/ids.yaml",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: ids, namespace: f}\nstringData: {ID: 'op://vault/id', ZONE: eu}\n",
        ),
        (
            "web/cm.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {id: '${ID}', zone: '${ZONE}'}\n",
        ),
    ]);
    let answer = kzui_in(&tree.root(), &["build", "clusters/web.yaml", "--offline"]);
    assert!(answer.out.contains("id: ${ID}") && answer.out.contains("zone: eu"), "{}", answer.out);
    let reason =
        "variables of Secret ids are not known: another program replaces its op:// references";
    assert!(answer.err.contains(reason), "{}", answer.err);
}

/// An artifact may be made of a folder of the repository, so that its root is not known.
#[test]
fn the_root_of_an_artifact_is_not_known() {
    let object = |name: &str, kind: &str, path: &str| {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: {name}, namespace: flux-system}}\n\
             spec:\n  path: ./{path}\n  sourceRef: {{kind: {kind}, name: flux-system}}\n"
        )
    };
    let tree = repository(&[
        ("k8s/clusters/web.yaml", &object("web", "OCIRepository", "apps/web")),
        ("k8s/clusters/gone.yaml", &object("gone", "OCIRepository", "apps/gone")),
        (
            "k8s/clusters/flux.yaml",
            "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux, namespace: flux-system}\n\
             spec:\n  sync: {kind: OCIRepository, url: 'oci://ghcr.io/org/shop', ref: latest, path: clusters}\n",
        ),
        ("k8s/apps/web/kustomization.yaml", "resources: [../../shared.yaml]\n"),
        ("k8s/shared.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared}\n"),
    ]);
    let built = kzui_in(&tree.root(), &["build", "k8s/clusters/web.yaml", "--offline"]);
    assert_eq!((built.status, &*built.out), (Some(1), ""), "{}", built.err);
    let reason = "the root of OCIRepository flux-system is not known: 'apps/web' exists only in the folder k8s";
    assert!(built.err.contains(reason), "{}", built.err);
    let check = kzui_in(&tree.root(), &["check", "--offline", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&check).unwrap();
    let codes: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["code"].as_str())
        .collect();
    // A path that exists nowhere is an error.
    assert_eq!(codes, ["KZ028"], "{check}");
}
