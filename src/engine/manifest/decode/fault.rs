//! The fault in a value of a configuration, as an error cause.

/// The fault in a value of a kustomization, a plugin configuration or a deployment object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestFault {
    #[error("the Application has no source that Kustomize builds")]
    NoSource,
    /// Another tool builds the source of an Application: the title of the Application, and the
    /// tool.
    #[error("the source of {0} is rendered by {1}, which kzui does not support")]
    OtherTool(String, &'static str),
    /// The source of a generated Application depends on a parameter that is known only in the
    /// cluster: the title of the Application, and the parameter.
    #[error("the source of {0} is not known: it uses parameter {1}, known only in the cluster")]
    UnknownParameter(String, String),
    /// Any other fault, which no code distinguishes.
    #[error("{0}")]
    Other(String),
}

impl<T: Into<String>> From<T> for ManifestFault {
    fn from(text: T) -> Self {
        Self::Other(text.into())
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
