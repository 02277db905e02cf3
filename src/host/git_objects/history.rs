//! Which commit wrote a line.

use std::collections::BTreeMap;

use super::{GitError, GitObjects};
use crate::repository::Commit;

impl GitObjects {
    /// The commits between two that touch a file, newest first.
    ///
    /// # Errors
    /// Objects are missing.
    pub fn commits(&self, from: &str, to: &str, file: &str) -> Result<Vec<Commit>, GitError> {
        let range = format!("{from}..{to}");
        let format = "--format=%H%x00%an%x00%s";
        let listed = self.run(&["log", format, "--no-show-signature", &range, "--", file])?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let commits = listed.lines().filter_map(|line| {
            let mut parts = line.splitn(3, '\0').map(str::to_owned);
            Some(Commit { id: parts.next()?, author: parts.next()?, subject: parts.next()? })
        });
        Ok(commits.collect())
    }

    /// The commits between two that wrote lines of a file, by line from 1.
    ///
    /// # Errors
    /// Objects are missing, or the file has not so many lines.
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
}
