//! The path patterns of Argo CD and of ignore files, as regular expressions.

use regex::Regex;

/// The regular expression for a pattern of `github.com/gobwas/glob` without separators, for
/// `directory.include` and `exclude`: `*` matches slashes too, `{a,b}` are alternatives. `None` for
/// a pattern that does not compile: it matches no path.
pub(crate) fn gobwas_glob(pattern: &str) -> Option<Regex> {
    let braces = Syntax { any: ".", negations: &['!'], has_groups: true };
    Regex::new(&format!("(?s)^{}$", braces.translate(pattern)?)).ok()
}

/// The regular expression for a pattern of Go's `path.Match`, for the directories of a git
/// generator and the files of `kustomize edit`: no wildcard matches a slash. `None` for a pattern
/// that does not compile.
pub fn go_path(pattern: &str) -> Option<Regex> {
    let path = Syntax { any: "[^/]", negations: &['^'], has_groups: false };
    Regex::new(&format!("(?s)^{}$", path.translate(pattern)?)).ok()
}

/// The regular expression for a pathspec of `git ls-files`, for the files of a git generator:
/// wildcards match slashes, and a directory selects all files below it.
pub(crate) fn git_pathspec(pattern: &str) -> Option<Regex> {
    let pattern = pattern.trim_start_matches("./");
    if matches!(pattern, "" | ".") {
        return Regex::new("(?s)^").ok();
    }
    let pathspec = Syntax { any: ".", negations: &['!', '^'], has_groups: false };
    let literal = regex::escape(pattern.trim_end_matches('/'));
    let wild = pathspec.translate(pattern).map(|wild| format!("|{wild}")).unwrap_or_default();
    Regex::new(&format!("(?s)^(?:{literal}(?:/.*)?{wild})$")).ok()
}

/// The regular expression for one part of a pattern of an ignore file, which has no slash.
pub(super) fn ignored_name(pattern: &str) -> Option<Regex> {
    let name = Syntax { any: ".", negations: &['!', '^'], has_groups: false };
    Regex::new(&format!("(?s)^{}$", name.translate(pattern)?)).ok()
}

/// The rules in which the kinds of patterns differ.
struct Syntax {
    /// The expression for the character that `?` and each character of `*` match.
    any: &'static str,
    /// The characters that negate a character class.
    negations: &'static [char],
    /// True if `{a,b}` are alternatives.
    has_groups: bool,
}

impl Syntax {
    /// The regular expression for a pattern; `None` for an invalid one.
    fn translate(&self, pattern: &str) -> Option<String> {
        let mut out = String::new();
        let mut groups = 0_usize;
        let mut chars = pattern.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '*' => out.extend([self.any, "*"]),
                '?' => out.push_str(self.any),
                '[' => out.push_str(&read_character_class(&mut chars, self.negations)?),
                '{' if self.has_groups => {
                    groups += 1;
                    out.push_str("(?:");
                }
                '}' if groups > 0 => {
                    groups -= 1;
                    out.push(')');
                }
                ',' if groups > 0 => out.push('|'),
                '\\' => push_literal(&mut out, chars.next()?),
                c => push_literal(&mut out, c),
            }
        }
        (groups == 0).then_some(out)
    }
}

fn push_literal(out: &mut String, c: char) {
    out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
}

fn read_character_class(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    negations: &[char],
) -> Option<String> {
    let mut out = String::from("[");
    if chars.next_if(|c| negations.contains(c)).is_some() {
        out.push('^');
    }
    let mut is_empty = true;
    loop {
        match chars.next()? {
            ']' if !is_empty => break,
            '\\' => push_literal(&mut out, chars.next()?),
            '-' => out.push('-'),
            c @ ('[' | ']' | '^' | '&' | '~') => {
                out.push('\\');
                out.push(c);
            }
            c => push_literal(&mut out, c),
        }
        is_empty = false;
    }
    out.push(']');
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matching_texts<'t>(regex: Option<Regex>, texts: &[&'t str]) -> Vec<&'t str> {
        let regex = regex.unwrap();
        texts.iter().copied().filter(|text| regex.is_match(text)).collect()
    }

    #[test]
    fn include_and_exclude_match_across_slashes() {
        let paths = ["a.yaml", "b/a.yaml", "b/c.yml", "config.json", "b/env.yaml"];
        assert_eq!(
            matching_texts(gobwas_glob("*.yaml"), &paths),
            ["a.yaml", "b/a.yaml", "b/env.yaml"]
        );
        assert_eq!(
            matching_texts(gobwas_glob("{config.json,b/*.yml}"), &paths),
            ["b/c.yml", "config.json"]
        );
        assert_eq!(matching_texts(gobwas_glob("[!b]*.yaml"), &paths), ["a.yaml"]);
        assert!(gobwas_glob("{a").is_none());
    }

    #[test]
    fn directories_match_within_one_level() {
        let paths = ["apps", "apps/web", "apps/web/base", "apps/.hidden"];
        assert_eq!(matching_texts(go_path("apps/*"), &paths), ["apps/web", "apps/.hidden"]);
        assert_eq!(matching_texts(go_path("apps/w?b"), &paths), ["apps/web"]);
        assert_eq!(matching_texts(go_path("*"), &paths), ["apps"]);
        assert!(go_path("apps/[").is_none());
    }

    #[test]
    fn files_match_as_in_git_ls_files() {
        let paths = ["c/a/config.json", "c/config.json", "c/a/b/config.json", "c/a/config.yaml"];
        let json = ["c/a/config.json", "c/a/b/config.json"];
        assert_eq!(matching_texts(git_pathspec("c/**/config.json"), &paths), json);
        assert_eq!(matching_texts(git_pathspec("c/*/config.json"), &paths), json);
        assert_eq!(matching_texts(git_pathspec("c/a"), &paths).len(), 3);
        assert_eq!(matching_texts(git_pathspec("./c/config.json"), &paths), ["c/config.json"]);
    }
}
