//! `kzui mv`: a file or folder at another path, with every reference to it.

use clap::Args;

use super::CliPorts;
use super::refactor::{self, EditFlags, PlannedEdit};
use crate::answers::plan_move;
use crate::cli::failure::{CommandResult, Failure};
use crate::display::counted;
use crate::engine::load::FileKind;

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Every reference in kustomization files, files of transformers and deployment objects is rewritten,\nand every target that reads a changed file is built before and after the move.\n\nExamples:\n  kzui mv base apps/web/base\n  kzui mv components/tls.yaml components/tls/patch.yaml --write\n\nExit status: 0, 1 if an output would change or a reference cannot be rewritten, 2 for a usage error."
)]
pub struct MoveArgs {
    /// The file or folder
    #[arg(value_name = "FROM")]
    pub from: String,
    /// Its new path, or an existing folder for it
    #[arg(value_name = "TO")]
    pub to: String,
    #[command(flatten)]
    pub edit: EditFlags,
}

pub(super) fn run(arguments: &MoveArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    refactor::run(&arguments.from, &arguments.edit, outside, |input| {
        let (from, prover) = (input.path, input.prover);
        let to = refactor::new_path(&arguments.to, input.outside, &**prover.files);
        // A file or folder is moved into an existing folder.
        let to = match (prover.files.resolve(&to), from.file_name()) {
            (Ok((folder, FileKind::Directory)), Some(name)) => folder.join(name),
            _ => to,
        };
        let root = &prover.repository.root;
        if !to.starts_with(root) || from == root {
            return Err(Failure::usage("FROM and TO are not in one repository"));
        }
        let found = plan_move((from, &to), prover).map_err(Failure::failed)?;
        let moved = found.changes.iter().filter(|change| change.draft.is_none()).count();
        let (from, to) = (input.shown(&found.from), input.shown(&found.to));
        let references = counted(found.references.len(), "reference");
        Ok(PlannedEdit {
            edited: found.edited_files().collect(),
            changes: found.changes,
            proof: found.proof,
            moved: Vec::new(),
            lines: Vec::new(),
            log: format!("mv {from} {to}"),
            words: format!("{from} to {to}: {}, {references}", counted(moved, "file")),
            to_write: "move it",
        })
    })
}
