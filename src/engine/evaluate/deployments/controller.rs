//! The release of Flux that a repository installs: builds of its objects imitate it.

use std::path::{Path, PathBuf};

use crate::profile::{EMBEDDERS, Profile};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::evaluate) struct Controller {
    pub(in crate::evaluate) file: PathBuf,
    pub(in crate::evaluate) line: u32,
    pub(in crate::evaluate) profile: Profile,
}

/// The text before a version number, the prefix of the version profile for that number, and by how
/// much the minor version of Flux is higher.
const SIGNS: [(&str, &str, u32); 6] = [
    ("fluxcd/kustomize-controller:v1.", "flux-2.", 0),
    ("fluxcd/flux2/manifests/install?ref=v2.", "flux-2.", 0),
    ("fluxcd/flux2//manifests/install?ref=v2.", "flux-2.", 0),
    ("fluxcd/kustomize-controller:v0.", BEFORE_2, 6),
    ("fluxcd/flux2/manifests/install?ref=v0.", BEFORE_2, 0),
    ("fluxcd/flux2//manifests/install?ref=v0.", BEFORE_2, 0),
];

/// The end of the URL of an artifact with the manifests of Flux.
const MANIFESTS: &str = "/fluxcd/flux-manifests";

/// The number of lines after the URL in which the reference is searched.
const MAX_REFERENCE_LINES: usize = 4;

/// The prefix of the profiles of Flux before its version 2.
const BEFORE_2: &str = "flux-0.";

impl Controller {
    /// The first installation of a controller in a text.
    pub(in crate::evaluate) fn find(file: &Path, text: &str) -> Option<Self> {
        SIGNS
            .iter()
            .find_map(|(sign, program, ahead)| {
                let at = text.find(sign)?;
                let rest = text.get(at + sign.len()..)?;
                let line = u32::try_from(text.get(..at)?.lines().count().max(1)).ok()?;
                if *program != BEFORE_2 {
                    return Self::from_version(file, program, rest, line);
                }
                let end = rest.find(|c: char| !c.is_ascii_digit())?;
                let minor = rest.get(..end)?.parse::<u32>().ok()? + ahead;
                Self::from_version(file, program, &minor.to_string(), line)
            })
            .or_else(|| Self::from_manifests(file, text))
    }

    /// The installation with the tag or range of an `OCIRepository` with the manifests of Flux.
    fn from_manifests(file: &Path, text: &str) -> Option<Self> {
        let mut lines = (1..).zip(text.lines());
        lines.find(|(_, line)| line.trim_end().ends_with(MANIFESTS))?;
        lines.take(MAX_REFERENCE_LINES).find_map(|(number, line)| {
            let (key, version) = line.trim().split_once(':')?;
            let version = version.split('#').next()?.trim().trim_matches(['"', '\'']);
            let is_version = matches!(key, "tag" | "semver");
            is_version.then(|| Self::from_flux_instance(file, version, None, number))?
        })
    }

    /// The installation with the `distribution.version` of a `FluxInstance`: a release, or a range
    /// such as `2.x`, which counts as the newest release that kzui knows. Manifests with a fixed tag
    /// (`distribution.artifact`) may lack that release: the one before it counts.
    pub(in crate::evaluate) fn from_flux_instance(
        file: &Path,
        version: &str,
        artifact: Option<&str>,
        line: u32,
    ) -> Option<Self> {
        let minor = version.trim_start_matches(['v', '=', '~', '^', '>']).strip_prefix("2.")?;
        if minor.starts_with(|first: char| first.is_ascii_digit()) && !version.starts_with('^') {
            return Self::from_version(file, "flux-2.", minor, line);
        }
        let is_fixed = artifact.is_some_and(|it| {
            it.contains('@') || it.rsplit_once(':').is_some_and(|(_, tag)| is_fixed_tag(tag))
        });
        let mut newest = EMBEDDERS.iter().rev().filter(|it| it.name.starts_with("flux-2."));
        let profile = Profile::named(newest.nth(usize::from(is_fixed))?.name)?;
        Some(Self { file: file.to_owned(), line, profile })
    }

    fn from_version(file: &Path, program: &str, version: &str, line: u32) -> Option<Self> {
        let end = version.find(|c: char| !c.is_ascii_digit() && c != '.');
        let version = version.get(..end.unwrap_or(version.len()))?.trim_end_matches('.');
        let profile = Profile::named_or_oldest(&format!("{program}{version}"))?;
        Some(Self { file: file.to_owned(), line, profile })
    }
}

/// True for the tag of one release, and no address or moving tag.
fn is_fixed_tag(tag: &str) -> bool {
    tag.trim_start_matches('v').starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_found_in_images_remotes_and_instances() {
        let file = Path::new("/r/a.yaml");
        let found =
            |text: &str| Controller::find(file, text).map(|it| (it.profile.name(), it.line));
        let image = "a: b\n  image: ghcr.io/fluxcd/kustomize-controller:v1.8.2\n";
        assert_eq!(found(image), Some(("flux-2.8", 2)));
        let remote = "- github.com/fluxcd/flux2/manifests/install?ref=v2.6.1\n";
        assert_eq!(found(remote), Some(("flux-2.6", 1)));
        let manifests =
            "  url: oci://ghcr.io/fluxcd/flux-manifests\n  ref:\n    tag: v2.6.4 # pinned\n";
        assert_eq!(found(manifests), Some(("flux-2.6", 3)));
        let before_2 = "image: ghcr.io/fluxcd/kustomize-controller:v0.34.0\n";
        assert_eq!(found(before_2), Some(("flux-0.40", 1)));
        let older_than_known = "image: fluxcd/kustomize-controller:v0.1.2\n";
        assert_eq!(found(older_than_known), Some(("flux-0.32", 1)));
        let of_flux = |text: &str| {
            Controller::from_flux_instance(file, text, None, 1).map(|it| it.profile.name())
        };
        assert_eq!(of_flux("2.7.x"), Some("flux-2.7"));
        assert_eq!(of_flux("v2.6.4"), Some("flux-2.6"));
        assert_eq!(
            of_flux("2.x"),
            EMBEDDERS.iter().rev().map(|it| it.name).find(|name| name.starts_with("flux-"))
        );
        let of_artifact = |tag: &str| {
            let artifact = format!("oci://example.com/manifests{tag}");
            Controller::from_flux_instance(file, "2.x", Some(&artifact), 1)
                .map(|it| it.profile.name())
        };
        assert_eq!(of_artifact(":latest"), of_flux("2.x"));
        assert_eq!(of_artifact(":v0.38.1"), Some("flux-2.8"));
    }
}
