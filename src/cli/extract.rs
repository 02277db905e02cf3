//! `kzui extract`: the common part of overlays in a separate base or component.

use std::path::{Path, PathBuf};

use clap::Args;

use super::CliPorts;
use super::refactor::{self, EditFlags, Summary};
use super::targets::path;
use crate::answers::{ExtractedKind, Extraction, plan_extract, relative};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::counted;
use crate::draft::FileChange;

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
    let planned = refactor::plan(first, &arguments.edit, outside, |input| {
        let prover = input.prover;
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
        plan_extract((&overlays, &to), kind, prover).map_err(Failure::failed)
    })?;
    let found = &planned.plan;
    let (entries, overlays) = (counted(found.entries, "entry"), arguments.overlays.len());
    let to = &arguments.to;
    let summary = Summary {
        changes: &found.changes,
        proof: &found.proof,
        edited: edited_files(found),
        lines: lines(found, &outside.current),
        words: format!(
            "{entries} of {} to {to}: {}",
            counted(overlays, "overlay"),
            counted(found.moved_files.len(), "file")
        ),
        log: format!("extract {} to {to}", arguments.overlays.join(" ")),
        to_write: "move the entries",
    };
    refactor::show_or_write(&planned, &summary, &arguments.edit, outside)
}

/// The changes with a diff: moved files are listed instead.
fn edited_files(found: &Extraction) -> Vec<FileChange> {
    let is_moved = |path: &PathBuf| {
        found.moved_files.iter().any(|(new, old)| new == path || old.contains(path))
    };
    found.changes.iter().filter(|change| !is_moved(&change.path)).cloned().collect()
}

/// The moved files, and the entries that stay.
fn lines(found: &Extraction, base: &Path) -> Vec<String> {
    let path = |path: &Path| relative(path, base);
    let moved = found.moved_files.iter().map(|(new, old)| {
        let old: Vec<String> = old.iter().map(|old| path(old)).collect();
        format!("{} to {}", old.join(", "), path(new))
    });
    let kept = found
        .kept
        .iter()
        .map(|it| format!("{}:{}: {} not moved: {}", path(&it.file), it.line, it.field, it.reason));
    moved.chain(kept).collect()
}
