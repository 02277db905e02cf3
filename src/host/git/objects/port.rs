//! Commits, as an implementation of the port in `repository`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{GitError, GitObjects};
use crate::host::store::trust_file::rfc3339;
use crate::repository::{Commit, CommitTree, Commits, LineCommit, Lineage};

/// The format of a commit in git's output: id, author and subject, separated by NUL.
const COMMIT_FORMAT: &str = "--format=%H%x00%an%x00%s";

pub struct GitCommits(Arc<GitObjects>);

impl GitCommits {
    pub fn around(folder: &Path) -> Result<Self, String> {
        Ok(Self(Arc::new(GitObjects::around(folder)?)))
    }

    fn ask_about(&self, arguments: &[&str], file: &Path) -> Result<String, GitError> {
        let file = file.strip_prefix(self.0.work_tree()).unwrap_or(file).to_string_lossy();
        self.0.run_text(&[arguments, &["--", &file]].concat())
    }
}

impl From<GitError> for String {
    fn from(error: GitError) -> Self {
        error.to_string()
    }
}

impl Commits for GitCommits {
    fn work_tree_root(&self) -> &Path {
        self.0.work_tree()
    }

    fn resolve_commit(&self, name: &str) -> Result<String, String> {
        Ok(self.0.commit(name)?)
    }

    fn merge_base(&self, one: &str, other: &str) -> Result<String, String> {
        let short = |id: &str| id.get(..9).unwrap_or(id).to_owned();
        let id = self.0.run_text(&["merge-base", one, other]).map_err(|_| {
            if self.0.is_shallow() {
                GitError::ShallowMergeBase(short(one), short(other))
            } else {
                GitError::Other(format!("{one} and {other} have no commit in common"))
            }
        });
        Ok(id?.trim().to_owned())
    }

    fn lineage(&self, from: &str, to: &str, first_parent: bool) -> Result<Vec<Lineage>, String> {
        let without = format!("^{from}");
        let mut arguments = vec!["rev-list", "--parents", "--topo-order"];
        arguments.extend(first_parent.then_some("--first-parent"));
        arguments.extend([to, &without, "--"]);
        let listed = self.0.run_text(&arguments)?;
        let commits = listed.lines().filter_map(|line| {
            let mut ids = line.split(' ').map(str::to_owned);
            let id = ids.next()?;
            // Even with `--first-parent`, git lists all parents.
            let parents = if first_parent { ids.take(1).collect() } else { ids.collect() };
            Some(Lineage { id, parents })
        });
        Ok(commits.collect())
    }

    fn commit_summary(&self, id: &str) -> Result<Commit, String> {
        let told =
            self.0.run_text(&["log", "-1", COMMIT_FORMAT, "--no-show-signature", id, "--"])?;
        let first = told.lines().next().and_then(parse_commit);
        first.ok_or_else(|| GitError::NoCommit(id.to_owned()).into())
    }

    fn parents(&self, id: &str) -> Result<Vec<String>, String> {
        let told = self.0.run_text(&["rev-list", "--parents", "-1", id, "--"])?;
        Ok(told.split_whitespace().skip(1).map(str::to_owned).collect())
    }

    fn tree(&self, commit: &str) -> Result<Arc<dyn CommitTree>, String> {
        Ok(Arc::new(self.0.tree(commit)?))
    }

    fn changed(&self, from: &str, to: &str) -> Result<Vec<PathBuf>, String> {
        Ok(self.0.tree(from)?.changed(&self.0.tree(to)?))
    }

    fn commits_touching(&self, from: &str, to: &str, file: &Path) -> Result<Vec<Commit>, String> {
        let range = format!("{from}..{to}");
        let listed =
            self.ask_about(&["log", COMMIT_FORMAT, "--no-show-signature", &range], file)?;
        Ok(listed.lines().filter_map(parse_commit).collect())
    }

    fn writers(&self, from: &str, to: &str, file: &Path) -> Result<BTreeMap<u32, String>, String> {
        let range = format!("{from}..{to}");
        let told = self.ask_about(&["blame", "--porcelain", &range], file)?;
        let blame = Blame::parse(&told);
        let lines = (1..).zip(blame.lines).filter(|(_, id)| !blame.old.contains(id));
        Ok(lines.collect())
    }

    fn lines(&self, commit: &str, file: &Path) -> Result<Vec<Arc<LineCommit>>, String> {
        let told = self.ask_about(&["blame", "--porcelain", commit], file)?;
        let blame = Blame::parse(&told);
        let commits: BTreeMap<String, Arc<LineCommit>> =
            blame.commits.into_iter().map(|(id, commit)| (id, Arc::new(commit))).collect();
        Ok(blame.lines.iter().filter_map(|id| commits.get(id).cloned()).collect())
    }
}

fn parse_commit(line: &str) -> Option<Commit> {
    let mut parts = line.splitn(3, '\0').map(str::to_owned);
    Some(Commit { id: parts.next()?, author: parts.next()?, subject: parts.next()? })
}

/// The output of `git blame --porcelain`.
#[derive(Default)]
struct Blame {
    lines: Vec<String>,
    commits: BTreeMap<String, LineCommit>,
    /// The IDs of the commits before the range.
    old: BTreeSet<String>,
}

impl Blame {
    fn parse(told: &str) -> Self {
        let mut blame = Self::default();
        let mut current = String::new();
        for line in told.lines() {
            if line.starts_with('\t') {
                blame.lines.push(current.clone());
                continue;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            if word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                word.clone_into(&mut current);
            }
            // Git prints the details of a commit only at the first of its lines.
            let commit = blame.commits.entry(current.clone()).or_default();
            match word {
                "author" => rest.clone_into(&mut commit.author),
                "author-time" => commit.date = rfc3339(rest.parse().unwrap_or_default()),
                "summary" => rest.clone_into(&mut commit.subject),
                "boundary" => blame.old.extend([current.clone()]),
                _ => commit.id.clone_from(&current),
            }
        }
        blame
    }
}
