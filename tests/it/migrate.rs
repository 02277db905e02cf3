//! `kzui migrate`: the deprecated fields of a repository, verified in every target.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Answer, Tree, kzui_in, line_with, messages, numbers_after, program};

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n  template: {spec: {containers: [{name: a, image: i}]}}\n";
const SCALING_PATCH: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 4}\n";

fn migrate(tree: &Tree, arguments: &[&str]) -> Answer {
    kzui_in(&tree.root(), &[&["migrate"], arguments].concat())
}

/// The numbers in the last line of the output.
fn summary_counts(answer: &Answer) -> Vec<usize> {
    numbers_after(answer.out.lines().last().unwrap_or_default(), "")
}

fn text(tree: &Tree, path: &str) -> String {
    String::from_utf8(tree.read(path)).unwrap()
}

fn migrate_report(tree: &Tree, arguments: &[&str]) -> Value {
    serde_json::from_str(&migrate(tree, &[arguments, &["--json"]].concat()).out).unwrap()
}

#[test]
fn a_repository_is_migrated_with_one_summary_and_written_on_request() {
    let base = "resources: [web.yaml]\n\n# Ours.\ncommonLabels:\n  app: web # it\n";
    let over = "bases:\n- ../base # the base\nimageTags:\n- {name: i, newTag: v2}\npatches:\n- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {paused: true}}'\npatchesStrategicMerge:\n- more.yaml\n#- less.yaml\n";
    let tree = Tree::new(&[
        ("base/kustomization.yaml", base),
        ("base/web.yaml", WEB),
        ("one/kustomization.yaml", over),
        ("one/more.yaml", SCALING_PATCH),
        ("two/kustomization.yaml", "resources: [../base]\n"),
    ]);
    let output = |target: &str| kzui_in(&tree.root(), &["build", target]).built();
    let before = (output("one"), output("two"));
    let shown = migrate(&tree, &[]);
    assert_eq!(shown.status, Some(0), "{}{}", shown.out, shown.err);
    assert_eq!(summary_counts(&shown), [4, 4, 2, 2], "{}", shown.out);
    assert!(shown.out.contains("--- a/base/kustomization.yaml\n"), "{}", shown.out);
    assert_eq!(text(&tree, "base/kustomization.yaml"), base, "nothing is written unasked");

    let written = migrate(&tree, &["--write"]);
    assert_eq!(written.out, shown.out);
    assert!(written.err.contains("written: one/kustomization.yaml\n"), "{}", written.err);
    assert_eq!(
        text(&tree, "base/kustomization.yaml"),
        "resources: [web.yaml]\n\n# Ours.\nlabels:\n- includeSelectors: true\n  pairs:\n    app: web # it\n"
    );
    assert_eq!(
        text(&tree, "one/kustomization.yaml"),
        "resources:\n- ../base # the base\nimages:\n- {name: i, newTag: v2}\npatches:\n- path: more.yaml\n#- path: less.yaml\n- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {paused: true}}'\n"
    );
    assert_eq!((output("one"), output("two")), before);
    let again = migrate(&tree, &["--write"]);
    assert_eq!((again.status, again.out.as_str()), (Some(0), "no deprecated fields\n"));
}

#[test]
fn a_target_without_a_known_output_is_named_and_stops_no_other() {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\ncommonLabels: {app: web}\n"),
        ("base/web.yaml", WEB),
        ("good/kustomization.yaml", "resources: [../base]\n"),
        ("fails/kustomization.yaml", "resources: [../base, missing.yaml]\n"),
        ("far/kustomization.yaml", "resources: [../base, 'https://example.com/far.yaml']\n"),
    ]);
    let shown = migrate(&tree, &[]);
    assert_eq!(summary_counts(&shown), [1, 1, 1, 3, 2], "{}", shown.out);
    for (target, why) in [("fails", "missing.yaml"), ("far", "https://example.com")] {
        let row = line_with(&shown.out, &format!("{target}: "));
        assert!(row.contains(messages::NOT_KNOWN) && row.contains(why), "{}", shown.out);
    }
    assert_eq!(shown.status, Some(0));
    let report = migrate_report(&tree, &[]);
    assert_eq!((&report["identical"], &report["targets"]), (&Value::from(1), &Value::from(3)));
    assert_eq!(report["notKnown"][0]["target"], "fails");
    // `check --fix` leaves fixes that are not confirmed in every target to `--unsafe-fixes`.
    let check = ["check", "--fix", "--select", "KZ001"];
    assert_eq!(kzui_in(&tree.root(), &check).err, "");
    let all = kzui_in(&tree.root(), &[&check[..], &["--unsafe-fixes"]].concat());
    assert_eq!(all.err, "fixed: base/kustomization.yaml\n");
}

#[test]
fn flux_component_is_tried_in_its_target() {
    let tree = Tree::new(&[
        ("apps/web/kustomization.yaml", "resources: [web.yaml]\n"),
        ("apps/web/web.yaml", WEB),
        ("parts/kustomization.yaml", "kind: Component\ncommonLabels: {a: b}\n"),
        (
            "web.yaml",
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web}\nspec: {path: ./apps/web, components: [../../parts], sourceRef: {kind: GitRepository, name: r}}\n",
        ),
    ]);
    let shown = migrate(&tree, &[]);
    assert_eq!(summary_counts(&shown), [1, 1, 1, 1], "{}", shown.out);
}

#[test]
fn migration_changing_an_output_is_refused_with_location() {
    let own = "resources: [web.yaml]\nnamePrefix: a-\nbases: [more]\n# kzui: ignore KZ001 because of old kubectl\ncommonLabels: {a: b}\npatchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: web}\n  patch: '- {op: replace, path: /metadata/name, value: z}'\n";
    let tree = Tree::new(&[
        ("kustomization.yaml", own),
        ("web.yaml", WEB),
        ("more/kustomization.yaml", "commonAnnotations: {a: b}\n"),
    ]);
    let shown = migrate(&tree, &["--write"]);
    assert_eq!(shown.status, Some(1), "{}", shown.err);
    assert!(shown.out.contains("kustomization.yaml:6: patchesJson6902 "), "{}", shown.out);
    let waived = line_with(&shown.out, "kustomization.yaml:5: commonLabels ");
    assert!(waived.ends_with(": of old kubectl"), "{}", shown.out);
    assert!(summary_counts(&shown).starts_with(&[3, 1]), "{}", shown.out);
    let moved = own.replace("bases: [more]\n", "");
    let moved = moved.replace("resources: [web.yaml]", "resources:\n- web.yaml\n- more");
    assert_eq!(text(&tree, "kustomization.yaml"), moved);
    // A patch of a base that is not known runs later than it would in its new form.
    let patch = "patchesJson6902:\n- target: {version: v1, kind: Service, name: far}\n  patch: '- {op: remove, path: /spec}'\n";
    let far = format!("resources: ['https://example.com/far.yaml']\n{patch}");
    let tree = Tree::new(&[("kustomization.yaml", &far)]);
    let shown = migrate(&tree, &[]);
    assert!(shown.out.contains(messages::NO_BUILD_SHOWS), "{}", shown.out);
    assert_eq!(migrate(&Tree::new(&[]), &[]).status, Some(2));
}

#[test]
fn a_write_can_be_reverted_in_the_workbench() {
    let own = "resources: [web.yaml]\ncommonLabels: {a: b}\n";
    let tree = Tree::new(&[("kustomization.yaml", own), ("web.yaml", WEB)]);
    let home = tempfile::tempdir().unwrap();
    let migrated =
        program(home.path()).args(["migrate", "--write"]).current_dir(tree.root()).output();
    assert!(migrated.unwrap().status.success());
    assert!(text(&tree, "kustomization.yaml").contains("labels:\n"));
    let mut command = program(home.path());
    command.args(["--linear", "."]).current_dir(tree.root());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"log\nlog 1\nyes\nwrite\nyes\nquit\n").unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains("migrate 1 "), "{said}");
    assert_eq!(text(&tree, "kustomization.yaml"), own, "{said}");
}

/// Kustomize up to v5.6.0 crashes on an entry of `patches` with a patch after a deletion.
#[test]
fn patches_after_a_deletion_are_not_migrated() {
    let delete = format!("{SCALING_PATCH}$patch: delete\n");
    let other = WEB.replace("web", "api");
    let patch = SCALING_PATCH.replace("web", "api");
    let tree = |patches: &str| {
        Tree::new(&[
            ("web.yaml", WEB),
            ("api.yaml", &other),
            ("p.yaml", patches),
            (
                "kustomization.yaml",
                "resources: [web.yaml, api.yaml]\npatchesStrategicMerge: [p.yaml]\n",
            ),
        ])
    };
    let refused = migrate(&tree(&format!("{delete}---\n{patch}")), &[]);
    assert_eq!(summary_counts(&refused)[..2], [1, 0], "{}{}", refused.out, refused.err);
    assert!(refused.out.contains("p.yaml has further patches"), "{}", refused.out);
    let last = migrate(&tree(&format!("{patch}---\n{delete}")), &[]);
    assert_eq!(summary_counts(&last)[..2], [1, 1], "{}{}", last.out, last.err);
}
