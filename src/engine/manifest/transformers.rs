//! Arguments of the built-in transformers.

use crate::resource::Selector;
use crate::yaml::Mark;

use super::{FieldSpec, Marked, Pairs};

/// One entry of `labels`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// `pairs`, in key order.
    pub pairs: Pairs,
    /// `includeSelectors`
    pub include_selectors: bool,
    /// `includeTemplates`
    pub include_templates: bool,
    /// `includeVolumeClaimTemplates`
    pub include_volume_claim_templates: bool,
    /// `fields`
    pub fields: Vec<FieldSpec>,
}

/// One entry of `patches` or `patchesJson6902`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// `path`
    pub path: String,
    /// `patch`: the inline text.
    pub patch: String,
    /// `target`
    pub target: Option<Selector>,
    /// `options`
    pub options: PatchOptions,
    /// Line and column of the start of the inline text, for locations inside it; 0 for a file.
    pub patch_line: u32,
}

/// `patches[].options`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatchOptions {
    /// `allowNameChange`
    pub allow_name_change: bool,
    /// `allowKindChange`
    pub allow_kind_change: bool,
}

/// One entry of `replacements`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replacement {
    /// `path`: a file with one replacement or a list of them.
    pub path: String,
    /// `source`
    pub source: Option<ReplacementSource>,
    /// `sourceValue`
    pub source_value: Option<Marked<String>>,
    /// `targets`; `None` when absent or null.
    pub targets: Option<Vec<ReplacementTarget>>,
}

/// `replacements[].source`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplacementSource {
    /// group, version, kind, name, namespace: exact texts.
    pub id: Selector,
    /// `fieldPath`
    pub field_path: String,
    /// `options`
    pub options: Option<ReplacementOptions>,
}

/// `replacements[].targets[]`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplacementTarget {
    pub mark: Mark,
    /// `select`
    pub select: Option<Selector>,
    /// `reject`
    pub reject: Vec<Option<Selector>>,
    /// `fieldPaths`
    pub field_paths: Vec<String>,
    /// `options`
    pub options: Option<ReplacementOptions>,
}

/// `options` of a replacement's source or target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplacementOptions {
    /// `delimiter`
    pub delimiter: String,
    /// `index`
    pub index: i64,
    /// `encoding`: accepted and ignored, as in Kustomize.
    pub encoding: String,
    /// `create`
    pub create: bool,
}

/// One entry of `vars`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Var {
    /// `name`
    pub name: String,
    /// `objref`
    pub objref: ObjRef,
    /// `fieldref.fieldPath`
    pub field_path: String,
}

/// `vars[].objref`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjRef {
    /// `apiVersion`
    pub api_version: String,
    /// `group`
    pub group: String,
    /// `version`
    pub version: String,
    /// `kind`
    pub kind: String,
    /// `name`
    pub name: String,
    /// `namespace`
    pub namespace: String,
}

/// `sortOptions`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SortOptions {
    /// `order`, as written: checked when the sort step is created.
    pub order: String,
    /// `legacySortOptions`
    pub legacy: Option<LegacySortOptions>,
}

/// The two legal orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortOrder {
    /// `legacy`
    #[default]
    Legacy,
    /// `fifo`
    Fifo,
}

/// `sortOptions.legacySortOptions`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LegacySortOptions {
    /// `orderFirst`
    pub order_first: Vec<String>,
    /// `orderLast`
    pub order_last: Vec<String>,
}
