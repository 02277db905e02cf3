//! `kzui prune`: entries without effect and manifests in no build, removed.

use std::path::Path;

use clap::Args;

use super::CliPorts;
use super::refactor::{self, EditFlags, PlannedEdit};
use crate::answers::{PrunedEntry, findings_of_repository, plan_prune, unlisted_manifests};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::counted;

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Removes the entries without a match or use in any target, such as patches, images and vars, the files that\nonly these entries use, and the manifests that no kustomization lists. Every target that reads a changed\nfile is built before and after. An entry with a similar name stays, and so does one with a waiver.\n\nExamples:\n  kzui prune\n  kzui prune overlays/production --write\n\nExit status: 0, 1 if an output would change, 2 for a usage error."
)]
pub struct PruneArgs {
    /// The folder or file with the entries and manifests
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: String,
    #[command(flatten)]
    pub edit: EditFlags,
}

pub(super) fn run(arguments: &PruneArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    refactor::run(&arguments.path, &arguments.edit, outside, |input| {
        let salt = input.outside.repository.salt;
        let found = findings_of_repository(input.repository, input.options, input.ports, salt);
        let below = [input.path.to_owned()];
        let unlisted = unlisted_manifests(input.repository, &below, &**input.prover.files);
        let unlisted = unlisted.into_values().flatten().map(Path::to_owned).collect();
        let found = plan_prune(input.path, (found, unlisted), input.scope, input.prover)
            .map_err(Failure::failed)?;
        let path = |path: &Path| input.shown(path);
        let entry = |it: &PrunedEntry| format!("{}:{}: {}", path(&it.file), it.line, it.message);
        let mut lines: Vec<String> = found.entries.iter().map(entry).collect();
        lines.extend(found.files.iter().map(|file| format!("{}: in no build", path(file))));
        let kept = found.kept_entries.iter();
        lines.extend(kept.map(|(it, reason)| format!("{}; not removed: {reason}", entry(it))));
        let kept = found.kept_files.iter();
        lines.extend(kept.map(|(it, reason)| format!("{}: not removed: {reason}", path(it))));
        let (entries, files) =
            (counted(found.entries.len(), "entry"), counted(found.files.len(), "file"));
        let words = match found.changes.as_slice() {
            [] => "no unused entries or files".to_owned(),
            _ => format!("{entries}, {files} to remove"),
        };
        Ok(PlannedEdit {
            edited: found.changes.clone(),
            changes: found.changes,
            proof: found.proof,
            moved: Vec::new(),
            lines,
            words,
            log: format!("prune {}", arguments.path),
            to_write: "remove them",
        })
    })
}
