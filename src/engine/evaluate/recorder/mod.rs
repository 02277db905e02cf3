//! Writes the trace during the build.

use std::sync::Arc;
use std::time::Duration;

use crate::diagnostic::LayerFault;
use crate::load::Root;
use crate::resource::{Change, ResMap};
use crate::transform::{TransformError, Transformer};
use crate::yaml::Mark;

use super::additions::Additions;
use super::errors::describe;
use super::recorded_part::{LayerMapping, RecordedPart, RecordingPosition, StepNames};
use super::{
    BuildCache, ChangeCounts, Clock, Layer, LayerId, LayerKind, Step, StepError, StepId, StepKind,
    StepOutcome, Wait,
};

#[derive(Clone, Debug)]
pub(super) enum BuildAbort {
    Failed(Arc<StepError>),
    Cancelled,
}

#[derive(Clone, Debug)]
pub(super) struct OpenStep {
    pub(super) step: Step,
    started: Duration,
}

pub(super) struct Recorder {
    pub(super) steps: Vec<Step>,
    pub(super) layers: Vec<Layer>,
    pub(super) names: StepNames,
    pub(super) additions: Option<Additions>,
    clock: Arc<dyn Clock>,
    bytes: usize,
}

/// The limit for recorded changes in bytes: steps may each copy a wide object.
const MAX_RECORDED_BYTES: usize = 1 << 30;

impl Recorder {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            bytes: 0,
            steps: Vec::new(),
            layers: Vec::new(),
            names: StepNames::default(),
            additions: None,
            clock,
        }
    }

    pub(super) fn enter(
        &mut self,
        kind: LayerKind,
        parent: Option<LayerId>,
        path: &str,
        name: &str,
        mark: Mark,
    ) -> LayerId {
        tracing::debug!(?kind, path, "layer");
        let first_step = self.steps.len();
        let path: Arc<str> = path.into();
        self.layers.push(Layer {
            kind,
            parent,
            file: path.clone(),
            path,
            name: name.into(),
            checkout: None,
            mark,
            shares: kind == LayerKind::Component,
            first_step,
            end_step: first_step,
        });
        LayerId(self.layers.len() - 1)
    }

    pub(super) fn enter_root(
        &mut self,
        kind: LayerKind,
        parent: Option<LayerId>,
        root: &Root,
        name: &str,
        mark: Mark,
    ) -> LayerId {
        let id = self.enter(kind, parent, &root.path().to_string_lossy(), name, mark);
        self.set(id, |layer| layer.checkout = root.checkout().cloned());
        id
    }

    pub(super) fn set(&mut self, layer: LayerId, change: impl FnOnce(&mut Layer)) {
        self.layers.get_mut(layer.0).map(change);
    }

    pub(super) fn set_file(&mut self, layer: LayerId, file: &str) {
        self.set(layer, |layer| layer.file = file.into());
    }

    pub(super) fn leave(&mut self, layer: LayerId) {
        let end = self.steps.len();
        self.set(layer, |layer| layer.end_step = end);
    }

    /// Begins a step; from here on its mark contains the writer number of the step.
    pub(super) fn begin(&mut self, mut step: Step, memory: &mut BuildCache) -> OpenStep {
        step.id = self.name(&step);
        step.writer = memory.writer(&step.id);
        step.mark.writer = step.writer;
        if let Some(additions) = &self.additions {
            additions.number_in_file(&mut step);
        }
        OpenStep { step, started: self.clock.now() }
    }

    pub(super) fn end(
        &mut self,
        begun: OpenStep,
        resources: &mut ResMap,
        result: Result<(), Arc<StepError>>,
    ) -> Result<(), BuildAbort> {
        let changes = resources.take_changes();
        let result = result.and_then(|()| {
            // The resources of a merge are already counted in the base.
            if begun.step.kind != StepKind::Merge {
                let bytes = changes.iter().map(Change::bytes).sum();
                self.bytes = self.bytes.saturating_add(bytes);
            }
            if self.bytes <= MAX_RECORDED_BYTES {
                return Ok(());
            }
            let fault = LayerFault::TooMuchRecorded(MAX_RECORDED_BYTES >> 20);
            let error = TransformError::fault(fault, begun.step.mark);
            let hint = "`kzui build` builds this target, without recording its steps";
            Err(self.step_error(&begun, error.with_hint(hint)))
        });
        self.record(begun, changes, result)
    }

    pub(super) fn record(
        &mut self,
        begun: OpenStep,
        changes: Vec<Change>,
        result: Result<(), Arc<StepError>>,
    ) -> Result<(), BuildAbort> {
        let OpenStep { mut step, started } = begun;
        step.outcome = match &result {
            Err(error) => StepOutcome::Failed(error.clone()),
            Ok(()) if changes.iter().any(Change::is_visible) || step.order.is_some() => {
                StepOutcome::Applied
            }
            Ok(()) if step.matched > 0 => StepOutcome::NoChange,
            Ok(()) => StepOutcome::MatchedNothing,
        };
        step.time = self.clock.now().saturating_sub(started);
        self.push_step(step, changes);
        result.map_err(BuildAbort::Failed)
    }

    pub(super) fn fail(&mut self, begun: OpenStep, error: TransformError) -> BuildAbort {
        let error = self.step_error(&begun, error);
        let _ = self.record(begun, Vec::new(), Err(error.clone()));
        BuildAbort::Failed(error)
    }

    pub(super) fn switched_off(&mut self, heading: Step, memory: &mut BuildCache) {
        let OpenStep { step, .. } = self.begin(heading, memory);
        self.push_step(Step { outcome: StepOutcome::SwitchedOff, ..step }, Vec::new());
    }

    /// Records a step without a known result: an external item or an earlier step is pending.
    pub(super) fn pending(&mut self, begun: OpenStep, changes: Vec<Change>, wait: Wait) {
        let outcome = StepOutcome::Waiting(Box::new(wait));
        self.push_step(Step { outcome, ..begun.step }, changes);
    }

    fn push_step(&mut self, step: Step, changes: Vec<Change>) {
        // Log only the variant of the outcome: the texts of errors and requests may contain secret
        // values.
        tracing::debug!(
            number = self.steps.len() + 1,
            kind = ?step.kind,
            name = &*step.name,
            outcome = step.outcome.name(),
            changes = changes.len(),
            microseconds = step.time.as_micros(),
            "step"
        );
        self.steps.push(Step { counts: count(&changes), changes, ..step });
    }

    /// Keeps the transformer of the last step, for queries about fields that it did not write.
    pub(super) fn keep_transformer(&mut self, transformer: Arc<dyn Transformer>) {
        if let Some(step) = self.steps.last_mut() {
            step.transformer = Some(transformer);
        }
    }

    pub(super) fn layer(&self, layer: LayerId) -> Option<&Layer> {
        self.layers.get(layer.0)
    }

    /// The layers around a layer, innermost first.
    pub(super) fn enclosing(&self, layer: LayerId) -> impl Iterator<Item = &Layer> {
        let outer = |layer: &&Layer| self.layer(layer.parent?);
        std::iter::successors(self.layer(layer), outer).skip(1)
    }

    pub(super) fn kind(&self, layer: LayerId) -> Option<LayerKind> {
        self.layer(layer).map(|layer| layer.kind)
    }

    /// The error with its layers; `step` is the location if the error has none.
    pub(super) fn describe(
        &self,
        error: TransformError,
        step: Mark,
        layer: LayerId,
    ) -> Arc<StepError> {
        Arc::new(describe(error, step, &self.layers, layer))
    }

    pub(super) fn step_error(&self, begun: &OpenStep, error: TransformError) -> Arc<StepError> {
        self.describe(error, begun.step.mark, begun.step.layer)
    }

    /// The id of a step: its layer, field and argument, and a number if that is not unique.
    fn name(&mut self, step: &Step) -> StepId {
        let layer = self.layers.get(step.layer.0).map_or("", |layer| &*layer.path);
        let what = if step.field.is_empty() { &*step.name } else { step.field };
        self.names.name([layer, "#", what, "[", &step.argument, "]"].concat())
    }

    pub(super) fn recording_position(&self) -> RecordingPosition {
        RecordingPosition {
            steps: self.steps.len(),
            layers: self.layers.len(),
            names: self.names.count(),
            bytes: self.bytes,
        }
    }

    pub(super) fn since(&self, then: RecordingPosition) -> RecordedPart {
        RecordedPart {
            first_step: then.steps,
            first_layer: then.layers,
            opened: self.layers.get(then.layers..).unwrap_or_default().to_vec(),
            steps: self.steps.get(then.steps..).unwrap_or_default().to_vec(),
            names: self.names.since(then.names).to_vec(),
            bytes: self.bytes.saturating_sub(then.bytes),
        }
    }

    /// Inserts the layers and steps of a part into this recording. `own` is the enclosing layer.
    pub(super) fn insert_part(&mut self, part: &RecordedPart, own: LayerId) -> LayerMapping {
        self.bytes = self.bytes.saturating_add(part.bytes);
        let first_step = self.steps.len();
        let moved =
            LayerMapping { first_then: part.first_layer, first_now: self.layers.len(), own };
        let step = |old: usize| old.saturating_sub(part.first_step) + first_step;
        for opened in &part.opened {
            self.layers.push(Layer {
                parent: opened.parent.map(|parent| moved.layer(parent)),
                first_step: step(opened.first_step),
                end_step: step(opened.end_step),
                ..opened.clone()
            });
        }
        for old in &part.steps {
            self.steps.push(Step { layer: moved.layer(old.layer), ..old.clone() });
        }
        self.names.add(&part.names);
        moved
    }
}

fn count(changes: &[Change]) -> ChangeCounts {
    let mut counts = ChangeCounts::default();
    for change in changes.iter().filter(|change| change.is_visible()) {
        match (&change.before, &change.after) {
            (None, Some(_)) => counts.added += 1,
            (Some(_), None) => counts.removed += 1,
            _ => counts.modified += 1,
        }
    }
    counts
}

#[cfg(test)]
mod tests;
