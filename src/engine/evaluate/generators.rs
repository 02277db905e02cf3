//! `configurations:`, `crds:` and the generators of one kustomization (section 2.1, steps 2 and 3).

use std::sync::Arc;

use crate::diagnostic::{FailedOperation, Fault, TextPurpose};
use crate::manifest::{
    Builtin, KustomizationField, ManifestError, TransformerConfig, decode_configuration,
    decode_crds,
};
use crate::profile::Profile;
use crate::resource::{Resource, ResourceOrigin};
use crate::transform::{Context, DataGenerator, Generator, TransformError};
use crate::yaml::Mark;

use super::StepKind;
use super::accumulator::{Accumulator, absorb};
use super::build::{Build, cannot_load};
use super::configured::PluginUse;
use super::generator_advice::merge_hint;
use super::level::ActiveLayer;
use super::origins::configured_origin;
use super::recorder::BuildAbort;
use super::step::Step;

pub(super) struct PlannedGenerator {
    pub(super) heading: Step,
    pub(super) generator: Box<dyn Generator>,
    pub(super) origin: Option<Arc<ResourceOrigin>>,
}

const GENERATOR_FIELDS: [KustomizationField; 4] = [
    KustomizationField::ConfigMapGenerator,
    KustomizationField::SecretGenerator,
    KustomizationField::HelmCharts,
    KustomizationField::Generators,
];

impl Build<'_> {
    /// Merges the field specs of `configurations:` and `crds:` into those of the accumulator.
    ///
    /// Kustomize: the defaults and the files are merged and sorted first, and the result is then
    /// added to that of the bases, or to an empty list: a special spec of a file takes precedence
    /// over a general default.
    pub(super) fn merge_configurations(
        &mut self,
        level: &ActiveLayer<'_>,
    ) -> Result<(), BuildAbort> {
        let (kustomization, profile) = (level.kustomization(), self.setup.profile());
        let mut configs = Vec::with_capacity(kustomization.configurations.len());
        let last = kustomization.configurations.len();
        if last == 0 {
            let heading = level.heading(StepKind::Configure, "configurations", "", Mark::default());
            let defaults = TransformerConfig::shared_default(profile);
            let merged = merge_configs(&self.acc.config, &defaults, Mark::default(), profile);
            self.acc.config = merged.map_err(|error| self.failed_step(heading, error))?;
        }
        let lists = [
            (KustomizationField::Configurations, "configurations", &kustomization.configurations),
            (KustomizationField::Crds, "CRDs", &kustomization.crds),
        ];
        for (field, kind, entries) in lists {
            for (index, entry) in entries.iter().enumerate() {
                let (loaded, name) = (level.root.load(&entry.value), entry.value.as_str());
                let source = loaded.as_ref().map(|loaded| self.memory.sources.intern(&loaded.path));
                let source = source.unwrap_or_default();
                let heading = level.heading(StepKind::Configure, field.name(), name, entry.mark);
                self.step(heading.with_entry(field, index), |acc, cx| {
                    let is_crds = field == KustomizationField::Crds;
                    let reading = TextPurpose::from(format!("loading {kind} [{name}]"));
                    let loaded =
                        loaded.map_err(|error| cannot_load(reading.clone(), cx.mark, error))?;
                    let layer = if is_crds {
                        Arc::new(decoded(&reading, decode_crds(&loaded.bytes, source, name))?)
                    } else {
                        let config = decode_configuration(&loaded.bytes, source, profile);
                        configs.push(decoded(&reading, config)?);
                        cx.matched = 1;
                        if index + 1 < last {
                            return Ok(());
                        }
                        TransformerConfig::with_files(std::mem::take(&mut configs), profile)
                            .map_err(|conflict| conflict_error(*conflict, cx.mark))?
                    };
                    acc.config = merge_configs(&acc.config, &layer, cx.mark, profile)?;
                    cx.matched = 1;
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    pub(super) fn generate(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        let mut planned = Vec::new();
        let kustomization = level.kustomization();
        let options = &kustomization.generator_options;
        let maps = &kustomization.config_map_generator;
        let secrets = &kustomization.secret_generator;
        for (field, builtin, entries) in [
            (KustomizationField::ConfigMapGenerator, Builtin::ConfigMapGenerator, maps),
            (KustomizationField::SecretGenerator, Builtin::SecretGenerator, secrets),
        ] {
            for (index, entry) in entries.iter().enumerate() {
                let (args, mark) = (entry.value.clone(), entry.mark);
                let (options, is_secret) = (options.clone(), builtin == Builtin::SecretGenerator);
                let name = entry.value.name.value.as_str();
                let heading = level.heading(StepKind::Generate, builtin.kind(), name, mark);
                let tracks = self.root.tracks_origins();
                planned.push(PlannedGenerator {
                    heading: heading.with_builtin(builtin).with_entry(field, index),
                    generator: Box::new(DataGenerator { args, options, mark, is_secret }),
                    origin: tracks.then(|| Arc::new(configured_origin(level, builtin.kind()))),
                });
            }
        }
        self.plan_helm_charts(level, &mut planned)?;
        let external = self.plan_plugins(level, PluginUse::Generator)?;
        for planned in planned {
            self.run_generator(level, planned)?;
        }
        self.run_plugins(external)?;
        self.record_switched_off(level, &GENERATOR_FIELDS, StepKind::Generate);
        Ok(())
    }

    pub(super) fn run_generator(
        &mut self,
        level: &ActiveLayer<'_>,
        planned: PlannedGenerator,
    ) -> Result<(), BuildAbort> {
        let PlannedGenerator { heading, generator, origin } = planned;
        self.step(heading, |acc, cx| {
            let generated = generator.generate(level.root, cx)?;
            absorb_all(level, acc, generated, origin.as_ref(), cx)
        })
    }

    pub(super) fn record_switched_off(
        &mut self,
        level: &ActiveLayer<'_>,
        fields: &[KustomizationField],
        kind: StepKind,
    ) {
        for field in fields {
            let name = field.name();
            let mut off = level.target.switched_off(name).into_iter().peekable();
            self.switched_off(level, (name, kind, name), &mut off, usize::MAX);
        }
    }
}

pub(super) fn absorb_all(
    level: &ActiveLayer<'_>,
    acc: &mut Accumulator,
    generated: Vec<Resource>,
    origin: Option<&Arc<ResourceOrigin>>,
    cx: &mut Context<'_>,
) -> Result<(), TransformError> {
    cx.matched = generated.len();
    let has_components = !level.kustomization().components.is_empty();
    for mut resource in generated {
        if let Some(origin) = origin {
            resource.set_generator(origin);
        }
        resource.refresh_id(acc.resources.scopes());
        let id = resource.id.clone();
        absorb(acc, resource, cx.profile).map_err(|fault| {
            let hint = match &fault {
                Fault::Generator(fault) => merge_hint(fault, &id, &acc.resources, has_components),
                _ => None,
            };
            TransformError::fault(fault, cx.mark)
                .with_hint_if(hint)
                .within(FailedOperation::Merging)
        })?;
    }
    Ok(())
}

pub(super) fn merge_configs(
    existing: &Arc<TransformerConfig>,
    incoming: &Arc<TransformerConfig>,
    mark: Mark,
    profile: Profile,
) -> Result<Arc<TransformerConfig>, TransformError> {
    existing.merged(incoming, profile).map_err(|conflict| conflict_error(*conflict, mark))
}

fn conflict_error(conflict: ManifestError, mark: Mark) -> TransformError {
    ManifestError { mark, ..conflict }.into()
}

fn decoded(
    reading: &TextPurpose,
    config: Result<TransformerConfig, ManifestError>,
) -> Result<TransformerConfig, TransformError> {
    config.map_err(|error| ManifestError { around: format!("{reading}: "), ..error }.into())
}
