//! What is wrong with a plugin: one that is built in, a program, a function, helm.

use std::path::PathBuf;

use crate::load::{FileError, LoadError};
use crate::yaml::YamlError;

use super::call::CallFault;
use super::program::{HelmFault, ProgramEnd, ProgramError};
use super::refusal::RefusalCause;

/// Why a plugin cannot be configured or run, or its answer not be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PluginFault {
    /// There is no such plugin: its type.
    #[error("unable to load builtin {0}")]
    UnknownBuiltin(String),
    /// A plugin that makes resources stands among those that change them, or the other way round: its type, and
    /// what it is no.
    #[error("plugin {0} not a {1}")]
    Misplaced(String, &'static str),
    /// A configuration has a key twice.
    #[error(
        "marshalling yaml from res {id}: yaml: unmarshal errors:\n  line {line}: mapping key {key:?} already defined at line {first}"
    )]
    RepeatedKey {
        /// The configuration.
        id: String,
        /// The key.
        key: String,
        /// Where it stands the second time.
        line: u32,
        /// Where it stands the first time.
        first: u32,
    },
    /// A plugin for prefixes or suffixes names no fields.
    #[error("fieldSpecs is not expected to be nil")]
    NoFieldSpecs,
    /// A program of Kustomize's old plugins is not there, and Go plugins do not run here.
    #[error("expected file with Go object code at: {}.so", .0.display())]
    NoProgram(PathBuf),
    /// None of the places is there in which Kustomize looks for plugins.
    #[error("unable to find plugin root - tried: {}", .0.join(", "))]
    NoPluginHome(Vec<String>),
    /// The plugin's file cannot be asked for.
    #[error(transparent)]
    Unreadable(FileError),
    /// The plugin's file cannot be executed.
    #[error("unexecutable plugin at: {}{end}", path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
        /// What Kustomize joins on: the empty output.
        end: &'static str,
    },
    /// A program failed.
    #[error(
        "{said}{}failure in plugin configured via {}; {}{end}",
        if said.is_empty() { "" } else { ": " },
        configuration.display(),
        ProgramEnd::Status(*status)
    )]
    Failed {
        /// What it said.
        said: String,
        /// The file that it was given.
        configuration: PathBuf,
        /// Its status; nothing when a signal ended it.
        status: Option<i32>,
        /// What Kustomize joins on: the empty output.
        end: &'static str,
    },
    /// A program could not be run: why, and what Kustomize joins on.
    #[error("{0}{1}")]
    NotRun(ProgramError, &'static str),
    /// A quote in the arguments of a program is not closed.
    #[error("unclosed quote in string")]
    BadArguments,
    /// A program or function gave one object twice: who, and the object.
    #[error("plugin {0} generated duplicate resource: {1}")]
    DuplicateObject(String, String),
    /// The same of a function.
    #[error("function {0} generated duplicate resource: {1}")]
    DuplicateResource(String, String),
    /// An annotation with an option of a generator has another value than `true` or `false`.
    #[error("the annotation {annotation:?} contains an invalid value ({value:?})")]
    BadAnnotation {
        /// The annotation.
        annotation: &'static str,
        /// Its value.
        value: String,
    },
    /// A function may not run, or cannot be resolved.
    #[error(transparent)]
    Refused(Box<RefusalCause>),
    /// The call of a function failed.
    #[error("{0}")]
    Call(CallFault),
    /// A resource says its place in two spellings that differ: `path` or `index`.
    #[error("resource input to function has mismatched legacy and internal {0} annotations")]
    MismatchedInput(&'static str),
    /// The same of what a function gave back.
    #[error("function {who} returned mismatched legacy and internal {what} annotations on {id}")]
    MismatchedOutput {
        /// The function.
        who: String,
        /// `path` or `index`
        what: &'static str,
        /// The resource.
        id: String,
    },
    /// Charts are not allowed.
    #[error("must specify --enable-helm")]
    HelmDisabled,
    /// A chart has no name.
    #[error("chart name cannot be empty")]
    NoChartName,
    /// A chart is not there, and nowhere to be pulled from.
    #[error("no repo specified for pull, no chart found at ''")]
    NoRepository,
    /// `valuesMerge` is none of these words.
    #[error("valuesMerge must be one of [{}]", .0.join(" "))]
    UnknownValuesMerge(&'static [&'static str]),
    /// The file with the values of a chart cannot be loaded.
    #[error(transparent)]
    NoValues(Box<LoadError>),
    /// The values of a chart cannot be read as Go reads them.
    #[error(transparent)]
    BadValues(ValuesFault),
    /// The file with the values of a chart is no YAML.
    #[error("could not parse values file into rnode: {0}")]
    BadValuesFile(YamlError),
    /// The file with the values of a chart is empty.
    #[error("could not parse values file into rnode: EOF")]
    EmptyValuesFile,
    /// helm did not say its version: what it said.
    #[error("cannot find version string in {0}")]
    NoHelmVersion(String),
    /// helm is of another version than is taken.
    #[error("this plugin requires helm V3{} but got v{version}", if *.only_3 { "" } else { " or V4" })]
    HelmVersion {
        /// Its version.
        version: String,
        /// Whether version 4 is refused too.
        only_3: bool,
    },
    /// helm failed.
    #[error("{0}")]
    HelmFailed(Box<HelmFault>),
}

/// Why the values of a chart are none to Go, which reads them through JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValuesFault {
    /// They are no YAML.
    #[error("error converting YAML to JSON: {0}")]
    Yaml(YamlError),
    /// They are no mapping: what they are, as JSON names it.
    #[error(
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {0} into Go value of type map[string]interface {{}}"
    )]
    NoMapping(&'static str),
}
