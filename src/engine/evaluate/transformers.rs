//! Kustomize's own transformers of one kustomization, in its fixed order (section 2.1, step 5).

use indexmap::IndexMap;

use crate::diagnostic::Diagnostic;
use crate::manifest::{Kustomization, Pairs, RoleBindingSubjects, TransformerConfig};
use crate::resource::Origin;
use crate::transform::{
    AnnotationsTransformer, ImageTagTransformer, LabelTransformer, NamespaceTransformer,
    PrefixTransformer, ReplicaCountTransformer, SuffixTransformer, TransformError, Transformer,
    label_specs,
};
use crate::yaml::Mark;

use super::StepKind;
use super::accumulator::Accumulator;
use super::build::{Build, Level};
use super::recorder::{Halt, Heading};

/// The fields that configure built-in transformers, in the order in which Kustomize applies them.
pub const TRANSFORMER_ORDER: [&str; 12] = [
    "patchesStrategicMerge",
    "patches",
    "namespace",
    "namePrefix",
    "nameSuffix",
    "labels",
    "commonLabels",
    "commonAnnotations",
    "patchesJson6902",
    "replicas",
    "images",
    "replacements",
];

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
        let mut fields = Vec::with_capacity(TRANSFORMER_ORDER.len());
        for field in TRANSFORMER_ORDER {
            match self.configure_field(level, field, &acc.config) {
                Ok(planned) => fields.push((field, planned)),
                Err(failed) => {
                    let (heading, error) = *failed;
                    return Err(self.failed_step(heading, error));
                }
            }
        }
        for (field, planned) in fields {
            self.run_field(level, field, planned, acc)?;
        }
        Ok(())
    }

    /// Runs the entries of one field, with those that are commented out at their places.
    fn run_field(
        &mut self,
        level: &Level<'_>,
        field: &'static str,
        planned: Vec<Planned>,
        acc: &mut Accumulator,
    ) -> Result<(), Halt> {
        let off = level.target.switched_off(field);
        let mut off = off.into_iter().peekable();
        // Kustomize: all entries of these are one transformer.
        let is_one = matches!(field, "patchesStrategicMerge" | "replacements");
        for (position, planned) in planned.into_iter().enumerate() {
            let index = planned.heading.entry.unwrap_or(0);
            while let Some((_, entry)) = off.next_if(|(before, _)| *before <= index) {
                self.switched_off(
                    level,
                    field,
                    StepKind::Transform,
                    transformer_name(field),
                    entry,
                );
            }
            self.run_transformer(level, planned, position == 0 || !is_one, acc)?;
        }
        for (_, entry) in off {
            self.switched_off(level, field, StepKind::Transform, transformer_name(field), entry);
        }
        if let Some(line) = level.target.switched_off_field(field) {
            self.switched_off_field(level, field, transformer_name(field), line);
        }
        Ok(())
    }

    fn configure_field(
        &mut self,
        level: &Level<'_>,
        field: &'static str,
        config: &TransformerConfig,
    ) -> Configured {
        let kustomization = level.kustomization();
        match field {
            "patchesStrategicMerge" => self.strategic_merges(level),
            "patches" => self.patches(level),
            "patchesJson6902" => self.json_patches(level),
            "replacements" => self.replacements(level),
            "labels" => labels(level, config, self.metadata.is_wanted()),
            "replicas" => Ok(replicas(level, config)),
            "images" => Ok(images(level, config)),
            _ => Ok(single(level, field, kustomization, config).into_iter().collect()),
        }
    }
}

/// The fields that hold one value and make one transformer.
fn single(
    level: &Level<'_>,
    field: &'static str,
    kustomization: &Kustomization,
    config: &TransformerConfig,
) -> Option<Planned> {
    let (argument, mark, transformer): (String, Mark, Box<dyn Transformer>) = match field {
        "namespace" => {
            let value = &kustomization.namespace;
            let specs = config.namespace.clone();
            let transformer = NamespaceTransformer::new(
                value.value.as_str(),
                specs,
                false,
                RoleBindingSubjects::DefaultOnly,
            );
            (value.value.clone(), value.mark, Box::new(transformer))
        }
        "namePrefix" => {
            let value = &kustomization.name_prefix;
            let transformer =
                PrefixTransformer::new(value.value.as_str(), config.name_prefix.clone());
            (value.value.clone(), value.mark, Box::new(transformer))
        }
        "nameSuffix" => {
            let value = &kustomization.name_suffix;
            let transformer =
                SuffixTransformer::new(value.value.as_str(), config.name_suffix.clone());
            (value.value.clone(), value.mark, Box::new(transformer))
        }
        "commonLabels" => {
            let value = &kustomization.common_labels;
            let transformer =
                LabelTransformer::new(value.value.clone(), config.common_labels.clone());
            (pairs(&value.value), value.mark, Box::new(transformer))
        }
        _ => {
            let value = &kustomization.common_annotations;
            let transformer =
                AnnotationsTransformer::new(value.value.clone(), config.common_annotations.clone());
            (pairs(&value.value), value.mark, Box::new(transformer))
        }
    };
    // An absent field, or an empty one, makes no transformer.
    if argument.is_empty() {
        return None;
    }
    let heading =
        level.heading(StepKind::Transform, transformer_name(field), argument, mark).in_field(field);
    Some(Planned { heading, transformer, warnings: Vec::new(), origin: None })
}

/// One transformer for each entry of `labels`. Kustomize: where there is any, `commonLabels` makes one more even
/// when it is absent; it changes nothing, and shows only among the recorded transformations.
fn labels(level: &Level<'_>, config: &TransformerConfig, recorded: bool) -> Configured {
    let mut planned = Vec::new();
    for (index, label) in level.kustomization().labels.iter().enumerate() {
        let heading = level
            .heading(
                StepKind::Transform,
                transformer_name("labels"),
                pairs(&label.value.pairs),
                label.mark,
            )
            .of("labels", index);
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
        let name = transformer_name("commonLabels");
        let heading = level
            .heading(StepKind::Transform, name, String::new(), last.mark)
            .in_field("commonLabels");
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
            let heading = level
                .heading(StepKind::Transform, transformer_name("replicas"), argument, replica.mark)
                .of("replicas", index);
            let transformer = Box::new(ReplicaCountTransformer::new(
                replica.value.clone(),
                config.replicas.clone(),
            ));
            Planned { heading, transformer, warnings: Vec::new(), origin: None }
        })
        .collect()
}

fn images(level: &Level<'_>, config: &TransformerConfig) -> Vec<Planned> {
    let entries = &level.kustomization().images;
    let values = entries.iter().map(|image| image.value.clone());
    let transformers = ImageTagTransformer::all(values, config.images.clone());
    let entries = entries.iter().enumerate().zip(transformers);
    entries
        .map(|((index, image), transformer)| {
            let heading = level
                .heading(
                    StepKind::Transform,
                    transformer_name("images"),
                    image_argument(&image.value),
                    image.mark,
                )
                .of("images", index);
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

/// Kustomize's name of the transformer behind a field.
pub(super) fn transformer_name(field: &str) -> &'static str {
    match field {
        "patchesStrategicMerge" => "PatchStrategicMergeTransformer",
        "patches" => "PatchTransformer",
        "namespace" => "NamespaceTransformer",
        "namePrefix" => "PrefixTransformer",
        "nameSuffix" => "SuffixTransformer",
        "labels" | "commonLabels" => "LabelTransformer",
        "commonAnnotations" => "AnnotationsTransformer",
        "patchesJson6902" => "PatchJson6902Transformer",
        "replicas" => "ReplicaCountTransformer",
        "images" => "ImageTagTransformer",
        _ => "ReplacementTransformer",
    }
}
