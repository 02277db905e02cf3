//! Settings that a deployment object adds to a target: read, switched off and on again, at their
//! location.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Answer, Tree, Workbench, kzui_in, messages, program};

const APP: &str = "apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop}
spec:
  source:
    repoURL: https://git.example.com/org/shop.git
    path: app
    kustomize: # of the shop
      namePrefix: shop-
      images:
      # the front
      - nginx=registry.example.com/nginx:1.2
      - side=*:0.3
      #- third:v3
      replicas:
      - name: web
        count: 3
      commonLabels:
        team: shop
      components:
      - ../parts/x
      patches:
      - target:
          kind: Deployment
        patch: |-
          - op: add
            path: /metadata/annotations/a
            value: b

            # not a comment of the object
  destination: {namespace: prod}
";

const WEB: &str = "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations: {x: y}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: nginx:0.9}
      - {name: side, image: side:0.1}
      - {name: third, image: third:v1}
";

fn shop() -> Tree {
    Tree::new(&[
        ("app.yaml", APP),
        ("app/web.yaml", WEB),
        (
            "app/kustomization.yaml",
            "resources: [web.yaml]\nimages:\n- name: side\n  newName: other\n- name: aside\n  newTag: v0\n- name: nginx\n  newTag: v9\n#- name: off\n#  newTag: v0\n",
        ),
        (
            "parts/x/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {part: x}\n",
        ),
    ])
}

/// Runs these lines in the line mode, and returns the answers.
pub(crate) fn conversation(tree: &Tree, target: &str, lines: &str) -> String {
    let home = tempfile::tempdir().unwrap();
    let mut child = program(home.path())
        .args(["--linear", target])
        .current_dir(tree.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let answer = Answer::of(&child.wait_with_output().unwrap());
    format!("{}{}", answer.out, answer.err)
}

/// The number of the first row of the tree with this text.
fn row(tree: &Tree, target: &str, words: &str) -> String {
    let told = conversation(tree, target, "tree\nquit!\n");
    let row = told.lines().find(|line| line.contains(words));
    let row = row.unwrap_or_else(|| panic!("{words} in {told}"));
    row.trim_start_matches("> ").split('.').next().unwrap().to_owned()
}

/// Switches a row of the tree on or off, and writes the files.
pub(crate) fn toggle_row_and_write(tree: &Tree, target: &str, words: &str) {
    let number = row(tree, target, words);
    // A change of a selector is refused by the API server: `Y` writes it anyway.
    let yes = if words.starts_with("commonLabels") { "Y" } else { "y" };
    let lines = format!("tree\ntoggle {number}\nwrite\n{yes}\nquit!\n");
    let told = conversation(tree, target, &lines);
    assert!(
        ["app", "sync"]
            .iter()
            .any(|file| told.contains(&messages::write_question(&format!("{file}.yaml")))),
        "{told}"
    );
}

pub(crate) fn read_text(tree: &Tree, file: &str) -> String {
    String::from_utf8(tree.read(file)).unwrap()
}

pub(crate) fn build(tree: &Tree, target: &str) -> String {
    let built = kzui_in(&tree.root(), &["build", target]);
    assert_eq!(built.status, Some(0), "{}", built.err);
    built.out
}

/// Each addition with its row, the file without it, and the row after it is switched off.
#[test]
fn each_addition_is_switched_off_and_restored_exactly() {
    let tree = shop();
    for (on, written, commented, off) in [
        (
            "namePrefix shop-",
            "      namePrefix: shop-\n",
            "      #namePrefix: shop-\n",
            "namePrefix shop-. Off",
        ),
        (
            "nginx → registry",
            "      - nginx=registry.example.com/nginx:1.2\n",
            "      #- nginx=registry.example.com/nginx:1.2\n",
            "nginx=registry.example.com/nginx:1.2. Off",
        ),
        ("side → other:0.3", "      - side=*:0.3\n", "      #- side=*:0.3\n", "side=*:0.3. Off"),
        (
            "web → 3",
            "      - name: web\n        count: 3\n",
            "      #- name: web\n      #  count: 3\n",
            "web → 3. Off",
        ),
        (
            "commonLabels",
            "      commonLabels:\n        team: shop\n",
            "      #commonLabels:\n      #  team: shop\n",
            "commonLabels. Off",
        ),
        ("../parts/x", "      - ../parts/x\n", "      #- ../parts/x\n", "../parts/x. Off"),
        (
            "inline Deployment",
            "      - target:\n          kind: Deployment\n        patch: |-\n          - op: add\n            path: /metadata/annotations/a\n            value: b\n\n            # not a comment of the object\n",
            "      #- target:\n      #    kind: Deployment\n      #  patch: |-\n      #    - op: add\n      #      path: /metadata/annotations/a\n      #      value: b\n#\n      #      # not a comment of the object\n",
            "inline Deployment. Off",
        ),
    ] {
        let with = build(&tree, "app.yaml");
        toggle_row_and_write(&tree, "app.yaml", on);
        assert_eq!(read_text(&tree, "app.yaml"), APP.replace(written, commented), "{on}");
        let without = build(&tree, "app.yaml");
        assert_ne!(without, with, "{on}");
        tree.write("app.yaml", &APP.replace(written, ""));
        assert_eq!(build(&tree, "app.yaml"), without, "{on}");
        tree.write("app.yaml", &APP.replace(written, commented));
        toggle_row_and_write(&tree, "app.yaml", off);
        assert_eq!(read_text(&tree, "app.yaml"), APP, "{on}");
    }
    // An entry that was off from the start, in the tree and among the steps.
    toggle_row_and_write(&tree, "app.yaml", "third:v3. Off");
    assert_eq!(read_text(&tree, "app.yaml"), APP.replace("#- third", "- third"));
    assert!(build(&tree, "app.yaml").contains("image: third:v3"));
}

#[test]
fn steps_name_own_entries_and_commented_out_additions() {
    let tree = shop();
    let trace = kzui_in(&tree.root(), &["trace", "--json", "app.yaml"]);
    let trace: Value = serde_json::from_str(&trace.out).unwrap();
    let steps = trace["steps"].as_array().unwrap().iter().filter(|step| step["field"] == "images");
    let told: Vec<String> = steps
        .map(|step| {
            let at = &step["at"];
            let file = at["file"].as_str().unwrap().rsplit('/').next().unwrap();
            format!(
                "{} {} {file}:{} {}",
                step["argument"].as_str().unwrap(),
                step["entry"],
                at["line"],
                step["outcome"].as_str().unwrap()
            )
        })
        .collect();
    let expected = [
        "aside → :v0 1 kustomization.yaml:5 matchedNothing",
        "nginx → registry.example.com/nginx:1.2 null app.yaml:12 applied",
        "side → other:0.3 null app.yaml:13 applied",
        "off null kustomization.yaml:9 switchedOff",
        "third:v3 null app.yaml:14 switchedOff",
    ];
    assert_eq!(told, expected);
}

#[test]
fn edit_of_one_object_leaves_the_other_unchanged() {
    let object = |name: &str, more: &str| {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: {name}\nspec:\n  path: ./app\n{more}"
        )
    };
    let adds = "  targetNamespace: prod\n  images:\n  - name: nginx\n    newTag: v2\n  commonMetadata:\n    labels: {team: shop}\n";
    let text = format!("{}---\n{}", object("one", adds), object("two", adds));
    let tree = Tree::new(&[
        ("sync.yaml", &text),
        ("app/web.yaml", WEB),
        ("app/base/kustomization.yaml", "resources: [web.yaml]\nnameSuffix: -base\n"),
        ("app/base/web.yaml", WEB),
    ]);
    let told = conversation(&tree, "sync.yaml#two", "tree\nquit!\n");
    for line in [
        "Level 1. resources. 2 entries, in the order of Flux",
        "Level 2. ./web.yaml. Deployment web",
        "Level 3. nameSuffix -base.",
        "Level 1. Flux Kustomization two. adds",
    ] {
        assert!(told.contains(line), "{line} in {told}");
    }
    let off = |part: &str| {
        let (one, two) = text.split_at(text.find("---").unwrap());
        let lines: Vec<String> =
            part.split_inclusive('\n').map(|line| format!("  #{}", &line[2..])).collect();
        format!("{one}{}", two.replace(part, &lines.concat()))
    };
    toggle_row_and_write(&tree, "sync.yaml#two", "commonMetadata. ");
    let metadata = "  commonMetadata:\n    labels: {team: shop}\n";
    assert_eq!(read_text(&tree, "sync.yaml"), off(metadata));
    assert!(!build(&tree, "sync.yaml#two").contains("team: shop"));
    assert!(build(&tree, "sync.yaml#one").contains("team: shop"));
    toggle_row_and_write(&tree, "sync.yaml#two", "commonMetadata. Off");
    toggle_row_and_write(&tree, "sync.yaml#two", "nginx → :v2");
    assert_eq!(read_text(&tree, "sync.yaml"), off("  - name: nginx\n    newTag: v2\n"));
}

/// In the list of steps, space on an entry that is commented out restores it and leaves its
/// neighbours unchanged.
#[test]
fn a_step_that_is_commented_out_is_switched_on_alone() {
    let files = [
        (
            "kustomization.yaml",
            "resources: [web.yaml]\nimages:\n- name: nginx\n  newTag: v9\n#- name: side\n#  newTag: v0\n",
        ),
        ("web.yaml", WEB),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("gskkkkkkkkkkjj");
    assert!(bench.text().contains("▶    3 ☐ demo"), "{}", bench.text());
    bench.keys("space 1");
    let text = bench.text();
    assert!(text.contains("nginx → :v9") && text.contains("side → :v0"), "{text}");
}

#[test]
fn path_of_another_repository_is_not_resolved_locally() {
    let files = [
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"),
        (
            "apps/secrets.yaml",
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: secrets}\nspec: {source: {path: own, repoURL: https://localhost:1/other.git}}\n",
        ),
        ("apps/own/kustomization.yaml", "resources: [../../base]\n"),
    ];
    // The end of the repository is unknown: the nearest folder is meant.
    let tree = Tree::new(&files);
    assert!(build(&tree, "apps/secrets.yaml").contains("name: web"));
    let with_git = [(".git/HEAD", "ref: refs/heads/main\n")];
    let tree = Tree::new(&[&files[..], &with_git[..]].concat());
    let refused = kzui_in(&tree.root(), &["build", "apps/secrets.yaml"]).refused();
    // The other repository is fetched, which fails here: no server answers.
    assert!(refused.contains("'apps/secrets.yaml'"), "{refused}");
    assert!(refused.contains("https://localhost:1/other.git"), "{refused}");
}
