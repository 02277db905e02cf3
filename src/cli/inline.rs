//! `kzui inline`: a base or component that a target lists, as entries of the target.

use std::path::Path;

use clap::Args;

use super::CliPorts;
use super::refactor::{self, EditFlags, Summary};
use super::targets::path;
use crate::answers::{plan_inline, relative};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::counted;
use crate::draft::FileChange;

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "The entries of the base or component replace the entry in TARGET, with other paths. If no other\nkustomization uses it, its kustomization file is removed and its files move to TARGET. Every target\nthat reads a changed file is built before and after the edit.\n\nExamples:\n  kzui inline overlays/production ../base\n  kzui inline overlays/production components/tls --write\n\nExit status: 0, 1 if an output would change or an entry cannot be moved, 2 for a usage error."
)]
pub struct InlineArgs {
    /// The folder of the target
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// The base or component, as the target lists it, or its path
    #[arg(value_name = "ENTRY")]
    pub entry: String,
    #[command(flatten)]
    pub edit: EditFlags,
}

pub(super) fn run(arguments: &InlineArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let planned = refactor::plan(&arguments.target, &arguments.edit, outside, |input| {
        let entry = path(&arguments.entry, outside, &**input.prover.files);
        plan_inline((input.path, &arguments.entry, &entry), input.prover).map_err(Failure::failed)
    })?;
    let found = &planned.plan;
    let path = |path: &Path| relative(path, &outside.current);
    let is_moved = |change: &&FileChange| {
        found.moved_files.iter().any(|(old, new)| *old == change.path || *new == change.path)
    };
    let lines =
        found.moved_files.iter().map(|(old, new)| format!("{} to {}", path(old), path(new)));
    let (from, target) = (path(&found.from), &arguments.target);
    let summary = Summary {
        changes: &found.changes,
        proof: &found.proof,
        edited: found.changes.iter().filter(|change| !is_moved(change)).cloned().collect(),
        lines: lines.collect(),
        words: format!(
            "{from} in {target}: {}, {}",
            counted(found.entries, "entry"),
            counted(found.moved_files.len(), "file")
        ),
        log: format!("inline {target} {from}"),
        to_write: "inline it",
    };
    refactor::show_or_write(&planned, &summary, &arguments.edit, outside)
}
