//! `kzui inline`: a base or component that a target lists, as entries of the target.

use clap::Args;

use super::CliPorts;
use super::refactor::{self, EditFlags, PlannedEdit};
use super::targets::path;
use crate::answers::plan_inline;
use crate::cli::failure::{CommandResult, Failure};
use crate::display::counted;

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
    refactor::run(&arguments.target, &arguments.edit, outside, |input| {
        let InlineArgs { target, entry, .. } = arguments;
        let entry_path = path(entry, input.outside, &**input.prover.files);
        let found = plan_inline((input.path, entry, &entry_path), input.prover);
        let found = found.map_err(Failure::failed)?;
        let from = input.shown(&found.from);
        let (entries, files) = (found.entries, found.moved_files.len());
        Ok(PlannedEdit {
            edited: found.changes.clone(),
            changes: found.changes,
            proof: found.proof,
            moved: found.moved_files.into_iter().map(|(old, new)| (vec![old], new)).collect(),
            lines: Vec::new(),
            words: format!(
                "{from} in {target}: {}, {}",
                counted(entries, "entry"),
                counted(files, "file")
            ),
            log: format!("inline {target} {from}"),
            to_write: "inline it",
        })
    })
}
