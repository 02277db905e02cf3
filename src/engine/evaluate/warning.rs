//! What is said of a build as a whole, for standard error.

use std::fmt;

use crate::manifest::Deprecated;

/// A warning that stands beside the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildWarning {
    /// A kustomization file uses a deprecated field.
    Deprecated(Deprecated),
    /// The order of the output is set in the file and by `--reorder`.
    OrderTwice,
    /// A catalog is trusted, and nothing refers to it: as it is written.
    UnusedTrust(String),
    /// A line that a function wrote to standard error.
    FunctionSaid {
        /// The function.
        function: String,
        /// The line.
        line: String,
    },
    /// A result of a function; its step has it as a diagnostic.
    FunctionResult {
        /// The function.
        function: String,
        /// The result.
        result: String,
    },
    /// Something that a step says; it has the same as a diagnostic.
    OfStep(String),
    /// Something about a place in a file; where a step is meant, it has the same as a diagnostic.
    InFile {
        /// The file and line, as seen from the root of the build.
        place: Option<(String, u32)>,
        /// What there is to know.
        message: String,
    },
}

impl BuildWarning {
    /// What there is to know, without the sign of a warning.
    pub fn message(&self) -> String {
        match self {
            Self::Deprecated(deprecated) => deprecated.to_string(),
            Self::OrderTwice => {
                "Diagnostic: Sorting order is set both in 'kustomization.yaml' ('sortOptions') and in a CLI flag \
                 ('--reorder'). Using the kustomization file over the CLI flag."
                    .to_owned()
            }
            Self::UnusedTrust(written) => {
                format!("trusted catalog '{written}' is not referenced by this build")
            }
            Self::FunctionSaid { function, line: words }
            | Self::FunctionResult { function, result: words } => format!("[{function}] {words}"),
            Self::OfStep(message) | Self::InFile { place: None, message } => message.clone(),
            Self::InFile { place: Some((file, line)), message } => {
                format!("{file}:{line}: {message}")
            }
        }
    }
}

/// The line for standard error.
impl fmt::Display for BuildWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self {
            Self::Deprecated(_) | Self::InFile { .. } => "# Warning: ",
            Self::UnusedTrust(_) | Self::OfStep(_) => "Warning: ",
            Self::OrderTwice | Self::FunctionSaid { .. } | Self::FunctionResult { .. } => "",
        };
        write!(f, "{sign}{}", self.message())
    }
}
