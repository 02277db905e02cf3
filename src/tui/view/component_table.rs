//! The table of overlays and components, and the components of the selected overlay.

use ratatui::text::Line;

use super::super::model::{Model, Pane};
use super::super::text::{fit_distinct, fit_location, fit_name, near, sanitize, width};
use super::super::theme::StyleRole;
use super::line::LineBuilder;
use crate::answers::{Cell, ComponentEffect, ComponentMatrix, ComponentStatus, ComponentTrial};

/// The maximum width of a component's column in the table.
const MAX_COLUMN_CELLS: usize = 24;
const MIN_COLUMN_CELLS: usize = 7;
/// The width of a column whose name is cut.
const CUT_COLUMN_CELLS: usize = 12;

pub(super) fn title(model: &Model) -> String {
    let Some(table) = model.table.table() else { return "Components".to_owned() };
    let (overlays, components) = (table.overlays.len(), table.components.len());
    let building = match (model.table.is_asked, &model.table.of) {
        (true, Some((.., true))) => "  trying components that are off…",
        (true, _) => "  building the overlays…",
        (false, _) => "",
    };
    format!("Components  {components} in {overlays} overlays{building}")
}

/// The title of the list of components, with the selected overlay.
pub(super) fn components_title(model: &Model) -> String {
    match model.selected_overlay() {
        Some(row) => format!("Components of {}", sanitize(&row.overlay)),
        None => "Components".to_owned(),
    }
}

/// The columns of the table: the width of the column with overlay names, the width of each other
/// column, and the components that fit.
struct TableColumns {
    name: usize,
    cell: usize,
    shown: std::ops::Range<usize>,
}

fn columns_of(model: &Model, table: &ComponentMatrix, columns: usize) -> TableColumns {
    let wanted = table.overlays.iter().map(|row| width(&sanitize(&row.overlay)) + 2).max();
    let wanted = wanted.unwrap_or(0);
    let name = wanted.clamp(12, (columns * 2 / 5).max(12));
    let longest = table.components.iter().map(|name| width(short_name(name)) + 2).max();
    let longest = longest.unwrap_or(0).clamp(MIN_COLUMN_CELLS, MAX_COLUMN_CELLS);
    // Three cells before the names, and three for the number of hidden components.
    let room = columns.saturating_sub(name + 6);
    // Names are shortened before columns are left out.
    let cell = (room / table.components.len().max(1)).clamp(CUT_COLUMN_CELLS.min(longest), longest);
    let count = (room / cell).clamp(1, table.components.len().max(1));
    // The names of overlays get the cells that no further component fits into.
    let name = (name + room.saturating_sub(count * cell)).min(wanted.max(name));
    let selected = model.list(Pane::TableComponents).selected;
    // The columns are shifted so that the selected component is visible.
    let first = (selected + 1).saturating_sub(count);
    TableColumns { name, cell, shown: first..(first + count).min(table.components.len()) }
}

/// The last part of a component's path.
fn short_name(component: &str) -> &str {
    component.rsplit('/').next().unwrap_or(component)
}

pub(super) fn header(model: &Model, columns: u16) -> Line<'static> {
    let columns = usize::from(columns);
    let mut line = LineBuilder::new(model, columns);
    let Some(table) = model.table.table() else { return line.finish() };
    let widths = columns_of(model, table, columns);
    line.put(StyleRole::Text, "   ").column(StyleRole::Dim, "overlay", widths.name);
    let selected = model.list(Pane::TableComponents).selected;
    let shown = &table.components[widths.shown.clone()];
    for (at, component) in widths.shown.zip(shown) {
        let name = sanitize(short_name(component)).into_owned();
        let others = shown.iter().filter(|other| *other != component);
        let others = others.map(|other| short_name(other));
        let name = fit_distinct(&name, widths.cell - 2, others);
        let role = if at == selected { StyleRole::Title } else { StyleRole::Dim };
        line.column(role, &name, widths.cell);
    }
    let hidden = table.components.len() - shown.len();
    if hidden > 0 {
        line.put(StyleRole::Dim, &format!("+{hidden}"));
    }
    line.finish()
}

/// The line of an overlay: whether it builds, and a sign for each component.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let (Some(table), Some(row)) = (model.table.table(), model.overlay_row(index)) else {
        return line.finish();
    };
    let widths = columns_of(model, table, columns);
    let glyphs = model.glyphs();
    let (role, sign) = match (&row.error, &row.waits) {
        (Some(_), _) => (StyleRole::Error, glyphs.failed),
        (None, Some(_)) => (StyleRole::Warning, glyphs.waiting),
        (None, None) => (StyleRole::Ok, glyphs.applied),
    };
    line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
    let name = fit_location(&sanitize(&row.overlay), widths.name - 1);
    line.column(StyleRole::Text, &name, widths.name);
    for at in widths.shown {
        let Some(cell) = row.components.get(at) else { break };
        let (role, sign) = mark(model, cell);
        let effect = cell.effect.map(|effect| effect_words(model, effect)).unwrap_or_default();
        let drafted = model.is_cell_drafted(index, at);
        line.put(role, sign);
        line.put(StyleRole::Draft, if drafted { glyphs.draft } else { "" });
        line.put(StyleRole::Text, " ");
        let used = width(sign) + usize::from(drafted) * width(glyphs.draft) + 1;
        line.counts(StyleRole::Dim, &effect, widths.cell.saturating_sub(used));
    }
    line.finish()
}

fn mark(model: &Model, cell: &Cell) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    match cell.state {
        ComponentStatus::On => (StyleRole::Ok, glyphs.on),
        ComponentStatus::Off => (StyleRole::Dim, glyphs.off),
        ComponentStatus::Absent => (StyleRole::Dim, glyphs.bars[0]),
    }
}

/// The effect of a component in few cells: `+1 ~4`; empty without an effect.
fn effect_words(model: &Model, effect: ComponentEffect) -> String {
    let ComponentEffect { added, changed, removed } = effect;
    let counts = [("+", added), ("~", changed), (model.glyphs().minus, removed)];
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    counts.map(|(sign, count)| format!("{sign}{count}")).collect::<Vec<_>>().join(" ")
}

/// The effect of a component in an overlay, or its state.
fn cell_words(model: &Model, cell: &Cell) -> String {
    match (cell.state, cell.effect) {
        (ComponentStatus::On, Some(effect)) => match effect_words(model, effect) {
            words if words.is_empty() => "no effect".to_owned(),
            words => words,
        },
        (ComponentStatus::On, None) => "not known".to_owned(),
        (ComponentStatus::Off, _) => "off".to_owned(),
        (ComponentStatus::Absent, _) => "not listed".to_owned(),
    }
}

/// The line of a component in the selected overlay.
pub(super) fn component_row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(cell) = model.overlay_cell(index) else { return line.finish() };
    let (role, sign) = mark(model, cell);
    line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
    let words = cell_words(model, cell);
    let (trial_role, trial) = trial_words(model, cell.trial.as_ref());
    let overlay = model.list(Pane::ComponentTable).selected;
    let drafted = model.is_cell_drafted(overlay, index);
    let others: Vec<String> = model.table.table().map_or_else(Vec::new, |table| {
        near(index, &table.components).map(|name| sanitize(name).into_owned()).collect()
    });
    // The effects get the width of the longest one.
    let all = model.table.table().map_or(0, |table| table.components.len());
    let widths = (0..all).filter_map(|at| model.overlay_cell(at)).map(|cell| {
        let trial = trial_words(model, cell.trial.as_ref()).1;
        (width(&cell_words(model, cell)), width(&trial))
    });
    let (longest, tried) = widths.fold((0, 0), |(one, other), it| (one.max(it.0), other.max(it.1)));
    let tried = if tried > 0 { tried + 2 } else { 0 };
    let cells = line.room().saturating_sub(longest + 3 + tried);
    let others = others.iter().map(String::as_str);
    let name = fit_name(&sanitize(&cell.component), cells.saturating_sub(1), others);
    let is_on = cell.state == ComponentStatus::On;
    line.column(if is_on { StyleRole::Text } else { StyleRole::Dim }, &name, cells);
    line.counts(StyleRole::Dim, &words, longest + 2);
    line.counts(trial_role, &trial, tried);
    line.put(StyleRole::Draft, if drafted { model.glyphs().draft } else { " " });
    line.finish()
}

/// The result of trying a component, as in `if on +5`.
pub(super) fn trial_words(model: &Model, trial: Option<&ComponentTrial>) -> (StyleRole, String) {
    match trial {
        Some(ComponentTrial { effect: Some(effect), .. }) => {
            let words = effect_words(model, *effect);
            let words = if words.is_empty() { "no effect".to_owned() } else { words };
            (StyleRole::Dim, format!("if on {words}"))
        }
        Some(ComponentTrial { error: Some(_), .. }) => {
            (StyleRole::Error, format!("if on {} fails", model.glyphs().failed))
        }
        Some(_) => (StyleRole::Warning, "? not known".to_owned()),
        None => (StyleRole::Dim, String::new()),
    }
}

/// A line about the selected component.
pub(super) fn detail(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    if let Some(row) = model.table.detail.get(index) {
        line.put(StyleRole::Text, " ").put(row.role, &row.text);
    }
    line.finish()
}

/// The text of a table without rows: an error, the progress, or the reason.
pub(super) fn empty(model: &Model) -> String {
    match &model.table.result {
        _ if model.board.error.is_some() => "not known: the repository cannot be read".to_owned(),
        None => {
            format!(
                "building the overlays…{} (ctrl-c: cancel)",
                super::experiments::progress_text(model)
            )
        }
        Some(Err(reason)) => format!("{} {reason}", model.glyphs().failed),
        Some(Ok(_)) => "no kustomization file here lists a component".to_owned(),
    }
}
