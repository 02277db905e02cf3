//! Reuse of unchanged parts: the cached result of a part replaces its evaluation. A part is a base,
//! the work of a layer before its components, or a component.

use std::path::Path;
use std::sync::Arc;

use crate::load::Root;
use crate::manifest::Marked;

use super::accumulator::Accumulator;
use super::build::Build;
use super::level::ActiveLayer;
use super::part::{CachedPart, PartConfig, PartId, PartInputs, ReachedDirectory, StateId};
use super::recorder::BuildAbort;
use super::target::LoadedTarget;
use super::{LayerId, LayerKind, MAX_LAYERS};

impl Build<'_> {
    /// Builds a base, or takes its cached result if all its inputs are unchanged. `asked` is the
    /// index of the base's first file query, which is the one for its kustomization file.
    pub(super) fn build_or_reuse(
        &mut self,
        root: &Root,
        target: &LoadedTarget,
        id: LayerId,
        asked: usize,
    ) -> Result<Accumulator, BuildAbort> {
        if self.memory.is_disabled {
            return self.build_child(root, target, id);
        }
        let directory = ReachedDirectory::from_root(root, self.root.tracks_origins());
        let (part, written) = (PartId::Base(directory), PartConfig::Nothing);
        let built =
            self.reuse(part, id, written, asked, |build| build.build_child(root, target, id));
        built.map(|(left, _)| Arc::unwrap_or_clone(left))
    }

    /// Does the work of a layer before its components, or takes the cached result. Also returns the
    /// number of the resulting state; `None` if this work is not cached separately, as for a layer
    /// that shares its parent's resources.
    pub(super) fn begin_or_reuse(
        &mut self,
        level: &ActiveLayer<'_>,
    ) -> Result<Option<StateId>, BuildAbort> {
        let layer = self.recorder.layer(level.id);
        let begins = layer.is_some_and(|layer| {
            !layer.shares && matches!(layer.kind, LayerKind::Root | LayerKind::Base)
        });
        if self.memory.is_disabled || !begins || !level.target.has_components() {
            self.begin_layer(level)?;
            return Ok(None);
        }
        let directory = ReachedDirectory::from_root(level.root, self.root.tracks_origins());
        let part = PartId::Beginning(directory);
        let written = PartConfig::OutsideComponents(Box::new(level.target.besides_components()));
        let asked = self.setup.files.mark();
        let begun = std::mem::take(&mut self.acc);
        let (made, state) = self.reuse(part, level.id, written, asked, |build| {
            build.with_accumulator(begun, |build| build.begin_layer(level))
        })?;
        self.acc = Arc::unwrap_or_clone(made);
        Ok(state)
    }

    /// Runs a component on the accumulator `before`, or takes the cached result for the same state.
    /// Returns the result and the number of its state.
    pub(super) fn component_or_reuse(
        &mut self,
        level: &ActiveLayer<'_>,
        index: usize,
        entry: &Marked<String>,
        state: Option<StateId>,
        before: Arc<Accumulator>,
    ) -> Result<(Arc<Accumulator>, Option<StateId>), BuildAbort> {
        let run = |build: &mut Self| {
            build.with_accumulator(Arc::unwrap_or_clone(before), |build| {
                build.run_component(level, index, entry)
            })
        };
        let Some(state) = state else { return Ok((Arc::new(run(self)?), None)) };
        let part = PartId::Component(state, entry.value.clone());
        let written = PartConfig::Entry(index, entry.clone());
        self.reuse(part, level.id, written, self.setup.files.mark(), run)
    }

    /// The result of a part: cached if all its inputs are unchanged, otherwise computed by `work`.
    /// The state has a number if the next evaluation may reuse it. `layer` is the one to which the
    /// part's own steps belong (it may also open further layers), `asked` the index of its first
    /// file query.
    fn reuse(
        &mut self,
        id: PartId,
        layer: LayerId,
        written: PartConfig,
        asked: usize,
        work: impl FnOnce(&mut Self) -> Result<Accumulator, BuildAbort>,
    ) -> Result<(Arc<Accumulator>, Option<StateId>), BuildAbort> {
        let given = PartInputs {
            written,
            options: self.options.clone(),
            root: self.root.clone(),
            carried: self.carried.clone(),
            namespace: self.namespace.clone(),
        };
        if let Some(finished) = self.memory.finished.get(&id).cloned()
            && finished.given.gives_same_result(&given, finished.notes.names_root)
            && !self.is_cyclic(&finished, layer)
            && self.recorder.layers.len() + finished.recorded.opened.len() <= MAX_LAYERS
            && self.recorder.names.would_assign_same_ids(&finished.recorded.names)
            && finished.queries.iter().all(|asked| asked.still_holds(self.setup.files.inner()))
        {
            tracing::debug!(part = "layer", hit = true, "cache");
            let parts = finished.within.iter().chain([&id]);
            parts.for_each(|part| self.memory.touch_finished(part));
            self.restore(&finished, layer);
            return Ok((finished.acc.clone(), Some(finished.state)));
        }
        tracing::debug!(part = "layer", hit = false, "cache");
        let (recorded, used) = (self.recorder.recording_position(), self.memory.used.len());
        self.notes.begin_part();
        let acc = Arc::new(work(self)?);
        let notes = self.notes.end_part();
        // The enclosing parts depend only on the result of a base, so that programs run in it do
        // not count for them.
        let is_base = matches!(id, PartId::Base(_));
        self.notes.own.add(&notes, !is_base);
        // Do not cache a part that sets the schema for the rest of the build, which depends on all
        // earlier parts. The output of programs in a base is cached while the files are unchanged;
        // in other parts the programs run again.
        let sets_schema = self.carried.schemas.is_set && !given.carried.schemas.is_set;
        let is_of_no_use = self.memory.is_read_only && !is_base;
        if notes.waits || sets_schema || notes.ran && !is_base || is_of_no_use {
            return Ok((acc, None));
        }
        self.memory.states += 1;
        let state = StateId(self.memory.states);
        let finished = CachedPart {
            given,
            queries: self.setup.files.queries_since(asked),
            recorded: self.recorder.since(recorded),
            notes,
            acc: acc.clone(),
            state,
            carried: self.carried.clone(),
            within: self.memory.used.get(used..).unwrap_or_default().to_vec(),
        };
        self.memory.used.push(id.clone());
        self.memory.finished.insert(id, Arc::new(finished));
        Ok((acc, Some(state)))
    }

    /// True if the part opens a directory that contains the directory of an enclosing layer.
    /// Kustomize refuses this cycle. The cached part had no cycle, because other layers enclosed it
    /// then.
    fn is_cyclic(&self, finished: &CachedPart, layer: LayerId) -> bool {
        let around = self.recorder.enclosing(layer);
        let paths: Vec<&Path> = around.map(|layer| Path::new(&*layer.path)).collect();
        let mut opened = finished.recorded.opened.iter();
        opened.any(|opened| paths.iter().any(|around| around.starts_with(&*opened.path)))
    }

    fn restore(&mut self, finished: &CachedPart, own: LayerId) {
        let moved = self.recorder.insert_part(&finished.recorded, own);
        let mut notes = finished.notes.clone();
        for schema in &mut notes.schemas {
            schema.layer = moved.layer(schema.layer);
        }
        self.notes.own.add(&notes, false);
        self.setup.files.extend(&finished.queries);
        self.carried = finished.carried.clone();
        self.memory.touch_parsed(&finished.recorded.steps);
    }
}
