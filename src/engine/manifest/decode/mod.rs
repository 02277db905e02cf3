//! Decoding of text to [`Kustomization`] and to the arguments of generators and transformers, with
//! Go's field rules (sections 1.2 to 1.5, 4.16 and 4.18).

mod builtin;
mod configuration;
mod error;
mod generators;
mod go_json;
mod go_struct;
mod kustomization;
#[cfg(test)]
mod tests;
mod transformers;

pub(crate) use builtin::decode_plugin;
pub use builtin::{
    ExecPluginArgs, IamPolicyArgs, NamespaceArgs, PairsArgs, PatchArgs, PatchStrategicMergeArgs,
    PrefixSuffixArgs, ReplacementArgs, RoleBindingSubjects, ValueAddArgs, ValueAddTarget,
    decode_annotations_transformer, decode_generator, decode_hash_transformer,
    decode_helm_inflation, decode_label_transformer, decode_namespace_transformer,
    decode_patch_json6902, decode_patch_transformer,
};
pub use builtin::{IgnoredField, ignored_fields};
pub use configuration::decode_configuration;
pub use configuration::decode_crds;
pub use error::{ManifestError, ManifestFault, WrongType};
pub use generators::{GeneratorArgs, GeneratorOptions, HelmChart, HelmGlobals, decode_values};
pub use go_json::json_name;
pub use kustomization::{
    DeprecatedField, Kustomization, KustomizationKind, decode_edited_kustomization,
    decode_inline_kustomization, decode_kustomization, fields_at,
};
pub use transformers::{
    Label, LegacySortOptions, ObjRef, Patch, PatchOptions, PlainEntry, Replacement,
    ReplacementOptions, ReplacementSource, ReplacementTarget, SortOptions, Var, decode_plain,
    decode_replacements,
};
