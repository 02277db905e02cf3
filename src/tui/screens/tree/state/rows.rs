//! The parts of the build as rows: contents from the files, effects from the recording.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::display::counted;
use crate::draft::EntryRef;
use crate::engine::evaluate::{Layer, MAX_LAYERS, Step, StepKind, entry_name};
use crate::engine::load::clean;
use crate::engine::manifest::{KustomizationField, OutlineEntry, OutlineField};
use crate::engine::resource::ResId;
use crate::message::SourceFile;
use crate::model::deployed::added;
use crate::model::{
    Model, Recording, StepState, WorkbenchRecording, builtin_order, count_pending, pending_reason,
};
use crate::screens::tree::state::{EntryState, RowKey, TreeState, TreeSubject};
use crate::text::sanitize;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TreeRow {
    pub key: RowKey,
    pub depth: usize,
    pub label: String,
    pub detail: String,
    pub state: EntryState,
    /// The position of the field in Kustomize's built-in order, from 0.
    pub order: Option<usize>,
    /// True if the row contains further rows, which are shown while it is open.
    pub has_children: bool,
    pub open: bool,
    pub subject: TreeSubject,
    pub steps: Vec<usize>,
}

impl TreeRow {
    /// The directory of a component that is off or not listed.
    pub(crate) fn path_when_off(&self) -> Option<&Path> {
        match &self.subject {
            TreeSubject::Unlisted { path, .. } => Some(path),
            TreeSubject::Entry { entry, names, .. } if self.state == EntryState::Off => {
                names.as_deref().filter(|_| entry.field == "components")
            }
            _ => None,
        }
    }
}

/// Fields that have no steps.
const SILENT: [KustomizationField; 3] =
    [KustomizationField::ApiVersion, KustomizationField::Kind, KustomizationField::Metadata];

pub(crate) fn tree_rows(model: &Model) -> Vec<TreeRow> {
    build(model, Some(&model.tree), MAX_LAYERS)
}

pub(crate) fn all_tree_rows(model: &Model) -> Vec<TreeRow> {
    build(model, None, MAX_LAYERS)
}

/// True if the tree with every node open has more rows than `limit`.
pub(crate) fn has_more_rows(model: &Model, limit: usize) -> bool {
    build(model, None, limit).len() > limit
}

/// The rows of the tree, with at most `layers` layers expanded. `state` decides which nodes are
/// open; without it, every node is.
fn build(model: &Model, state: Option<&TreeState>, layers: usize) -> Vec<TreeRow> {
    let mut steps = StepIndex::new();
    for (index, step) in model.builds.recording.trace.steps.iter().enumerate() {
        let (field, entry) = match added(model, step) {
            Some((field, entry)) => (&*field.name, entry),
            None => (step.field, step.entry),
        };
        steps.entry((step.layer.0, field, None)).or_default().push(index);
        if entry.is_some() {
            steps.entry((step.layer.0, field, entry)).or_default().push(index);
        }
    }
    let mut builder = TreeRowBuilder {
        model,
        state,
        layers_left: layers,
        steps,
        configured: OnceCell::new(),
        rows: Vec::new(),
        seen: BTreeMap::new(),
        ancestors: Vec::new(),
    };
    builder.layer(&model.opened.dir, 0);
    builder.add_listed_by_controller();
    builder.additions();
    builder.unlisted();
    builder.add_final_steps();
    builder.rows
}

/// Steps by layer, field and entry. The entry `None` has all steps of the field.
type StepIndex<'a> = BTreeMap<(usize, &'a str, Option<usize>), Vec<usize>>;

/// A field of a kustomization file in the tree, with the layer of the file and the depth of a row.
#[derive(Clone, Copy)]
pub(crate) struct TreeField<'f> {
    pub file: &'f Path,
    pub field: &'f OutlineField,
    pub layer: Option<usize>,
    pub depth: usize,
}

pub(crate) struct TreeRowBuilder<'a> {
    pub(crate) model: &'a Model,
    state: Option<&'a TreeState>,
    /// Limit of layers that may still be expanded: a few files can expand without end.
    layers_left: usize,
    pub(crate) steps: StepIndex<'a>,
    /// The steps by the file that configures them; computed on demand.
    pub(crate) configured: OnceCell<BTreeMap<&'a Path, Vec<usize>>>,
    pub(crate) rows: Vec<TreeRow>,
    seen: BTreeMap<RowKey, usize>,
    ancestors: Vec<PathBuf>,
}

impl TreeRowBuilder<'_> {
    pub(crate) fn recording(&self) -> &WorkbenchRecording {
        &self.model.builds.recording
    }

    /// Adds a row, whose key gets a number if another row has it. Returns the key if the caller
    /// should add the children too.
    pub(crate) fn push(&mut self, mut row: TreeRow) -> Option<RowKey> {
        let count = self.seen.entry(row.key.clone()).or_default();
        *count += 1;
        if *count > 1 {
            row.key = format!("{}~{count}", row.key).into();
        }
        row.open = row.has_children && self.state.is_none_or(|state| state.shows_children(&row));
        let opened = row.open.then(|| row.key.clone());
        if row.has_children && !row.open && row.depth > 0 {
            let hidden = no_match_count(self.recording(), &row.steps);
            if hidden > 0 {
                row.detail.push_str(&format!(" {}{hidden}", self.model.glyphs().failed));
            }
        }
        self.rows.push(row);
        opened
    }

    pub(crate) fn layer(&mut self, dir: &Path, depth: usize) {
        let read = source_of(&self.model.opened.sources, dir);
        let read = read.map(|(file, source)| (file.clone(), source.outline.clone()));
        let is_generated = depth == 0 && self.is_listed_by_controller();
        let read = read.filter(|_| !is_generated);
        let Some((file, outline)) = read.or_else(|| self.generated_source(dir)) else { return };
        self.layers_left = self.layers_left.saturating_sub(1);
        let layer = self.recording().first_layer_in(dir).map(|(index, _)| index);
        if depth == 0 {
            let count = self.recording().output.len();
            let (detail, state) = match &self.recording().error {
                Some(_) => ("build failed".to_owned(), EntryState::Broken),
                None if self.recording().is_unbuilt() => (String::new(), EntryState::Plain),
                None => (counted(count, "resource"), EntryState::Plain),
            };
            let waiting = pending_words(self.recording(), 0..self.recording().len());
            let row = TreeRow {
                label: sanitize(&self.model.target_name()).into_owned(),
                detail: format!("{detail}{waiting}"),
                state,
                subject: TreeSubject::Layer { file: file.clone() },
                steps: (0..self.recording().len()).collect(),
                ..row(&dir.to_string_lossy(), 0, true)
            };
            if self.push(row).is_none() {
                return;
            }
        }
        self.ancestors.push(dir.to_path_buf());
        let is_shown = |it: &&OutlineField| SILENT.iter().all(|silent| silent.name() != it.name);
        let mut fields: Vec<&OutlineField> = outline.fields.iter().filter(is_shown).collect();
        fields.sort_by_key(|field| {
            let mut names =
                KustomizationField::in_application_order().map(KustomizationField::name);
            names.position(|name| name == field.name).unwrap_or(usize::MAX)
        });
        for field in fields {
            self.field(TreeField { file: &file, field, layer, depth: depth + 1 });
        }
        self.ancestors.pop();
    }

    pub(crate) fn field(&mut self, at: TreeField<'_>) {
        let TreeField { file, field, layer, depth } = at;
        let order = builtin_order(own_name(field));
        let steps = self.steps_of(layer, &field.name, None);
        if field.entries.is_empty() {
            self.scalar(at, steps);
            return;
        }
        let off = field.entries.iter().filter(|entry| entry.disabled).count();
        let on = field.entries.len() - off;
        let detail = if off == 0 { on.to_string() } else { format!("{on} on, {off} off") };
        let row = TreeRow {
            label: sanitize(own_name(field)).into_owned(),
            detail: format!("{detail}{}", no_effect_counts(self.recording(), &steps)),
            order,
            state: if field.disabled { EntryState::Off } else { EntryState::Plain },
            subject: TreeSubject::Field { file: file.to_path_buf(), line: field.line },
            steps: self.with_steps_of_layers(steps, at),
            ..row(&format!("{}#{}", file.display(), field.name), depth, true)
        };
        if self.push(row).is_none() {
            return;
        }
        let active = self.active_entries(file, field);
        for (index, (entry, active)) in field.entries.iter().zip(active).enumerate() {
            self.entry(TreeField { depth: depth + 1, ..at }, index, entry, active);
        }
    }

    /// The steps of a field, with those of the layers that its entries add.
    fn with_steps_of_layers(&self, mut steps: Vec<usize>, at: TreeField<'_>) -> Vec<usize> {
        let (dir, field) = (self.model.directory_of(at.file), at.field);
        for entry in field.entries.iter().filter(|entry| !entry.disabled && !field.disabled) {
            let path = entry_path(own_name(field), &entry.text).map(|text| clean(&dir.join(text)));
            let layer = path.and_then(|path| self.recording().first_layer_in(&path));
            steps.extend(layer.into_iter().flat_map(|(_, it)| it.first_step..it.end_step));
        }
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    fn scalar(&mut self, at: TreeField<'_>, steps: Vec<usize>) {
        let TreeField { file, field, depth, .. } = at;
        let source = self.model.opened.sources.get(file);
        let bytes = source.and_then(|source| source.bytes.get(field.bytes.clone()));
        let text = String::from_utf8_lossy(bytes.unwrap_or_default());
        let first = text.trim_start_matches(['#', ' ']).lines().next().unwrap_or_default();
        let value = first.split_once(':').map_or("", |(_, value)| value.trim());
        let state = match steps.first().and_then(|step| self.recording().step(*step)) {
            _ if field.disabled => EntryState::Off,
            Some(step) => EntryState::from_step(step),
            None => EntryState::Plain,
        };
        let row = TreeRow {
            label: sanitize(&format!("{} {value}", own_name(field))).trim_end().to_owned(),
            detail: self.effect_words(&steps),
            order: builtin_order(own_name(field)),
            state,
            subject: TreeSubject::Scalar {
                file: file.to_path_buf(),
                field: field.name.clone(),
                line: field.line,
            },
            steps,
            ..row(&format!("{}#{}", file.display(), field.name), depth, false)
        };
        self.push(row);
    }

    fn entry_label(
        &self,
        field: &OutlineField,
        entry: &OutlineEntry,
        is_plain: bool,
        steps: &[usize],
    ) -> String {
        let words = steps.first().and_then(|step| self.recording().words(*step));
        let described = words.filter(|words| !words.about.is_empty() && is_plain);
        let label = match described.filter(|_| field.name != "resources") {
            Some(words) => words.about.clone(),
            None => sanitize(&entry_name(own_name(field), &entry.text)).into_owned(),
        };
        self.model.look.secrets.label(&label)
    }

    fn entry(
        &mut self,
        at: TreeField<'_>,
        index: usize,
        entry: &OutlineEntry,
        active: Option<usize>,
    ) {
        let TreeField { file, field, depth, .. } = at;
        let dir = self.model.directory_of(file);
        let path = entry_path(own_name(field), &entry.text).map(|text| clean(&dir.join(text)));
        let inner =
            path.as_deref().filter(|path| source_of(&self.model.opened.sources, path).is_some());
        let inner = inner.filter(|path| !self.ancestors.iter().any(|above| above == path));
        let is_too_much = inner.is_some() && self.layers_left == 0;
        let inner = inner.filter(|_| !is_too_much).map(Path::to_path_buf);
        let inner_layer = inner
            .as_deref()
            .and_then(|path| self.recording().first_layer_in(path))
            .map(|(_, layer)| layer.clone());
        let steps = self.steps_of_entry(at, active, path.as_deref());
        let imported = match active.filter(|_| field.name == "transformersFrom") {
            Some(active) => self.composed_entries(file, &field.name, active),
            None => Vec::new(),
        };
        let state = self.entry_state(field, entry, inner_layer.as_ref(), &steps);
        let is_plain = inner.is_none() && imported.is_empty();
        let label = self.entry_label(field, entry, is_plain, &steps);
        let detail = match &inner_layer {
            _ if entry.disabled => "off".to_owned(),
            _ if is_too_much => format!("not shown: more than {MAX_LAYERS} kustomizations"),
            Some(layer) => self.layer_effect_text(layer),
            None => match self.overriding_file(at, &steps) {
                Some(file) => format!("replaced by {file}"),
                None if imported.is_empty() => self.effect_words(&steps),
                None => {
                    let waiting = pending_words(self.recording(), steps.iter().copied());
                    format!("{} imported{waiting}", imported.len())
                }
            },
        };
        let key = format!("{}#{}#{}", file.display(), field.name, entry.text);
        let has_children =
            (inner.is_some() || !imported.is_empty()) && !entry.disabled && !field.disabled;
        let reference = EntryRef { file: file.to_path_buf(), field: field.name.clone(), index };
        let row = TreeRow {
            label,
            detail,
            state,
            subject: TreeSubject::Entry { entry: reference, line: entry.line, names: path },
            steps: match &inner_layer {
                Some(layer) => (layer.first_step..layer.end_step).collect(),
                None => steps,
            },
            ..row(&key, depth, has_children)
        };
        let Some(key) = self.push(row) else { return };
        match inner {
            Some(inner) => self.layer(&inner, depth),
            None => self.add_imported_entries(at, &imported, &key),
        }
    }

    fn entry_state(
        &self,
        field: &OutlineField,
        entry: &OutlineEntry,
        layer: Option<&Layer>,
        steps: &[usize],
    ) -> EntryState {
        if entry.disabled || field.disabled {
            return EntryState::Off;
        }
        if let Some(layer) = layer {
            // Only the steps of this layer are read: a tree can have thousands of layers.
            let failed = self.recording().trace.steps[..layer.end_step.min(self.recording().len())]
                .iter()
                .skip(layer.first_step)
                .any(|step| StepState::from_step(step) == StepState::Failed);
            return match failed {
                true => EntryState::Broken,
                false if own_name(field) == "components" => EntryState::On,
                false => EntryState::Plain,
            };
        }
        match self.worst(steps) {
            Some(step) => EntryState::from_step(step),
            None if self.recording().error.is_some() => EntryState::NotReached,
            None if own_name(field) == "components" => EntryState::On,
            None => EntryState::Plain,
        }
    }
}

pub(crate) fn row(key: &str, depth: usize, has_children: bool) -> TreeRow {
    TreeRow { key: key.into(), depth, has_children, ..TreeRow::default() }
}

pub(crate) fn own_name(field: &OutlineField) -> &str {
    field.name.rsplit('.').next().unwrap_or(&field.name)
}

/// The path in the text of an entry; `None` if the entry contains no path.
pub(crate) fn entry_path<'a>(field: &str, text: &'a str) -> Option<&'a str> {
    let plain = text.trim();
    let lists_paths = matches!(
        field,
        "resources"
            | "bases"
            | "components"
            | "patchesStrategicMerge"
            | "generators"
            | "transformers"
            | "modules"
            | "validators"
            | "configurations"
            | "crds"
    );
    if lists_paths && !plain.contains('\n') {
        let plain = plain.split(" #").next().unwrap_or(plain).trim();
        return Some(plain.trim_matches(['"', '\'']));
    }
    let path = plain.lines().find_map(|line| line.trim().strip_prefix("path:"))?;
    Some(path.split(" #").next().unwrap_or(path).trim().trim_matches(['"', '\'']))
}

pub(crate) fn step_effect_text(step: &Step) -> String {
    if let Some(waits) = pending_reason(step) {
        return waits;
    }
    let state = StepState::from_step(step);
    if !matches!(state, StepState::Applied | StepState::Warned) {
        let is_silent = StepState::is_silent(step);
        return if is_silent { "no change" } else { state.words() }.to_owned();
    }
    if step.kind == StepKind::Load || step.kind == StepKind::Generate {
        let added = step.changes.iter().filter_map(|change| change.after.as_ref());
        let name = |id: &ResId| sanitize(&format!("{} {}", id.gvk.kind, id.name)).into_owned();
        let mut names = added.map(|resource| name(&resource.id));
        let first = names.next().unwrap_or_default();
        return match names.count() {
            0 => first,
            more => format!("{first} and {more} more"),
        };
    }
    let counts = step.counts;
    let (mut words, mut counted) = (Vec::new(), Vec::new());
    let only = step.changes.first().filter(|_| step.matched == 1 && step.changes.len() == 1);
    if let Some(resource) = only.and_then(|change| change.after.as_ref()) {
        // Patches with equal file names differ in the name.
        let name = format!("~ {} {}", resource.id.gvk.kind, resource.id.name);
        words.push(sanitize(&name).into_owned());
    } else {
        counted.extend([("matched", step.matched), ("changed", counts.modified)]);
    }
    counted.extend([("added", counts.added), ("removed", counts.removed)]);
    let counted = counted.into_iter().filter(|(_, count)| *count > 0);
    words.extend(counted.map(|(word, count)| format!("{word} {count}")));
    if state == StepState::Warned {
        words.push("warned".to_owned());
    }
    words.join("  ")
}

pub(crate) fn no_effect_counts(recording: &WorkbenchRecording, steps: &[usize]) -> String {
    let has_none = |step: &&Step| {
        let state = StepState::from_step(step);
        Recording::is_expected_to_change(step)
            && matches!(state, StepState::MatchedNothing | StepState::NoChange)
    };
    let count = steps.iter().filter_map(|step| recording.step(*step)).filter(has_none).count();
    let silent = if count == 0 { String::new() } else { format!(", {count} without effect") };
    format!("{silent}{}", pending_words(recording, steps.iter().copied()))
}

/// The number of steps without a match or with an error.
pub(crate) fn no_match_count(recording: &WorkbenchRecording, steps: &[usize]) -> usize {
    let states = steps.iter().filter_map(|step| recording.step(*step)).map(StepState::from_step);
    states.filter(|it| matches!(it, StepState::MatchedNothing | StepState::Failed)).count()
}

pub(crate) fn pending_words(
    recording: &WorkbenchRecording,
    steps: impl IntoIterator<Item = usize>,
) -> String {
    match count_pending(recording, steps) {
        0 => String::new(),
        count => format!(", {count} pending"),
    }
}

/// The kustomization file of a directory, among the files of the build.
pub(crate) fn source_of<'a>(
    sources: &'a BTreeMap<PathBuf, SourceFile>,
    dir: &Path,
) -> Option<(&'a PathBuf, &'a SourceFile)> {
    sources
        .range(dir.to_path_buf()..)
        .take_while(|(file, _)| file.starts_with(dir))
        .find(|(file, source)| file.parent() == Some(dir) && !source.deploys)
}
