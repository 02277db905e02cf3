//! Rows in several lines, if the pane has room for them.

use unicode_segmentation::UnicodeSegmentation as _;

use super::super::text::{width, wrap};
use super::super::theme::StyleRole;
use super::columns::MIN_SENTENCE_CELLS;
use super::{Columns, ListRow, Piece, RowLine};
use crate::cells::{Drawn, blank};

const CONTINUATION_CELLS: usize = 2;

impl Columns {
    /// The row in full, in one line if it fits.
    pub(crate) fn lines(&self, row: &ListRow) -> Vec<RowLine> {
        if self.fits(row) { vec![self.line(row, &[])] } else { self.wrapped(row) }
    }

    /// The row in full, in the form with fewer lines: each text in lines of its column, or texts that
    /// do not fit in the first line below it, indented.
    pub(crate) fn wrapped(&self, row: &ListRow) -> Vec<RowLine> {
        let alone = self.alone(row);
        let columns = alone.as_ref().unwrap_or(self);
        let below = columns.wrapped_lines(row);
        let beside = columns.lines_in_columns(row);
        beside.filter(|beside| beside.len() <= below.len()).unwrap_or(below)
    }

    /// The row with each text in lines of its column; `None` if a word is longer than its column.
    fn lines_in_columns(&self, row: &ListRow) -> Option<Vec<RowLine>> {
        let given = self.shares(row);
        let mut texts: Vec<Vec<String>> = Vec::new();
        for (at, cell) in row.cells.iter().enumerate() {
            let lead = if at == 0 { row.lead_cells() - self.start } else { 0 };
            let cells = given[at].saturating_sub(lead);
            if width(&cell.text) <= cells {
                texts.push(vec![cell.text.clone()]);
                continue;
            }
            let cells = cells.checked_sub(if at == 0 { CONTINUATION_CELLS } else { 0 })?;
            let is_whole = cell.text.split_word_bounds().all(|word| width(word) <= cells);
            if !is_whole {
                return None;
            }
            texts.push(wrap(&cell.text, cells));
        }
        let count = texts.iter().map(Vec::len).max().unwrap_or(1);
        let is_first_wrapped = texts.first().is_some_and(|lines| lines.len() > 1);
        let indent = if is_first_wrapped { CONTINUATION_CELLS } else { 0 };
        let lines = (0..count).map(|number| {
            let mut line = row.clone();
            if number > 0 {
                let indent = " ".repeat(row.lead_cells() + indent);
                line.lead = vec![(StyleRole::Text, indent)];
            }
            for (cell, texts) in line.cells.iter_mut().zip(&texts) {
                cell.text = texts.get(number).map_or_else(String::new, |it| it.trim_end().into());
            }
            self.line_in(&line, &given, &[])
        });
        Some(lines.collect())
    }

    fn wrapped_lines(&self, row: &ListRow) -> Vec<RowLine> {
        let right: usize = (row.cells.iter().enumerate())
            .filter(|(_, cell)| cell.is_right && !cell.text.is_empty())
            .map(|(at, cell)| self.widths[at].max(width(&cell.text)) + self.gap)
            .sum();
        let has_right_edge = right * 2 <= self.all;
        let (left, edge): (Vec<usize>, Vec<usize>) = (0..row.cells.len())
            .filter(|at| !row.is_blank(*at))
            .partition(|at| !(has_right_edge && row.cells[*at].is_right));
        let first = if has_right_edge { self.all - right } else { self.all };
        let indent = (row.lead_cells() + 2).min(self.all / 3);
        let mut drawn = Drawn::new(row);
        for (number, at) in left.iter().copied().enumerate() {
            let (cell, need) = (&row.cells[at], width(&row.cells[at].text));
            let column = self.start_of(at);
            if number > 0 && drawn.used + self.gap > column {
                // A longer text is before it in its line.
                drawn.next_line(column);
            }
            let start = if number > 0 { column } else { drawn.used };
            let room = if drawn.lines.len() == 1 { first } else { self.all };
            let is_sentence = cell.is_sentence() && cell.text.contains(' ');
            let least = if is_sentence { MIN_SENTENCE_CELLS.max(self.all * 2 / 5) } else { need };
            if start + need <= room {
                drawn.space(start - drawn.used);
                drawn.put(cell, cell.text.clone());
            } else if number > 0 && start + least <= room {
                drawn.space(start - drawn.used);
                drawn.block(cell, start, room - start);
                drawn.used = self.all;
            } else if number == 0 {
                drawn.block(cell, indent, room.saturating_sub(start.max(indent)).max(1));
            } else {
                let indent = if column + least <= self.all { column } else { indent };
                drawn.next_line(indent);
                drawn.block(cell, indent, self.all.saturating_sub(indent).max(1));
            }
        }
        let used: usize = drawn.lines[0].iter().map(|piece| width(&piece.text)).sum();
        self.add_right_edge(&mut drawn, first.saturating_sub(used), &edge, row);
        drawn.lines
    }

    fn add_right_edge(&self, drawn: &mut Drawn, free: usize, edge: &[usize], row: &ListRow) {
        let Some(line) = drawn.lines.first_mut().filter(|_| !edge.is_empty()) else { return };
        line.push(blank(free));
        for at in edge {
            let cell = &row.cells[*at];
            let before = self.gap + self.widths[*at].saturating_sub(width(&cell.text));
            line.push(blank(before));
            line.push(Piece { role: cell.role, text: cell.text.clone(), drawing: cell.drawing });
        }
    }
}
