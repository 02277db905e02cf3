//! Helm charts of a kustomization (section 4.17).

use crate::engine::transform::{Generator, TransformError};
use crate::engine::yaml::Node;

use super::StepKind;
use super::build::{Build, Level};
use super::external::Configured;
use super::generators::Planned;
use super::recorder::Halt;

impl Build<'_> {
    /// Plans the entries of `helmCharts:`.
    pub(super) fn plan_helm_charts(
        &mut self,
        level: &Level<'_>,
        _planned: &mut Vec<Planned>,
    ) -> Result<(), Halt> {
        let Some((index, chart)) = level.kustomization().helm_charts.iter().enumerate().next()
        else {
            return Ok(());
        };
        let heading = level
            .heading(
                StepKind::Generate,
                "HelmChartInflationGenerator",
                chart.value.name.as_str(),
                chart.mark,
            )
            .of("helmCharts", index);
        Err(self
            .failed_step(heading, TransformError::phrase("must specify --enable-helm", chart.mark)))
    }

    /// The generator of a `HelmChartInflationGenerator` object.
    pub(super) fn helm_generator(
        &mut self,
        _level: &Level<'_>,
        _config: &Node,
        configured: &Configured,
    ) -> Result<Box<dyn Generator>, TransformError> {
        Err(TransformError::phrase("must specify --enable-helm", configured.mark))
    }
}
