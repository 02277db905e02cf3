//! Errors of the runtime that an object declares.

use crate::yaml::YamlError;

/// The error of a runtime that an object declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeFault {
    /// The field or annotation with the runtime: `runtime.container`, or the name of an annotation.
    pub place: String,
    pub cause: RuntimeCause,
}

/// The cause of a runtime's error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuntimeCause {
    /// Not exactly one of these fields is set.
    NotExactlyOne(&'static [&'static str]),
    NoMapping,
    WrongType {
        field: &'static str,
        /// The expected kind with its article, such as `a list`.
        expected: &'static str,
    },
    /// A field is empty or missing.
    Empty(&'static str),
    UnknownField(String),
    /// A script has a path and a URL.
    PathAndUrl,
    BadDigest,
    /// The value of an annotation is not a text.
    NotText,
    /// The value of an annotation is not YAML.
    NotYaml(YamlError),
    /// A field and an annotation declare different runtimes.
    ConflictingRuntimes,
}

impl std::fmt::Display for RuntimeFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = &self.place;
        match &self.cause {
            RuntimeCause::NotExactlyOne(names) => {
                write!(f, "{place} must set exactly one of {}", names.join(", "))
            }
            RuntimeCause::NoMapping => write!(f, "{place}: a mapping is expected"),
            RuntimeCause::WrongType { field, expected } => {
                write!(f, "{place}.{field}: {expected} is expected")
            }
            RuntimeCause::Empty(field) => write!(f, "{place}.{field} is empty"),
            RuntimeCause::UnknownField(field) => write!(f, "{place}: unknown field {field:?}"),
            RuntimeCause::PathAndUrl => write!(f, "{place}: path and url are mutually exclusive"),
            RuntimeCause::BadDigest => {
                write!(f, "{place}: sha256 must be 64 hexadecimal digits")
            }
            RuntimeCause::NotText => {
                write!(f, "failed to get FunctionSpec: {place} unmarshal error: a string is expected")
            }
            RuntimeCause::NotYaml(error) => {
                write!(f, "failed to get FunctionSpec: {place} unmarshal error: {error}")
            }
            RuntimeCause::ConflictingRuntimes => f.write_str(
                "both 'runtime' and the config.kubernetes.io/function annotation are set and differ; keep one",
            ),
        }
    }
}
