//! `kzui edit`: edits a kustomization file in place, keeps every other byte, and shows the changes
//! in all targets.

mod args;
mod steps;

pub(super) use args::EditArgs;
use args::EditCommand;

use std::path::PathBuf;
use std::sync::Arc;

use super::migrate::{MigrateArgs, run as migrate};
use super::{BuildFlags, CliPorts, Exit, changes, options, targets};
use crate::answers::compare::Consequence;
use crate::answers::relative;
use crate::cli::failure::{CommandResult, Failure};
use crate::draft::{FileChange, KustomizationText};
use crate::engine::evaluate::target_file_names;
use crate::engine::load::clean;
use crate::engine::manifest::{Builtin, PluginRole};

/// Edits the file in memory, prints the diff and its effect on the outputs, and writes the file
/// unless `--dry-run` is set.
pub(super) fn run(arguments: &EditArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    if let EditCommand::AlphaListBuiltinPlugin = arguments.command {
        return list_plugins(outside);
    }
    let Some(file) = file(arguments, outside) else {
        let dir = &arguments.dir;
        writeln!(outside.err, "error: no kustomization file in {dir}")?;
        writeln!(
            outside.err,
            "help: create {dir}/kustomization.yaml, or name its folder with --dir"
        )?;
        return Ok(Exit::USAGE);
    };
    if let EditCommand::Fix { .. } = arguments.command {
        let paths = vec![file.to_string_lossy().into_owned()];
        let (write, json, build) = (!arguments.dry_run, false, BuildFlags::default());
        return migrate(&MigrateArgs { paths, write, json, build }, outside);
    }
    let text = outside.ports.files.read(&file).map_err(Failure::failed)?;
    let mut edited = KustomizationText::new(&text);
    steps::apply(&arguments.command, &mut edited, &file, outside).map_err(Failure::failed)?;
    for note in &edited.notes {
        writeln!(outside.err, "note: {note}")?;
    }
    if edited.bytes() == &*text {
        writeln!(outside.out, "no change: {}", relative(&file, &outside.current))?;
        return Ok(Exit::OK);
    }
    let draft = Some(Arc::from(edited.bytes()));
    let change = FileChange { path: file, base: Some(text), draft };
    let secrets = super::diff::secrets(false, outside);
    outside.out.text(&changes::diff(&change, &outside.current, &secrets))?;
    let options = options::repository_options(&BuildFlags::default(), outside)?;
    match super::set::consequence(std::slice::from_ref(&change), &options, false, outside) {
        Ok(report) => {
            for (_, line) in Consequence::from_report(&report).lines() {
                writeln!(outside.out, "{line}")?;
            }
            for target in report.differing_targets() {
                writeln!(outside.out, "  {}", super::set::changed_resources_text(target))?;
            }
        }
        Err(why) => writeln!(outside.err, "note: the changes of outputs are not known: {why}")?,
    }
    if !arguments.dry_run {
        outside.out.flush()?;
        let scope = super::set::scope(&change.path, outside);
        changes::write(&[change], &scope, "edit a kustomization file", "written", outside)?;
    }
    Ok(Exit::OK)
}

fn list_plugins(outside: &mut CliPorts<'_>) -> CommandResult {
    let known = Builtin::ALL.iter().filter(|it| it.role() != PluginRole::Accumulator);
    let mut kinds: Vec<&str> = known.map(|it| it.kind()).collect();
    kinds.sort_unstable();
    writeln!(outside.out, "Builtin plugins:\n")?;
    for kind in kinds {
        writeln!(outside.out, " * {kind}")?;
    }
    Ok(Exit::OK)
}

/// The kustomization file that the arguments name, or that of the folder that they name; `None` if
/// it does not exist.
fn file(arguments: &EditArgs, outside: &CliPorts<'_>) -> Option<PathBuf> {
    let files = &*outside.ports.files;
    let folder = match targets::object_and_folder(&arguments.dir, outside) {
        (Some(_), Ok((folder, _))) => folder,
        _ => clean(&outside.current.join(&arguments.dir)),
    };
    if !(outside.is_directory)(&folder) {
        let is_one =
            target_file_names().any(|name| folder.file_name().is_some_and(|it| it == name));
        return (is_one && files.read(&folder).is_ok()).then_some(folder);
    }
    target_file_names().map(|name| folder.join(name)).find(|file| files.read(file).is_ok())
}
