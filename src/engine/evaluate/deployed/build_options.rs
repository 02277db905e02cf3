//! Argo CD's build options: `kustomize.buildOptions` of the Argo CD that the repository configures.
//! Options that would let a build run a program need the user's consent, so they are reported and
//! not applied. Without load restrictions, files outside the repository stay unreadable.

use crate::diagnostic::{DeployedRemark, Diagnostic};
use crate::load::LoadRestrictions;

use super::super::deployments::{ArgoSetting, ArgoSettings};
use super::super::{BuildOptions, Reorder};

#[derive(Clone, Debug, Default)]
pub(super) struct ArgoOptions {
    /// The setting of Argo CD, and those of its options that are applied.
    setting: Option<(ArgoSetting, Vec<String>)>,
    /// True if this setting, and not the user, lifts the load restrictions.
    pub(super) lifts_restrictions: bool,
}

impl ArgoOptions {
    /// Applies the options for the version of Kustomize that the Application names (empty if it
    /// names none) to the options of a build.
    pub(super) fn apply(
        settings: &ArgoSettings,
        version: &str,
        options: &mut BuildOptions,
    ) -> Self {
        let Some(setting) = settings.build_options(version) else { return Self::default() };
        let before = options.load_restrictions;
        let mut applied = Vec::new();
        for (name, value) in words(&setting.text) {
            if !is_already_set(name, &value, options) && set(name, &value, options) {
                applied.push(shown(name, &value));
            }
        }
        let lifts_restrictions = before != options.load_restrictions;
        Self { setting: Some((setting.clone(), applied)), lifts_restrictions }
    }

    pub(super) fn remarks(&self, options: &BuildOptions) -> Vec<Diagnostic> {
        let Some((setting, applied)) = &self.setting else { return Vec::new() };
        let mut remarks = Vec::new();
        let field = (setting.key.clone(), setting.holder);
        if !applied.is_empty() {
            let options = applied.join(" ");
            let remark = DeployedRemark::AppliedOptions { options, field: field.clone() };
            remarks.push(Diagnostic::new(remark, setting.mark));
        }
        let missing: Vec<String> = words(&setting.text)
            .into_iter()
            .filter(|(name, value)| !is_already_set(name, value, options))
            .map(|(name, value)| shown(name, &value))
            .collect();
        if !missing.is_empty() {
            let options = setting.text.clone();
            let remark = DeployedRemark::BuildOptions { options, field, missing };
            let hint = "add the flags to the command line if these programs may run";
            remarks.push(Diagnostic::new(remark, setting.mark).hint(hint));
        }
        remarks
    }
}

/// The options of a text: each with its value, empty if it has none.
fn words(text: &str) -> Vec<(&str, String)> {
    let mut words = text.split_whitespace().peekable();
    let mut options = Vec::new();
    while let Some(word) = words.next() {
        options.push(match word.split_once('=') {
            Some((name, value)) => (name, value.to_owned()),
            None if words.peek().is_some_and(|next| !next.starts_with('-')) => {
                (word, words.next().unwrap_or_default().to_owned())
            }
            None => (word, String::new()),
        });
    }
    options
}

fn shown(name: &str, value: &str) -> String {
    if value.is_empty() { name.to_owned() } else { format!("{name} {value}") }
}

/// Sets an option that does not let the build run programs. Returns false for any other option.
fn set(name: &str, value: &str, options: &mut BuildOptions) -> bool {
    match (name, value) {
        ("--load-restrictor" | "--load_restrictor", "LoadRestrictionsNone" | "none") => {
            options.load_restrictions = LoadRestrictions::None;
        }
        ("--reorder", "legacy") if options.reorder.is_none() => {
            options.reorder = Some(Reorder::Legacy);
        }
        ("--reorder", "none") if options.reorder.is_none() => {
            options.reorder = Some(Reorder::None);
        }
        ("--enable-managedby-label", "" | "true") => options.managed_by_label = true,
        ("--helm-kube-version", version) if options.helm.kube_version.is_empty() => {
            version.clone_into(&mut options.helm.kube_version);
        }
        ("--helm-api-versions", version) => options.helm.api_versions.push(version.to_owned()),
        _ => return false,
    }
    true
}

/// True if the options of the build already contain this option with this value.
fn is_already_set(name: &str, value: &str, options: &BuildOptions) -> bool {
    let is = |on: bool| (value != "false") == on;
    match name {
        "--enable-helm" => is(options.enable_helm),
        "--enable-alpha-plugins" | "--enable_alpha_plugins" => is(options.enable_alpha_plugins),
        "--enable-exec" => is(options.enable_exec),
        "--enable-star" => is(options.functions.enable_star),
        "--network" => is(options.functions.network),
        "--load-restrictor" | "--load_restrictor" => {
            let none = options.load_restrictions == LoadRestrictions::None;
            none == matches!(value, "LoadRestrictionsNone" | "none")
        }
        "--reorder" => match options.reorder {
            Some(Reorder::Legacy) => value == "legacy",
            Some(Reorder::None) => value == "none",
            None => false,
        },
        "--enable-managedby-label" => is(options.managed_by_label),
        "--helm-command" => options.helm.command == value,
        "--helm-kube-version" => options.helm.kube_version == value,
        "--helm-api-versions" => options.helm.api_versions.iter().any(|known| known == value),
        _ => false,
    }
}
