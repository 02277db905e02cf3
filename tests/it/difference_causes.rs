//! The edit that `kzui diff` names for a difference, in files with much text in common.

use serde_json::Value;

use crate::compare::{commit, git};
use crate::support::{Tree, kzui_in};

/// A tree with one custom resource.
fn tree(spec: &str) -> Tree {
    let tree = Tree::new(&[("kustomization.yaml", "resources: [a.yaml]\n")]);
    write(&tree, spec);
    git(&tree, &["init", "-q", "-b", "main"]);
    commit(&tree, "First");
    tree
}

fn write(tree: &Tree, spec: &str) {
    let head = "apiVersion: example.com/v1\nkind: A\nmetadata:\n  name: a\nspec:\n";
    let lines: Vec<String> = spec.lines().map(|line| format!("  {line}\n")).collect();
    tree.write("a.yaml", &format!("{head}{}", lines.concat()));
}

/// The differences between the first commit and the current files, each as `PATH CHANGE: LINES`,
/// with the start lines of the edits, and `?` if none was tried.
fn differences_with_edits(tree: &Tree, most: usize) -> Vec<String> {
    let most = most.to_string();
    let call = ["diff", "HEAD", "--format", "json", "--most-trials", &most];
    let answer = kzui_in(&tree.root(), &call);
    assert_eq!(answer.status, Some(1), "{}", answer.err);
    let report: Value = serde_json::from_str(&answer.out).unwrap();
    let fields = report["targets"][0]["resources"][0]["fields"].as_array().unwrap();
    let told = |field: &Value| {
        let line = |edit: &Value| {
            let at = usize::try_from(edit.as_u64().unwrap()).unwrap();
            report["edits"][at]["line"].as_u64().unwrap().to_string()
        };
        let lines: Vec<String> = field["edits"].as_array().unwrap().iter().map(line).collect();
        let sign = if field["tried"] == true { "" } else { "?" };
        let (path, change) = (field["path"].as_str().unwrap(), field["change"].as_str().unwrap());
        format!("{path} {change}: {}{sign}", lines.join(" "))
    };
    fields.iter().map(told).collect()
}

#[test]
fn removed_field_is_found_although_its_first_line_remains() {
    let tree = tree("old:\n  say: |-\n    some\n    text\n  type: object\nlast: 1\n");
    write(&tree, "new:\n  say: |-\n    other\n    text\n  type: array\nlast: 1\n");
    // The old field returns with its values; the new one is removed with its key.
    assert_eq!(
        differences_with_edits(&tree, 40),
        ["spec.old removed: 6 8 10", "spec.new added: 6"]
    );
}

#[test]
fn each_entry_of_a_mapping_is_an_edit() {
    let tree = tree("x: 1\n");
    let annotate = |entries: &str| {
        let file = format!("resources: [a.yaml]\ncommonAnnotations:\n{entries}");
        tree.write("kustomization.yaml", &file);
    };
    annotate("  team: a\n  tier: b\n  zone: c\n");
    commit(&tree, "Annotations");
    annotate("  team: d\n  tier: b\n  zone: e\n");
    assert_eq!(
        differences_with_edits(&tree, 40),
        ["metadata.annotations.team changed: 3", "metadata.annotations.zone changed: 5"]
    );
}

#[test]
fn a_line_within_a_long_text_is_its_edit() {
    let text =
        |line: &str| format!("say: |-\n  one\n  {line}\n  three\nfolded: >-\n  a\n  {line}\n");
    let tree = tree(&text("two"));
    write(&tree, &text("2"));
    // Without trials, only the location counts.
    assert_eq!(
        differences_with_edits(&tree, 0),
        ["spec.say changed: 8?", "spec.folded changed: 12?"]
    );
    assert_eq!(
        differences_with_edits(&tree, 40),
        ["spec.say changed: 8", "spec.folded changed: 12"]
    );
}

#[test]
fn elements_without_names_are_paired_by_what_they_have_in_common() {
    let tree = tree("rules:\n- say: one\n  rule: a\n- say: two\n  rule: b\n");
    write(&tree, "rules:\n- say: two\n  rule: c\n");
    let gone = "spec.rules[0] removed: 7";
    assert_eq!(differences_with_edits(&tree, 40), ["spec.rules[0].rule changed: 8", gone]);
    write(
        &tree,
        "rules:\n- say: zero\n  rule: z\n- say: one\n  rule: a\n- say: three\n  rule: d\n- say: two\n  rule: b\n",
    );
    let told = differences_with_edits(&tree, 40);
    assert_eq!(told, ["spec.rules[0] added: 7", "spec.rules[2] added: 11"]);
}

#[test]
fn few_trials_are_enough_among_many_edits() {
    let spec = |kind: &str| -> String {
        let field =
            |n: usize| format!("f{n}:\n  say: |-\n    one\n    {kind} {n}\n    three\n  v: {n}\n");
        (0..60).map(field).collect()
    };
    let tree = tree(&spec("old"));
    write(&tree, &spec("new"));
    let told = differences_with_edits(&tree, 60);
    assert_eq!(told.len(), 60);
    let is_tried = |told: &&String| !told.ends_with('?');
    assert_eq!(told.iter().filter(is_tried).count(), 60, "{told:#?}");
}

/// Keys of an element that were swapped with others need several edits each, and many trials.
#[test]
fn expensive_edits_leave_trials_for_others() {
    let spec = |kind: &str, few: &dyn Fn(usize) -> String| -> String {
        let field = |n: usize| format!("f{n}:\n  say: {kind} {n}\n  v: {n}\n");
        let easy: String = (0..40).map(field).collect();
        let hard: String = (0..6).map(few).collect();
        format!("a0:\n- x: 1\n{hard}{easy}")
    };
    let tree = tree(&spec("old", &|n| format!("  k{n}: {n}\n  y{n}: {n}\n")));
    write(&tree, &spec("new", &|n| format!("  y{n}: {n}\n  k{n}: {n}1\n")));
    let told = differences_with_edits(&tree, 90);
    let is_easy = |told: &&String| told.contains("say changed: ") && !told.ends_with('?');
    assert_eq!(told.iter().filter(is_easy).count(), 40, "{told:#?}");
}

/// Two new elements before an element with the same first line: a comparison of lines finds them
/// one line lower, where taking back the lines of one element puts its rest into the next.
#[test]
fn new_elements_of_a_list_have_their_own_edits() {
    let rule = |group: &str, kind: &str| {
        format!("- groups:\n  - {group}\n  kinds:\n  - {kind}\n  verbs:\n  - create\n")
    };
    let all = |rules: &[String]| format!("rules:\n{}", rules.concat());
    let (first, last) = (rule("core", "pods"), rule("leases", "leases"));
    let tree = tree(&all(&[first.clone(), last.clone()]));
    let (one, other) = (rule("reviews", "tokens"), rule("access", "subjects"));
    write(&tree, &all(&[first, one, other, last]));
    assert_eq!(
        differences_with_edits(&tree, 400),
        ["spec.rules[1] added: 13", "spec.rules[2] added: 19"]
    );
}

/// Elements of a list or mapping on one line are separate edits, each with its column.
#[test]
fn elements_on_one_line_have_their_own_edits() {
    let tree = tree("args: [--a=1, --b=1, --c=1]\nlabels: {a: x, b: y}\n");
    write(&tree, "args: [--a=2, --b=1, --c=2]\nlabels: {a: x, b: z}\n");
    let text = kzui_in(&tree.root(), &["diff", "HEAD"]).out;
    for cause in ["--a=1 → --a=2", "--c=1 → --c=2", "b: y → z"] {
        let line =
            text.lines().find(|line| line.contains(cause)).unwrap_or_else(|| panic!("{text}"));
        assert!(!line.contains('['), "{text}");
    }
    let report = kzui_in(&tree.root(), &["diff", "HEAD", "--format", "json"]).out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let edits = report["edits"].as_array().unwrap();
    let columns: Vec<u64> = edits.iter().map(|it| it["column"].as_u64().unwrap()).collect();
    assert_eq!(columns, [10, 24, 18]);
    let fields = report["targets"][0]["resources"][0]["fields"].as_array().unwrap();
    for field in fields {
        assert_eq!(field["edits"].as_array().unwrap().len(), 1, "{field}");
        assert_eq!(field["tried"], true, "{field}");
    }
}

/// With one of the two edits of a moved element reverted, the list has the element twice or not at
/// all: no proof that the edit alone is the cause.
#[test]
fn moved_and_changed_element_has_both_edits() {
    let tree = tree("jobs:\n- name: launcher\n  image: a\n- name: node\n  image: b\n");
    write(
        &tree,
        "jobs:\n- name: node\n  image: b\n- name: launcher\n  image: a\n  dependsOn: node\n",
    );
    let found = differences_with_edits(&tree, 40);
    assert!(found.contains(&"spec.jobs[launcher].dependsOn added: 7 9".to_owned()), "{found:?}");
}

#[test]
fn moved_documents_are_compared_by_their_objects() {
    let document = |name: &str, value: &str| {
        let lines: Vec<String> = (0..20).map(|n| format!("  l{n}: {value}\n")).collect();
        format!(
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata:\n  v: {value}\n{}",
            lines.concat()
        )
    };
    let tree = tree("a: 1\n");
    let text = |names: &[&str], value: &str| -> String {
        names.iter().map(|name| document(name, if *name == "c" { value } else { name })).collect()
    };
    tree.write("a.yaml", &text(&["a", "b", "c"], "old"));
    commit(&tree, "Objects");
    tree.write("a.yaml", &text(&["c", "b", "a"], "new"));
    let told = differences_with_edits(&tree, 60);
    let lines: Vec<String> = (0..20).map(|n| format!("data.l{n} changed: {}", n + 8)).collect();
    assert_eq!(told[0], "data.v changed: 7");
    assert_eq!(told[1..], lines);
}

/// A document that leaves its comment is one edit; two elements of a list are one edit each.
#[test]
fn lines_that_leave_a_comment_are_the_edits_of_their_entries() {
    let object = |name: &str, data: &str| {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n{data}")
    };
    let second = object("b", "data:\n  k: v\n");
    let commented = format!("---\n{second}").replace('\n', "\n# ");
    let commented = format!("# {}\n", commented.trim_end_matches("\n# "));
    let first = object("a", "");
    let list = |sign: &str| format!("resources:\n- a.yaml\n{sign}- c.yaml\n{sign}- d.yaml\n");
    let tree = Tree::new(&[
        ("kustomization.yaml", &list("# ")),
        ("a.yaml", &format!("{first}{commented}")),
        ("c.yaml", &object("c", "")),
        ("d.yaml", &object("d", "")),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    commit(&tree, "First");
    tree.write("kustomization.yaml", &list(""));
    tree.write("a.yaml", &format!("{first}---\n{second}"));
    let report = kzui_in(&tree.root(), &["diff", "HEAD", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&report).unwrap();
    let edits = report["edits"].as_array().unwrap().iter();
    let shown = |edit: &Value| {
        let lines = edit["new"].as_array().unwrap().len();
        format!("{}:{} {lines}", edit["file"].as_str().unwrap(), edit["line"])
    };
    let edits: Vec<String> = edits.map(shown).collect();
    assert_eq!(edits, ["a.yaml:5 7", "kustomization.yaml:3 1", "kustomization.yaml:4 1"]);
    for resource in report["targets"][0]["resources"].as_array().unwrap() {
        let field = &resource["fields"][0];
        assert_eq!(field["edits"].as_array().unwrap().len(), 1, "{resource}");
        assert_eq!(field["tried"], true, "{resource}");
    }
}
