//! Displayed data, derived from recording, cursor and draft after a change, never while drawing.

pub(crate) mod diff;
pub(crate) mod follow;
pub(crate) mod lists;
pub(crate) mod texts;

use std::sync::Arc;

use super::super::layout::{PaneArea, layout};
use super::super::model::derived::MomentKey;
use super::super::rows::{RowLine, step_note_lines};
use super::super::text::width;
use super::matching::{retain, row_text, visible_row_mask};
use crate::model::{
    ComponentStatus, ListView, LongLines, Model, Pane, PaneContent, ResourceRow, Screen,
    all_tree_rows, field_history, tree_rows,
};
use crate::screens::change;
use crate::screens::problems::state::problems;
use crate::update::matching;
pub(crate) use diff::compare_all_resources;
pub(crate) use lists::{derive_board, derive_findings};
pub(crate) use texts::{derive_compared, derive_found, problem_lines};

/// Updates the displayed data. Data that no pane shows is derived later.
pub(crate) fn derive(model: &mut Model) {
    if model.derived.renew(Pane::Problems, model.builds.generation) {
        (model.problems.all, model.problems.rows) = problems(model);
        problem_rows(model);
    }
    let placed = layout(model);
    let shows = |panes: &[Pane]| panes.iter().any(|pane| placed.pane(*pane).is_some());
    let in_time = matches!(model.screen, Screen::Steps | Screen::Diff);
    lists::components(model);
    if shows(&[Pane::Tree]) {
        tree(model);
        follow::step(model);
    }
    lists::derive_totals(model);
    match model.screen {
        Screen::Composition => lists::pipeline(model),
        Screen::Catalogs => lists::catalogs(model),
        Screen::Functions => lists::functions(model),
        Screen::Board => derive_board(model),
        Screen::Compared => derive_compared(model),
        Screen::Found => derive_found(model),
        Screen::Change => change::keys::derive_diff(model),
        _ => {}
    }
    if shows(&[Pane::ComponentEffect]) {
        lists::derive_component_effect(model);
    }
    steps(model);
    if model.resources.key.is_none() {
        resources(model);
    }
    // An overlay such as the built-in editor shows the diff over every screen.
    if in_time || model.overlay.is_some() || shows(&[Pane::Changed, Pane::Diff]) {
        diff::changed(model);
        follow::resource(model);
        diff::diff(model);
    }
    if model.screen == Screen::Tree || shows(&[Pane::Preview, Pane::Effect]) {
        texts::derive_preview(model);
    }
    follow::resource(model);
    if shows(&[Pane::Resource, Pane::Resources, Pane::History]) {
        derive_resources(model);
        history(model);
    }
    derive_texts(model);
    clamp_selections(model);
    paint(model);
}

pub(crate) fn update_pane_rows(model: &mut Model, pane: Pane) {
    match pane {
        Pane::Tree => {
            model.derived.invalidate(&[Pane::Tree]);
            tree(model);
        }
        Pane::Steps => {
            model.derived.invalidate(&[Pane::Steps]);
            steps(model);
        }
        Pane::Problems => {
            model.derived.invalidate(&[Pane::Explanation]);
            problem_rows(model);
        }
        Pane::Targets => derive_board(model),
        Pane::Findings => derive_findings(model),
        _ => {
            model.derived.invalidate(&[Pane::Catalogs, Pane::Review]);
            lists::catalogs(model);
        }
    }
}

fn problem_rows(model: &mut Model) {
    let selected = model.problems.rows.findings(model.list(Pane::Problems).selected).first();
    let selected = selected.copied();
    matching::show_findings(model, Pane::Problems);
    let found = selected.and_then(|finding| model.problems.rows.position(finding));
    model.select_found(Pane::Problems, found);
}

/// Updates the resources at the current step, and the lines of the chosen one, for all screens.
pub(crate) fn derive_resources(model: &mut Model) {
    resources(model);
    lines(model);
}

/// Unlisted components are shown from the start if there are at most this many.
const MAX_OPEN_UNLISTED: usize = 8;

/// The key of data about a build and its lists.
pub(crate) fn build_key(model: &Model) -> (u64, u64) {
    (model.builds.generation, model.edits.draft_revision)
}

/// Updates the shown texts about the selected rows of lists.
fn derive_texts(model: &mut Model) {
    for PaneArea { pane, inner, .. } in layout(model).panes {
        let PaneContent::About(about) = &crate::pane_view(pane).content else { continue };
        let (list, columns) = ((about.list)(model), usize::from(inner.width));
        let row = model.selected_row(list);
        if !model.derived.renew(pane, (list, row, (about.edition)(model), columns)) {
            continue;
        }
        let mut text = (about.make)(model, row, columns).unwrap_or_default();
        let room = columns.saturating_sub(2);
        text.lines = text.lines.into_iter().flat_map(|line| line.wrapped(room)).collect();
        // A text about the same row that begins alike is the same text with news: it stays scrolled.
        let is_other_row = model.panes.text_rows.insert(pane, (list, row)) != Some((list, row));
        if is_other_row || text.lines.first() != model.text_in(pane).lines.first() {
            *model.list_mut(pane) = ListView::default();
        }
        model.panes.texts.insert(pane, text);
    }
}

fn tree(model: &mut Model) {
    let key = build_key(model);
    if !model.derived.renew(Pane::Tree, key) {
        return;
    }
    let selected = model.tree.rows.get(model.list(Pane::Tree).selected).map(|row| row.key.clone());
    let unlisted = model.components.rows.iter();
    let unlisted = unlisted.filter(|row| row.state == ComponentStatus::Absent).count();
    model.tree.is_unlisted_folded = unlisted > MAX_OPEN_UNLISTED;
    // A filter finds the rows below closed ones too.
    let is_filtered = model.panes.filters.contains_key(&Pane::Tree);
    let rows = if is_filtered { all_tree_rows(model) } else { tree_rows(model) };
    model.tree.set_rows(rows);
    let kept = visible_row_mask(model, Pane::Tree, |row| model.tree.rows[row].depth);
    retain(&mut model.tree.rows, kept.as_deref());
    let found = selected.and_then(|key| model.tree.position(&key));
    model.select_found(Pane::Tree, found);
}

fn steps(model: &mut Model) {
    let key = (model.builds.generation, &model.steps.filter);
    if model.derived.renew(Pane::Steps, key) {
        model.steps.visible = model.steps.filter.apply(&model.builds.recording);
        let kept = visible_row_mask(model, Pane::Steps, |_| 0);
        retain(&mut model.steps.visible, kept.as_deref());
    }
    let visible = &model.steps.visible;
    let at = visible.partition_point(|step| *step < model.cursor);
    let at = if visible.get(at) == Some(&model.cursor) { at } else { at.saturating_sub(1) };
    model.list_mut(Pane::Steps).selected = at;
}

fn resources(model: &mut Model) {
    let key = moment_key(model);
    if model.derived.renew(Pane::Resources, key) {
        let state = model.builds.recording.trace.state_after(model.cursor);
        let rows = state.iter().filter_map(|(slot, resource)| {
            let key = model.builds.recording.key(*slot)?.clone();
            Some(ResourceRow::new(key, *slot, resource))
        });
        model.resources.take(rows.collect());
        if model.resources.key.is_none() {
            model.resources.key = model.resources.list.first().map(|row| row.key.clone());
        }
    }
    model.select_found(Pane::Resources, model.resources.position());
}

fn moment_key(model: &Model) -> MomentKey {
    (model.builds.generation, model.cursor)
}

fn selected_path(model: &Model) -> Option<Arc<str>> {
    let line = model.resources.lines.get(model.list(Pane::Resource).selected)?;
    Some(line.path.clone())
}

fn lines(model: &mut Model) {
    let key = (moment_key(model), &model.resources.key);
    if !model.derived.renew(Pane::Resource, key) {
        return;
    }
    let before = std::mem::replace(&mut model.derived.resource, model.resources.key.clone());
    let same = before == model.resources.key;
    let path = selected_path(model);
    model.resources.load(&model.builds.recording, &model.look.secrets);
    let found = path
        .filter(|_| same)
        .and_then(|path| model.resources.lines.iter().position(|line| line.path == path));
    if let Some(position) = found {
        model.list_mut(Pane::Resource).selected = position;
    } else if !same {
        *model.list_mut(Pane::Resource) = ListView::default();
    }
    model.select_found(Pane::Resources, model.resources.position());
}

fn history(model: &mut Model) {
    let path = selected_path(model).unwrap_or_default();
    let key = (moment_key(model), &model.resources.key, &path);
    if !model.derived.renew(Pane::History, key) {
        return;
    }
    let row = model.resources.shown().filter(|_| !path.is_empty());
    let history = row.map(|row| field_history(model, row, &path));
    model.resources.history = history.unwrap_or_default();
    let last = model.resources.history.iter().rposition(|row| row.step <= model.cursor);
    model.list_mut(Pane::History).selected = last.unwrap_or(0);
}

/// Keeps every selection on an existing, visible row.
fn clamp_selections(model: &mut Model) {
    for placed in layout(model).panes {
        let rows = model.rows(placed.pane);
        let height =
            usize::from(placed.inner.height).saturating_sub(header_rows(model, placed.pane));
        if placed.pane.is_text() {
            let last = last_offset(model, &placed, height);
            model.list_mut(placed.pane).clamp_text(last);
        } else {
            model.list_mut(placed.pane).clamp(rows, height);
        }
    }
}

/// The largest offset of a pane of text: its last rows fill the pane. Wrapped rows have several
/// lines.
fn last_offset(model: &Model, placed: &PaneArea, height: usize) -> usize {
    let (pane, rows) = (placed.pane, model.rows(placed.pane));
    let columns = usize::from(placed.inner.width).max(2);
    let lines = |row: usize| {
        let is_wrapped =
            model.panes.long_lines == LongLines::Folded || model.is_changed_line(pane, row);
        // Half of a line more for the numbers, and for words that are not broken.
        let cells = if is_wrapped { width(&row_text(model, pane, row)) + columns / 2 } else { 0 };
        (cells / columns).max(1)
    };
    let mut left = height.max(1);
    for row in (0..rows).rev() {
        let lines = lines(row);
        if lines > left {
            return (row + 1).min(rows.saturating_sub(1));
        }
        left -= lines;
    }
    0
}

fn paint(model: &mut Model) {
    let placed = layout(model);
    let end = |pane: Pane| {
        let height = placed.pane(pane).map(|placed| usize::from(placed.inner.height));
        height.map_or(0, |height| model.list(pane).offset + height)
    };
    let (preview, resource) = (end(Pane::Preview), end(Pane::Resource));
    if let Some(painter) = &mut model.detail.painter {
        painter.paint(&mut model.detail.preview.lines, preview);
    }
    for painter in &mut model.resources.painters {
        painter.paint(&mut model.resources.lines, resource);
    }
}

/// The lines of the notes on the selected step, as the pane of its changes has room for them.
pub(crate) fn shown_step_notes(model: &Model) -> Vec<RowLine> {
    let Some(placed) = layout(model).pane(Pane::Changed).copied() else { return Vec::new() };
    let columns = usize::from(placed.inner.width.saturating_sub(1));
    step_note_lines(model, columns, placed.inner.height.into())
}

/// The number of rows at the top of a pane that do not scroll.
pub(crate) fn header_rows(model: &Model, pane: Pane) -> usize {
    let view = crate::pane_view(pane);
    // The number of the other lines does not depend on the width.
    if view.names.is_some() { 1 } else { (view.header)(model, 80).len() }
}
