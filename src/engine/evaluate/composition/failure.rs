//! The reasons why a Composition cannot be consolidated.

use std::path::Path;

use crate::diagnostic::Fault;
use crate::evaluate::build::Build;
use crate::evaluate::recorder::BuildAbort;
use crate::manifest::{CompositionError, EntryProblem};
use crate::transform::TransformError;
use crate::yaml::{Mark, SourceId};

#[derive(Clone, Debug)]
pub(in crate::evaluate) enum CompositionAbort {
    /// An error that is reported as the error of the consolidation step.
    Error(TransformError),
    Halt(BuildAbort),
}

impl From<TransformError> for CompositionAbort {
    fn from(error: TransformError) -> Self {
        Self::Error(error)
    }
}

impl From<BuildAbort> for CompositionAbort {
    fn from(halt: BuildAbort) -> Self {
        Self::Halt(halt)
    }
}

pub(super) fn refused(message: impl Into<String>, mark: Mark) -> CompositionAbort {
    CompositionAbort::Error(TransformError::fault(Fault::Composition(message.into()), mark))
}

impl Build<'_> {
    pub(super) fn shown_source(&self, source: SourceId) -> String {
        self.memory.sources.path(source).map(|path| self.root.shown(path)).unwrap_or_default()
    }

    pub(super) fn refused(
        &self,
        error: CompositionError,
        file: &str,
        source: SourceId,
    ) -> CompositionAbort {
        let start = Mark { source, line: 1, column: 1, ..Mark::default() };
        let directory = parent_directory(file);
        match error {
            CompositionError::Yaml(error) => {
                let mark = Mark { line: error.line, column: error.column, ..start };
                let reading = format!("invalid Composition at path {directory}").into();
                CompositionAbort::Error(TransformError::Yaml { reading, mark, source: error })
            }
            CompositionError::Empty => {
                let hint = "list something under `transformers` or `transformersFrom`";
                let fault = Fault::Composition("composition.yaml is empty".to_owned());
                CompositionAbort::Error(TransformError::fault(fault, start).with_hint(hint))
            }
            CompositionError::Kind { kind, mark } => refused(
                format!(
                    "invalid Composition at path {directory}: kind should be Composition, got '{kind}'; a {kind} must be in kustomization.yaml"
                ),
                mark,
            ),
            CompositionError::Invalid(problems) => self.invalid_file_error(&problems, &directory),
        }
    }

    pub(super) fn invalid_file_error(
        &self,
        problems: &[EntryProblem],
        directory: &str,
    ) -> CompositionAbort {
        let mark = problems.first().map(|problem| problem.mark).unwrap_or_default();
        let problems = problems.iter().map(|EntryProblem { mark, pointer, wrong }| {
            let pointer = if pointer.is_empty() { "/" } else { pointer };
            format!("\n{}:{}: {pointer}: {wrong}", self.shown_source(mark.source), mark.line)
        });
        let problems: String = problems.collect();
        refused(format!("invalid Composition at path {directory}{problems}"), mark)
    }
}

pub(super) fn parent_directory(file: &str) -> String {
    Path::new(file).parent().unwrap_or(Path::new("")).to_string_lossy().into_owned()
}
