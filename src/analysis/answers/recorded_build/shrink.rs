//! Makes a recording small: removes entries, documents and files as long as the build still shows
//! the same problem.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::format::{RecordedBuild, RecordedContent, RecordedFile};
use super::ports::RecordedPrograms;
use super::record::{BuildToRecord, MEMORY_ROOT, memory_files, repeat};
use crate::answers::recording::build::Recording;
use crate::answers::recording::field::{WrittenPath, value_at};
use crate::answers::{add_trial_findings, findings};
use crate::engine::diagnostic::Code;
use crate::engine::evaluate::{Evaluation, Ports, target_file_names};
use crate::engine::load::{Files, RecordingFiles, clean};
use crate::engine::manifest::Outline;
use crate::engine::yaml::print_flow;

const MAX_TRIALS: usize = 5_000;

/// A property that a smaller recording must keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symptom {
    /// The error of the build: the same code and message.
    Failure,
    Finding(Code),
    /// The value of a field of `KIND/NAME` in the output.
    Value {
        resource: String,
        field: String,
    },
}

/// The smallest recording that still shows the symptom, and the number of builds that were tried.
/// Each single entry, document or file of it is needed, unless the limit on builds was reached.
/// `None` if the recording itself does not show the symptom.
pub fn shrink(
    asked: &BuildToRecord<'_>,
    build: RecordedBuild,
    symptom: &Symptom,
) -> Option<(RecordedBuild, usize)> {
    let wanted = show(asked, &build, symptom)?;
    let mut trials = 0;
    let mut build = build;
    loop {
        let mut is_smaller = false;
        for at in 0..build.files.len() {
            // A removal can make another one possible, so each file is tried until all its parts are needed.
            let mut skipped = 0;
            while let Some(smaller) = nth_removal(&build.files[at], skipped) {
                if trials >= MAX_TRIALS {
                    return Some((without_unread_files(asked, build), trials));
                }
                trials += 1;
                let mut tried = build.clone();
                tried.files[at].content = Some(RecordedContent::Text(smaller));
                if show(asked, &tried, symptom).as_ref() == Some(&wanted) {
                    (build, is_smaller) = (tried, true);
                } else {
                    skipped += 1;
                }
            }
        }
        if !is_smaller {
            return Some((without_unread_files(asked, build), trials));
        }
    }
}

/// The text of a file without its n-th removable part; `None` if it has fewer parts.
fn nth_removal(file: &RecordedFile, number: usize) -> Option<String> {
    let Some(RecordedContent::Text(text)) = &file.content else { return None };
    let name = Path::new(&file.path).file_name()?.to_str()?;
    if target_file_names().any(|target| target == name) {
        return nth_entry_removal(text, number);
    }
    let starts: Vec<usize> = document_starts(text);
    let (from, next) = (*starts.get(number)?, starts.get(number + 1));
    let rest = [text.get(..from)?, text.get(next.copied().unwrap_or(text.len())..)?].concat();
    (starts.len() > 1).then_some(rest)
}

/// The text of a kustomization file without the n-th of its fields, then of the entries of its
/// lists.
fn nth_entry_removal(text: &str, number: usize) -> Option<String> {
    let outline = Outline::parse(text.as_bytes());
    let is_data = |name: &str| !matches!(name, "apiVersion" | "kind");
    let fields = outline.fields.iter().filter(|field| !field.disabled && is_data(&field.name));
    let whole = fields.clone().map(|field| (&field.name, None));
    let entries = fields
        .filter(|field| field.entries.len() > 1)
        .flat_map(|field| (0..field.entries.len()).map(move |entry| (&field.name, Some(entry))));
    let parts = whole.chain(entries).filter_map(|(field, entry)| match entry {
        None => Outline::remove_field(text.as_bytes(), field),
        Some(entry) => Outline::remove_entry(text.as_bytes(), field, entry),
    });
    parts.filter_map(|bytes| String::from_utf8(bytes).ok()).nth(number)
}

fn document_starts(text: &str) -> Vec<usize> {
    let mut at = 0;
    let mut starts = vec![0];
    for line in text.split_inclusive('\n') {
        if at > 0 && line.trim_end() == "---" {
            starts.push(at);
        }
        at += line.len();
    }
    starts
}

/// The symptom as the build of a recording shows it: the error, the value, or the code and severity of
/// a finding, whose message may have numbers of other resources; `None` if the build does not show it.
fn show(asked: &BuildToRecord<'_>, build: &RecordedBuild, symptom: &Symptom) -> Option<String> {
    let (mut evaluation, ports) = evaluate_recorded(asked, build, Arc::new(memory_files(build)));
    match symptom {
        Symptom::Failure => {
            let error = evaluation.outcome.as_ref().err()?;
            Some(format!("{} {}", error.code().as_str(), error.message))
        }
        Symptom::Value { resource, field } => value_in_output(&evaluation, resource, field),
        Symptom::Finding(code) => {
            let root = Path::new(MEMORY_ROOT);
            let (target, current) = (build.target_below(root), build.tree_below(root));
            add_trial_findings(&mut evaluation, &target, &current, asked.options, &ports);
            let found = findings(&Recording::new(evaluation, &current));
            let of_code = found.iter().filter(|finding| finding.diagnostic.code() == *code);
            let most_severe = of_code.map(|finding| finding.severity).min()?;
            Some(format!("{} {}", most_severe.word(), code.as_str()))
        }
    }
}

fn value_in_output(evaluation: &Evaluation, resource: &str, field: &str) -> Option<String> {
    let (kind, name) = resource.split_once('/')?;
    let output = evaluation.outcome.as_ref().ok()?;
    let found = output.iter().find(|it| *it.id.gvk.kind == *kind && *it.id.name == *name)?;
    let path = WrittenPath::parse(field).find(&found.node)?;
    Some(print_flow(value_at(&found.node, &path)?.0))
}

fn evaluate_recorded(
    asked: &BuildToRecord<'_>,
    build: &RecordedBuild,
    files: Arc<dyn Files>,
) -> (Evaluation, Ports) {
    let root = build.tree_below(Path::new(MEMORY_ROOT));
    let programs = RecordedPrograms { build: Arc::new(build.clone()), root };
    repeat(asked, build, files, Arc::new(programs))
}

/// The recording with the files that its build reads, and with the downloads and clones of these.
fn without_unread_files(asked: &BuildToRecord<'_>, mut build: RecordedBuild) -> RecordedBuild {
    let files = Arc::new(RecordingFiles::new(Arc::new(memory_files(&build))));
    drop(evaluate_recorded(asked, &build, files.clone()));
    let root = Path::new(MEMORY_ROOT);
    let asked: BTreeSet<PathBuf> =
        files.queries_since(0).iter().map(|query| clean(query.path())).collect();
    build.files.retain(|file| asked.contains(&root.join(&file.path)));
    let kept: BTreeSet<&str> = build.files.iter().map(|file| &*file.path).collect();
    build.masked.retain(|name| name.contains("://") || kept.contains(&**name));
    build
}
