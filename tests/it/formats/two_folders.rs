//! The output for other programs does not depend on the machine: for two copies of a tree in
//! different folders every document is the same, byte for byte, and matches its schema. Masked
//! values differ in each run, so that trials cannot find the values; equal values have equal masks.

use std::path::PathBuf;
use std::process::Command;

use regex::Regex;

use super::{assert_matches_schema, json, schema_path};
use crate::support::{Tree, kzui_in};

const FILES: &[(&str, &str)] = &[
    (
        "base/kustomization.yaml",
        "resources: [web.yaml, pass.yaml]\nimages:\n- name: nginx\n  newTag: \"2\"\n",
    ),
    (
        "base/web.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n      - name: web\n        image: nginx:1\n",
    ),
    (
        "base/pass.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: pass\nstringData:\n  word: a-long-secret-word\n",
    ),
    (
        "prod/kustomization.yaml",
        "resources:\n- ../base\nnamePrefix: prod-\ncomponents:\n- ../tls\n#- ../more\npatches:\n- target: {kind: Deployment, name: wbe}\n  patch: '- {op: remove, path: /spec/replicas}'\n- target: {kind: Deployment}\n  patch: '- {op: replace, path: /spec/replicas, value: 3}'\n- target: {kind: Deployment}\n  patch: '- {op: replace, path: /spec/replicas, value: 4}'\n",
    ),
    ("tls/kustomization.yaml", "kind: Component\ncommonAnnotations: {tls: \"on\"}\n"),
    ("more/kustomization.yaml", "kind: Component\nreplicas:\n- name: web\n  count: 9\n"),
    ("old/kustomization.yaml", "bases: [../base]\n"),
    (
        "functions.yaml",
        "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nmetadata: {name: f}\nspec:\n  krmFunctions:\n  - group: g.example\n    names: {kind: Stamp}\n    versions:\n    - name: v1\n      schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}\n      runtime: {starlark: {uri: stamp.star}}\n",
    ),
    ("base/forgotten.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: forgotten\n"),
];

/// The commands, each with its document. A command that ends with a file name writes it.
const COMMANDS: &[(&str, &str)] = &[
    ("baseline", "check . --write-baseline known.json"),
    ("bisect", "bisect prod --good HEAD~1 --field Deployment/prod-web spec.replicas --json"),
    ("blame", "blame prod --json"),
    ("blame", "blame prod --json --commits"),
    ("catalog", "view catalog functions.yaml -o json"),
    ("check", "check . --format json --notes"),
    ("compat", "compat . --from argocd-3.0 --to latest -o json"),
    ("components", "components . --json"),
    ("diff", "diff base prod --format json --show-secrets"),
    ("diff", "diff base prod --format json"),
    ("diff", "diff HEAD~1 HEAD --format json"),
    ("diff", "why-differ base prod Deployment/prod-web --json"),
    ("diff", "why-differ base base Deployment/web --json"),
    ("drafts", "drafts prod --json"),
    ("grep", "grep nginx --json"),
    ("grep", "grep word --json"),
    ("images", "images --json"),
    ("table", "table spec.replicas Secret:stringData.word --json"),
    ("matrix", "matrix prod --json --all"),
    ("migrate", "migrate --json"),
    ("order", "order prod --json"),
    ("set", "set prod Deployment/prod-web spec.replicas=7 --json"),
    ("source-map", "build prod --map out.map"),
    ("trace", "trace prod --json"),
    ("trace", "trace prod --json --diff --show-secrets"),
    ("trace", "trace prod --json --diff"),
    ("trace", "trace prod --json --resource Deployment/web --watch spec.replicas"),
    ("unused", "where --unused --json"),
    ("versions", "versions --json"),
    ("where", "where base/web.yaml --json"),
    ("where", "where Deployment/web --json"),
    ("why", "why prod Deployment/prod-web --json"),
    ("why", "why prod Deployment/prod-web spec.replicas --json"),
];

fn git(directory: &std::path::Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    for who in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{who}_NAME"), "t")
            .env(format!("GIT_{who}_EMAIL"), "t@example.com");
        command.env(format!("GIT_{who}_DATE"), "2026-01-02T03:04:05Z");
    }
    let done = command.args(arguments).current_dir(directory).output().expect("git is installed");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// A copy in a folder of this name; as a repository it has two commits, the same in all copies.
fn copy(folder: &str, is_repository: bool) -> (Tree, PathBuf) {
    let tree = Tree::new(&[]);
    for (path, text) in FILES {
        tree.write(&format!("{folder}/{path}"), text);
    }
    let root = tree.path(folder);
    if !is_repository {
        return (tree, root);
    }
    git(&root, &["init", "-q"]);
    let later = format!("{folder}/prod/kustomization.yaml");
    let text = String::from_utf8(tree.read(&later)).unwrap();
    tree.write(&later, &text.replace("value: 4", "value: 1"));
    for (message, last) in [("one", false), ("two", true)] {
        if last {
            tree.write(&later, &text);
        }
        git(&root, &["add", "-A"]);
        git(&root, &["commit", "-qm", message]);
    }
    (tree, root)
}

/// The text with its masked values numbered, in the order of their first occurrence.
fn number_marks(text: &str) -> String {
    let mut known: Vec<String> = Vec::new();
    let mark = Regex::new("<secret [0-9a-f]{8}>").unwrap();
    let number = |found: &regex::Captures<'_>| {
        let at = known.iter().position(|other| *other == found[0]).unwrap_or_else(|| {
            known.push(found[0].to_owned());
            known.len() - 1
        });
        format!("<secret {at}>")
    };
    mark.replace_all(text, number).into_owned()
}

#[test]
fn documents_do_not_depend_on_the_folder() {
    for is_repository in [true, false] {
        let one = copy("a", is_repository);
        let two = copy("another folder/of-a-longer-name", is_repository);
        assert_equal_documents(&one, &two, is_repository);
    }
}

fn assert_equal_documents(one: &(Tree, PathBuf), two: &(Tree, PathBuf), is_repository: bool) {
    for (_, command) in COMMANDS {
        if !is_repository && ["HEAD", "--commits"].iter().any(|word| command.contains(word)) {
            continue;
        }
        let words: Vec<&str> = command.split(' ').collect();
        let told = |(tree, root): &(Tree, PathBuf)| {
            let answer = kzui_in(root, &words);
            let written =
                words.last().filter(|word| word.contains('.') && root.join(word).is_file());
            let text = match written {
                Some(file) => {
                    let text = std::fs::read_to_string(root.join(file)).unwrap();
                    std::fs::remove_file(root.join(file)).unwrap();
                    text
                }
                None => answer.out.clone(),
            };
            let machine = tree.root().display().to_string();
            assert!(
                !text.is_empty() && !text.contains(&machine),
                "{command}: {text}{}",
                answer.err
            );
            number_marks(&text)
        };
        assert_eq!(told(one), told(two), "{command}");
    }
}

#[test]
fn every_document_matches_its_schema() {
    for schema in std::fs::read_dir(schema_path("")).unwrap() {
        let name = schema.unwrap().file_name().into_string().unwrap();
        // Settings have no version, and a trial is the document of a tool for agents
        // (`servers.rs`).
        let Some((document, _)) = name.rsplit_once("-v").filter(|it| it.0 != "trial") else {
            continue;
        };
        assert!(COMMANDS.iter().any(|it| it.0 == document), "{document}");
    }
    let (_tree, root) = copy("a", true);
    for (document, command) in COMMANDS {
        let words: Vec<&str> = command.split(' ').collect();
        let answer = kzui_in(&root, &words);
        let file = root.join(words.last().unwrap());
        let text =
            if file.is_file() { std::fs::read_to_string(&file).unwrap() } else { answer.out };
        let value = json(&text);
        let version = &value["schemaVersion"];
        assert_matches_schema(&format!("{document}-v{version}.json"), &value);
    }
}

/// The words of a command with every folder of the tree as an absolute path.
fn absolute(root: &std::path::Path, command: &str) -> Vec<String> {
    let is_folder = |word: &&str| !word.starts_with('-') && root.join(word).is_dir();
    let words = command.split(' ').map(|word| match Some(word).filter(is_folder) {
        Some(folder) => root.join(folder).display().to_string().trim_end_matches("/.").to_owned(),
        None => word.to_owned(),
    });
    words.collect()
}

#[test]
fn absolute_paths_report_like_relative_paths() {
    for is_repository in [true, false] {
        let (tree, root) = copy("a", is_repository);
        let machine = tree.root().display().to_string();
        for (_, command) in COMMANDS {
            let needs_history = ["HEAD", "--commits"].iter().any(|word| command.contains(word));
            if needs_history && !is_repository
                || command.contains("out.map")
                || command.contains("known.json")
                // A catalog is shown as written.
                || command.starts_with("view catalog")
            {
                continue;
            }
            let words: Vec<&str> = command.split(' ').collect();
            let full = absolute(&root, command);
            let full: Vec<&str> = full.iter().map(String::as_str).collect();
            let here = (kzui_in(&root, &words), kzui_in(&root, &full));
            assert_eq!(number_marks(&here.0.out), number_marks(&here.1.out), "{full:?}");
            // The same from inside a target that is not in the arguments.
            let inside = kzui_in(&root.join("base"), &full);
            let text = format!("{}{}", inside.out, inside.err);
            assert!(!text.contains(&machine), "{full:?}: {text}");
        }
    }
}

#[test]
fn text_output_has_no_absolute_path() {
    let (tree, root) = copy("a", true);
    tree.write("a/bad/kustomization.yaml", "resources: [../base]\nnoSuchField: 1\n");
    let machine = tree.root().display().to_string();
    let full = |folder: &str| root.join(folder).display().to_string();
    let (prod, base, bad) = (full("prod"), full("base"), full("bad"));
    let commands: &[&[&str]] = &[
        &["build", &bad],
        &["trace", &bad],
        &["trace", &prod, "--diff"],
        &["why", &bad, "Deployment/web"],
        &["why", &prod, "Deployment/prod-web"],
        &["blame", &prod],
        &["diff", &base, &prod],
        &["diff", &prod],
        &["diff", &base, &prod, "--format", "markdown"],
        &["why-differ", &base, &prod, "Deployment/prod-web"],
        &["order", &prod],
        &["matrix", &prod, "--all"],
        &["components", &prod],
        &["components", &prod, "--json"],
        &["where", &base],
        &["graph", &base],
        &["grep", "nginx", &prod],
        &["check", &prod, "--notes"],
        &["check", &prod, "--changed", "HEAD~1"],
        &["openapi", "info", &bad],
    ];
    for from in [root.clone(), root.join("prod"), tree.path("elsewhere")] {
        std::fs::create_dir_all(&from).unwrap();
        for words in commands {
            let answer = kzui_in(&from, words);
            let text = format!("{}{}", answer.out, answer.err);
            assert!(!text.is_empty() && !text.contains(&machine), "{words:?}: {text}");
        }
    }
}

/// Two trees in unrelated folders, and a fetched base: each is named by its own repository.
#[test]
fn a_clone_is_named_by_its_repository() {
    let (tree, root) = copy("a", true);
    let entry = format!("file://{}//base?ref=HEAD", root.display());
    tree.write("far/one/kustomization.yaml", &format!("resources: ['{entry}']\n"));
    tree.write(
        "far/two/kustomization.yaml",
        &format!("resources: ['{entry}']\nreplicas: [{{name: web, count: 5}}]\n"),
    );
    let far = tree.path("far");
    for words in [
        &["why-differ", "one", "two", "Deployment/web"][..],
        &["diff", "one", "two", "--format", "json"],
        &["why", "one", "Deployment/web", "spec.replicas"],
        &["blame", "one"],
        &["grep", "nginx:2", "one"],
    ] {
        let told = kzui_in(&far, &[words, &["--fetch"][..]].concat());
        let text = format!("{}{}", told.out, told.err);
        let clone = format!("{}//base/web.yaml?ref=HEAD", entry.split("//base").next().unwrap());
        assert!(text.contains(&clone) || words.contains(&"grep"), "{words:?}: {text}");
        assert!(!text.contains("/git/") && !text.contains("cache"), "{words:?}: {text}");
    }
}
