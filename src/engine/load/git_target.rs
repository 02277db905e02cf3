//! Reading an entry as a git repository, a ref and a path (section 1.9, steps 1 to 8).

use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_decode_str;

use super::paths::{clean, is_absolute};

const SCHEMES: [&str; 4] = ["ssh://", "https://", "http://", "file://"];

impl GitTarget {
    /// The path in the repository, as in an origin. For a repository without a path, Kustomize
    /// displays the placeholder `notCloned`.
    pub(super) fn seen_as(&self) -> PathBuf {
        let path = clean(Path::new(&self.path));
        if path.as_os_str().is_empty() || path == Path::new(".") {
            return PathBuf::from("notCloned");
        }
        path
    }

    /// Reads an entry as a git target; `None` for a local path.
    pub fn parse(entry: &str) -> Option<Self> {
        if is_absolute(Path::new(entry)) {
            return None;
        }
        let (text, query) = entry.split_once('?').unwrap_or((entry, ""));
        let (host, rest) = host(text)?;
        let (repo, path) = split_repo(rest, host == "file://")?;
        let path = path.trim_start_matches('/');
        let leaves = clean(Path::new(path)).components().next() == Some(Component::ParentDir);
        if repo.is_empty() || leaves {
            return None;
        }
        let (repo, path) = (format!("{host}{repo}"), path.to_owned());
        // Kustomize's default is 27 seconds.
        let mut target =
            Self { repo, path, timeout_seconds: 27, submodules: true, ..Self::default() };
        target.set_query(query);
        Some(target)
    }

    fn set_query(&mut self, text: &str) {
        // In Kustomize one malformed pair invalidates all pairs of the query.
        let Some(pairs) = pairs(text) else { return };
        let get = |key: &str| pairs.iter().find(|(name, _)| name == key).map(|(_, text)| &**text);
        let given = |key: &str| get(key).filter(|text| !text.is_empty());
        given("ref").or(get("version")).unwrap_or_default().clone_into(&mut self.reference);
        if let Some(seconds) = given("timeout").and_then(seconds) {
            self.timeout_seconds = seconds;
        }
        self.submodules = given("submodules").and_then(go_bool).unwrap_or(self.submodules);
    }
}

/// The boolean in a text as by Go's `strconv.ParseBool`; `None` for any other text.
pub fn go_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// True for a text with the prefix `git::`, which Kustomize strips with a warning.
pub fn forces_git(text: &str) -> bool {
    without_prefix(text, "git::").is_some()
}

fn host(text: &str) -> Option<(String, &str)> {
    let text = without_prefix(text, "git::").unwrap_or(text);
    let (scheme, text) = SCHEMES
        .into_iter()
        .find_map(|scheme| Some((scheme, without_prefix(text, scheme)?)))
        .unwrap_or(("", text));
    if scheme == "file://" {
        return Some((scheme.to_owned(), text));
    }
    let (user, text) = text.split_at(user_length(text));
    let is_github = |text: &str| {
        without_prefix(text, "github.com/").or(without_prefix(text, "github.com:")).is_some()
    };
    let scp = scheme.is_empty() && (!user.is_empty() || is_github(text));
    if scheme.is_empty() && !scp {
        return None;
    }
    let (host, rest) = text.split_at(host_length(text, scp));
    if is_github(host) {
        let host = if scheme == "ssh://" || !user.is_empty() {
            format!("{user}github.com:")
        } else {
            "https://github.com/".to_owned()
        };
        return Some((host, rest));
    }
    (!host.is_empty()).then(|| (format!("{scheme}{user}{host}"), rest))
}

/// The length of `user@` at the start, or 0.
fn user_length(text: &str) -> usize {
    let Some((user, _)) = text.split_once('@') else { return 0 };
    let fits = user.starts_with(|first: char| first.is_ascii_alphabetic())
        && user.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if fits { user.len() + 1 } else { 0 }
}

/// The length of the host with its separator: a slash, or in SCP style a colon before any slash.
fn host_length(text: &str, scp: bool) -> usize {
    let slash = text.find('/');
    let colon = text.find(':').filter(|_| scp);
    let end = match (slash, colon) {
        (Some(slash), Some(colon)) if colon > 0 && colon < slash => Some(colon),
        (None, colon) => colon,
        (slash, _) => slash,
    };
    end.map_or(text.len(), |end| end + 1)
}

fn split_repo(text: &str, is_file: bool) -> Option<(&str, &str)> {
    /// The path segment before the repository's name in URLs of Azure.
    const AZURE: &str = "_git/";
    if let Some(start) = text.find(AZURE) {
        let name = start + AZURE.len();
        let end = text[name..].find('/').map_or(text.len(), |length| name + length);
        return Some(text.split_at(end));
    }
    if let Some((repo, path)) = text.split_once("//") {
        return Some((repo, path));
    }
    if let Some(start) = text.find(".git") {
        return Some(text.split_at(start + ".git".len()));
    }
    if is_file {
        return Some((text, ""));
    }
    let (first, _) = text.split_once('/')?;
    let name = first.len() + 1;
    let end = text[name..].find('/').map_or(text.len(), |length| name + length);
    Some(text.split_at(end))
}

fn without_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let start = text.get(..prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    let parts = text.split('&').filter(|part| !part.is_empty());
    let unescaped =
        |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let pairs = parts.map(|part| {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        (!part.contains(';')).then(|| (unescaped(key), unescaped(value)))
    });
    pairs.collect()
}

/// Whole seconds (`61`), or hours, minutes and seconds of a Go duration (`1m30s`); `None` unless it
/// is above zero.
fn seconds(text: &str) -> Option<u64> {
    let in_unit = |part: &str| {
        [("h", 3600), ("m", 60), ("s", 1)].into_iter().find_map(|(unit, seconds)| {
            Some(u64::from(part.strip_suffix(unit)?.parse::<u32>().ok()?) * seconds)
        })
    };
    let parts = || text.split_inclusive(|c: char| c.is_ascii_alphabetic()).map(in_unit).sum();
    text.parse().ok().or_else(parts).filter(|seconds| *seconds > 0)
}

/// A git repository, a ref in it and a path below it, as Kustomize reads it from an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GitTarget {
    /// The repository argument of `git fetch`.
    pub repo: String,
    /// The ref; empty for HEAD.
    pub reference: String,
    /// The path inside the repository, without a leading slash.
    pub path: String,
    pub timeout_seconds: u64,
    pub submodules: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entry, repository, ref, path; a repository of `-` is a local path.
    const CASES: &str = "
        /abs/path.git?ref=x                              | -
        base                                             | -
        ../base                                          | -
        app/base.git/x                                   | -
        https://example.com                              | -
        https://example.com/only                         | -
        https://example.com/a.yaml                       | -
        http://127.0.0.1:8080/a.yaml                     | -
        github.com/org                                   | -
        https://h.org/org/repo//../x                     | -
        https://h.org/org/repo/..x/y                     | https://h.org/org/repo | | ..x/y
        https://h.org/org/repo                           | https://h.org/org/repo | |
        HTTPS://h.org/org/repo/a/b?ref=v1                | https://h.org/org/repo | v1 | a/b
        https://h.org/org/repo?version=v2                | https://h.org/org/repo | v2 |
        https://h.org/org/repo?version=v2&ref=v1         | https://h.org/org/repo | v1 |
        https://h.org/org/repo?ref=v%2F1+b               | https://h.org/org/repo | v/1 b |
        https://h.org/org/repo?ref=a;b                   | https://h.org/org/repo | |
        https://h.org/a/b/c.git/d/e?ref=x                | https://h.org/a/b/c.git | x | d/e
        https://h.org/a/b/c//d/e.git                     | https://h.org/a/b/c | | d/e.git
        https://h.org/a/b//////etc                       | https://h.org/a/b | | etc
        https://u@dev.azure.com/o/p/_git/r/d/e           | https://u@dev.azure.com/o/p/_git/r | | d/e
        https://dev.azure.com/o/p/_git/r                 | https://dev.azure.com/o/p/_git/r | |
        git::https://h.org/org/repo//a                   | https://h.org/org/repo | | a
        GIT::ssh://git@h.org:22/org/repo                 | ssh://git@h.org:22/org/repo | |
        git@h.org:org/repo/a                             | git@h.org:org/repo | | a
        git@h.org:a/b/c.git//d                           | git@h.org:a/b/c.git | | d
        git@h.org/org/repo                               | git@h.org/org/repo | |
        git@h:a/b                                        | git@h:a/b | |
        u_x@h.org:org/repo                               | -
        github.com/org/repo/a/?ref=v1                    | https://github.com/org/repo | v1 | a/
        GitHub.com:org/repo                              | https://github.com/org/repo | |
        http://github.com/org/repo.git                   | https://github.com/org/repo.git | |
        git@github.com:org/repo                          | git@github.com:org/repo | |
        git@github.com/org/repo                          | git@github.com:org/repo | |
        ssh://github.com/org/repo                        | github.com:org/repo | |
        https://git@github.com/org/repo                  | git@github.com:org/repo | |
        file:///srv/repo                                 | file:///srv/repo | |
        file:///srv/repo//a?ref=main                     | file:///srv/repo | main | a
        file:///srv/repo.git/a                           | file:///srv/repo.git | | a
        file://                                          | -
        package@v1.28.0.example/configs/base             | package@v1.28.0.example/configs/base | |
    ";

    #[test]
    fn entries_are_split_into_repository_ref_and_path() {
        for line in CASES.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let mut cells = line.split('|').map(str::trim);
            let entry = cells.next().unwrap();
            let mut cell = || cells.next().unwrap_or_default().to_owned();
            let want = (cell(), cell(), cell());
            let found = GitTarget::parse(entry).map_or_else(
                || ("-".to_owned(), String::new(), String::new()),
                |target| (target.repo, target.reference, target.path),
            );
            assert_eq!(found, want, "{entry}");
        }
    }

    #[test]
    fn reads_timeout_and_submodules() {
        let read = |query: &str| {
            let target = GitTarget::parse(&format!("https://h.org/a/b?{query}")).unwrap();
            (target.timeout_seconds, target.submodules)
        };
        assert_eq!(read(""), (27, true));
        assert_eq!(read("timeout=300&submodules=0"), (300, false));
        assert_eq!(read("timeout=1m2s&submodules=maybe"), (62, true));
        assert_eq!(read("timeout=-5&submodules=False"), (27, false));
        assert_eq!(read("timeout=0"), (27, true));
        assert_eq!(read("timeout=5x"), (27, true));
    }
}
