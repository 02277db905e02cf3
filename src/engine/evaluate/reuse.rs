//! What did not change is not evaluated again: what a stretch of the build left behind is used as it was. A stretch is a
//! base, what a layer does before its components, or a component.

use std::path::{Path, PathBuf};

use crate::load::{Asked, Reference, Root};
use crate::manifest::Placed;
use crate::plugin::FunctionRun;

use super::accumulator::Accumulator;
use super::build::{Build, Level};
use super::carried::{Carried, Met};
use super::finish::Metadata;
use super::openapi::LayerSchema;
use super::recorder::{Halt, Named};
use super::target::{BesidesComponents, Target};
use super::{BuildOptions, Layer, LayerId, LayerKind, Step};

/// A state of an accumulator: the same number, the same state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StateId(pub(super) u64);

/// Which stretch of a build.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum StretchId {
    /// The base in this directory.
    Base(Way),
    /// What the layer in this directory does before its components.
    Beginning(Way),
    /// The component that an entry names, on an accumulator in this state.
    Component(StateId, String),
}

/// A directory, and how it was reached where origins are wanted: they name the entries that led there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Way {
    directory: PathBuf,
    seen_as: Option<PathBuf>,
}

/// What configures a stretch besides the files that it reads.
#[derive(Clone, Debug, PartialEq)]
enum Written {
    Nothing,
    Besides(Box<BesidesComponents>),
    Entry(usize, Placed<String>),
}

/// A stretch that is to be evaluated.
struct Stretch<'r> {
    id: StretchId,
    /// Where it is read from.
    root: &'r Root,
    /// The layer whose steps it has, besides those of layers that it opens.
    layer: LayerId,
    written: Written,
    /// Where its questions began.
    asked: usize,
}

/// What a finished stretch left behind, and everything that it depended on.
#[derive(Clone, Debug)]
pub(super) struct Finished {
    given: Given,
    asked: Vec<Asked>,
    /// The texts of its steps' ids, with how often each had been used before.
    names: Vec<Named>,
    first_step: usize,
    /// The number of the first layer that it opened.
    first_layer: usize,
    opened: Vec<Layer>,
    steps: Vec<Step>,
    acc: Accumulator,
    state: StateId,
    /// What it left to what comes behind it.
    carried: Carried,
    met: Met,
    schemas: Vec<LayerSchema>,
    warnings: Vec<String>,
    /// The catalogs that it references.
    catalogs: Vec<Reference>,
    /// The stretches within, which have to be at hand when this one cannot be used.
    within: Vec<StretchId>,
    /// It is the same in the build of any target.
    is_for_all: bool,
}

impl Finished {
    /// True when a function was called in it that is such a one.
    pub(super) fn called(&self, is_it: &dyn Fn(&FunctionRun) -> bool) -> bool {
        let mut runs = self.steps.iter().filter_map(|step| step.run.as_deref());
        runs.any(is_it)
    }

    /// True when what it was built from is what there is now, and no directory that it opened leads back to where this
    /// root comes from: that is an error.
    fn fits(&self, given: &Given, root: &Root) -> bool {
        let is_root = |layer: &&Layer| !matches!(layer.kind, LayerKind::Composition);
        let mut opened = self.opened.iter().filter(is_root);
        (self.is_for_all || self.given.start == given.start)
            && self.given.besides_start() == given.besides_start()
            && !opened.any(|layer| root.comes_from(Path::new(&*layer.path)))
    }
}

/// What a stretch is built from besides files.
#[derive(Clone, Debug)]
struct Given {
    written: Written,
    carried: Carried,
    options: BuildOptions,
    metadata: Metadata,
    start: PathBuf,
    /// What charts are rendered for when nothing nearer says so.
    namespace: String,
}

impl Given {
    fn besides_start(&self) -> impl PartialEq + use<'_> {
        let Self { written, carried, options, metadata, start: _, namespace } = self;
        (written, carried, options, metadata, namespace)
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
        let id_of_base = StretchId::Base(self.way_into(root));
        let stretch = Stretch { id: id_of_base, root, layer: id, written: Written::Nothing, asked };
        // What is around a base depends on it, and not on how it was made.
        let ran = self.ran;
        let built = self.reuse(stretch, |build| build.build_child(root, target, id));
        self.ran = ran;
        built.map(|(acc, _)| acc)
    }

    /// Does what a layer does before its components, or takes what an earlier evaluation left of it. The number of the
    /// state, if it has one: a layer that shares its parent's resources is a part of the stretch that it stands in.
    pub(super) fn begin_or_reuse(
        &mut self,
        level: &Level<'_>,
        acc: &mut Accumulator,
    ) -> Result<Option<StateId>, Halt> {
        let layer = self.recorder.layers.get(level.id.0);
        let begins = layer.is_some_and(|layer| {
            !layer.shares && matches!(layer.kind, LayerKind::Root | LayerKind::Base)
        });
        if self.memory.is_for_one() || !begins || !level.target.has_components() {
            self.begin_layer(level, acc)?;
            return Ok(None);
        }
        let stretch = Stretch {
            id: StretchId::Beginning(self.way_into(level.root)),
            root: level.root,
            layer: level.id,
            written: Written::Besides(Box::new(level.target.besides_components())),
            asked: self.files.mark(),
        };
        let mut begun = std::mem::take(acc);
        let (made, state) = self.reuse(stretch, |build| {
            build.begin_layer(level, &mut begun)?;
            Ok(begun)
        })?;
        *acc = made;
        Ok(state)
    }

    /// Runs a component on an accumulator, or takes what an earlier evaluation left when it ran on the same state. The
    /// number of the state that it leaves.
    pub(super) fn component_or_reuse(
        &mut self,
        level: &Level<'_>,
        index: usize,
        entry: &Placed<String>,
        state: Option<StateId>,
        acc: &mut Accumulator,
    ) -> Result<Option<StateId>, Halt> {
        let Some(state) = state else {
            self.run_component(level, index, entry, acc)?;
            return Ok(None);
        };
        let stretch = Stretch {
            id: StretchId::Component(state, entry.value.clone()),
            root: level.root,
            layer: level.id,
            written: Written::Entry(index, entry.clone()),
            asked: self.files.mark(),
        };
        let mut before = std::mem::take(acc);
        let (after, state) = self.reuse(stretch, |build| {
            build.run_component(level, index, entry, &mut before)?;
            Ok(before)
        })?;
        *acc = after;
        Ok(state)
    }

    /// What a stretch leaves: from memory when everything that it depends on is as it was, or else by this work. The
    /// state has a number when the next evaluation may use it.
    fn reuse(
        &mut self,
        stretch: Stretch<'_>,
        work: impl FnOnce(&mut Self) -> Result<Accumulator, Halt>,
    ) -> Result<(Accumulator, Option<StateId>), Halt> {
        let Stretch { id, root, layer, written, asked } = stretch;
        let given = self.given(written);
        if let Some(finished) = self.memory.finished(&id)
            && finished.fits(&given, root)
            && self.recorder.would_name_alike(&finished.names)
            && finished.asked.iter().all(|asked| asked.still_holds(self.files.inner()))
        {
            self.memory.touch_finished(finished.within.iter().chain([&id]));
            self.start.see(!finished.is_for_all);
            return Ok((self.take_over(&finished, layer), Some(finished.state)));
        }
        let (first_step, first_layer) = (self.recorder.steps.len(), self.recorder.layers.len());
        let (warnings, names) = (self.warnings.len(), self.recorder.named());
        let (schemas, used) = (self.schemas.len(), self.memory.used());
        let (waits, ran) = (std::mem::take(&mut self.waits), std::mem::take(&mut self.ran));
        let before = self.catalogs.take_referenced();
        let seen_before = self.start.take_seen();
        let worked = work(self);
        let has_seen = self.start.take_seen();
        self.start.see(seen_before || has_seen);
        let acc = worked?;
        let catalogs = self.catalogs.take_referenced();
        self.catalogs.reference(&before);
        self.catalogs.reference(&catalogs);
        let (waited, has_run) = (self.waits, self.ran);
        (self.waits, self.ran) = (waits || waited, ran || has_run);
        // Which schema a stretch sets for the rest of the build depends on everything before it. What programs make of a
        // base is kept as long as its files are the same; elsewhere they are asked again.
        let sets_schema = self.carried.schema_is_set && !given.carried.schema_is_set;
        let is_base = matches!(id, StretchId::Base(_));
        if waited || sets_schema || has_run && !is_base {
            return Ok((acc, None));
        }
        let opened = self.recorder.layers.get(first_layer..).unwrap_or_default();
        let is_fetched =
            root.checkout().is_some() || opened.iter().any(|layer| layer.checkout.is_some());
        let is_for_all =
            is_base && !has_seen && !has_run && !is_fetched && !self.metadata.is_wanted();
        let opened = opened.to_vec();
        let state = self.memory.new_state();
        let finished = Finished {
            given,
            asked: self.files.since(asked),
            names: self.recorder.named_since(names),
            first_step,
            first_layer,
            opened,
            steps: self.recorder.steps.get(first_step..).unwrap_or_default().to_vec(),
            acc: acc.clone(),
            state,
            carried: self.carried.clone(),
            met: self.met.clone(),
            schemas: self.schemas.get(schemas..).unwrap_or_default().to_vec(),
            warnings: self.warnings.get(warnings..).unwrap_or_default().to_vec(),
            catalogs,
            within: self.memory.used_since(used),
            is_for_all,
        };
        self.memory.keep_finished(id, finished);
        Ok((acc, Some(state)))
    }

    fn way_into(&self, root: &Root) -> Way {
        let seen_as = self.metadata.is_wanted().then(|| root.seen_as(""));
        Way { directory: root.path().to_owned(), seen_as }
    }

    fn given(&self, written: Written) -> Given {
        Given {
            written,
            carried: self.carried.clone(),
            options: self.options.clone(),
            metadata: self.metadata,
            start: self.start.unseen().to_owned(),
            namespace: self.namespace().to_owned(),
        }
    }

    /// Puts the steps and layers of a finished stretch where they belong this time. `own` is the layer that it is a
    /// stretch of.
    fn take_over(&mut self, finished: &Finished, own: LayerId) -> Accumulator {
        let (first_step, first_layer) = (self.recorder.steps.len(), self.recorder.layers.len());
        let layer = |old: LayerId| match old.0.checked_sub(finished.first_layer) {
            Some(opened) => LayerId(first_layer + opened),
            None => own,
        };
        let step = |old: usize| old.saturating_sub(finished.first_step) + first_step;
        for opened in &finished.opened {
            self.recorder.layers.push(Layer {
                parent: opened.parent.map(layer),
                first_step: step(opened.first_step),
                end_step: step(opened.end_step),
                ..opened.clone()
            });
        }
        for old in &finished.steps {
            self.recorder.steps.push(Step { layer: layer(old.layer), ..old.clone() });
        }
        self.recorder.count_names(&finished.names);
        self.files.extend(&finished.asked);
        self.warnings.extend(finished.warnings.iter().cloned());
        self.catalogs.reference(&finished.catalogs);
        self.carried = finished.carried.clone();
        self.met.add(&finished.met);
        let schemas = finished.schemas.iter();
        self.schemas.extend(schemas.map(|it| LayerSchema { layer: layer(it.layer), ..it.clone() }));
        self.memory.touch_parsed(&finished.steps);
        finished.acc.clone()
    }
}
