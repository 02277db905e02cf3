//! The errors of a configuration text.

use crate::diagnostic::{Code, Hint};
use crate::yaml::{Mark, SourceId, YamlError};

/// An invalid configuration text: the words are Kustomize's, the mark and the hint are kzui's.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{around}{fault}")]
pub struct ManifestError {
    /// The purpose of reading the text, if Kustomize's message contains it before the fault.
    pub around: String,
    pub fault: ManifestFault,
    /// File, line and column; only the file if the line is not known.
    pub mark: Mark,
    pub hint: Option<Box<Hint>>,
}

/// The fault in a kustomization, a plugin configuration or a deployment object.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ManifestFault {
    #[error("{prefix}{error}")]
    Yaml { prefix: &'static str, error: YamlError },
    #[error("{prefix}json: unknown field \"{field}\"")]
    UnknownField { prefix: &'static str, field: String, known: Box<[&'static str]> },
    /// A value of another type than the field's (section 1.2).
    #[error("{prefix}{wrong}")]
    WrongType { prefix: &'static str, wrong: Box<WrongType> },
    /// Another tool builds the source of an Application: the title of the Application, and the
    /// tool.
    #[error("the source of {0} is rendered by {1}, which kzui does not support")]
    OtherTool(String, &'static str),
    /// The source of a generated Application depends on a parameter that is known only in the
    /// cluster: the title of the Application, and the parameter.
    #[error("the source of {0} is not known: it uses parameter {1}, known only in the cluster")]
    UnknownParameter(String, String),
    /// Any other fault.
    #[error("{1}")]
    Other(Code, String),
}

impl<T: Into<String>> From<T> for ManifestFault {
    fn from(text: T) -> Self {
        Self::Other(Code::KZ000, text.into())
    }
}

/// A value of another type than Kustomize expects.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "json: cannot unmarshal {found}{} into Go {} of type {go_type}",
    number.as_ref().map(|number| format!(" {number}")).unwrap_or_default(),
    field.as_ref().map_or_else(|| "value".to_owned(), |field| format!("struct field {field}"))
)]
pub struct WrongType {
    /// The type of the value, as JSON names it: `object`, `array`, `bool`, `number` or `string`.
    pub found: &'static str,
    /// The value, if it is a number that the Go type cannot represent.
    pub number: Option<String>,
    /// The Go struct and its field, such as `Kustomization.namePrefix`; `None` if the text itself
    /// has the wrong type.
    pub field: Option<String>,
    pub go_type: &'static str,
}

impl ManifestError {
    /// The code of the rule that the text breaks.
    pub fn code(&self) -> Code {
        match &self.fault {
            ManifestFault::Yaml { .. } => Code::KZ010,
            ManifestFault::UnknownField { .. } => Code::KZ014,
            ManifestFault::WrongType { .. } => Code::KZ015,
            ManifestFault::OtherTool(..) | ManifestFault::UnknownParameter(..) => Code::KZ000,
            ManifestFault::Other(code, _) => *code,
        }
    }

    pub(in crate::manifest) fn fault_at(fault: impl Into<ManifestFault>, mark: Mark) -> Self {
        Self { around: String::new(), fault: fault.into(), mark, hint: None }
    }

    pub(in crate::manifest) fn with_hint(self, hint: impl Into<Box<Hint>>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    pub(super) fn yaml(prefix: &'static str, error: YamlError, source: SourceId) -> Self {
        let mark = Mark { source, line: error.line, column: error.column, ..Mark::default() };
        Self::fault_at(ManifestFault::Yaml { prefix, error }, mark)
    }
}
