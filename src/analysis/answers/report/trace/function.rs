//! The calls of functions in a recording.

use serde::Serialize;

use crate::engine::plugin::{FunctionResult, FunctionRun};

use super::ResourceReport;

/// One call of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FunctionReport {
    /// The object that configures the function: `Kind/name (apiVersion)`.
    pub function: String,
    /// The command with its arguments, as run on this machine; for a Starlark function its name.
    pub command: Vec<String>,
    /// The exit status; null if the function did not end by itself.
    pub status: Option<i32>,
    /// True if this is the cached result of an earlier run on the same input.
    pub cached: bool,
    /// The number of input objects.
    pub items_in: usize,
    /// The number of output objects.
    pub items_out: usize,
    /// The results that the function reports.
    pub results: Vec<ResultReport>,
    /// The text that the function wrote to standard error.
    pub messages: String,
}

/// One result of a function, as in the specification of KRM functions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResultReport {
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// The message of the function.
    pub message: String,
    /// The resource concerned.
    pub resource: Option<ResourceReport>,
    /// The field concerned, as the function writes it.
    pub field: Option<String>,
    /// The current value of the field.
    pub current: Option<String>,
    /// The value that the function proposes.
    pub proposed: Option<String>,
    /// The file that the result is about.
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
