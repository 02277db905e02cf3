//! The exclusions of a Flux source in `.sourceignore`: patterns as in `.gitignore`; the last match
//! decides.

use std::path::Path;

use crate::load::{FileKind, Files};

/// The name of the file.
const FILE: &str = ".sourceignore";
/// Nesting limit for directories, above that of real repositories.
const DEEPEST: usize = 64;
/// Default exclusions of a source.
const ALWAYS: &str = ".git/\n.gitignore\n.gitmodules\n.gitattributes\n*.jpg\n*.jpeg\n*.gif\n*.png\n*.wmv\n*.flv\n*.tar.gz\n*.zip\n\
    .github/\n.circleci/\n.travis.yml\n.gitlab-ci.yml\nappveyor.yml\n.drone.yml\ncloudbuild.yaml\ncodeship-services.yml\n\
    codeship-steps.yml\n**/.goreleaser.yml\n**/.sops.yaml\n**/.flux.yaml\n";

/// The patterns of a repository.
#[derive(Clone, Debug, Default)]
pub(super) struct Ignored {
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct Pattern {
    /// The folders from the root to the `.sourceignore` file.
    domain: Vec<String>,
    parts: Vec<String>,
    takes_back: bool,
    only_directories: bool,
    /// The pattern has an inner slash, so it matches from its folder only.
    is_path: bool,
}

impl Ignored {
    /// The patterns of all files below the root of a repository, after the default exclusions.
    pub(super) fn read(root: &Path, files: &dyn Files) -> Self {
        let mut ignored = Self::default();
        ignored.add(ALWAYS, &[]);
        ignored.gather(root, &mut Vec::new(), files);
        ignored
    }

    fn gather(&mut self, directory: &Path, domain: &mut Vec<String>, files: &dyn Files) {
        if let Ok(bytes) = files.read(&directory.join(FILE)) {
            self.add(&String::from_utf8_lossy(&bytes), domain);
        }
        if domain.len() >= DEEPEST {
            return;
        }
        for name in files.list(directory).unwrap_or_default() {
            let path = directory.join(&name);
            if name != ".git" && matches!(files.resolve(&path), Ok((_, FileKind::Directory))) {
                domain.push(name);
                self.gather(&path, domain, files);
                domain.pop();
            }
        }
    }

    fn add(&mut self, text: &str, domain: &[String]) {
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        self.patterns.extend(lines.map(|line| Pattern::parse(line, domain)));
    }

    /// Whether a path, relative to the repository, or one of its parent folders is excluded.
    pub(super) fn leaves_out(&self, path: &[&str], is_directory: bool) -> bool {
        (1..=path.len()).any(|length| {
            let part = path.get(..length).unwrap_or_default();
            let is_directory = is_directory || length < path.len();
            let fitting = self.patterns.iter().rev().find(|it| it.fits(part, is_directory));
            fitting.is_some_and(|pattern| !pattern.takes_back)
        })
    }
}

impl Pattern {
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

    fn fits(&self, path: &[&str], is_directory: bool) -> bool {
        let is_inside = path.len() > self.domain.len()
            && self.domain.iter().zip(path).all(|(folder, part)| folder == part);
        if !is_inside || self.only_directories && !is_directory {
            return false;
        }
        let below = path.get(self.domain.len()..).unwrap_or_default();
        if !self.is_path {
            let (Some(pattern), Some(name)) = (self.parts.first(), below.last()) else {
                return false;
            };
            return glob(pattern.as_bytes(), name.as_bytes());
        }
        let parts: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        let parts =
            if parts.first() == Some(&"") { parts.get(1..).unwrap_or_default() } else { &parts };
        all(parts, below)
    }
}

/// Matches the parts of a pattern against those of a path; `**` matches any number of folders.
fn all(pattern: &[&str], path: &[&str]) -> bool {
    match pattern.split_first() {
        None => path.is_empty(),
        Some((&"**", [])) => !path.is_empty(),
        Some((&"**", rest)) => {
            (0..=path.len()).any(|from| all(rest, path.get(from..).unwrap_or_default()))
        }
        Some((first, rest)) => path.split_first().is_some_and(|(name, behind)| {
            glob(first.as_bytes(), name.as_bytes()) && all(rest, behind)
        }),
    }
}

/// Matches one part: `*`, `?`, `[…]`, and `\\` before a literal character.
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

    #[test]
    fn the_last_pattern_that_fits_decides() {
        let files = MemoryFiles::default()
            .file(
                "/r/.sourceignore",
                "# all but one\n/*\n!/deploy\n*.bak.yaml\n**/drafts/\nv[0-9].yaml\n",
            )
            .file("/r/deploy/.sourceignore", "secret.yaml\n/top.yaml\n");
        let ignored = Ignored::read(Path::new("/r"), &files);
        for (path, is_left_out) in [
            ("other/a.yaml", true),
            ("deploy/a.yaml", false),
            ("deploy/a.bak.yaml", true),
            ("deploy/x/drafts/a.yaml", true),
            ("deploy/v1.yaml", true),
            ("deploy/vx.yaml", false),
            ("deploy/x/secret.yaml", true),
            ("deploy/top.yaml", true),
            ("deploy/x/top.yaml", false),
            ("deploy/.github/a.yaml", true),
            ("deploy/.sops.yaml", true),
        ] {
            let parts: Vec<&str> = path.split('/').collect();
            assert_eq!(ignored.leaves_out(&parts, false), is_left_out, "{path}");
        }
    }
}
