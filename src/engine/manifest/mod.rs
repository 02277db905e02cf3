//! What a person writes: Kustomization, Component, Composition, Catalog, and the configuration of transformers.

mod decode;
mod field_spec;
mod generators;
mod kustomization;
mod outline;
mod transformers;

pub use decode::{ManifestError, decode_kustomization};
pub use field_spec::{FieldSpec, NameReference, TransformerConfig};
pub use generators::{GeneratorArgs, GeneratorOptions, HelmChart, HelmGlobals};
pub use kustomization::{Deprecated, Kind, Kustomization, Placed};
pub use outline::{ListForm, Outline, OutlineEntry, OutlineError, OutlineField, OutlineProblem};
pub use transformers::{
    Image, Label, LegacySortOptions, ObjRef, Patch, PatchOptions, Replacement, ReplacementOptions,
    ReplacementSource, ReplacementTarget, Replica, SortOptions, SortOrder, Var,
};
