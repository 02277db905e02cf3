//! Commits, as an implementation of the port in `repository`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{GitError, GitObjects, GitTree};
use crate::repository::{Commit, CommitTree, Commits, CommitsError, LineCommit, Lineage};

/// The commits of the repository that a folder lies in.
pub struct GitCommits(Arc<GitObjects>);

impl GitCommits {
    pub fn around(folder: &Path) -> Result<Self, CommitsError> {
        Ok(Self(Arc::new(GitObjects::around(folder).map_err(words)?)))
    }

    fn named<'a>(&self, file: &'a Path) -> std::borrow::Cow<'a, str> {
        file.strip_prefix(self.0.work_tree()).unwrap_or(file).to_string_lossy()
    }
}

impl CommitTree for GitTree {
    fn differs_on_disk(&self, path: &Path) -> bool {
        Self::differs_on_disk(self, path)
    }

    fn unread_files(&self) -> Vec<PathBuf> {
        Self::unread_files(self)
    }
}

impl Commits for GitCommits {
    fn work_tree_root(&self) -> &Path {
        self.0.work_tree()
    }

    fn resolve_commit(&self, name: &str) -> Result<String, CommitsError> {
        self.0.commit(name).map_err(words)
    }

    fn merge_base(&self, one: &str, other: &str) -> Result<String, CommitsError> {
        self.0.merge_base(one, other).map_err(words)
    }

    fn lineage(
        &self,
        from: &str,
        to: &str,
        first_parent: bool,
    ) -> Result<Vec<Lineage>, CommitsError> {
        self.0.lineage(from, to, first_parent).map_err(words)
    }

    fn commit_summary(&self, id: &str) -> Result<Commit, CommitsError> {
        self.0.about(id).map_err(words)
    }

    fn parents(&self, id: &str) -> Result<Vec<String>, CommitsError> {
        self.0.parents(id).map_err(words)
    }

    fn tree(&self, commit: &str) -> Result<Arc<dyn CommitTree>, CommitsError> {
        Ok(Arc::new(self.0.tree(commit).map_err(words)?))
    }

    fn changed(&self, from: &str, to: &str) -> Result<Vec<PathBuf>, CommitsError> {
        let tree = |name: &str| self.0.tree(name).map_err(words);
        Ok(tree(from)?.changed(&tree(to)?))
    }

    fn commits_touching(
        &self,
        from: &str,
        to: &str,
        file: &Path,
    ) -> Result<Vec<Commit>, CommitsError> {
        self.0.commits(from, to, &self.named(file)).map_err(words)
    }

    fn writers(
        &self,
        from: &str,
        to: &str,
        file: &Path,
    ) -> Result<BTreeMap<u32, String>, CommitsError> {
        self.0.blame(from, to, &self.named(file)).map_err(words)
    }

    fn lines(&self, commit: &str, file: &Path) -> Result<Vec<Arc<LineCommit>>, CommitsError> {
        self.0.line_commits(commit, &self.named(file)).map_err(words)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn words(error: GitError) -> CommitsError {
    CommitsError(error.to_string())
}
