//! `kzui mv`, `extract`, `inline`, `convert` and `prune`: their arguments and plans.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{EditFlags, new_path, run};
use crate::answers::{
    ExtractedKind, PlannedEdit, findings_of_repository, plan_convert, plan_extract, plan_inline,
    plan_move, plan_prune, unlisted_manifests,
};
use crate::cli::CliPorts;
use crate::cli::failure::{CommandResult, Failure};
use crate::cli::targets::path;
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

pub(in crate::cli) fn move_path(arguments: &MoveArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    run((&arguments.from, "move it"), &arguments.edit, outside, |input| {
        let (from, prover) = (input.path, input.prover);
        let to = new_path(&arguments.to, input.outside, &**prover.files);
        // A file or folder is moved into an existing folder.
        let to = match (prover.files.resolve(&to), from.file_name()) {
            (Ok((folder, FileKind::Directory)), Some(name)) => folder.join(name),
            _ => to,
        };
        let root = &prover.repository.root;
        if !to.starts_with(root) || from == root {
            return Err(Failure::usage("FROM and TO are not in one repository"));
        }
        plan_move((from, &to), prover).map_err(Failure::failed)
    })
}

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

pub(in crate::cli) fn extract(
    arguments: &ExtractArgs,
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    let first = arguments.overlays.first().map_or(".", String::as_str);
    run((first, "move the entries"), &arguments.edit, outside, |input| {
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
        let to = new_path(&arguments.to, outside, files);
        let root = &prover.repository.root;
        if !overlays.iter().chain([&to]).all(|path| path.starts_with(root)) {
            return Err(Failure::usage("the overlays and DIR are not in one repository"));
        }
        let kind = if arguments.component { ExtractedKind::Component } else { ExtractedKind::Base };
        let (word, from) = (&*arguments.to, arguments.overlays.join(" "));
        let planned = plan_extract((&overlays, &to, word), kind, prover);
        let planned = planned.map_err(Failure::failed)?;
        Ok(PlannedEdit { log: format!("extract {from} to {word}"), ..planned })
    })
}

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

pub(in crate::cli) fn inline(arguments: &InlineArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    run((&arguments.target, "inline it"), &arguments.edit, outside, |input| {
        let InlineArgs { target, entry, .. } = arguments;
        let path = path(entry, input.outside, &**input.prover.files);
        plan_inline((input.path, target), (entry, &path), input.prover).map_err(Failure::failed)
    })
}

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

pub(in crate::cli) fn convert(
    arguments: &ConvertArgs,
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    run((&arguments.target, "convert it"), &arguments.edit, outside, |input| {
        let to_composition = arguments.to == ConvertedKind::Composition;
        plan_convert(input.path, to_composition, input.prover).map_err(Failure::failed)
    })
}

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

pub(in crate::cli) fn prune(arguments: &PruneArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    run((&arguments.path, "remove them"), &arguments.edit, outside, |input| {
        let salt = input.outside.repository.salt;
        let found = findings_of_repository(input.repository, input.options, input.ports, salt);
        let below = [input.path.to_owned()];
        let unlisted = unlisted_manifests(input.repository, &below, &**input.prover.files);
        let unlisted = unlisted.into_values().flatten().map(Path::to_owned).collect();
        let planned = plan_prune(input.path, (found, unlisted), input.scope, input.prover);
        let planned = planned.map_err(Failure::failed)?;
        Ok(PlannedEdit { log: format!("prune {}", arguments.path), ..planned })
    })
}
