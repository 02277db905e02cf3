//! The commit that wrote each line of a file on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{CommitTree, Commits, LineCommit};
use crate::engine::load::Files;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenBy {
    Commit(Arc<LineCommit>),
    NotCommitted,
}

/// The commits that wrote the lines of the files of one repository. Each file is read once.
pub struct LineCommits {
    commits: Arc<dyn Commits>,
    files: Arc<dyn Files>,
    head: String,
    tree: Arc<dyn CommitTree>,
    known: BTreeMap<PathBuf, Vec<WrittenBy>>,
}

impl LineCommits {
    pub fn new(commits: Arc<dyn Commits>, files: Arc<dyn Files>) -> Result<Self, String> {
        let head = commits.resolve_commit("HEAD")?;
        let tree = commits.tree(&head)?;
        Ok(Self { commits, files, head, tree, known: BTreeMap::new() })
    }

    /// The commit that wrote a line (from 1); `None` for a file outside this repository.
    pub fn commit_of_line(&mut self, file: &Path, line: u32) -> Result<Option<WrittenBy>, String> {
        let Some(number) = (line as usize).checked_sub(1) else { return Ok(None) };
        if !self.known.contains_key(file) {
            let all = if self.has(file) { self.all(file)? } else { Vec::new() };
            self.known.insert(file.to_owned(), all);
        }
        Ok(self.known.get(file).and_then(|all| all.get(number)).cloned())
    }

    /// True for a file of this work tree that is in no nested repository.
    fn has(&self, file: &Path) -> bool {
        let top = self.commits.work_tree_root();
        let above = file.ancestors().skip(1).take_while(|above| *above != top);
        file.starts_with(top)
            && above.into_iter().all(|above| self.files.resolve(&above.join(".git")).is_err())
    }

    fn all(&self, file: &Path) -> Result<Vec<WrittenBy>, String> {
        let there = self.files.read(file).map_err(|error| error.to_string())?;
        let now = lines(&there);
        let mut all = vec![WrittenBy::NotCommitted; now.len()];
        let Ok(committed) = self.tree.read(file) else { return Ok(all) };
        let before = lines(&committed);
        let writers = self.commits.lines(&self.head, file)?;
        for kept in capture_diff_slices(Algorithm::Myers, &before, &now) {
            let DiffOp::Equal { old_index, new_index, len } = kept else { continue };
            let kept = all.iter_mut().skip(new_index).zip(writers.iter().skip(old_index));
            kept.take(len).for_each(|(line, writer)| *line = WrittenBy::Commit(writer.clone()));
        }
        Ok(all)
    }
}

/// The lines of a file without their line ends: git may check files out with other line ends than
/// it stores.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\n").unwrap_or(line));
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect()
}
