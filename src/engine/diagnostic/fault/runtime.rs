//! Errors of the runtime that an object declares.

use crate::yaml::YamlError;

/// The error of a runtime that an object declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeFault {
    /// The field or annotation with the runtime: `runtime.container`, or the name of an annotation.
    pub place: String,
    pub cause: RuntimeCause,
}

/// The cause of a runtime's error. Its text follows the field or annotation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuntimeCause {
    #[error(" must set exactly one of {}", .0.join(", "))]
    NotExactlyOne(&'static [&'static str]),
    #[error(": a mapping is expected")]
    NoMapping,
    #[error(".{field}: {expected} is expected")]
    WrongType {
        field: &'static str,
        /// The expected kind with its article, such as `a list`.
        expected: &'static str,
    },
    /// A field is empty or missing.
    #[error(".{0} is empty")]
    Empty(&'static str),
    #[error(": unknown field {0:?}")]
    UnknownField(String),
    #[error(": path and url are mutually exclusive")]
    PathAndUrl,
    #[error(": sha256 must be 64 hexadecimal digits")]
    BadDigest,
    /// The value of an annotation is not a text.
    #[error(" unmarshal error: a string is expected")]
    NotText,
    /// The value of an annotation is not YAML.
    #[error(" unmarshal error: {0}")]
    NotYaml(YamlError),
    #[error(
        "both 'runtime' and the config.kubernetes.io/function annotation are set and differ; keep one"
    )]
    ConflictingRuntimes,
}

impl std::fmt::Display for RuntimeFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { place, cause } = self;
        match cause {
            RuntimeCause::ConflictingRuntimes => write!(f, "{cause}"),
            RuntimeCause::NotText | RuntimeCause::NotYaml(_) => {
                write!(f, "failed to get FunctionSpec: {place}{cause}")
            }
            _ => write!(f, "{place}{cause}"),
        }
    }
}
