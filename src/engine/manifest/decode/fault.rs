//! The fault in a value of a configuration, as an error cause.

use crate::yaml::YamlError;

/// The fault in a value of a kustomization, a plugin configuration or a deployment object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestFault {
    /// A number that JSON cannot represent.
    #[error("{prefix}json: unsupported value: {number}")]
    UnsupportedNumber {
        prefix: &'static str,
        /// `NaN`, `+Inf` or `-Inf`
        number: &'static str,
    },
    #[error("yaml: control characters are not allowed")]
    ControlCharacters,
    #[error("unsupported replacement type encountered within replacement path: {0}")]
    UnsupportedReplacement(String),
    #[error("unable to parse open API definition from '{path}': {cause}")]
    Crds { path: String, cause: CrdFault },
    #[error(
        "invalid value {0:?} for setRoleBindingSubjects: must be one of \"defaultOnly\", \"none\" or \"allServiceAccounts\""
    )]
    RoleBindingSubjects(String),
    #[error("the Application has no source that Kustomize builds")]
    NoSource,
    /// Another tool builds the source of an Application: the title of the Application, and the
    /// tool.
    #[error("the source of {0} is rendered by {1}, which kzui does not support")]
    OtherTool(String, &'static str),
    #[error("{0}: app path is absolute")]
    AbsolutePath(String),
    #[error("{0}: app path outside root")]
    OutsidePath(String),
    /// `labelIncludeTemplates` of an Application without `labelWithoutSelector`.
    #[error("--without-selector flag must be specified for --include-templates to work")]
    TemplatesWithSelector,
    /// The names of the types, separated by commas.
    #[error("multiple application sources defined: {0}")]
    SeveralSourceTypes(String),
    /// The source of a generated Application depends on a parameter that is known only in the
    /// cluster: the title of the Application, and the parameter.
    #[error("the source of {0} is not known: it uses parameter {1}, known only in the cluster")]
    UnknownParameter(String, String),
    #[error("'{0}' is not an image override")]
    InvalidImageOverride(String),
    #[error("the count of {0} is not a number")]
    InvalidCount(String),
    /// A label or annotation of an Application is already in the file: the type (label or
    /// annotation) and the key.
    #[error("{0} {1} already in kustomization file. Use --force to override.")]
    ExistingKey(&'static str, String),
    #[error("component path '{0}' must be local and relative")]
    RemoteComponent(String),
    #[error("{field} must be of type string: \"{found}\"")]
    NotString { field: String, found: &'static str },
    #[error(transparent)]
    Json(YamlError),
}

/// The fault in a file of `crds`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CrdFault {
    #[error("error converting YAML to JSON: {0}")]
    Yaml(YamlError),
    #[error("unexpected end of JSON input")]
    Empty,
    #[error(transparent)]
    WrongType(Box<WrongType>),
    #[error("the definitions refer to each other too often")]
    Endless,
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
