//! `kzui convert`: a Kustomization as a Composition, or the reverse, with the same output.

use std::path::Path;

use clap::{Args, ValueEnum};

use super::CliPorts;
use super::refactor::{self, EditFlags, Summary};
use crate::answers::{plan_convert, relative};
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
    let to_composition = arguments.to == ConvertedKind::Composition;
    let planned = refactor::plan(&arguments.target, &arguments.edit, outside, |input| {
        plan_convert(input.path, to_composition, input.prover).map_err(Failure::failed)
    })?;
    let found = &planned.plan;
    let path = |path: &Path| relative(path, &outside.current);
    let old = found.changes.iter().find(|change| change.base.is_some());
    let old = old.map_or_else(String::new, |change| path(&change.path));
    let lost = found.lost_comments.iter();
    let lost = lost.map(|(line, text)| format!("{old}:{line}: comment not kept: {text}"));
    let new = path(&found.file);
    let summary = Summary {
        changes: &found.changes,
        proof: &found.proof,
        edited: found.changes.clone(),
        lines: lost.collect(),
        words: format!("{old} to {new}"),
        log: format!("convert {old} to {new}"),
        to_write: "convert it",
    };
    refactor::show_or_write(&planned, &summary, &arguments.edit, outside)
}
