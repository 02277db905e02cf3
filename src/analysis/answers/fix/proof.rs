//! The proof of an edit: every target that reads a changed file keeps its output.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::{headline, printed_output, relative};
use crate::draft::{DraftedFiles, FileChange};
use crate::engine::evaluate::Evaluation;
use crate::engine::load::Files;
use crate::engine::yaml::{Node, print_documents};
use crate::repository::{Repository, map_in_parallel};

use super::repairs::RebuildTarget;

pub struct Prover<'a, 'r> {
    pub repository: &'a Repository,
    pub current: &'a Path,
    pub files: &'a Arc<dyn Files>,
    pub builder: &'a (dyn Fn() -> Box<RebuildTarget<'r>> + Sync),
}

/// An edit of several files that builds prove, with its description. Paths in it are relative to the
/// working directory.
#[derive(Debug, Default)]
pub struct PlannedEdit {
    pub changes: Vec<FileChange>,
    pub proof: Proof,
    /// The changes with a diff; by default all. Moved files among them are listed instead.
    pub edited: Option<Vec<FileChange>>,
    /// The old paths of files with equal bytes, and their new path.
    pub moved: Vec<(Vec<PathBuf>, PathBuf)>,
    /// The lines between the diffs and the last line.
    pub lines: Vec<String>,
    /// The first part of the last line.
    pub words: String,
    /// The name of the write in the log.
    pub log: String,
}

pub(super) type NewTexts = BTreeMap<PathBuf, Option<Arc<[u8]>>>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The number of targets that build with a changed file.
    pub targets: usize,
    pub not_known: BTreeMap<PathBuf, String>,
}

impl Proof {
    pub fn count_identical_targets(&self) -> usize {
        self.targets - self.not_known.len()
    }

    pub fn words(&self) -> String {
        let not_known = match self.not_known.len() {
            0 => String::new(),
            count => format!(", {count} not known"),
        };
        let (identical, targets) = (self.count_identical_targets(), self.targets);
        format!("{identical} of {targets} outputs identical{not_known}")
    }
}

/// Refuses an edit of files that a kustomization may use which cannot be read: its references are
/// not known.
pub(super) fn refuse_unreadable_users(
    repository: &Repository,
    edited: &[PathBuf],
    files: &dyn Files,
) -> Result<(), String> {
    match repository.unreadable_users(edited, files).first() {
        Some(shown) => Err(format!("{shown}: its references are not known; correct it first")),
        None => Ok(()),
    }
}

impl Prover<'_, '_> {
    pub(super) fn shown(&self, path: &Path) -> String {
        relative(path, &self.repository.root)
    }

    pub(super) fn shown_here(&self, path: &Path) -> String {
        relative(path, self.current)
    }

    pub(super) fn read(&self, path: &Path) -> Result<Arc<[u8]>, String> {
        self.files.read(path).map_err(|error| error.to_string())
    }

    pub(super) fn changes_to(&self, texts: NewTexts) -> Result<Vec<FileChange>, String> {
        let change = |(path, draft): (PathBuf, Option<Arc<[u8]>>)| {
            let is_there = self.files.resolve(&path).is_ok();
            let base = is_there.then(|| self.read(&path)).transpose()?;
            Ok(FileChange { path, base, draft })
        };
        texts.into_iter().map(change).collect()
    }

    /// Builds every target that reads a changed file, before and after the changes. `name_after` is
    /// the name of a target after the changes.
    pub(super) fn prove(
        &self,
        changes: &[FileChange],
        name_after: &(dyn Fn(&Path) -> PathBuf + Sync),
    ) -> Result<Proof, String> {
        let changed: Vec<PathBuf> =
            changes.iter().filter(|it| it.base.is_some()).map(|it| it.path.clone()).collect();
        refuse_unreadable_users(self.repository, &changed, &**self.files)?;
        let names = self.repository.all_target_names();
        let affected = self.repository.affected_targets(&names, &changed);
        let drafted = changes.iter().map(|change| (change.path.clone(), change.draft.clone()));
        let after: Arc<dyn Files> = Arc::new(DraftedFiles::new(drafted, self.files.clone()));
        let not_known = self
            .compare(&affected, &after, name_after)
            .map_err(|(target, reason)| format!("{}: {reason}", self.shown(&target)))?;
        // A base that does not build alone has no output to keep.
        let is_kept = |base: &PathBuf| {
            let file = self.repository.target(base).map(|target| &target.file);
            !changes.iter().any(|change| Some(&change.path) == file && change.draft.is_none())
        };
        let bases = self.repository.affected_bases(&names, &changed);
        let bases: Vec<PathBuf> = bases.into_iter().filter(is_kept).collect();
        self.compare(&bases, &after, name_after)
            .map_err(|(base, reason)| format!("{}: {reason}", self.shown(&base)))?;
        Ok(Proof { targets: affected.len(), not_known })
    }

    /// As [`Self::prove`], for texts of `subject` that keep the folders of all targets. The outputs of
    /// `targets`, and of one target at least, have to be known.
    pub(super) fn prove_known<'f>(
        &self,
        (texts, subject): (NewTexts, &str),
        targets: impl IntoIterator<Item = &'f Path>,
    ) -> Result<(Vec<FileChange>, Proof), String> {
        let changes = self.changes_to(texts)?;
        let proof = self.prove(&changes, &|name| name.to_owned())?;
        for target in targets {
            if let Some(reason) = proof.not_known.get(target) {
                return Err(format!("{}: {reason}", self.shown(target)));
            }
        }
        if proof.count_identical_targets() == 0 {
            return Err(format!("no target with a known output reads {subject}"));
        }
        Ok((changes, proof))
    }

    /// Builds targets before and after an edit, and returns the targets without a known output. An
    /// error names a target with another output.
    fn compare(
        &self,
        affected: &[PathBuf],
        after: &Arc<dyn Files>,
        name_after: &(dyn Fn(&Path) -> PathBuf + Sync),
    ) -> Result<BTreeMap<PathBuf, String>, (PathBuf, String)> {
        let unknown = self.in_parallel(affected, |[old, new], target| {
            let was = old(target, self.files.clone());
            let was = match was.as_ref().map(comparable_output) {
                Some(Ok(was)) => was,
                Some(Err(reason)) => return Ok(Some((target.clone(), reason))),
                None => return Ok(None),
            };
            let Some(now) = new(&name_after(target), after.clone()) else { return Ok(None) };
            match comparable_output(&now) {
                Ok(now) if now == was => Ok(None),
                Ok(now) => Err((target.clone(), first_difference(&was, &now))),
                Err(reason) => Err((target.clone(), format!("after the edit: {reason}"))),
            }
        })?;
        Ok(unknown.into_iter().flatten().collect())
    }

    /// The answers about some items, in parts that each have their own builders. A part ends with
    /// its first error; the error of the first such part is returned.
    pub(super) fn in_parallel<'t, const N: usize, I: Sync, T: Send, E: Send>(
        &self,
        items: &'t [I],
        work: impl Fn(&mut [Box<RebuildTarget<'_>>; N], &'t I) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        let share = items.len().div_ceil(rayon::current_num_threads().max(1)).max(1);
        let parts = map_in_parallel(items.chunks(share).collect(), |part| {
            let mut builders = std::array::from_fn(|_| (self.builder)());
            part.iter().map(|item| work(&mut builders, item)).collect::<Result<Vec<T>, E>>()
        });
        Ok(parts.into_iter().collect::<Result<Vec<_>, E>>()?.into_iter().flatten().collect())
    }
}

/// The printed output without the annotations that name source files; an error if the output is not
/// known.
fn comparable_output(built: &Evaluation) -> Result<String, String> {
    let resources = match &built.outcome {
        Err(error) => return Err(format!("its build fails: {}", headline(&error.message))),
        Ok(_) if printed_output(built).is_none() => return Err("a step is pending".to_owned()),
        Ok(resources) => resources,
    };
    let mut nodes: Vec<Node> = resources.iter().map(|it| it.node.clone()).collect();
    for metadata in nodes.iter_mut().filter_map(|node| node.get_mut("metadata")) {
        if let Some(annotations) = metadata.get_mut("annotations") {
            annotations.remove("config.kubernetes.io/origin");
        }
    }
    print_documents(nodes.iter()).map_err(|error| error.to_string())
}

/// The number of the first line that differs, in words. The line itself is not shown: it may belong
/// to a Secret.
fn first_difference(was: &str, now: &str) -> String {
    let line = was.lines().zip(now.lines()).take_while(|(old, new)| old == new).count();
    format!("its output would change in line {}", line + 1)
}
