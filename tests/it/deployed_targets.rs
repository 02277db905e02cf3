//! Deployment objects are targets of every command, by file or by name.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Answer, Tree, kzui_in, messages, numbers_after};

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n\
                   spec: {template: {spec: {containers: [{name: web, image: nginx}]}}}\n";

fn application(name: &str, patch_kind: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}}}\nspec:\n  source:\n    \
         repoURL: https://example.com/shop.git\n    path: deploy/web\n    kustomize:\n      commonAnnotations: {{team: {name}}}\n      \
         patches:\n      - target: {{kind: {patch_kind}}}\n        patch: |-\n          - op: add\n            path: /metadata/labels\n            \
         value: {{a: b}}\n"
    )
}

/// An Application with a patch that matches, and one with a patch that does not.
fn shop() -> Tree {
    let tree = Tree::new(&[
        ("deploy/web/kustomization.yaml", "resources: [web.yaml]\n"),
        ("deploy/web/web.yaml", WEB),
        ("argocd/good.yaml", &application("good", "Deployment")),
        ("argocd/bad.yaml", &application("bad", "Deployment, name: other")),
        ("other/kustomization.yaml", "resources: [../deploy/web]\n"),
    ]);
    tree.commit("one");
    tree
}

fn flux(name: &str, path: &str) -> String {
    format!(
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: {name}}}\n\
         spec: {{path: ./{path}, sourceRef: {{kind: GitRepository, name: flux-system}}}}\n"
    )
}

fn findings(answer: &Answer) -> BTreeSet<(String, String)> {
    let report: Value = serde_json::from_str(&answer.out).unwrap();
    let all = report["findings"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    all.map(|one| (text(&one["code"]), text(&one["severity"]))).collect()
}

#[test]
fn check_reports_an_objects_additions_from_every_path() {
    let tree = shop();
    for path in [".", "argocd", "argocd/bad.yaml", "argocd/bad.yaml#bad", "deploy/web"] {
        let answer = kzui_in(&tree.root(), &["check", path]);
        assert_eq!(answer.status, Some(1), "{path}: {}{}", answer.out, answer.err);
        assert!(answer.out.contains("KZ101"), "{path}: {}", answer.out);
        assert!(answer.out.contains("argocd/bad.yaml"), "{path}: {}", answer.out);
    }
    for path in ["argocd/good.yaml", "argocd/good.yaml#good", "other"] {
        let answer = kzui_in(&tree.root(), &["check", path]);
        assert_eq!(answer.status, Some(0), "{path}: {}{}", answer.out, answer.err);
    }
    let answer = kzui_in(&tree.root(), &["check", "argocd/bad.yaml#none"]);
    assert_eq!(answer.status, Some(2), "{}", answer.out);
}

#[test]
fn a_folder_is_checked_as_it_is_deployed() {
    let tree = Tree::new(&[
        ("clusters/a.yaml", &flux("a", "apps/a")),
        ("apps/a/kustomization.yaml", "resources: [../../shared/cm.yaml]\n"),
        ("shared/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"),
    ]);
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    for path in [".", "apps/a", "clusters/a.yaml"] {
        let answer = kzui_in(&tree.root(), &["check", path, "--format", "json"]);
        assert_eq!(answer.status, Some(0), "{path}: {}{}", answer.out, answer.err);
        let found = findings(&answer);
        assert!(found.iter().all(|(_, severity)| severity == "note"), "{path}: {found:?}");
    }
    // A command can still name the folder itself.
    assert_eq!(kzui_in(&tree.root(), &["build", "apps/a"]).status, Some(1));
}

#[test]
fn shards_find_all_findings_of_a_full_check() {
    let tree = shop();
    tree.write(
        "deploy/web/unlisted.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: u}\n",
    );
    tree.write("more/kustomization.yaml", "resources: [web.yaml]\n");
    tree.write("more/web.yaml", WEB);
    tree.write("more/unlisted.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: u}\n");
    let prints = |arguments: &[&str]| {
        let all = [&["check", "--notes", "--format", "json"], arguments].concat();
        let report: Value = serde_json::from_str(&kzui_in(&tree.root(), &all).out).unwrap();
        let found = report["findings"].as_array().unwrap().iter();
        found.map(|one| one["fingerprint"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut whole = prints(&[]);
    whole.sort();
    assert!(whole.iter().filter(|one| one.starts_with("KZ222")).count() == 2, "{whole:?}");
    for parts in [2, 3, 7] {
        let each = (1..=parts).flat_map(|part| prints(&["--shard", &format!("{part}/{parts}")]));
        let mut together: Vec<String> = each.collect();
        together.sort();
        assert_eq!(together, whole, "{parts} parts");
    }
}

#[test]
fn a_folder_is_compared_with_what_is_deployed() {
    let tree = shop();
    for object in ["argocd/good.yaml", "argocd/good.yaml#good", "HEAD:argocd/good.yaml"] {
        let answer = kzui_in(&tree.root(), &["diff", "deploy/web", object]);
        assert_eq!(answer.status, Some(1), "{object}: {}{}", answer.out, answer.err);
        assert!(answer.out.contains("team"), "{object}: {}", answer.out);
        assert!(!answer.out.contains("Application"), "{object}: {}", answer.out);
    }
    let same = ["diff", "argocd/good.yaml", "argocd/good.yaml#good"];
    assert_eq!(kzui_in(&tree.root(), &same).status, Some(0));
}

#[test]
fn a_change_of_an_object_is_a_difference_of_its_target() {
    let tree = shop();
    tree.write("argocd/good.yaml", &application("good", "Pod"));
    let answer = kzui_in(&tree.root(), &["diff", "HEAD", "--format", "json"]);
    assert_eq!(answer.status, Some(1), "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("argocd/good.yaml#good"), "{}", answer.out);
    let answer = kzui_in(&tree.root(), &["diff", "argocd/good.yaml"]);
    assert_eq!(answer.status, Some(1), "{}{}", answer.out, answer.err);
    let answer = kzui_in(&tree.root(), &["diff", "argocd/bad.yaml#bad"]);
    assert_eq!(answer.status, Some(0), "{}{}", answer.out, answer.err);
}

#[test]
fn every_command_on_a_target_takes_an_object() {
    let tree = shop();
    for object in ["argocd/good.yaml", "argocd/good.yaml#good"] {
        let run = |arguments: &[&str], words: &str| {
            let arguments: Vec<&str> =
                arguments.iter().map(|word| if *word == "@" { object } else { *word }).collect();
            let answer = kzui_in(&tree.root(), &arguments);
            assert!(
                answer.status.is_some_and(|status| status < 2),
                "{arguments:?}: {}{}",
                answer.out,
                answer.err
            );
            assert!(answer.out.contains(words), "{arguments:?}: {}{}", answer.out, answer.err);
        };
        run(&["build", "@"], "team: good");
        run(
            &["why", "--porcelain", "@", "Deployment/web", "metadata.annotations.team"],
            "argocd/good.yaml:9",
        );
        run(&["trace", "@"], "Application good");
        run(&["blame", "@"], "argocd/good.yaml");
        run(&["grep", "team", "@"], "argocd/good.yaml#good");
        run(&["order", "@"], "");
        let refused = kzui_in(&tree.root(), &["matrix", object]).refused();
        assert!(refused.contains(messages::NO_LISTED_COMPONENTS), "{object}: {refused}");
        run(&["compat", "@", "--from", "v5.0.1"], "the same");
        run(&["graph", "@", "--format", "mermaid"], "argocd/good.yaml#35;good");
        run(&["components", "@"], "");
        run(&["where", "@"], "argocd/good.yaml#good");
        run(&["check", "@"], "0 errors");
        run(&["diff", "deploy/web", "@"], "team");
        let field = ["Deployment/web", "metadata.annotations.team"];
        run(&["why-differ", "deploy/web", "@", field[0], field[1]], "");
    }
}

#[test]
fn a_file_reaches_the_objects_that_deploy_it() {
    let tree = shop();
    let affected = |answer: &Answer| numbers_after(&answer.out, messages::AFFECTS);
    let answer = kzui_in(&tree.root(), &["where", "deploy/web/web.yaml"]);
    for target in ["argocd/bad.yaml#bad", "argocd/good.yaml#good", "other"] {
        assert!(answer.out.contains(target), "{}", answer.out);
    }
    assert!(affected(&answer).starts_with(&[3, 3]), "{}", answer.out);
    let answer = kzui_in(&tree.root(), &["where", "Deployment/web"]);
    assert!(affected(&answer).starts_with(&[3, 3]), "{}", answer.out);
}

#[test]
fn the_graph_shows_states_and_objects() {
    let tree = shop();
    tree.write("broken/kustomization.yaml", "resources: [none.yaml]\n");
    let answer = kzui_in(&tree.root(), &["graph", "--format", "mermaid"]);
    assert!(answer.out.contains("argocd/good.yaml#35;good\"]:::builds"), "{}", answer.out);
    assert!(answer.out.contains("broken\"]:::fails"), "{}", answer.out);
    assert!(!answer.out.contains("]:::unknown"), "{}", answer.out);
}

#[test]
fn a_bisection_follows_an_object() {
    let tree = shop();
    tree.write("argocd/good.yaml", &application("good", "Pod"));
    tree.commit("two");
    let answer = kzui_in(
        &tree.root(),
        &[
            "bisect",
            "argocd/good.yaml#good",
            "--good",
            "one",
            "--field",
            "Deployment/web",
            "metadata.labels.a",
        ],
    );
    assert_eq!(answer.status, Some(0), "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("argocd/good.yaml"), "{}", answer.out);
}

#[test]
fn elements_of_an_application_set_are_targets() {
    let tree = Tree::new(&[
        ("deploy/web/kustomization.yaml", "resources: [web.yaml]\n"),
        ("deploy/web/web.yaml", WEB),
        (
            "set.yaml",
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: web}\nspec:\n  generators:\n  - list:\n      \
             elements: [{env: dev}, {env: prod}]\n  template:\n    metadata: {name: 'web-{{env}}'}\n    spec:\n      source:\n        \
             repoURL: https://example.com/shop.git\n        path: deploy/web\n        kustomize: {namePrefix: '{{env}}-'}\n",
        ),
    ]);
    tree.commit("one");
    let answer = kzui_in(&tree.root(), &["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(report["targets"], 2, "{}", answer.out);
}

/// A Flux Kustomization may have its source from a patch of the target that deploys it: it is a
/// target like the others, and its folder is built with its fields.
#[test]
fn object_whose_parent_adds_the_source_is_a_target() {
    let patch = |text: &str| {
        format!(
            "{}\n",
            flux("apps", "apps").trim_end().replace(
                "}}",
                &format!("}}, patches: [{{target: {{kind: Kustomization}}, patch: '{text}'}}]}}")
            )
        )
    };
    let source = "[{\"op\": \"add\", \"path\": \"/spec/sourceRef\", \"value\": {\"kind\": \"GitRepository\", \"name\": \"flux-system\"}}]";
    let other = "[{\"op\": \"add\", \"path\": \"/spec/prune\", \"value\": true}]";
    let web = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web}\nspec: {path: ./apps/web/app, targetNamespace: shop}\n";
    let tree = Tree::new(&[
        ("clusters/apps.yaml", &patch(source)),
        ("apps/kustomization.yaml", "resources: [web/ks.yaml]\n"),
        ("apps/web/ks.yaml", web),
        ("apps/web/app/kustomization.yaml", "resources: [web.yaml]\n"),
        ("apps/web/app/web.yaml", WEB),
        (
            "completion/kustomization.yaml",
            "resources: [../apps/web/app]\npatches: [{path: ks.yaml, target: {kind: None}}]\n",
        ),
        ("completion/ks.yaml", &web.replace("name: web", "name: part")),
    ]);
    tree.commit("one");
    let listed = |tree: &Tree| kzui_in(&tree.root(), &["images", "."]).out;
    let out = listed(&tree);
    assert!(out.contains("apps/web/ks.yaml#web"), "{out}");
    assert!(!out.contains("part") && !out.contains("apps/web/app "), "{out}");
    let built = kzui_in(&tree.root(), &["build", "apps/web/ks.yaml#web"]).out;
    assert!(built.contains("namespace: shop"), "{built}");

    tree.write("clusters/apps.yaml", &patch(other));
    let out = listed(&tree);
    assert!(!out.contains("ks.yaml#web"), "no source: {out}");
}
