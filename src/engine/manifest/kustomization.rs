//! Kustomization and Component (section 1.2 of the build reference).

use std::collections::BTreeMap;
use std::fmt;

use indexmap::IndexMap;

use crate::yaml::{Mark, Node};

use super::{
    Field, GeneratorArgs, GeneratorOptions, HelmChart, HelmGlobals, Label, Pairs, Patch, Placed,
    PlainEntry, Replacement, SortOptions, Var,
};

/// The two kinds of a kustomization file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// `Kustomization`
    #[default]
    Kustomization,
    /// `Component`
    Component,
}

/// A deprecated field in use; sorted in the order of Kustomize's warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecated {
    pub field: &'static str,
    /// The replacement, as a sentence of Kustomize's.
    pub instead: &'static str,
    pub mark: Mark,
}

/// Kustomize's warning on standard error, without the `# Warning: ` prefix.
impl fmt::Display for Deprecated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, instead, .. } = self;
        write!(
            f,
            "'{field}' is deprecated. Please use {instead} Run 'kustomize edit fix' to update your Kustomization \
             automatically."
        )
    }
}

/// A decoded kustomization file, after `FixKustomization` (section 1.4): `bases` are at the end of
/// `resources`, `imageTags` at the end of `images`, `env` in `envs`, `helmChartInflationGenerator`
/// in `helm_charts`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kustomization {
    pub kind: Kind,
    /// `resources`, then `bases`.
    pub resources: Vec<Placed<String>>,
    /// `components`
    pub components: Vec<Placed<String>>,
    /// Fields whose transformers have one text: `namePrefix`, `nameSuffix` and `namespace`.
    pub words: BTreeMap<Field, Placed<String>>,
    /// Fields whose transformers have one mapping: `commonLabels` and `commonAnnotations`, in key
    /// order.
    pub pairs: BTreeMap<Field, Placed<Pairs>>,
    /// `labels`
    pub labels: Vec<Placed<Label>>,
    /// `patchesStrategicMerge`: paths or inline texts.
    pub patches_strategic_merge: Vec<Placed<String>>,
    /// `patchesJson6902`
    pub patches_json6902: Vec<Placed<Patch>>,
    /// `patches`
    pub patches: Vec<Placed<Patch>>,
    /// `replacements`
    pub replacements: Vec<Placed<Replacement>>,
    /// The entries of fields with plain transformers, such as `images` (then `imageTags`) and
    /// `replicas`.
    pub plain: BTreeMap<Field, Vec<Placed<PlainEntry>>>,
    /// `vars`
    pub vars: Vec<Placed<Var>>,
    /// `sortOptions`
    pub sort_options: Option<Placed<SortOptions>>,
    /// `crds`
    pub crds: Vec<Placed<String>>,
    /// `configMapGenerator`
    pub config_map_generator: Vec<Placed<GeneratorArgs>>,
    /// `secretGenerator`
    pub secret_generator: Vec<Placed<GeneratorArgs>>,
    /// `generatorOptions`
    pub generator_options: GeneratorOptions,
    /// `helmGlobals`
    pub helm_globals: Option<HelmGlobals>,
    /// `helmCharts`, then the converted `helmChartInflationGenerator`.
    pub helm_charts: Vec<Placed<HelmChart>>,
    /// `configurations`
    pub configurations: Vec<Placed<String>>,
    /// `generators`
    pub generators: Vec<Placed<String>>,
    /// `transformers`
    pub transformers: Vec<Placed<String>>,
    /// `validators`
    pub validators: Vec<Placed<String>>,
    /// `openapi`: string keys and values.
    pub openapi: Placed<IndexMap<String, String>>,
    /// `buildMetadata`
    pub build_metadata: Vec<Placed<String>>,
    /// `catalogs` (KEP-2906), as written.
    pub catalogs: Option<Node>,
    /// Plugin fields with a character that Kustomize cannot write for the plugin, and its location.
    pub unwritable: BTreeMap<Field, Mark>,
    pub deprecated: Vec<Deprecated>,
    /// Keys of `openapi` with list values, which Kustomize refuses and kzui accepts.
    pub openapi_lists: Vec<Placed<String>>,
}

impl Kustomization {
    /// The text of a field with one text; `None` if it is empty.
    pub fn word(&self, field: Field) -> Option<&Placed<String>> {
        self.words.get(&field).filter(|word| !word.value.is_empty())
    }

    /// The mapping of a field with one mapping; `None` if it is empty.
    pub fn pairs(&self, field: Field) -> Option<&Placed<Pairs>> {
        self.pairs.get(&field).filter(|pairs| !pairs.value.is_empty())
    }

    /// The entries of a field with a plain transformer.
    pub fn plain_entries(&self, field: Field) -> &[Placed<PlainEntry>] {
        self.plain.get(&field).map(Vec::as_slice).unwrap_or_default()
    }
}
