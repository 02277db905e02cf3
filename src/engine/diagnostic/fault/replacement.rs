//! Errors of replacements and vars.

/// The error of a replacement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplacementFault {
    #[error("value and resource selectors are mutually exclusive")]
    TwoSources,
    #[error("replacements must specify a source and at least one target")]
    NoSourceOrTarget,
    #[error("cannot specify both path and inline replacement")]
    PathAndInline,
    #[error("target must specify resources to select")]
    NoSelect,
    #[error("a selector in `reject` is null")]
    NullReject,
    #[error("nothing selected by {0}")]
    NothingSelected(String),
    #[error("multiple matches for selector {0}")]
    SeveralSelected(String),
    #[error("fieldPath `{0}` is missing for replacement source {1}")]
    NoField(String, String),
    #[error("delimiter option can only be used with scalar nodes")]
    DelimiterWithoutText,
    #[error("options.index {index} is out of bounds for value {value}")]
    IndexOutOfBounds { index: i64, value: String },
    #[error("unable to {} field {field:?} in replacement target", if *.create { "find or create" } else { "find" })]
    NoTargetField { field: String, create: bool },
    #[error("cannot support create option in a multi-value target")]
    CreateInMultiValueTarget,
    #[error("must specify at least one target")]
    NoValueTarget,
    #[error("value of FilePathPosition ({0}) cannot be negative")]
    NegativePosition(i64),
    #[error("fieldPath cannot be empty")]
    EmptyPath,
}

/// The error of a var. Variants contain the var, or its name, as Go prints it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VarFault {
    #[error("found {0} resId matches for var {1} (unable to disambiguate)")]
    Ambiguous(usize, String),
    #[error("var '{0}' already encountered")]
    Repeated(String),
    #[error("var '{0}' cannot be mapped to a field in the set of known resources")]
    NoResource(String),
    #[error("field specified in var '{0}' not found in corresponding resource")]
    NoField(String),
    #[error("invalid value type expect a string")]
    NotAText,
    #[error("invalid map key: value='{text}', tag='{tag}'")]
    BadKey { text: String, tag: String },
    #[error("'{0}' var name is invalid, must match '^[_[:alpha:]][_[:alpha:][:digit:]]*$'")]
    BadName(String),
    #[error("{0}: variable substitution failed: {1}")]
    BadExpression(String, String),
    /// A variable that is not set, in strict mode (Flux 2.9 and later).
    #[error("{0}: variable substitution failed: variable not set (strict mode): {1:?}")]
    Unset(String, String),
    #[error("{0}: after variable substitution: {1}")]
    BrokenBySubstitution(String, crate::yaml::YamlError),
    #[error("{0}: {1}")]
    Unprintable(String, crate::yaml::YamlError),
}
