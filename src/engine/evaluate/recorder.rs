//! Writes the trace while the build goes on.

use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexSet;

use crate::diagnostic::Diagnostic;
use crate::load::Root;
use crate::manifest::Builtin;
use crate::plugin::FunctionRun;
use crate::resource::{Change, Gvk, ResMap, Slot};
use crate::transform::{Derived, Removed};
use crate::yaml::{Mark, WriterId};

use super::step_names::StepNames;
use super::{
    Clock, Counts, Layer, LayerId, LayerKind, Memory, Outcome, Step, StepError, StepId, StepKind,
    Wait,
};

/// Why the build does not go on.
#[derive(Clone, Debug)]
pub(super) enum Halt {
    /// A step failed; the error is on it.
    Failed(Arc<StepError>),
    /// Nobody wants the result any more.
    Cancelled,
}

/// What a step is, before it runs.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    pub(super) kind: StepKind,
    pub(super) name: Arc<str>,
    pub(super) argument: Arc<str>,
    pub(super) layer: LayerId,
    /// Kustomize's own plugin that does it.
    pub(super) builtin: Option<Builtin>,
    pub(super) field: &'static str,
    pub(super) entry: Option<usize>,
    /// The type of the function that it calls.
    pub(super) function: Option<Gvk>,
    /// The line that configures it; the writer is filled in by [`Recorder::begin`].
    pub(super) mark: Mark,
}

/// A step that runs.
#[derive(Clone, Debug)]
pub(super) struct Begun {
    pub(super) heading: Heading,
    id: StepId,
    started: Duration,
}

/// What a step says of itself besides its changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    pub(super) matched: usize,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) order: Option<Arc<Vec<Slot>>>,
    pub(super) run: Option<Arc<FunctionRun>>,
    pub(super) derived: Vec<Derived>,
    pub(super) removed: Vec<Removed>,
}

/// The trace being written.
pub(super) struct Recorder {
    pub(super) steps: Vec<Step>,
    pub(super) layers: Vec<Layer>,
    pub(super) names: StepNames,
    clock: Arc<dyn Clock>,
}

impl Recorder {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { steps: Vec::new(), layers: Vec::new(), names: StepNames::default(), clock }
    }

    /// Opens a layer.
    pub(super) fn enter(
        &mut self,
        kind: LayerKind,
        parent: Option<LayerId>,
        path: &str,
        name: &str,
        mark: Mark,
    ) -> LayerId {
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

    /// Opens a layer whose directory is a root.
    pub(super) fn enter_root(
        &mut self,
        kind: LayerKind,
        parent: Option<LayerId>,
        root: &Root,
        name: &str,
        mark: Mark,
    ) -> LayerId {
        let id = self.enter(kind, parent, &root.path().to_string_lossy(), name, mark);
        if let Some(layer) = self.layers.get_mut(id.0) {
            layer.checkout = root.checkout().cloned();
        }
        id
    }

    /// Says which file configures a layer, once that is known.
    pub(super) fn set_file(&mut self, layer: LayerId, file: &str) {
        if let Some(layer) = self.layers.get_mut(layer.0) {
            layer.file = file.into();
        }
    }

    /// Says what a layer turned out to be.
    pub(super) fn set_kind(&mut self, layer: LayerId, kind: LayerKind) {
        if let Some(layer) = self.layers.get_mut(layer.0) {
            layer.kind = kind;
        }
    }

    /// Says that a layer works on its parent's resources.
    pub(super) fn share(&mut self, layer: LayerId) {
        if let Some(layer) = self.layers.get_mut(layer.0) {
            layer.shares = true;
        }
    }

    /// Closes a layer.
    pub(super) fn leave(&mut self, layer: LayerId) {
        let end = self.steps.len();
        if let Some(layer) = self.layers.get_mut(layer.0) {
            layer.end_step = end;
        }
    }

    /// Begins a step; its mark has the step's number from here on.
    pub(super) fn begin(&mut self, mut heading: Heading, memory: &mut Memory) -> Begun {
        let id = self.name(&heading);
        heading.mark.writer = memory.writer(&id);
        Begun { heading, id, started: self.clock.now() }
    }

    /// Ends a step that ran on `resources`.
    pub(super) fn end(
        &mut self,
        begun: Begun,
        resources: &mut ResMap,
        account: Account,
        result: Result<(), Arc<StepError>>,
    ) -> Result<(), Halt> {
        let changes = resources.take_changes();
        self.record(begun, changes, account, result)
    }

    /// Ends a step with the changes that it made.
    pub(super) fn record(
        &mut self,
        begun: Begun,
        changes: Vec<Change>,
        account: Account,
        result: Result<(), Arc<StepError>>,
    ) -> Result<(), Halt> {
        let counts = count(&changes);
        let outcome = match &result {
            Err(error) => Outcome::Failed(error.clone()),
            Ok(()) if counts != Counts::default() || account.order.is_some() => Outcome::Applied,
            Ok(()) if account.matched > 0 => Outcome::NoChange,
            Ok(()) => Outcome::MatchedNothing,
        };
        let time = self.clock.now().saturating_sub(begun.started);
        self.push(begun, changes, account, counts, outcome, time);
        result.map_err(Halt::Failed)
    }

    /// Records an entry that stands in the file, commented out.
    pub(super) fn switched_off(&mut self, heading: Heading, memory: &mut Memory) {
        let begun = self.begin(heading, memory);
        self.push(
            begun,
            Vec::new(),
            Account::default(),
            Counts::default(),
            Outcome::SwitchedOff,
            Duration::ZERO,
        );
    }

    /// Records a step that waits for something outside.
    pub(super) fn waiting(&mut self, begun: Begun, wait: Wait) {
        self.push(
            begun,
            Vec::new(),
            Account::default(),
            Counts::default(),
            Outcome::Waiting(wait),
            Duration::ZERO,
        );
    }

    /// Records a step of which nobody can say what comes of it before an earlier one has what it waits for.
    pub(super) fn unknown(
        &mut self,
        begun: Begun,
        resources: &mut ResMap,
        account: Account,
        wait: Wait,
    ) {
        let changes = resources.take_changes();
        let counts = count(&changes);
        self.push(begun, changes, account, counts, Outcome::Waiting(wait), Duration::ZERO);
    }

    fn push(
        &mut self,
        begun: Begun,
        changes: Vec<Change>,
        account: Account,
        counts: Counts,
        outcome: Outcome,
        time: Duration,
    ) {
        let Begun { heading, id, .. } = begun;
        let writer: WriterId = heading.mark.writer;
        self.steps.push(Step {
            id,
            writer,
            kind: heading.kind,
            name: heading.name,
            argument: heading.argument,
            layer: heading.layer,
            builtin: heading.builtin,
            function: heading.function,
            field: heading.field,
            entry: heading.entry,
            mark: heading.mark,
            changes,
            order: account.order,
            matched: account.matched,
            counts,
            outcome,
            warnings: account.warnings,
            time,
            run: account.run,
            derived: account.derived,
            removed: account.removed,
        });
    }

    /// The steps whose nodes have places in Kustomize: those that read them from a file, or put patches in.
    pub(super) fn placing(&self) -> IndexSet<WriterId> {
        let reads = |step: &&Step| {
            step.kind == StepKind::Load || step.builtin.is_some_and(Builtin::patches)
        };
        let steps = self.steps.iter().filter(reads);
        steps.map(|step| step.writer).collect()
    }

    /// The id of a step: its layer, field and argument, and a number when that is not unique.
    fn name(&mut self, heading: &Heading) -> StepId {
        let layer = self.layers.get(heading.layer.0).map_or("", |layer| &*layer.path);
        let what = if heading.field.is_empty() { &*heading.name } else { heading.field };
        self.names.name(format!("{layer}#{what}[{}]", heading.argument))
    }
}

fn count(changes: &[Change]) -> Counts {
    let mut counts = Counts::default();
    for change in changes.iter().filter(|change| change.is_visible()) {
        match (&change.before, &change.after) {
            (None, Some(_)) => counts.added += 1,
            (Some(_), None) => counts.removed += 1,
            _ => counts.modified += 1,
        }
    }
    counts
}

impl Heading {
    /// The entry of a field that configures the step.
    pub(super) fn of(mut self, field: impl Into<&'static str>, entry: usize) -> Self {
        self.field = field.into();
        self.entry = Some(entry);
        self
    }

    /// The field that configures the step.
    pub(super) fn in_field(mut self, field: impl Into<&'static str>) -> Self {
        self.field = field.into();
        self
    }

    /// The type of the function that it calls.
    pub(super) fn calling(mut self, function: &Gvk) -> Self {
        self.function = Some(function.clone());
        self
    }

    /// Kustomize's own plugin that does it.
    pub(super) fn by(mut self, builtin: impl Into<Option<Builtin>>) -> Self {
        self.builtin = builtin.into();
        self
    }
}
