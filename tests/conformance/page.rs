//! A case is a page: prose, the files of a tree, and what a build of it must give. `tests/README.md` says how to write one.

use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};

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

/// A fenced block with its words: ```` ```yaml file=base/kustomization.yaml ````.
struct Block {
    words: Vec<(String, String)>,
    /// The lines between the fences, by number in the page.
    lines: std::ops::Range<usize>,
    text: String,
}

impl Block {
    fn word(&self, name: &str) -> Option<&str> {
        self.words.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The bytes of the file that it stands for.
    fn bytes(&self) -> Vec<u8> {
        let mut text = self.text.clone();
        if self.word("newline") == Some("no") {
            text.pop();
        }
        match self.word("as") {
            Some("crlf") => text.replace('\n', "\r\n").into_bytes(),
            Some("hex") => {
                let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
                let byte = |pair: &[u8]| {
                    let pair = std::str::from_utf8(pair).expect("ASCII");
                    u8::from_str_radix(pair, 16).expect("two digits each")
                };
                digits.chunks(2).map(byte).collect()
            }
            Some("escaped") => unescape(&text).into_bytes(),
            Some(other) => panic!("as={other}: crlf, hex or escaped"),
            None => text.into_bytes(),
        }
    }
}

/// `\t`, `\r`, `\\` and `\u{…}`, for what cannot be seen on a page.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(sign) = rest.next() {
        if sign != '\\' {
            out.push(sign);
            continue;
        }
        match rest.next() {
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('u') => {
                let digits: String =
                    rest.by_ref().skip(1).take_while(|sign| *sign != '}').collect();
                let code = u32::from_str_radix(&digits, 16).expect("\\u{…}");
                out.push(char::from_u32(code).expect("a character"));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

fn blocks(page: &str) -> Vec<Block> {
    let lines: Vec<&str> = page.lines().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let fence: String = lines[at].chars().take_while(|sign| *sign == '`').collect();
        if fence.len() < 3 {
            at += 1;
            continue;
        }
        let words =
            lines[at][fence.len()..].split_whitespace().filter_map(|word| word.split_once('='));
        let words = words.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let length = lines[at + 1..].iter().position(|line| *line == fence);
        let end =
            at + 1 + length.unwrap_or_else(|| panic!("line {}: the fence stays open", at + 1));
        let text = lines[at + 1..end].iter().flat_map(|line| [*line, "\n"]).collect();
        found.push(Block { words, lines: at + 1..end, text });
        at = end + 1;
    }
    found
}

fn check(path: &Path) -> Result<(), Failed> {
    let page = fs_err::read_to_string(path)?;
    let blocks = blocks(&page);
    let tree = tempfile::tempdir()?;
    let root = tree.path().canonicalize()?;
    for block in &blocks {
        if let Some(file) = block.word("file") {
            put(&root, file, &block.bytes())?;
        }
        if let Some(link) = block.word("link") {
            std::os::unix::fs::symlink(block.text.trim_end(), root.join(link))?;
        }
    }
    let expectations: Vec<&Block> =
        blocks.iter().filter(|block| block.word("expect").is_some()).collect();
    if expectations.is_empty() {
        return Err("the page expects nothing".into());
    }
    let mut rewritten: Vec<String> = page.lines().map(str::to_owned).collect();
    for block in expectations.iter().rev() {
        match expect(&root, block) {
            Ok(()) => {}
            Err(Surprise::Output(found)) if program::updating() => {
                rewritten.splice(block.lines.clone(), found.lines().map(str::to_owned));
            }
            Err(Surprise::Output(found)) => return Err(difference(&block.text, &found).into()),
            Err(Surprise::Other(words)) => return Err(words.into()),
        }
    }
    if program::updating() {
        fs_err::write(path, rewritten.join("\n") + "\n")?;
    }
    Ok(())
}

fn put(root: &Path, file: &str, bytes: &[u8]) -> std::io::Result<()> {
    let path = root.join(file);
    fs_err::create_dir_all(path.parent().unwrap_or(root))?;
    fs_err::write(path, bytes)
}

enum Surprise {
    Output(String),
    Other(String),
}

fn expect(root: &Path, block: &Block) -> Result<(), Surprise> {
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
    let command = if expected == "trace" { "trace" } else { "build" };
    let answer = program::run(root, command, &arguments);
    match expected {
        "output" | "warning" | "said" if answer.status != Some(0) => Err(failed(&answer)),
        "output" if answer.out != block.text => Err(Surprise::Output(answer.out)),
        "output" => Ok(()),
        "nothing" if answer.status == Some(0) && answer.out.is_empty() => Ok(()),
        "nothing" => Err(Surprise::Other(format!(
            "status {:?}: {}{}",
            answer.status, answer.out, answer.err
        ))),
        "error" => refused(&answer, block, root),
        "warning" => phrases(&answer.err, block, root),
        "said" => said(&answer.err, block, root),
        "trace" => steps(&answer.out, &block.text),
        other => Err(Surprise::Other(format!(
            "expect={other}: output, nothing, error, warning, said or trace"
        ))),
    }
}

/// The block is all that stands on standard error, so that an empty one means silence.
fn said(message: &str, block: &Block, root: &Path) -> Result<(), Surprise> {
    let message = message.replace(&*root.to_string_lossy(), "{ROOT}");
    if message == block.text {
        return Ok(());
    }
    Err(Surprise::Other(difference(&block.text, &message)))
}

fn failed(answer: &Answer) -> Surprise {
    Surprise::Other(format!("status {:?}: {}", answer.status, answer.err))
}

fn refused(answer: &Answer, block: &Block, root: &Path) -> Result<(), Surprise> {
    if !answer.refused() {
        return Err(Surprise::Other(format!(
            "status {:?}, but it must fail:\n{}",
            answer.status, answer.err
        )));
    }
    if !answer.out.is_empty() {
        return Err(Surprise::Other(format!("it failed, but printed:\n{}", answer.out)));
    }
    phrases(&answer.err, block, root)
}

/// Every line of the block stands somewhere in the message, whatever the line breaks.
fn phrases(message: &str, block: &Block, root: &Path) -> Result<(), Surprise> {
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = flat(&message.replace(&*root.to_string_lossy(), "{ROOT}"));
    for phrase in block.text.lines().filter(|line| !line.trim().is_empty()) {
        if !message.contains(&flat(phrase)) {
            return Err(Surprise::Other(format!("no {phrase:?} in:\n{message}")));
        }
    }
    Ok(())
}

/// The lines of the block stand in the trace in this order; spaces do not count, other lines may be between.
fn steps(told: &str, wanted: &str) -> Result<(), Surprise> {
    let flat = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = told.lines().map(flat);
    for step in wanted.lines().map(flat).filter(|line| !line.is_empty()) {
        if !lines.any(|line| line.contains(&step)) {
            return Err(Surprise::Other(format!("no {step:?} (in this order) in:\n{told}")));
        }
    }
    Ok(())
}
