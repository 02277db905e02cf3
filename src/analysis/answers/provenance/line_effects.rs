//! The effects of the lines of a file on the outputs of targets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::evaluate::{LayerKind, Step, StepKind, StepOutcome};
use crate::engine::resource::{PathStep, Resource, Slot};
use crate::engine::transform::ValueSource;
use crate::engine::yaml::{Mark, Node};

use super::blame::{FieldWriter, WriterStatus, mark_or_step_mark, value_text};
use crate::answers::recording::build::OutcomeWord;
use crate::answers::recording::field::{
    WrittenPath, is_shared, named_path_text, value_at, value_or_key_mark,
};
use crate::answers::secrets::Secrets;
use crate::answers::{Recording, headline};
use crate::repository::FileLocation;

/// The limit on fields that a file writes in one target; effects on further fields are counted and
/// not listed.
const MAX_FIELDS: usize = 4_000;
/// The limit on different effects of one line; further effects are counted and not listed.
const MAX_EFFECTS_OF_LINE: usize = 64;
const MAX_RESOURCES: usize = 60;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldEffect {
    /// The shortest text that identifies the resource.
    pub resource: String,
    pub path: String,
    /// The final value in one line, masked if it is a value of a Secret; `None` if the output does
    /// not have the field.
    pub value: Option<String>,
    pub status: FieldStatus,
    pub is_pending: bool,
    pub resource_at: Option<FileLocation>,
    /// The lines that write the fields from which the value is copied.
    pub sources: Vec<FileLocation>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldStatus {
    Final,
    Part,
    /// A later step, configured at this line, replaces the value.
    Overridden(Option<FileLocation>),
    /// The line removes the field, or the resource with all its fields.
    Removes,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryUse {
    pub field: &'static str,
    pub outcome: OutcomeWord,
    /// The required action of a pending step, or the message of one that fails.
    pub detail: Option<String>,
    /// The number of resources that the entry adds, changes or removes.
    pub changed: usize,
    /// Changed resources; not all if they are many.
    pub resources: Vec<EntryResource>,
    /// The first lines of the resources from which a replacement copies values.
    pub sources: BTreeSet<FileLocation>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryResource {
    pub title: String,
    pub kind: String,
    /// The name before all renames, by which every later entry can select the resource.
    pub first_name: String,
    pub beginning: Option<FileLocation>,
}

#[derive(Clone, Debug, Default)]
pub struct LineEffects {
    pub fields: BTreeMap<FieldEffect, Vec<u32>>,
    pub entries: BTreeMap<EntryUse, Vec<u32>>,
    pub unlisted: usize,
}

#[derive(Clone, Debug, Default)]
pub struct FileEffects {
    pub targets: Vec<PathBuf>,
    /// The targets that fail to build: their final values are not known.
    pub failed: Vec<PathBuf>,
    pub lines: BTreeMap<u32, LineEffects>,
    pub unlisted: usize,
}

impl FileEffects {
    pub fn targets_at<'e>(&'e self, indices: &'e [u32]) -> impl Iterator<Item = &'e Path> {
        let at = |index: &u32| self.targets.get(usize::try_from(*index).ok()?);
        indices.iter().filter_map(at).map(PathBuf::as_path)
    }

    pub fn merge(&mut self, other: Self) {
        let first = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        self.targets.extend(other.targets);
        self.failed.extend(other.failed);
        self.unlisted += other.unlisted;
        let moved = |all: Vec<u32>| all.into_iter().map(move |index| index + first);
        for (line, effects) in other.lines {
            let own = self.lines.entry(line).or_default();
            own.unlisted += effects.unlisted;
            for (effect, targets) in effects.fields {
                add(&mut own.fields, effect, moved(targets), &mut own.unlisted);
            }
            for (entry, targets) in effects.entries {
                add(&mut own.entries, entry, moved(targets), &mut own.unlisted);
            }
        }
    }
}

fn add<K: Ord>(
    known: &mut BTreeMap<K, Vec<u32>>,
    effect: K,
    targets: impl Iterator<Item = u32>,
    unlisted: &mut usize,
) {
    if known.len() >= MAX_EFFECTS_OF_LINE && !known.contains_key(&effect) {
        *unlisted += 1;
        return;
    }
    let own = known.entry(effect).or_default();
    for target in targets {
        if own.last() != Some(&target) {
            own.push(target);
        }
    }
}

impl Recording {
    /// The effects of the lines of these files on the output of the target. A file that the build
    /// does not read has no effects.
    pub fn line_effects(
        &self,
        target: &Path,
        files: &[PathBuf],
        secrets: &Secrets,
    ) -> BTreeMap<PathBuf, FileEffects> {
        // The sources are those of all builds with one cache.
        let sources: BTreeSet<&str> = self.trace.sources.paths().collect();
        let queried: BTreeSet<&PathBuf> = self.watched.iter().collect();
        let is_read = |file: &&PathBuf| {
            queried.contains(file) && file.to_str().is_some_and(|file| sources.contains(file))
        };
        let new = || FileEffects { targets: vec![target.to_owned()], ..FileEffects::default() };
        let found: BTreeMap<PathBuf, FileEffects> =
            files.iter().filter(is_read).map(|file| (file.clone(), new())).collect();
        if found.is_empty() {
            return found;
        }
        let names = self.names();
        let mut reader = EffectReader { recording: self, names, secrets, found };
        reader.read();
        if self.error.is_some() {
            for effects in reader.found.values_mut() {
                effects.failed.push(target.to_owned());
            }
        }
        reader.found
    }
}

struct EffectReader<'r> {
    recording: &'r Recording,
    names: BTreeMap<Slot, String>,
    secrets: &'r Secrets,
    found: BTreeMap<PathBuf, FileEffects>,
}

impl EffectReader<'_> {
    fn read(&mut self) {
        let recording = self.recording;
        let inputs = recording.trace.pending_inputs();
        let is_known = recording.error.is_none();
        for (index, (step, input)) in recording.trace.steps.iter().zip(inputs).enumerate() {
            self.read_entry(step);
            if !is_known {
                continue;
            }
            let is_pending = input.is_some() || recording.trace.first_wait().is_some();
            for change in &step.changes {
                let Some(after) = &change.after else { continue };
                let before = change.before.as_ref().map(|before| &before.node);
                let mut written = Vec::new();
                WrittenNodes {
                    step,
                    path: Vec::new(),
                    all: &mut written,
                    is_in: &|mark| self.tracked_file(mark).is_some(),
                }
                .visit(&after.node, after.node.mark, before);
                for (path, mark) in written {
                    self.read_field(index, (change.slot, &path), mark, is_pending);
                }
            }
            for removed in &step.removed {
                self.read_removal(index, removed.slot, &removed.path, removed.mark);
            }
        }
    }

    fn tracked_file(&self, mark: Mark) -> Option<PathBuf> {
        let file = Path::new(self.recording.file(mark).filter(|_| mark.line > 0)?);
        self.found.get_key_value(file).map(|(file, _)| file.clone())
    }

    fn read_entry(&mut self, step: &Step) {
        let Some(file) = self.tracked_file(step.mark) else { return };
        let (outcome, detail) = OutcomeWord::from_step(step);
        let detail = match &step.outcome {
            StepOutcome::Waiting(wait) if !step.is_after_pending => {
                Some(wait.required_action_text())
            }
            StepOutcome::Failed(error) => Some(self.secrets.text(&headline(&error.message))),
            _ => detail,
        };
        let is_off = matches!(step.outcome, StepOutcome::SwitchedOff);
        if is_off || step.field.is_empty() || step.kind == StepKind::LeaveComponent {
            return;
        }
        let component = self.component_steps(step);
        let is_component = component.is_some();
        let slots = changed_slots(&component.unwrap_or_else(|| vec![step]));
        // The step that enters a component changes no resource itself.
        let outcome = match outcome {
            OutcomeWord::NoChange | OutcomeWord::MatchedNothing
                if is_component && !slots.is_empty() =>
            {
                OutcomeWord::Applied
            }
            outcome => outcome,
        };
        let listed = slots.iter().take(MAX_RESOURCES);
        let resources = listed.filter_map(|slot| self.entry_resource(*slot)).collect();
        let changed = if outcome == OutcomeWord::Applied { slots.len() } else { 0 };
        let sources = self.copied_resources(step);
        let entry = EntryUse { field: step.field, outcome, detail, changed, resources, sources };
        let Some(effects) = self.found.get_mut(&file) else { return };
        let line = effects.lines.entry(step.mark.line).or_default();
        add(&mut line.entries, entry, std::iter::once(0), &mut line.unlisted);
    }

    fn copied_resources(&self, step: &Step) -> BTreeSet<FileLocation> {
        let derived = step.derived.iter().filter(|_| step.field == "replacements");
        let slots = derived.flat_map(|value| &value.from).filter_map(|source| match source {
            ValueSource::Field { slot, .. } => Some(*slot),
            _ => None,
        });
        slots
            .collect::<BTreeSet<Slot>>()
            .into_iter()
            .filter_map(|it| self.resource_start(it))
            .collect()
    }

    /// The steps of the component that a step enters, with those of its nested layers, without
    /// merges of bases: their resources are loaded before.
    fn component_steps(&self, step: &Step) -> Option<Vec<&Step>> {
        let trace = &self.recording.trace;
        let own = trace.layers.iter().filter(|_| step.kind == StepKind::EnterComponent).find(
            |layer| {
                layer.kind == LayerKind::Component
                    && layer.parent == Some(step.layer)
                    && layer.mark == step.mark
            },
        )?;
        let steps = trace.steps.get(own.first_step..own.end_step)?;
        Some(steps.iter().filter(|step| step.kind != StepKind::Merge).collect())
    }
    fn read_field(
        &mut self,
        index: usize,
        (slot, path): (Slot, &[PathStep]),
        mark: Mark,
        is_pending: bool,
    ) {
        let Some(file) = self.tracked_file(mark) else { return };
        let count = |effects: &FileEffects| {
            effects.lines.values().map(|line| line.fields.len()).sum::<usize>()
        };
        if let Some(effects) = self.found.get_mut(&file)
            && effects.lines.len() >= MAX_FIELDS
            && count(effects) >= MAX_FIELDS
        {
            effects.unlisted += 1;
            return;
        }
        let Some((effect, places)) = self.field_effect(index, slot, path, mark, is_pending) else {
            return;
        };
        let places = std::iter::once(mark).chain(places);
        let lines = places.filter_map(|place| Some((self.tracked_file(place)?, place.line)));
        let lines: BTreeSet<(PathBuf, u32)> = lines.collect();
        for (file, line) in lines {
            self.add_field(&file, line, effect.clone());
        }
    }

    fn add_field(&mut self, file: &Path, line: u32, effect: FieldEffect) {
        let Some(effects) = self.found.get_mut(file) else { return };
        let line = effects.lines.entry(line).or_default();
        add(&mut line.fields, effect, std::iter::once(0), &mut line.unlisted);
    }

    /// The effect of a value that step `index` writes, and the locations of its parts; `None` if
    /// the resource or the value is not found.
    fn field_effect(
        &self,
        index: usize,
        slot: Slot,
        path: &[PathStep],
        mark: Mark,
        is_pending: bool,
    ) -> Option<(FieldEffect, Vec<Mark>)> {
        let recording = self.recording;
        let last = recording.identity.last_state(slot)?;
        let own = recording.trace.steps.get(index)?;
        let after = own.changes.iter().find(|change| change.slot == slot)?.after.as_ref()?;
        let mut effect = FieldEffect {
            resource: self.resource_name(slot),
            path: self.secrets.text(&named_path_text(&after.node, path)),
            value: None,
            status: FieldStatus::Final,
            is_pending,
            resource_at: self.resource_start(slot),
            sources: Vec::new(),
        };
        let mut writers = recording.blame(slot, &WrittenPath::named(&after.node, path));
        // An element may have another name or text in the output, so its last path is looked up.
        if writers.first().is_none_or(|first| first.value.is_none())
            && let Some(last_path) = recording.last_path(slot, path, index)
            && value_at(&last.resource.node, &last_path).is_some()
        {
            writers = recording.blame(slot, &WrittenPath::from_path(&last_path));
        }
        let first = writers.first()?;
        if last.removed_by.is_none() {
            let value = first.masked_value(Some(&last.resource), self.secrets);
            effect.value = value.map(|value| value_text(&value));
        }
        let is_own = |writer: &&FieldWriter| {
            writer.step == index
                && (writer.mark.line == mark.line
                    || writer.also.iter().any(|also| also.line == mark.line))
        };
        // A later step may write the value of this line again at the same line, as an update of a
        // reference does.
        let is_same_line =
            last.removed_by.is_none() && self.line_of(first.mark) == self.line_of(mark);
        let written = if is_same_line { Some(first) } else { writers.iter().find(is_own) };
        let overriding = || FieldStatus::Overridden(self.line_of(first.mark));
        effect.status = match written.map(|writer| writer.standing) {
            _ if last.removed_by.is_some() => FieldStatus::Overridden(
                recording.removal_mark(slot).and_then(|it| self.line_of(it)),
            ),
            Some(WriterStatus::Final) => FieldStatus::Final,
            Some(WriterStatus::Part) => FieldStatus::Part,
            Some(WriterStatus::Overridden) | None => overriding(),
        };
        let sources = written.into_iter().flat_map(|writer| &writer.sources);
        let sources = sources.filter_map(|source| self.line_of(source.writers.first()?.mark));
        effect.sources = sources.collect();
        let places = written
            .into_iter()
            .flat_map(|writer| std::iter::once(writer.mark).chain(writer.also.iter().copied()));
        Some((effect, places.collect()))
    }

    fn read_removal(&mut self, index: usize, slot: Slot, path: &[Arc<str>], mark: Mark) {
        let Some(file) = self.tracked_file(mark) else { return };
        let recording = self.recording;
        let Some(last) = recording.identity.last_state(slot) else { return };
        let keys: Vec<PathStep> = path.iter().cloned().map(PathStep::Key).collect();
        let now = value_at(&last.resource.node, &keys).filter(|_| last.removed_by.is_none());
        let masked = now.filter(|_| !keys.is_empty()).map(|(value, _)| {
            let names: Vec<&str> = path.iter().map(AsRef::as_ref).collect();
            value_text(&self.secrets.part(&last.resource, &names, value))
        });
        let is_removed = last.removed_by.is_some_and(|by| by == index) || masked.is_none();
        let effect = FieldEffect {
            resource: self.resource_name(slot),
            path: crate::answers::recording::field::path_text(&keys),
            value: masked,
            status: if is_removed { FieldStatus::Removes } else { FieldStatus::Overridden(None) },
            is_pending: false,
            resource_at: self.resource_start(slot),
            sources: Vec::new(),
        };
        self.add_field(&file, mark.line, effect);
    }

    fn resource_name(&self, slot: Slot) -> String {
        self.names.get(&slot).cloned().unwrap_or_default()
    }

    fn first_state(&self, slot: Slot) -> Option<&Resource> {
        let (step, change) = self.recording.index.touched.get(&slot)?.first()?;
        self.recording.step(*step)?.changes.get(*change)?.after.as_deref()
    }

    fn entry_resource(&self, slot: Slot) -> Option<EntryResource> {
        let first = self.first_state(slot)?;
        Some(EntryResource {
            title: self.resource_name(slot),
            kind: first.id.gvk.kind.to_string(),
            first_name: first.id.name.to_string(),
            beginning: self.resource_start(slot),
        })
    }

    fn resource_start(&self, slot: Slot) -> Option<FileLocation> {
        let node = &self.first_state(slot)?.node;
        self.line_of(node.entries().first().map_or(node.mark, |entry| entry.key.mark))
    }

    fn line_of(&self, mark: Mark) -> Option<FileLocation> {
        let file = self.recording.file(mark).filter(|_| mark.line > 0)?;
        Some(FileLocation { file: PathBuf::from(file), line: mark.line })
    }
}

fn changed_slots(steps: &[&Step]) -> Vec<Slot> {
    let changes = steps.iter().flat_map(|step| &step.changes);
    let visible = changes.filter(|change| !change.is_rewrite());
    let mut known = BTreeSet::new();
    visible.map(|change| change.slot).filter(|slot| known.insert(*slot)).collect()
}

struct WrittenNodes<'w> {
    step: &'w Step,
    is_in: &'w dyn Fn(Mark) -> bool,
    path: Vec<PathStep>,
    all: &'w mut Vec<(Vec<PathStep>, Mark)>,
}

impl WrittenNodes<'_> {
    /// Collects the written nodes in a value, except the parts it shares with `before`.
    fn visit(&mut self, node: &Node, mark: Mark, before: Option<&Node>) {
        if before.is_some_and(|before| is_shared(node, before)) {
            return;
        }
        let (entries, items) = (node.entries(), node.items().unwrap_or_default());
        for entry in entries {
            let Some(key) = entry.key.as_scalar() else { continue };
            self.path.push(PathStep::Key(key.text.clone()));
            let own = value_or_key_mark(entry.value.mark, entry.key.mark);
            self.visit(&entry.value, own, before.and_then(|before| before.get(&key.text)));
            self.path.pop();
        }
        for (index, item) in items.iter().enumerate() {
            self.path.push(PathStep::Index(index));
            let old = before.and_then(|before| before.items()?.get(index));
            self.visit(item, item.mark, old);
            self.path.pop();
        }
        if entries.is_empty() && items.is_empty() && mark.writer == self.step.writer {
            let mark = mark_or_step_mark(mark, self.step);
            if (self.is_in)(mark) {
                self.all.push((self.path.clone(), mark));
            }
        }
    }
}
