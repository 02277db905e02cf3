//! Edits of several files that builds prove: the common part of `mv`, `extract`, `inline` and `prune`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;

use super::failure::{CommandResult, Failure};
use super::targets::{path, repositories_around, write_scope};
use super::{BuildFlags, CliPorts, Exit, changes, options};
use crate::answers::secrets::Secrets;
use crate::answers::{Proof, Prover, RebuildTarget, relative};
use crate::draft::{FileChange, WriteScope};
use crate::engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate};
use crate::engine::load::{Files, Network};
use crate::repository::{LocatedDeploymentObject, Repository};

// The flags of an edit of several files.
#[derive(Args, Clone, Debug)]
pub struct EditFlags {
    /// Write the files; by default only the diff and the summary are shown
    #[arg(long)]
    pub write: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}

pub(super) struct PlanInput<'p, 'r> {
    /// The path of the command line, links resolved.
    pub(super) path: &'p Path,
    pub(super) repository: &'p (Repository, Vec<LocatedDeploymentObject>),
    pub(super) prover: &'p Prover<'p, 'r>,
    pub(super) scope: &'p WriteScope,
    pub(super) options: &'p BuildOptions,
    pub(super) ports: &'p Ports,
}

/// A planned edit with everything that is needed to show and to write it.
pub(super) struct Planned<T> {
    pub(super) plan: T,
    pub(super) scope: WriteScope,
    pub(super) secrets: Secrets,
}

pub(super) struct Summary<'p> {
    /// All changes, and the builds that prove them.
    pub(super) changes: &'p [FileChange],
    pub(super) proof: &'p Proof,
    /// The diffs to show.
    pub(super) edited: Vec<FileChange>,
    /// The lines between the diffs and the last line.
    pub(super) lines: Vec<String>,
    /// The first part of the last line.
    pub(super) words: String,
    /// The name of the write in the log.
    pub(super) log: String,
    /// The help without `--write`, after "run with --write to".
    pub(super) to_write: &'static str,
}

/// Plans an edit in the repository around a path of the command line.
///
/// # Errors
/// The path is in no repository that can be read, or the plan is refused.
pub(super) fn plan<T>(
    word: &str,
    flags: &EditFlags,
    outside: &CliPorts<'_>,
    planner: impl FnOnce(&PlanInput<'_, '_>) -> Result<T, Failure>,
) -> Result<Planned<T>, Failure> {
    let (options, ports) = options::repeated_builds(&flags.build, outside)?;
    let files = ports.files.clone();
    let whole = path(word, outside, &*files);
    files
        .resolve(&whole)
        .map_err(|error| Failure::usage(format!("cannot read {word}: {error}")))?;
    let around = repositories_around(std::slice::from_ref(&whole), &files, outside);
    let own = around.as_ref().and_then(|around| {
        around.iter().find(|(repository, _)| whole.starts_with(&repository.root))
    });
    let repository =
        own.ok_or_else(|| Failure::usage("the targets of the repository are not known"))?;
    let secrets = Mutex::new(super::diff::secrets(false, outside));
    let current = &*outside.current;
    let builder = || rebuilder((&options, &ports), current, &secrets);
    let prover = Prover {
        repository: &repository.0,
        objects: &repository.1,
        files: &files,
        builder: &builder,
    };
    let scope = write_scope(&[whole.clone(), repository.0.root.clone()], &*files);
    let (path, options, ports) = (&*whole, &options, &ports);
    let input = PlanInput { path, repository, prover: &prover, scope: &scope, options, ports };
    let plan = planner(&input)?;
    let secrets = secrets.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Planned { plan, scope, secrets })
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

/// Shows the diff and the summary of an edit, and writes it on request.
pub(super) fn show_or_write<T>(
    planned: &Planned<T>,
    summary: &Summary<'_>,
    flags: &EditFlags,
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    let Summary { changes, proof, .. } = *summary;
    let base = outside.current.clone();
    for change in &summary.edited {
        outside.out.text(&changes::diff(change, &base, &planned.secrets))?;
    }
    for line in &summary.lines {
        writeln!(outside.out, "{line}")?;
    }
    for (target, reason) in &proof.not_known {
        writeln!(outside.out, "{}: output not known: {reason}", relative(target, &base))?;
    }
    writeln!(outside.out, "{}, {}", summary.words, proof.words())?;
    if flags.write {
        outside.out.flush()?;
        let new = changes.iter().filter(|change| change.base.is_none());
        for folder in new.filter_map(|change| change.path.parent()) {
            (outside.create_directory)(folder)?;
        }
        changes::write(changes, &planned.scope, &summary.log, "written", outside)?;
        writeln!(outside.err, "help: open the workbench and type `:log` to revert the write")?;
    } else {
        writeln!(outside.err, "help: run with --write to {}", summary.to_write)?;
    }
    if !proof.not_known.is_empty() && outside.network == Network::Unasked {
        writeln!(outside.err, "help: run with --fetch to fetch missing remotes")?;
    }
    Ok(Exit::OK)
}

/// The absolute path of a word that may not exist yet: the links of the folders above it are
/// resolved.
pub(super) fn new_path(word: &str, outside: &CliPorts<'_>, files: &dyn Files) -> PathBuf {
    let whole = path(word, outside, files);
    let above = whole.ancestors().find_map(|above| Some((above, files.resolve(above).ok()?.0)));
    let Some((above, real)) = above else { return whole };
    whole
        .strip_prefix(above)
        .map_or_else(|_| whole.clone(), |rest| crate::engine::load::clean(&real.join(rest)))
}
