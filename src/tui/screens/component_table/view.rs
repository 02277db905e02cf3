//! The table of overlays and components, and the components of the selected overlay.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::answers::{ComponentMatrix, ComponentStatus, OverlayRow};
use crate::display::counted;
use crate::engine::load::clean;
use crate::message::{ClickAnswer, ClickArea};
use crate::model::{Model, Pane, SHORT_NAME_CELLS, effect_words, short_component_names};
use crate::rows::{component_sign, findings_sign};
use crate::text::{fit_location, fit_middle, sanitize, to_u16, width, wrap};
use crate::theme::StyleRole;
use crate::view::line::LineBuilder;

const MIN_COLUMN_CELLS: usize = 7;
const CUT_COLUMN_CELLS: usize = SHORT_NAME_CELLS + 2;

pub(crate) fn title(model: &Model) -> String {
    let Some(table) = model.table.table() else { return "Components".to_owned() };
    let overlays = counted(table.overlays.len(), "overlay");
    let components = table.components.len();
    let progress = crate::screens::experiments::state::progress_text(model);
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
    format!("Components  {components} in {overlays}{building}")
}

/// The columns of the table: the width of the column with overlay names, the width of each other
/// column, and the components that fit.
struct TableColumns {
    name: usize,
    cell: usize,
    /// The bytes of a folder that the names of overlays leave out.
    folder: usize,
    shown: std::ops::Range<usize>,
}

fn columns_of(model: &Model, table: &ComponentMatrix, columns: usize) -> TableColumns {
    let most = (columns * 2 / 5).max(12);
    let widest = |folder: usize| {
        let names = table.overlays.iter().map(|row| width(&shown_overlay(row, folder)) + 2);
        names.max().unwrap_or(0)
    };
    let folder = if widest(0) > most { shared_folder(table) } else { 0 };
    let wanted = widest(folder);
    let name = wanted.clamp(12, most);
    let names = short_component_names(table).into_iter();
    let longest = names.flat_map(|name| name.split_inclusive('/').map(width)).max();
    let longest = (longest.unwrap_or(0) + 2).max(MIN_COLUMN_CELLS);
    // Three cells before the names, and three for the number of hidden components.
    let room = columns.saturating_sub(name + 6);
    // Names are shortened before columns are left out.
    let cell = (room / table.components.len().max(1)).clamp(CUT_COLUMN_CELLS.min(longest), longest);
    let count = (room / cell).clamp(1, table.components.len().max(1));
    // The names of overlays get the cells that no further component fits into.
    let free = room.saturating_sub(count * cell);
    let more = free.min(wanted.saturating_sub(name));
    let (name, cell) = (name + more, (cell + (free - more) / count).min(longest));
    let selected = model.list(Pane::TableComponents).selected;
    // The columns are shifted so that the selected component is visible.
    let first = (selected + 1).saturating_sub(count);
    TableColumns { name, cell, folder, shown: first..(first + count).min(table.components.len()) }
}

/// The length in bytes of the first folder of all overlays, if they have the same one.
fn shared_folder(table: &ComponentMatrix) -> usize {
    let Some([first, ..]) = table.overlays.get(..2) else { return 0 };
    let end = first.overlay.find('/').map_or(0, |at| at + 1);
    let is_shared = |row: &OverlayRow| row.overlay.starts_with(&first.overlay[..end]);
    if table.overlays.iter().all(is_shared) { end } else { 0 }
}

/// The name of an overlay, without so many bytes of a folder.
fn shown_overlay(row: &OverlayRow, folder: usize) -> String {
    let lead = if folder > 0 { "…/" } else { "" };
    format!("{lead}{}", sanitize(&row.overlay[folder..]))
}

/// The name of a component in two lines of `cells`; the first is empty if the name fits in one.
fn name_lines(name: &str, cells: usize) -> [String; 2] {
    // Each name has its folder above it, or none has.
    if let Some((folder, last)) = name.rsplit_once('/') {
        return [fit_middle(&format!("{folder}/"), cells), fit_middle(last, cells)];
    }
    if width(name) <= cells {
        return [String::new(), name.to_owned()];
    }
    let first = wrap(name, cells).into_iter().next().unwrap_or_default();
    let rest = name.strip_prefix(&*first).unwrap_or_default();
    [first.clone(), fit_middle(rest, cells)]
}

pub(crate) fn header(model: &Model, columns: u16) -> Vec<Line<'static>> {
    let columns = usize::from(columns);
    let Some(table) = model.table.table() else { return Vec::new() };
    let widths = columns_of(model, table, columns);
    let selected = model.list(Pane::TableComponents).selected;
    let all = short_component_names(table);
    let shown = &all[widths.shown.clone()];
    let names: Vec<[String; 2]> =
        shown.iter().map(|name| name_lines(&sanitize(name), widths.cell - 2)).collect();
    let hidden = table.components.len() - shown.len();
    let first = 2 - model.table.header_lines();
    let line = |number: usize| {
        let mut line = LineBuilder::new(model, columns);
        let title = if number == 1 { "overlay" } else { "" };
        line.put(StyleRole::Text, "   ").column(StyleRole::Dim, title, widths.name);
        for (at, name) in widths.shown.clone().zip(&names) {
            let role = if at == selected { StyleRole::Title } else { StyleRole::Dim };
            line.column(role, &name[number], widths.cell);
        }
        if hidden > 0 && number == 1 {
            line.put(StyleRole::Dim, &format!("+{hidden}"));
        }
        line.finish()
    };
    (first..2).map(line).collect()
}

pub(crate) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let (Some(table), Some(row)) = (model.table.table(), model.overlay_row(index)) else {
        return line.finish();
    };
    let widths = columns_of(model, table, columns);
    let glyphs = model.glyphs();
    let (role, sign) = match (&row.error, &row.waits) {
        (Some(_), _) => (StyleRole::Error, glyphs.failed),
        (None, Some(_)) => (StyleRole::Warning, glyphs.waiting),
        (None, None) => {
            let folder = clean(&model.board.scope.join(&row.overlay));
            let found = model.board.summaries.get(&folder);
            found.map_or((StyleRole::Ok, glyphs.applied), |it| {
                findings_sign(model, it.errors, it.warnings)
            })
        }
    };
    line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
    let name = fit_location(&shown_overlay(row, widths.folder), widths.name - 1);
    line.column(StyleRole::Text, &name, widths.name);
    for at in widths.shown {
        let Some(cell) = row.components.get(at) else { break };
        let (role, sign) = component_sign(model, cell);
        let (effect_role, effect) = match cell.effect {
            Some(effect) => (StyleRole::Dim, effect_words(model, effect)),
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
pub(crate) fn cell_areas(model: &Model, inner: Rect) -> Vec<ClickArea> {
    let Some(table) = model.table.table() else { return Vec::new() };
    let widths = columns_of(model, table, usize::from(inner.width.saturating_sub(1)));
    let first = inner.y + to_u16(model.table.header_lines());
    let rows = (first..inner.bottom()).zip(model.list(Pane::ComponentTable).offset..);
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

pub(crate) fn empty(model: &Model) -> String {
    match &model.table.result {
        _ if model.board.error.is_some() => "not known: the repository cannot be read".to_owned(),
        None => {
            format!(
                "building the overlays…{} (ctrl-c: cancel)",
                crate::screens::experiments::state::progress_text(model)
            )
        }
        Some(Err(reason)) => format!("{} {reason}", model.glyphs().failed),
        Some(Ok(_)) => "no kustomization file here lists a component".to_owned(),
    }
}
