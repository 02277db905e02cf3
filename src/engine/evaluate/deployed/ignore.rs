//! The files that source-controller leaves out of a source: its default list, or the patterns of
//! `.sourceignore` files and of `spec.ignore`, as in `.gitignore`; the last match decides
//! (`fluxcd/pkg/sourceignore`, `Storage.Archive`).

use crate::load::IgnorePatterns;

use super::super::deployments::{DeploymentIndex, IGNORE_FILE};

const VERSION_CONTROL: &str = ".git/\n.gitignore\n.gitmodules\n.gitattributes\n";
/// Patterns of files that are left out unless the repository or the source has patterns.
const DEFAULTS: &str = "*.jpg\n*.jpeg\n*.gif\n*.png\n*.wmv\n*.flv\n*.tar.gz\n*.zip\n\
    .github/\n.circleci/\n.travis.yml\n.gitlab-ci.yml\nappveyor.yml\n.drone.yml\ncloudbuild.yaml\ncodeship-services.yml\n\
    codeship-steps.yml\n**/.goreleaser.yml\n**/.sops.yaml\n**/.flux.yaml\n";

/// The patterns of the `.sourceignore` files of a repository, and of `spec.ignore`.
pub(super) fn source_patterns(index: &DeploymentIndex, of_source: Option<&str>) -> IgnorePatterns {
    let files = index.texts.iter().filter(|(file, _)| file.ends_with(IGNORE_FILE));
    let own = files.map(|(file, bytes)| {
        let below = file.strip_prefix(&index.root).unwrap_or(file);
        let folders = below.parent().into_iter().flatten();
        let domain: Vec<String> = folders.map(|it| it.to_string_lossy().into_owned()).collect();
        (domain, String::from_utf8_lossy(bytes))
    });
    let mut own: Vec<_> = own.collect();
    // The patterns of an inner folder come after those around it.
    own.sort_by_key(|(domain, _)| domain.len());
    own.extend(of_source.map(|text| (Vec::new(), text.into())));
    let patterns_after = |first: &str| {
        let mut patterns = IgnorePatterns::default();
        patterns.add(first, &[]);
        for (domain, text) in &own {
            patterns.add(text, domain);
        }
        patterns
    };
    let defaults = if patterns_after("").is_empty() { DEFAULTS } else { "" };
    patterns_after(&format!("{VERSION_CONTROL}{defaults}"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::load::MemoryFiles;

    #[test]
    fn own_patterns_replace_the_default_list_and_those_of_the_source_come_last() {
        let is_left_out = |file: &str, of_source: Option<&str>, path: &str| {
            let files = MemoryFiles::default().file("/r/.sourceignore", file);
            let index = DeploymentIndex::read(Path::new("/r"), &files);
            let parts: Vec<&str> = path.split('/').collect();
            source_patterns(&index, of_source).leaves_out(&parts, false)
        };
        for path in
            [".gitignore", "a/.git/x", "a/.github/x.yaml", "a/.sops.yaml", "cloudbuild.yaml"]
        {
            assert!(is_left_out("# none\n", None, path), "{path}");
        }
        assert!(!is_left_out("# none\n", None, "a/b.yaml"));
        assert!(is_left_out("/*\n", None, "extra/a.yaml"));
        for path in ["extra/a.yaml", "extra/.github/a.yaml", "extra/.sops.yaml"] {
            assert!(!is_left_out("/*\n", Some("!/extra/"), path), "{path}");
        }
    }
}
