//! The files that users write: Kustomization, Component, Composition, Catalog, and the
//! configuration of transformers.

mod catalog;
mod composition;
mod config_merge;
mod decode;
mod deployment_object;
mod field_spec;
mod function_spec;
mod kind_order;
mod located;
mod outline;
mod registry;

pub use catalog::{
    ANY_PLATFORM, CATALOG_API_VERSION, CATALOG_RULES, Catalog, CatalogContainer, CatalogError,
    CatalogFunction, CatalogKind, CatalogOddity, CatalogProblem, CatalogRule, CatalogSchema,
    CatalogScript, CatalogVersion, CatalogWarning, MAX_CATALOG_BYTES, Pin, PlatformProgram,
    Runtime, catalog_rule,
};
pub use composition::{
    COMPOSITION_API_VERSION, COMPOSITION_FILE_NAMES, CanonicalConfig, Composition,
    CompositionError, EntryId, EntryProblem, FUNCTION_ANNOTATIONS, Import, ImportMode, Item,
    KUSTOMIZE_GROUP, ListedTransformer, MergedEntry, OrderItem, RuntimeKind, builtin_schema,
    check_entry, decode_composition, is_function, kebab, map_paths, merge_override,
    merges_object_lists, read_entries, read_entry, runtime_kind,
};
pub use config_merge::merge_field_specs;
pub(crate) use decode::decode_plugin;
pub use decode::{
    DeprecatedField, ExecPluginArgs, GeneratorArgs, GeneratorOptions, HelmChart, HelmGlobals,
    IamPolicyArgs, IgnoredField, Kustomization, KustomizationKind, Label, LegacySortOptions,
    ManifestError, ManifestFault, NamespaceArgs, ObjRef, PairsArgs, Patch, PatchArgs, PatchOptions,
    PatchStrategicMergeArgs, PlainEntry, PrefixSuffixArgs, Replacement, ReplacementArgs,
    ReplacementOptions, ReplacementSource, ReplacementTarget, RoleBindingSubjects, SortOptions,
    ValueAddArgs, ValueAddTarget, Var, WrongType, decode_annotations_transformer,
    decode_configuration, decode_crds, decode_edited_kustomization, decode_generator,
    decode_hash_transformer, decode_helm_inflation, decode_inline_kustomization,
    decode_kustomization, decode_label_transformer, decode_namespace_transformer,
    decode_patch_json6902, decode_patch_transformer, decode_plain, decode_replacements,
    decode_values, fields_at, ignored_fields, json_name,
};
pub use deployment_object::{
    AdditionContext, DeploymentObject, DeploymentObjectKind, GeneratedDeploymentObjects,
    GeneratorError, GeneratorView, PlacedPair, PlainDirectory, SourceType, Substitution,
    deployment_objects_in, may_contain_object,
};
pub use field_spec::{FieldSpec, NameReference, TransformerConfig};
pub use function_spec::{
    FunctionSpec, Mount, SpecError, SpecKind, is_runtime_member, read_function_spec,
};
pub use kind_order::{ORDER_FIRST, ORDER_LAST, gvk_order, kind_rank, rank_in};
pub use located::{Marked, Pairs};
pub use outline::{
    ListForm, Outline, OutlineEntry, OutlineError, OutlineField, OutlineProblem, ValueChange,
};
pub use registry::{Builtin, KustomizationField, PlainType, PluginRole, SpecList};
pub(crate) use registry::{pairs_fields, plain_builtins, plain_fields, word_fields};
