//! The final steps of the root (section 2.2).

use std::sync::Arc;

use crate::diagnostic::{NameRemark, Remark};
use crate::manifest::{KustomizationField, SpecList};
use crate::transform::{
    Context, DropLocalConfig, FinalAnnotations, HashTransformer, NameReferences, PairsTransformer,
    ReplaceVars, SortOrderTransformer, Transformer,
};
use crate::yaml::Mark;

use super::build::Build;
use super::level::ActiveLayer;
use super::recorder::BuildAbort;
use super::{BuildWarning, Reorder, StepKind};

impl Build<'_> {
    pub(super) fn finish(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        self.run_root_step(level, StepKind::Hash, "name hashes", &HashTransformer)?;
        self.recorder.keep_transformer(Arc::new(HashTransformer));
        let references = NameReferences::new(self.acc.config.name_reference.clone());
        self.run_root_step(level, StepKind::NameReferences, "name references", &references)?;
        self.recorder.keep_transformer(Arc::new(references));
        if !self.acc.vars.is_empty() {
            let vars = ReplaceVars::new(
                self.acc.vars.clone(),
                self.acc.config.list(SpecList::VarReference).to_vec(),
            );
            self.run_root_step(level, StepKind::ReplaceVars, "vars", &vars)?;
            self.warn_of_unused_vars();
        }
        self.drop_local_config(level)?;
        self.order(level)?;
        if self.root.metadata.managed_by || self.setup.options.managed_by_label {
            self.run_root_step(
                level,
                StepKind::BuildMetadata,
                "managed-by label",
                &PairsTransformer::managed_by(self.setup.profile().stamp()),
            )?;
        }
        let strip = FinalAnnotations {
            origin: self.root.metadata.origins,
            transformations: self.root.metadata.transformations,
        };
        self.run_root_step(level, StepKind::BuildMetadata, "annotations", &strip)
    }

    fn warn_of_unused_vars(&mut self) {
        let warnings = self.recorder.steps.last().map(|step| &*step.warnings).unwrap_or_default();
        let unused = warnings.iter().filter_map(|warning| match &warning.remark {
            Remark::Name(
                NameRemark::VarUnused(name)
                | NameRemark::VarLeftOver { name, .. }
                | NameRemark::VarCollection(name),
            ) => Some(name.clone()),
            _ => None,
        });
        let unused: Vec<String> = unused.collect();
        if !unused.is_empty() {
            self.notes.warn(BuildWarning::UnusedVars(unused));
        }
    }

    pub(super) fn drop_local_config(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        let name = "drop local-config resources";
        self.run_root_step(level, StepKind::DropLocalConfig, name, &DropLocalConfig)
    }

    fn run_root_step(
        &mut self,
        level: &ActiveLayer<'_>,
        kind: StepKind,
        name: &str,
        transformer: &dyn Transformer,
    ) -> Result<(), BuildAbort> {
        let heading = level.heading(kind, name, "", Mark::default());
        self.transform(heading, transformer, |acc, cx| {
            transformer.transform(&mut acc.resources, cx)
        })
    }

    /// Orders the output: by the root's `sortOptions`, else by `--reorder`, else in legacy order.
    fn order(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        let options = level.kustomization().sort_options.as_ref();
        if options.is_some() && self.setup.options.reorder.is_some() {
            self.notes.warn(BuildWarning::OrderTwice);
        }
        let mark = options.map(|options| options.mark).unwrap_or_default();
        let (argument, order) = match (options, self.setup.options.reorder) {
            (Some(options), _) => (
                options.value.order.clone(),
                SortOrderTransformer::from_options(&options.value, options.mark),
            ),
            (None, Some(Reorder::None)) => ("none".to_owned(), Ok(SortOrderTransformer::fifo())),
            // D-A31: a Composition keeps its own order; legacy order would undo the effect of a
            // sorting entry.
            (None, None) if level.target.composition.is_some() => {
                ("fifo".to_owned(), Ok(SortOrderTransformer::fifo()))
            }
            (None, _) => ("legacy".to_owned(), Ok(SortOrderTransformer::legacy())),
        };
        let mut heading = level.heading(StepKind::Order, "order", argument, mark);
        if options.is_some() {
            heading = heading.in_field(KustomizationField::SortOptions);
        }
        let order = order.map_err(|error| self.failed_step(heading.clone(), error))?;
        let mut begun = self.begin(heading)?;
        let before = self.acc.resources.slots();
        let schema = self.carried.schemas.in_force.clone();
        let profile = self.setup.profile();
        let mut cx = Context::new(profile, &schema, &mut self.memory.sources, begun.step.mark);
        let result = order.transform(&mut self.acc.resources, &mut cx);
        begun.step.warnings = cx.warnings;
        let after = self.acc.resources.slots();
        begun.step.matched = after.len();
        begun.step.order = (before != after).then(|| Arc::new(after));
        self.end(begun, result)
    }
}
