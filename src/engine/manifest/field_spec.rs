//! Which fields a transformer reaches (sections 4.1, 4.18 and 7).

use crate::resource::Gvk;

/// A field of some types (Kustomize: `types.FieldSpec`). Empty parts of the gvk mean any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldSpec {
    /// The types.
    pub gvk: Gvk,
    /// `a/b[]/c`, with `\/` for a slash in a key.
    pub path: String,
    /// `create`: make the field where it is missing.
    pub create: bool,
}

/// The fields that hold the name of another resource (Kustomize: `NameBackReferences`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameReference {
    /// The type that is referred to.
    pub gvk: Gvk,
    /// The fields that refer to it.
    pub referrers: Vec<FieldSpec>,
}

/// All field specs that are in force for a layer (Kustomize: `builtinconfig.TransformerConfig`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransformerConfig {
    /// `namePrefix`
    pub name_prefix: Vec<FieldSpec>,
    /// `nameSuffix`
    pub name_suffix: Vec<FieldSpec>,
    /// `namespace`
    pub namespace: Vec<FieldSpec>,
    /// `commonLabels`
    pub common_labels: Vec<FieldSpec>,
    /// `labels`
    pub labels: Vec<FieldSpec>,
    /// `templateLabels`
    pub template_labels: Vec<FieldSpec>,
    /// `volumeClaimTemplateLabels`
    pub volume_claim_template_labels: Vec<FieldSpec>,
    /// `commonAnnotations`
    pub common_annotations: Vec<FieldSpec>,
    /// `nameReference`
    pub name_reference: Vec<NameReference>,
    /// `varReference`
    pub var_reference: Vec<FieldSpec>,
    /// `images`
    pub images: Vec<FieldSpec>,
    /// `replicas`
    pub replicas: Vec<FieldSpec>,
}
