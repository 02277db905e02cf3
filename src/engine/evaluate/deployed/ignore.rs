//! The files that source-controller leaves out of a source: its default list, or the patterns of
//! `.sourceignore` files and of `spec.ignore`, as in `.gitignore`; the last match decides
//! (`fluxcd/pkg/sourceignore`, `Storage.Archive`).

use std::path::Path;

use crate::load::{FileKind, Files, IgnorePatterns};

use super::super::deployments::{IGNORE_FILE, is_yaml};

/// Patterns of files that are always left out.
const VERSION_CONTROL: &str = ".git/\n.gitignore\n.gitmodules\n.gitattributes\n";
/// Patterns of files that are left out unless the repository or the source has patterns.
const DEFAULTS: &str = "*.jpg\n*.jpeg\n*.gif\n*.png\n*.wmv\n*.flv\n*.tar.gz\n*.zip\n\
    .github/\n.circleci/\n.travis.yml\n.gitlab-ci.yml\nappveyor.yml\n.drone.yml\ncloudbuild.yaml\ncodeship-services.yml\n\
    codeship-steps.yml\n**/.goreleaser.yml\n**/.sops.yaml\n**/.flux.yaml\n";

/// The patterns of all files below the root of a repository, and of `spec.ignore`.
pub(super) fn read_source_patterns(
    root: &Path,
    files: &dyn Files,
    of_source: Option<&str>,
) -> IgnorePatterns {
    let mut own = Vec::new();
    gather(root, &mut Vec::new(), files, &mut own);
    own.extend(of_source.map(|text| (Vec::new(), text.to_owned())));
    let mut patterns = IgnorePatterns::default();
    for (domain, text) in &own {
        patterns.add(text, domain);
    }
    let mut ignored = IgnorePatterns::default();
    ignored.add(VERSION_CONTROL, &[]);
    if patterns.is_empty() {
        ignored.add(DEFAULTS, &[]);
    }
    for (domain, text) in &own {
        ignored.add(text, domain);
    }
    ignored
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
    for name in names {
        let path = directory.join(&name);
        if !is_yaml(&path)
            && name != ".git"
            && let Ok((real, FileKind::Directory)) = files.resolve(&path)
            && real == path
        {
            domain.push(name);
            gather(&path, domain, files, found);
            domain.pop();
        }
    }
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
        let ignored = read_source_patterns(Path::new("/r"), &files, Some("!/extra/"));
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
        let ignored = read_source_patterns(Path::new("/r"), &files, None);
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
