//! What Kustomize builds without a word although it can hardly be meant: found when the whole recording is known.

use crate::diagnostic::Code;
use crate::diagnostic::object::Object;

/// A fault of the output, or of what makes it, of which Kustomize says nothing. A *field* has dots between its keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SilentRemark {
    /// A field of a custom resource has a name that something was called before.
    #[error(
        "{field} of {object} says {says:?}, which the {kind} was called before: it is {now:?} now, and Kustomize does not \
         know that this field refers to it"
    )]
    StaleReference {
        /// The field.
        field: String,
        /// The custom resource.
        object: Object,
        /// The name in the field.
        says: String,
        /// The kind of what it refers to.
        kind: String,
        /// The name that this has now.
        now: String,
    },
    /// A patch makes a container without an image.
    #[error("the patch makes a new element {name} of {list} in {object}, which has no image")]
    NoImage {
        /// The container.
        name: String,
        /// The list that it is in.
        list: &'static str,
        /// The resource.
        object: Object,
    },
    /// A step writes a field that the type does not have.
    #[error("{field} of {object} is no field of this type: the step adds it beside those that are")]
    NoSuchField {
        /// The field.
        field: String,
        /// The resource.
        object: Object,
    },
    /// `generatorOptions` of a layer that generates nothing.
    #[error(
        "generatorOptions have nothing to work on: this kustomization has no configMapGenerator and no \
         secretGenerator, and they do not reach those of its bases"
    )]
    NoGenerators,
    /// Labels change selectors of workloads that another layer loads.
    #[error(
        "{field} of this layer change the selector of {first}{}: the API server refuses that for objects that were applied \
         without them",
        and_of_more(*more)
    )]
    SelectorChanged {
        /// The field of the labels.
        field: &'static str,
        /// The first workload.
        first: Object,
        /// How many others there are.
        more: usize,
    },
    /// Objects of a chart do not have the namespace that is said for them.
    #[error("{said}, and {first} {} none at the end", have(*more))]
    ChartWithoutNamespace {
        /// Who says it.
        said: SaidNamespace,
        /// The first object.
        first: Object,
        /// How many others there are.
        more: usize,
    },
    /// A custom resource that has no namespace gets one.
    #[error(
        "{0} gets a namespace, and objects of this kind have none: Kustomize does not know the scope of custom kinds"
    )]
    ClusterScoped(Object),
    /// A placeholder is left where none is allowed.
    #[error("{field} of {object} still says {placeholder}: no such text is allowed there")]
    Placeholder {
        /// The field.
        field: String,
        /// The resource.
        object: Object,
        /// `$(NAME)`
        placeholder: String,
    },
    /// A text says the address that a Service had before.
    #[error(
        "{field} of {object} says {address}, and that Service is in the namespace {namespace} now"
    )]
    OldAddress {
        /// The field.
        field: String,
        /// The resource.
        object: Object,
        /// The address.
        address: String,
        /// The namespace in which the Service is.
        namespace: String,
    },
}

/// Who says the namespace that the objects of a chart do not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SaidNamespace {
    /// The field `namespace` of a kustomization: what it says.
    #[error("namespace {0} does not reach what charts render")]
    Kustomization(String),
    /// The entry of the chart: what it says.
    #[error("the chart says namespace {0}")]
    Chart(String),
}

impl SilentRemark {
    pub(super) fn code(&self) -> Code {
        match self {
            Self::StaleReference { .. } => Code::KZ210,
            Self::NoImage { .. } => Code::KZ212,
            Self::NoSuchField { .. } => Code::KZ213,
            Self::NoGenerators => Code::KZ216,
            Self::SelectorChanged { .. } => Code::KZ218,
            Self::ChartWithoutNamespace { .. } => Code::KZ219,
            Self::ClusterScoped(_) => Code::KZ220,
            Self::Placeholder { .. } => Code::KZ223,
            Self::OldAddress { .. } => Code::KZ224,
        }
    }
}

fn and_of_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" and of {count} more") }
}

fn have(more: usize) -> String {
    if more == 0 { "has".to_owned() } else { format!("and {more} more have") }
}
