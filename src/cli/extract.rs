//! `kzui extract`: the common part of overlays in a separate base or component.

use std::path::PathBuf;

use clap::Args;

use super::CliPorts;
use super::refactor::{self, EditFlags, PlannedEdit};
use super::targets::path;
use crate::answers::{ExtractedKind, plan_extract};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::counted;

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "The entries that are equal in all overlays move to DIR/kustomization.yaml, with the files that have the\nsame content in each overlay. Every target that reads a changed file is built before and after the edit:\nonly the entries that leave every output unchanged are moved; the others are listed with their reason.\n\nExamples:\n  kzui extract overlays/staging overlays/production --to overlays/common\n  kzui extract overlays/a overlays/b overlays/c --to components/tls --component --write\n\nExit status: 0, 1 if no entry can be moved, 2 for a usage error."
)]
pub struct ExtractArgs {
    /// The folders of the overlays, at least two
    #[arg(value_name = "OVERLAY", required = true, num_args = 2..)]
    pub overlays: Vec<String>,
    /// The folder of the new base or component
    #[arg(long, value_name = "DIR")]
    pub to: String,
    /// Make a component, which the overlays list under `components`
    #[arg(long)]
    pub component: bool,
    #[command(flatten)]
    pub edit: EditFlags,
}

pub(super) fn run(arguments: &ExtractArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let first = arguments.overlays.first().map_or(".", String::as_str);
    refactor::run(first, &arguments.edit, outside, |input| {
        let (prover, outside) = (input.prover, input.outside);
        let files = &**prover.files;
        let mut overlays: Vec<PathBuf> = Vec::new();
        for word in &arguments.overlays {
            let overlay = path(word, outside, files);
            if overlays.contains(&overlay) {
                return Err(Failure::usage(format!("{word} is given twice")));
            }
            overlays.push(overlay);
        }
        let to = refactor::new_path(&arguments.to, outside, files);
        let root = &prover.repository.root;
        if !overlays.iter().chain([&to]).all(|path| path.starts_with(root)) {
            return Err(Failure::usage("the overlays and DIR are not in one repository"));
        }
        let kind = if arguments.component { ExtractedKind::Component } else { ExtractedKind::Base };
        let found = plan_extract((&overlays, &to), kind, prover).map_err(Failure::failed)?;
        let kept = found.kept.iter().map(|it| {
            let file = input.shown(&it.file);
            format!("{file}:{}: {} not moved: {}", it.line, it.field, it.reason)
        });
        let to = &arguments.to;
        Ok(PlannedEdit {
            edited: found.changes.clone(),
            changes: found.changes,
            proof: found.proof,
            lines: kept.collect(),
            words: format!(
                "{} of {} to {to}: {}",
                counted(found.entries, "entry"),
                counted(overlays.len(), "overlay"),
                counted(found.moved_files.len(), "file")
            ),
            moved: found.moved_files.into_iter().map(|(new, old)| (old, new)).collect(),
            log: format!("extract {} to {to}", arguments.overlays.join(" ")),
            to_write: "move the entries",
        })
    })
}
