//! Typical questions of users about a tree that does not work as expected. Each page of
//! `tests/tasks` has the tree, the keys that answer it in the workbench (twelve at most) with the
//! expected text on the screen, and the command that answers it with its output.

use std::path::Path;

use crate::compare::git;
use crate::support::{Block, Tree, Workbench, blocks, kzui_in};

/// The maximum number of keys that may answer a task.
const MAX_KEYS: usize = 12;

/// The differences between a page and the answers of the program.
fn told(page: &Path) -> Vec<String> {
    let name = page.file_stem().unwrap().to_string_lossy().into_owned();
    let text = fs_err::read_to_string(page).unwrap();
    let blocks = blocks(&text);
    let tree = Tree::new(&[]);
    let mut wrong = Vec::new();
    let (mut asked, mut commits) = (Vec::new(), 0);
    for block in &blocks {
        match block.word("do") {
            None => block.put(&tree.root()).unwrap(),
            Some("commit") => {
                commits += 1;
                commit(&tree, block.text.trim());
            }
            Some(what @ ("keys" | "run")) => {
                let said = if what == "keys" { keys(block, &blocks) } else { run(block, &tree) };
                asked.push(what);
                wrong
                    .extend(missing_lines(block, &said).map(|it| format!("{name} ({what}): {it}")));
            }
            Some(other) => panic!("{name}: do={other}"),
        }
    }
    // Differences of two commits need git: `two_sides_are_compared_on_a_screen` tests the screen.
    if commits == 0 && !asked.contains(&"keys") || !asked.contains(&"run") {
        wrong.push(format!("{name}: a task is answered by keys and by a command"));
    }
    wrong
}

fn commit(tree: &Tree, message: &str) {
    if !tree.path(".git").exists() {
        git(tree, &["init", "-q", "-b", "main"]);
    }
    crate::compare::commit(tree, message);
}

/// The screen after the keys of a block, in one line.
fn keys(block: &Block, all: &[Block]) -> String {
    let files: Vec<(&str, &str)> =
        all.iter().filter_map(|it| Some((it.word("file")?, it.text.as_str()))).collect();
    let mut bench = Workbench::of_files(&files, block.word("target").unwrap_or(""), (120, 36));
    if let Some((before, after)) = block.word("compare").and_then(|sides| sides.split_once(',')) {
        // The equivalent of `kzui diff A B --screen`.
        bench.keys(":compare space").type_text(&format!("{before} {after}")).keys("enter");
    }
    let asked = block.text.lines().next().unwrap_or_default();
    let count = |word: &str| match word {
        "space" | "enter" | "esc" | "tab" | "up" | "down" => 1,
        _ if word.starts_with("ctrl-") || word.starts_with("alt-") => 1,
        _ => word.chars().count(),
    };
    let keys: usize = asked.split(' ').map(count).sum();
    assert!(keys <= MAX_KEYS, "{asked}: {keys} keys");
    bench.keys(asked);
    let text = bench.text();
    if std::env::var_os("SHOW").is_some() {
        eprintln!("{asked}\n{text}");
    }
    // Wrapped text in a pane is compared line by line.
    let plain = |line: &str| {
        let bars = |c: char| "│║┃|".contains(c);
        line.split(bars).map(str::trim).filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(plain).collect::<Vec<_>>().join(" ")
}

/// The output of the command of a block.
fn run(block: &Block, tree: &Tree) -> String {
    let line = block.text.lines().next().unwrap_or_default();
    let arguments: Vec<&str> = line.split_whitespace().skip(1).collect();
    let answer = kzui_in(&tree.root(), &arguments);
    if std::env::var_os("SHOW").is_some() {
        eprintln!("{line}\n{}{}", answer.out, answer.err);
    }
    format!("{}{}", answer.out, answer.err)
}

/// The missing lines of a block; a line after `not: ` must not occur.
fn missing_lines<'b>(block: &'b Block, said: &str) -> impl Iterator<Item = String> + 'b {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = folded(said);
    block.text.lines().skip(1).filter(|line| !line.is_empty()).filter_map(move |line| {
        let (is_wanted, words) = match line.strip_prefix("not: ") {
            Some(words) => (false, words),
            None => (true, line),
        };
        let is_said = said.contains(&folded(words));
        (is_said != is_wanted).then(|| format!("{line}\n    in: {said}"))
    })
}

#[test]
fn each_task_is_answered_by_a_few_keys_and_by_a_command() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tasks");
    let mut pages: Vec<_> =
        fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    let only = std::env::var("TASK").unwrap_or_default();
    pages.retain(|page| page.to_string_lossy().contains(&only));
    assert!(!only.is_empty() || pages.len() >= 25, "{} tasks", pages.len());
    let wrong: Vec<String> = pages.iter().flat_map(|page| told(page)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
