//! Helm charts of a kustomization (section 4.17).

use std::sync::Arc;

use crate::diagnostic::{FailedOperation, PluginFault};
use crate::load::Root;
use crate::manifest::{Builtin, HelmGlobals, KustomizationField, decode_helm_inflation};
use crate::plugin::Helm;
use crate::profile::Switch;
use crate::resource::{Resource, Scopes, read_resources};
use crate::transform::{Context, Generator, TransformError};
use crate::yaml::{Limits, Mark, Node, SourceId, parse_documents};

use super::build::Build;
use super::configured::PluginConfig;
use super::generators::PlannedGenerator;
use super::level::ActiveLayer;
use super::origins::configured_origin;
use super::recorder::BuildAbort;
use super::setup::BuildSetup;
use super::{Ports, StepKind};

const CHART_PLUGIN: Builtin = Builtin::HelmChartInflationGenerator;

impl Build<'_> {
    pub(super) fn plan_helm_charts(
        &mut self,
        level: &ActiveLayer<'_>,
        planned: &mut Vec<PlannedGenerator>,
    ) -> Result<(), BuildAbort> {
        let none = HelmGlobals::default();
        let globals = level.kustomization().helm_globals.as_ref().unwrap_or(&none);
        for (index, chart) in level.kustomization().helm_charts.iter().enumerate() {
            let name = chart.value.name.as_str();
            let heading = level
                .heading(StepKind::Generate, CHART_PLUGIN.kind(), name, chart.mark)
                .with_builtin(CHART_PLUGIN)
                .with_entry(KustomizationField::HelmCharts, index);
            let helm = self.setup.check_helm(chart.mark).and_then(|()| {
                let over_charts = self.setup.profile().has(Switch::NamespaceOverCharts);
                let namespace = if over_charts { "" } else { self.namespace.as_str() };
                let flags = &self.setup.options.helm;
                Helm::configure(&chart.value, globals, flags, namespace, level.root, chart.mark)
            });
            let helm = match helm {
                Ok(helm) => helm,
                Err(error) => {
                    self.handle_config_error(heading, error)?;
                    continue;
                }
            };
            let tracks = self.root.tracks_origins();
            let origin = tracks.then(|| Arc::new(configured_origin(level, CHART_PLUGIN.kind())));
            let generator = self.chart_generator(helm);
            planned.push(PlannedGenerator { heading, generator, origin });
        }
        Ok(())
    }

    pub(super) fn helm_generator(
        &mut self,
        config: &Node,
        configured: &PluginConfig<'_>,
    ) -> Result<Box<dyn Generator>, TransformError> {
        self.setup.check_helm(configured.mark)?;
        let (globals, chart) = decode_helm_inflation(config)?;
        let (flags, root) = (&self.setup.options.helm, configured.level.root);
        let helm = Helm::configure(&chart, &globals, flags, "", root, configured.mark)?;
        Ok(self.chart_generator(helm))
    }

    fn chart_generator(&mut self, mut helm: Helm) -> Box<dyn Generator> {
        self.notes.own.ran = true;
        helm.offline = self.setup.options.functions.offline;
        let (ports, scopes) = (self.setup.ports.clone(), self.carried.schemas.scopes.clone());
        Box::new(ChartGenerator { helm, ports, scopes })
    }
}

impl BuildSetup<'_> {
    fn check_helm(&self, mark: Mark) -> Result<(), TransformError> {
        if self.options.enable_helm || self.options.enable_alpha_plugins {
            return Ok(());
        }
        let hint = "charts are rendered by the program `helm`: allow it with --enable-helm";
        Err(TransformError::fault(PluginFault::HelmDisabled, mark).with_hint(hint))
    }
}

#[derive(Debug)]
struct ChartGenerator {
    helm: Helm,
    ports: Ports,
    scopes: Arc<Scopes>,
}

impl Generator for ChartGenerator {
    fn generate(&self, root: &Root, cx: &mut Context<'_>) -> Result<Vec<Resource>, TransformError> {
        let cancelled = || self.ports.cancel.is_cancelled();
        let output = self.helm.inflate(root, self.ports.programs.as_ref(), &cancelled)?;
        let file = parse_documents(&output, SourceId::NONE, Limits::default());
        let file = file.map_err(|source| TransformError::Yaml {
            reading: "could not parse bytes into resource map".into(),
            mark: cx.mark,
            source,
        })?;
        let resources = read_resources(&file, &self.scopes).map_err(|error| {
            TransformError::fault(error, cx.mark).within(FailedOperation::RenderedChart)
        })?;
        let rendered = resources.into_iter().map(|mut resource| {
            resource.node.mark_all(cx.mark);
            resource.helm_generated = true;
            resource
        });
        Ok(rendered.collect())
    }
}
