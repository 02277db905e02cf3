//! `kzui record`: a build in one file, for a colleague or a bug report.

use std::path::PathBuf;

use clap::{Args, Parser as _};

use super::{BuildFlags, CliPorts, Exit, options};
use crate::answers::recorded_build::{BuildToRecord, Symptom, record_build, shrink};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::{counted, message, to_json};
use crate::engine::diagnostic::Code;

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "The file has all inputs of the build, with values of Secrets masked; names, keys, comments and all other values are in it. `kzui FILE` opens it read-only, without fetching and without running programs.\n\nExamples:\n  kzui record overlays/production -o production.kzui.json\n  kzui production.kzui.json\n  kzui record overlays/broken -o report.json --shrink\n  kzui record overlays/production -o report.json --shrink --keep KZ103\n  kzui record overlays/production -o report.json --shrink --keep 'Deployment/web spec.replicas'\n\nExit status: 0 if the file is written, also for a build that fails; 1 if the build cannot be recorded or the file cannot be written, 2 for a usage error."
)]
pub struct RecordArgs {
    /// The target: a folder, or a file with a deployment object
    #[arg(value_name = "TARGET")]
    pub dir: String,
    /// The new file
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Remove entries, documents and files as long as the build still fails with the same error, or
    /// shows the same as --keep
    #[arg(long)]
    pub shrink: bool,
    /// A code (KZ103) or a resource and a field (`Deployment/web spec.replicas`): the finding or the value in the
    /// output that --shrink keeps
    #[arg(long, value_name = "CODE|FIELD", requires = "shrink", value_parser = parse_symptom)]
    pub keep: Option<Symptom>,
    #[command(flatten)]
    pub build: BuildFlags,
}

pub(super) fn run(arguments: &RecordArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let path = outside.current.join(&arguments.output);
    if outside.ports.files.resolve(&path).is_ok() {
        let name = arguments.output.display();
        return Err(Failure::usage(format!("{name} exists: name a new file")));
    }
    let options = options::headless_options(&arguments.build, &arguments.dir, outside)?;
    let asked = BuildToRecord {
        target: &arguments.dir,
        current: &outside.current,
        options: &options,
        ports: &outside.ports,
        salt: outside.repository.salt,
        flags: recorded_flags(&arguments.build),
        kzui_version: env!("CARGO_PKG_VERSION"),
    };
    let build = match record_build(&asked) {
        Ok(build) if arguments.shrink => {
            let symptom = arguments.keep.as_ref().unwrap_or(&Symptom::Failure);
            let Some((build, trials)) = shrink(&asked, build, symptom) else {
                let help = "--keep names the finding or the field that a smaller build must show";
                let shown = words(symptom);
                return Err(Failure::failed(format!(
                    "the build does not show {shown}; help: {help}"
                )));
            };
            writeln!(outside.out, "Tried {}.", counted(trials, "removal"))?;
            build
        }
        Ok(build) => build,
        Err(error) => {
            outside.err.text(&(message(&format!("error: {error}")) + "\n"))?;
            return Ok(Exit::FAILED);
        }
    };
    (outside.write)(&path, to_json(&build)?.as_bytes()).map_err(Failure::failed)?;
    let (files, masked) = (counted(build.files.len(), "file"), counted(build.masked.len(), "file"));
    let name = arguments.output.display();
    writeln!(outside.out, "Wrote {name}: {files}, values of Secrets masked in {masked}.")?;
    writeln!(
        outside.out,
        "All other values are in it: read it before you send it. Open it: kzui {name}"
    )?;
    Ok(Exit::OK)
}

fn parse_symptom(text: &str) -> Result<Symptom, String> {
    if let Some(code) = Code::named(text) {
        return Ok(Symptom::Finding(code));
    }
    match text.split_once(char::is_whitespace) {
        Some((resource, field)) if resource.contains('/') && !field.trim().is_empty() => {
            Ok(Symptom::Value { resource: resource.to_owned(), field: field.trim().to_owned() })
        }
        _ => Err("use a code, as in KZ103, or KIND/NAME and a field".to_owned()),
    }
}

fn words(symptom: &Symptom) -> String {
    match symptom {
        Symptom::Failure => "an error".to_owned(),
        Symptom::Finding(code) => code.as_str().to_owned(),
        Symptom::Value { resource, field } => format!("{field} of {resource}"),
    }
}

/// The flags with which the build is repeated. The version profile is that of the build; flags that
/// name files, and decisions about trust, are those of the reader.
fn recorded_flags(flags: &BuildFlags) -> Vec<String> {
    let switches = [
        ("--enable-alpha-plugins", flags.enable_alpha_plugins),
        ("--enable-exec", flags.enable_exec),
        ("--enable-helm", flags.enable_helm),
        ("--helm-debug", flags.helm_debug),
        ("--network", flags.network),
        ("--as-current-user", flags.as_current_user),
        ("--enable-star", flags.enable_star),
        ("--enable-managedby-label", flags.enable_managedby_label),
    ];
    let mut words: Vec<String> =
        switches.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| (*name).to_owned()).collect();
    let mut add = |name: &str, value: &str| words.push(format!("{name}={value}"));
    add("--load-restrictor", &flags.load_restrictor);
    add("--helm-command", &flags.helm_command);
    add("--helm-kube-version", &flags.helm_kube_version);
    add("--network-name", &flags.network_name);
    flags.reorder.iter().for_each(|order| add("--reorder", order));
    flags.helm_api_versions.iter().for_each(|version| add("--helm-api-versions", version));
    flags.env.iter().for_each(|variable| add("--env", variable));
    words
}

pub fn parse_recorded_flags(words: &[String]) -> Result<BuildFlags, String> {
    #[derive(clap::Parser)]
    struct Flags {
        #[command(flatten)]
        build: BuildFlags,
    }
    let all = std::iter::once("kzui").chain(words.iter().map(String::as_str));
    Flags::try_parse_from(all).map(|flags| flags.build).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::recorded_build::{RecordedBuild, offline_options};
    use crate::cli::build_options;
    use crate::engine::evaluate::BuildOptions;
    use crate::engine::plugin::FunctionOptions;
    use crate::engine::profile::Profile;

    #[test]
    fn recorded_flags_are_the_options_of_the_repeated_build() {
        let words = [
            "--enable-alpha-plugins",
            "--enable-exec",
            "--enable-helm",
            "--helm-debug",
            "--network",
            "--as-current-user",
            "--enable-star",
            "--enable-managedby-label",
            "--load-restrictor=LoadRestrictionsNone",
            "--helm-command=helm3",
            "--helm-kube-version=1.30",
            "--network-name=host",
            "--reorder=none",
            "--helm-api-versions=a/v1",
            "--helm-api-versions=b/v1",
            "--env=A=b",
        ]
        .map(str::to_owned);
        for count in 0..=words.len() {
            let flags = parse_recorded_flags(&words[..count]).unwrap();
            let recorded = recorded_flags(&flags);
            assert!(words[..count].iter().all(|word| recorded.contains(word)), "{recorded:?}");
            let flags = parse_recorded_flags(&recorded).unwrap();
            let options = build_options(&flags, Profile::latest(), false).unwrap();
            let offline = offline_options();
            let (waits, is_offline) = (offline.functions.waits, offline.functions.offline);
            let functions = FunctionOptions { waits, offline: is_offline, ..options.functions };
            let expected = BuildOptions { functions, settings: offline.settings, ..options };
            let build = RecordedBuild { flags: recorded, ..RecordedBuild::default() };
            assert_eq!(build.options(), Ok(expected));
        }
        let like = RecordedBuild { flags: vec!["--like=v5.6.0".into()], ..Default::default() };
        assert_eq!(like.options().unwrap().profile.name(), "v5.6.0");
        let unknown = RecordedBuild { flags: vec!["--trust".into()], ..Default::default() };
        assert!(unknown.options().is_err());
    }
}
