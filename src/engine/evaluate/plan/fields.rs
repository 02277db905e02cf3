//! The transformers of Kustomize's own fields (section 2.1, step 5).

use indexmap::IndexMap;

use crate::evaluate::level::Level;
use crate::manifest::{
    Builtin, Field, FieldSpec, ManifestError, Placed, TransformerConfig, pairs_fields,
    plain_fields, word_fields,
};
use crate::profile::Profile;
use crate::transform::{
    Making, PairsTransformer, label_specs, pairs_transformer, plain_transformer, word_transformer,
};

use super::names::pairs_name;
use super::planner::{Plan, Planned, Planner, Refused, heading};

impl Planner<'_> {
    /// The transformers of one of Kustomize's own fields, with these field specs in force.
    /// `recorded`: `buildMetadata` lists transformations.
    pub(in crate::evaluate) fn field(
        &mut self,
        field: Field,
        config: &TransformerConfig,
        recorded: bool,
    ) -> Plan {
        let level = self.level;
        written_out(level, field)?;
        let one = |planned: Option<Planned>| Ok(planned.into_iter().collect());
        match field {
            Field::PatchesStrategicMerge => self.strategic_merges(),
            Field::Patches => self.patches(),
            Field::PatchesJson6902 => self.json_patches(),
            Field::Replacements => self.replacements(),
            Field::Labels => labels(level, config, recorded),
            plain_fields!() => plain(level, field, config, self.profile),
            word_fields!() => one(word(level, field, config)),
            pairs_fields!() => one(mapping(level, field, config)),
            Field::ApiVersion
            | Field::Kind
            | Field::Metadata
            | Field::OpenApi
            | Field::ImageTags
            | Field::Vars
            | Field::SortOptions
            | Field::Resources
            | Field::Components
            | Field::Crds
            | Field::Bases
            | Field::ConfigMapGenerator
            | Field::SecretGenerator
            | Field::HelmGlobals
            | Field::HelmCharts
            | Field::HelmChartInflationGenerator
            | Field::GeneratorOptions
            | Field::Configurations
            | Field::Generators
            | Field::Transformers
            | Field::Validators
            | Field::BuildMetadata
            | Field::Catalogs => Ok(Vec::new()),
        }
    }
}

/// Kustomize serializes the configuration of a transformer before it creates the transformer.
fn written_out(level: &Level<'_>, field: Field) -> Result<(), Refused> {
    let Some(mark) = level.kustomization().unwritable.get(&field) else { return Ok(()) };
    let heading = heading(level, field, "", *mark).in_field(field);
    Err(Box::new((heading, ManifestError::unwritable(*mark).into())))
}

/// A transformer with one text as its value. No transformer for an absent or empty field.
fn word(level: &Level<'_>, field: Field, config: &TransformerConfig) -> Option<Planned> {
    let Placed { value, mark } = level.kustomization().word(field)?;
    let builtin = field.builtin()?;
    let transformer = word_transformer(builtin)?(value, specs_of(builtin, config).to_vec());
    let heading = heading(level, field, value.as_str(), *mark).in_field(field);
    Some(Planned { heading, transformer, warnings: Vec::new(), origin: None })
}

/// A transformer with one mapping as its value. No transformer for an absent or empty field.
fn mapping(level: &Level<'_>, field: Field, config: &TransformerConfig) -> Option<Planned> {
    let Placed { value, mark } = level.kustomization().pairs(field)?;
    let builtin = field.builtin()?;
    let transformer =
        pairs_transformer(builtin)?(value.clone(), specs_of(builtin, config).to_vec());
    let heading = heading(level, field, pairs_name(value), *mark).in_field(field);
    Some(Planned { heading, transformer, warnings: Vec::new(), origin: None })
}

/// The default field specs of a transformer, if its field sets none.
fn specs_of(builtin: Builtin, config: &TransformerConfig) -> &[FieldSpec] {
    builtin.specs().map(|list| config.list(list)).unwrap_or_default()
}

/// One transformer for each entry of `labels`. Kustomize: if any exists, an absent `commonLabels`
/// still adds one more; it changes no resource and appears only among the recorded transformations.
fn labels(level: &Level<'_>, config: &TransformerConfig, recorded: bool) -> Plan {
    let mut planned = Vec::new();
    for (index, label) in level.kustomization().labels.iter().enumerate() {
        let heading = heading(level, Field::Labels, pairs_name(&label.value.pairs), label.mark)
            .of(Field::Labels, index);
        let place = (level.root.profile(), label.mark);
        match label_specs(&label.value, config, place) {
            Err(error) => {
                return Err(Box::new((heading, error)));
            }
            Ok((specs, warnings)) => {
                let transformer = Box::new(PairsTransformer::new(label.value.pairs.clone(), specs));
                planned.push(Planned { heading, transformer, warnings, origin: None });
            }
        }
    }
    if let Some(last) = level.kustomization().labels.last()
        && recorded
        && level.kustomization().pairs(Field::CommonLabels).is_none()
    {
        let field = Field::CommonLabels;
        let heading = heading(level, field, "", last.mark).in_field(field);
        let transformer = Box::new(PairsTransformer::new(IndexMap::new(), Vec::new()));
        planned.push(Planned { heading, transformer, warnings: Vec::new(), origin: None });
    }
    Ok(planned)
}

/// One transformer for each entry of a plain field.
fn plain(level: &Level<'_>, field: Field, config: &TransformerConfig, profile: Profile) -> Plan {
    let Some(builtin) = field.builtin() else { return Ok(Vec::new()) };
    let Some(made) = plain_transformer(builtin) else { return Ok(Vec::new()) };
    let entries = level.kustomization().plain_entries(field);
    let specs = specs_of(builtin, config);
    let transformers = (made.make)(entries, Making { specs, profile });
    let planned = entries.iter().zip(transformers).enumerate();
    let planned = planned.map(|(index, (entry, transformer))| {
        let argument = (made.name)(&entry.value);
        let heading = heading(level, field, argument, entry.mark).of(field, index);
        match transformer {
            Ok(transformer) => {
                Ok(Planned { heading, transformer, warnings: Vec::new(), origin: None })
            }
            Err(error) => Err(Box::new((heading, error))),
        }
    });
    planned.collect()
}
