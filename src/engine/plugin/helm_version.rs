//! The supported versions of the program `helm`.

use crate::diagnostic::PluginFault;
use crate::profile::{Profile, Switch};
use crate::transform::TransformError;
use crate::yaml::Mark;

/// The helm versions that a release of Kustomize, or the program that embeds it, accepts.
pub(super) struct HelmVersions {
    /// The accepted major versions: 3, 4 or both.
    accepts: [bool; 2],
    /// True if helm 4, which lacks the flag `-c`, is not expected.
    has_client_flag: bool,
}

impl HelmVersions {
    /// The supported versions of a profile.
    pub(super) fn for_profile(profile: Profile) -> Self {
        let has_client_flag = profile.has(Switch::OnlyHelm3);
        let only_4 = profile.has(Switch::ControllerHelm4);
        let only_3 = has_client_flag || profile.has(Switch::ControllerHelm3);
        let accepts = [!only_4, only_4 || !only_3];
        Self { accepts, has_client_flag }
    }

    /// The arguments that print the version of helm.
    pub(super) fn arguments(&self) -> &'static [&'static str] {
        if self.has_client_flag { &["version", "-c", "--short"] } else { &["version", "--short"] }
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
        let [is_3_accepted, is_4_accepted] = self.accepts;
        match version.split('.').next() {
            Some("3") if is_3_accepted => Ok(()),
            Some("4") if is_4_accepted => Ok(()),
            _ => {
                let accepted = match self.accepts {
                    [_, false] => "V3",
                    [false, true] => "V4",
                    [true, true] => "V3 or V4",
                };
                let fault = PluginFault::HelmVersion { version: version.to_owned(), accepted };
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
