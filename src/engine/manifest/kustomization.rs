//! Kustomization and Component (section 1.2 of the build reference).

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::yaml::{Mark, Node};

use super::{
    GeneratorArgs, GeneratorOptions, HelmChart, HelmGlobals, KustomizationField, Label, Marked,
    Pairs, Patch, PlainEntry, Replacement, SortOptions, Var,
};

/// The two kinds of a kustomization file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KustomizationKind {
    #[default]
    Kustomization,
    Component,
}

/// A deprecated field in use; sorted in the order of Kustomize's warnings. As a text, it is
/// Kustomize's warning on standard error, without the `# Warning: ` prefix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{field}' is deprecated. Please use {instead} Run 'kustomize edit fix' to update your Kustomization \
     automatically."
)]
pub struct DeprecatedField {
    pub field: &'static str,
    /// The replacement, as a sentence of Kustomize's.
    pub instead: &'static str,
    pub mark: Mark,
}

/// A decoded kustomization file, after `FixKustomization` (section 1.4): `bases` are at the end of
/// `resources`, `imageTags` at the end of `images`, `env` in `envs`, `helmChartInflationGenerator`
/// in `helm_charts`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kustomization {
    pub kind: KustomizationKind,
    /// The items of `resources`, followed by those of `bases`.
    pub resources: Vec<Marked<String>>,
    pub components: Vec<Marked<String>>,
    /// Fields whose transformers have one text: `namePrefix`, `nameSuffix` and `namespace`.
    pub words: BTreeMap<KustomizationField, Marked<String>>,
    /// Fields whose transformers have one mapping: `commonLabels` and `commonAnnotations`, in key
    /// order.
    pub pairs: BTreeMap<KustomizationField, Marked<Pairs>>,
    pub labels: Vec<Marked<Label>>,
    /// `patchesStrategicMerge`: paths or inline texts.
    pub patches_strategic_merge: Vec<Marked<String>>,
    pub patches_json6902: Vec<Marked<Patch>>,
    pub patches: Vec<Marked<Patch>>,
    pub replacements: Vec<Marked<Replacement>>,
    /// The entries of fields with plain transformers, such as `replicas` and `images` (with
    /// `imageTags` appended).
    pub plain: BTreeMap<KustomizationField, Vec<Marked<PlainEntry>>>,
    pub vars: Vec<Marked<Var>>,
    pub sort_options: Option<Marked<SortOptions>>,
    pub crds: Vec<Marked<String>>,
    pub config_map_generator: Vec<Marked<GeneratorArgs>>,
    pub secret_generator: Vec<Marked<GeneratorArgs>>,
    pub generator_options: GeneratorOptions,
    pub helm_globals: Option<HelmGlobals>,
    /// The items of `helmCharts`, followed by the converted ones of `helmChartInflationGenerator`.
    pub helm_charts: Vec<Marked<HelmChart>>,
    pub configurations: Vec<Marked<String>>,
    pub generators: Vec<Marked<String>>,
    pub transformers: Vec<Marked<String>>,
    pub validators: Vec<Marked<String>>,
    /// `openapi`: string keys and values.
    pub openapi: Marked<IndexMap<String, String>>,
    pub build_metadata: Vec<Marked<String>>,
    /// `catalogs` (KEP-2906), as written.
    pub catalogs: Option<Node>,
    pub deprecated: Vec<DeprecatedField>,
    /// Keys of `openapi` with list values, which Kustomize refuses and kzui accepts.
    pub openapi_lists: Vec<Marked<String>>,
}

impl Kustomization {
    /// The text of a field with one text; `None` if it is empty.
    pub fn word(&self, field: KustomizationField) -> Option<&Marked<String>> {
        self.words.get(&field).filter(|word| !word.value.is_empty())
    }

    /// The mapping of a field with one mapping; `None` if it is empty.
    pub fn pairs(&self, field: KustomizationField) -> Option<&Marked<Pairs>> {
        self.pairs.get(&field).filter(|pairs| !pairs.value.is_empty())
    }

    /// The entries of a field with a plain transformer.
    pub fn plain_entries(&self, field: KustomizationField) -> &[Marked<PlainEntry>] {
        self.plain.get(&field).map(Vec::as_slice).unwrap_or_default()
    }
}
