//! Arguments of the built-in transformers.

use crate::resource::Selector;
use crate::yaml::Mark;

use super::{FieldSpec, Marked, Pairs};

/// One entry of `labels`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    pub pairs: Pairs,
    pub include_selectors: bool,
    pub include_templates: bool,
    pub include_volume_claim_templates: bool,
    pub fields: Vec<FieldSpec>,
}

/// One entry of `patches` or `patchesJson6902`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    pub path: String,
    /// `patch`: the inline text.
    pub patch: String,
    pub target: Option<Selector>,
    pub options: PatchOptions,
    /// The line at which the inline text begins, for locations in it; 0 for a patch file.
    pub patch_line: u32,
}

/// The options of an entry of `patches`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatchOptions {
    pub allow_name_change: bool,
    pub allow_kind_change: bool,
}

/// One entry of `replacements`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replacement {
    /// `path`: a file with one replacement or a list of them.
    pub path: String,
    pub source: Option<ReplacementSource>,
    pub source_value: Option<Marked<String>>,
    /// `targets`; `None` when absent or null.
    pub targets: Option<Vec<ReplacementTarget>>,
}

/// `replacements[].source`: the resource and the field that a replacement copies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplacementSource {
    /// Group, version, kind, name and namespace, which must be equal.
    pub id: Selector,
    pub field_path: String,
    pub options: Option<ReplacementOptions>,
}

/// `replacements[].targets[]`: the resources and fields that a replacement writes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplacementTarget {
    pub mark: Mark,
    pub select: Option<Selector>,
    pub reject: Vec<Option<Selector>>,
    pub field_paths: Vec<String>,
    pub options: Option<ReplacementOptions>,
}

/// `options` of a replacement's source or target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplacementOptions {
    pub delimiter: String,
    pub index: i64,
    /// `encoding`: accepted and ignored, as in Kustomize.
    pub encoding: String,
    pub create: bool,
}

/// One entry of `vars`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Var {
    pub name: String,
    pub objref: ObjRef,
    /// `fieldref.fieldPath`
    pub field_path: String,
}

/// The object from which a var reads its value (`vars[].objref`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjRef {
    pub api_version: String,
    pub group: String,
    pub version: String,
    pub kind: String,
    pub name: String,
    pub namespace: String,
}

/// The value of the field `sortOptions`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SortOptions {
    /// `order`, as written: checked when the sort step is created.
    pub order: String,
    pub legacy: Option<LegacySortOptions>,
}

/// The value of `sortOptions.legacySortOptions`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LegacySortOptions {
    pub order_first: Vec<String>,
    pub order_last: Vec<String>,
}

/// An entry of a field with a plain transformer, or the entry in the configuration of such a plugin:
/// the values as texts, in the order of the keys of its [`PlainType`](super::PlainType).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainEntry {
    pub(super) values: Vec<Marked<String>>,
}

impl PlainEntry {
    /// The values of the first keys with their locations; empty if absent.
    pub fn values<const COUNT: usize>(&self) -> [Marked<String>; COUNT] {
        std::array::from_fn(|index| self.values.get(index).cloned().unwrap_or_default())
    }
}
