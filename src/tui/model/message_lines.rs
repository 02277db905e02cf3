//! Rows of a list over several lines: each message is shown in full if all messages fit into the
//! pane.

use super::super::text::{sanitize, width, wrap};
use super::{EDIT_SIGN_CELLS, LongLines, Model, Pane, shown_edit_words, targets_of_finding};

/// The width in cells of the sign and the code before the location in a list of problems.
pub(crate) const CODE_CELLS: usize = 9;

impl Model {
    /// The width in cells of the locations in a list of problems.
    pub(crate) fn location_cells(&self, pane: Pane, columns: usize) -> usize {
        match pane {
            _ if columns < 60 => 0,
            Pane::Problems => {
                let all = self.problems.all.iter().map(|problem| width(&problem.place));
                all.max().unwrap_or(0).min(columns / 3)
            }
            _ => {
                let all = self.board.findings.rows.iter().flatten();
                let all = all.map(|found| width(&self.board.place_of(found)));
                all.max().unwrap_or(0).min(columns * 2 / 5)
            }
        }
    }

    /// The width in cells of the column with the numbers of targets.
    pub(crate) fn targets_cells(&self, pane: Pane, columns: usize) -> usize {
        if columns < 60 || pane != Pane::Findings {
            return 0;
        }
        let all = self.board.findings.rows.iter().flatten();
        all.map(|found| width(&targets_of_finding(found))).max().unwrap_or(0) + 3
    }

    /// The message of a row, wrapped to the width that the other columns leave.
    pub(crate) fn message_lines(&self, pane: Pane, row: usize, columns: usize) -> Vec<String> {
        let message = match pane {
            Pane::Problems => self.problem(row).map(|problem| problem.message.clone()),
            Pane::Findings => self.finding(row).map(|found| found.message.clone()),
            Pane::Edits => {
                let room =
                    columns.saturating_sub(EDIT_SIGN_CELLS + self.edit_effect_cells(columns) + 2);
                let words = self.edits.list.get(row).map(shown_edit_words);
                return wrap(&words.unwrap_or_default(), room.max(1));
            }
            _ => None,
        };
        let place = self.location_cells(pane, columns);
        let others =
            CODE_CELLS + place + usize::from(place > 0) + self.targets_cells(pane, columns);
        let room = columns.saturating_sub(others).max(1);
        message.map_or_else(|| vec![String::new()], |text| wrap(&sanitize(&text), room))
    }

    /// The number of lines of each row, if the pane has room for all messages in full.
    pub(crate) fn spread(&self, pane: Pane, columns: usize, height: usize) -> Option<Vec<usize>> {
        let is_plain = self.panes.long_lines == LongLines::Cut && self.list(pane).left == 0;
        let rows = self.rows(pane);
        if !matches!(pane, Pane::Problems | Pane::Findings | Pane::Edits)
            || !is_plain
            || rows > height
        {
            return None;
        }
        let lines: Vec<usize> =
            (0..rows).map(|row| self.message_lines(pane, row, columns).len()).collect();
        (lines.iter().sum::<usize>() <= height).then_some(lines)
    }

    /// The index of the row that is drawn at a line of the pane.
    pub(crate) fn row_at(&self, pane: Pane, line: usize, columns: usize, height: usize) -> usize {
        let Some(lines) = self.spread(pane, columns, height) else {
            return line + self.list(pane).offset;
        };
        let mut end = 0;
        let ends = lines.iter().map(|lines| {
            end += lines;
            end
        });
        ends.take_while(|end| *end <= line).count()
    }
}
