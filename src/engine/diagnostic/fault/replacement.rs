//! Errors of replacements and vars.

super::faults! {
    /// The error of a replacement.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum ReplacementFault {
        KZ052 #[error("value and resource selectors are mutually exclusive")]
        TwoSources,
        KZ052 #[error("replacements must specify a source and at least one target")]
        #[remedy = "add a `source`, and `targets` with `select` and `fieldPaths`"]
        NoSourceOrTarget,
        KZ052 #[error("cannot specify both path and inline replacement")]
        PathAndInline,
        KZ052 #[error("target must specify resources to select")]
        #[remedy = "add `select` to the target"]
        NoSelect,
        KZ050 #[error("nothing selected by {0}")]
        NothingSelected(String),
        KZ050 #[error("multiple matches for selector {0}")]
        SeveralSelected(String),
        KZ051 #[error("fieldPath `{0}` is missing for replacement source {1}")]
        NoField(String, String),
        KZ051 #[error("delimiter option can only be used with scalar nodes")]
        DelimiterWithoutText,
        KZ051 #[error("options.index {index} is out of bounds for value {value}")]
        #[remedy = "write the index of a part of the value; the first part has index 0"]
        IndexOutOfBounds { index: i64, value: String },
        KZ051 #[error("unable to {} field {field:?} in replacement target", if *.create { "find or create" } else { "find" })]
        NoTargetField { field: String, create: bool },
        KZ051 #[error("cannot support create option in a multi-value target")]
        CreateInMultiValueTarget,
        KZ052 #[error("must specify at least one target")]
        NoValueTarget,
        KZ052 #[error("value of FilePathPosition ({0}) cannot be negative")]
        NegativePosition(i64),
        KZ052 #[error("fieldPath cannot be empty")]
        EmptyPath,
    }
}

super::faults! {
    /// The error of a var. Variants contain the var, or its name, as Go prints it.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum VarFault {
        KZ053 #[error("found {0} resId matches for var {1} (unable to disambiguate)")]
        Ambiguous(usize, String),
        KZ053 #[error("var '{0}' already encountered")]
        Repeated(String),
        KZ053 #[error("var '{0}' cannot be mapped to a field in the set of known resources")]
        NoResource(String),
        KZ053 #[error("field specified in var '{0}' not found in corresponding resource")]
        NoField(String),
        KZ053 #[error("invalid value type expect a string")]
        NotAText,
        KZ055 #[error("'{0}' var name is invalid, must match '^[_[:alpha:]][_[:alpha:][:digit:]]*$'")]
        BadName(String),
        KZ055 #[error("{0}: variable substitution failed: {1}")]
        BadExpression(String, String),
        /// A variable that is not set, in strict mode (Flux 2.9 and later).
        KZ054 #[error("{0}: variable substitution failed: variable not set (strict mode): {1:?}")]
        Unset(String, String),
        KZ055 #[error("{0}: after variable substitution: {1}")]
        BrokenBySubstitution(String, crate::yaml::YamlError),
        KZ055 #[error("{0}: {1}")]
        Unprintable(String, crate::yaml::YamlError),
    }
}
