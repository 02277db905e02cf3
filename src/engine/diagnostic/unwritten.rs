//! Why an entry does not write a field that it could write.

use super::Hint;
use crate::resource::SelectorMismatch;

/// Why an entry does not write a field that it could write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnwrittenCause {
    #[error("its target does not match: {}", mismatch_text(.0))]
    Target(Vec<SelectorMismatch>),
    #[error("its target matches, but the resource is added after this step")]
    TooEarly,
    #[error("it writes {0}, not this field")]
    OtherField(String),
    #[error("its target selects the resource, but a patch with a target cannot change {0}")]
    IdentityIgnored(&'static str),
    #[error("it matches the image {name}, and the image is {image} at this step")]
    OtherImage { name: String, image: String, bare: String },
    #[error("it matches a resource named {0}")]
    OtherName(String),
    #[error("no field spec of {field} has {path} for {kind}")]
    NoFieldSpec { field: &'static str, path: String, kind: String },
    #[error("labels of this entry are set on metadata only, not on {0}")]
    MetadataOnly(String),
    #[error("Kustomize never renames {0}")]
    NeverRenamed(String),
    #[error("{0} is a cluster-scoped kind: it has no namespace")]
    ClusterScoped(String),
    #[error("objects of a chart keep the namespace of the chart")]
    ChartNamespaceKept,
    #[error(
        "a namespace is set on subjects named default; other subjects are updated only for a ServiceAccount of the build"
    )]
    OtherSubject,
    #[error("its namespace is used only for resources without one")]
    AlreadySet,
    #[error("no hash: disableNameSuffixHash is set for it")]
    HashDisabled,
    #[error("no hash: it is loaded from a file, and only generated ConfigMaps and Secrets get one")]
    NotGenerated,
}

impl UnwrittenCause {
    /// How to change the entry.
    pub fn hint(&self) -> Option<Hint> {
        let text = match self {
            Self::Target(parts) => {
                let change = |part: &SelectorMismatch| match (part.part, &*part.found) {
                    ("labels", _) => "give the resource the labels, or change the selector".into(),
                    (part, "" | NO_NAMESPACE) => format!("remove {part} from the target"),
                    (part, found) => format!("write {part}: {found}"),
                };
                parts.iter().map(change).collect::<Vec<_>>().join(" and ")
            }
            Self::TooEarly => "move the entry to a layer that is built after the resource".into(),
            Self::IdentityIgnored("the name") => {
                "add `options: {allowNameChange: true}` to the entry".into()
            }
            Self::IdentityIgnored(_) => {
                "add `options: {allowKindChange: true}` to the entry".into()
            }
            Self::OtherImage { bare, .. } => format!("write name: {bare}"),
            Self::NoFieldSpec { field, path, kind } => {
                let path = path.replace('.', "/");
                format!(
                    "add to a file listed under `configurations`: {field}: [{{path: {path}, kind: {kind}}}]"
                )
            }
            Self::MetadataOnly(path)
                if path.contains("elector") || path.contains("matchLabels") =>
            {
                "set `includeSelectors: true` in the entry".into()
            }
            Self::MetadataOnly(_) => "set `includeTemplates: true` in the entry".into(),
            Self::OtherSubject => "write the namespace in the subject, or patch it".into(),
            Self::NotGenerated => {
                "generate it, with `configMapGenerator` or `secretGenerator`".into()
            }
            Self::HashDisabled => {
                "remove `disableNameSuffixHash` from `options` of its generators or from `generatorOptions`".into()
            }
            Self::OtherField(_)
            | Self::OtherName(_)
            | Self::NeverRenamed(_)
            | Self::ClusterScoped(_)
            | Self::ChartNamespaceKept
            | Self::AlreadySet => return None,
        };
        Some(Hint::Change(text))
    }
}

/// Kustomize's word for the namespace of a cluster-scoped object.
const NO_NAMESPACE: &str = "_non_namespaceable_";

/// The parts of a selector that do not match, each with the required and the found value.
fn mismatch_text(parts: &[SelectorMismatch]) -> String {
    let one = |it: &SelectorMismatch| match (it.part, &*it.found) {
        ("labels", _) => format!("the target requires {}", it.asked),
        (part, "" | NO_NAMESPACE) => {
            format!("the target requires {part} {}, the resource has none", it.asked)
        }
        (part, found) => {
            format!("the target requires {part} {}, the resource has {found}", it.asked)
        }
    };
    parts.iter().map(one).collect::<Vec<_>>().join("; ")
}
