//! The commands in scripts, programs and documents that build a folder of a repository.

use std::ops::Range;
use std::path::Path;

pub(super) const SOURCE_ENDINGS: [&str; 3] = ["py", "go", "ts"];

pub(super) const DOCUMENT_ENDINGS: [&str; 4] = ["md", "adoc", "rst", "txt"];

/// The length of a line that may be a command; a longer one is a description or data.
const MAX_COMMAND_BYTES: usize = 400;

pub(super) struct Commands {
    pub(super) builds_each_folder: bool,
    /// The lines that call Kustomize or have a path, as ranges of bytes.
    pub(super) lines: Vec<Range<usize>>,
}

impl Commands {
    pub(super) fn in_text(file: &Path, text: &str) -> Self {
        let ending = file.extension().unwrap_or_default().to_string_lossy();
        let is_document = DOCUMENT_ENDINGS.contains(&&*ending);
        let is_script = !is_document
            && !SOURCE_ENDINGS.contains(&&*ending)
            && text.lines().any(is_kustomize_command);
        let is_text_of_script =
            |line: &str| is_script && !line.contains(" -f ") && !line.trim_start().starts_with('#');
        let (mut lines, mut at) = (Vec::new(), 0);
        for line in text.split_inclusive('\n') {
            let range = at..at + line.len();
            at = range.end;
            let line = line.trim_end();
            if line.len() <= MAX_COMMAND_BYTES
                && (is_build_command(line) || is_text_of_script(line))
            {
                lines.push(range);
            }
        }
        Self { builds_each_folder: !is_document && builds_each_folder(text), lines }
    }
}

/// True for a script that finds the kustomizations and builds each, and for a program with the
/// library of Kustomize.
fn builds_each_folder(text: &str) -> bool {
    let finds = |line: &str| {
        line.to_ascii_lowercase().contains("kustomization.y")
            && ["find ", "-name", "glob", "ls-files", "walk"].iter().any(|word| line.contains(word))
    };
    let builds = ["kustomize build", "kubectl kustomize", "apply -k"];
    text.contains("sigs.k8s.io/kustomize/api")
        || builds.iter().any(|word| text.contains(word)) && text.lines().any(finds)
}

/// The text before the last parts of a path: a relative start or a variable.
const START_ENDS: [&str; 3] = ["./", ")/", "}/"];

/// True for a line with a path or, where a path begins, with the last parts of it, at least two;
/// also with the folder above and a variable below it. A path of one part is a word that may
/// mean something else: it counts in a command.
pub(super) fn names_path(line: &str, path: &str, is_whole: bool) -> bool {
    let is_command = || is_build_command(line);
    let is_named = |path: &str, is_whole: bool| {
        let found = |path| {
            occurrences(line, path).filter(move |rest| {
                let at = line.len() - rest.len() - path.len();
                let before = line.get(..at).unwrap_or_default();
                is_whole
                    || !before.ends_with('/')
                    || START_ENDS.iter().any(|it| before.ends_with(it))
            })
        };
        found(path).any(is_end_of_path) && (path.contains('/') || is_command())
            || path
                .rsplit_once('/')
                .is_some_and(|(above, _)| found(above).any(|it| is_variable_part(it, &is_command)))
    };
    let ends = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    let mut ends = ends.filter(|end| !is_whole && end.contains('/'));
    is_named(path, true) || ends.any(|end| is_named(end, false))
}

fn is_kustomize_command(line: &str) -> bool {
    line.contains(" -k") || line.to_ascii_lowercase().contains("kustomize")
}

/// True for a line that calls Kustomize, enters a folder, or has a path as its value.
fn is_build_command(line: &str) -> bool {
    is_kustomize_command(line)
        || line.contains("cd ")
        || line.trim_start_matches([' ', '-']).starts_with("path:")
}

/// The text after each occurrence of a path in a line; a longer name that ends with the path is none.
pub(super) fn occurrences<'l>(line: &'l str, path: &'l str) -> impl Iterator<Item = &'l str> {
    line.match_indices(path).filter_map(move |(at, _)| {
        let before = line.get(..at)?.chars().next_back();
        before.is_none_or(|it| !is_of_name(it)).then(|| line.get(at + path.len()..))?
    })
}

/// True for the text after a path if at most the kustomization file is below it.
pub(super) fn is_end_of_path(rest: &str) -> bool {
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let mut next = rest.chars();
    match next.next() {
        Some('.') => !next.next().is_some_and(|it| is_of_name(it) || it == '*'),
        Some(_) if rest.to_ascii_lowercase().starts_with("kustomization") => true,
        Some(it) => !is_of_name(it) && it != '*',
        None => true,
    }
}

/// True for the text after a path if the next part is a variable, or in a command a pattern.
fn is_variable_part(rest: &str, is_command: &dyn Fn() -> bool) -> bool {
    let next = rest.strip_prefix('/').and_then(|rest| rest.chars().next());
    next.is_some_and(|it| matches!(it, '$' | '{' | '<') || matches!(it, '*' | '[') && is_command())
}

fn is_of_name(it: char) -> bool {
    it.is_alphanumeric() || matches!(it, '-' | '_')
}
