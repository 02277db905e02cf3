//! Kustomize's own transformers of one kustomization, in its fixed order (section 2.1, step 5).

use std::sync::Arc;

use indexmap::IndexMap;

use crate::diagnostic::Diagnostic;
use crate::manifest::{Builtin, Field, Pairs, Placed, RoleBindingSubjects, TransformerConfig};
use crate::profile::Profile;
use crate::resource::Origin;
use crate::transform::{
    AnnotationsTransformer, ImageTagTransformer, LabelTransformer, NamespaceTransformer,
    PrefixTransformer, ReplicaCountTransformer, SuffixTransformer, TransformError, Transformer,
    label_specs,
};
use crate::yaml::Mark;

use super::StepKind;
use super::accumulator::Accumulator;
use super::build::Build;
use super::level::Level;
use super::recorder::{Halt, Heading};

/// A transformer that is ready to run.
pub(super) struct Planned {
    pub(super) heading: Heading,
    pub(super) transformer: Box<dyn Transformer>,
    /// What its configuration is warned about.
    pub(super) warnings: Vec<Diagnostic>,
    /// Its origin, when it is not one of the built-in fields.
    pub(super) origin: Option<Origin>,
}

/// The transformers of one field, or the heading of the entry that cannot be configured.
pub(super) type Configured = Result<Vec<Planned>, Box<(Heading, TransformError)>>;

impl Build<'_> {
    /// Configures every built-in transformer, then runs them in turn.
    pub(super) fn run_builtin_transformers(
        &mut self,
        level: &Level<'_>,
        acc: &mut Accumulator,
    ) -> Result<(), Halt> {
        let mut fields = Vec::with_capacity(Field::TRANSFORMERS.len());
        for field in Field::TRANSFORMERS {
            let Some(builtin) = field.builtin() else { continue };
            match self.configure_field(level, field, &acc.config) {
                Ok(planned) => fields.push((field, builtin, planned)),
                Err(failed) => {
                    let (heading, error) = *failed;
                    return Err(self.failed_step(heading, error));
                }
            }
        }
        for (field, builtin, planned) in fields {
            self.run_field(level, field, builtin, planned, acc)?;
        }
        Ok(())
    }

    /// Runs the entries of one field, with those that are commented out at their places.
    fn run_field(
        &mut self,
        level: &Level<'_>,
        field: Field,
        builtin: Builtin,
        planned: Vec<Planned>,
        acc: &mut Accumulator,
    ) -> Result<(), Halt> {
        let mut off = level.target.switched_off(field.name()).into_iter().peekable();
        // Kustomize: all entries of these are one transformer.
        let is_one = matches!(field, Field::PatchesStrategicMerge | Field::Replacements);
        let kind = StepKind::Transform;
        for (position, planned) in planned.into_iter().enumerate() {
            let index = planned.heading.entry.unwrap_or(0);
            while let Some((_, entry)) = off.next_if(|(before, _)| *before <= index) {
                self.switched_off(level, field.name(), kind, builtin.kind(), entry);
            }
            self.run_transformer(level, planned, position == 0 || !is_one, acc)?;
        }
        for (_, entry) in off {
            self.switched_off(level, field.name(), kind, builtin.kind(), entry);
        }
        if let Some(line) = level.target.switched_off_field(field.name()) {
            self.switched_off_field(level, field.name(), builtin.kind(), line);
        }
        Ok(())
    }

    fn configure_field(
        &mut self,
        level: &Level<'_>,
        field: Field,
        config: &TransformerConfig,
    ) -> Configured {
        let k = level.kustomization();
        let one = |planned: Option<Planned>| Ok(planned.into_iter().collect());
        match field {
            Field::PatchesStrategicMerge => self.strategic_merges(level),
            Field::Patches => self.patches(level),
            Field::PatchesJson6902 => self.json_patches(level),
            Field::Replacements => self.replacements(level),
            Field::Labels => labels(level, config, self.metadata.is_wanted()),
            Field::Replicas => Ok(replicas(level, config)),
            Field::Images => Ok(images(level, config, self.options.profile)),
            Field::Namespace => one(word(level, field, &k.namespace, |value| {
                let subjects = RoleBindingSubjects::DefaultOnly;
                NamespaceTransformer::new(value, config.namespace.clone(), false, subjects)
            })),
            Field::NamePrefix => one(word(level, field, &k.name_prefix, |value| {
                PrefixTransformer::new(value, config.name_prefix.clone())
            })),
            Field::NameSuffix => one(word(level, field, &k.name_suffix, |value| {
                SuffixTransformer::new(value, config.name_suffix.clone())
            })),
            Field::CommonLabels => one(mapping(level, field, &k.common_labels, |value| {
                LabelTransformer::new(value, config.common_labels.clone())
            })),
            Field::CommonAnnotations => {
                one(mapping(level, field, &k.common_annotations, |value| {
                    AnnotationsTransformer::new(value, config.common_annotations.clone())
                }))
            }
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

/// A transformer with one text as its value. An absent field, or an empty one, makes none.
fn word<T: Transformer + 'static>(
    level: &Level<'_>,
    field: Field,
    value: &Placed<String>,
    make: impl FnOnce(&str) -> T,
) -> Option<Planned> {
    if value.value.is_empty() {
        return None;
    }
    let heading = heading(level, field, value.value.as_str(), value.mark).in_field(field);
    let transformer = Box::new(make(value.value.as_str()));
    Some(Planned { heading, transformer, warnings: Vec::new(), origin: None })
}

/// A transformer with one mapping as its value. An absent field, or an empty one, makes none.
fn mapping<T: Transformer + 'static>(
    level: &Level<'_>,
    field: Field,
    value: &Placed<Pairs>,
    make: impl FnOnce(Pairs) -> T,
) -> Option<Planned> {
    let argument = pairs(&value.value);
    if argument.is_empty() {
        return None;
    }
    let heading = heading(level, field, argument, value.mark).in_field(field);
    let transformer = Box::new(make(value.value.clone()));
    Some(Planned { heading, transformer, warnings: Vec::new(), origin: None })
}

/// The heading of a step of the transformer that a field configures.
pub(super) fn heading(
    level: &Level<'_>,
    field: Field,
    argument: impl Into<Arc<str>>,
    mark: Mark,
) -> Heading {
    let name = field.builtin().map_or("", Builtin::kind);
    level.heading(StepKind::Transform, name, argument, mark).by(field.builtin())
}

/// One transformer for each entry of `labels`. Kustomize: where there is any, `commonLabels` makes one more even
/// when it is absent; it changes nothing, and shows only among the recorded transformations.
fn labels(level: &Level<'_>, config: &TransformerConfig, recorded: bool) -> Configured {
    let mut planned = Vec::new();
    for (index, label) in level.kustomization().labels.iter().enumerate() {
        let heading = heading(level, Field::Labels, pairs(&label.value.pairs), label.mark)
            .of(Field::Labels, index);
        match label_specs(&label.value, config, label.mark) {
            Err(error) => {
                return Err(Box::new((heading, error)));
            }
            Ok((specs, warnings)) => {
                let transformer = Box::new(LabelTransformer::new(label.value.pairs.clone(), specs));
                planned.push(Planned { heading, transformer, warnings, origin: None });
            }
        }
    }
    if let Some(last) = level.kustomization().labels.last()
        && recorded
        && level.kustomization().common_labels.value.is_empty()
    {
        let field = Field::CommonLabels;
        let heading = heading(level, field, "", last.mark).in_field(field);
        let transformer = Box::new(LabelTransformer::new(IndexMap::new(), Vec::new()));
        planned.push(Planned { heading, transformer, warnings: Vec::new(), origin: None });
    }
    Ok(planned)
}

fn replicas(level: &Level<'_>, config: &TransformerConfig) -> Vec<Planned> {
    let entries = level.kustomization().replicas.iter().enumerate();
    entries
        .map(|(index, replica)| {
            let argument = format!("{} → {}", replica.value.name, replica.value.count);
            let heading =
                heading(level, Field::Replicas, argument, replica.mark).of(Field::Replicas, index);
            let transformer = Box::new(ReplicaCountTransformer::new(
                replica.value.clone(),
                config.replicas.clone(),
            ));
            Planned { heading, transformer, warnings: Vec::new(), origin: None }
        })
        .collect()
}

fn images(level: &Level<'_>, config: &TransformerConfig, profile: Profile) -> Vec<Planned> {
    let entries = &level.kustomization().images;
    let values = entries.iter().map(|image| image.value.clone());
    let transformers = ImageTagTransformer::all(values, config.images.clone(), profile);
    let entries = entries.iter().enumerate().zip(transformers);
    entries
        .map(|((index, image), transformer)| {
            let heading = heading(level, Field::Images, image_argument(&image.value), image.mark)
                .of(Field::Images, index);
            let transformer = Box::new(transformer);
            Planned { heading, transformer, warnings: Vec::new(), origin: None }
        })
        .collect()
}

fn image_argument(image: &crate::manifest::Image) -> String {
    let mut new = image.new_name.clone();
    for (sign, part) in [(":", &image.new_tag), ("@", &image.digest), (" …", &image.tag_suffix)] {
        if !part.is_empty() {
            new.push_str(sign);
            new.push_str(part);
        }
    }
    format!("{} → {new}", image.name)
}

/// `a=b, c=d`
fn pairs(pairs: &Pairs) -> String {
    pairs.iter().map(|(key, pair)| format!("{key}={}", pair.value)).collect::<Vec<_>>().join(", ")
}
