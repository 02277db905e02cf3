//! Running the consolidated list (sections A.11 to A.13).

use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::{CompositionRemark, Diagnostic};
use crate::evaluate::accumulator::drop_empties;
use crate::evaluate::build::{Build, cannot_load};
use crate::evaluate::configured::{PluginConfig, PluginUse};
use crate::evaluate::default_specs::fill_in_field_specs;
use crate::evaluate::generators::PlannedGenerator;
use crate::evaluate::level::ActiveLayer;
use crate::evaluate::plan::ReadyTransformer;
use crate::evaluate::recorder::BuildAbort;
use crate::evaluate::step::Step;
use crate::evaluate::target::LoadedTarget;
use crate::evaluate::{BuildWarning, LayerId, LayerKind, StepKind};
use crate::load::{LoadError, LoadedFile};
use crate::manifest::{
    Builtin, KustomizationField, Marked, PluginRole, SpecList, TransformerConfig,
    decode_inline_kustomization,
};
use crate::resource::{ResMap, Resource};
use crate::transform::{Context, HashTransformer, TransformError, Transformer};
use crate::yaml::{Mark, Node};

use super::failure::CompositionAbort;
use super::{ConsolidatedComposition, ConsolidatedEntry};

impl Build<'_> {
    /// Consolidates a Composition and runs its entries on an accumulator. D-A8: an empty
    /// intermediate list does not end the run.
    pub(in crate::evaluate) fn run_composition(
        &mut self,
        level: &ActiveLayer<'_>,
        file: &LoadedFile,
    ) -> Result<(), BuildAbort> {
        let source = self.memory.sources.intern(&file.path);
        let mark = Mark { source, line: 1, column: 1, ..Mark::default() };
        let name = Path::new(&file.path).file_name().unwrap_or_default().to_string_lossy();
        let heading = level.heading(StepKind::Configure, "consolidate", &*name, mark);
        if self.recorder.enclosing(level.id).any(|layer| *layer.file == *file.path) {
            let path = Path::new(&file.path).to_owned();
            let source = LoadError::Cycle { candidate: path.clone(), visited: path };
            let reading = format!("composition '{name}'");
            return Err(self.failed_step(heading, cannot_load(reading, mark, source)));
        }
        let consolidated = match self.consolidate_file(level.id, level.root, file, true) {
            Ok(consolidated) => consolidated,
            Err(CompositionAbort::Halt(halt)) => return Err(halt),
            Err(CompositionAbort::Error(error)) => {
                return self.handle_config_error(heading, error);
            }
        };
        for warning in &consolidated.warnings {
            self.add_warning(warning);
        }
        let (matched, warnings) = (consolidated.entries.len(), consolidated.warnings.clone());
        self.step(heading, |_, cx| {
            (cx.matched, cx.warnings) = (matched, warnings);
            Ok(())
        })?;
        self.merge_configurations(level)?;
        let mut entries = consolidated.entries.iter().enumerate();
        entries.try_for_each(|entry| self.run_entry(level.id, &consolidated, entry))
    }

    pub(in crate::evaluate) fn add_warning(&mut self, warning: &Diagnostic) {
        let file = self.shown_source(warning.mark.source);
        let place = (!file.is_empty()).then_some((file, warning.mark.line));
        let diagnostic = Box::new(warning.clone());
        self.notes.add_warning(BuildWarning::InFile { place, diagnostic });
    }

    fn run_entry(
        &mut self,
        layer: LayerId,
        consolidated: &ConsolidatedComposition,
        (index, entry): (usize, &ConsolidatedEntry),
    ) -> Result<(), BuildAbort> {
        let mut target = LoadedTarget::of_entry(&entry.origin.file);
        Arc::make_mut(&mut target.kustomization).catalogs = catalogs(consolidated);
        let level = ActiveLayer { root: &entry.root, target: &target, id: layer };
        self.note_catalogs(&level);
        let config = Resource::new(entry.config.clone(), &self.carried.schemas.scopes);
        let configured =
            PluginConfig::new(&level, PluginUse::Composition, config, entry.origin.mark);
        let first = self.recorder.steps.len();
        let heading =
            Step { argument: step_argument(entry, consolidated).into(), ..configured.heading() };
        let builtin = heading.builtin;
        let result = if entry.id.is_kustomization() {
            self.run_inline(&level, entry, heading)
        } else if !entry.id.is_builtin() {
            let resolved = self.resolve_function(&configured);
            self.run_resolved(&configured, resolved)
        } else if builtin == Some(Builtin::ResourceAccumulator) {
            self.accumulate_paths(&level, &entry.config)
        } else if builtin.is_some_and(|builtin| builtin.role() == PluginRole::Generator) {
            // D-A28: its output is absorbed according to its behavior, like that of `generators:`.
            let heading = Step { kind: StepKind::Generate, ..heading };
            let origin = self.root.plugin_origin(&configured, &self.memory.sources).map(Arc::new);
            match self.external_generator(&configured) {
                Ok(generator) => {
                    self.run_generator(&level, PlannedGenerator { heading, generator, origin })
                }
                Err(error) => Err(self.failed_step(heading, error)),
            }
        } else {
            self.run_builtin(configured, heading)
        };
        // An entry may take several steps; all of them carry its number.
        for step in self.recorder.steps.iter_mut().skip(first) {
            if step.layer == layer {
                (step.field, step.entry) = (KustomizationField::Transformers.name(), Some(index));
            }
        }
        result
    }

    fn run_builtin(
        &mut self,
        mut configured: PluginConfig<'_>,
        heading: Step,
    ) -> Result<(), BuildAbort> {
        let (node, profile) = (&configured.config.node, self.setup.profile());
        let specified = fill_in_field_specs(node, true, profile)
            .map_err(|error| self.failed_step(heading.clone(), error))?;
        let mut warnings = specified.warnings;
        for warning in &warnings {
            self.add_warning(warning);
        }
        if specified.reaches_selectors {
            let notice = Diagnostic::new(CompositionRemark::ReachesSelectors, configured.mark);
            let says_so = |told: &BuildWarning| matches!(told, BuildWarning::InFile { diagnostic, .. } if diagnostic.code() == notice.code());
            if !self.notes.has_warning(says_so) {
                self.add_warning(&notice);
                warnings.push(notice);
            }
        }
        configured.config.node = specified.config;
        let transformer = if &*configured.config.id.gvk.kind == "HashTransformer" {
            Ok(Box::new(ImmediateHash) as Box<dyn Transformer>)
        } else {
            self.planner(configured.level).builtin_transformer(&configured)
        };
        let origin = self.root.plugin_origin(&configured, &self.memory.sources);
        let transformer = transformer.map_err(|error| self.failed_step(heading.clone(), error))?;
        let planned = ReadyTransformer { heading, transformer, warnings, origin };
        self.run_transformer(configured.level, planned, true)
    }

    /// Runs a `ResourceAccumulator`: loads its paths like those in the `resources:` of a
    /// Kustomization. D-A25: hashes, references and vars are resolved only by the final steps of
    /// the root.
    fn accumulate_paths(
        &mut self,
        level: &ActiveLayer<'_>,
        config: &Node,
    ) -> Result<(), BuildAbort> {
        let items = config.items_of("paths").iter();
        let paths: Vec<Marked<String>> = items
            .filter_map(|item| Some(Marked { value: item.text()?.to_owned(), mark: item.mark }))
            .collect();
        self.load_entries(level, "paths", &paths)?;
        drop_empties(&mut self.acc.resources);
        Ok(())
    }

    /// Runs an inline Kustomization as a layer that works on the incoming resources, as a component
    /// does. D-A27: the resources are passed directly with all their metadata, and not through a
    /// file.
    fn run_inline(
        &mut self,
        level: &ActiveLayer<'_>,
        entry: &ConsolidatedEntry,
        heading: Step,
    ) -> Result<(), BuildAbort> {
        let kustomization = decode_inline_kustomization(&entry.config, self.setup.profile())
            .map_err(|error| self.failed_step(heading.clone(), error.into()))?;
        let deprecated = kustomization.deprecated.iter().cloned();
        self.notes.warn_all(deprecated.map(BuildWarning::Deprecated));
        let mark = heading.mark;
        self.step(heading, |acc, cx| {
            cx.matched = acc.resources.len();
            Ok(())
        })?;
        let name = format!("Kustomization/{}", entry.id.name);
        let kind = LayerKind::Composition;
        let id = self.recorder.enter_root(kind, Some(level.id), level.root, &name, mark);
        self.recorder.set_file(id, &entry.origin.file);
        self.recorder.set(id, |layer| layer.shares = true);
        let kustomization = Arc::new(kustomization);
        let target = LoadedTarget { kustomization, ..LoadedTarget::of_entry(&entry.origin.file) };
        let around = self.carried.schemas.clone();
        let config = self.acc.config.clone();
        // A schema set by another layer must not block the schema of this one.
        self.carried.schemas.is_set = false;
        self.accumulate(&ActiveLayer { root: level.root, target: &target, id })?;
        self.recorder.leave(id);
        // The schema and the field specs of the inline Kustomization are local; name references are
        // updated by the root.
        let scopes_changed = !Arc::ptr_eq(&around.scopes, &self.carried.schemas.scopes);
        self.carried.schemas = around;
        if scopes_changed {
            self.acc.resources.set_scopes(self.carried.schemas.scopes.clone());
        }
        if !Arc::ptr_eq(&config, &self.acc.config) {
            let mut kept = TransformerConfig::clone(&config);
            kept.name_reference.clone_from(&self.acc.config.name_reference);
            let vars = SpecList::VarReference;
            *kept.list_mut(vars) = self.acc.config.list(vars).to_vec();
            self.acc.config = Arc::new(kept);
        }
        Ok(())
    }
}

/// The argument of an entry's step: its name, and the file that it is imported from, if any.
fn step_argument(entry: &ConsolidatedEntry, consolidated: &ConsolidatedComposition) -> String {
    if entry.imported_from.is_empty() {
        return entry.id.name.clone();
    }
    let file = Path::new(&entry.listed.file);
    let from = super::document::seen_from(&consolidated.directory, &entry.root, file);
    format!("{} ← {from}", entry.id.name)
}

fn catalogs(consolidated: &ConsolidatedComposition) -> Option<Node> {
    let list = consolidated.catalogs.iter();
    let items: Vec<Node> =
        list.map(|catalog| Node::string(catalog.resolved.as_str()).marked(catalog.mark)).collect();
    (!items.is_empty()).then(|| Node::sequence(items))
}

/// A transformer that appends name hashes immediately (D-A24). It clears the flags that request a
/// hash, so that the root does not hash again.
#[derive(Debug)]
struct ImmediateHash;

impl Transformer for ImmediateHash {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        let pending = resources.iter().filter(|(_, resource)| resource.needs_hash);
        let pending: Vec<_> = pending.map(|(slot, _)| slot).collect();
        HashTransformer.transform(resources, cx)?;
        for slot in pending {
            resources.update(slot, |resource| resource.needs_hash = false);
        }
        Ok(())
    }
}
