//! The procedure of one kustomization, used recursively (section 2.1).

use std::sync::Arc;

use crate::diagnostic::LayerFault;
use crate::load::{Root, forces_git};
use crate::manifest::{KustomizationField, KustomizationKind};
use crate::profile::Switch;
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::accumulator::Accumulator;
use super::build::Build;
use super::configured::PluginUse;
use super::level::ActiveLayer;
use super::recorder::BuildAbort;
use super::target::{LoadedTarget, read_target};
use super::{BuildWarning, LayerId, LayerKind, StepKind};

/// Nesting limit for kustomizations: above real trees, and within [`STACK`](super::STACK).
const MAX_NESTED: usize = 1000;
/// Limit for the kustomizations of one build, each counted once per use: a few files can expand
/// without end. Views of a build's layers use the same limit.
pub const MAX_LAYERS: usize = 1 << 14;

impl Build<'_> {
    /// Builds a layer on an accumulator (steps 1 to 8 of section 2.1): a new one for a base, the
    /// parent's for a component.
    pub(super) fn accumulate(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        self.check_limits(level)?;
        if let Some(file) = &level.target.composition {
            let around = self.enter_schema(level)?;
            self.run_composition(level, file)?;
            return self.leave_schema(level, around);
        }
        let around = self.namespace.clone();
        if let Some(namespace) = level.kustomization().word(KustomizationField::Namespace) {
            self.namespace.clone_from(&namespace.value);
        }
        let done = self.accumulate_within(level);
        self.namespace = around;
        done
    }

    /// Warns of an entry that begins with `git::`, each time that it is opened, as Kustomize does.
    pub(super) fn warn_of_forced_git(&mut self, entry: &str) {
        if forces_git(entry) && self.setup.profile().warns_of_deprecations() {
            self.notes.warn(BuildWarning::ForcedGit);
        }
    }

    /// Fails a build that exceeds the limits: too deep for the stack, or too wide for the memory.
    fn check_limits(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        let fault = if self.recorder.enclosing(level.id).count() >= MAX_NESTED {
            LayerFault::TooDeep(MAX_NESTED)
        } else if self.recorder.layers.len() > MAX_LAYERS {
            LayerFault::TooMany(MAX_LAYERS)
        } else {
            return Ok(());
        };
        let mark = self.recorder.layer(level.id).map_or_else(Mark::default, |layer| layer.mark);
        let heading = level.heading(StepKind::Load, "load", "", mark);
        Err(self.failed_step(heading, TransformError::fault(fault, mark)))
    }

    fn accumulate_within(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        self.note_catalogs(level);
        self.warn_sibling_composition(level)?;
        let around = self.enter_schema(level)?;
        if self.setup.profile().has(Switch::ComponentsFirst) {
            self.load_resources(level)?;
            self.take_schemas_from_below(level);
            self.run_components(level, None)?;
            self.merge_configurations(level)?;
            self.generate(level)?;
        } else {
            let state = self.begin_or_reuse(level)?;
            self.run_components(level, state)?;
        }
        self.use_gathered_schemas();
        self.run_transformers(level)?;
        let validators = self.plan_plugins(level, PluginUse::Validator)?;
        self.run_plugins(validators)?;
        self.record_switched_off(level, &[KustomizationField::Validators], StepKind::Validate);
        self.record_vars(level)?;
        if self.setup.profile().has(Switch::LocalConfigDroppedEarly) {
            self.drop_local_config(level)?;
        }
        self.leave_schema(level, around)
    }

    fn warn_sibling_composition(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        let Some(warning) = level.target.beside.clone() else { return Ok(()) };
        self.add_warning(&warning);
        let heading = level.heading(StepKind::Load, "read", "", warning.mark);
        self.step(heading, |_, cx| {
            cx.warnings.push(warning);
            Ok(())
        })
    }

    pub(super) fn begin_layer(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        self.load_resources(level)?;
        self.take_schemas_from_below(level);
        self.merge_configurations(level)?;
        self.generate(level)
    }

    pub(super) fn build_child(
        &mut self,
        root: &Root,
        target: &LoadedTarget,
        id: LayerId,
    ) -> Result<Accumulator, BuildAbort> {
        let level = ActiveLayer { root, target, id };
        self.with_accumulator(self.new_accumulator(), |build| {
            build.accumulate(&level)?;
            build.carried.continue_slots_after(&build.acc.resources);
            Ok(())
        })
    }

    /// Opens a layer for a directory entry; reads and checks its kustomization file.
    pub(super) fn open_layer(
        &mut self,
        parent: &ActiveLayer<'_>,
        root: &Root,
        kind: LayerKind,
        entry: &str,
        mark: Mark,
    ) -> Result<(LayerId, LoadedTarget), TransformError> {
        let path = root.path().to_string_lossy().into_owned();
        let id = self.recorder.enter_root(kind, Some(parent.id), root, entry, mark);
        let mut target = self.read_target(root)?;
        self.recorder.set_file(id, &target.file);
        if self.setup.profile().has(Switch::NamespaceHandedDown)
            && target.kustomization.word(KustomizationField::Namespace).is_none()
            && let Some(namespace) = parent.kustomization().word(KustomizationField::Namespace)
        {
            let handed_down = Arc::make_mut(&mut target.kustomization);
            handed_down.words.insert(KustomizationField::Namespace, namespace.clone());
        }
        if target.composition.is_some() {
            if kind != LayerKind::Component {
                self.recorder.set(id, |layer| layer.kind = LayerKind::Composition);
                return Ok((id, target));
            }
            let fault = LayerFault::CompositionForComponent(path);
            let hint = "list it under `transformers:`";
            return Err(TransformError::fault(fault, mark).with_hint(hint));
        }
        let (fault, field) = match (target.kustomization.kind, kind == LayerKind::Component) {
            (KustomizationKind::Component, false) => (LayerFault::Component(path), "components"),
            (KustomizationKind::Kustomization, true) => {
                (LayerFault::KustomizationForComponent(path), "resources")
            }
            _ => return Ok((id, target)),
        };
        Err(TransformError::fault(fault, mark).with_hint(format!("list it under `{field}:`")))
    }

    fn record_vars(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        let vars = &level.kustomization().vars;
        let Some(first) = vars.first() else { return Ok(()) };
        let names: Vec<&str> = vars.iter().map(|var| var.value.name.as_str()).collect();
        let heading = level
            .heading(StepKind::Vars, "vars", names.join(", "), first.mark)
            .in_field(KustomizationField::Vars);
        let vars: Vec<_> = vars.iter().map(|var| (var.value.clone(), var.mark)).collect();
        self.step(heading, |acc, cx| {
            cx.matched = vars.len();
            acc.vars.record(&vars, &acc.resources)
        })
    }

    pub(super) fn read_target(&mut self, root: &Root) -> Result<LoadedTarget, TransformError> {
        let keeps = !self.memory.is_disabled;
        let known = keeps.then_some(&mut self.memory.targets);
        let (target, deprecated) =
            read_target(root, &mut self.memory.sources, known, self.setup.profile())?;
        self.notes.warn_all(deprecated);
        Ok(target)
    }
}
