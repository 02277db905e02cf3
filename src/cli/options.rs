//! From flags to the options of a build.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::engine::evaluate::{BuildOptions, Ports, Reorder, SettingsReader};
use crate::engine::load::{Files, LoadRestrictions, Network, RequiredSigner};
use crate::engine::plugin::{
    FunctionOptions, HelmFlags, PinPolicy, Severity, Trust, TrustedBy, TrustedCatalog,
};
use crate::engine::profile::Profile;

use super::{BuildFlags, CliPorts, TrustPorts, profile_of};
pub(super) use crate::repository::named_profile as named;
use crate::repository::{FailureRecorder, KeptFiles};

/// The build options that flags set.
///
/// # Errors
/// An unknown value of `--load-restrictor` or `--reorder`, in Kustomize's words.
pub fn build_options(
    flags: &BuildFlags,
    profile: Profile,
    managed_by_label: bool,
) -> Result<BuildOptions, String> {
    let load_restrictions = match flags.load_restrictor.as_str() {
        "LoadRestrictionsRootOnly" | "" => LoadRestrictions::RootOnly,
        "LoadRestrictionsNone" => LoadRestrictions::None,
        other => {
            let legal = "LoadRestrictionsRootOnly LoadRestrictionsNone";
            return Err(illegal("--load-restrictor", other, legal));
        }
    };
    let reorder = match flags.reorder.as_deref() {
        None => None,
        Some("legacy") => Some(Reorder::Legacy),
        Some("none") => Some(Reorder::None),
        Some(other) => return Err(illegal("--reorder", other, "legacy none")),
    };
    Ok(BuildOptions {
        profile,
        settings: SettingsReader::default(),
        load_restrictions,
        reorder,
        enable_alpha_plugins: flags.enable_alpha_plugins,
        enable_exec: flags.enable_exec,
        enable_helm: flags.enable_helm || flags.enable_alpha_plugins,
        helm_repositories: Vec::new(),
        helm: HelmFlags {
            command: flags.helm_command.clone(),
            api_versions: flags.helm_api_versions.clone(),
            kube_version: flags.helm_kube_version.clone(),
            debug: flags.helm_debug,
        },
        managed_by_label: flags.enable_managedby_label || managed_by_label,
        functions: function_options(flags)?,
        trust: Trust::default(),
        pins: PinPolicy {
            allow_unpinned: flags.allow_unpinned_images,
            require_pinned: flags.require_pinned,
        },
    })
}

/// The error for an unknown value of a flag, in Kustomize's words.
fn illegal(flag: &str, value: &str, legal: &str) -> String {
    format!("illegal flag value {flag} {value}; legal values: [{legal}]")
}

/// The options of a headless command on this target, trust included.
pub(super) fn headless_options(
    flags: &BuildFlags,
    target: &str,
    outside: &CliPorts<'_>,
) -> Result<BuildOptions, String> {
    let trust = trust(&flags.trusted_catalog, &flags.require_signature, outside)?;
    let (directory, files) = (outside.current.join(target), &*outside.ports.files);
    let profile = profile_of(flags.like.as_deref(), &outside.like, &directory, files)
        .map_err(|fault| fault.to_string())?;
    let options = build_options(flags, profile, outside.managed_by_label)?;
    // A setting of the user takes precedence over a setting of the repository.
    let is_said = flags.like.is_some() || outside.like.environment.is_some();
    let settings = SettingsReader::new(crate::repository::repository_settings);
    let settings = if is_said { settings.with_profile() } else { settings };
    let mut functions = options.functions;
    // If no download was requested, programs that a build runs must not fetch an image or a chart
    // either.
    functions.offline = outside.network != Network::Online;
    // A program that may not run leaves its step pending, because the result is not known; the tree
    // has no error.
    functions.waits = true;
    let helm_repositories = outside.like.helm_repositories.clone();
    Ok(BuildOptions { trust, settings, functions, helm_repositories, ..options })
}

/// The options of `kzui build`, which follows Kustomize: a program that may not run fails the
/// build.
pub(super) fn kustomize_options(
    flags: &BuildFlags,
    target: &str,
    outside: &CliPorts<'_>,
) -> Result<BuildOptions, String> {
    let mut options = headless_options(flags, target, outside)?;
    options.functions.waits = false;
    Ok(options)
}

/// The options of a headless command on many targets: each target sets its own profile, and the
/// current folder sets none.
pub(super) fn repository_options(
    flags: &BuildFlags,
    outside: &CliPorts<'_>,
) -> Result<BuildOptions, String> {
    headless_options(flags, "/", outside)
}

/// The options and ports of a command that builds many targets several times: each file is read
/// once, a remote that cannot be fetched is asked for once, and a function that may not run leaves
/// its step pending, which is no fault of the tree.
pub(super) fn repeated_builds(
    flags: &BuildFlags,
    outside: &CliPorts<'_>,
) -> Result<(BuildOptions, Ports), String> {
    let mut options = repository_options(flags, outside)?;
    options.functions = options.functions.in_workbench();
    let files: Arc<dyn Files> = KeptFiles::over(outside.ports.files.clone());
    let remote = Arc::new(FailureRecorder::new(outside.ports.remote.clone()));
    Ok((options, Ports { files, remote, ..outside.ports.clone() }))
}

/// The trust of the flags, the preferences and the records, and the required signers.
pub(super) fn trust(
    flags: &[String],
    signers: &[String],
    outside: &CliPorts<'_>,
) -> Result<Trust, String> {
    let TrustPorts { store, preferences, allows_additions, .. } = &outside.trust;
    let files = &*outside.ports.files;
    let signers = signer_options(signers, &outside.current, files)?;
    if !allows_additions {
        if flags.is_empty() {
            return Ok(Trust { signers, ..Trust::default() });
        }
        return Err("this kzui does not allow additional trusted catalogs".to_owned());
    }
    let records = store.records()?;
    let flags = trust_options(flags, &outside.current, files)?;
    Ok(Trust { flags, preferences: preferences.clone(), records, signers, ..Trust::default() })
}

/// The signers of `--require-signature`.
///
/// # Errors
/// A value that is no signer, or a file of it that cannot be used.
pub fn signer_options(
    flags: &[String],
    current: &Path,
    files: &dyn Files,
) -> Result<Vec<RequiredSigner>, String> {
    let parse = |text: &String| {
        let parsed = RequiredSigner::parse(text, current, files);
        parsed.map_err(|error| format!("--require-signature {error}"))
    };
    flags.iter().map(parse).collect()
}

/// The trusted catalogs of `--trusted-catalog`, links resolved.
pub fn trust_options(
    flags: &[String],
    current: &Path,
    files: &dyn Files,
) -> Result<Vec<TrustedCatalog>, String> {
    let parse = |text: &String| {
        let mut trusted = TrustedCatalog::parse(text, current)
            .map_err(|error| format!("--trusted-catalog {error}"))?;
        if let TrustedBy::Reference(reference) = &mut trusted.by {
            // A catalog that does not exist yet is compared by its path.
            *reference = reference.resolved(files).unwrap_or_else(|_| reference.clone());
        }
        Ok(trusted)
    };
    flags.iter().map(parse).collect()
}

/// The function options that the flags set. A function that may not run fails the build, unless
/// [`headless_options`] changes the policy.
fn function_options(flags: &BuildFlags) -> Result<FunctionOptions, String> {
    let fail_on_result = match flags.fail_on_result.as_deref() {
        None => None,
        Some(word @ ("error" | "warning")) => Severity::from_word(word),
        Some(other) => return Err(illegal("--fail-on-result", other, "error warning")),
    };
    Ok(FunctionOptions {
        enable_star: flags.enable_star,
        network: flags.network,
        network_name: flags.network_name.clone(),
        mounts: flags.mount.clone(),
        require_confinement: flags.require_confinement,
        require_limits: flags.require_limits,
        offline: flags.offline,
        env: flags.env.clone(),
        as_current_user: flags.as_current_user,
        timeout: parse_timeout(&flags.function_timeout)?,
        fail_on_result,
        waits: false,
        ..FunctionOptions::default()
    })
}

/// A time as Go writes it (`90s`, `5m`, `1h30m`, `500ms`) or plain seconds; `None` for 0.
fn parse_timeout(text: &str) -> Result<Option<Duration>, String> {
    let milliseconds = |part: &[u8]| {
        let part = std::str::from_utf8(part).ok()?;
        let (number, unit) = part.split_at(part.find(|c: char| !c.is_ascii_digit())?);
        let factor = match unit {
            "ms" => 1,
            "s" => 1000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => return None,
        };
        number.parse::<u64>().ok()?.checked_mul(factor)
    };
    // A part ends before the digits of the next one.
    let is_inside = |one: &u8, next: &u8| one.is_ascii_digit() || !next.is_ascii_digit();
    let mut parts = text.as_bytes().chunk_by(is_inside);
    let total = || parts.try_fold(0_u64, |all, part| all.checked_add(milliseconds(part)?));
    let plain = text.parse::<u64>().ok().and_then(|seconds| seconds.checked_mul(1000));
    let total = plain
        .or_else(total)
        .ok_or_else(|| format!("--function-timeout {text}: expected a time such as 90s or 5m"))?;
    Ok((total > 0).then(|| Duration::from_millis(total)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_written_as_go_writes_it() {
        let seconds = |text: &str| parse_timeout(text).map(|time| time.map(|time| time.as_secs()));
        assert_eq!(seconds("5m"), Ok(Some(300)));
        assert_eq!(seconds("1h30m10s"), Ok(Some(5410)));
        assert_eq!(seconds("90"), Ok(Some(90)));
        assert_eq!(seconds("0"), Ok(None));
        assert_eq!(parse_timeout("1s500ms"), Ok(Some(Duration::from_millis(1500))));
        assert!(seconds("soon").is_err());
        assert!(seconds("5").is_ok() && seconds("5x").is_err());
    }
}
