//! Statements of the proposals about functions, catalogs and trust that a count found to be met in
//! part.

use super::refused::write_executable;
use super::server::{Page, Server};
use super::{Desk, STAMP, catalog, desk, script, sha256_hex};
use crate::compare::{commit, git};
use crate::support::{Tree, messages};

const EXEC_FLAGS: [&str; 2] = ["--enable-alpha-plugins", "--enable-exec"];

/// A tree with a function in a shell script, which prints this text.
fn tree_with_output(output: &str) -> Desk {
    let desk = desk(
        &[],
        &[(
            "f.yaml",
            "apiVersion: a/v1\nkind: F\nmetadata:\n  name: f\n  annotations: {config.kubernetes.io/function: 'exec: {path: ./f.sh}'}\n",
        )],
    );
    desk.tree.write("kustomization.yaml", "resources: [cm.yaml]\ntransformers: [f.yaml]\n");
    write_executable(&desk, "f.sh", &format!("#!/bin/sh\ncat >/dev/null\n{output}\n"));
    desk
}

fn answer(desk: &Desk, command: &[&str]) -> crate::support::Answer {
    let words: Vec<&str> = command.iter().chain(&EXEC_FLAGS).copied().collect();
    desk.run(&words)
}

const LIST: &str = "printf 'apiVersion: config.kubernetes.io/v1\\nkind: ResourceList\\nitems:\\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\\n'";

/// KRM specification: the version of the list, and the prefix of annotations that is reserved.
#[test]
fn unknown_list_version_and_added_reserved_annotation_are_warnings() {
    let annotated = LIST
        .replace("name: c}", "name: c, annotations: {internal.config.kubernetes.io/custom: x}}")
        .replace("config.kubernetes.io/v1\\n", "config.kubernetes.io/v2\\n");
    let desk = tree_with_output(&annotated);
    let built = answer(&desk, &["build", "."]);
    assert_eq!(built.status, Some(0), "{}", built.err);
    assert!(built.out.contains("internal.config.kubernetes.io/custom: x"), "{}", built.out);
    assert!(built.err.contains("'config.kubernetes.io/v2'"), "{}", built.err);
    assert!(
        built.err.contains("internal.config.kubernetes.io/custom to ConfigMap/c"),
        "{}",
        built.err
    );
    let checked = answer(&desk, &["check", "."]);
    assert_eq!(checked.out.matches("warning[KZ303]").count(), 2, "{}", checked.out);
    let desk = tree_with_output(&LIST.replace("ResourceList", "ResourceLists"));
    let refused = answer(&desk, &["build", "."]).refused();
    assert!(refused.contains("'ResourceLists', expected ResourceList"), "{refused}");
}

/// KRM specification: the tags of a result are in the report of `check`, also in SARIF.
#[test]
fn tags_of_results_are_in_the_findings() {
    let desk = tree_with_output(&format!(
        "{LIST}; printf 'results:\\n- {{message: m, severity: warning, tags: {{owner: platform}}}}\\n'"
    ));
    let text = answer(&desk, &["check", "."]);
    assert!(text.out.contains("m [owner=platform]"), "{}", text.out);
    let read = |format: &str| -> serde_json::Value {
        let report = answer(&desk, &["check", ".", "--format", format]).out;
        serde_json::from_str(&report).expect("JSON")
    };
    assert_eq!(read("json")["findings"][0]["tags"]["owner"], "platform");
    let sarif = read("sarif");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["properties"]["functionTags"]["owner"], "platform", "{sarif}");
}

/// The standard error of a function that succeeded is one note, with the place of the function.
#[test]
fn standard_error_of_a_good_function_is_a_note_with_its_place() {
    let desk = tree_with_output(&format!("{LIST}; echo one >&2; echo two >&2"));
    let notes = answer(&desk, &["check", ".", "--notes"]).out;
    assert!(notes.contains("note[KZ305]"), "{notes}");
    assert!(notes.contains("one (1 more line)") && notes.contains(" --> f.yaml:1"), "{notes}");
    assert!(notes.contains("Found 0 errors and 0 warnings"), "{notes}");
    assert!(!answer(&desk, &["check", "."]).out.contains("KZ305"));
}

/// kpt's `source:` is not supported, and the error names what to write.
#[test]
fn script_in_the_form_of_kpt_is_explained() {
    let function = "apiVersion: fn.kpt.dev/v1alpha1\nkind: StarlarkRun\nmetadata: {name: f}\nsource: |\n  x = 1\n";
    let desk = desk(&[], &[("f.yaml", function)]);
    desk.tree.write("kustomization.yaml", "resources: [cm.yaml]\ntransformers: [f.yaml]\n");
    let refused = answer(&desk, &["build", "."]).refused();
    assert!(refused.contains("runtime: {starlark: {path: FILE}}"), "{refused}");
}

/// The error for an image that only a tag pins names what to do.
#[test]
fn image_with_a_tag_is_refused_with_help() {
    let desk = desk(
        &["catalog.yaml"],
        &[("catalog.yaml", &catalog("v1", "{container: {image: 'r.example.com/f:v1'}}"))],
    );
    let refused = desk.run(&["build", "--trusted-catalog=catalog.yaml"]).refused();
    assert!(refused.contains("= help: "), "{refused}");
    assert!(refused.contains("--allow-unpinned-images"), "{refused}");
}

/// KEP-2906: home, tags and labels are shown; a name without a catalog has one clear error.
#[test]
fn view_shows_home_tags_and_labels_and_explains_references_without_a_catalog() {
    let text = catalog("v1", STAMP)
        .replace("metadata: {name: team}", "metadata: {name: team, labels: {author: jane}}")
        .replace("    description: stamps\n", "    description: stamps\n    home: https://team.example.com\n    tags: [stamp, label]\n");
    let desk = desk(&[], &[("c/catalog.yaml", &text), ("c/stamp.star", &script("x"))]);
    desk.tree.write("layout/oci-layout", "{}");
    let shown = desk.run(&["view", "catalog", "c"]).built();
    for part in
        ["author=jane", "home         https://team.example.com", "tags         stamp, label"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let json = desk.run(&["view", "catalog", "c", "-o", "json"]).built();
    assert!(json.contains("\"author\": \"jane\""), "{json}");
    let refused = desk.run(&["view", "catalog", "official"]).refused();
    assert!(refused.contains(messages::NO_OFFICIAL_CATALOG), "{refused}");
    let refused = desk.run(&["view", "catalog", "layout"]).refused();
    assert!(refused.contains("oci-layout:layout"), "{refused}");
}

/// The author of a tree writes kzui.lock: its remote references are fetched on request only.
#[test]
fn outdated_fetches_on_request_only_and_mentions_a_changed_remote() {
    let server = Server::start();
    server.put("/catalog.yaml", Page::ok(catalog("v1", "{container: {image: i}}")));
    let url = server.url("/catalog.yaml");
    let desk = desk(&[&url], &[]);
    desk.run(&["trust", "add", &url, "--yes", "--lock"]).built();
    let asked = server.requests();
    server.put("/catalog.yaml", Page::ok(catalog("v1", "{container: {image: j}}")));
    let outdated = desk.run(&["catalog", "outdated"]);
    assert_eq!((outdated.status, server.requests()), (Some(3), asked), "{}", outdated.out);
    assert!(outdated.out.contains("--fetch"), "{}", outdated.out);
    let outdated = desk.run(&["catalog", "outdated", "--fetch"]);
    assert_eq!(outdated.status, Some(1));
    assert!(outdated.out.contains("changed since"), "{}", outdated.out);
}

/// A path without a digest in a catalog that lies in no folder never runs: an error of lint.
#[test]
fn lint_reports_scripts_that_do_not_run_from_a_server() {
    let server = Server::start();
    server.put("/c/catalog.yaml", Page::ok(catalog("v1", STAMP)));
    server.put("/c/stamp.star", Page::ok(script("x")));
    let desk = desk(&[], &[]);
    let lint = desk.run(&["catalog", "lint", &server.url("/c/catalog.yaml")]);
    assert_eq!(lint.status, Some(1), "{}", lint.out);
    assert!(lint.out.contains("error[CAT-UNPINNED]"), "{}", lint.out);
    assert!(!lint.out.contains("CAT-FLOATING"), "{}", lint.out);
}

/// Content that differs from kzui.lock is an error of `check`, not a missing decision.
#[test]
fn content_that_differs_from_the_lock_is_an_error_of_check() {
    let desk = desk(
        &["c/catalog.yaml"],
        &[("c/catalog.yaml", &catalog("v1", STAMP)), ("c/stamp.star", &script("one"))],
    );
    desk.run(&["trust", "add", "c", "--yes", "--lock"]).built();
    desk.tree.write("c/stamp.star", &script("two"));
    let checked = desk.run(&["check", "--trusted-catalog=c"]);
    assert_eq!(checked.status, Some(1), "{}", checked.out);
    assert!(checked.out.contains("error[KZ193]"), "{}", checked.out);
    assert!(checked.out.contains(&sha256_hex(script("two"))), "{}", checked.out);
    assert!(!checked.out.contains("not trusted"), "{}", checked.out);
}

/// A catalog in a remote base: the advice names the repository, and works.
#[test]
fn catalog_of_a_remote_base_is_named_by_its_repository() {
    if !crate::support::has_starlark() {
        return;
    }
    let origin = Tree::new(&[]);
    for (path, text) in super::app(&["c/catalog.yaml"]) {
        origin.write(&format!("base/{path}"), &text);
    }
    origin.write("base/c/catalog.yaml", &catalog("v1", STAMP));
    origin.write("base/c/stamp.star", &script("one"));
    git(&origin, &["init", "-q", "-b", "main"]);
    commit(&origin, "One");
    let repository = format!("file://{}", origin.root().display());
    let desk = Desk::new(&[]);
    let listed = format!("resources: ['{repository}//base?ref=main']\n");
    desk.tree.write("kustomization.yaml", &listed);
    let refused = desk.run(&["build", "."]).refused();
    let reference = format!("{repository}//base/c/catalog.yaml?ref=main");
    assert!(
        refused.contains(&format!("`kzui trust add {reference}`"))
            || refused.contains(&format!("kzui trust add '{reference}'")),
        "{refused}"
    );
    desk.run(&["trust", "add", &reference, "--yes"]).built();
    assert!(desk.run(&["build", "."]).built().contains("stamp: one mark"));
}

/// A function without a name in a component that lists no catalogs.
#[test]
fn function_without_a_name_in_a_component_is_explained() {
    let desk = desk(&["c/catalog.yaml"], &[("c/catalog.yaml", &catalog("v1", STAMP))]);
    desk.tree.write(
        "kustomization.yaml",
        "resources: [cm.yaml]\ncomponents: [part]\ncatalogs: [c/catalog.yaml]\n",
    );
    desk.tree.write("part/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [stamp.yaml]\n");
    desk.tree.write(
        "part/stamp.yaml",
        "apiVersion: team.example.com/v1\nkind: Stamp\nspec: {value: mark}\n",
    );
    let refused = desk.run(&["build", "."]).refused();
    assert!(refused.contains("under `catalogs` of the component"), "{refused}");
}

/// A signal is named, and a runtime in the tree is not said to be allowed by a catalog.
#[test]
fn signal_is_named_and_help_for_a_runtime_in_the_tree_names_no_catalog() {
    let desk = tree_with_output("kill -9 $$");
    let refused = answer(&desk, &["build", "."]).refused();
    assert!(refused.contains("ended by signal 9"), "{refused}");
    let refused = desk.run(&["build", "."]).refused();
    assert!(refused.contains("= help: use --enable-alpha-plugins\n"), "{refused}");
}

/// An edit while a function is pending is not known to change nothing else.
#[test]
fn edit_of_a_target_with_a_pending_function_is_not_known() {
    let desk = tree_with_output(LIST);
    let set = desk.run(&["set", ".", "ConfigMap/c", "data.a=c"]);
    assert_eq!(set.status, Some(3), "{}{}", set.out, set.err);
    assert!(set.err.contains("pending"), "{}", set.err);
    assert!(!set.out.contains("no other change\n"), "{}", set.out);
}
