//! The transformers of Kustomize's own fields (section 2.1, step 5).

use indexmap::IndexMap;

use crate::evaluate::level::ActiveLayer;
use crate::manifest::{
    Builtin, FieldSpec, KustomizationField, Marked, RoleBindingSubjects, TransformerConfig,
    pairs_fields, plain_fields, word_fields,
};
use crate::transform::{
    AffixTransformer, NamespaceTransformer, PairsTransformer, PatchTransformer, Transformer,
    label_specs, plain_transformers,
};

use super::names::pairs_name;
use super::{Plan, Planner, ReadyTransformer, heading};

impl Planner<'_> {
    /// The transformers of a built-in field with the current field specs. `recorded` is true if
    /// `buildMetadata` lists transformations.
    #[expect(clippy::unnested_or_patterns, reason = "the patterns are macros")]
    pub(in crate::evaluate) fn field(
        &mut self,
        field: KustomizationField,
        config: &TransformerConfig,
        recorded: bool,
    ) -> Plan {
        let level = self.level;
        let kustomization = level.kustomization();
        match field {
            KustomizationField::PatchesStrategicMerge => self.plan_strategic_merges(),
            KustomizationField::Patches => {
                self.patches(field, &kustomization.patches, PatchTransformer::load)
            }
            KustomizationField::PatchesJson6902 => {
                let load = PatchTransformer::load_json6902;
                self.patches(field, &kustomization.patches_json6902, load)
            }
            KustomizationField::Replacements => self.plan_replacements(),
            KustomizationField::Labels => plan_labels(level, config, recorded),
            plain_fields!() => Ok(plain(level, field, config)),
            word_fields!() | pairs_fields!() => {
                Ok(single(level, field, config).into_iter().collect())
            }
            KustomizationField::ApiVersion
            | KustomizationField::Kind
            | KustomizationField::Metadata
            | KustomizationField::OpenApi
            | KustomizationField::ImageTags
            | KustomizationField::Vars
            | KustomizationField::SortOptions
            | KustomizationField::Resources
            | KustomizationField::Components
            | KustomizationField::Crds
            | KustomizationField::Bases
            | KustomizationField::ConfigMapGenerator
            | KustomizationField::SecretGenerator
            | KustomizationField::HelmGlobals
            | KustomizationField::HelmCharts
            | KustomizationField::HelmChartInflationGenerator
            | KustomizationField::GeneratorOptions
            | KustomizationField::Configurations
            | KustomizationField::Generators
            | KustomizationField::Transformers
            | KustomizationField::Validators
            | KustomizationField::BuildMetadata
            | KustomizationField::Catalogs => Ok(Vec::new()),
        }
    }
}

type FromString = fn(&str, Vec<FieldSpec>) -> Box<dyn Transformer>;

const STRING_TRANSFORMERS: [(Builtin, FromString); 3] = [
    (Builtin::NamespaceTransformer, |text, specs| {
        let subjects = RoleBindingSubjects::DefaultOnly;
        Box::new(NamespaceTransformer::new(text, specs, false, subjects))
    }),
    (Builtin::PrefixTransformer, |text, specs| Box::new(AffixTransformer::prefix(text, specs))),
    (Builtin::SuffixTransformer, |text, specs| Box::new(AffixTransformer::suffix(text, specs))),
];

/// The transformer of a field with one text or mapping; `None` if it is absent or empty.
fn single(
    level: &ActiveLayer<'_>,
    field: KustomizationField,
    config: &TransformerConfig,
) -> Option<ReadyTransformer> {
    let kustomization = level.kustomization();
    let builtin = field.builtin()?;
    let specs = default_field_specs(builtin, config).to_vec();
    let (argument, mark, transformer) = if let Some(pairs) = kustomization.pairs(field) {
        let transformer: Box<dyn Transformer> =
            Box::new(PairsTransformer::new(pairs.value.clone(), specs));
        (pairs_name(&pairs.value), pairs.mark, transformer)
    } else {
        let Marked { value, mark } = kustomization.word(field)?;
        let (_, make) = STRING_TRANSFORMERS.iter().find(|(known, _)| *known == builtin)?;
        (value.clone(), *mark, make(value, specs))
    };
    let heading = heading(level, field, argument, mark).in_field(field);
    Some(ReadyTransformer::new(heading, transformer))
}

fn default_field_specs(builtin: Builtin, config: &TransformerConfig) -> &[FieldSpec] {
    builtin.specs().map(|list| config.list(list)).unwrap_or_default()
}

/// Plans one transformer for each entry of `labels`. In Kustomize, any entry adds one more
/// transformer for an absent `commonLabels`; it changes no resource and appears only in the
/// `transformations` annotation.
fn plan_labels(level: &ActiveLayer<'_>, config: &TransformerConfig, recorded: bool) -> Plan {
    let mut planned = Vec::new();
    for (index, label) in level.kustomization().labels.iter().enumerate() {
        let (field, pairs) = (KustomizationField::Labels, &label.value.pairs);
        let heading = heading(level, field, pairs_name(pairs), label.mark).with_entry(field, index);
        match label_specs(&label.value, config, (level.root.profile(), label.mark)) {
            Err(error) => return Err(Box::new((heading, error))),
            Ok((specs, warnings)) => {
                let transformer = Box::new(PairsTransformer::new(pairs.clone(), specs));
                planned.push(ReadyTransformer { heading, transformer, warnings, origin: None });
            }
        }
    }
    if let Some(last) = level.kustomization().labels.last()
        && recorded
        && level.kustomization().pairs(KustomizationField::CommonLabels).is_none()
    {
        let field = KustomizationField::CommonLabels;
        let heading = heading(level, field, "", last.mark).in_field(field);
        let transformer = Box::new(PairsTransformer::new(IndexMap::new(), Vec::new()));
        planned.push(ReadyTransformer::new(heading, transformer));
    }
    Ok(planned)
}

fn plain(
    level: &ActiveLayer<'_>,
    field: KustomizationField,
    config: &TransformerConfig,
) -> Vec<ReadyTransformer> {
    let Some(builtin) = field.builtin() else { return Vec::new() };
    let entries = level.kustomization().plain_entries(field);
    let specs = default_field_specs(builtin, config);
    let transformers = plain_transformers(builtin, entries, specs, level.root.profile());
    let planned = entries.iter().zip(transformers).enumerate();
    let planned = planned.map(|(index, (entry, (argument, transformer)))| {
        let heading = heading(level, field, argument, entry.mark).with_entry(field, index);
        ReadyTransformer::new(heading, transformer)
    });
    planned.collect()
}
