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

/// A change that may add the resource: the new text of a kustomization file.
type AbsenceTrial = (Absence, PathBuf, Vec<u8>);

/// The first change with which a build has the resource. `layers` are the kustomization files of the
/// build, `unlisted` the files that no kustomization lists.
pub fn find_absence(
    layers: &[PathBuf],
    unlisted: &[PathBuf],
    files: &Arc<dyn Files>,
    has_resource: &dyn Fn(Arc<dyn Files>) -> bool,
) -> Option<Absence> {
    let switched_off = layers.iter().flat_map(|file| switched_off_entries(file, &**files));
    let unlisted = unlisted.iter().filter_map(|file| unlisted_file(file, layers, &**files));
    let mut trials = switched_off.chain(unlisted).take(MAX_TRIALS);
    let found = trials.find(|(_, file, text)| {
        let draft = std::iter::once((file.clone(), Some(text.as_slice().into())));
        has_resource(Arc::new(DraftedFiles::new(draft, files.clone())))
    });
    found.map(|(absence, ..)| absence)
}

fn switched_off_entries(file: &Path, files: &dyn Files) -> Vec<AbsenceTrial> {
    let Ok(text) = files.read(file) else { return Vec::new() };
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

fn unlisted_file(file: &Path, layers: &[PathBuf], files: &dyn Files) -> Option<AbsenceTrial> {
    let folder = file.parent()?;
    let list = layers.iter().find(|layer| layer.parent() == Some(folder))?;
    let text = files.read(list).ok()?;
    let entry = relative_path(folder, file);
    let text = Outline::add_entry(&text, "resources", &entry).ok()?;
    Some((Absence::Unlisted { file: file.to_owned(), list: list.clone() }, list.clone(), text))
}
