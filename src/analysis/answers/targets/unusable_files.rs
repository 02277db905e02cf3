//! Findings about files that an entry names and the build cannot use, in the files themselves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::SharedFinding;
use crate::engine::diagnostic::{Code, Severity};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
use crate::engine::yaml::{Mark, parse_nodes};
use crate::repository::{ReferenceDestination, Repository};

/// The errors of entries that name an edited file, at the place in the file: Kustomize reports a
/// patch that is no YAML, or no patch, at its entry, which the editor may not show.
pub(super) fn findings_in_unusable_files(
    findings: &[SharedFinding],
    texts: &BTreeMap<PathBuf, Arc<[u8]>>,
    (repository, files): (&Repository, &dyn Files),
) -> Vec<SharedFinding> {
    let errors = findings.iter().filter(|found| found.severity == Severity::Error);
    let in_files = errors.flat_map(|found| {
        let named = named_files(found, repository, files);
        named.into_iter().filter_map(|file| in_file(found, file, texts.get(file)?))
    });
    in_files.collect()
}

fn named_files<'r>(
    found: &SharedFinding,
    repository: &'r Repository,
    files: &dyn Files,
) -> Vec<&'r Path> {
    let kustomization = found.file.as_deref();
    let target = kustomization.and_then(|file| repository.target(file.parent()?));
    let target = target.filter(|target| Some(&*target.file) == kustomization);
    let Some(target) = target else { return Vec::new() };
    let Ok(text) = files.read(&target.file) else { return Vec::new() };
    let outline = Outline::parse(&text);
    let mut entries = outline.fields.iter().flat_map(|field| &field.entries);
    let Some(entry) = entries.find(|entry| entry.line == found.mark.line) else {
        return Vec::new();
    };
    let lines = entry.text.trim_end().lines().count().max(1);
    let last = entry.line.saturating_add(u32::try_from(lines - 1).unwrap_or(u32::MAX));
    let uses = target.uses.iter();
    let uses = uses.filter(|it| it.file == target.file && (entry.line..=last).contains(&it.line));
    uses.filter_map(|it| match &it.to {
        ReferenceDestination::File(file) => Some(&**file),
        _ => None,
    })
    .collect()
}

fn in_file(found: &SharedFinding, file: &Path, text: &[u8]) -> Option<SharedFinding> {
    let (line, column, message) = match parse_nodes(text).err() {
        Some(error) => {
            let (own, cause) = (&found.message, error.cause.to_string());
            let is_told = own.contains(&cause);
            let message = if is_told { own.clone() } else { format!("{own}: {cause}") };
            (error.line.max(1), error.column.max(1), message)
        }
        None if [Code::KZ043, Code::KZ121].contains(&found.code) => (1, 1, found.message.clone()),
        None => return None,
    };
    Some(SharedFinding {
        file: Some(file.to_owned()),
        mark: Mark { line, column, ..Mark::default() },
        message,
        entry: None,
        fix: None,
        fix_file: None,
        ..found.clone()
    })
}
