//! Warnings about a build, for standard error.

use std::fmt;

use crate::diagnostic::{Diagnostic, printable};
use crate::manifest::DeprecatedField;
use crate::plugin::FunctionResult;

/// A warning printed beside the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildWarning {
    Deprecated(DeprecatedField),
    /// The order of the output is set in the file and by `--reorder`.
    OrderTwice,
    ForcedGit,
    /// The vars that no field uses; the step has a diagnostic for each.
    UnusedVars(Vec<String>),
    /// A trusted catalog that no kustomization references, as written.
    UnusedTrust(String),
    FunctionStderr {
        function: String,
        line: String,
    },
    /// A result that a function reported; its step has the same diagnostic.
    FunctionResult {
        function: String,
        result: Box<FunctionResult>,
    },
    /// A warning that also belongs to a step.
    StepWarning(Box<Diagnostic>),
    /// A diagnostic with a location in a file. The diagnostic of a step is also in the recording.
    InFile {
        /// The file and line, relative to the root of the build.
        place: Option<(String, u32)>,
        diagnostic: Box<Diagnostic>,
    },
}

impl BuildWarning {
    pub(super) fn is_same_warning(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::InFile { place: one, diagnostic },
                Self::InFile { place: other, diagnostic: also },
            ) => one == other && diagnostic.remark == also.remark,
            _ => false,
        }
    }

    /// The text without the prefix that [`fmt::Display`] adds.
    pub fn message(&self) -> String {
        match self {
            Self::Deprecated(deprecated) => deprecated.to_string(),
            Self::OrderTwice => {
                "Warning: Sorting order is set both in 'kustomization.yaml' ('sortOptions') and in a CLI flag \
                 ('--reorder'). Using the kustomization file over the CLI flag."
                    .to_owned()
            }
            Self::ForcedGit => {
                "Warning: Forcing the git protocol using the 'git::' URL prefix is not supported. \
                 Kustomize currently strips this invalid prefix, but will stop doing so in a future release. \
                 Please remove the 'git::' prefix from your configuration."
                    .to_owned()
            }
            Self::UnusedVars(names) => {
                format!("well-defined vars that were never replaced: {}", names.join(","))
            }
            Self::UnusedTrust(written) => {
                format!("trusted catalog '{written}' is not referenced by this build")
            }
            Self::FunctionStderr { function, line } => format!("[{function}] {line}"),
            Self::FunctionResult { function, result } => {
                format!("[{function}] {}", printable(&result.to_string()))
            }
            Self::StepWarning(diagnostic) | Self::InFile { place: None, diagnostic } => {
                diagnostic.message()
            }
            Self::InFile { place: Some((file, line)), diagnostic } => {
                format!("{file}:{line}: {}", diagnostic.remark)
            }
        }
    }
}

impl fmt::Display for BuildWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self {
            Self::Deprecated(_) | Self::InFile { .. } => "# Warning: ",
            Self::UnusedTrust(_) | Self::StepWarning(_) => "Warning: ",
            // Kustomize logs these lines unchanged; the time stamp of its log is left out.
            Self::OrderTwice
            | Self::ForcedGit
            | Self::UnusedVars(_)
            | Self::FunctionStderr { .. }
            | Self::FunctionResult { .. } => "",
        };
        write!(f, "{sign}{}", self.message())
    }
}
