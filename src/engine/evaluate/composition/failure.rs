//! The reasons why a Composition cannot be consolidated.

use std::path::Path;

use crate::diagnostic::{CompositionFault, CompositionProblem, TextPurpose};
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

pub(super) fn refused(fault: CompositionFault, mark: Mark) -> CompositionAbort {
    CompositionAbort::Error(TransformError::fault(fault, mark))
}

impl Build<'_> {
    /// The path of the file with this source number, for messages.
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
                let reading = TextPurpose::Composition(directory.into());
                CompositionAbort::Error(TransformError::Yaml { reading, mark, source: error })
            }
            CompositionError::Empty => {
                let hint = "list something under `transformers` or `transformersFrom`";
                let error = TransformError::fault(CompositionFault::Empty, start);
                CompositionAbort::Error(error.with_hint(hint))
            }
            CompositionError::Kind { kind, mark } => {
                refused(CompositionFault::WrongKind(directory, kind), mark)
            }
            CompositionError::Invalid(problems) => self.invalid_file_error(&problems, &directory),
        }
    }

    /// The error with all problems of one file, a line each.
    pub(super) fn invalid_file_error(
        &self,
        problems: &[EntryProblem],
        directory: &str,
    ) -> CompositionAbort {
        let mark = problems.first().map(|problem| problem.mark).unwrap_or_default();
        let problems = problems.iter().map(|EntryProblem { mark, pointer, wrong }| {
            let file = self.shown_source(mark.source);
            let (pointer, wrong) = (pointer.clone(), wrong.clone());
            CompositionProblem { file, line: mark.line, pointer, wrong }
        });
        let (directory, problems) = (directory.to_owned(), problems.collect());
        refused(CompositionFault::Invalid { directory, problems }, mark)
    }
}

pub(super) fn parent_directory(file: &str) -> String {
    Path::new(file).parent().unwrap_or(Path::new("")).to_string_lossy().into_owned()
}
