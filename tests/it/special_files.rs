//! Pipes and endless devices in every place that kzui or its git reads: each command ends.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use kzui::engine::load::Digest;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::support::{Answer, Tree, line_with, messages, program};

/// Paths that are made special files, each with whether commands must name it.
const TREE_FILES: &[(&str, bool)] = &[
    ("kustomization.yaml", true),
    ("cm.yaml", true),
    ("part/kustomization.yaml", true),
    ("patch.yaml", true),
    ("replacement.yaml", true),
    ("data.txt", true),
    ("data.env", true),
    ("schema.json", true),
    ("crd.json", true),
    ("config.yaml", true),
    ("prefix.yaml", true),
    (".kzui.toml", false),
    ("layout/index.json", true),
    ("layout/blobs/sha256/0000000000000000000000000000000000000000000000000000000000000000", true),
    ("app.yaml", false),
    (".gitignore", true),
    ("inner/.git/HEAD", false),
    (".git", false),
    (".git/HEAD", false),
    (".git/index", false),
    (".git/packed-refs", false),
    (".git/config", false),
    (".git/info/exclude", false),
    (".git/objects/info/alternates", true),
    (".git/objects/info/commit-graph", false),
    (LOOSE_OBJECT, true),
    (PACK_INDEX, false),
];
/// Files of the user's settings and state that are made special files.
const STATE_FILES: &[&str] = &[
    ".config/kzui/config.toml",
    ".config/kzui/config.yaml",
    ".local/share/kzui/trust.yaml",
    ".local/state/kzui/drafts/ROOT.json",
    ".local/state/kzui/drafts/ROOT.lock",
    ".local/state/kzui/operations/ROOT/00000001.json",
    ".local/state/kzui/writes/kzui-1.begun",
];
/// The name in the table for a loose git object.
const LOOSE_OBJECT: &str = "the object of cm.yaml";
/// The name in the table for the index of a git pack.
const PACK_INDEX: &str = "the index of a pack";

/// Parts of the messages of commands that refuse a special file, or a link that leads out of the
/// root.
const REFUSALS: [&str; 3] =
    [messages::NOT_A_REGULAR_FILE, messages::NOT_IN_OR_BELOW_FOLDER, "unable to find one of"];

const COMMANDS: [&[&str]; 10] = [
    &["build", "."],
    &["trace", "."],
    &["check", "."],
    &["diff", "first", "."],
    &["where", "cm.yaml"],
    &["graph"],
    &["blame", ".", "--commits"],
    &["drafts", "."],
    &["view", "catalog", "oci-layout:layout:v1"],
    &["--linear", "."],
];

/// A kustomization that reads each of the special files.
const KUSTOMIZATION: &str = "\
resources: [cm.yaml]
components: [part]
patches: [{path: patch.yaml}]
replacements: [{path: replacement.yaml}]
configMapGenerator: [{name: g, files: [data.txt], envs: [data.env]}]
openapi: {path: schema.json}
crds: [crd.json]
configurations: [config.yaml]
transformers: [prefix.yaml]
";

fn tree() -> Tree {
    let tree = Tree::new(&[
        ("kustomization.yaml", KUSTOMIZATION),
        ("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {b: c}\n"),
        (
            "part/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {f: g}\n",
        ),
        ("patch.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {d: e}\n"),
        (
            "replacement.yaml",
            "- source: {kind: ConfigMap, name: a, fieldPath: data.b}\n  targets: [{select: {kind: ConfigMap, name: a}, fieldPaths: [data.d]}]\n",
        ),
        ("data.txt", "x"),
        ("data.env", "y=z\n"),
        ("schema.json", "{\"swagger\": \"2.0\", \"definitions\": {}}"),
        ("crd.json", "{}"),
        ("config.yaml", "nameReference: []\n"),
        (
            "prefix.yaml",
            "apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: p}\nprefix: x-\nfieldSpecs: [{path: metadata/name}]\n",
        ),
        (
            "layout/index.json",
            "{\"manifests\": [{\"digest\": \"sha256:0000000000000000000000000000000000000000000000000000000000000000\", \"annotations\": {\"org.opencontainers.image.ref.name\": \"v1\"}}]}",
        ),
        ("inner/.git/objects/x", ""),
        ("inner/.git/refs/x", ""),
        ("home/x", ""),
    ]);
    tree.commit("first");
    tree
}

/// The kinds of special files in place of regular ones.
#[derive(Clone, Copy, Debug)]
enum SpecialFile {
    Pipe,
    /// A link to a device without an end.
    EndlessDevice,
}

fn put(special: SpecialFile, path: &Path) {
    fs_err::create_dir_all(path.parent().unwrap()).unwrap();
    if path.is_dir() {
        fs_err::rename(path, path.with_extension("gone")).unwrap();
    }
    let _ = fs_err::remove_file(path);
    match special {
        SpecialFile::Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        SpecialFile::EndlessDevice => fs_err::os::unix::fs::symlink("/dev/zero", path).unwrap(),
    }
}

/// The path of a file in the tables above, which may be a name such as [`LOOSE_OBJECT`].
fn special_file_path(tree: &Tree, name: &str) -> PathBuf {
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).current_dir(tree.root()).output().unwrap();
        assert!(output.status.success(), "{words:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    match name {
        LOOSE_OBJECT => {
            let id = git(&["rev-parse", "first:cm.yaml"]);
            tree.path(".git/objects").join(&id[..2]).join(&id[2..])
        }
        PACK_INDEX => {
            git(&["repack", "-adq"]);
            let packs = fs_err::read_dir(tree.path(".git/objects/pack")).unwrap();
            let mut packs = packs.map(|entry| entry.unwrap().path());
            packs.find(|path| path.extension().is_some_and(|it| it == "idx")).unwrap()
        }
        name => tree.path(name),
    }
}

/// Runs a command in 4 GiB of address space. It must end with an exit status.
fn run(tree: &Tree, words: &[&str]) -> Answer {
    let limited = "ulimit -v 4194304; exec \"$0\" \"$@\"";
    let command = program(&tree.path("home"));
    let kzui = command.get_program().to_owned();
    let mut shell = Command::new("sh");
    let environment = command.get_envs().map(|(name, value)| (name.to_owned(), value));
    for (name, value) in environment {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.arg("-c").arg(limited).arg(kzui).args(words).current_dir(tree.root());
    let scratch = tempfile::tempdir().unwrap();
    let [out, err, input] = ["out", "err", "in"].map(|name| scratch.path().join(name));
    fs_err::write(&input, "problems\ncatalogs\nquit!\n").unwrap();
    let file = |path: &Path| Stdio::from(std::fs::File::create(path).unwrap());
    shell.stdin(std::fs::File::open(&input).unwrap()).stdout(file(&out)).stderr(file(&err));
    let mut child = shell.spawn().unwrap();
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            panic!("{words:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = |path: &Path| String::from_utf8_lossy(&fs_err::read(path).unwrap()).into_owned();
    Answer { status: status.code(), out: text(&out), err: text(&err) }
}

/// The output of all commands, each of which must succeed or report an error.
fn output_of_all_commands(tree: &Tree, row: &str) -> String {
    let mut said = String::new();
    for words in COMMANDS {
        let answer = run(tree, words);
        let is_known = matches!(answer.status, Some(0..=2));
        assert!(is_known, "{row}, {words:?}: status {:?}: {}", answer.status, answer.err);
        said.push_str(&answer.out);
        said.push_str(&answer.err);
    }
    assert!(!said.contains(messages::FAULT_IN_KZUI), "{row}: {said}");
    said
}

#[test]
fn commands_end_despite_special_files_in_tree_or_git() {
    let whole = tree();
    run(&whole, &["build", "."]).built();
    let kinds = [SpecialFile::Pipe, SpecialFile::EndlessDevice];
    let rows: Vec<_> = TREE_FILES.iter().flat_map(|row| kinds.map(|kind| (row, kind))).collect();
    rows.into_par_iter().for_each(|((name, is_named), special)| {
        let tree = tree();
        if name.starts_with("layout/") {
            tree.write(
                "kustomization.yaml",
                "resources: [cm.yaml]\ncatalogs: ['oci-layout:layout:v1']\n",
            );
        }
        put(special, &special_file_path(&tree, name));
        let row = format!("{name} is {special:?}");
        let said = output_of_all_commands(&tree, &row);
        // Git itself treats an object or an ignore file that is a link to a device as empty or
        // broken.
        let is_git = name.contains(".git") || *name == LOOSE_OBJECT;
        let is_named = *is_named && (!is_git || matches!(special, SpecialFile::Pipe));
        let is_refused = REFUSALS.iter().any(|words| said.contains(words));
        assert!(!is_named || is_refused, "{row}: {said}");
    });
}

#[test]
fn commands_end_despite_special_files_in_state() {
    let kinds = [SpecialFile::Pipe, SpecialFile::EndlessDevice];
    let rows: Vec<_> = STATE_FILES.iter().flat_map(|row| kinds.map(|kind| (row, kind))).collect();
    rows.into_par_iter().for_each(|(name, special)| {
        let tree = tree();
        let root = Digest::compute(tree.root().as_os_str().as_encoded_bytes()).hex();
        put(special, &tree.path("home").join(name.replace("ROOT", &root)));
        output_of_all_commands(&tree, &format!("{name} is {special:?}"));
    });
}

/// Many large sparse files are refused together, before they fill the memory.
#[test]
fn build_of_many_sparse_files_is_refused() {
    let names: Vec<String> = (0..16).map(|number| format!("f{number}.yaml")).collect();
    for field in ["resources", "configMapGenerator"] {
        let list = names.join(", ");
        let text = match field {
            "resources" => format!("resources: [{list}]\n"),
            _ => format!("configMapGenerator: [{{name: a, files: [{list}]}}]\n"),
        };
        let tree = Tree::new(&[("kustomization.yaml", &*text), ("home/x", "")]);
        for name in &names {
            let file = std::fs::File::create(tree.path(name)).unwrap();
            file.set_len(250 << 20).unwrap();
        }
        let refusal = run(&tree, &["build", "."]).refused();
        assert!(line_with(&refusal, "f2.yaml: ").contains(" 512 MiB"), "{refusal}");
        assert!(refusal.contains(messages::BUILD_IT_IN_PARTS), "{refusal}");
    }
}

/// A commit of a few kilobytes with much text in it.
#[test]
fn comparison_with_a_large_commit_is_refused() {
    let tree = Tree::new(&[("kustomization.yaml", "resources: []\n"), ("home/x", "")]);
    tree.commit("first");
    let text = "# x\n".repeat(4 << 20);
    let names: Vec<String> = (0..16).map(|number| format!("f{number}.yaml")).collect();
    for name in &names {
        tree.write(name, &text);
    }
    tree.write("kustomization.yaml", &format!("resources: [{}]\n", names.join(", ")));
    tree.commit("second");
    let refusal = run(&tree, &["diff", "first", "second"]).refused();
    assert!(
        refusal.contains(&format!("{} 512 MiB", messages::CHANGED_FILES_TAKE_MORE_THAN)),
        "{refusal}"
    );
    assert!(refusal.contains(messages::COMPARE_SINGLE_FOLDER), "{refusal}");
}
