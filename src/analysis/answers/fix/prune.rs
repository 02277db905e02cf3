//! Entries without effect and manifests in no build, removed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::answers::SharedFinding;
use crate::answers::lint::shared_findings::is_removable;
use crate::draft::{FileChange, WriteScope};
use crate::engine::diagnostic::Fix;

use super::layer_entries::LayerFile;
use super::proof::{Proof, Prover};
use super::repairs::{FixSelection, Repairs, repairs_on_all_cores};

#[derive(Debug, Default)]
pub struct PlannedRemoval {
    pub changes: Vec<FileChange>,
    pub entries: Vec<PrunedEntry>,
    pub files: Vec<PathBuf>,
    /// Entries without effect that stay, with the reason.
    pub kept_entries: Vec<(PrunedEntry, String)>,
    pub kept_files: Vec<(PathBuf, String)>,
    pub proof: Proof,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrunedEntry {
    pub file: PathBuf,
    pub line: u32,
    /// Why the entry has no effect.
    pub message: String,
}

/// Removes the entries below a path that have no effect in any target, the files that only these
/// entries use, and the manifests that no kustomization lists. `found` are the findings of the
/// repository, and `unlisted` these manifests. An entry with a proposal, such as a similar name, stays: it has a purpose.
pub fn plan_prune(
    below: &Path,
    (found, unlisted): (Vec<SharedFinding>, Vec<PathBuf>),
    scope: &WriteScope,
    prover: &Prover<'_, '_>,
) -> Result<PlannedRemoval, String> {
    let is_below = |found: &SharedFinding| {
        let file = found.fix_file.as_ref().or(found.entry.as_ref().map(|it| &it.file));
        is_removable(found.code) && file.is_some_and(|file| file.starts_with(below))
    };
    let found: Vec<SharedFinding> = found.into_iter().filter(is_below).collect();
    let removable: Vec<SharedFinding> =
        found.iter().filter(|it| it.fix == Some(Fix::RemoveEntry)).cloned().collect();
    let all = FixSelection::All;
    let repairs = repairs_on_all_cores(&removable, prover.files, prover.builder, all, scope);
    let removed = |at: usize| repairs.proved.iter().any(|it| it.finding == at && it.is_done);
    let mut kept_entries: Vec<(PrunedEntry, String)> =
        found.iter().filter_map(|found| Some((pruned(found)?, kept_reason(found)?))).collect();
    let mut entries = Vec::new();
    let mut gone = Vec::new();
    for (at, one) in removable.iter().enumerate() {
        let Some(entry) = pruned(one) else { continue };
        if removed(at) {
            entries.push(entry);
            gone.push(one);
        } else if let Some(reason) = refused_reason(&repairs, at, one) {
            kept_entries.push((entry, reason));
        }
    }
    kept_entries
        .sort_by(|(one, _), (other, _)| (&one.file, one.line).cmp(&(&other.file, other.line)));
    let mut candidates: BTreeSet<PathBuf> = files_of_entries(&gone, prover);
    candidates.extend(unlisted);
    let removal = remove_files(&repairs.changes, candidates, prover)?;
    Ok(PlannedRemoval { entries, kept_entries, ..removal })
}

fn pruned(found: &SharedFinding) -> Option<PrunedEntry> {
    let file = found.file.clone()?;
    Some(PrunedEntry { file, line: found.mark.line, message: found.message.clone() })
}

/// Why an entry without effect is not tried to be removed; `None` if it is, or if it has an effect
/// in another target.
fn kept_reason(found: &SharedFinding) -> Option<String> {
    match &found.fix {
        Some(Fix::RemoveEntry) => None,
        Some(_) => {
            Some(found.hint.clone().unwrap_or_else(|| "`kzui check` has a proposal".to_owned()))
        }
        None => found.untried.clone(),
    }
}

fn refused_reason(repairs: &Repairs, at: usize, found: &SharedFinding) -> Option<String> {
    let waived = found.waived.as_ref().map(|reason| format!("waived: {reason}"));
    let refused = repairs.refused.iter().find(|it| it.finding == at);
    waived.or_else(|| refused.map(|it| it.reason.clone()))
}

/// The files that only removed entries use.
fn files_of_entries(gone: &[&SharedFinding], prover: &Prover<'_, '_>) -> BTreeSet<PathBuf> {
    let mut removed: BTreeMap<PathBuf, Vec<crate::repository::ReferenceEntry>> = BTreeMap::new();
    for entry in gone.iter().filter_map(|found| found.entry.as_ref()) {
        let Some(folder) = entry.file.parent() else { continue };
        let Ok(layer) = LayerFile::read(folder, prover) else { continue };
        let is_it = |it: &&super::layer_entries::LayerEntry| {
            it.field == entry.field && it.index == Some(entry.index)
        };
        for entry in layer.entries.iter().filter(is_it) {
            for (path, reference) in entry.files_below(&prover.repository.root) {
                removed.entry(path.clone()).or_default().push(reference.clone());
            }
        }
    }
    let is_unused = |(path, references): &(PathBuf, Vec<_>)| {
        prover.repository.users(path).all(|(_, reference)| references.contains(reference))
    };
    removed.into_iter().filter(is_unused).map(|(path, _)| path).collect()
}

/// Removes files besides other changes: all of them, or one by one if builds refuse that.
fn remove_files(
    changes: &[FileChange],
    candidates: BTreeSet<PathBuf>,
    prover: &Prover<'_, '_>,
) -> Result<PlannedRemoval, String> {
    let removals = prover.changes_to(candidates.into_iter().map(|path| (path, None)).collect())?;
    let prove = |changes: &[FileChange]| prover.prove(changes, &|name| name.to_owned());
    let files = |removals: &[FileChange]| removals.iter().map(|it| it.path.clone()).collect();
    let together = [changes, &removals].concat();
    if let Ok(proof) = prove(&together) {
        let files = files(&removals);
        return Ok(PlannedRemoval { changes: together, files, proof, ..Default::default() });
    }
    let mut proof = prove(changes)?;
    let (mut removed, mut kept_files) = (Vec::new(), Vec::new());
    for removal in removals {
        let with_it = [changes, &removed, std::slice::from_ref(&removal)].concat();
        match prove(&with_it) {
            Ok(new) => {
                proof = new;
                removed.push(removal);
            }
            Err(reason) => kept_files.push((removal.path, reason)),
        }
    }
    let (changes, files) = ([changes, &removed].concat(), files(&removed));
    Ok(PlannedRemoval { changes, files, kept_files, proof, ..Default::default() })
}
