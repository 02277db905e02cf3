//! `kzui check --fix`: its fixes were tried in every target that uses the file, and its writes keep
//! the rest of the file.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Answer, Tree, Workbench, kzui_in, line_with, messages, program};

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n  template: {spec: {containers: [{name: a, image: i}]}}\n";

fn check(tree: &Tree, arguments: &[&str]) -> Answer {
    kzui_in(&tree.root(), &[&["check"], arguments].concat())
}

fn output(tree: &Tree, target: &str) -> String {
    kzui_in(&tree.root(), &["build", target]).built()
}

/// Code and title of each fix.
fn offered_fixes(tree: &Tree, arguments: &[&str]) -> Vec<(String, String)> {
    let answer = check(tree, &[arguments, &["--format", "json", "--notes"]].concat());
    let report: Value = serde_json::from_str(&answer.out).expect("it is JSON");
    let word = |value: &Value| value.as_str().map(str::to_owned);
    let found = report["findings"].as_array().unwrap().iter();
    found.filter_map(|it| Some((word(&it["code"])?, word(&it["fix"])?))).collect()
}

fn text(tree: &Tree, path: &str) -> String {
    String::from_utf8(tree.read(path)).unwrap()
}

#[test]
fn deprecated_fields_are_written_anew_and_every_target_builds_the_same() {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", WEB),
        (
            "over/kustomization.yaml",
            "# Ours.\nbases:\n- ../base # the base\n\ncommonLabels:\n  app: web # it\npatchesStrategicMerge:\n- more.yaml\n- |-\n  apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: web}\n  spec: {paused: true}\npatchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: web}\n  path: add.yaml\n",
        ),
        (
            "over/more.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 4}\n",
        ),
        ("over/add.yaml", "- {op: add, path: /spec/minReadySeconds, value: 5}\n"),
        ("top/kustomization.yaml", "resources: [../over]\nnamePrefix: top-\n"),
    ]);
    let before = (output(&tree, "over"), output(&tree, "top"));
    let words = offered_fixes(&tree, &[]);
    assert_eq!(words.len(), 4, "{words:?}");
    for (code, words) in &words {
        assert_eq!(code, "KZ001");
        assert!(words.contains(&format!("({} 1 ", messages::VERIFIED_IN)), "{words}");
        assert!(words.contains(messages::OUTPUT_STAYS_SAME), "{words}");
        assert!(words.ends_with(messages::KZUI_CHECK_FIX_WRITES_IT), "{words}");
    }
    let fixed = check(&tree, &["--fix"]);
    assert_eq!(fixed.status, Some(0), "{}{}", fixed.out, fixed.err);
    assert_eq!(
        text(&tree, "over/kustomization.yaml"),
        "# Ours.\nresources:\n- ../base # the base\n\nlabels:\n- includeSelectors: true\n  pairs:\n    app: web # it\npatches:\n- path: more.yaml\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web}\n    spec: {paused: true}\n- target: {group: apps, version: v1, kind: Deployment, name: web}\n  path: add.yaml\n"
    );
    assert_eq!((output(&tree, "over"), output(&tree, "top")), before);
    let after = check(&tree, &["--fail-on", "warning"]);
    assert_eq!(after.status, Some(0), "{}", after.out);
}

#[test]
fn a_migration_that_would_change_a_target_is_not_offered() {
    // The patch works after the prefix, and `patches` works before it.
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources: [web.yaml]\nnamePrefix: a-\npatchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: web}\n  patch: '- {op: replace, path: /metadata/name, value: z}'\n",
        ),
        ("web.yaml", WEB),
    ]);
    assert_eq!(offered_fixes(&tree, &[]), []);
    let fixed = check(&tree, &["--fix", "--fail-on", "never"]);
    assert_eq!(fixed.err, "");
}

#[test]
fn shared_file_is_fixed_only_with_all_targets_checked() {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\ncommonLabels: {a: b}\n"),
        ("base/web.yaml", WEB),
        ("one/kustomization.yaml", "resources: [../base]\n"),
        ("two/kustomization.yaml", "resources: [../base]\n"),
    ]);
    assert_eq!(offered_fixes(&tree, &["one", "base"]), []);
    let all = offered_fixes(&tree, &[]);
    assert_eq!(all.len(), 1, "{all:?}");
    // The base is built in both targets, and is not a target itself.
    assert!(all[0].1.contains(&format!("{} 2 ", messages::VERIFIED_IN)), "{all:?}");
    // A base that an object deploys is a target of that object.
    tree.write(
        "apps/app.yaml",
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: {source: {path: base, repoURL: 'https://example.com/r'}}\n",
    );
    assert_eq!(offered_fixes(&tree, &["one", "two"]), []);
    let all = offered_fixes(&tree, &[]);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].1.contains(&format!("{} 3 ", messages::VERIFIED_IN)), "{all:?}");
}

#[test]
fn missing_name_reference_is_added_in_a_new_file() {
    let own = |name: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Own\nmetadata: {{name: {name}}}\nspec: {{configMapRef: {{name: settings}}, other: {{secretName: key}}}}\n"
        )
    };
    let tree = Tree::new(&[
        (
            "base/kustomization.yaml",
            "resources: [own.yaml]\nconfigMapGenerator:\n- {name: settings, literals: [a=b]}\nsecretGenerator:\n- {name: key, literals: [a=b]}\n",
        ),
        ("base/own.yaml", &own("o")),
        ("over/kustomization.yaml", "resources: [../base]\nnamePrefix: x-\n"),
    ]);
    assert!(output(&tree, "over").contains("name: settings\n"));
    let words = offered_fixes(&tree, &[]);
    assert!(words.iter().all(|(code, _)| code == "KZ210"), "{words:?}");
    assert!(words.len() >= 2, "{words:?}");
    let fixed = check(&tree, &["--fix", "--unsafe-fixes"]);
    assert!(fixed.err.contains("fixed: base/kustomization.yaml\n"), "{}", fixed.err);
    assert!(fixed.err.contains("fixed: base/name-references.yaml\n"), "{}", fixed.err);
    assert!(
        text(&tree, "base/kustomization.yaml")
            .ends_with("configurations:\n- name-references.yaml\n")
    );
    let over = output(&tree, "over");
    assert!(over.contains("name: x-settings-") && over.contains("secretName: x-key-"), "{over}");
    assert_eq!(offered_fixes(&tree, &[]), []);
}

/// A patch that selects a label moves below the patch that adds the label.
#[test]
fn an_entry_that_stands_too_early_moves_below_what_makes_its_target() {
    let early = "- target: {labelSelector: tier=web}\n  patch: '- {op: replace, path: /spec/replicas, value: 7}' # who\n";
    let late = "- target: {kind: Deployment}\n  patch: |-\n    - {op: add, path: /metadata/labels, value: {tier: web}}\n";
    let tree = Tree::new(&[
        ("kustomization.yaml", &format!("resources: [web.yaml]\npatches:\n{early}{late}")),
        ("web.yaml", WEB),
    ]);
    let words = offered_fixes(&tree, &[]);
    assert_eq!(words.len(), 1, "{words:?}");
    assert!(
        words[0].1.starts_with(&format!(
            "{} 2 ({} 1 ",
            messages::MOVE_THIS_ENTRY_BELOW_ENTRY,
            messages::VERIFIED_IN
        )),
        "{words:?}"
    );
    check(&tree, &["--fix", "--unsafe-fixes"]);
    assert!(text(&tree, "kustomization.yaml").ends_with(&format!("patches:\n{late}{early}")));
    assert!(output(&tree, ".").contains("replicas: 7"));
}

/// Two entries that may mean the same name: the fix of one does not remove the other.
#[test]
fn a_fix_that_hides_the_effect_of_another_removes_nothing() {
    let entry = |name: &str, count: u8| {
        format!(
            "- target: {{kind: Deployment, name: {name}}}\n  patch: '- {{op: add, path: /spec/replicas, value: {count}}}'\n"
        )
    };
    let (first, second) = (entry("catalog1", 3), entry("catalog2", 2));
    let tree = Tree::new(&[
        ("kustomization.yaml", &format!("resources: [web.yaml]\npatches:\n{first}{second}")),
        ("web.yaml", &WEB.replace("name: web}", "name: catalog}")),
    ]);
    assert!(offered_fixes(&tree, &[]).iter().all(|(code, _)| code == "KZ101"));
    check(&tree, &["--fix", "--unsafe-fixes"]);
    let fixed = text(&tree, "kustomization.yaml");
    assert!(fixed.ends_with(&format!("{first}{}", entry("catalog", 2))), "{fixed}");
}

/// The Problems screen shows the fix of a problem, `f` drafts the fix, and `z` undoes it.
#[test]
fn a_fix_is_shown_with_its_problem_and_f_does_it_in_the_draft() {
    let patch = "resources: [web.yaml]\npatches:\n- target: {kind: Deployment, name: wbe} # who\n  patch: '- {op: replace, path: /spec/replicas, value: 7}'\n";
    let files = [("kustomization.yaml", patch), ("web.yaml", WEB)];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("gp");
    let shown = bench.text();
    assert!(shown.contains("KZ101") && shown.contains("f: write name: web ("), "{shown}");
    assert!(shown.contains("+- target: {kind: Deployment, name: web} # who"), "{shown}");
    bench.keys("f");
    let drafted = bench.text();
    assert!(drafted.contains("●1") && drafted.contains(messages::Z_UNDOES), "{drafted}");
    assert!(!drafted.contains("KZ101"), "{drafted}");
    bench.keys("f");
    assert!(bench.text().contains(messages::NO_AUTOMATIC_FIX), "{}", bench.text());
    bench.keys("z");
    assert!(bench.text().contains("KZ101") && !bench.text().contains("●1"), "{}", bench.text());
    // A fix that is not verified is not offered.
    let nobody = patch.replace("wbe", "quite-another-thing");
    let mut bench =
        Workbench::of_files(&[("kustomization.yaml", &nobody), ("web.yaml", WEB)], "", (120, 36));
    bench.keys("gp");
    assert!(bench.text().contains("KZ101") && !bench.text().contains("f: "), "{}", bench.text());
}

/// `fix NUMBER` in the line mode drafts the fix of the problem with this number.
#[test]
fn the_linear_mode_does_a_fix_by_the_number_of_its_problem() {
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [web.yaml]\ncommonLabels: {a: b}\n"),
        ("web.yaml", WEB),
    ]);
    let answer = run_line_mode(&tree, "problems\nfix 1\nundo\nfix 9\nquit!\n");
    let offer = line_with(&answer, "Fix: ");
    assert!(offer.contains("commonLabels"), "{answer}");
    assert!(offer.contains(&format!("{} 1 ", messages::VERIFIED_IN)), "{answer}");
    assert!(offer.contains(messages::OUTPUT_STAYS_SAME), "{answer}");
    for line in [
        "-commonLabels: {a: b}\n+labels:\n+- includeSelectors: true\n+  pairs: {a: b}\n",
        &format!("{} 0 ", messages::COMPARED_WITH_FILES),
        "Usage: fix NUMBER",
    ] {
        assert!(answer.contains(line), "{line}\nin\n{answer}");
    }
    assert_eq!(text(&tree, "kustomization.yaml"), "resources: [web.yaml]\ncommonLabels: {a: b}\n");
}

#[test]
fn the_linear_mode_moves_entries_switches_components_and_watches_a_field() {
    let component = |count: u32| {
        format!(
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nreplicas:\n- {{name: web, count: {count}}}\n"
        )
    };
    let text_of = "resources: [web.yaml]\ncomponents:\n- c/three\n- c/five\n";
    let tree = Tree::new(&[
        ("kustomization.yaml", text_of),
        ("web.yaml", WEB),
        ("c/three/kustomization.yaml", &component(3)),
        ("c/five/kustomization.yaml", &component(5)),
    ]);
    let rows = run_line_mode(&tree, "tree\ncomponents\n");
    let row = rows.lines().find(|line| line.contains("c/three")).unwrap();
    let row = row.trim_start_matches("> ").split('.').next().unwrap();
    assert!(
        rows.contains("1. c/three. On in ")
            && rows.contains("Changed") | rows.contains("changed 1"),
        "{rows}"
    );
    let talk = format!(
        "move {row} 1\nwatch Deployment/web spec.replicas\ndiscard\ncomponent 2\nundo\nmove {row} 0\ncomponent 99999\nwatch Deployment/web spec.nothing\nquit!\n"
    );
    let said = run_line_mode(&tree, &talk);
    for line in [
        "Before: absent. After: 1, at ",
        "Before: 1. After: 5, at ",
        "Before: 5. After: 3, at ",
        &format!("{} 1 ", messages::COMPARED_WITH_FILES),
        &format!("Deployment web {}.\n", messages::CHANGED),
        "Usage: move ROW COUNT",
        "Usage: component NUMBER",
        &format!("{} spec.nothing of Deployment/web.\n", messages::NO_STEP_WRITES),
    ] {
        assert!(said.contains(line), "{line}\nin\n{said}");
    }
    assert_eq!(text(&tree, "kustomization.yaml"), text_of);
}

/// The answers in the line mode to these lines.
fn run_line_mode(tree: &Tree, lines: &str) -> String {
    let home = tempfile::tempdir().unwrap();
    let mut command = program(home.path());
    command.args(["--linear", "."]).current_dir(tree.root());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let ended = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

const USES_VARS: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\nspec:\n  template:\n    spec:\n      containers:\n      - name: main\n        image: app:1\n        command: [run, \"--host=$(HOST)\"]\n        args: [\"$(HOST).$(SPACE).svc\", \"--port=$(PORT)\"]\n        env:\n        - {name: HOST_OF, value: $(HOST)}\n";
const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec:\n  ports:\n  - {port: 8080}\n";
const VARS: &str = "vars:\n- name: HOST\n  objref: {apiVersion: v1, kind: Service, name: web}\n- name: SPACE\n  objref:\n    apiVersion: v1\n    kind: Service\n    name: web\n  fieldref:\n    fieldpath: metadata.namespace\n- name: PORT\n  objref: {apiVersion: v1, kind: Service, name: web}\n  fieldref: {fieldpath: 'spec.ports[0].port'}\n- name: IDLE\n  objref: {apiVersion: v1, kind: Service, name: web}\n";

#[test]
fn vars_become_replacements_and_every_target_builds_the_same() {
    let own = format!("namePrefix: my-\nresources:\n- app.yaml\n- web.yaml\n{VARS}");
    let tree = Tree::new(&[
        ("base/kustomization.yaml", &own),
        ("base/app.yaml", USES_VARS),
        ("base/web.yaml", SERVICE),
        ("prod/kustomization.yaml", "resources: [../base]\nlabels: [{pairs: {a: b}}]\n"),
    ]);
    let before = (output(&tree, "base"), output(&tree, "prod"));
    assert!(
        before.0.contains("--host=my-web") && before.0.contains("my-web.shop.svc"),
        "{}",
        before.0
    );
    let words = offered_fixes(&tree, &[]);
    let is_offered = |(code, words): &(String, String)| {
        code == "KZ001"
            && words.contains(" vars ")
            && words.contains(messages::OUTPUT_STAYS_SAME)
            && words.ends_with(messages::KZUI_CHECK_FIX_WRITES_IT)
    };
    assert!(words.iter().any(is_offered), "{words:?}");
    check(&tree, &["--fix"]);
    let text = text(&tree, "base/kustomization.yaml");
    assert!(!text.contains("vars:") && text.contains("replacements:\n- source:\n"), "{text}");
    assert!(text.starts_with("namePrefix: my-\nresources:\n- app.yaml\n"), "{text}");
    assert_eq!((output(&tree, "base"), output(&tree, "prod")), before);
    assert_eq!(check(&tree, &["--fail-on", "warning"]).status, Some(0));
}

#[test]
fn vars_that_cannot_be_the_same_are_refused_with_the_reason() {
    // A variable in the middle of a text has no delimiter.
    let deployment = USES_VARS.replace("--host=$(HOST)", "http://$(HOST):80");
    let tree = Tree::new(&[
        ("kustomization.yaml", &format!("resources:\n- app.yaml\n- web.yaml\n{VARS}")),
        ("app.yaml", &deployment),
        ("web.yaml", SERVICE),
    ]);
    assert_eq!(offered_fixes(&tree, &[]), []);
    let told = check(&tree, &["--notes"]);
    let reason = line_with(&told.out, messages::NO_DELIMITER_SEPARATES_IT);
    for part in ["$(HOST) ", "\"http://$(HOST):80\"", "Deployment/app"] {
        assert!(reason.contains(part), "{part}: {}", told.out);
    }
    // The prefix of a later step affects the var, but not the replacement.
    let tree = Tree::new(&[
        ("base/kustomization.yaml", &format!("resources:\n- app.yaml\n- web.yaml\n{VARS}")),
        ("base/app.yaml", USES_VARS),
        ("base/web.yaml", SERVICE),
        ("prod/kustomization.yaml", "resources: [../base]\nnamePrefix: prod-\n"),
    ]);
    assert_eq!(offered_fixes(&tree, &[]), []);
    let told = check(&tree, &["--notes"]);
    let reason = line_with(&told.out, messages::OUTPUT_WOULD_CHANGE);
    for part in ["`- web.shop.svc`", "`- prod-web.shop.svc`", " prod)"] {
        assert!(reason.contains(part), "{part}: {}", told.out);
    }
}

/// A custom resource with a list of named parts.
const CUSTOM: &str = "apiVersion: example.com/v1\nkind: Own\nmetadata: {name: o}\nspec:\n  parts:\n  - {name: one, size: 1}\n  - {name: two, size: 2}\n";

/// The fix for a list without a merge key in a custom type is a schema with that key.
#[test]
fn the_merge_key_of_a_custom_list_is_given_as_a_schema() {
    let patch = "apiVersion: example.com/v1\nkind: Own\nmetadata: {name: o}\nspec:\n  parts:\n  - {name: two, size: 9}\n";
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [own.yaml]\n"),
        ("base/own.yaml", CUSTOM),
        ("prod/kustomization.yaml", "resources: [../base]\npatches:\n- path: p.yaml\n"),
        ("prod/p.yaml", patch),
    ]);
    assert!(!output(&tree, "prod").contains("name: one"));
    let words = offered_fixes(&tree, &[]);
    let fix = words.iter().find(|(code, _)| code == "KZ202").unwrap_or_else(|| panic!("{words:?}"));
    assert!(
        fix.1.starts_with(&format!("{} openapi.yaml", messages::DEFINE_MERGE_KEY)),
        "{words:?}"
    );
    check(&tree, &["--fix", "--unsafe-fixes"]);
    let made = output(&tree, "prod");
    assert!(
        made.contains("name: one") && made.contains("size: 9") && !made.contains("size: 2"),
        "{made}"
    );
    assert!(text(&tree, "prod/kustomization.yaml").ends_with("openapi:\n  path: openapi.yaml\n"));
    assert_eq!(offered_fixes(&tree, &[]), []);
}

/// A custom schema would remove the merge keys of built-in types, on which another patch depends.
#[test]
fn a_schema_that_would_cost_a_built_in_list_its_key_is_not_offered() {
    let patch = "apiVersion: example.com/v1\nkind: Own\nmetadata: {name: o}\nspec:\n  parts:\n  - {name: two, size: 9}\n";
    let deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n      - {name: a, image: a:1}\n      - {name: b, image: b:1}\n";
    let small = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n      - {name: b, image: b:2}\n";
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources: [own.yaml, web.yaml]\npatches:\n- path: p.yaml\n- path: small.yaml\n",
        ),
        ("own.yaml", CUSTOM),
        ("web.yaml", deployment),
        ("p.yaml", patch),
        ("small.yaml", small),
    ]);
    let words = offered_fixes(&tree, &[]);
    assert!(words.iter().all(|(code, _)| code != "KZ202"), "{words:?}");
}

/// Every format of the report contains the reason why no fix exists.
#[test]
fn every_report_format_has_the_no_fix_reason() {
    let deployment = USES_VARS.replace("--host=$(HOST)", "http://$(HOST):80");
    let tree = Tree::new(&[
        ("kustomization.yaml", &format!("resources:\n- app.yaml\n- web.yaml\n{VARS}")),
        ("app.yaml", &deployment),
        ("web.yaml", SERVICE),
    ]);
    let reason = "no delimiter separates it";
    // In JUnit a note is a passed test case, without text.
    for format in ["text", "json", "sarif", "github", "markdown"] {
        let told = check(&tree, &["--notes", "--format", format]);
        let lines: Vec<&str> = told.out.lines().filter(|line| line.contains(reason)).collect();
        assert!(!lines.is_empty(), "{format}: {}", told.out);
    }
    let report: serde_json::Value =
        serde_json::from_str(&check(&tree, &["--notes", "--format", "json"]).out).unwrap();
    let found = &report["findings"][0];
    assert!(found["fix"].is_null() && found["noFix"].as_str().unwrap().contains(reason), "{found}");
}

#[test]
fn no_fix_reason_is_that_targets_are_unchecked() {
    let tree = Tree::new(&[
        (
            "base/kustomization.yaml",
            "resources: [web.yaml]\nimages: [{name: nope, newTag: \"1\"}, {name: nginx, newTag: \"2\"}]\n",
        ),
        (
            "base/web.yaml",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: nginx}]}\n",
        ),
        ("prod/kustomization.yaml", "resources: [../base]\n"),
    ]);
    let told = check(&tree, &["base", "--notes"]);
    let reason = "no fix: the file is also used by targets that are not checked";
    assert!(told.out.contains(reason), "{}", told.out);
    let fixed = check(&tree, &["--fix", "--unsafe-fixes"]);
    assert_eq!(fixed.err, "fixed: base/kustomization.yaml\n", "{}", fixed.out);
    let left = "resources: [web.yaml]\nimages: [{name: nginx, newTag: \"2\"}]\n";
    assert_eq!(text(&tree, "base/kustomization.yaml"), left);
}

/// The command runs in an empty folder: all targets of the repository at the given path are
/// checked.
#[test]
fn fix_from_another_folder_checks_the_given_repository() {
    let files = [
        (
            "tree/base/kustomization.yaml",
            "resources: [web.yaml]\nimages:\n- name: nope\n  newTag: \"1\"\n",
        ),
        (
            "tree/base/web.yaml",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: nginx}]}\n",
        ),
        ("tree/prod/kustomization.yaml", "resources: [../base]\n"),
        ("empty/x.txt", ""),
    ];
    let tree = Tree::new(&files);
    let path = tree.path("tree").display().to_string();
    let told = kzui_in(&tree.path("empty"), &["check", &path, "--fix", "--unsafe-fixes"]);
    assert_eq!(told.err, "fixed: ../tree/base/kustomization.yaml\n", "{}", told.out);
    assert_eq!(text(&tree, "tree/base/kustomization.yaml"), "resources: [web.yaml]\n");
}

/// Two objects could be the target: the problem has no fix.
#[test]
fn ambiguous_type_is_reported_without_a_fix() {
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources: [app.yaml]\npatches:\n- target: {group: template.openshift.io, kind: Template, name: purge-job}\n  patch: '- {op: add, path: /metadata/namespace, value: infra}'\n",
        ),
        (
            "app.yaml",
            "apiVersion: image.openshift.io/v1\nkind: ImageStream\nmetadata: {name: purge-job}\n---\napiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: purge}\n",
        ),
    ]);
    let told = check(&tree, &[]);
    assert!(told.out.contains("error[KZ101]") && !told.out.contains("--fix"), "{}", told.out);
    assert!(told.out.contains("ImageStream"), "{}", told.out);
    assert_eq!(offered_fixes(&tree, &[]), []);
}

/// Users may deploy a base too: its output is kept although the only target that lists it overrides
/// the difference.
#[test]
fn migration_keeps_the_output_of_a_base() {
    let role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: r}\n";
    let patch = "- target: {group: rbac.authorization.k8s.io, version: v1, kind: RoleBinding, name: r}\n  patch: '[{\"op\": \"replace\", \"path\": \"/metadata/namespace\", \"value\": \"kube-system\"}]'\n";
    let base = format!("namespace: m\nresources: [c.yaml]\npatchesJson6902:\n{patch}");
    let tree = Tree::new(&[
        ("a/c.yaml", role),
        ("a/kustomization.yaml", &base),
        ("b/kustomization.yaml", "namespace: m\nresources: [../a]\n"),
    ]);
    for command in [&["migrate", "--write"][..], &["check", "--fix"]] {
        kzui_in(&tree.root(), command);
        assert_eq!(tree.read("a/kustomization.yaml"), base.as_bytes(), "{command:?}");
    }
}

/// The only `ConfigMap` has the name of the selector without its ending, and a base has renamed an
/// image: both names are tried before a removal is proposed.
#[test]
fn name_that_is_meant_is_proposed_before_a_removal() {
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\ndata: {a: x}\n";
    let tree = Tree::new(&[
        (
            "base/kustomization.yaml",
            "resources: [web.yaml, map.yaml]\nimages: [{name: i, newName: example.com/shop/operator, newTag: v1}]\n",
        ),
        ("base/web.yaml", WEB),
        ("base/map.yaml", map),
        (
            "over/kustomization.yaml",
            "resources: [../base]\nimages: [{name: i, newTag: v2}]\npatches:\n- target: {kind: ConfigMap, name: config.yaml}\n  patch: '- {op: add, path: /data/b, value: z}'\n",
        ),
    ]);
    let words = offered_fixes(&tree, &[]);
    let titles: Vec<&str> =
        words.iter().filter_map(|(_, words)| words.split_once(" (").map(|it| it.0)).collect();
    assert_eq!(titles, ["write name: example.com/shop/operator", "write name: config"]);
    check(&tree, &["--fix", "--unsafe-fixes"]);
    let output = output(&tree, "over");
    assert!(output.contains("b: z") && output.contains("operator:v2"), "{output}");
}

/// The content of an entry without a match is nowhere else: it is removed only on request.
#[test]
fn entry_without_a_match_is_removed_only_on_request() {
    let entry = "patches:\n- target: {kind: Deployment, name: gone}\n  patch: '- {op: add, path: /spec/paused, value: true}'\n";
    let text_with = |entry: &str| format!("resources: [web.yaml]\n{entry}");
    let tree = Tree::new(&[("kustomization.yaml", &text_with(entry)), ("web.yaml", WEB)]);
    let words = offered_fixes(&tree, &[]);
    assert!(words[0].1.contains("--unsafe-fixes"), "{words:?}");
    check(&tree, &["--fix"]);
    assert_eq!(text(&tree, "kustomization.yaml"), text_with(entry));
    check(&tree, &["--fix", "--unsafe-fixes"]);
    assert_eq!(text(&tree, "kustomization.yaml"), text_with(""));
}

/// The folder may have files that nobody meant to deploy, such as examples.
#[test]
fn a_new_kustomization_file_is_written_only_on_request() {
    let tree = Tree::new(&[
        ("base/web.yaml", WEB),
        ("over/kustomization.yaml", "resources: [../base]\nnamePrefix: a-\n"),
    ]);
    let file = tree.path("base/kustomization.yaml");
    check(&tree, &["--fix"]);
    assert!(!file.exists());
    check(&tree, &["--fix", "--unsafe-fixes"]);
    assert!(file.exists());
}

/// The patch of a `ClusterRole` would write its rules into the other resource of the name.
#[test]
fn a_kind_of_another_sort_is_not_proposed() {
    let role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: web}\nrules: []\n";
    let list = "resources: [web.yaml]\npatches: [{path: p.yaml, target: {kind: ClusterRole, name: web}}]\n";
    let tree = Tree::new(&[("kustomization.yaml", list), ("web.yaml", WEB), ("p.yaml", role)]);
    let words = offered_fixes(&tree, &[]);
    assert!(words.iter().all(|(_, words)| !words.contains("kind")), "{words:?}");
}

/// Findings that are one row for people: its help has the number of fixes too.
#[test]
fn row_of_several_findings_has_the_number_of_unsafe_fixes() {
    let own = |name: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Own\nmetadata: {{name: {name}}}\nspec: {{configMapRef: {{name: settings}}}}\n"
        )
    };
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources: [one.yaml, two.yaml]\nconfigMapGenerator:\n- {name: settings, literals: [a=b]}\n",
        ),
        ("one.yaml", &own("one")),
        ("two.yaml", &own("two")),
    ]);
    let told = check(&tree, &[]).out;
    assert_eq!(told.matches("KZ210").count(), 1, "{told}");
    assert!(told.contains("--unsafe-fixes` writes 1 correction"), "{told}");
    check(&tree, &["--fix", "--unsafe-fixes"]);
    assert!(!check(&tree, &[]).out.contains("KZ210"));
}
