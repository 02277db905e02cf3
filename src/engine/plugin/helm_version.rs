//! The supported versions of the program `helm`.

use crate::diagnostic::PluginFault;
use crate::profile::{Profile, Switch};
use crate::transform::TransformError;
use crate::yaml::Mark;

/// The helm versions that a release of Kustomize accepts.
pub(super) struct HelmVersions {
    only_3: bool,
}

impl HelmVersions {
    /// The supported versions of a release.
    pub(super) fn for_profile(profile: Profile) -> Self {
        Self { only_3: profile.has(Switch::OnlyHelm3) }
    }

    /// The arguments that print the version of helm.
    pub(super) fn arguments(&self) -> &'static [&'static str] {
        if self.only_3 { &["version", "-c", "--short"] } else { &["version", "--short"] }
    }

    /// Checks the output of helm's version command.
    ///
    /// # Errors
    /// No version, or an unsupported one.
    pub(super) fn check(&self, output: &[u8], mark: Mark) -> Result<(), TransformError> {
        let said = String::from_utf8_lossy(output);
        let Some(version) = version_in(&said) else {
            return Err(TransformError::fault(PluginFault::NoHelmVersion(said.into_owned()), mark));
        };
        let only_3 = self.only_3;
        match version.split('.').next() {
            Some("3") => Ok(()),
            Some("4") if !only_3 => Ok(()),
            _ => {
                let fault = PluginFault::HelmVersion { version: version.to_owned(), only_3 };
                let hint = "name another helm with --helm-command";
                Err(TransformError::fault(fault, mark).with_hint(hint))
            }
        }
    }
}

/// The first version in a text, without its `v`.
fn version_in(text: &str) -> Option<&str> {
    text.char_indices().filter(|(_, c)| c.is_ascii_digit()).find_map(|(start, _)| {
        let rest = &text[start..];
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let version = rest[..end].trim_end_matches('.');
        let whole = version.split('.').take_while(|part| !part.is_empty()).count();
        (whole > 1).then_some(version)
    })
}
