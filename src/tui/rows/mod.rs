//! The rows of lists, as cells: which texts a row has, and where its lines are in the pane. Drawing,
//! the layout and the mouse share these lines.

pub(crate) mod columns;

use std::ops::Range;

pub(crate) use super::cells::{Cell, Drawing, Keep, ListRow, Piece, RowLine};
use super::model::{LongLines, Model, Pane, PaneContent};
use super::text::{fit, width};
pub(crate) use crate::screens::components::rows::{component_sign, trial_words};
use crate::screens::diff;
pub(crate) use crate::screens::diff::rows::{change_sign, step_note_lines};
pub(crate) use crate::screens::targets::rows::findings_sign;
pub(crate) use crate::screens::tree::rows::step_sign;
pub(crate) use columns::Columns;

/// Some rows of a list of cells; `None` for other panes.
fn cell_rows(
    model: &Model,
    pane: Pane,
    range: Range<usize>,
    columns: usize,
) -> Option<Vec<ListRow>> {
    match crate::pane_view(pane).content {
        PaneContent::Cells(row) => {
            Some(range.map(|at| row(model, at, columns).unwrap_or_default()).collect())
        }
        PaneContent::Effects(lines) => {
            let lines = lines(model);
            let lines = lines.get(range).unwrap_or_default();
            Some(lines.iter().map(diff::rows::effect_line).collect())
        }
        _ => None,
    }
}

/// The rows whose texts decide the width of columns: parts of this many rows. Most lists have one
/// part, so that their columns stay in place while the list scrolls.
const PART_ROWS: usize = 512;

/// The most lines that the selected row takes from other rows of a full list.
const MAX_TAKEN_LINES: usize = 4;

struct VisiblePart {
    shown: Range<usize>,
    rows: Vec<ListRow>,
    /// The index of the first row in `rows`.
    first: usize,
    widths: Columns,
    header: Option<ListRow>,
    is_effect: bool,
    is_scrolled: bool,
}

impl VisiblePart {
    fn new(model: &Model, pane: Pane, columns: usize, height: usize) -> Option<Self> {
        let (list, count) = (model.list(pane), model.rows(pane));
        let shown = list.offset..(list.offset + height).min(count);
        let part = part_of_list(&shown, count);
        let first = part.start;
        let mut rows = cell_rows(model, pane, part, columns)?;
        let header = crate::pane_view(pane).names.map(|names| names(model, columns));
        rows.extend(header);
        let widths = Columns::scrolled(&rows, columns, list.left);
        let header = rows.pop_if(|_| crate::pane_view(pane).names.is_some());
        let is_effect = matches!(crate::pane_view(pane).content, PaneContent::Effects(_));
        let is_scrolled = list.left > 0;
        Some(Self { shown, rows, first, widths, header, is_effect, is_scrolled })
    }

    fn is_wrapped(&self, index: usize) -> bool {
        !self.is_scrolled && !self.widths.fits(&self.rows[index - self.first])
    }

    fn wrapped(&self, index: usize) -> Vec<RowLine> {
        self.widths.wrapped(&self.rows[index - self.first])
    }

    fn is_danger(&self, index: usize) -> bool {
        self.is_effect && self.rows[index - self.first].is_danger()
    }

    fn line(&self, index: usize) -> RowLine {
        let at = index - self.first;
        let near: Vec<&ListRow> = super::text::near(at, &self.rows).collect();
        self.widths.line(&self.rows[at], &near)
    }
}

pub(crate) struct PlacedRows {
    /// The names of the columns.
    pub header: Option<RowLine>,
    /// The lines of the visible rows, each with the index of its row.
    pub rows: Vec<(usize, Vec<RowLine>)>,
    /// The cells that stay in place while the list is scrolled to the right: the names.
    pub fixed: usize,
}

/// The visible rows of a pane; `None` if the pane is not a list of cells. Rows that do not fit in a
/// line are wrapped as long as the pane has free lines; the selected row in any case.
pub(crate) fn placed_rows(
    model: &Model,
    pane: Pane,
    columns: usize,
    height: usize,
) -> Option<PlacedRows> {
    let list = model.list(pane);
    let part = VisiblePart::new(model, pane, columns, height)?;
    let shown = part.shown.clone();
    let mut free = match model.panes.long_lines {
        LongLines::Cut => height.saturating_sub(shown.len()),
        LongLines::Folded => usize::MAX,
    };
    let mut lines: Vec<(usize, Vec<RowLine>)> =
        shown.clone().map(|index| (index, Vec::new())).collect();
    // The selected row is the first to get free lines, then dangers, which take those of others.
    let selected = Some(list.selected).filter(|selected| shown.contains(selected));
    let is_danger = |index: &usize| part.is_danger(*index);
    let others = || shown.clone().filter(|it| Some(*it) != selected);
    let order = selected.into_iter().chain(others().filter(is_danger));
    for index in order.chain(others().filter(|it| !is_danger(it))) {
        let most = match index {
            index if is_danger(&index) => free.max(height),
            index if Some(index) == selected => free.max(MAX_TAKEN_LINES.min(height / 3)),
            _ => free,
        };
        if most == 0 || !part.is_wrapped(index) {
            continue;
        }
        let mut all = part.wrapped(index);
        let is_selected = Some(index) == selected;
        if is_selected && all.len() > most.saturating_add(1) {
            cut_after(&mut all, most + 1, columns);
        }
        if all.len() <= most.saturating_add(1) {
            free = free.saturating_sub(all.len() - 1);
            lines[index - shown.start].1 = all;
        }
    }
    // The lines that are still free show the beginnings of rows that need more.
    for index in others() {
        let own = &mut lines[index - shown.start].1;
        if free == 0 || !own.is_empty() || !part.is_wrapped(index) {
            continue;
        }
        *own = part.wrapped(index);
        cut_after(own, free.saturating_add(1), columns);
        free = 0;
    }
    for (index, lines) in lines.iter_mut().filter(|(_, lines)| lines.is_empty()) {
        lines.push(part.line(*index));
    }
    if let Some(selected) = selected {
        keep_in_view(&mut lines, selected - shown.start, height);
    }
    let header = part.header.as_ref().map(|header| part.widths.line(header, &[]));
    Some(PlacedRows { header, rows: lines, fixed: part.widths.fixed_cells() })
}

/// Leaves the first lines of a row; the last one ends with as much of the next one as fits.
fn cut_after(lines: &mut Vec<RowLine>, count: usize, columns: usize) {
    if lines.len() <= count {
        return;
    }
    let next: String = lines[count].iter().map(|piece| piece.text.as_str()).collect();
    let is_all = lines.len() == count + 1;
    lines.truncate(count);
    let Some((last, before)) = lines.last_mut().and_then(|line| line.split_last_mut()) else {
        return;
    };
    let used: usize = before.iter().map(|piece| width(&piece.text)).sum();
    let (text, room) = (last.text.trim_end(), columns.saturating_sub(used));
    // A path that is broken at its end goes on without a space.
    let space = if text.ends_with(['/', '-', '.']) { "" } else { " " };
    let text = format!("{text}{space}{}", next.trim());
    let is_whole = is_all && width(&text) <= room;
    last.text = if is_whole { text } else { fit(&format!("{text}…"), room) };
}

/// True if no row of a list is cut at its sideways position, so that there is no text to scroll to.
pub(crate) fn shows_whole_rows(model: &Model, pane: Pane, columns: usize) -> bool {
    let part = part_of_list(&(0..model.rows(pane)), model.rows(pane));
    let rows = cell_rows(model, pane, part, columns).unwrap_or_default();
    let widths = Columns::scrolled(&rows, columns, model.list(pane).left);
    !rows.is_empty() && rows.iter().all(|row| widths.shows_tail(row))
}

/// The rows whose texts decide the widths of the columns.
fn part_of_list(shown: &Range<usize>, count: usize) -> Range<usize> {
    shown.start / PART_ROWS * PART_ROWS..shown.end.next_multiple_of(PART_ROWS).min(count)
}

/// Removes rows at the top, so that a row is in view with all of its lines.
fn keep_in_view(lines: &mut Vec<(usize, Vec<RowLine>)>, row: usize, height: usize) {
    let end: usize = lines[..=row].iter().map(|(_, lines)| lines.len()).sum();
    let mut above = end.saturating_sub(height);
    let gone = lines[..row].iter().take_while(|(_, lines)| {
        let is_gone = above > 0;
        above = above.saturating_sub(lines.len());
        is_gone
    });
    let gone = gone.count();
    lines.drain(..gone);
}

/// The number of lines of a list with all rows in full, whichever of them is selected; the number of
/// rows if there are `most` or more.
pub(crate) fn count_whole_lines(model: &Model, pane: Pane, columns: usize, most: usize) -> usize {
    let count = model.rows(pane);
    if count >= most.min(PART_ROWS) {
        return count;
    }
    let rows = cell_rows(model, pane, 0..count, columns).unwrap_or_default();
    let widths = Columns::new(&rows, columns);
    rows.iter().map(|row| widths.lines(row).len()).sum()
}

pub(crate) fn row_at(
    model: &Model,
    pane: Pane,
    line: usize,
    columns: usize,
    height: usize,
) -> usize {
    let Some(placed) = placed_rows(model, pane, columns, height) else {
        return line + model.list(pane).offset;
    };
    let rows = placed.rows.iter().flat_map(|(index, lines)| lines.iter().map(|_| *index));
    rows.into_iter().nth(line).unwrap_or(usize::MAX)
}

/// The line of the selected row in its pane, from 0.
pub(crate) fn selected_line(model: &Model, pane: Pane, columns: usize, height: usize) -> usize {
    let list = model.list(pane);
    match placed_rows(model, pane, columns, height) {
        Some(placed) => {
            let above = placed.rows.iter().take_while(|(index, _)| *index < list.selected);
            above.map(|(_, lines)| lines.len()).sum()
        }
        None => list.selected.saturating_sub(list.offset),
    }
}
