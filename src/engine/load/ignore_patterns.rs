//! Patterns of ignored files, as in `.gitignore`; the last match decides.

use std::path::Path;

use regex::Regex;

use super::Files;
use super::glob::ignored_name;

/// The patterns of ignore files.
#[derive(Clone, Debug, Default)]
pub struct IgnorePatterns {
    patterns: Vec<IgnorePattern>,
    includes_again: bool,
}

#[derive(Clone, Debug)]
struct IgnorePattern {
    /// The folders from the root to the ignore file.
    domain: Vec<String>,
    parts: Vec<PatternPart>,
    takes_back: bool,
    only_directories: bool,
    /// True if the pattern has an inner slash, so that it matches from its folder only.
    is_path: bool,
}

/// The part of a pattern between two slashes.
#[derive(Clone, Debug)]
struct PatternPart {
    text: String,
    /// True for a part without special characters, as most parts are.
    is_literal: bool,
    /// `None` for a literal part, and for an invalid one, which matches no name.
    wildcards: Option<Regex>,
}

impl PatternPart {
    fn new(text: &str) -> Self {
        let is_literal = !text.contains(['*', '?', '[', '\\']);
        let wildcards = if is_literal { None } else { ignored_name(text) };
        Self { text: text.to_owned(), is_literal, wildcards }
    }

    fn matches(&self, name: &str) -> bool {
        let is_match = |wildcards: &Regex| wildcards.is_match(name);
        if self.is_literal {
            self.text == name
        } else {
            self.wildcards.as_ref().is_some_and(is_match)
        }
    }
}

impl IgnorePatterns {
    /// True without patterns.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Adds the lines of an ignore file; `domain` are the folders from the root to that file.
    pub fn add(&mut self, text: &str, domain: &[String]) {
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        self.patterns.extend(lines.map(|line| IgnorePattern::parse(line, domain)));
        self.includes_again = self.patterns.iter().any(|pattern| pattern.takes_back);
    }

    /// Whether a path, relative to the root, is excluded. A directory is not excluded if a pattern
    /// includes files in it again.
    pub fn leaves_out(&self, path: &[&str], is_directory: bool) -> bool {
        if is_directory && self.includes_again && path.first() != Some(&".git") {
            return false;
        }
        let matching = self.patterns.iter().rev().find(|it| it.matches(path, is_directory));
        matching.is_some_and(|pattern| !pattern.takes_back)
    }
}

pub(super) fn repository_of<'p>(path: &'p Path, files: &dyn Files) -> Option<&'p Path> {
    path.ancestors().skip(1).find(|above| files.resolve(&above.join(".git")).is_ok())
}

/// True if a `.gitignore` file of the repository around a path excludes it.
pub fn is_ignored_by_git(path: &Path, files: &dyn Files) -> bool {
    let Some(root) = repository_of(path, files) else { return false };
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    let mut patterns = IgnorePatterns::default();
    let mut folder = root.to_owned();
    (0..parts.len()).any(|depth| {
        if let Ok(bytes) = files.read(&folder.join(".gitignore")) {
            patterns.add(&String::from_utf8_lossy(&bytes), &parts[..depth]);
        }
        folder.push(&parts[depth]);
        patterns.leaves_out(&names[..=depth], depth + 1 < parts.len())
    })
}

impl IgnorePattern {
    fn parse(line: &str, domain: &[String]) -> Self {
        let takes_back = line.starts_with('!');
        let text = line.strip_prefix('!').unwrap_or(line);
        let text = if text.ends_with("\\ ") { text } else { text.trim_end_matches(' ') };
        let only_directories = text.ends_with('/');
        let text = text.strip_suffix('/').unwrap_or(text);
        let is_path = text.contains('/');
        let parts = text.split('/').map(PatternPart::new).collect();
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
        let Some(part) = self.parts.first() else { return false };
        let first = below.iter().position(|name| part.matches(name));
        first.is_some_and(|at| !self.only_directories || is_directory || at + 1 < below.len())
    }

    /// True if the pattern matches the path, or a folder above it (`globMatch` of go-git).
    fn matches_path(&self, mut path: &[&str], is_directory: bool) -> bool {
        let mut matched = false;
        let mut can_traverse = false;
        for (at, part) in self.parts.iter().enumerate() {
            match part.text.as_str() {
                "" => can_traverse = false,
                "**" if at + 1 == self.parts.len() => break,
                "**" => can_traverse = true,
                text if text.contains("**") || path.is_empty() => return false,
                _ if can_traverse => {
                    can_traverse = false;
                    let found = path.iter().position(|name| part.matches(name));
                    matched = found.is_some();
                    path = found.and_then(|at| path.get(at + 1..)).unwrap_or_default();
                }
                _ => match path.split_first() {
                    Some((name, rest)) if part.matches(name) => (matched, path) = (true, rest),
                    _ => return false,
                },
            }
        }
        matched && (!self.only_directories || is_directory || !path.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::MemoryFiles;

    #[test]
    fn files_of_gitignore_are_ignored() {
        let files = MemoryFiles::default()
            .file("/r/.git/HEAD", "")
            .file("/r/.gitignore", "*.env\n/out/\n!kept.env\n")
            .file("/r/a/.gitignore", "/secret.yaml\n");
        let is_ignored = |path: &str| is_ignored_by_git(Path::new(path), &files);
        for path in ["/r/a/c.env", "/r/out/x.yaml", "/r/a/secret.yaml"] {
            assert!(is_ignored(path), "{path}");
        }
        for path in ["/r/a/kept.env", "/r/a/out.yaml", "/r/secret.yaml", "/other/c.env"] {
            assert!(!is_ignored(path), "{path}");
        }
    }

    #[test]
    fn parts_match_as_in_git() {
        let matches = |part: &str, name: &str| PatternPart::new(part).matches(name);
        for (part, name) in [
            ("a.yaml", "a.yaml"),
            ("?.yaml", "ü.yaml"),
            ("[!a]b", "cb"),
            ("[^a-c]", "d"),
            ("[]a]", "]"),
            ("a[\\]]", "a]"),
            ("\\*", "*"),
            ("{a,b}", "{a,b}"),
        ] {
            assert!(matches(part, name), "{part} {name}");
        }
        for (part, name) in
            [("a.yaml", "abyaml"), ("[!a]b", "ab"), ("\\*", "a"), ("a\\", "a\\"), ("a[", "a[")]
        {
            assert!(!matches(part, name), "{part} {name}");
        }
    }
}
