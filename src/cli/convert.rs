//! `kzui convert`: a Kustomization as a Composition, or the reverse, with the same output.

use clap::{Args, ValueEnum};

use super::CliPorts;
use super::refactor::{self, EditFlags, PlannedEdit};
use crate::answers::plan_convert;
use crate::cli::failure::{CommandResult, Failure};

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "The new file replaces the old one. Every target that reads it is built before and after, and the\nconversion is refused if an output would change or if the other form cannot express an entry. With\n--enable-exec and similar flags, functions run in these builds.\n\nExamples:\n  kzui convert app --to composition\n  kzui convert app --to kustomization --write\n\nExit status: 0, 1 if the conversion is refused, 2 for a usage error."
)]
pub struct ConvertArgs {
    /// The folder of the target
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// The kind of the new file
    #[arg(long, value_enum, value_name = "KIND")]
    pub to: ConvertedKind,
    #[command(flatten)]
    pub edit: EditFlags,
}

/// The kind of the file that a conversion writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConvertedKind {
    /// `composition.yaml`
    Composition,
    /// `kustomization.yaml`
    Kustomization,
}

pub(super) fn run(arguments: &ConvertArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    refactor::run(&arguments.target, &arguments.edit, outside, |input| {
        let to_composition = arguments.to == ConvertedKind::Composition;
        let found = plan_convert(input.path, to_composition, input.prover);
        let found = found.map_err(Failure::failed)?;
        let old = found.changes.iter().find(|change| change.base.is_some());
        let old = old.map_or_else(String::new, |change| input.shown(&change.path));
        let lost = found.lost_comments.iter();
        let lost = lost.map(|(line, text)| format!("{old}:{line}: comment not kept: {text}"));
        let lines = lost.collect();
        let words = format!("{old} to {}", input.shown(&found.file));
        Ok(PlannedEdit {
            edited: found.changes.clone(),
            changes: found.changes,
            proof: found.proof,
            moved: Vec::new(),
            lines,
            log: format!("convert {words}"),
            words,
            to_write: "convert it",
        })
    })
}
