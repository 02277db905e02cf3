//! The start of the workbench, and the options of its builds.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use kzui::cli::{self, build_options, profile_of, signer_options, trust_options};
use kzui::draft::{WriteScope, work_tree_root};
use kzui::engine::evaluate::BuildOptions;
use kzui::engine::plugin::{Trust, TrustStore as _};
use kzui::engine::profile::Profile;
use kzui::host::{self, DiskFiles, DraftFiles, NotingFiles};

/// The version profile of a target, the options of all builds, of which each target may set its own
/// profile, and notes about the settings.
pub(super) fn build_settings(
    flags: &cli::BuildFlags,
    current: &Path,
    target_dir: &Path,
) -> Result<(Profile, BuildOptions, Vec<String>), String> {
    if flags.fetch {
        let instead = "F lists the remotes to fetch, and asks before it fetches";
        return Err(format!("the workbench has no --fetch: {instead}"));
    }
    let trusted = trust_options(&flags.trusted_catalog, current, &DiskFiles)?;
    let signers = signer_options(&flags.require_signature, current, &DiskFiles)?;
    let noted = Mutex::new(Vec::new());
    let files = NotingFiles::new(|note: &str| {
        noted.lock().unwrap_or_else(PoisonError::into_inner).push(note.to_owned());
    });
    let (like, _) = super::settings::like();
    let profile = profile_of(flags.like.as_deref(), &like, target_dir, &files)
        .map_err(|fault| fault.to_string())?;
    let options = build_options(flags, profile, false)?;
    let (preferences, mut notes) = host::trusted_by_preference();
    drop(files);
    notes.extend(noted.into_inner().unwrap_or_else(PoisonError::into_inner));
    let records = host::TrustFile::of_user().records().unwrap_or_else(|error| {
        notes.push(error);
        Vec::new()
    });
    let trust = Trust { flags: trusted, preferences, records, signers, ..Trust::default() };
    let functions = options.functions.in_workbench();
    let options = BuildOptions { functions, trust, ..options };
    Ok((profile, cli::with_target_profiles(options, flags.like.as_deref(), &like), notes))
}

/// The notes for the user: problems of the settings, cleared files, drafts that are not used, and
/// decisions that do not count as trust. Reverts the writes that killed processes left incomplete.
/// The line-by-line workbench cannot show them on a screen:
/// they are printed before it starts.
pub(super) fn all_notes(
    mut notes: Vec<String>,
    trust_notes: Vec<String>,
    drafts: &DraftFiles,
    is_linear: bool,
) -> Vec<String> {
    let (taken, mut refused) = host::revert_incomplete_writes();
    refused.extend(drafts.refused());
    refused.dedup();
    notes.extend(refused.iter().map(ToString::to_string));
    notes.extend(taken.iter().map(|path| {
        format!("{}: a write was interrupted; the file has its previous content", path.display())
    }));
    notes.extend(trust_notes);
    for note in notes.iter().filter(|_| is_linear) {
        super::printers::warn(note);
    }
    notes
}

/// The root of the git work tree around a folder; without git the folder.
pub(super) fn root_of(folder: &Path) -> PathBuf {
    work_tree_root(folder, &DiskFiles).unwrap_or_else(|| folder.to_owned())
}

/// The files that may be edited: those of the git work tree; without git those below the opened
/// folder, and below the working directory if it contains that folder.
pub(super) fn scope(target: &Path, current: &Path) -> WriteScope {
    let root = root_of(target);
    let is_around =
        !root.join(".git").exists() && target.starts_with(current) && current.parent().is_some();
    WriteScope::below([root].into_iter().chain(is_around.then(|| current.to_owned())))
}
