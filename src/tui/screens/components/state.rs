//! Components: listed, commented out, and found in the repository but not listed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::{ComponentEffect, ComponentStatus};
use crate::draft::EntryRef;
use crate::engine::evaluate::Layer;
use crate::engine::load::{clean, relative_path};
use crate::engine::manifest::OutlineField;
use crate::message::SourceFile;
use crate::model::{ChangedRow, Model, Pane, Screen, WorkbenchRecording, net_changes};
use crate::ports::composition_files;
use crate::text::{sanitize, width};

/// A component, in one kustomization file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ComponentRow {
    /// The file that lists the component, or could list it.
    pub file: PathBuf,
    pub entry: Option<EntryRef>,
    /// 1-based line of the entry; 0 without one.
    pub line: u32,
    /// The entry as written, or as it would be written.
    pub text: String,
    /// The author's comment after the entry; empty without one.
    pub note: String,
    pub path: PathBuf,
    /// `Absent` for a component of the repository that the file does not list.
    pub state: ComponentStatus,
    /// The position among the components of the build, from 1.
    pub order: Option<usize>,
    pub effect: Option<ComponentEffect>,
    pub fails: bool,
    pub step: Option<usize>,
    /// True if the entry is on in the draft and off or missing on disk, or the reverse.
    pub drafted: bool,
}

/// The cells before the name of a component: its sign and its number.
const BEFORE_NAME_CELLS: usize = 7;
/// The cells after it, except for those of its effect.
const AFTER_NAME_CELLS: usize = 4;
const TRIAL_CELLS: usize = 14;

impl ComponentRow {
    /// The entry as written, preceded by the file that lists it, unless that is the target's own
    /// file.
    pub(crate) fn shown_name(&self, model: &Model) -> String {
        let is_target = self.file.parent() == Some(&*model.opened.dir);
        if is_target || self.state == ComponentStatus::Absent {
            let folder = model.components.folder.as_str();
            return sanitize(self.text.strip_prefix(folder).unwrap_or(&self.text)).into_owned();
        }
        let file = self.file.parent();
        let file = file.map(|dir| model.builds.recording.shorten(&dir.to_string_lossy()));
        format!("{}: {}", file.unwrap_or_default(), sanitize(&self.text))
    }
}

impl Model {
    /// True on the Components screen if the draft leaves the selected component off: its pane then
    /// shows the effect that it would have.
    pub(crate) fn selects_component_to_try(&self) -> bool {
        let row = self.components.rows.get(self.list(Pane::Components).selected);
        let is_off = row.is_some_and(|row| row.state != ComponentStatus::On && !row.drafted);
        self.screen == Screen::Components && is_off
    }
}

/// The folder of most components, with its slash, as in `../../components/`: the longest one that
/// contains three quarters of them; empty without one.
pub(crate) fn common_folder<'t>(paths: impl ExactSizeIterator<Item = &'t str>) -> String {
    let all = paths.len();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        let ends = path.match_indices('/').map(|(at, _)| &path[..=at]);
        // A step up is part of the folder that follows it.
        ends.filter(|folder| !folder.ends_with("../"))
            .for_each(|it| *counts.entry(it).or_default() += 1);
    }
    let has_most = |count: usize| all > 1 && count * 4 >= all * 3;
    let folders = counts.into_iter().filter(|(_, count)| has_most(*count));
    folders.map(|(folder, _)| folder).max_by_key(|folder| folder.len()).unwrap_or("").to_owned()
}

pub(crate) fn layer_effect(recording: &WorkbenchRecording, layer: &Layer) -> ComponentEffect {
    let (added, changed, removed) = recording.count_layer_changes(layer);
    ComponentEffect { added, changed, removed }
}

pub(crate) fn component_changes(
    recording: &WorkbenchRecording,
    row: &ComponentRow,
) -> Vec<ChangedRow> {
    let layer = recording.first_layer_in(&row.path);
    let steps = layer.and_then(|(_, it)| recording.trace.steps.get(it.first_step..it.end_step));
    net_changes(recording, steps.unwrap_or_default().iter())
}

/// The numbers of added, changed and removed resources in few cells: `+1 ~4`; empty without any.
pub(crate) fn effect_words(model: &Model, effect: ComponentEffect) -> String {
    let ComponentEffect { added, changed, removed } = effect;
    let counts = [("+", added), ("~", changed), (model.glyphs().minus, removed)];
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    counts.map(|(sign, count)| format!("{sign}{count}")).collect::<Vec<_>>().join(" ")
}

/// As [`effect_words`]; `no effect` without any.
pub(crate) fn effect_or_none(model: &Model, effect: ComponentEffect) -> String {
    Some(effect_words(model, effect)).filter(|it| !it.is_empty()).unwrap_or("no effect".to_owned())
}

pub(crate) fn components_width(model: &Model) -> usize {
    let names = model.components.rows.iter().map(|row| width(&row.shown_name(model)));
    let notes = model.components.rows.iter().map(|row| width(&row.note)).max().unwrap_or(0);
    let fixed = BEFORE_NAME_CELLS + TRIAL_CELLS + AFTER_NAME_CELLS;
    names.max().unwrap_or(0) + fixed + if notes > 0 { notes + 2 } else { 0 }
}

/// The components of the target first, then those of other files, then unlisted ones.
pub(crate) fn component_rows(model: &Model) -> Vec<ComponentRow> {
    let mut rows = Vec::new();
    let is_target = |file: &Path| model.directory_of(file) == model.opened.dir;
    let target = model.opened.sources.iter().filter(|(file, _)| is_target(file));
    let others = model.opened.sources.iter().filter(|(file, _)| !is_target(file));
    for (file, source) in target.chain(others) {
        // The fields of a deployment object have their paths in their names.
        let is_list = |field: &&OutlineField| field.name.rsplit('.').next() == Some("components");
        let mut lists = source.outline.fields.iter().filter(is_list).peekable();
        if lists.peek().is_none() {
            continue;
        }
        let mut order = 0;
        let bytes = bytes_on_disk(model, file, &source.bytes);
        let text = String::from_utf8_lossy(&bytes);
        let now = String::from_utf8_lossy(&source.bytes);
        let lines: Vec<&str> = now.lines().collect();
        let was_listed = listed_entries(&text);
        for field in lists {
            for (index, entry) in field.entries.iter().enumerate() {
                let off = entry.disabled || field.disabled;
                order += usize::from(!off);
                let entry_ref = EntryRef { file: file.clone(), field: field.name.clone(), index };
                let order = (!off).then_some(order);
                let text = entry.scalar.as_deref().unwrap_or(&entry.text).to_owned();
                let row = listed(model, entry_ref, text, entry.line, order);
                let drafted = was_listed.contains(&*row.text) != order.is_some();
                let at = usize::try_from(entry.line).unwrap_or(0).checked_sub(1);
                let line = at.and_then(|at| lines.get(at)).copied().unwrap_or_default();
                let note = model.look.secrets.text(&comment_after(line, &row.text));
                rows.push(ComponentRow { drafted, note, ..row });
            }
        }
    }
    unlisted(model, &mut rows);
    rows
}

fn listed(
    model: &Model,
    entry: EntryRef,
    text: String,
    line: u32,
    order: Option<usize>,
) -> ComponentRow {
    let dir = model.directory_of(&entry.file);
    let path = clean(&dir.join(&text));
    let layer = model.builds.recording.first_layer_in(&path).map(|(_, layer)| layer.clone());
    let layer = layer.filter(|_| order.is_some());
    ComponentRow {
        effect: layer.as_ref().map(|layer| layer_effect(&model.builds.recording, layer)),
        fails: layer.as_ref().is_some_and(|layer| model.builds.recording.has_failed_step(layer)),
        step: layer.map(|layer| layer.first_step),
        state: if order.is_some() { ComponentStatus::On } else { ComponentStatus::Off },
        file: entry.file.clone(),
        entry: Some(entry),
        line,
        text,
        path,
        order,
        ..ComponentRow::default()
    }
}

/// The comment after an entry in its line, without the signs that lead it.
fn comment_after(line: &str, entry: &str) -> String {
    let rest = line.split_once(entry).map_or("", |(_, rest)| rest);
    let comment = rest.trim_start_matches(['"', '\'']).trim_start().strip_prefix('#');
    comment.unwrap_or_default().trim_matches([' ', '-', '#']).to_owned()
}

/// The bytes of a file without the draft; `now` are its bytes with the draft.
fn bytes_on_disk(model: &Model, file: &Path, now: &Arc<[u8]>) -> Arc<[u8]> {
    let change = model.edits.changes.iter().find(|change| change.path == file);
    change.map_or_else(|| now.clone(), |change| change.base.clone().unwrap_or_default())
}

/// The active entries of a file, read line by line.
fn listed_entries(text: &str) -> BTreeSet<&str> {
    let entries = text.lines().filter_map(|line| line.trim_start().strip_prefix("- "));
    let plain = entries.map(|entry| entry.split(" #").next().unwrap_or(entry).trim());
    plain.map(|entry| entry.trim_matches(['"', '\''])).collect()
}

fn unlisted(model: &Model, rows: &mut Vec<ComponentRow>) {
    let own = |(file, source): &(&PathBuf, &SourceFile)| {
        file.parent() == Some(&*model.opened.dir) && !source.deploys
    };
    let Some((file, _)) = model.opened.sources.iter().find(own) else { return };
    // A Composition has no list of components.
    let compositions = composition_files(&model.builds.recording.trace);
    if compositions.iter().any(|composition| Path::new(composition) == file) {
        return;
    }
    for path in &model.opened.found {
        if *path == model.opened.dir || rows.iter().any(|row| row.path == *path) {
            continue;
        }
        let text = relative_path(&model.opened.dir, path);
        let (file, path) = (file.clone(), path.clone());
        rows.push(ComponentRow { file, text, path, ..ComponentRow::default() });
    }
}
