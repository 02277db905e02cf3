//! A case is a page: prose, the files of a tree, and the expected result of a build.
//! `tests/README.md` describes how to write a page.

use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};

use crate::blocks::{Block, blocks};
use crate::program::{self, Answer, difference};

/// One test per page.
pub(crate) fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut trials = Vec::new();
    for entry in walkdir::WalkDir::new(&root).sort_by_file_name() {
        let path = entry.expect("the cases can be listed").into_path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let name = path.strip_prefix(&root).expect("below it").with_extension("");
            let name = name.to_string_lossy().replace('\\', "/");
            trials.push(Trial::test(name, move || check(&path)).with_kind("case"));
        }
    }
    assert!(!trials.is_empty(), "no page under tests/cases");
    trials
}

fn check(path: &Path) -> Result<(), Failed> {
    let page = fs_err::read_to_string(path)?;
    let blocks = blocks(&page);
    let tree = tempfile::tempdir()?;
    let root = tree.path().canonicalize()?;
    for block in &blocks {
        block.put(&root)?;
    }
    let expectations: Vec<&Block> =
        blocks.iter().filter(|block| block.word("expect").is_some()).collect();
    if expectations.is_empty() {
        return Err("the page expects nothing".into());
    }
    let mut rewritten: Vec<String> = page.lines().map(str::to_owned).collect();
    for block in expectations.iter().rev() {
        match check_block(&root, block) {
            Ok(()) => {}
            Err(PageMismatch::Output(found)) if program::is_updating() => {
                rewritten.splice(block.lines.clone(), found.lines().map(str::to_owned));
            }
            Err(PageMismatch::Output(found)) => return Err(difference(&block.text, &found).into()),
            Err(PageMismatch::Other(words)) => return Err(words.into()),
        }
    }
    if program::is_updating() {
        fs_err::write(path, rewritten.join("\n") + "\n")?;
    }
    Ok(())
}

/// The difference of a block from the result of its command.
enum PageMismatch {
    Output(String),
    Other(String),
}

/// Runs the command of a block and compares its result.
fn check_block(root: &Path, block: &Block) -> Result<(), PageMismatch> {
    let target = block.word("target").unwrap_or(".");
    let mut arguments: Vec<PathBuf> = Vec::new();
    arguments.extend(
        block.word("flags").into_iter().flat_map(|flags| flags.split(',')).map(PathBuf::from),
    );
    if let Some(name) = block.word("like") {
        arguments.extend(["--like".into(), name.into()]);
    }
    arguments.push(target.into());
    let expected = block.word("expect").unwrap_or_default();
    let command = match expected {
        "trace" => "trace",
        "dangers" => "diff",
        _ => "build",
    };
    if let Some(before) = block.word("from") {
        arguments.insert(0, before.into());
        arguments.insert(0, "--danger".into());
    }
    let answer = program::run(root, command, &arguments);
    match expected {
        "output" | "warning" | "said" if answer.status != Some(0) => Err(failed(&answer)),
        "output" if answer.out != block.text => Err(PageMismatch::Output(answer.out)),
        "output" => Ok(()),
        "nothing" if answer.status == Some(0) && answer.out.is_empty() => Ok(()),
        "nothing" => Err(PageMismatch::Other(format!(
            "status {:?}: {}{}",
            answer.status, answer.out, answer.err
        ))),
        "error" => check_refusal(&answer, block, root),
        "warning" => check_phrases(&answer.err, block, root),
        "said" => check_standard_error(&answer.err, block, root),
        "trace" => check_steps(&answer.out, &block.text),
        "dangers" => check_dangers(&answer, &block.text),
        other => Err(PageMismatch::Other(format!(
            "expect={other}: output, nothing, error, warning, said, trace or dangers"
        ))),
    }
}

/// Checks that the block is equal to standard error. An empty block means that the command prints
/// no error.
fn check_standard_error(message: &str, block: &Block, root: &Path) -> Result<(), PageMismatch> {
    let message = message.replace(&*root.to_string_lossy(), "{ROOT}");
    if message == block.text {
        return Ok(());
    }
    Err(PageMismatch::Other(difference(&block.text, &message)))
}

fn failed(answer: &Answer) -> PageMismatch {
    PageMismatch::Other(format!("status {:?}: {}", answer.status, answer.err))
}

fn check_refusal(answer: &Answer, block: &Block, root: &Path) -> Result<(), PageMismatch> {
    if !answer.refused() {
        return Err(PageMismatch::Other(format!(
            "status {:?}, but it must fail:\n{}",
            answer.status, answer.err
        )));
    }
    if !answer.out.is_empty() {
        return Err(PageMismatch::Other(format!("it failed, but printed:\n{}", answer.out)));
    }
    check_phrases(&answer.err, block, root)
}

/// Checks that the message contains every line of the block. Line breaks in the message do not
/// matter.
fn check_phrases(message: &str, block: &Block, root: &Path) -> Result<(), PageMismatch> {
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = flat(&message.replace(&*root.to_string_lossy(), "{ROOT}"));
    for phrase in block.text.lines().filter(|line| !line.trim().is_empty()) {
        if !message.contains(&flat(phrase)) {
            return Err(PageMismatch::Other(format!("no {phrase:?} in:\n{message}")));
        }
    }
    Ok(())
}

/// Checks that the comparison reports every line of the block as a danger. An empty block means
/// that it reports no danger.
fn check_dangers(answer: &Answer, wanted: &str) -> Result<(), PageMismatch> {
    let told: Vec<&str> = answer.out.lines().filter(|line| line.contains("[KZ")).collect();
    let missing = wanted.lines().find(|line| !told.contains(line));
    let is_empty = wanted.trim().is_empty();
    if answer.status != Some(1) || missing.is_some() || is_empty && !told.is_empty() {
        let words = format!("status {:?}, no {missing:?} in:\n", answer.status);
        return Err(PageMismatch::Other(words + &answer.out + &answer.err));
    }
    Ok(())
}

/// Checks that the trace contains the lines of the block in this order. Spaces are ignored, and
/// other lines may be between them.
fn check_steps(told: &str, wanted: &str) -> Result<(), PageMismatch> {
    let flat = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = told.lines().map(flat);
    for step in wanted.lines().map(flat).filter(|line| !line.is_empty()) {
        if !lines.any(|line| line.contains(&step)) {
            return Err(PageMismatch::Other(format!("no {step:?} (in this order) in:\n{told}")));
        }
    }
    Ok(())
}
