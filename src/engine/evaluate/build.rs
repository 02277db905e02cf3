//! One evaluation: the procedure of one kustomization, used recursively (section 2.1).

use std::path::PathBuf;
use std::sync::Arc;

use crate::load::{LoadError, RecordingFiles, Root};
use crate::manifest::{Builtin, Field, Kind, Kustomization};
use crate::profile::Switch;
use crate::resource::ResMap;
use crate::transform::{Context, TransformError, VarSet};
use crate::yaml::Mark;

use super::accumulator::{Accumulator, Unmatched};
use super::carried::{Carried, Met};
use super::openapi::LayerSchema;
use super::recorder::{Account, Begun, Halt, Heading, Recorder};
use super::start::Start;
use super::target::Target;
use super::{BuildOptions, LayerId, LayerKind, Memory, Ports, StepError, StepKind};

/// Kustomizations inside each other: more than anybody keeps in mind, and what [`STACK`](super::STACK) is for.
const MOST_NESTED: usize = 1000;
/// Kustomizations of one build, each counted as often as it is used: a few files can stand for builds without end.
const MOST_LAYERS: usize = 1 << 14;

/// Everything that the layers of one evaluation share.
pub(super) struct Build<'a> {
    pub(super) ports: &'a Ports,
    pub(super) options: &'a BuildOptions,
    pub(super) memory: &'a mut Memory,
    pub(super) recorder: Recorder,
    /// Lines for standard error.
    pub(super) warnings: Vec<String>,
    /// The files, with what was asked of them.
    pub(super) files: Arc<RecordingFiles>,
    /// What goes from layer to layer.
    pub(super) carried: Carried,
    /// What was met so far.
    pub(super) met: Met,
    /// What the `openapi` of each layer came to.
    pub(super) schemas: Vec<LayerSchema>,
    /// The directory that the person builds from, for what is said to be pasted there.
    pub(super) current: PathBuf,
    /// The build root, for origins.
    pub(super) start: Start,
    /// The root asks for `buildMetadata`.
    pub(super) metadata: super::finish::Metadata,
    /// The namespaces in force in the layers around the current one: each its own, or its parent's.
    pub(super) namespaces: Vec<String>,
    /// The files of the Compositions that are being run.
    pub(super) composing: Vec<String>,
    /// The catalogs that layers list and that were read.
    pub(super) catalogs: super::catalogs::Catalogs,
    /// Some step waits for what was not asked for.
    pub(super) waits: bool,
    /// Some step had a program run, which may read more than the ports know of.
    pub(super) ran: bool,
}

/// One kustomization at work.
pub(super) struct Level<'k> {
    pub(super) root: &'k Root,
    pub(super) target: &'k Target,
    pub(super) id: LayerId,
}

impl Level<'_> {
    pub(super) fn kustomization(&self) -> &Kustomization {
        &self.target.kustomization
    }

    /// The heading of a step of this layer.
    pub(super) fn heading(
        &self,
        kind: StepKind,
        name: &str,
        argument: impl Into<Arc<str>>,
        mark: Mark,
    ) -> Heading {
        Heading {
            kind,
            name: name.into(),
            argument: argument.into(),
            layer: self.id,
            builtin: None,
            field: "",
            entry: None,
            mark,
        }
    }

    /// The heading of a step of one of Kustomize's own plugins.
    pub(super) fn builtin_heading(
        &self,
        kind: StepKind,
        builtin: Builtin,
        argument: impl Into<Arc<str>>,
        mark: Mark,
    ) -> Heading {
        self.heading(kind, builtin.kind(), argument, mark).by(builtin)
    }
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

    /// Kustomize's own plugin that does it.
    pub(super) fn by(mut self, builtin: impl Into<Option<Builtin>>) -> Self {
        self.builtin = builtin.into();
        self
    }
}

impl Build<'_> {
    /// Steps 1 to 8 of section 2.1 on an accumulator: its own for a base, the parent's for a component.
    pub(super) fn accumulate(
        &mut self,
        level: &Level<'_>,
        acc: &mut Accumulator,
    ) -> Result<(), Halt> {
        self.check_extent(level)?;
        if let Some(file) = &level.target.composition {
            let around = self.enter_schema(level, acc)?;
            self.run_composition(level, file, acc)?;
            return self.leave_schema(level, around);
        }
        let own = &level.kustomization().namespace.value;
        let namespace = if own.is_empty() { self.namespace() } else { own };
        self.namespaces.push(namespace.to_owned());
        let result = self.accumulate_within(level, acc);
        self.namespaces.pop();
        result
    }

    /// A build that goes too far ends here: deeper than the stack holds, or wider than the memory.
    fn check_extent(&mut self, level: &Level<'_>) -> Result<(), Halt> {
        let layers = &self.recorder.layers;
        let around = std::iter::successors(Some(level.id), |id| layers.get(id.0)?.parent).count();
        let Some(phrase) = too_far(around, layers.len()) else { return Ok(()) };
        let mark = layers.get(level.id.0).map_or_else(Mark::default, |layer| layer.mark);
        let heading = level.heading(StepKind::Load, "load", "", mark);
        Err(self.failed_step(heading, TransformError::phrase(phrase, mark)))
    }

    /// The namespace of this layer, or of the nearest around it that has one.
    pub(super) fn namespace(&self) -> &str {
        self.namespaces.last().map_or("", String::as_str)
    }

    fn accumulate_within(&mut self, level: &Level<'_>, acc: &mut Accumulator) -> Result<(), Halt> {
        self.note_catalogs(level);
        if self.has_validators(level) {
            self.carried.unplaced.get_or_insert_default();
        }
        self.tell_of_neighbour(level, acc)?;
        let around = self.enter_schema(level, acc)?;
        if self.options.profile.has(Switch::ComponentsFirst) {
            self.load_resources(level, acc)?;
            self.take_schemas_from_below(level, acc);
            self.run_components(level, None, acc)?;
            self.configure(level, acc)?;
            self.generate(level, acc)?;
        } else {
            let state = self.begin_or_reuse(level, acc)?;
            self.run_components(level, state, acc)?;
        }
        self.use_gathered_schemas(acc);
        self.run_builtin_transformers(level, acc)?;
        self.run_external_transformers(level, acc)?;
        self.validate(level, acc)?;
        self.record_vars(level, acc)?;
        self.leave_schema(level, around)
    }

    /// Says that a Composition beside the Kustomization is not built.
    fn tell_of_neighbour(&mut self, level: &Level<'_>, acc: &mut Accumulator) -> Result<(), Halt> {
        let Some(warning) = level.target.beside.clone() else { return Ok(()) };
        let heading = level.heading(StepKind::Load, "read", "", warning.mark);
        self.step(heading, acc, |_, cx| {
            cx.warnings.push(warning);
            Ok(())
        })
    }

    /// Steps 1 to 3: what a layer has before its components work on it.
    pub(super) fn begin_layer(
        &mut self,
        level: &Level<'_>,
        acc: &mut Accumulator,
    ) -> Result<(), Halt> {
        self.load_resources(level, acc)?;
        self.take_schemas_from_below(level, acc);
        self.configure(level, acc)?;
        self.generate(level, acc)
    }

    /// An empty accumulator whose slots follow those given so far.
    pub(super) fn new_accumulator(&self) -> Accumulator {
        let resources = ResMap::starting_at(self.carried.next_slot, self.carried.scopes.clone());
        Accumulator {
            resources: resources.forgetting(self.memory.records_nothing()),
            config: Arc::default(),
            vars: VarSet::default(),
            unmatched: Unmatched::default(),
        }
    }

    /// Builds a directory as a layer of its own and returns what it gathered.
    pub(super) fn build_child(
        &mut self,
        root: &Root,
        target: &Target,
        id: LayerId,
    ) -> Result<Accumulator, Halt> {
        let mut acc = self.new_accumulator();
        let level = Level { root, target, id };
        self.accumulate(&level, &mut acc)?;
        self.carried.next_slot = self.carried.next_slot.max(acc.resources.next_slot());
        Ok(acc)
    }

    /// Opens a layer for a directory entry; reads and checks its kustomization file.
    pub(super) fn open_layer(
        &mut self,
        parent: &Level<'_>,
        root: &Root,
        kind: LayerKind,
        entry: &str,
        mark: Mark,
    ) -> Result<(LayerId, Target), TransformError> {
        let path = root.path().to_string_lossy().into_owned();
        let id = self.recorder.enter_root(kind, Some(parent.id), root, entry, mark);
        let mut target = self.read_target(root)?;
        self.recorder.set_file(id, &target.file);
        if target.kustomization.namespace.value.is_empty()
            && self.options.profile.has(Switch::NamespaceHandedDown)
        {
            target.kustomization.namespace = parent.kustomization().namespace.clone();
        }
        if target.composition.is_some() {
            if kind != LayerKind::Component {
                self.recorder.set_kind(id, LayerKind::Composition);
                return Ok((id, target));
            }
            let phrase =
                format!("expected kind 'Component' for path '{path}' but got 'Composition'");
            let hint = Some("list it under `transformers:`".to_owned());
            return Err(TransformError::Phrase { phrase, mark, hint });
        }
        let wanted =
            if kind == LayerKind::Component { Kind::Component } else { Kind::Kustomization };
        let found = target.kustomization.kind;
        if found == wanted {
            return Ok((id, target));
        }
        let phrase = match found {
            Kind::Component => format!("expected kind != 'Component' for path '{path}'"),
            Kind::Kustomization => {
                format!("expected kind 'Component' for path '{path}' but got 'Kustomization'")
            }
        };
        let hint = match found {
            Kind::Component => "list it under `components:`",
            Kind::Kustomization => "list it under `resources:`",
        };
        Err(TransformError::Phrase { phrase, mark, hint: Some(hint.to_owned()) })
    }

    /// Records the vars of a layer (section 4.13).
    fn record_vars(&mut self, level: &Level<'_>, acc: &mut Accumulator) -> Result<(), Halt> {
        let vars = &level.kustomization().vars;
        let Some(first) = vars.first() else { return Ok(()) };
        let names: Vec<&str> = vars.iter().map(|var| var.value.name.as_str()).collect();
        let heading = level
            .heading(StepKind::Vars, "vars", names.join(", "), first.mark)
            .in_field(Field::Vars);
        let vars: Vec<_> = vars.iter().map(|var| (var.value.clone(), var.mark)).collect();
        self.step(heading, acc, |acc, cx| {
            cx.matched = vars.len();
            acc.vars.record(&vars, &acc.resources)
        })
    }

    /// Begins a step, after asking whether anybody still wants the result.
    pub(super) fn begin(&mut self, heading: Heading) -> Result<Begun, Halt> {
        if self.ports.cancel.is_cancelled() {
            return Err(Halt::Cancelled);
        }
        Ok(self.recorder.begin(heading, self.memory))
    }

    /// Runs work on the resources as one recorded step.
    pub(super) fn step(
        &mut self,
        heading: Heading,
        acc: &mut Accumulator,
        work: impl FnOnce(&mut Accumulator, &mut Context<'_>) -> Result<(), TransformError>,
    ) -> Result<(), Halt> {
        let begun = self.begin(heading)?;
        let schema = self.carried.schema.watched();
        let mut cx = Context {
            profile: self.options.profile,
            schema: &schema,
            sources: &mut self.memory.sources,
            mark: begun.heading.mark,
            matched: 0,
            warnings: Vec::new(),
            unplaced: self.carried.unplaced.is_some().then(Vec::new),
            derived: Vec::new(),
            removed: Vec::new(),
        };
        let result = work(acc, &mut cx);
        if let Some(unplaced) = &mut self.carried.unplaced {
            unplaced.extend(cx.unplaced.take().into_iter().flatten());
        }
        self.met.builtin_was_asked |= schema.was_asked();
        if let Err(error) = &result
            && let Some(why) = super::errors::waits_for(error)
        {
            self.recorder.waiting(begun, &why);
            self.waits = true;
            return Ok(());
        }
        let Context { matched, warnings, derived, removed, .. } = cx;
        let account = Account { matched, warnings, derived, removed, ..Account::default() };
        if self.waits
            && let Err(TransformError::Phrase { phrase, .. }) = &result
        {
            // What it does not find may be what is waited for: whether it fails is not known.
            let phrase = phrase.lines().next().unwrap_or_default();
            let why = format!("unknown until an earlier step has what it waits for: {phrase}");
            self.carried.next_slot = self.carried.next_slot.max(acc.resources.next_slot());
            self.recorder.unknown(begun, &mut acc.resources, account, &why);
            return Ok(());
        }
        let result = result.map_err(|error| self.fail(&begun, error));
        self.carried.next_slot = self.carried.next_slot.max(acc.resources.next_slot());
        self.recorder.end(begun, &mut acc.resources, account, result)
    }

    /// A step that failed before there was anything to run.
    pub(super) fn failed_step(&mut self, heading: Heading, error: TransformError) -> Halt {
        match self.begin(heading) {
            Err(halt) => halt,
            Ok(begun) => {
                let error = self.fail(&begun, error);
                let halt = Halt::Failed(error.clone());
                let _ = self.recorder.record(begun, Vec::new(), Account::default(), Err(error));
                halt
            }
        }
    }

    /// Turns an error into words, with the way from the root to the step.
    pub(super) fn fail(&self, begun: &Begun, error: TransformError) -> Arc<StepError> {
        let layer = begun.heading.layer;
        Arc::new(super::errors::describe(error, begun.heading.mark, &self.recorder.layers, layer))
    }
}

/// A load error of a configured entry.
pub(super) fn cannot_load(
    phrase: impl Into<String>,
    mark: Mark,
    source: LoadError,
) -> TransformError {
    TransformError::Load { phrase: phrase.into(), mark, source }
}

/// What to say when a build has so many kustomizations, around each other and in all.
fn too_far(nested: usize, layers: usize) -> Option<String> {
    if nested > MOST_NESTED {
        return Some(format!("more than {MOST_NESTED} kustomizations inside each other"));
    }
    (layers > MOST_LAYERS).then(|| format!("more than {MOST_LAYERS} kustomizations in one build"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_goes_only_so_far() {
        let phrase = |nested, layers| too_far(nested, layers).unwrap_or_default();
        assert_eq!(phrase(1000, 16384), "");
        assert_eq!(phrase(1001, 1001), "more than 1000 kustomizations inside each other");
        assert_eq!(phrase(80, 16385), "more than 16384 kustomizations in one build");
    }
}
