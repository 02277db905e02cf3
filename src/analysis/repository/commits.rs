//! The port for reading commits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Listing;
use crate::engine::load::Files;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    pub id: String,
    pub author: String,
    /// The first line of the commit message.
    pub subject: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineCommit {
    pub id: String,
    pub author: String,
    /// The date, as RFC 3339.
    pub date: String,
    /// The first line of the commit message.
    pub subject: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    pub id: String,
    /// The ids of its parents: none for the first commit, more than one for a merge.
    pub parents: Vec<String>,
}

pub trait CommitTree: Files + Listing {
    fn differs_on_disk(&self, path: &Path) -> bool;
    /// The files that could not be read because their content is not in the object store, as in a
    /// partial clone.
    fn unread_files(&self) -> Vec<PathBuf>;
}

/// The error for a build of the commit that needed missing content; `None` if it had all of it.
pub fn missing_content(tree: &dyn CommitTree, top: &Path) -> Option<String> {
    let files = tree.unread_files();
    let first = files.first()?;
    let first = first.strip_prefix(top).unwrap_or(first).display();
    let more = match files.len() - 1 {
        0 => String::new(),
        1 => " and 1 more file".to_owned(),
        more => format!(" and {more} more files"),
    };
    Some(format!(
        "this clone lacks the content of '{first}'{more}: `git fetch --refetch --no-filter` gets it"
    ))
}

/// The commits of one repository. Reading them writes no file and runs no program that the
/// repository configures. Errors are in words.
pub trait Commits: Send + Sync {
    fn work_tree_root(&self) -> &Path;
    fn resolve_commit(&self, name: &str) -> Result<String, String>;
    fn merge_base(&self, one: &str, other: &str) -> Result<String, String>;
    /// The commits that lead to `to` and not to `from`, every commit before its parents. With
    /// `first_parent`, only those on the chain of first parents.
    fn lineage(&self, from: &str, to: &str, first_parent: bool) -> Result<Vec<Lineage>, String>;
    fn commit_summary(&self, id: &str) -> Result<Commit, String>;
    /// The ids of a commit's parents, the first one first.
    fn parents(&self, id: &str) -> Result<Vec<String>, String>;
    fn tree(&self, commit: &str) -> Result<Arc<dyn CommitTree>, String>;
    fn changed(&self, from: &str, to: &str) -> Result<Vec<PathBuf>, String>;
    /// The commits between two commits that change a file, newest first.
    fn commits_touching(&self, from: &str, to: &str, file: &Path) -> Result<Vec<Commit>, String>;
    /// The ids of the commits between two that wrote lines of a file, by line from 1.
    fn writers(&self, from: &str, to: &str, file: &Path) -> Result<BTreeMap<u32, String>, String>;
    /// For each line of a file in `commit`, the commit that wrote the line.
    fn lines(&self, commit: &str, file: &Path) -> Result<Vec<Arc<LineCommit>>, String>;
}
