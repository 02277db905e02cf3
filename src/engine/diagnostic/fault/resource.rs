//! Errors of resources, and of transformers at work on them.

super::faults! {
    /// The error of a transformer at one resource.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum ResourceFault {
        KZ032 #[error("namespace transformation produces ID conflict: [{}]", .0.join(" "))]
        NamespaceConflict(Vec<String>),
        KZ063 #[error("found multiple possible referrals: {}", ids.join(", "))]
        SeveralReferrals {
            ids: Vec<String>,
            name: String,
            /// True for a reference that may have a namespace beside the name.
            has_namespace: bool,
        },
        KZ065 #[error("path config error; no 'name' field in node")]
        ReferenceWithoutName,
        KZ065 #[error("a sequence is expected to be either a string or a map of string")]
        ListOfLists,
        KZ000 #[error("Invalid Input: namespace is blank for resource \"{0}\"")]
        BlankNamespace(String),
        KZ060 #[error("resource with name {name} does not match a config with the following GVK [{}]", types.join(" "))]
        NoReplicas { name: String, types: Vec<String> },
        KZ064 #[error("the name of the image, {0:?}, is not a valid regular expression")]
        BadImageName(String),
        KZ000 #[error("{object} would have more than {most} names in one build")]
        TooManyNames { object: String, most: usize },
        KZ031 #[error("missing {missing} in object {object}")]
        MissingField {
            /// The missing field: `kind` or `metadata.name`.
            missing: &'static str,
            /// The type, name, labels and annotations of the object, as Go prints them.
            object: String,
        },
        KZ000 #[error(
            "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'"
        )]
        LegacyOptionsOfFifo,
        KZ000 #[error("the field 'sortOptions.order' must be one of [fifo, legacy]")]
        UnknownOrder,
        KZ000 #[error("validator shouldn't modify the resource map: {0}")]
        ChangedByValidator(String),
    }
}
