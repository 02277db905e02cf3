//! The commits that wrote the lines of a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{GitError, GitObjects};
use crate::host::store::trust_file::rfc3339;
use crate::repository::{Commit, LineCommit, Lineage};

/// The format of a commit in git's output: id, author and subject, separated by NUL.
const COMMIT_FORMAT: &str = "--format=%H%x00%an%x00%s";

fn parse_commit(line: &str) -> Option<Commit> {
    let mut parts = line.splitn(3, '\0').map(str::to_owned);
    Some(Commit { id: parts.next()?, author: parts.next()?, subject: parts.next()? })
}

/// The limit on listed branches and tags.
const MAX_REFERENCES: &str = "--count=300";

impl GitObjects {
    /// The short names of branches and tags, the newest first.
    pub fn references(&self) -> Result<Vec<String>, GitError> {
        let listed = self.run(&[
            "for-each-ref",
            "--sort=-creatordate",
            MAX_REFERENCES,
            "--format=%(refname)",
            "refs/heads",
            "refs/remotes",
            "refs/tags",
        ])?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        // `refs/remotes/origin/HEAD` is another name of a branch.
        let names = listed.lines().filter(|name| !name.ends_with("/HEAD"));
        let short = names.filter_map(|name| name.splitn(3, '/').nth(2));
        Ok(short.map(str::to_owned).collect())
    }

    /// The commits reachable from `to` and not from `from`, each before its parents.
    pub fn lineage(
        &self,
        from: &str,
        to: &str,
        first_parent: bool,
    ) -> Result<Vec<Lineage>, GitError> {
        let without = format!("^{from}");
        let mut arguments = vec!["rev-list", "--parents", "--topo-order"];
        arguments.extend(first_parent.then_some("--first-parent"));
        arguments.extend([to, &without, "--"]);
        let listed = self.run(&arguments)?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let commits = listed.lines().filter_map(|line| {
            let mut ids = line.split(' ').map(str::to_owned);
            let id = ids.next()?;
            // Even with `--first-parent`, git lists all parents.
            let parents = if first_parent { ids.take(1).collect() } else { ids.collect() };
            Some(Lineage { id, parents })
        });
        Ok(commits.collect())
    }

    pub fn parents(&self, id: &str) -> Result<Vec<String>, GitError> {
        let told = self.run(&["rev-list", "--parents", "-1", id, "--"])?;
        let told = String::from_utf8_lossy(&told).into_owned();
        Ok(told.split_whitespace().skip(1).map(str::to_owned).collect())
    }

    pub fn about(&self, id: &str) -> Result<Commit, GitError> {
        let told = self.run(&["log", "-1", COMMIT_FORMAT, "--no-show-signature", id, "--"])?;
        let told = String::from_utf8_lossy(&told).into_owned();
        let first = told.lines().next().and_then(parse_commit);
        first.ok_or_else(|| GitError::NoCommit(id.to_owned()))
    }

    /// The commits in the range `from..to` that change a file, newest first.
    pub fn commits(&self, from: &str, to: &str, file: &str) -> Result<Vec<Commit>, GitError> {
        let range = format!("{from}..{to}");
        let listed =
            self.run(&["log", COMMIT_FORMAT, "--no-show-signature", &range, "--", file])?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        Ok(listed.lines().filter_map(parse_commit).collect())
    }

    /// For each line of a file, from 1, that a commit in the range `from..to` wrote: the ID of that
    /// commit.
    pub fn blame(
        &self,
        from: &str,
        to: &str,
        file: &str,
    ) -> Result<BTreeMap<u32, String>, GitError> {
        let range = format!("{from}..{to}");
        let told = self.run(&["blame", "--porcelain", &range, "--", file])?;
        let told = String::from_utf8_lossy(&told).into_owned();
        let mut lines = BTreeMap::new();
        let mut old: Vec<String> = Vec::new();
        let mut current = (String::new(), 0);
        for line in told.lines() {
            let mut words = line.split(' ');
            let first = words.next().unwrap_or_default();
            if line.starts_with('\t') {
                lines.insert(current.1, current.0.clone());
            } else if line == "boundary" {
                old.push(current.0.clone());
            } else if first.len() >= 40 && first.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                let number = words.nth(1).and_then(|word| word.parse().ok()).unwrap_or_default();
                current = (first.to_owned(), number);
            }
        }
        lines.retain(|_, id| !old.contains(id));
        Ok(lines)
    }

    /// The commits that wrote the lines of a file, one for each line, as of the given commit.
    ///
    /// # Errors
    /// Objects are missing, or the commit does not contain the file.
    pub fn line_commits(&self, commit: &str, file: &str) -> Result<Vec<Arc<LineCommit>>, GitError> {
        let told = self.run(&["blame", "--porcelain", commit, "--", file])?;
        let told = String::from_utf8_lossy(&told).into_owned();
        // Git prints the details of a commit only at the first of its lines.
        let mut commits: BTreeMap<String, LineCommit> = BTreeMap::new();
        let mut ids: Vec<String> = Vec::new();
        let mut current = String::new();
        for line in told.lines() {
            if line.starts_with('\t') {
                ids.push(current.clone());
                continue;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            if word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                word.clone_into(&mut current);
            }
            let commit = commits.entry(current.clone()).or_default();
            match word {
                "author" => rest.clone_into(&mut commit.author),
                "author-time" => commit.date = rfc3339(rest.parse().unwrap_or_default()),
                "summary" => rest.clone_into(&mut commit.subject),
                _ => commit.id.clone_from(&current),
            }
        }
        let commits: BTreeMap<String, Arc<LineCommit>> =
            commits.into_iter().map(|(id, commit)| (id, Arc::new(commit))).collect();
        Ok(ids.iter().filter_map(|id| commits.get(id).cloned()).collect())
    }
}
