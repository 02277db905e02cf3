//! Entries without effect and manifests in no build, removed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::answers::SharedFinding;
use crate::answers::lint::shared_findings::is_removable;
use crate::display::counted;
use crate::draft::{FileChange, WriteScope};
use crate::engine::diagnostic::Fix;

use super::layer_entries::LayerFile;
use super::proof::{PlannedEdit, Prover};
use super::repairs::{FixSelection, repairs_on_all_cores};

/// Removes the entries below a path that have no effect in any target, the files that only these
/// entries use, and the manifests that no kustomization lists. `found` are the findings of the
/// repository, and `unlisted` these manifests. An entry with a proposal, such as a similar name, stays: it has a purpose.
pub fn plan_prune(
    below: &Path,
    (found, unlisted): (Vec<SharedFinding>, Vec<PathBuf>),
    scope: &WriteScope,
    prover: &Prover<'_, '_>,
) -> Result<PlannedEdit, String> {
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
    let entry = |it: &SharedFinding| {
        let file = prover.shown_here(it.file.as_ref()?);
        Some(format!("{file}:{}: {}", it.mark.line, it.message))
    };
    let mut kept: Vec<(&SharedFinding, String)> =
        found.iter().filter_map(|found| Some((found, kept_reason(found)?))).collect();
    let (mut lines, mut gone) = (Vec::new(), Vec::new());
    for (at, one) in removable.iter().enumerate().filter(|(_, one)| one.file.is_some()) {
        if removed(at) {
            lines.extend(entry(one));
            gone.push(one);
        } else {
            let waived = one.waived.as_ref().map(|reason| format!("waived: {reason}"));
            let refused = repairs.refused.iter().find(|it| it.finding == at);
            let reason = waived.or_else(|| refused.map(|it| it.reason.clone()));
            kept.extend(reason.map(|reason| (one, reason)));
        }
    }
    kept.sort_by(|(one, _), (other, _)| {
        (&one.file, one.mark.line).cmp(&(&other.file, other.mark.line))
    });
    let entries = counted(lines.len(), "entry");
    let mut candidates: BTreeSet<PathBuf> = files_of_entries(&gone, prover);
    candidates.extend(unlisted);
    let (removal, files, kept_files) = remove_files(&repairs.changes, candidates, prover)?;
    lines.extend(files.iter().map(|file| format!("{}: in no build", prover.shown_here(file))));
    let kept = kept.iter();
    lines.extend(kept.filter_map(|(it, why)| Some(format!("{}; not removed: {why}", entry(it)?))));
    let kept = kept_files.iter();
    lines.extend(kept.map(|(it, why)| format!("{}: not removed: {why}", prover.shown_here(it))));
    let words = match removal.changes.as_slice() {
        [] => "no unused entries or files".to_owned(),
        _ => format!("{entries}, {} to remove", counted(files.len(), "file")),
    };
    Ok(PlannedEdit { lines, words, ..removal })
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

/// The removal of files, the removed files, and those that stay with the reason.
type Removal = (PlannedEdit, Vec<PathBuf>, Vec<(PathBuf, String)>);

/// Removes files besides other changes: all of them, or one by one if builds refuse that.
fn remove_files(
    changes: &[FileChange],
    candidates: BTreeSet<PathBuf>,
    prover: &Prover<'_, '_>,
) -> Result<Removal, String> {
    let removals = prover.changes_to(candidates.into_iter().map(|path| (path, None)).collect())?;
    let prove = |changes: &[FileChange]| prover.prove(changes, &|name| name.to_owned());
    let mut removed = removals.clone();
    let (mut kept_files, together) = (Vec::new(), prove(&[changes, &removals].concat()));
    let proof = if let Ok(proof) = together {
        proof
    } else {
        removed.clear();
        let mut proof = prove(changes)?;
        for removal in removals {
            match prove(&[changes, &removed, std::slice::from_ref(&removal)].concat()) {
                Ok(new) => {
                    proof = new;
                    removed.push(removal);
                }
                Err(reason) => kept_files.push((removal.path, reason)),
            }
        }
        proof
    };
    let files = removed.iter().map(|it| it.path.clone()).collect();
    let changes = [changes, &removed].concat();
    Ok((PlannedEdit { changes, proof, ..PlannedEdit::default() }, files, kept_files))
}
