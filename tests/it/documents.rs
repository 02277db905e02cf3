//! The commands of the README and of the pages for users run, in a repository with the demo.

use crate::compare::{commit, git};
use crate::support::{Tree, shell};
use std::path::{Path, PathBuf};

/// Commands that open a workbench or a conversation, or that ask a cluster.
const INTERACTIVE: [&str; 10] = [
    "--live",
    "kzui demo",
    "kzui --linear",
    "kzui --read-only",
    "--screen",
    "kzui openapi fetch",
    "kzui .`",
    "kzui production.kzui.json",
    "kzui platform/staging",
    // The catalog of the demo is not signed.
    "--require-signature",
];

/// Files that the examples use besides the demo.
const APPLICATION: &str = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec:\n  source: {repoURL: https://example.com/shop, path: overlays/production}\n";
const SARIF: &str = r#"{"version": "2.1.0", "runs": []}"#;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The commands of the shell blocks of a page that start kzui, without their comments.
fn commands(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines = blocks.flat_map(str::lines).map(|line| line.split("  #").next().unwrap());
    lines.filter(|line| line.starts_with("kzui ")).map(|line| line.trim().to_owned()).collect()
}

fn copy(from: &Path, tree: &Tree, to: &str) {
    for file in walkdir::WalkDir::new(from).into_iter().map(Result::unwrap) {
        if file.file_type().is_file() {
            let name = file.path().strip_prefix(from).unwrap().to_str().unwrap();
            let name = if to.is_empty() { name.to_owned() } else { format!("{to}/{name}") };
            tree.write(&name, &std::fs::read_to_string(file.path()).unwrap());
        }
    }
}

/// The demo `shop`, with the other files that commands in the pages use.
fn shop_with_examples() -> Tree {
    let tree = Tree::new(&[
        ("clusters/prod/app.yaml", APPLICATION),
        ("findings.json", SARIF),
        ("overlays/broken/kustomization.yaml", "resources: [../staging, missing.yaml]\n"),
    ]);
    copy(&root().join("demo/platform/app"), &tree, "app");
    copy(&root().join("demo/platform/catalog"), &tree, "platform/catalog");
    shop(tree)
}

/// demo/shop on the branch `main`, and a commit more on the branch `topic`, which is checked out.
fn shop(tree: Tree) -> Tree {
    copy(&root().join("demo/shop"), &tree, "");
    git(&tree, &["init", "-q", "-b", "main"]);
    git(&tree, &["remote", "add", "origin", "https://example.com/shop"]);
    commit(&tree, "One");
    git(&tree, &["tag", "v1.4"]);
    git(&tree, &["checkout", "-q", "-b", "topic"]);
    let file = "components/high-availability/kustomization.yaml";
    let text = String::from_utf8(tree.read(file)).unwrap();
    tree.write(file, &text.replace("count: 3", "count: 4"));
    commit(&tree, "Two");
    tree
}

/// Runs the commands of pages in a tree, except those that need a terminal or a cluster.
fn run_commands(pages: &[&str], tree: &Tree, expected: usize) {
    let home = tempfile::tempdir().unwrap();
    let mut failed = Vec::new();
    let mut count = 0;
    for page in pages {
        for line in commands(page) {
            if INTERACTIVE.iter().any(|word| line.contains(word)) || line == "kzui" {
                continue;
            }
            count += 1;
            let run = shell(home.path(), &line).current_dir(tree.root()).output().unwrap();
            let err = String::from_utf8_lossy(&run.stderr);
            // The exit status 1 means a difference or a finding; a failure also prints an error.
            if !matches!(run.status.code(), Some(0 | 1)) || err.starts_with("error") {
                failed.push(format!("{page}: {line}: {err}"));
            }
        }
    }
    assert!(count >= expected, "{count}");
    assert_eq!(failed, Vec::<String>::new());
}

#[test]
fn commands_of_the_pages_run() {
    let pages = [
        "README.md",
        "assets/book/commands.md",
        "assets/book/ci.md",
        "assets/book/deployed.md",
        "assets/book/functions.md",
        "assets/book/recordings.md",
        "assets/book/cluster.md",
    ];
    run_commands(&pages, &shop_with_examples(), 70);
}

#[test]
fn commands_of_the_demo_run() {
    if !crate::support::has_starlark() {
        return;
    }
    let tree = Tree::new(&[]);
    copy(&root().join("demo"), &tree, "");
    run_commands(&["demo/README.md"], &tree, 6);
}

#[test]
fn argo_cd_plugin_builds_with_the_requested_profile() {
    let text = std::fs::read_to_string(root().join("assets/packaging/argocd-plugin.yaml")).unwrap();
    let plugin: serde_json::Value = serde_yaml::from_str(&text).unwrap();
    let generate = &plugin["spec"]["generate"];
    assert_eq!(generate["command"], serde_json::json!(["sh", "-c"]));
    let home = tempfile::tempdir().unwrap();
    let run = |like: Option<&str>| {
        let mut command = shell(home.path(), generate["args"][0].as_str().unwrap());
        command.current_dir(root().join("demo/components/overlays/dev"));
        command.envs(like.map(|like| ("PARAM_LIKE", like)));
        command.output().unwrap()
    };
    let plain = run(None);
    assert!(plain.status.success() && plain.stdout == run(Some("")).stdout);
    assert!(run(Some("argocd-2.14")).status.success());
    let error = String::from_utf8(run(Some("v0.1; echo no")).stderr).unwrap();
    assert!(error.contains("\"v0.1; echo no\""), "{error}");
}

/// Runs the commands of the `console` blocks of a page one after the other, and returns the page
/// with their outputs. Commits, times and the folder of the tree differ from run to run, and are
/// replaced.
fn run_console_blocks(text: &str, tree: &Tree) -> (String, usize) {
    let home = tempfile::tempdir().unwrap();
    let commit = regex::Regex::new("commit     [0-9a-f]+ ").unwrap();
    let time = regex::Regex::new("(trusted on |date: \"|changed since )[0-9T:-]+Z").unwrap();
    let root = tree.root();
    let folder = root.to_str().unwrap();
    let mut blocks = text.split("```console\n$ ");
    let mut updated = blocks.next().unwrap().to_owned();
    let mut count = 0;
    for block in blocks {
        let (shown, rest) = block.split_once("```").unwrap();
        let (line, _) = shown.split_once('\n').unwrap();
        let run = shell(home.path(), line).current_dir(tree.root()).output().unwrap();
        let out = String::from_utf8(run.stdout).unwrap().replace(folder, "/srv/shop");
        let out = commit.replace(&out, "commit     399ada8cb ");
        let out = time.replace_all(&out, "${1}2026-11-27T12:00:00Z");
        updated.push_str(&format!("```console\n$ {line}\n{out}```{rest}"));
        count += 1;
    }
    (updated, count)
}

/// The pages that lead through a tree of the demo. `UPDATE=1` writes the outputs.
#[test]
fn outputs_in_the_pages_about_the_proposals_are_those_of_the_demo() {
    if !crate::support::has_starlark() {
        return;
    }
    for (page, count) in [
        ("components", 7),
        ("composing", 5),
        ("openapi", 5),
        ("writing-functions", 8),
        ("publishing", 13),
    ] {
        let tree = Tree::new(&[]);
        for folder in ["components", "platform", "openapi", "functions", "catalog"] {
            copy(&root().join("demo").join(folder), &tree, folder);
        }
        git(&tree, &["init", "-q", "-b", "main"]);
        commit(&tree, "One");
        check_console_blocks(&format!("assets/book/{page}.md"), &tree, count);
    }
}

/// Compares the outputs in a page with those of its commands in a tree; `UPDATE=1` writes them.
fn check_console_blocks(page: &str, tree: &Tree, expected: usize) {
    let file = root().join(page);
    let text = std::fs::read_to_string(&file).unwrap();
    let (updated, count) = run_console_blocks(&text, tree);
    assert_eq!(count, expected, "{page}");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &updated).unwrap();
    } else {
        assert_eq!(text, updated, "{page}");
    }
}

/// `UPDATE=1` writes the outputs.
#[test]
fn outputs_in_the_pages_are_those_of_the_demo() {
    for (page, expected) in [("README.md", 1), ("assets/book/tutorials.md", 17)] {
        let tree = Tree::new(&[]);
        if page != "README.md" {
            copy(&root().join("demo/platform/app"), &tree, "app");
            copy(&root().join("demo/platform/catalog"), &tree, "catalog");
        }
        let tree = shop(tree);
        git(&tree, &["checkout", "-q", "main"]);
        check_console_blocks(page, &tree, expected);
    }
}

/// `UPDATE=1` writes the outputs. The program in the page is the consumer that the page describes.
#[test]
fn the_consumer_in_the_page_about_source_maps_finds_the_lines() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: python3 is not installed");
        return;
    }
    let page = "assets/book/source-map.md";
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let (_, rest) = text.split_once("```python\n").unwrap();
    let (program, _) = rest.split_once("```").unwrap();
    assert!(program.lines().count() <= 30);
    let tree = shop(Tree::new(&[("places.py", program)]));
    git(&tree, &["checkout", "-q", "main"]);
    check_console_blocks(page, &tree, 4);
}

/// The documents of the repository for people: those that `git` keeps, without the cases of tests.
fn documents() -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(root()).into_iter().filter_entry(|entry| {
        let name = entry.path().strip_prefix(root()).unwrap();
        !["target", ".git", "tests/cases", "tests/tasks"].iter().any(|it| name == Path::new(it))
    });
    let files = walk.map(|entry| entry.unwrap().into_path());
    files.filter(|path| path.extension().is_some_and(|it| it == "md")).collect()
}

#[test]
fn links_of_the_documents_lead_to_files() {
    let link = regex::Regex::new(r"\]\(([^)#\s]+)(?:#[^)]*)?\)").unwrap();
    let code = regex::Regex::new(r"(?s)```.*?```|`[^`\n]*`").unwrap();
    let (mut count, mut broken) = (0, Vec::new());
    for page in documents() {
        let text = std::fs::read_to_string(&page).unwrap();
        let text = code.replace_all(&text, "");
        for found in link.captures_iter(&text).filter(|it| !it[1].contains("://")) {
            count += 1;
            if !page.parent().unwrap().join(&found[1]).exists() {
                broken.push(format!("{}: {}", page.display(), &found[1]));
            }
        }
    }
    assert!(count > 200, "{count}");
    assert_eq!(broken, Vec::<String>::new());
}

/// mdBook leaves out a page that the summary does not list.
#[test]
fn every_page_of_the_book_is_in_its_summary_and_in_its_table() {
    let book = root().join("assets/book");
    let read = |page: &str| std::fs::read_to_string(book.join(page)).unwrap();
    let (summary, table) = (read("SUMMARY.md"), read("README.md"));
    for file in std::fs::read_dir(&book).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.extension().is_some_and(|it| it == "md") && name != "SUMMARY.md" {
            assert!(summary.contains(&format!("({name})")), "SUMMARY.md has no {name}");
            assert!(
                name == "README.md" || table.contains(&format!("({name})")),
                "README.md has no {name}"
            );
        }
    }
}
