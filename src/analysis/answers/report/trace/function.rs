//! The calls of functions in a recording.

use serde::Serialize;

use crate::engine::plugin::{FunctionResult, FunctionRun};

use super::ResourceReport;

/// One call of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FunctionReport {
    /// The object that configures it: `Kind/name (apiVersion)`.
    pub function: String,
    /// The command with its arguments, as it was run on this machine; for a Starlark function its name.
    pub command: Vec<String>,
    /// The exit status; null when it did not run to its end.
    pub status: Option<i32>,
    /// It was not run again: this is what it left the last time on the same input.
    pub cached: bool,
    /// Objects that it was given.
    pub items_in: usize,
    /// Objects that it gave back.
    pub items_out: usize,
    /// What it reports.
    pub results: Vec<ResultReport>,
    /// What it wrote to standard error.
    pub messages: String,
}

/// One result of a function, as the specification of KRM functions has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultReport {
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// What the function has to say.
    pub message: String,
    /// The resource that it is about.
    pub resource: Option<ResourceReport>,
    /// The field that it is about, as the function writes it.
    pub field: Option<String>,
    /// The value that the field has.
    pub current: Option<String>,
    /// The value that the function proposes.
    pub proposed: Option<String>,
    /// The file that the function names.
    pub file: Option<String>,
}

impl From<&FunctionRun> for FunctionReport {
    fn from(run: &FunctionRun) -> Self {
        Self {
            function: run.function.clone(),
            command: run.command.clone(),
            status: run.status,
            cached: run.cached,
            items_in: run.items_in,
            items_out: run.items_out,
            results: run.results.iter().map(ResultReport::from).collect(),
            messages: run.messages.clone(),
        }
    }
}

impl From<&FunctionResult> for ResultReport {
    fn from(result: &FunctionResult) -> Self {
        let resource = result.resource.as_ref().map(|resource| ResourceReport {
            api_version: resource.api_version.clone(),
            kind: resource.kind.clone(),
            name: resource.name.clone(),
            namespace: resource.namespace.clone(),
        });
        Self {
            severity: result.severity.word().to_owned(),
            message: result.message.clone(),
            resource,
            field: result.field.clone(),
            current: result.current.clone(),
            proposed: result.proposed.clone(),
            file: result.file.as_ref().map(|(path, _)| path.clone()),
        }
    }
}
