//! What is wrong with a resource, or with what a transformer would make of it.

/// Why a transformer cannot do its work on a resource.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResourceFault {
    /// After a new namespace several have one id, each with where it was before.
    #[error("namespace transformation produces ID conflict: [{}]", .0.join(" "))]
    NamespaceConflict(Vec<String>),
    /// What Kustomize remembers of a resource's former names does not go together.
    #[error(
        "number of previous names, number of previous namespaces, number of previous kinds not equal"
    )]
    UnevenNames,
    /// An object that could refer to others says `apiVersion: null`, in this way: to Kustomize it has none and has one.
    #[error("node-referrerOriginal 'APIVersion' mismatch '' != '{0}'")]
    NullVersion(String),
    /// The same with its kind, which a patch made null.
    #[error("node-referrerOriginal 'Kind' mismatch '' != '{0}'")]
    NullKind(String),
    /// Several resources could be what a field refers to.
    #[error("found multiple possible referrals: {}", .0.join(", "))]
    SeveralReferrals(Vec<String>),
    /// A mapping that refers to something has no name.
    #[error("path config error; no 'name' field in node")]
    ReferenceWithoutName,
    /// A list that refers to something holds lists.
    #[error("a sequence is expected to be either a string or a map of string")]
    ListOfLists,
    /// A subject of a `RoleBinding` is no mapping, at which Kustomize crashes.
    #[error(
        "a subject is no mapping: interface conversion: interface {{}} is not map[string]interface {{}}"
    )]
    SubjectIsNoMapping,
    /// The kind of a subject of a `RoleBinding` is no text, at which Kustomize crashes.
    #[error("the kind of a subject of a RoleBinding is no text")]
    SubjectKindIsNoText,
    /// A subject of this resource has an empty namespace.
    #[error("Invalid Input: namespace is blank for resource \"{0}\"")]
    BlankNamespace(String),
    /// Nothing has the name that `replicas` gives, among the types that have replicas.
    #[error("resource with name {name} does not match a config with the following GVK [{}]", types.join(" "))]
    NoReplicas {
        /// The name.
        name: String,
        /// The types.
        types: Vec<String>,
    },
    /// The name of an entry of `images` is no regular expression, at which Kustomize crashes.
    #[error("the name of the image, {0:?}, is no regular expression")]
    BadImageName(String),
    /// A resource is renamed too often.
    #[error("{object} would have more than {most} names in one build")]
    TooManyNames {
        /// Its kind and name.
        object: String,
        /// The bound.
        most: usize,
    },
    /// Two objects of local configuration have one id.
    #[error("id {0} not found in removal")]
    LocalConfigTwice(String),
    /// A resource lacks what every one has.
    #[error("missing {missing} in object {object}")]
    Lacks {
        /// `kind` or `metadata.name`
        missing: &'static str,
        /// Its type, name, labels and annotations, as Go prints them.
        object: String,
    },
    /// `sortOptions.legacySortOptions` goes with another order.
    #[error(
        "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'"
    )]
    LegacyOptionsOfFifo,
    /// `sortOptions.order` is neither word.
    #[error("the field 'sortOptions.order' must be one of [fifo, legacy]")]
    UnknownOrder,
    /// A validator changed something: what.
    #[error("validator shouldn't modify the resource map: {0}")]
    ChangedByValidator(String),
}
