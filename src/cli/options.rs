//! From flags to the options of a build.

use crate::engine::evaluate::{BuildOptions, Reorder};
use crate::engine::load::LoadRestrictions;

use super::BuildFlags;

/// A flag with a value that Kustomize refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadFlag(String);

/// The options that these flags mean.
///
/// # Errors
/// An unknown value of `--load-restrictor` or `--reorder`, in Kustomize's words.
pub fn build_options(flags: &BuildFlags, managed_by_label: bool) -> Result<BuildOptions, BadFlag> {
    let load_restrictions = match flags.load_restrictor.as_str() {
        "LoadRestrictionsRootOnly" => LoadRestrictions::RootOnly,
        "LoadRestrictionsNone" => LoadRestrictions::None,
        other => {
            return Err(BadFlag(format!(
                "illegal flag value --load-restrictor {other}; legal values: [LoadRestrictionsRootOnly LoadRestrictionsNone]"
            )));
        }
    };
    let reorder = match flags.reorder.as_deref() {
        None => None,
        Some("legacy") => Some(Reorder::Legacy),
        Some("none") => Some(Reorder::None),
        Some(other) => {
            return Err(BadFlag(format!(
                "illegal flag value --reorder {other}; legal values: [legacy none]"
            )));
        }
    };
    Ok(BuildOptions {
        load_restrictions,
        reorder,
        enable_alpha_plugins: flags.enable_alpha_plugins,
        enable_exec: flags.enable_exec,
        enable_helm: flags.enable_helm || flags.enable_alpha_plugins,
        helm_command: flags.helm_command.clone(),
        helm_api_versions: flags.helm_api_versions.clone(),
        helm_kube_version: flags.helm_kube_version.clone(),
        helm_debug: flags.helm_debug,
        managed_by_label: flags.enable_managedby_label || managed_by_label,
    })
}
