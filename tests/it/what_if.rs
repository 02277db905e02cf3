//! `kzui order` and `kzui matrix`: planted dependencies are found and named by field.

use serde_json::Value;

use crate::compare::read_all_files;
use crate::support::{Answer, Tree, kzui_in, line_with, messages, numbers_after};

const WEB: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n";

fn component(patch: &str) -> String {
    format!("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n{patch}")
}

/// The text of a component that sets the replicas of `web`.
fn replicas_component(count: u32) -> String {
    component(&format!("replicas:\n- name: web\n  count: {count}\n"))
}

fn json(answer: &Answer, status: i32) -> Value {
    assert_eq!(answer.status, Some(status), "{}{}", answer.out, answer.err);
    serde_json::from_str(&answer.out).expect("it is JSON")
}

/// Two components that set the same field, an unrelated one, and two of which one patches a
/// resource of the other.
fn components() -> Tree {
    let adds = "resources: [extra.yaml]\n";
    let patches = "patches:\n- patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: extra}\n    \
                   data: {a: b}\n";
    Tree::new(&[
        (
            "kustomization.yaml",
            "resources: [web.yaml]\ncomponents:\n- c/three\n# commented out for now\n#- c/away\n- c/five\n- c/brings\n- c/needs\n- c/labels\n",
        ),
        ("web.yaml", WEB),
        ("c/three/kustomization.yaml", &replicas_component(3)),
        ("c/away/kustomization.yaml", &replicas_component(7)),
        ("c/five/kustomization.yaml", &replicas_component(5)),
        ("c/brings/kustomization.yaml", &component(adds)),
        ("c/brings/extra.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n"),
        ("c/needs/kustomization.yaml", &component(patches)),
        ("c/labels/kustomization.yaml", &component("commonAnnotations: {x: z}\n")),
    ])
}

#[test]
fn order_dependent_pairs_have_field_and_both_values() {
    let tree = components();
    let before = read_all_files(&tree.root());
    let report = json(&kzui_in(&tree.root(), &["order", "--json"]), 1);
    crate::formats::assert_matches_schema("order-v1.json", &report);
    let pairs = report["pairs"].as_array().unwrap();
    let of = |first: &str, second: &str| {
        let is = |pair: &&Value| pair["first"]["text"] == first && pair["second"]["text"] == second;
        pairs.iter().find(is).unwrap_or_else(|| panic!("{first} {second} in {report}"))
    };
    let differs = of("c/three", "c/five");
    assert_eq!(differs["swapped"], "differs", "past what is commented out");
    let field = &differs["fields"][0];
    assert_eq!(
        (&field["resource"], &field["path"], &field["listed"], &field["swapped"]),
        (&"Deployment/web".into(), &"spec.replicas".into(), &"5".into(), &"3".into())
    );
    assert_eq!(of("c/five", "c/brings")["swapped"], "same");
    let fails = of("c/brings", "c/needs");
    assert_eq!(fails["swapped"], "fails");
    assert_eq!(fails["failure"]["file"], "c/needs/kustomization.yaml");
    assert_eq!(of("c/needs", "c/labels")["swapped"], "same");
    assert_eq!(report["builds"], pairs.len() + 1);
    let text = kzui_in(&tree.root(), &["order"]);
    assert_eq!(text.status, Some(1));
    for pair in ["  3: c/three  ⇄  6: c/five ", "  7: c/brings  ⇄  8: c/needs "] {
        let line = line_with(&text.out, pair);
        assert!(line.contains(messages::ORDER_MATTERS), "{pair}\nin\n{}", text.out);
    }
    let field = line_with(&text.out, "      Deployment/web  spec.replicas ");
    assert_eq!(numbers_after(field, messages::AS_LISTED), [5, 3], "{}", text.out);
    // The numbers of pairs, independent ones, ones with another output, failing ones, and builds.
    let sum = line_with(&text.out, messages::PAIRS_NEIGHBOURS);
    assert_eq!(numbers_after(sum, ""), [4, 2, 1, 1, 5], "{}", text.out);
    assert_eq!(read_all_files(&tree.root()), before, "nothing was written");
}

#[test]
fn swap_that_fixes_the_build_is_named() {
    let tree = components();
    let text = "resources: [web.yaml]\ncomponents:\n- c/needs\n- c/brings\n";
    tree.write("kustomization.yaml", text);
    let answer = kzui_in(&tree.root(), &["order"]);
    assert_eq!(answer.status, Some(2));
    assert!(
        answer.out.starts_with(&format!("{}: ", messages::BUILD_FAILS_IN_CURRENT_ORDER)),
        "{}",
        answer.out
    );
    let pair = line_with(&answer.out, "  3: c/needs  ⇄  4: c/brings ");
    assert!(pair.contains(messages::BUILDS_NOW), "{}", answer.out);
    tree.write("kustomization.yaml", "resources: [web.yaml]\nnamePrefix: a-\n");
    let none = kzui_in(&tree.root(), &["order"]);
    assert_eq!((none.status, none.out.lines().count()), (Some(0), 1), "{}", none.out);
    assert_eq!(numbers_after(&none.out, ""), [0, 0, 0, 1], "{}", none.out);
    assert_eq!(kzui_in(&tree.root(), &["order", "nowhere"]).status, Some(2));
}

#[test]
fn patches_and_replacements_are_swapped_without_output_order() {
    let patch = |value: &str| {
        format!(
            "- patch: |-\n    kind: Deployment\n    apiVersion: apps/v1\n    metadata: {{name: web}}\n    spec: {{{value}}}\n"
        )
    };
    let text = format!(
        "resources:\n- web.yaml\n- other.yaml\npatches:\n{}{}{}",
        patch("replicas: 2"),
        patch("paused: true"),
        patch("replicas: 4")
    );
    let tree = Tree::new(&[
        ("kustomization.yaml", &text),
        ("web.yaml", WEB),
        ("other.yaml", &WEB.replace("name: web", "name: other")),
    ]);
    let report = json(&kzui_in(&tree.root(), &["order", "--json"]), 0);
    let swapped: Vec<&Value> =
        report["pairs"].as_array().unwrap().iter().map(|pair| &pair["swapped"]).collect();
    assert_eq!(
        swapped,
        ["same", "same", "same"],
        "the two that overwrite each other are no neighbours"
    );
}

#[test]
fn reordered_lists_are_reported_as_reordered() {
    let adds = |name: &str| {
        format!(
            "- patch: |-\n    kind: Deployment\n    apiVersion: apps/v1\n    metadata: {{name: web}}\n    spec: {{template: {{spec: {{containers: [{{name: {name}, image: i}}]}}}}}}\n"
        )
    };
    let text = format!("resources: [web.yaml]\npatches:\n{}{}", adds("a"), adds("b"));
    let tree = Tree::new(&[("kustomization.yaml", &text), ("web.yaml", WEB)]);
    let report = json(&kzui_in(&tree.root(), &["order", "--json"]), 1);
    let field = &report["pairs"][0]["fields"][0];
    assert_eq!(
        (&field["path"], &field["reordered"]),
        (&"spec.template.spec.containers".into(), &true.into())
    );
    assert_eq!((&field["listed"], &field["swapped"]), (&"[b, a]".into(), &"[a, b]".into()));
    let told = kzui_in(&tree.root(), &["order"]).out;
    assert!(told.contains(&format!("{}\n", messages::ORDER_OF_LIST_ELEMENTS_MATTERS)), "{told}");
}

#[test]
fn component_rules_are_found_in_all_combinations() {
    let tree = components();
    let before = read_all_files(&tree.root());
    let report = json(&kzui_in(&tree.root(), &["matrix", "--json"]), 1);
    crate::formats::assert_matches_schema("matrix-v1.json", &report);
    assert_eq!(report["exhaustive"], true);
    let combinations = report["combinations"].as_array().unwrap();
    assert_eq!(combinations.len(), 64, "with the one that is commented out");
    let rules: Vec<&str> = report["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["words"].as_str().unwrap())
        .collect();
    assert_eq!(
        rules,
        [
            "needs needs brings",
            "three has no effect when away is on",
            "three has no effect when five is on",
            "away has no effect when five is on",
        ]
    );
    let rule = &report["rules"][0];
    assert_eq!(rule["smallest"], serde_json::json!(["needs"]));
    assert_eq!(rule["holdsIn"], 16);
    assert_eq!(rule["failure"]["file"], "c/needs/kustomization.yaml");
    // `null` means a component without effect.
    assert_eq!(rule["component"], serde_json::Value::Null);
    let rule = &report["rules"][1];
    assert_eq!((&rule["kind"], &rule["component"]), (&"changesNothing".into(), &"three".into()));
    let text = kzui_in(&tree.root(), &["matrix", "--all"]);
    // The numbers of components, combinations, successful builds, failures and different outputs.
    let head = text.out.lines().next().unwrap();
    assert_eq!(numbers_after(head, ""), [6, 64, 48, 16, 24], "{}", text.out);
    assert!(text.out.contains(" three, five: "), "{}", text.out);
    assert_eq!(read_all_files(&tree.root()), before, "nothing was written");
}

#[test]
fn forbidden_pair_is_found_and_many_components_are_paired() {
    let name = |number: usize| format!("c/n{number}");
    let mut files = vec![("web.yaml".to_owned(), WEB.to_owned())];
    let mut text = "resources: [web.yaml]\ncomponents:\n".to_owned();
    for number in 0..13 {
        let sign = if number % 2 == 0 { "" } else { "#" };
        text.push_str(&format!("{sign}- {}\n", name(number)));
        // Two of the components add the same object.
        let brings = match number {
            4 | 9 => "resources: [same.yaml]\n".to_owned(),
            other => format!("commonAnnotations: {{n{other}: yes}}\n").replace("yes", "\"1\""),
        };
        files.push((format!("{}/kustomization.yaml", name(number)), component(&brings)));
        let same = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: same\n";
        files.push((format!("{}/same.yaml", name(number)), same.to_owned()));
    }
    files.push(("kustomization.yaml".to_owned(), text));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let tree = Tree::new(&files);
    let report = json(&kzui_in(&tree.root(), &["matrix", "--json"]), 1);
    assert_eq!(report["exhaustive"], false);
    let rules: Vec<&str> = report["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["words"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["n4 and n9 cannot both be on"]);
    let none = kzui_in(&tree.root(), &["matrix", "c/n1"]);
    assert_eq!(none.status, Some(2));
    assert!(none.err.contains(messages::LISTS_NO_COMPONENTS), "{}", none.err);
}
