//! The result of a check. All requests are answered from it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::provenance::line_effects::{FileEffects, LineEffects};
use crate::answers::{FileCheck, SharedFinding};
use crate::draft::FileChange;
use crate::engine::load::Files;
use crate::repository::Repository;

use super::documents::Texts;

/// The fix of a finding that was tried in every target that it affects: its words and changes, or
/// `None` if it was refused.
#[derive(Clone)]
pub(crate) struct TriedFix {
    pub(crate) finding: SharedFinding,
    pub(crate) fix: Option<(String, Vec<FileChange>)>,
}

/// The state of one repository with the open documents over it.
#[derive(Clone)]
pub(crate) struct CheckedRepository {
    pub(crate) root: PathBuf,
    /// The number of changes of documents that the check covers.
    pub(crate) revision: u64,
    pub(crate) texts: Texts,
    pub(crate) check: Arc<FileCheck>,
    /// The verified fixes of the findings in open documents.
    pub(crate) fixes: Vec<TriedFix>,
}

impl CheckedRepository {
    pub(crate) fn repository(&self) -> &Repository {
        &self.check.repository
    }

    pub(crate) fn files(&self) -> &dyn Files {
        &*self.check.ports.files
    }

    pub(crate) fn file_effects(&self, file: &Path) -> Option<&FileEffects> {
        self.check.effects.get(file).map(|effects| &**effects)
    }

    /// The effects of a line, 1-based, of the checked text.
    pub(crate) fn line(&self, file: &Path, line: u32) -> Option<&LineEffects> {
        self.file_effects(file)?.lines.get(&line)
    }

    /// The file of a finding; a finding without a line belongs to the kustomization of its target.
    pub(crate) fn finding_file<'c>(&'c self, found: &'c SharedFinding) -> Option<&'c Path> {
        found.file.as_deref().or_else(|| {
            let target = found.targets.first()?;
            self.repository().target(target).map(|target| &*target.file)
        })
    }

    pub(crate) fn shown(&self, path: &Path) -> String {
        self.repository().shown(path)
    }
}
