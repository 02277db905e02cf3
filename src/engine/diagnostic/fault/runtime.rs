//! Why what an object says of its runtime cannot be used.

use crate::yaml::YamlError;

/// What is wrong with a runtime that an object states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeFault {
    /// Where it is stated: `runtime.container`, or the name of an annotation.
    pub place: String,
    /// What is wrong.
    pub cause: RuntimeCause,
}

/// What can be wrong with a runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuntimeCause {
    /// It is not exactly one of these.
    NotOne(&'static [&'static str]),
    /// It is no mapping.
    NoMapping,
    /// A field holds something else.
    WrongType {
        /// The field.
        field: &'static str,
        /// `a list`
        expected: &'static str,
    },
    /// A field is empty, or is not there.
    Empty(&'static str),
    /// A field that it does not have.
    UnknownField(String),
    /// A script is named by a path and by a URL.
    PathAndUrl,
    /// `sha256` is none.
    BadDigest,
    /// An annotation holds no text.
    NoText,
    /// The text of an annotation is no YAML.
    NoYaml(YamlError),
    /// It is stated in a field and in an annotation, and not alike.
    StatedTwice,
}

impl std::fmt::Display for RuntimeFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = &self.place;
        match &self.cause {
            RuntimeCause::NotOne(names) => {
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
            RuntimeCause::NoText => {
                write!(f, "failed to get FunctionSpec: {place} unmarshal error: a text is expected")
            }
            RuntimeCause::NoYaml(error) => {
                write!(f, "failed to get FunctionSpec: {place} unmarshal error: {error}")
            }
            RuntimeCause::StatedTwice => f.write_str(
                "both 'runtime' and the config.kubernetes.io/function annotation are set and differ; keep one",
            ),
        }
    }
}
