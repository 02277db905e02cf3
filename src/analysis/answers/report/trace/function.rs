//! The calls of functions in a recording.

use crate::engine::plugin::{FunctionResult, FunctionRun};

use super::{ResourceReport, documents};

documents! {
    pub struct FunctionReport {
        pub function: String,
        pub command: Vec<String>,
        pub status: Option<i32>,
        pub cached: bool,
        pub items_in: usize,
        pub items_out: usize,
        pub results: Vec<ResultReport>,
        pub messages: String,
    }

    pub struct ResultReport {
        pub severity: String,
        pub message: String,
        pub resource: Option<ResourceReport>,
        pub field: Option<String>,
        pub current: Option<String>,
        pub proposed: Option<String>,
        pub file: Option<String>,
    }
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
