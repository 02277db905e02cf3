//! The fields that a transformer writes (sections 4.1, 4.18 and 7).

use crate::resource::Gvk;

use super::registry::SpecList;

/// A field of some types (Kustomize: `types.FieldSpec`). Empty parts of the gvk mean any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldSpec {
    pub gvk: Gvk,
    /// The path of the field: `a/b[]/c`, with `\/` for a slash in a key.
    pub path: String,
    pub create: bool,
}

/// The fields that contain the name of a resource of another type (Kustomize:
/// `NameBackReferences`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameReference {
    pub gvk: Gvk,
    /// The fields that refer to resources of this type.
    pub referrers: Vec<FieldSpec>,
}

/// All field specs in force for a layer (Kustomize: `builtinconfig.TransformerConfig`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransformerConfig {
    lists: [Vec<FieldSpec>; SpecList::ALL.len()],
    pub name_reference: Vec<NameReference>,
}

impl TransformerConfig {
    /// The field specs of one transformer, in the order of the configuration.
    pub fn list(&self, list: SpecList) -> &[FieldSpec] {
        &self.lists[list as usize]
    }

    /// The list of field specs, mutable.
    pub fn list_mut(&mut self, list: SpecList) -> &mut Vec<FieldSpec> {
        &mut self.lists[list as usize]
    }
}
