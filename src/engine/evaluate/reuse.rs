//! A base that did not change is not built again: what it left behind is used as it was.

use std::sync::Arc;

use indexmap::IndexSet;

use crate::engine::function::FunctionRun;
use crate::engine::load::{Asked, Reference, Root};
use crate::engine::resource::{Gvk, SchemaInForce, Scopes};

use super::accumulator::Accumulator;
use super::build::Build;
use super::finish::Metadata;
use super::openapi::{LayerSchema, Merging};
use super::recorder::{Halt, Named};
use super::target::Target;
use super::{BuildOptions, Layer, LayerId, Step};

/// What a finished base left behind, and everything that it depended on.
#[derive(Clone, Debug)]
pub(super) struct Finished {
    given: Given,
    asked: Vec<Asked>,
    /// The texts of its steps' ids, with how often each had been used before.
    names: Vec<Named>,
    id: LayerId,
    first_step: usize,
    nested: Vec<Layer>,
    steps: Vec<Step>,
    acc: Accumulator,
    schema: SchemaInForce,
    schema_is_set: bool,
    scopes: Arc<Scopes>,
    builtin_was_asked: bool,
    merging: Merging,
    schemas: Vec<LayerSchema>,
    types: IndexSet<Gvk>,
    next_slot: u32,
    warnings: Vec<String>,
    /// The catalogs that it references.
    catalogs: Vec<Reference>,
    pub(super) generation: u64,
}

impl Finished {
    /// True when a function was called in it that is such a one.
    pub(super) fn called(&self, is_it: &dyn Fn(&FunctionRun) -> bool) -> bool {
        let mut runs = self.steps.iter().filter_map(|step| step.run.as_deref());
        runs.any(is_it)
    }
}

/// What a base is built from besides files.
#[derive(Clone, Debug)]
struct Given {
    next_slot: u32,
    schema: SchemaInForce,
    schema_is_set: bool,
    merging: Merging,
    options: BuildOptions,
    metadata: Metadata,
    start: std::path::PathBuf,
    /// What charts are rendered for when nothing nearer says so.
    namespace: String,
}

impl PartialEq for Given {
    fn eq(&self, other: &Self) -> bool {
        self.next_slot == other.next_slot
            && self.schema.is(&other.schema)
            && self.schema_is_set == other.schema_is_set
            && self.merging == other.merging
            && self.options == other.options
            && self.metadata == other.metadata
            && self.start == other.start
            && self.namespace == other.namespace
    }
}

impl Build<'_> {
    /// Builds a base, or takes what an earlier evaluation left of it when nothing that it asked for has changed.
    /// `asked` is where the questions began: its own kustomization file is one of them.
    pub(super) fn build_or_reuse(
        &mut self,
        root: &Root,
        target: &Target,
        id: LayerId,
        asked: usize,
    ) -> Result<Accumulator, Halt> {
        if self.memory.is_for_one() {
            return self.build_child(root, target, id);
        }
        let key = root.path().to_string_lossy().into_owned();
        let given = self.given();
        if let Some(finished) = self.memory.finished(&key)
            && finished.given == given
            && self.recorder.would_name_alike(&finished.names)
            && finished.asked.iter().all(|asked| asked.still_holds(self.files.inner()))
        {
            return Ok(self.take_over(&finished, id));
        }
        let first_step = self.recorder.steps.len();
        let (warnings, names) = (self.warnings.len(), self.recorder.named());
        let schemas = self.schemas.len();
        let waits = std::mem::take(&mut self.waits);
        let before = self.catalogs.take_referenced();
        let acc = self.build_child(root, target, id)?;
        let catalogs = self.catalogs.take_referenced();
        self.catalogs.reference(&before);
        self.catalogs.reference(&catalogs);
        let waited = self.waits;
        self.waits = waits || waited;
        // Which schema a base sets for the rest of the build depends on everything before it.
        let sets_schema = self.schema_is_set && !given.schema_is_set;
        if waited || sets_schema {
            return Ok(acc);
        }
        let steps = self.recorder.steps.get(first_step..).unwrap_or_default().to_vec();
        let finished = Finished {
            given,
            asked: self.files.since(asked),
            names: self.recorder.named_since(names),
            id,
            first_step,
            nested: self.recorder.layers.get(id.0 + 1..).unwrap_or_default().to_vec(),
            steps,
            acc: acc.clone(),
            schema: self.schema.clone(),
            schema_is_set: self.schema_is_set,
            scopes: self.scopes.clone(),
            builtin_was_asked: self.builtin_was_asked,
            merging: self.merging.clone(),
            schemas: self.schemas.get(schemas..).unwrap_or_default().to_vec(),
            types: self.types.clone(),
            next_slot: self.next_slot,
            warnings: self.warnings.get(warnings..).unwrap_or_default().to_vec(),
            catalogs,
            generation: 0,
        };
        self.memory.keep_finished(key, finished);
        Ok(acc)
    }

    fn given(&self) -> Given {
        Given {
            next_slot: self.next_slot,
            schema: self.schema.clone(),
            schema_is_set: self.schema_is_set,
            merging: self.merging.clone(),
            options: self.options.clone(),
            metadata: self.metadata,
            start: self.start.clone(),
            namespace: self.namespace().to_owned(),
        }
    }

    /// Puts the steps and layers of a finished base where they belong this time.
    fn take_over(&mut self, finished: &Finished, id: LayerId) -> Accumulator {
        let first_step = self.recorder.steps.len();
        let layer = |old: LayerId| LayerId(old.0.saturating_sub(finished.id.0) + id.0);
        let step = |old: usize| old.saturating_sub(finished.first_step) + first_step;
        for nested in &finished.nested {
            self.recorder.layers.push(Layer {
                parent: nested.parent.map(layer),
                first_step: step(nested.first_step),
                end_step: step(nested.end_step),
                ..nested.clone()
            });
        }
        for old in &finished.steps {
            self.recorder.steps.push(Step { layer: layer(old.layer), ..old.clone() });
        }
        self.recorder.count_names(&finished.names);
        self.files.extend(&finished.asked);
        self.warnings.extend(finished.warnings.iter().cloned());
        self.catalogs.reference(&finished.catalogs);
        self.schema = finished.schema.clone();
        self.schema_is_set = finished.schema_is_set;
        self.scopes = finished.scopes.clone();
        self.builtin_was_asked |= finished.builtin_was_asked;
        self.merging = finished.merging.clone();
        let schemas = finished.schemas.iter();
        self.schemas.extend(schemas.map(|it| LayerSchema { layer: layer(it.layer), ..it.clone() }));
        self.types.extend(finished.types.iter().cloned());
        self.next_slot = finished.next_slot;
        self.memory.touch_parsed(&finished.steps);
        finished.acc.clone()
    }
}
