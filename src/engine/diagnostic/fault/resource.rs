//! Errors of resources, and of transformers at work on them.

/// The error of a transformer at one resource.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResourceFault {
    #[error("namespace transformation produces ID conflict: [{}]", .0.join(" "))]
    NamespaceConflict(Vec<String>),
    #[error(
        "number of previous names, number of previous namespaces, number of previous kinds not equal"
    )]
    UnevenNames,
    #[error("node-referrerOriginal 'APIVersion' mismatch '' != '{0}'")]
    NullVersion(String),
    #[error("node-referrerOriginal 'Kind' mismatch '' != '{0}'")]
    NullKind(String),
    #[error("found multiple possible referrals: {}", ids.join(", "))]
    SeveralReferrals {
        ids: Vec<String>,
        name: String,
        /// True for a reference that may have a namespace beside the name.
        has_namespace: bool,
    },
    #[error("path config error; no 'name' field in node")]
    ReferenceWithoutName,
    #[error("a sequence is expected to be either a string or a map of string")]
    ListOfLists,
    #[error(
        "a subject is not a mapping: interface conversion: interface {{}} is not map[string]interface {{}}"
    )]
    SubjectIsNoMapping,
    #[error("the kind of a subject of a RoleBinding is not a string")]
    SubjectKindIsNoText,
    #[error("Invalid Input: namespace is blank for resource \"{0}\"")]
    BlankNamespace(String),
    #[error("resource with name {name} does not match a config with the following GVK [{}]", types.join(" "))]
    NoReplicas { name: String, types: Vec<String> },
    #[error("the name of the image, {0:?}, is not a valid regular expression")]
    BadImageName(String),
    #[error("{object} would have more than {most} names in one build")]
    TooManyNames { object: String, most: usize },
    #[error("id {0} not found in removal")]
    LocalConfigTwice(String),
    #[error("missing {missing} in object {object}")]
    MissingField {
        /// The missing field: `kind` or `metadata.name`.
        missing: &'static str,
        /// The type, name, labels and annotations of the object, as Go prints them.
        object: String,
    },
    #[error(
        "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'"
    )]
    LegacyOptionsOfFifo,
    #[error("the field 'sortOptions.order' must be one of [fifo, legacy]")]
    UnknownOrder,
    #[error("validator shouldn't modify the resource map: {0}")]
    ChangedByValidator(String),
}
