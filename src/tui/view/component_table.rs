//! The table of overlays and components, and the components of the selected overlay.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::message::{ClickAnswer, ClickArea};
use super::super::model::{Model, Pane};
use super::super::rows::{component_sign, effect_words};
use super::super::text::{fit_distinct, fit_location, sanitize, width};
use super::super::theme::StyleRole;
use super::line::LineBuilder;
use crate::answers::{ComponentMatrix, ComponentStatus};

const MIN_COLUMN_CELLS: usize = 7;
/// The width of a column whose name is cut.
const CUT_COLUMN_CELLS: usize = 12;

pub(super) fn title(model: &Model) -> String {
    let Some(table) = model.table.table() else { return "Components".to_owned() };
    let (overlays, components) = (table.overlays.len(), table.components.len());
    let progress = super::experiments::progress_text(model);
    let building = match (model.table.is_asked, &model.table.of, model.table.stopped) {
        (true, Some((.., true)), _) => {
            format!("  trying components that are off…{progress} (ctrl-c: cancel)")
        }
        (true, ..) => format!("  building the overlays…{progress} (ctrl-c: cancel)"),
        (false, _, Some((done, all))) => {
            format!("  stopped at {done} of {all} trials (R: try all)")
        }
        (false, _, None) => String::new(),
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
    let name = wanted.clamp(12, (columns * 3 / 5).max(12));
    let longest = table.components.iter().map(|name| width(last_part(name)) + 2).max();
    let longest = longest.unwrap_or(0).max(MIN_COLUMN_CELLS);
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

fn last_part(component: &str) -> &str {
    component.rsplit('/').next().unwrap_or(component)
}

/// The last part of a component's path; the last two if another component has the same last part.
fn short_name<'c>(table: &'c ComponentMatrix, component: &'c str) -> &'c str {
    let last = last_part(component);
    let is_alike = |other: &&String| *other != component && last_part(other) == last;
    let before = component.strip_suffix(last).map(|rest| rest.trim_end_matches('/'));
    let start = before.and_then(|rest| rest.rfind('/')).map_or(0, |at| at + 1);
    if table.components.iter().any(|other| is_alike(&other)) { &component[start..] } else { last }
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
        let name = sanitize(short_name(table, component)).into_owned();
        let others = shown.iter().filter(|other| *other != component);
        let others = others.map(|other| short_name(table, other));
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
        let (role, sign) = component_sign(model, cell);
        let (effect_role, effect) = match cell.effect {
            Some(it) => (StyleRole::Dim, effect_words(model, [it.added, it.changed, it.removed])),
            None if cell.state == ComponentStatus::On && cell.trial.is_some() => {
                (StyleRole::Error, glyphs.failed.to_owned())
            }
            None => (StyleRole::Dim, String::new()),
        };
        let drafted = model.is_cell_drafted(index, at);
        line.put(role, sign);
        line.put(StyleRole::Draft, if drafted { glyphs.draft } else { "" });
        line.put(StyleRole::Text, " ");
        let used = width(sign) + usize::from(drafted) * width(glyphs.draft) + 1;
        line.counts(effect_role, &effect, widths.cell.saturating_sub(used));
    }
    line.finish()
}

/// The areas of the signs in the drawn table, which toggle their component.
pub(super) fn cell_areas(model: &Model, inner: Rect) -> Vec<ClickArea> {
    let Some(table) = model.table.table() else { return Vec::new() };
    let widths = columns_of(model, table, usize::from(inner.width.saturating_sub(1)));
    // The first line has the names of the components.
    let rows = (inner.y + 1..inner.bottom()).zip(model.list(Pane::ComponentTable).offset..);
    let cells = rows.flat_map(|(y, overlay)| {
        widths.shown.clone().enumerate().map(move |(at, component)| (y, overlay, at, component))
    });
    let of_cell = |(y, overlay, at, component): (u16, usize, usize, usize)| {
        let row = model.overlay_row(overlay)?;
        row.components.get(component)?;
        let x = u16::try_from(3 + widths.name + at * widths.cell).ok()?;
        let area = Rect { x: inner.x.saturating_add(x), y, width: 3, height: 1 };
        let answer = ClickAnswer::TableCell { overlay, component };
        Some(ClickArea { area: area.intersection(inner), answer })
    };
    cells.filter_map(of_cell).collect()
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
