//! Findings about files that an entry names and the build cannot use, in the files themselves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::SharedFinding;
use crate::engine::diagnostic::{Code, Severity};
use crate::engine::yaml::{Mark, parse_nodes};
use crate::repository::{ReferenceDestination, Repository};

/// The errors of entries that name an edited file, at the place in the file: Kustomize reports a
/// patch that is no YAML, or no patch, at its entry, which the editor may not show.
pub(super) fn findings_in_unusable_files(
    findings: &[SharedFinding],
    texts: &BTreeMap<PathBuf, Arc<[u8]>>,
    repository: &Repository,
) -> Vec<SharedFinding> {
    let errors = findings.iter().filter(|found| found.severity == Severity::Error);
    let in_files = errors.flat_map(|found| {
        let named = named_files(found, repository);
        named.into_iter().filter_map(|file| in_file(found, file, texts.get(file)?))
    });
    in_files.collect()
}

/// The files in the entry on the line of a finding.
fn named_files<'r>(found: &SharedFinding, repository: &'r Repository) -> Vec<&'r Path> {
    let folder = found.file.as_deref().and_then(Path::parent);
    let uses = folder.and_then(|folder| repository.target(folder)).map(|target| &target.uses);
    let uses = uses.into_iter().flatten();
    let uses = uses.filter(|it| found.file.as_ref() == Some(&it.file));
    let uses = uses.filter(|it| it.line == found.mark.line);
    let files = uses.filter_map(|it| match &it.to {
        ReferenceDestination::File(file) => Some(&**file),
        _ => None,
    });
    files.collect()
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
