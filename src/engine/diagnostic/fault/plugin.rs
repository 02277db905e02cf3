//! Errors of plugins: built-in ones, programs, functions, helm.

use std::path::PathBuf;

use crate::load::{FileError, LoadError};
use crate::yaml::YamlError;

use super::call::CallFault;
use super::program::{HelmFault, ProgramEnd, ProgramError};
use super::refusal::RefusalCause;

/// The error of a plugin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PluginFault {
    #[error("unable to load builtin {0}")]
    UnknownBuiltin(String),
    #[error("plugin {0} not a {1}")]
    Misplaced(String, &'static str),
    #[error(
        "marshalling yaml from res {id}: yaml: unmarshal errors:\n  line {line}: mapping key {key:?} already defined at line {first}"
    )]
    RepeatedKey { id: String, key: String, line: u32, first: u32 },
    #[error("fieldSpecs is not expected to be nil")]
    NoFieldSpecs,
    #[error("expected file with Go object code at: {}.so", .0.display())]
    NoProgram(PathBuf),
    #[error("unable to find plugin root - tried: {}", .0.join(", "))]
    NoPluginHome(Vec<String>),
    /// The plugin's file cannot be read.
    #[error(transparent)]
    Unreadable(FileError),
    #[error("unexecutable plugin at: {}{end}", path.display())]
    NotExecutable {
        path: PathBuf,
        /// The text that Kustomize appends for the empty output.
        end: &'static str,
    },
    #[error(
        "{output}{}failure in plugin configured via {}; {}{end}",
        if output.is_empty() { "" } else { ": " },
        configuration.display(),
        ProgramEnd::Status(*status)
    )]
    Failed {
        output: String,
        configuration: PathBuf,
        /// None if a signal ended the program.
        status: Option<i32>,
        /// The text that Kustomize appends for the empty output.
        end: &'static str,
    },
    #[error("{0}{1}")]
    NotRun(ProgramError, &'static str),
    #[error("unclosed quote in string")]
    BadArguments,
    #[error("plugin {0} generated duplicate resource: {1}")]
    DuplicateObject(String, String),
    #[error("function {0} generated duplicate resource: {1}")]
    DuplicateResource(String, String),
    #[error("the annotation {annotation:?} contains an invalid value ({value:?})")]
    BadAnnotation { annotation: &'static str, value: String },
    #[error(transparent)]
    Refused(Box<RefusalCause>),
    #[error("{0}")]
    Call(CallFault),
    #[error("resource input to function has mismatched legacy and internal {0} annotations")]
    MismatchedInput(&'static str),
    #[error(
        "function {function} returned mismatched legacy and internal {annotations} annotations on {id}"
    )]
    MismatchedOutput {
        function: String,
        /// The kind of the annotation: `path` or `index`.
        annotations: &'static str,
        id: String,
    },
    #[error("must specify --enable-helm")]
    HelmDisabled,
    #[error("chart name cannot be empty")]
    NoChartName,
    #[error("no repo specified for pull, no chart found at ''")]
    NoRepository,
    #[error("valuesMerge must be one of [{}]", .0.join(" "))]
    UnknownValuesMerge(&'static [&'static str]),
    /// The values file of a chart cannot be loaded.
    #[error(transparent)]
    NoValues(Box<LoadError>),
    #[error(transparent)]
    BadValues(ValuesFault),
    #[error("could not parse values file into rnode: {0}")]
    BadValuesFile(YamlError),
    #[error("could not parse values file into rnode: EOF")]
    EmptyValuesFile,
    #[error("cannot find version string in {0}")]
    NoHelmVersion(String),
    #[error("this plugin requires helm {accepted} but got v{version}")]
    HelmVersion {
        version: String,
        /// The accepted major versions, as in `V3 or V4`.
        accepted: &'static str,
    },
    #[error("{0}")]
    HelmFailed(Box<HelmFault>),
}

/// The error with which Go refuses the values of a chart, which it reads through JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValuesFault {
    #[error("error converting YAML to JSON: {0}")]
    Yaml(YamlError),
    #[error(
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {0} into Go value of type map[string]interface {{}}"
    )]
    NoMapping(&'static str),
}
