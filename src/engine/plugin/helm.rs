//! Helm charts through the `helm` program, versions 3 and 4 (section 4.17).

use std::path::{Path, PathBuf};

use crate::diagnostic::{PluginFault, WithheldStep};
use crate::load::{FileKind, Files, Root, clean};
use crate::manifest::{HelmChart, HelmGlobals};
use crate::profile::{Profile, Switch};
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::helm_values::values;
use super::program::{Program, ProgramError, ProgramResult, Programs, TemporaryFile};

/// The settings of the command line for all charts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HelmFlags {
    /// `--helm-command`; `helm` when empty.
    pub command: String,
    pub kube_version: String,
    pub api_versions: Vec<String>,
    pub debug: bool,
}

/// A chart that is ready to be rendered.
#[derive(Clone, Debug, PartialEq)]
pub struct Helm {
    chart: HelmChart,
    command: String,
    /// A missing chart is not pulled; false until it is set.
    pub offline: bool,
    root: PathBuf,
    /// The directory that contains the chart's directory.
    home: PathBuf,
    config_home: String,
    extra_values: Vec<PathBuf>,
    profile: Profile,
    mark: Mark,
}

const MERGES: [&str; 3] = ["merge", "override", "replace"];
/// Limit for the number of a chart's files that are watched; charts have fewer files.
const MAX_WATCHED_FILES: usize = 2000;

impl Helm {
    /// Fills in all defaults: the chart's own settings take precedence over those of the command
    /// line, and the chart's namespace over `namespace` (the kustomization's, or that of the
    /// nearest ancestor that has one).
    ///
    /// # Errors
    /// A chart without a name, an unknown `valuesMerge`, additional values that cannot be loaded.
    pub fn configure(
        chart: &HelmChart,
        globals: &HelmGlobals,
        flags: &HelmFlags,
        namespace: &str,
        root: &Root,
        mark: Mark,
    ) -> Result<Self, TransformError> {
        let mut chart = chart.clone();
        if chart.name.is_empty() {
            let fault = PluginFault::Other("chart name cannot be empty".to_owned());
            return Err(TransformError::fault(fault, mark));
        }
        let or = |own: &mut String, other: &str| {
            if own.is_empty() {
                other.clone_into(own);
            }
        };
        or(&mut chart.values_merge, "override");
        if !MERGES.contains(&&*chart.values_merge) {
            let text = format!("valuesMerge must be one of [{}]", MERGES.join(" "));
            return Err(TransformError::fault(PluginFault::Other(text), mark));
        }
        or(&mut chart.namespace, namespace);
        or(&mut chart.kube_version, &flags.kube_version);
        if chart.api_versions.is_empty() {
            chart.api_versions.clone_from(&flags.api_versions);
        }
        chart.debug |= flags.debug;
        let mut home = globals.chart_home.clone();
        or(&mut home, "charts");
        if !chart.version.is_empty() && !chart.repo.is_empty() {
            home = format!("{home}/{}-{}", chart.name, chart.version);
        }
        let values_file = format!("{home}/{}/values.yaml", chart.name);
        or(&mut chart.values_file, &values_file);
        let mut config_home = globals.config_home.clone();
        or(&mut config_home, "{tmp}/helm");
        let mut command = flags.command.clone();
        or(&mut command, "helm");
        let mut extra_values = Vec::new();
        for file in &chart.additional_values_files {
            let loaded = root.load(file).map_err(|source| TransformError::Load {
                reading: "could not load additionalValuesFile".into(),
                mark,
                source,
            })?;
            extra_values.push(PathBuf::from(loaded.path));
        }
        let home = clean(&root.path().join(home));
        let profile = root.profile();
        let (root, offline) = (root.path().to_owned(), false);
        Ok(Self { chart, command, offline, root, home, config_home, extra_values, profile, mark })
    }

    /// Runs helm: checks its version, pulls a missing chart, and renders its templates.
    ///
    /// # Errors
    /// An unsupported version of helm, a chart that cannot be loaded, values that are no mapping,
    /// helm's own failures.
    pub fn inflate(
        &self,
        root: &Root,
        programs: &dyn Programs,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, TransformError> {
        let run = |arguments: Vec<String>, temporary: Vec<TemporaryFile>| {
            let program = self.program(arguments, temporary);
            let ended = programs.run(&program, is_cancelled);
            self.output(&program, ended)
        };
        // Helm 4 lacks the flag `-c`.
        let (asked, accepted) = version_check(self.profile);
        let said = run(owned(asked), Vec::new())?;
        check_version(&said, accepted, self.mark)?;
        let there = root.files().resolve(&self.directory());
        if !matches!(there, Ok((_, FileKind::Directory))) {
            let pull = self.pull_arguments()?;
            if self.offline {
                let (name, repo) = (self.chart.name.clone(), self.chart.repo.clone());
                let what = WithheldStep::Chart { name, repo, directory: self.directory() };
                return Err(TransformError::Waiting { what, mark: self.mark });
            }
            run(pull, Vec::new())?;
        }
        watch(root.files().as_ref(), &self.directory(), &mut 0);
        let values = TemporaryFile {
            name: self.values_file_name(),
            bytes: values(&self.chart, self.profile, root, self.mark)?.into(),
        };
        run(self.template_arguments(), vec![values])
    }

    fn directory(&self) -> PathBuf {
        self.home.join(&self.chart.name)
    }

    fn program(&self, arguments: Vec<String>, temporary: Vec<TemporaryFile>) -> Program {
        let homes = [("CONFIG", ""), ("CACHE", "/.cache"), ("DATA", "/.data")];
        let home = |(name, below): (&str, &str)| {
            (format!("HELM_{name}_HOME"), format!("{}{below}", self.config_home))
        };
        Program {
            command: self.command.clone(),
            arguments,
            environment: homes.into_iter().map(home).collect(),
            inherits_environment: true,
            directory: PathBuf::new(),
            temporary,
            ..Program::default()
        }
    }

    fn output(
        &self,
        program: &Program,
        ended: Result<ProgramResult, ProgramError>,
    ) -> Result<Vec<u8>, TransformError> {
        let mut hint = None;
        let (end, ended) = match ended {
            Ok(ended) if ended.status == Some(0) => return Ok(ended.output),
            Ok(ended) => (ended.end_text(), ended),
            Err(error @ (ProgramError::NotAsked { .. } | ProgramError::NotAllowed { .. })) => {
                let what = WithheldStep::Program(error);
                return Err(TransformError::Waiting { what, mark: self.mark });
            }
            Err(ProgramError::NotFound { command }) => {
                hint = Some("install helm, or name it with --helm-command");
                let end = format!("exec: {command:?}: executable file not found in $PATH");
                (end, ProgramResult::default())
            }
            Err(other) => (other.to_string(), ProgramResult::default()),
        };
        let fault = PluginFault::Other(self.failure_text(program, &ended, &end));
        Err(TransformError::fault(fault, self.mark).with_hint_if(hint))
    }

    fn failure_text(&self, program: &Program, ended: &ProgramResult, end: &str) -> String {
        let temporary = ended.temporary.to_string_lossy();
        let fill = |text: &str| text.replace("{tmp}", &temporary);
        let arguments: Vec<String> = program.arguments.iter().map(|it| fill(it)).collect();
        let environment = program.environment.iter();
        let environment: Vec<String> =
            environment.map(|(name, value)| format!("{name}={}", fill(value))).collect();
        let stderr = String::from_utf8_lossy(&ended.messages);
        let printed = String::from_utf8_lossy(&ended.output);
        let before = if arguments.iter().any(|argument| argument == "--debug") {
            format!(" Helm stack trace:\n{stderr}\nHelm template:\n{printed}\n: ")
        } else if stderr.is_empty() {
            String::new()
        } else {
            format!("{stderr}: ")
        };
        let command = &self.command;
        format!(
            "{before}unable to run: '{command} {}' with env=[{}] (is '{command}' installed?): {end}",
            arguments.join(" "),
            environment.join(" ")
        )
    }

    fn pull_arguments(&self) -> Result<Vec<String>, TransformError> {
        let HelmChart { name, repo, version, .. } = &self.chart;
        if repo.is_empty() {
            let hint =
                format!("put the chart into {}, or give it a `repo`", self.directory().display());
            let text = "no repo specified for pull, no chart found at ''".to_owned();
            let fault = PluginFault::Other(text);
            return Err(TransformError::fault(fault, self.mark).with_hint(hint));
        }
        let home = self.home.to_string_lossy();
        let mut arguments = owned(&["pull", "--untar", "--untardir", &home]);
        if repo.starts_with("oci://") {
            arguments.push(format!("{}/{name}", repo.strip_suffix('/').unwrap_or(repo)));
        } else {
            arguments.extend(owned(&["--repo", repo, name]));
        }
        if !version.is_empty() {
            arguments.extend(owned(&["--version", version]));
        }
        if self.chart.devel {
            arguments.push("--devel".to_owned());
        }
        Ok(arguments)
    }

    fn template_arguments(&self) -> Vec<String> {
        let chart = &self.chart;
        let release = match &*chart.release_name {
            "" => "--generate-name",
            name => name,
        };
        let mut arguments = owned(&["template", release, &self.directory().to_string_lossy()]);
        let mut option = |name: &str, value: &str| {
            if !value.is_empty() {
                arguments.extend(owned(&[name, value]));
            }
        };
        option("--namespace", &chart.namespace);
        option("--name-template", &chart.name_template);
        option("-f", &format!("{{tmp}}/{}", self.values_file_name()));
        for file in &self.extra_values {
            option("-f", &file.to_string_lossy());
        }
        for version in &chart.api_versions {
            arguments.extend(owned(&["--api-versions", version]));
        }
        if !chart.kube_version.is_empty() {
            arguments.extend(owned(&["--kube-version", &chart.kube_version]));
        }
        let switches = [
            ("--include-crds", chart.include_crds),
            ("--skip-tests", chart.skip_tests),
            ("--no-hooks", chart.skip_hooks),
            ("--debug", chart.debug),
            ("--devel", chart.devel),
        ];
        let on = switches.iter().filter(|(_, on)| *on);
        arguments.extend(on.map(|(name, _)| (*name).to_owned()));
        arguments
    }

    fn values_file_name(&self) -> String {
        format!("{}-kustomize-values.yaml", self.chart.name.replace('/', "-"))
    }
}

/// Reads all files of a chart, which helm reads without the file port, so that they are recorded.
fn watch(files: &dyn Files, path: &Path, seen: &mut usize) {
    *seen += 1;
    if *seen > MAX_WATCHED_FILES {
        return;
    }
    match files.resolve(path) {
        Ok((path, FileKind::Directory)) => {
            for name in files.list(&path).unwrap_or_default() {
                watch(files, &path.join(name), seen);
            }
        }
        Ok((path, FileKind::File)) => drop(files.read(&path)),
        Err(_) => {}
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The command that prints the version of helm, and the major versions that a release of Kustomize, or
/// the program that embeds it, accepts. Helm 4 lacks the flag `-c`.
fn version_check(profile: Profile) -> (&'static [&'static str], &'static [&'static str]) {
    let is_3 = profile.has(Switch::OnlyHelm3);
    let asked: &[&str] = if is_3 { &["version", "-c", "--short"] } else { &["version", "--short"] };
    if profile.has(Switch::ControllerHelm4) {
        (asked, &["4"])
    } else if is_3 || profile.has(Switch::ControllerHelm3) {
        (asked, &["3"])
    } else {
        (asked, &["3", "4"])
    }
}

fn check_version(output: &[u8], accepted: &[&str], mark: Mark) -> Result<(), TransformError> {
    let printed = String::from_utf8_lossy(output);
    let Some(version) = version_in(&printed) else {
        let fault = PluginFault::Other(format!("cannot find version string in {printed}"));
        return Err(TransformError::fault(fault, mark));
    };
    if version.split('.').next().is_some_and(|major| accepted.contains(&major)) {
        return Ok(());
    }
    let accepted = accepted.join(" or V");
    let text = format!("this plugin requires helm V{accepted} but got v{version}");
    let hint = "name another helm with --helm-command";
    Err(TransformError::fault(PluginFault::Other(text), mark).with_hint(hint))
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
