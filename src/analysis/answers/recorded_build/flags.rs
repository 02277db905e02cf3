//! The options of a recorded build, from the flags in its file.

use super::format::{RecordedBuild, damaged};
use crate::engine::evaluate::{BuildOptions, Reorder, SettingsReader};
use crate::engine::load::LoadRestrictions;
use crate::engine::plugin::{FunctionOptions, HelmFlags};
use crate::engine::profile::Profile;
use crate::repository::repository_settings;

impl RecordedBuild {
    /// The options with which the build is repeated: without fetching, and a function that may
    /// not run is pending. Trust is a decision of the reader, and is not set.
    ///
    /// # Errors
    /// A flag is unknown or has a value that is not valid.
    pub fn options(&self) -> Result<BuildOptions, String> {
        let mut options = offline_options();
        for word in &self.flags {
            let unknown = || damaged(format!("unknown flag: {word}"));
            set_flag(&mut options, word).ok_or_else(unknown)?;
        }
        Ok(options)
    }
}

/// The options of a build without flags, as for a headless command that does not fetch.
pub fn offline_options() -> BuildOptions {
    let functions = FunctionOptions { offline: true, waits: true, ..FunctionOptions::default() };
    let settings = SettingsReader::new(repository_settings);
    let helm = HelmFlags { command: "helm".to_owned(), ..HelmFlags::default() };
    BuildOptions {
        profile: Profile::latest(),
        settings,
        helm,
        functions,
        ..BuildOptions::default()
    }
}

/// Sets the option of one flag; `None` if the flag or its value is unknown.
fn set_flag(options: &mut BuildOptions, word: &str) -> Option<()> {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    match name {
        "--like" => *options = options.like(Profile::named(value)?),
        "--enable-alpha-plugins" => {
            options.enable_alpha_plugins = true;
            options.enable_helm = true;
        }
        "--enable-exec" => options.enable_exec = true,
        "--enable-helm" => options.enable_helm = true,
        "--helm-debug" => options.helm.debug = true,
        "--network" => options.functions.network = true,
        "--as-current-user" => options.functions.as_current_user = true,
        "--enable-star" => options.functions.enable_star = true,
        "--enable-managedby-label" => options.managed_by_label = true,
        "--load-restrictor" => {
            options.load_restrictions = match value {
                "LoadRestrictionsRootOnly" | "" => LoadRestrictions::RootOnly,
                "LoadRestrictionsNone" => LoadRestrictions::None,
                _ => return None,
            }
        }
        "--reorder" => {
            options.reorder = match value {
                "legacy" => Some(Reorder::Legacy),
                "none" => Some(Reorder::None),
                _ => return None,
            }
        }
        "--helm-command" => value.clone_into(&mut options.helm.command),
        "--helm-kube-version" => value.clone_into(&mut options.helm.kube_version),
        "--helm-api-versions" => options.helm.api_versions.push(value.to_owned()),
        "--network-name" => value.clone_into(&mut options.functions.network_name),
        "--env" => options.functions.env.push(value.to_owned()),
        _ => return None,
    }
    Some(())
}
