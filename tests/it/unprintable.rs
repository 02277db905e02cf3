//! No character of an input that a terminal would act on reaches one.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use kzui::display::is_unsafe;

use crate::hostile::bodies::check_every_face;
use crate::support::{Answer, Tree, Workbench, kzui_in, program};

/// Texts with an effect on a terminal: sequences of ESC and C1, the title, the bell, bidirectional
/// controls, separators.
const TERMINAL_SEQUENCES: [&str; 12] = [
    "\u{1b}[35m",
    "\u{1b}]0;x\u{7}",
    "\u{9b}2J",
    "\u{9d}52;c;eA==\u{9c}",
    "\u{85}",
    "\u{202e}",
    "\u{2066}",
    "\u{2028}",
    "\u{200b}",
    "\u{feff}",
    "\u{7f}",
    "\u{e0041}",
];

/// The text in escapes of a double-quoted YAML scalar.
fn yaml_escaped(order: &str) -> String {
    order.chars().fold(String::new(), |text, c| text + &format!("\\U{:08x}", u32::from(c)))
}

/// Trees with such a text in place of each `@`: each builds or fails in another part of the engine.
const TREES: [&str; 22] = [
    "components: \"@\"\n",
    "resources: [\"a@.yaml\"]\n",
    "resources: [r.yaml]\nnamePrefix: \"@-\"\n=== r.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    "resources: [r.yaml]\n=== r.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"a@\"}\ndata: {\"k@\": \"v@\"}\n",
    "resources: [r.yaml]\nnamespace: \"@\"\n=== r.yaml\napiVersion: v1\nkind: \"Config@Map\"\nmetadata: {name: \"a@\", namespace: \"n@\"}\n",
    "resources: [r.yaml]\nlabels: [{pairs: {\"a@\": \"b@\"}}]\n=== r.yaml\napiVersion: \"v@1\"\nkind: ConfigMap\nmetadata: {name: a}\n",
    "resources: [r.yaml]\npatches: [{target: {kind: \"Depl@\"}, patch: \"[{op: add, path: /@, value: 1}]\"}]\n=== r.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    "resources: [r.yaml]\npatches: [{patch: \"{apiVersion: v1, kind: ConfigMap, metadata: {name: 'b@'}}\"}]\n=== r.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"a@\"}\n",
    "resources: [r.yaml]\nreplacements: [{source: {kind: ConfigMap, fieldPath: \"data.@\"}, targets: [{select: {name: \"@\"}, fieldPaths: [a]}]}]\n=== r.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    "configMapGenerator: [{name: \"a@\", literals: [\"k@=v@\"]}]\n",
    "configMapGenerator: [{name: \"a\", files: [\"k@=v@\"]}]\n",
    "secretGenerator: [{name: \"a@\", type: \"@\", literals: [\"x=y@\"], behavior: \"m@\"}]\n",
    "images: [{name: \"nginx@\", newTag: \"@\"}]\nresources: [r.yaml]\n=== r.yaml\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: \"c@\", image: \"nginx@:1\"}]}\n",
    "replicas: [{name: \"a@\", count: 2}]\n",
    "transformers: [\"{apiVersion: \\\"x@\\\", kind: \\\"Y@\\\", metadata: {name: \\\"z@\\\"}}\"]\n",
    "vars: [{name: \"A@\", objref: {kind: \"K@\", name: \"n@\", apiVersion: v1}}]\n",
    "a@b: 1\n\"un@known\": 2\n",
    "resources: [r.yaml]\n=== r.yaml\napiVersion: v1\nkind: ConfigMap\n# a comment @ here\nmetadata: {name: a}\ndata:\n  x: |\n    a@\n   b: c\n",
    "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nmetadata: {name: \"c@\"}\nspec: {krmFunctions: [{group: \"g@.co\", names: {kind: \"K@\"}, description: \"d@\", publisher: \"p@\", home: \"h@\", tags: [\"t@\"], versions: [{name: \"v@\", runtime: {container: {image: \"i@\"}}, schema: {openAPIV3Schema: {type: \"@\"}}}]}]}\n",
    "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Composition\ntransformers: [{apiVersion: \"x@\", kind: \"Y@\", metadata: {name: \"n@\"}, \"f@\": 1}]\n",
    "openapi: {path: \"s@.json\"}\ncrds: [\"c@.json\"]\n",
    "helmCharts: [{name: \"c@\", repo: \"https://x@\", releaseName: \"r@\"}]\n",
];

#[test]
fn no_command_prints_terminal_sequences() {
    let all = TERMINAL_SEQUENCES.concat();
    for (number, tree) in TREES.iter().enumerate() {
        // A tree that fails because of one text may get further with another one alone.
        let alone = [
            TERMINAL_SEQUENCES[number % TERMINAL_SEQUENCES.len()],
            TERMINAL_SEQUENCES[(number + 5) % TERMINAL_SEQUENCES.len()],
        ];
        let orders =
            [yaml_escaped(&all), all.clone(), yaml_escaped(alone[0]), yaml_escaped(alone[1])];
        for order in orders {
            check_every_face(tree.replace('@', &order).as_bytes());
        }
    }
}

/// The files of a tree in [`TREES`], below `/demo`.
fn files(tree: &str) -> Vec<(&str, &str)> {
    let mut parts = tree.split("=== ");
    let main = parts.next().map(|text| ("kustomization.yaml", text));
    main.into_iter().chain(parts.filter_map(|part| part.split_once('\n'))).collect()
}

/// Keys that show the screens, help, dialogs and a search.
const KEYS: [&str; 10] =
    ["1", "gs", "gd", "gr", "gc", "gm", "j enter", "?", "esc :w enter esc", "/ a"];

#[test]
fn no_screen_shows_terminal_sequences() {
    let orders = TERMINAL_SEQUENCES.map(|order| yaml_escaped(order) + order).concat();
    let orders = [yaml_escaped(&TERMINAL_SEQUENCES.concat()), orders];
    for tree in TREES {
        for order in &orders {
            let text = tree.replace('@', order);
            let files = files(&text);
            let mut bench = Workbench::of_files(&files, ".", (120, 36));
            for keys in KEYS {
                bench.keys(keys);
                let screen = bench.text().replace('\n', "");
                assert!(!screen.contains(is_unsafe), "{keys} in {tree}: {screen:?}");
            }
        }
    }
}

/// The answers of the line mode to lines that are all sent at once.
fn talk(directory: &Path, questions: &str) -> Answer {
    let home = tempfile::tempdir().unwrap();
    let mut command = program(home.path());
    command.args(["--linear", "."]).current_dir(directory);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(questions.as_bytes()).unwrap();
    Answer::of(&child.wait_with_output().unwrap())
}

#[test]
fn linear_mode_prints_no_terminal_sequences() {
    let order = yaml_escaped(&TERMINAL_SEQUENCES.concat());
    for tree in TREES {
        let text = tree.replace('@', &order);
        let tree = Tree::new(&files(&text));
        let asked = "tree\nsteps\nproblems\nresources\nresource ConfigMap/a\ntoggle 2\nwrite\nn\nstep 1\ndiff 1\nwhy 1\nquit!\n";
        let answer = talk(&tree.root(), asked);
        for said in [&answer.out, &answer.err] {
            assert!(!said.contains(|c| is_unsafe(c) && c != '\n'), "{text}: {said:?}");
        }
    }
}

/// A build that writes to another program prints exactly Kustomize's bytes.
#[test]
fn build_output_for_programs_is_byte_exact() {
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [r.yaml]\n"),
        (
            "r.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: \"x\\u202ey\"}\n",
        ),
    ]);
    let built = kzui_in(&tree.root(), &["build"]).built();
    assert!(built.contains("x\u{202e}y") || built.contains("\\u202e"), "{built:?}");
}

/// A line that is no text is no command; a reader that stops early is no failure.
#[test]
fn linear_mode_continues_after_bytes_that_are_no_text() {
    let tree = Tree::new(&[("kustomization.yaml", "configMapGenerator: [{name: a}]\n")]);
    let home = tempfile::tempdir().unwrap();
    let mut command = program(home.path());
    command.args(["--linear", "."]).current_dir(tree.root());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"\xff\xfe\nresources\nquit\n").unwrap();
    let answer = Answer::of(&child.wait_with_output().unwrap());
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    assert!(answer.out.contains("ConfigMap/a-"), "{}", answer.out);
    let mut command = program(home.path());
    command.args(["--linear", "."]).current_dir(tree.root());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // The program may have ended already.
    let _ = child.stdin.take().unwrap().write_all(b"resources\nquit\n");
    let answer = Answer::of(&child.wait_with_output().unwrap());
    assert_eq!((answer.status, &*answer.err), (Some(0), ""));
}
