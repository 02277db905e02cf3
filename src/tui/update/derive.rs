//! What is shown, derived from recording, cursor and draft once they change, never while drawing.

use std::sync::Arc;

use super::super::layout::{Class, layout};
use super::super::model::{
    ChangedRow, Compare, Model, Pane, Preview, ResourceKey, ResourceRow, RowKey, Screen,
    StepFilter, Subject, changed_between, component_rows, field_history, net_changes, problems,
    step_changes, tree_rows,
};
use super::super::text::{
    LineDiff, Split, TextLine, Token, TokenKind, sanitize, source_lines, wrap,
};
use super::time::step_label;
use crate::engine::yaml::SourceId;

/// What the derived parts were derived from.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct Derived {
    tree: Option<(u64, u64)>,
    problems: Option<u64>,
    steps: Option<(u64, StepFilter)>,
    resources: Option<(u64, usize)>,
    changed: Option<(u64, u64, usize, Compare)>,
    diff: Option<(u64, u64, usize, Compare, usize)>,
    rows: Option<(Split, usize)>,
    lines: Option<(u64, usize, Option<ResourceKey>)>,
    history: Option<(u64, Option<ResourceKey>, Arc<str>)>,
    preview: Option<(u64, u64, RowKey)>,
    explanation: Option<(u64, usize, u16)>,
    component: Option<(u64, u64, usize)>,
}

impl Derived {
    /// The tree is to be built again: a node was opened or closed.
    pub(super) fn forget_tree(&mut self) {
        self.tree = None;
    }

    /// The rows of the diff were made for two sides.
    pub(in crate::tui) fn is_side_by_side(&self) -> bool {
        matches!(self.rows, Some((Split::SideBySide, _)))
    }
}

/// Brings everything that is derived up to date.
pub(super) fn derive(model: &mut Model) {
    rows_of_build(model);
    component_effect(model);
    steps(model);
    resources(model);
    changed(model);
    diff(model);
    preview(model);
    lines(model);
    history(model);
    explanation(model);
    scroll(model);
}

fn rows_of_build(model: &mut Model) {
    let key = (model.generation, model.edition);
    if model.derived.tree == Some(key) {
        return;
    }
    model.derived.tree = Some(key);
    let component = model.components.get(model.list(Pane::Components).selected).cloned();
    model.components = component_rows(model);
    let found = component.and_then(|old| {
        model.components.iter().position(|row| row.file == old.file && row.path == old.path)
    });
    if let Some(found) = found {
        model.list_mut(Pane::Components).selected = found;
    }
    if model.derived.problems != Some(model.generation) {
        model.derived.problems = Some(model.generation);
        model.problems = problems(&model.recording);
    }
    let selected = model.tree.rows.get(model.list(Pane::Tree).selected).map(|row| row.key.clone());
    model.tree.rows = tree_rows(model);
    if let Some(found) = selected.and_then(|key| model.tree.position(&key)) {
        model.list_mut(Pane::Tree).selected = found;
    }
}

/// What the draft changes in the output; without a draft, what the selected component does.
fn component_effect(model: &mut Model) {
    let selected =
        model.list(Pane::Components).selected.min(model.components.len().saturating_sub(1));
    let key = (model.generation, model.edition, selected);
    if model.derived.component == Some(key) {
        return;
    }
    model.derived.component = Some(key);
    if let Some(saved) = model.saved.clone().filter(|_| model.has_draft()) {
        model.component_effect = changed_between(&saved, &model.recording);
        "Output: the draft against the files".clone_into(&mut model.component_title);
        return;
    }
    let row = model.components.get(selected);
    let steps = row.and_then(|row| model.recording.layer_at(&row.path)).map(|(_, layer)| layer);
    let steps =
        steps.and_then(|layer| model.recording.trace.steps.get(layer.first_step..layer.end_step));
    model.component_effect = net_changes(steps.unwrap_or_default().iter());
    model.component_title =
        row.map_or_else(String::new, |row| format!("Effect of {}", sanitize(&row.text)));
}

fn steps(model: &mut Model) {
    let key = (model.generation, model.steps.filter.clone());
    if model.derived.steps.as_ref() != Some(&key) {
        model.steps.visible = key.1.apply(&model.recording);
        model.derived.steps = Some(key);
    }
    let visible = &model.steps.visible;
    let at = visible.partition_point(|step| *step < model.cursor);
    let at = if visible.get(at) == Some(&model.cursor) { at } else { at.saturating_sub(1) };
    model.list_mut(Pane::Steps).selected = at;
}

fn resources(model: &mut Model) {
    let key = (model.generation, model.cursor);
    if model.derived.resources == Some(key) {
        // Selecting in the list is choosing a resource.
        if model.focused() == Pane::Resources
            && let Some(row) = model.resources.list.get(model.list(Pane::Resources).selected)
        {
            model.resources.key = Some(row.key.clone());
        }
    } else {
        model.derived.resources = Some(key);
        let state = model.recording.trace.state_after(model.cursor);
        model.resources.list =
            state.iter().map(|(slot, resource)| ResourceRow::new(*slot, resource)).collect();
        if model.resources.key.is_none() {
            model.resources.key = model.resources.list.first().map(|row| row.key.clone());
        }
    }
    if let Some(position) = model.resources.position() {
        model.list_mut(Pane::Resources).selected = position;
    }
}

fn changed(model: &mut Model) {
    let compare = model.compared();
    let edition = if compare == Compare::Step { 0 } else { model.edition };
    let key = (model.generation, edition, model.cursor, compare);
    if model.derived.changed == Some(key) {
        return;
    }
    model.derived.changed = Some(key);
    let changed = match compare {
        Compare::Step => model.recording.step(model.cursor).map(step_changes).unwrap_or_default(),
        Compare::Output => match &model.saved {
            Some(saved) => changed_between(saved, &model.recording),
            None => Vec::new(),
        },
        Compare::Files => model
            .changes
            .iter()
            .map(|change| {
                ChangedRow::file(change, model.recording.shorten(&change.path.to_string_lossy()))
            })
            .collect(),
    };
    let selected = model
        .resources
        .key
        .as_ref()
        .and_then(|key| changed.iter().position(|row| row.key.as_ref() == Some(key)));
    model.list_mut(Pane::Changed).selected = selected.unwrap_or(0);
    model.diff.changed = changed;
}

fn diff(model: &mut Model) {
    let selected =
        model.list(Pane::Changed).selected.min(model.diff.changed.len().saturating_sub(1));
    let compare = model.compared();
    let edition = if compare == Compare::Step { 0 } else { model.edition };
    let key = (model.generation, edition, model.cursor, compare, selected);
    if model.derived.diff != Some(key) {
        model.derived.diff = Some(key);
        model.derived.rows = None;
        model.diff.diff =
            model.diff.changed.get(selected).map_or_else(LineDiff::default, ChangedRow::diff);
        if matches!(model.focused(), Pane::Changed | Pane::Diff)
            && let Some(key) = model.diff.changed.get(selected).and_then(|row| row.key.clone())
        {
            model.resources.key = Some(key);
        }
    }
    let placed = layout(model);
    let split = match placed.pane(Pane::Diff) {
        Some(pane) if placed.class == Class::Wide && pane.inner.width >= 80 => Split::SideBySide,
        _ => model.diff.split,
    };
    let key = (split, model.diff.context);
    if model.derived.rows != Some(key) {
        let fresh = model.derived.rows.is_none();
        model.derived.rows = Some(key);
        model.diff.rows = model.diff.diff.rows(split, model.diff.context);
        if fresh {
            *model.list_mut(Pane::Diff) = super::super::model::ListView::default();
        }
    }
}

fn preview(model: &mut Model) {
    let Some(row) = model.tree.rows.get(model.list(Pane::Tree).selected).cloned() else { return };
    let key = (model.generation, model.edition, row.key.clone());
    if model.derived.preview.as_ref() == Some(&key) {
        return;
    }
    model.derived.preview = Some(key);
    let steps = row.steps.iter().filter_map(|step| model.recording.step(*step));
    model.effect = net_changes(steps);
    if model.screen == Screen::Tree
        && let Some(key) = model.effect.first().and_then(|row| row.key.clone())
    {
        model.resources.key = Some(key);
    }
    model.preview = text_behind(model, &row.subject);
    let offset = model.preview.at.unwrap_or(0).saturating_sub(2);
    *model.list_mut(Pane::Preview) = super::super::model::ListView { selected: offset, offset };
}

/// A preview shows no more of a file than this: selecting a row must not wait for a huge one.
const PREVIEW_BYTES: usize = 1 << 20;

/// The file behind a row, at its line.
fn text_behind(model: &Model, subject: &Subject) -> Preview {
    let (file, line) = match subject {
        Subject::Layer { file } => (file.clone(), 1),
        Subject::Field { file, line } | Subject::Scalar { file, line, .. } => (file.clone(), *line),
        Subject::Entry { entry, line, names } => match names {
            Some(path) if model.sources.keys().all(|file| file.parent() != Some(path)) => {
                (path.clone(), 1)
            }
            _ => (entry.file.clone(), *line),
        },
        Subject::Unlisted { path, .. } => {
            let names = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
            let file = names.iter().map(|name| path.join(name));
            let file = file.into_iter().find(|file| model.disk.resolve(file).is_ok());
            (file.unwrap_or_else(|| path.clone()), 1)
        }
        Subject::Step | Subject::Heading => return Preview::default(),
    };
    let title = model.recording.shorten(&file.to_string_lossy());
    let files = model.session.files(model.disk.clone());
    match files.read(&file) {
        Ok(bytes) => Preview {
            title: format!("{title}:{line}"),
            lines: source_lines(&bytes[..bytes.len().min(PREVIEW_BYTES)], SourceId::NONE),
            at: Some(usize::try_from(line).unwrap_or(1).saturating_sub(1)),
        },
        Err(error) => Preview { title, lines: vec![plain(&error.to_string())], at: None },
    }
}

fn lines(model: &mut Model) {
    let key = (model.generation, model.cursor, model.resources.key.clone());
    if model.derived.lines.as_ref() == Some(&key) {
        return;
    }
    let path = model
        .resources
        .lines
        .get(model.list(Pane::Resource).selected)
        .map(|line| line.path.clone());
    let same = model.derived.lines.as_ref().is_some_and(|old| old.2 == key.2);
    model.derived.lines = Some(key);
    let Model { resources, recording, .. } = model;
    resources.load(recording);
    let found = path
        .filter(|_| same)
        .and_then(|path| model.resources.lines.iter().position(|line| line.path == path));
    if let Some(position) = found {
        model.list_mut(Pane::Resource).selected = position;
    } else if !same {
        *model.list_mut(Pane::Resource) = super::super::model::ListView::default();
    }
    if let Some(position) = model.resources.position() {
        model.list_mut(Pane::Resources).selected = position;
    }
}

fn history(model: &mut Model) {
    let at = model.list(Pane::Resource).selected;
    let path = model.resources.lines.get(at).map_or_else(|| "".into(), |line| line.path.clone());
    let key = (model.generation, model.resources.key.clone(), path.clone());
    if model.derived.history.as_ref() == Some(&key) {
        return;
    }
    model.derived.history = Some(key);
    let glyphs = model.glyphs();
    model.resources.history = match model.resources.shown() {
        Some(row) if !path.is_empty() => field_history(&model.recording, row.slot, &path, |step| {
            step_label(&model.recording, step, glyphs)
        }),
        _ => Vec::new(),
    };
    let last = model.resources.history.iter().rposition(|row| row.step <= model.cursor);
    model.list_mut(Pane::History).selected = last.unwrap_or(0);
}

fn explanation(model: &mut Model) {
    let selected = model.list(Pane::Problems).selected.min(model.problems.len().saturating_sub(1));
    let columns = layout(model).pane(Pane::Explanation).map_or(80, |placed| placed.inner.width);
    let key = (model.generation, selected, columns);
    if model.derived.explanation == Some(key) {
        return;
    }
    model.derived.explanation = Some(key);
    let Some(problem) = model.problems.get(selected) else {
        model.explanation = Preview::default();
        return;
    };
    let mut texts = vec![problem.message.clone()];
    if !problem.place.is_empty() {
        texts.push(format!("at {}", problem.place));
    }
    if let Some(step) = problem.step {
        let label = step_label(&model.recording, step, model.glyphs());
        let place = model.recording.place_of_step(step);
        texts.push(format!("step {} of {}: {place} {label}", step + 1, model.recording.len()));
    }
    texts.push(String::new());
    texts.extend(problem.details.iter().cloned());
    let room = usize::from(columns).saturating_sub(2);
    let lines = texts.iter().flat_map(|text| wrap(text, room)).map(|text| plain(&text)).collect();
    model.explanation = Preview { title: problem.code.to_owned(), lines, at: None };
}

fn plain(text: &str) -> TextLine {
    let token = Token { kind: TokenKind::Text, text: sanitize(text).into_owned() };
    TextLine { tokens: vec![token], ..TextLine::default() }
}

/// Keeps every selection on an existing row that can be seen.
fn scroll(model: &mut Model) {
    for placed in layout(model).panes {
        let rows = model.rows(placed.pane);
        let height = usize::from(placed.inner.height).saturating_sub(header_rows(placed.pane));
        if placed.pane.is_text() {
            model.list_mut(placed.pane).clamp_text(rows, height);
        } else {
            model.list_mut(placed.pane).clamp(rows, height);
        }
    }
}

/// Rows at the head of a pane that do not scroll.
pub(in crate::tui) fn header_rows(pane: Pane) -> usize {
    usize::from(matches!(pane, Pane::Steps))
}
