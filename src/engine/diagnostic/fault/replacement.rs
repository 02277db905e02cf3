//! What is wrong with replacements and vars.

/// Why a replacement cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplacementFault {
    /// It has a source and a value.
    #[error("value and resource selectors are mutually exclusive")]
    TwoSources,
    /// It lacks one of the two.
    #[error("replacements must specify a source and at least one target")]
    NoSourceOrTarget,
    /// An entry names a file and says something else too.
    #[error("cannot specify both path and inline replacement")]
    PathAndInline,
    /// A target selects nothing.
    #[error("target must specify resources to select")]
    NoSelect,
    /// An element of `reject` is null.
    #[error("a selector in `reject` is null")]
    NullReject,
    /// No resource is what the selector of the source says.
    #[error("nothing selected by {0}")]
    NothingSelected(String),
    /// More than one is.
    #[error("multiple matches for selector {0}")]
    SeveralSelected(String),
    /// The source has no such field, or nothing in it: the path, and the source.
    #[error("fieldPath `{0}` is missing for replacement source {1}")]
    NoField(String, String),
    /// A delimiter is given for what is no text.
    #[error("delimiter option can only be used with scalar nodes")]
    DelimiterWithoutText,
    /// The text has no part of this number.
    #[error("options.index {index} is out of bounds for value {value}")]
    NoPart {
        /// The number.
        index: i64,
        /// The text.
        value: String,
    },
    /// The target has no such field.
    #[error("unable to {} field {field:?} in replacement target", if *.create { "find or create" } else { "find" })]
    NoTargetField {
        /// Its path as it is written.
        field: String,
        /// Whether it may be made.
        create: bool,
    },
    /// A `ValueAddTransformer` without targets.
    #[error("must specify at least one target")]
    NoValueTarget,
    /// The `filePathPosition` of one of its targets.
    #[error("value of FilePathPosition ({0}) cannot be negative")]
    NegativePosition(i64),
    /// One of its targets has no path.
    #[error("fieldPath cannot be empty")]
    EmptyPath,
}

/// Why a var has no value. A *var* is printed as Go prints one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VarFault {
    /// Several resources are what it refers to: how many, and the var.
    #[error("found {0} resId matches for var {1} (unable to disambiguate)")]
    Ambiguous(usize, String),
    /// Two vars have one name.
    #[error("var '{0}' already encountered")]
    Repeated(String),
    /// No resource is what it refers to.
    #[error("var '{0}' cannot be mapped to a field in the set of known resources")]
    NoResource(String),
    /// The resource has no such field.
    #[error("field specified in var '{0}' not found in corresponding resource")]
    NoField(String),
    /// A list in which it could stand has something else than texts.
    #[error("invalid value type expect a string")]
    NotAText,
    /// The same of a key.
    #[error("invalid map key: value='{text}', tag='{tag}'")]
    BadKey {
        /// The key.
        text: String,
        /// Its tag.
        tag: String,
    },
    /// A variable of Flux has a name that is none.
    #[error("'{0}' var name is invalid, must match '^[_[:alpha:]][_[:alpha:][:digit:]]*$'")]
    BadName(String),
    /// The text of a resource has an expression that cannot be read: the resource, and what is wrong.
    #[error("{0}: variable substitution failed: {1}")]
    BadExpression(String, String),
    /// With its values in it, a resource is no YAML any more: the resource, and what is wrong.
    #[error("{0}: after variable substitution: {1}")]
    BrokenBySubstitution(String, crate::yaml::YamlError),
    /// A resource cannot be printed: which, and what is wrong.
    #[error("{0}: {1}")]
    Unprintable(String, crate::yaml::YamlError),
}
