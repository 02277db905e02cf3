//! The files that source-controller leaves out of a source: its default list, or the patterns of
//! `.sourceignore` files and of `spec.ignore`, as in `.gitignore`; the last match decides
//! (`fluxcd/pkg/sourceignore`, `Storage.Archive`).

use std::path::Path;

use crate::load::{FileKind, Files};

/// The name of a file with ignore patterns.
pub(super) const IGNORE_FILE: &str = ".sourceignore";
/// Nesting limit for directories, above that of real repositories.
const MAX_DEPTH: usize = 64;
/// Patterns of files that are always left out.
const VERSION_CONTROL: &str = ".git/\n.gitignore\n.gitmodules\n.gitattributes\n";
/// Patterns of files that are left out unless the repository or the source has patterns.
const DEFAULTS: &str = "*.jpg\n*.jpeg\n*.gif\n*.png\n*.wmv\n*.flv\n*.tar.gz\n*.zip\n\
    .github/\n.circleci/\n.travis.yml\n.gitlab-ci.yml\nappveyor.yml\n.drone.yml\ncloudbuild.yaml\ncodeship-services.yml\n\
    codeship-steps.yml\n**/.goreleaser.yml\n**/.sops.yaml\n**/.flux.yaml\n";

/// The patterns of a source.
#[derive(Clone, Debug, Default)]
pub(super) struct IgnorePatterns {
    patterns: Vec<IgnorePattern>,
    takes_back: bool,
}

/// One line of an ignore file.
#[derive(Clone, Debug)]
struct IgnorePattern {
    /// The folders from the root to the `.sourceignore` file.
    domain: Vec<String>,
    parts: Vec<String>,
    takes_back: bool,
    only_directories: bool,
    /// True if the pattern has an inner slash, so that it matches from its folder only.
    is_path: bool,
}

impl IgnorePatterns {
    /// The patterns of all files below the root of a repository, and of `spec.ignore`.
    pub(super) fn read(root: &Path, files: &dyn Files, of_source: Option<&str>) -> Self {
        let mut own = Vec::new();
        gather(root, &mut Vec::new(), files, &mut own);
        let of_source = of_source.map(|text| (Vec::new(), text.to_owned()));
        own.extend(of_source);
        let mut ignored = Self::default();
        ignored.add(VERSION_CONTROL, &[]);
        let before = ignored.patterns.len();
        for (domain, text) in &own {
            ignored.add(text, domain);
        }
        if ignored.patterns.len() == before {
            ignored.add(DEFAULTS, &[]);
        }
        ignored.takes_back = ignored.patterns.iter().any(|pattern| pattern.takes_back);
        ignored
    }

    fn add(&mut self, text: &str, domain: &[String]) {
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        self.patterns.extend(lines.map(|line| IgnorePattern::parse(line, domain)));
    }

    /// Whether a path, relative to the repository, is excluded. A directory is not excluded if a
    /// pattern includes files in it again.
    pub(super) fn leaves_out(&self, path: &[&str], is_directory: bool) -> bool {
        if is_directory && self.takes_back && path.first() != Some(&".git") {
            return false;
        }
        let matching = self.patterns.iter().rev().find(|it| it.matches(path, is_directory));
        matching.is_some_and(|pattern| !pattern.takes_back)
    }
}

fn gather(
    directory: &Path,
    domain: &mut Vec<String>,
    files: &dyn Files,
    found: &mut Vec<(Vec<String>, String)>,
) {
    let names = files.list(directory).unwrap_or_default();
    if names.iter().any(|name| name == IGNORE_FILE)
        && let Ok(bytes) = files.read(&directory.join(IGNORE_FILE))
    {
        found.push((domain.clone(), String::from_utf8_lossy(&bytes).into_owned()));
    }
    if domain.len() >= MAX_DEPTH {
        return;
    }
    for name in names {
        let extension = Path::new(&name).extension().and_then(|it| it.to_str());
        let is_manifest = matches!(extension, Some("yaml" | "yml")) || name == ".git";
        let path = directory.join(&name);
        if !is_manifest
            && let Ok((real, FileKind::Directory)) = files.resolve(&path)
            && real == path
        {
            domain.push(name);
            gather(&path, domain, files, found);
            domain.pop();
        }
    }
}

impl IgnorePattern {
    fn parse(line: &str, domain: &[String]) -> Self {
        let takes_back = line.starts_with('!');
        let text = line.strip_prefix('!').unwrap_or(line);
        let text = if text.ends_with("\\ ") { text } else { text.trim_end_matches(' ') };
        let only_directories = text.ends_with('/');
        let text = text.strip_suffix('/').unwrap_or(text);
        let is_path = text.contains('/');
        let parts = text.split('/').map(str::to_owned).collect();
        Self { domain: domain.to_vec(), parts, takes_back, only_directories, is_path }
    }

    fn matches(&self, path: &[&str], is_directory: bool) -> bool {
        let is_inside = path.len() > self.domain.len()
            && self.domain.iter().zip(path).all(|(folder, part)| folder == part);
        if !is_inside {
            return false;
        }
        let below = path.get(self.domain.len()..).unwrap_or_default();
        if self.is_path {
            return self.matches_path(below, is_directory);
        }
        let Some(pattern) = self.parts.first() else { return false };
        let first = below.iter().position(|name| glob(pattern.as_bytes(), name.as_bytes()));
        first.is_some_and(|at| !self.only_directories || is_directory || at + 1 < below.len())
    }

    /// True if the pattern matches the path, or a folder above it (`globMatch` of go-git).
    fn matches_path(&self, mut path: &[&str], is_directory: bool) -> bool {
        let mut matched = false;
        let mut can_traverse = false;
        for (at, part) in self.parts.iter().enumerate() {
            match part.as_str() {
                "" => can_traverse = false,
                "**" if at + 1 == self.parts.len() => break,
                "**" => can_traverse = true,
                part if part.contains("**") || path.is_empty() => return false,
                part if can_traverse => {
                    can_traverse = false;
                    let is_one = |name: &&str| glob(part.as_bytes(), name.as_bytes());
                    let found = path.iter().position(is_one);
                    matched = found.is_some();
                    path = found.and_then(|at| path.get(at + 1..)).unwrap_or_default();
                }
                part => {
                    let Some((name, rest)) = path.split_first() else { return false };
                    if !glob(part.as_bytes(), name.as_bytes()) {
                        return false;
                    }
                    (matched, path) = (true, rest);
                }
            }
        }
        matched && (!self.only_directories || is_directory || !path.is_empty())
    }
}

/// True if a name matches one part of a pattern: `*`, `?`, `[…]`, and `\\` before a literal
/// character.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => {
            (0..=text.len()).any(|from| glob(rest, text.get(from..).unwrap_or_default()))
        }
        Some((b'?', rest)) => text.split_first().is_some_and(|(_, behind)| glob(rest, behind)),
        Some((b'[', rest)) => {
            let Some(end) = rest.iter().skip(1).position(|sign| *sign == b']').map(|at| at + 1)
            else {
                return false;
            };
            let (set, behind) = (rest.get(..end).unwrap_or_default(), rest.get(end + 1..));
            text.split_first().is_some_and(|(sign, more)| {
                is_in(set, *sign) && glob(behind.unwrap_or_default(), more)
            })
        }
        Some((b'\\', [sign, rest @ ..])) => {
            text.split_first().is_some_and(|(own, behind)| own == sign && glob(rest, behind))
        }
        Some((sign, rest)) => {
            text.split_first().is_some_and(|(own, behind)| own == sign && glob(rest, behind))
        }
    }
}

fn is_in(set: &[u8], sign: u8) -> bool {
    let (turned, set) = match set.split_first() {
        Some((b'^' | b'!', rest)) => (true, rest),
        _ => (false, set),
    };
    let mut found = false;
    let mut at = 0;
    while let Some(from) = set.get(at) {
        let to = set.get(at + 2).filter(|_| set.get(at + 1) == Some(&b'-'));
        found |= to.map_or(*from == sign, |to| (*from..=*to).contains(&sign));
        at += if to.is_some() { 3 } else { 1 };
    }
    found != turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::MemoryFiles;

    fn assert_left_out(ignored: &IgnorePatterns, cases: &[(&str, bool)]) {
        for (path, is_left_out) in cases {
            let parts: Vec<&str> = path.split('/').collect();
            assert_eq!(ignored.leaves_out(&parts, false), *is_left_out, "{path}");
        }
    }

    #[test]
    fn last_matching_pattern_decides_and_own_patterns_replace_the_default_list() {
        let files = MemoryFiles::default()
            .file(
                "/r/.sourceignore",
                "# all but one\n/*\n!/deploy\n*.bak.yaml\n**/drafts/\nv[0-9].yaml\n",
            )
            .file("/r/deploy/.sourceignore", "secret.yaml\n/top.yaml\n");
        let ignored = IgnorePatterns::read(Path::new("/r"), &files, Some("!/extra/"));
        assert_left_out(
            &ignored,
            &[
                ("other/a.yaml", true),
                ("extra/a.yaml", false),
                ("deploy/a.yaml", false),
                ("deploy/a.bak.yaml", true),
                ("deploy/x/drafts/a.yaml", true),
                ("deploy/v1.yaml", true),
                ("deploy/vx.yaml", false),
                ("deploy/x/secret.yaml", true),
                ("deploy/top.yaml", true),
                ("deploy/x/top.yaml", false),
                ("deploy/.github/a.yaml", false),
                ("deploy/.sops.yaml", false),
                ("other/.git/a.yaml", true),
            ],
        );
    }

    #[test]
    fn files_of_pipelines_are_left_out_without_own_patterns() {
        let files = MemoryFiles::default().file("/r/.sourceignore", "# none\n");
        let ignored = IgnorePatterns::read(Path::new("/r"), &files, None);
        assert_left_out(
            &ignored,
            &[
                ("a/.github/x.yaml", true),
                ("a/.sops.yaml", true),
                (".gitignore", true),
                ("a/cloudbuild.yaml", true),
                ("a/b.yaml", false),
            ],
        );
    }
}
