//! `kzui set`: the edits that give a field of a target a value, each verified by building.

use serde_json::Value;

use crate::support::{Answer, Tree, kzui_in, messages};

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1 # few\n  template:\n    spec:\n      containers:\n      - name: web\n        image: acme/web:v1\n        args: [--a]\n        env:\n        - name: X\n          value: \"1\"\n";

fn tree() -> Tree {
    Tree::new(&[
        (
            "base/kustomization.yaml",
            "resources:\n- web.yaml\nconfigMapGenerator:\n- name: cfg\n  literals:\n  - MODE=debug\n",
        ),
        ("base/web.yaml", WEB),
        ("dev/kustomization.yaml", "resources: [../base]\n"),
        (
            "prod/kustomization.yaml",
            "namePrefix: prod-\nresources:\n- ../base\nimages:\n- name: acme/web\n  newTag: v2 # pinned\n",
        ),
    ])
}

fn set(tree: &Tree, arguments: &[&str]) -> Answer {
    kzui_in(&tree.root(), &[&["set"], arguments].concat())
}

fn report(tree: &Tree, target: &str, resource: &str, change: &str) -> Value {
    serde_json::from_str(&set(tree, &[target, resource, change, "--json"]).out).unwrap()
}

/// Kind and file of each proposal, and whether it changes the field alone.
fn proposal_kinds(report: &Value) -> Vec<(String, String, bool)> {
    let all = report["proposals"].as_array().unwrap().iter();
    let text = |it: &'_ Value| it.as_str().unwrap().to_owned();
    all.map(|it| (text(&it["kind"]), text(&it["file"]), it["isExact"] == true)).collect()
}

fn output(tree: &Tree, target: &str) -> String {
    kzui_in(&tree.root(), &["build", target]).built()
}

#[test]
fn overlay_is_first_choice_for_base_field() {
    let tree = tree();
    let report = report(&tree, "prod", "Deployment/web", "spec.replicas=3");
    let expected = [
        ("entry", "prod/kustomization.yaml", true),
        ("patch", "prod/kustomization.yaml", true),
        ("winningLine", "base/web.yaml", false),
    ];
    assert_eq!(
        proposal_kinds(&report),
        expected.map(|(kind, file, is)| (kind.into(), file.into(), is))
    );
    let also = &report["proposals"][2]["also"][0];
    assert_eq!(also["target"], "dev");
    assert_eq!((&report["before"], &report["wanted"]), (&"1".into(), &"3".into()));
    let before = (output(&tree, "prod"), output(&tree, "dev"));
    let refused = set(&tree, &["prod", "Deployment/web", "spec.replicas=3", "--write"]);
    assert_eq!(refused.status, Some(2), "three proposals, none chosen");
    assert_eq!(output(&tree, "prod"), before.0, "only --write writes");
    let pick = ["prod", "Deployment/web", "spec.replicas=3", "--pick", "1", "--write"];
    let written = set(&tree, &pick);
    assert_eq!(written.status, Some(0), "{}", written.err);
    assert!(written.out.contains("+replicas:\n+- name: web\n+  count: 3\n"), "{}", written.out);
    assert_eq!(output(&tree, "prod"), before.0.replace("replicas: 1", "replicas: 3"));
    assert_eq!(output(&tree, "dev"), before.1);
    let again = set(&tree, &["prod", "Deployment/web", "spec.replicas=3"]);
    assert!(again.err.contains(messages::HAS_VALUE_ALREADY), "{}", again.err);
}

#[test]
fn a_value_of_the_overlay_is_set_at_its_line() {
    let tree = tree();
    let image = "spec.template.spec.containers[web].image=acme/web:v3";
    let shown = report(&tree, "prod", "Deployment/web", image);
    let line = ("winningLine".to_owned(), "prod/kustomization.yaml".to_owned(), true);
    assert_eq!(proposal_kinds(&shown), [line]);
    let written = set(&tree, &["prod", "Deployment/prod-web", image, "--write"]);
    assert_eq!(written.status, Some(0), "{}", written.err);
    let text = String::from_utf8(tree.read("prod/kustomization.yaml")).unwrap();
    assert!(text.ends_with("  newTag: v3 # pinned\n"), "{text}");
    let literal = report(&tree, "dev", "ConfigMap/cfg", "data.MODE=info");
    let line = literal["proposals"].as_array().unwrap();
    let line = line.iter().find(|it| it["kind"] == "winningLine").unwrap();
    assert!(line["files"][0]["diff"].as_str().unwrap().contains("+  - MODE=info\n"), "{line}");
    assert!(line["also"].as_array().unwrap().iter().any(|it| it["field"] == "metadata.name"));
}

#[test]
fn strings_stay_strings_and_lists_are_extended() {
    let tree = tree();
    let pick = |change: &str| {
        let arguments = ["dev", "Deployment/web", change, "--pick", "1", "--write"];
        let written = set(&tree, &arguments);
        assert_eq!(written.status, Some(0), "{change}: {}{}", written.out, written.err);
    };
    pick("spec.template.spec.containers[web].env[X].value=2");
    pick("spec.template.spec.containers[web].args+=--b");
    pick("metadata.labels.tier=front");
    let built = output(&tree, "dev");
    assert!(built.contains("value: \"2\"\n"), "{built}");
    assert!(built.contains("args:\n        - --a\n        - --b\n"), "{built}");
    assert!(built.contains("labels:\n    tier: front\n"), "{built}");
    pick("metadata.labels.tier-");
    assert!(!output(&tree, "dev").contains("tier"));
}

#[test]
fn names_and_references_are_refused_with_a_reason() {
    let tree = tree();
    tree.write(
        "base/web.yaml",
        &WEB.replace(
            "        env:\n",
            "        envFrom:\n        - configMapRef: {name: cfg}\n        env:\n",
        ),
    );
    let refused = |change: &str| {
        let answer = set(&tree, &["prod", "Deployment/web", change]);
        assert_eq!((answer.status, &*answer.out), (Some(1), ""), "{change}");
        answer.err
    };
    let identity = format!("metadata.name {}", messages::IDENTIFIES_RESOURCE);
    assert!(refused("metadata.name=x").contains(&identity));
    let reference = "spec.template.spec.containers[web].envFrom[0].configMapRef.name=x";
    assert!(refused(reference).contains(messages::FOLLOWS_NAME_OF_ANOTHER));
    assert!(refused("spec.nothing-").contains(messages::NOT_IN_RESOURCE));
    assert_eq!(set(&tree, &["prod", "Deployment/web", "spec.replicas"]).status, Some(2));
    assert_eq!(set(&tree, &["prod", "Deployment/none", "a=b"]).status, Some(1));
}

/// A base that another overlay uses changes too, and may be deployed.
#[test]
fn changed_base_is_named() {
    let tree = tree();
    tree.write("test/kustomization.yaml", "resources: [../prod]\n");
    let found = report(&tree, "test", "Deployment/prod-web", "spec.replicas=3");
    let proposals = found["proposals"].as_array().unwrap();
    let at = |file: &str| proposals.iter().find(|it| it["file"] == file);
    assert_eq!(at("test/kustomization.yaml").unwrap()["isExact"], true, "{found}");
    let line = at("base/web.yaml").unwrap();
    let named: Vec<&str> =
        line["also"].as_array().unwrap().iter().filter_map(|it| it["target"].as_str()).collect();
    assert!(line["isExact"] == false && named.contains(&"dev"), "{found}");
    // Without another user, the base and the overlay between are named all the same.
    fs_err::remove_dir_all(tree.path("dev")).unwrap();
    let found = report(&tree, "test", "Deployment/prod-web", "spec.replicas=3");
    let line = found["proposals"].as_array().unwrap().iter();
    let line = line.clone().find(|it| it["file"] == "base/web.yaml").unwrap();
    let named: Vec<&str> =
        line["also"].as_array().unwrap().iter().filter_map(|it| it["target"].as_str()).collect();
    assert!(named.contains(&"base") && named.contains(&"prod"), "{found}");
}

#[test]
fn text_of_several_lines_is_set() {
    let tree = tree();
    tree.write("dev/kustomization.yaml", "resources: [../base, c.yaml]\n");
    tree.write(
        "dev/c.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: |\n    x\n    y\n",
    );
    let found = report(&tree, "dev", "ConfigMap/c", "data.a=\"x\\nz\\n\"");
    assert!(!proposal_kinds(&found).is_empty(), "{found}");
}

/// A pending step may have further effects.
#[test]
fn pending_step_is_named() {
    let tree = tree();
    tree.write(
        "dev/kustomization.yaml",
        "resources: [../base, \"https://github.com/example/none//base?ref=v1\"]\n",
    );
    let found = report(&tree, "dev", "Deployment/web", "spec.replicas=3");
    assert!(found["waitsFor"].as_str().unwrap().contains("https://github.com"), "{found}");
}

/// In a subfolder, all targets are relative to it.
#[test]
fn other_targets_are_relative_to_the_working_directory() {
    let tree = tree();
    tree.commit("one");
    let told = kzui_in(&tree.path("prod"), &["set", ".", "Deployment/web", "spec.replicas=3"]).out;
    assert!(told.contains("also changes ../dev: "), "{told}");
}
