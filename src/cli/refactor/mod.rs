//! Edits of several files that builds prove: `kzui mv`, `extract`, `inline`, `convert` and `prune`.

mod plans;

pub(super) use plans::{
    ConvertArgs, ExtractArgs, InlineArgs, MoveArgs, PruneArgs, convert, extract, inline, move_path,
    prune,
};

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;

use super::failure::{CommandResult, Failure};
use super::targets::{path, repositories_around, write_scope};
use super::{BuildFlags, CliPorts, Exit, changes, options};
use crate::answers::secrets::Secrets;
use crate::answers::{PlannedEdit, Proof, Prover, RebuildTarget, relative};
use crate::draft::WriteScope;
use crate::engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate};
use crate::engine::load::{Files, Network};
use crate::repository::Repository;

// The flags of an edit of several files.
#[derive(Args, Clone, Debug)]
pub struct EditFlags {
    /// Write the files; by default only the diff and the summary are shown
    #[arg(long)]
    pub write: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}

struct PlanInput<'p, 'r> {
    /// The path of the command line, links resolved.
    path: &'p Path,
    repository: &'p Arc<Repository>,
    prover: &'p Prover<'p, 'r>,
    scope: &'p WriteScope,
    options: &'p BuildOptions,
    ports: &'p Ports,
    outside: &'p CliPorts<'p>,
}

/// Plans an edit in the repository around a path of the command line, shows its diff and summary,
/// and writes it on request. `to_write` is the help without `--write`, after "run with --write to".
fn run(
    (word, to_write): (&str, &str),
    flags: &EditFlags,
    outside: &mut CliPorts<'_>,
    planner: impl FnOnce(&PlanInput<'_, '_>) -> Result<PlannedEdit, Failure>,
) -> CommandResult {
    let (options, ports) = options::repeated_builds(&flags.build, outside)?;
    let files = ports.files.clone();
    let whole = path(word, outside, &*files);
    files
        .resolve(&whole)
        .map_err(|error| Failure::usage(format!("cannot read {word}: {error}")))?;
    let around = repositories_around(std::slice::from_ref(&whole), &files, outside);
    let own = around
        .as_ref()
        .and_then(|around| around.iter().find(|repository| whole.starts_with(&repository.root)));
    let repository =
        own.ok_or_else(|| Failure::usage("the targets of the repository are not known"))?;
    let secrets = Mutex::new(super::diff::secrets(false, outside));
    let builder = || rebuilder((&options, &ports), &outside.current, &secrets);
    let current = &*outside.current;
    let prover = Prover { repository, current, files: &files, builder: &builder };
    let scope = write_scope(&[whole.clone(), repository.root.clone()], &*files);
    let planned = planner(&PlanInput {
        path: &whole,
        repository,
        prover: &prover,
        scope: &scope,
        options: &options,
        ports: &ports,
        outside,
    })?;
    let secrets = secrets.into_inner().unwrap_or_else(PoisonError::into_inner);
    show_or_write((&planned, to_write), flags, (&scope, &secrets), outside)
}

/// Builds targets with other files, and notes the values of their Secrets.
pub(super) fn rebuilder<'a>(
    (options, ports): (&'a BuildOptions, &'a Ports),
    current: &'a Path,
    secrets: &'a Mutex<Secrets>,
) -> Box<RebuildTarget<'a>> {
    let mut memory = BuildCache::default();
    Box::new(move |target: &Path, files: Arc<dyn Files>| {
        let dir = target.to_string_lossy();
        let built =
            evaluate(&dir, current, options, &Ports { files, ..ports.clone() }, &mut memory);
        secrets.lock().unwrap_or_else(PoisonError::into_inner).learn(&built.trace);
        Some(built)
    })
}

/// Shows the diff and the summary of an edit, and writes it on request. Moved files are listed.
fn show_or_write(
    (planned, to_write): (&PlannedEdit, &str),
    flags: &EditFlags,
    (scope, secrets): (&WriteScope, &Secrets),
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    let PlannedEdit { changes, proof, moved, .. } = planned;
    let base = outside.current.clone();
    let is_moved =
        |path: &PathBuf| moved.iter().any(|(old, new)| new == path || old.contains(path));
    let edited = planned.edited.as_ref().unwrap_or(changes).iter();
    for change in edited.filter(|change| !is_moved(&change.path)) {
        outside.out.text(&changes::diff(change, &base, secrets))?;
    }
    for (old, new) in moved {
        let old: Vec<String> = old.iter().map(|old| relative(old, &base)).collect();
        writeln!(outside.out, "{} to {}", old.join(", "), relative(new, &base))?;
    }
    for line in &planned.lines {
        writeln!(outside.out, "{line}")?;
    }
    for (target, reason) in &proof.not_known {
        writeln!(outside.out, "{}: output not known: {reason}", relative(target, &base))?;
    }
    if changes.is_empty() {
        writeln!(outside.out, "{}", planned.words)?;
        return Ok(Exit::OK);
    }
    writeln!(outside.out, "{}, {}", planned.words, proof.words())?;
    if flags.write {
        outside.out.flush()?;
        let new = changes.iter().filter(|change| change.base.is_none());
        for folder in new.filter_map(|change| change.path.parent()) {
            (outside.create_directory)(folder)?;
        }
        changes::write(changes, scope, &planned.log, "written", outside)?;
    }
    print_help(Some(to_write), flags.write, proof, outside)?;
    Ok(Exit::OK)
}

/// Prints how to write an edit, or how to revert its write, and how to learn the outputs that are
/// not known.
pub(super) fn print_help(
    to_write: Option<&str>,
    is_written: bool,
    proof: &Proof,
    outside: &mut CliPorts<'_>,
) -> std::io::Result<()> {
    if is_written {
        writeln!(outside.err, "help: open the workbench and type `:log` to revert the write")?;
    } else if let Some(to_write) = to_write {
        writeln!(outside.err, "help: run with --write to {to_write}")?;
    }
    if !proof.not_known.is_empty() && outside.network == Network::Unasked {
        writeln!(outside.err, "help: run with --fetch to fetch missing remotes")?;
    }
    Ok(())
}

/// The absolute path of a word that may not exist yet: the links of the folders above it are
/// resolved.
fn new_path(word: &str, outside: &CliPorts<'_>, files: &dyn Files) -> PathBuf {
    let whole = path(word, outside, files);
    let above = whole.ancestors().find_map(|above| Some((above, files.resolve(above).ok()?.0)));
    let Some((above, real)) = above else { return whole };
    whole
        .strip_prefix(above)
        .map_or_else(|_| whole.clone(), |rest| crate::engine::load::clean(&real.join(rest)))
}
