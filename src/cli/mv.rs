//! `kzui mv`: a file or folder at another path, with every reference to it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;

use super::migrate::rebuilder;
use super::targets::{repositories_around, write_scope};
use super::{BuildFlags, CliPorts, DownloadPolicy, Exit, changes, options};
use crate::answers::secrets::Secrets;
use crate::answers::{PathMove, plan_move, relative};
use crate::display::counted;
use crate::draft::WriteScope;
use crate::engine::evaluate::Ports;
use crate::engine::load::{FileKind, Files, clean};
use crate::repository::{FailureCachingRemote, KeptFiles};

/// `kzui mv`
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
    /// Write the files; by default only the diff and the summary are shown
    #[arg(long)]
    pub write: bool,
    /// The flags of the builds
    #[command(flatten)]
    pub build: BuildFlags,
}

/// Why the move is refused.
enum MoveRefusal {
    /// The message of a usage error.
    Usage(String),
    Failed(String),
}

/// Shows the move, and writes it on request.
pub(super) fn run(arguments: &MoveArgs, outside: &mut CliPorts<'_>) -> std::io::Result<Exit> {
    let (found, scope, secrets) = match prepare(arguments, outside) {
        Ok(prepared) => prepared,
        Err(MoveRefusal::Usage(words)) => {
            writeln!(outside.err, "error: {words}")?;
            return Ok(Exit::USAGE);
        }
        Err(MoveRefusal::Failed(words)) => {
            writeln!(outside.err, "error: {words}")?;
            return Ok(Exit::FAILED);
        }
    };
    let base = outside.current.clone();
    for change in found.edited_files() {
        outside.out.text(&changes::diff(&change, &base, &secrets))?;
    }
    let path = |path: &Path| relative(path, &base);
    for (target, reason) in &found.not_known {
        writeln!(outside.out, "{}: output not known: {reason}", path(target))?;
    }
    let moved = found.changes.iter().filter(|change| change.draft.is_none()).count();
    let (from, to) = (path(&found.from), path(&found.to));
    let (identical, targets) = (found.targets - found.not_known.len(), found.targets);
    let not_known = match found.not_known.len() {
        0 => String::new(),
        count => format!(", {count} not known"),
    };
    writeln!(
        outside.out,
        "{from} to {to}: {}, {}, {identical} of {targets} outputs identical{not_known}",
        counted(moved, "file"),
        counted(found.references.len(), "reference")
    )?;
    if arguments.write {
        outside.out.flush()?;
        let new = found.changes.iter().filter(|change| change.base.is_none());
        for folder in new.filter_map(|change| change.path.parent()) {
            (outside.create_directory)(folder)?;
        }
        changes::write(&found.changes, &scope, &format!("mv {from} {to}"), "written", outside)?;
        writeln!(outside.err, "help: open the workbench and type `:log` to revert the write")?;
    } else {
        writeln!(outside.err, "help: run with --write to move it")?;
    }
    if !found.not_known.is_empty() && outside.fetching == DownloadPolicy::NotRequested {
        writeln!(outside.err, "help: run with --fetch to fetch missing remotes")?;
    }
    Ok(Exit::OK)
}

fn prepare(
    arguments: &MoveArgs,
    outside: &CliPorts<'_>,
) -> Result<(PathMove, WriteScope, Secrets), MoveRefusal> {
    let usage = |words: String| MoveRefusal::Usage(words);
    let mut options = options::repository_options(&arguments.build, outside).map_err(usage)?;
    options.functions = options.functions.in_workbench();
    let files: Arc<dyn Files> = Arc::new(KeptFiles::new(outside.ports.files.clone()));
    let remote = Arc::new(FailureCachingRemote::new(outside.ports.remote.clone()));
    let ports = Ports { files: files.clone(), remote, ..outside.ports.clone() };
    let (from, to) = paths(arguments, outside, &*files).map_err(usage)?;
    let around = repositories_around(std::slice::from_ref(&from), &*files, outside);
    let around =
        around.ok_or_else(|| usage("the targets of the repository are not known".into()))?;
    let own = around.iter().find(|(repository, _)| from.starts_with(&repository.root));
    let (repository, objects) = own
        .filter(|(repository, _)| to.starts_with(&repository.root) && from != repository.root)
        .ok_or_else(|| usage("FROM and TO are not in one repository".into()))?;
    let secrets = Mutex::new(super::diff::secrets(false, outside));
    let current = &*outside.current;
    let builder = || rebuilder((&options, &ports), current, &secrets);
    let found = plan_move((&from, &to), (repository, objects), &files, &builder);
    let found = found.map_err(MoveRefusal::Failed)?;
    let scope = write_scope(&[from, repository.root.clone()], &*files);
    let secrets = secrets.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((found, scope, secrets))
}

/// The absolute old and new path, links resolved. If the new path is an existing folder, the file
/// or folder is moved into it.
fn paths(
    arguments: &MoveArgs,
    outside: &CliPorts<'_>,
    files: &dyn Files,
) -> Result<(PathBuf, PathBuf), String> {
    let from = clean(&outside.current.join(&arguments.from));
    let (from, _) =
        files.resolve(&from).map_err(|error| format!("cannot read {}: {error}", arguments.from))?;
    let to = clean(&outside.current.join(&arguments.to));
    let name = from.file_name().ok_or("FROM has no name")?;
    if let Ok((folder, FileKind::Directory)) = files.resolve(&to) {
        return Ok((from.clone(), folder.join(name)));
    }
    // The folders above the new path may not exist yet.
    let above = to.ancestors().find_map(|above| Some((above, files.resolve(above).ok()?.0)));
    let Some((above, real)) = above else { return Ok((from, to)) };
    let to = to.strip_prefix(above).map(|rest| real.join(rest)).unwrap_or(to.clone());
    Ok((from, to))
}
