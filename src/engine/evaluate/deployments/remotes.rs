//! The remotes and branches of a checkout, read from the files in `.git` without running git, and
//! URLs of repositories for comparison.

use std::path::{Path, PathBuf};

use crate::load::{Files, clean};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::evaluate) struct GitFacts {
    pub(in crate::evaluate) remotes: Vec<String>,
    /// The branch that is checked out; `None` if no branch is.
    pub(in crate::evaluate) branch: Option<String>,
    pub(in crate::evaluate) default_branch: Option<String>,
}

impl GitFacts {
    pub(in crate::evaluate) fn read(root: &Path, files: &dyn Files) -> Self {
        let text =
            |path: &Path| Some(String::from_utf8_lossy(&files.read(path).ok()?).into_owned());
        let (own, common) = git_folders(&root.join(".git"), &text);
        let remotes = text(&common.join("config")).map(|config| remotes(&config));
        let branch = text(&own.join("HEAD")).and_then(|head| branch_in(&head, "ref: refs/heads/"));
        let head = text(&common.join("refs/remotes/origin/HEAD"));
        let default_branch = head.and_then(|head| branch_in(&head, "ref: refs/remotes/origin/"));
        Self { remotes: remotes.unwrap_or_default(), branch, default_branch }
    }
}

fn branch_in(head: &str, prefix: &str) -> Option<String> {
    head.trim().strip_prefix(prefix).map(str::to_owned)
}

/// The git folder of a checkout, and the git folder that all work trees of the checkout share.
fn git_folders(dot_git: &Path, text: &dyn Fn(&Path) -> Option<String>) -> (PathBuf, PathBuf) {
    let linked = text(dot_git).and_then(|it| Some(it.trim().strip_prefix("gitdir: ")?.to_owned()));
    let Some(own) = linked else { return (dot_git.to_owned(), dot_git.to_owned()) };
    let beside = dot_git.parent().unwrap_or(dot_git);
    let own = clean(&beside.join(own));
    let common = text(&own.join("commondir")).map(|it| clean(&own.join(it.trim())));
    (own.clone(), common.unwrap_or(own))
}

/// The URLs in the sections `[remote "…"]`.
fn remotes(config: &str) -> Vec<String> {
    let mut is_remote = false;
    let mut urls = Vec::new();
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_remote = line.starts_with("[remote ");
        } else if is_remote
            && let Some((key, url)) = line.split_once('=')
            && key.trim() == "url"
        {
            urls.push(normal_url(url.trim().trim_matches('"')));
        }
    }
    urls
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::evaluate) enum SourceIdentity {
    Url(String),
    /// Kind and name of a source that no file of the repository has.
    Undefined(String, String),
}

/// The URL without scheme, user, SSH port and `.git`, so that two URLs of one repository are equal.
pub(in crate::evaluate) fn normal_url(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.split_once('@').filter(|(user, _)| !user.contains('/')).map_or(rest, |it| it.1);
    let (host, path) = if scheme.is_empty() {
        rest.split_once(':').or_else(|| rest.split_once('/')).unwrap_or((rest, ""))
    } else {
        rest.split_once('/').unwrap_or((rest, ""))
    };
    let host = host.split(':').next().unwrap_or(host);
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    format!("{}/{path}", host.to_ascii_lowercase()).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::MemoryFiles;

    #[test]
    fn remotes_and_branches_are_read_also_of_a_linked_work_tree() {
        let config = "[core]\n\turl = x\n[remote \"origin\"]\n\turl = git@github.com:a/b.git\n";
        let files = MemoryFiles::default()
            .file("/r/.git/config", config)
            .file("/r/.git/HEAD", "ref: refs/heads/feature/x\n")
            .file("/r/.git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n")
            .file("/w/.git", "gitdir: /r/.git/worktrees/w\n")
            .file("/r/.git/worktrees/w/HEAD", "0123\n")
            .file("/r/.git/worktrees/w/commondir", "../..\n");
        let facts = GitFacts::read(Path::new("/r"), &files);
        assert_eq!(facts.remotes, ["github.com/a/b"]);
        assert_eq!(facts.branch.as_deref(), Some("feature/x"));
        assert_eq!(facts.default_branch.as_deref(), Some("main"));
        let linked = GitFacts::read(Path::new("/w"), &files);
        assert_eq!(linked, GitFacts { branch: None, ..facts });
    }
}
