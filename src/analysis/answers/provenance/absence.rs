//! Why a resource is in no step of a build: the entry that adds it is switched off, or no entry
//! lists its file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::draft::DraftedFiles;
use crate::engine::load::{Files, relative_path};
use crate::engine::manifest::Outline;

const MAX_TRIALS: usize = 40;

/// The reason why a resource is in no step; a build with the change has the resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    SwitchedOff { file: PathBuf, line: u32, entry: String },
    Unlisted { file: PathBuf, list: PathBuf },
}

pub struct AbsenceSearch<'a> {
    /// The kustomization files of the build.
    pub layers: &'a [PathBuf],
    pub unlisted: &'a [PathBuf],
    pub files: &'a Arc<dyn Files>,
    pub has_resource: &'a dyn Fn(Arc<dyn Files>) -> bool,
}

/// A change that may add the resource: the new text of a kustomization file.
type AbsenceTrial = (Absence, PathBuf, Vec<u8>);

impl AbsenceSearch<'_> {
    /// The first change with which a build has the resource.
    pub fn find(&self) -> Option<Absence> {
        let switched_off = self.layers.iter().flat_map(|file| self.switched_off(file));
        let unlisted = self.unlisted.iter().filter_map(|file| self.unlisted(file));
        let mut trials = switched_off.chain(unlisted).take(MAX_TRIALS);
        let found = trials.find(|(_, file, text)| {
            let draft = std::iter::once((file.clone(), Some(text.as_slice().into())));
            (self.has_resource)(Arc::new(DraftedFiles::new(draft, self.files.clone())))
        });
        found.map(|(absence, ..)| absence)
    }

    /// The text of a kustomization file with each of its commented-out entries restored.
    fn switched_off(&self, file: &Path) -> Vec<AbsenceTrial> {
        let Ok(text) = self.files.read(file) else { return Vec::new() };
        let outline = Outline::parse(&text);
        let mut trials = Vec::new();
        for field in &outline.fields {
            let entries = field.entries.iter().enumerate();
            for (index, entry) in entries.filter(|(_, entry)| entry.disabled || field.disabled) {
                let Ok(text) = Outline::toggle_entry(&text, &field.name, index) else { continue };
                let line = entry.line;
                let entry = entry.text.lines().next().unwrap_or_default().to_owned();
                let absence = Absence::SwitchedOff { file: file.to_owned(), line, entry };
                trials.push((absence, file.to_owned(), text));
            }
        }
        trials
    }

    /// The text of the kustomization file beside a file, with an entry for the file.
    fn unlisted(&self, file: &Path) -> Option<AbsenceTrial> {
        let folder = file.parent()?;
        let list = self.layers.iter().find(|layer| layer.parent() == Some(folder))?;
        let text = self.files.read(list).ok()?;
        let entry = relative_path(folder, file);
        let text = Outline::add_entry(&text, "resources", &entry).ok()?;
        Some((Absence::Unlisted { file: file.to_owned(), list: list.clone() }, list.clone(), text))
    }
}
