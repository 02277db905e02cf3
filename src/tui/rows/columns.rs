//! The columns of a list: as wide as their content needs. A row that does not fit is cut, or has
//! several lines if the pane has room for them.

use std::cmp::Reverse;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::cells::{Drawn, blank};
use crate::rows::{Cell, Keep, ListRow, Piece, RowLine};
use crate::text::{width, wrap};
use crate::theme::StyleRole;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    /// The width of each column, in cells; 0 for a column without text.
    pub(crate) widths: Vec<usize>,
    /// The cells before the first column: those of the shortest lead.
    pub(crate) start: usize,
    pub(crate) all: usize,
    pub(crate) gap: usize,
}

/// A location at the edge is not cut to less than this.
const MIN_PLACE_CELLS: usize = 18;
/// A sentence is wrapped beside its neighbours only if it gets this many cells.
pub(crate) const MIN_SENTENCE_CELLS: usize = 24;
/// A name is not cut to less than this while other columns can give cells.
const MIN_NAME_CELLS: usize = 8;
/// A sentence is not cut to less than this while other columns can give cells.
const MIN_CUT_SENTENCE_CELLS: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Need {
    cells: usize,
    /// True for a sentence or complete parts, whose end matters less than a part of a name, for a text
    /// with a short form, and for a place at the edge, which the details show in full.
    is_long: bool,
}

impl Need {
    fn new(row: &ListRow, at: usize, start: usize) -> Self {
        let is_long = |cell: &Cell| {
            matches!(cell.keep, Keep::Begin | Keep::Parts | Keep::Short)
                || cell.keep == Keep::Place && cell.is_right
        };
        Self { cells: row.need(at, start), is_long: row.cells.get(at).is_some_and(is_long) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Signs and numbers.
    Whole,
    /// Texts at the right edge that may be cut.
    Edge,
    Sentence,
    /// Counts of which some may be left out.
    Parts,
    Name,
}

impl Shape {
    fn of_column(rows: &[&ListRow], at: usize) -> Self {
        let cells = || rows.iter().filter_map(|row| row.cells.get(at));
        match () {
            () if cells().all(|cell| cell.keep == Keep::All) => Self::Whole,
            () if cells().any(|cell| cell.is_right) => Self::Edge,
            () if cells().any(|cell| cell.keep == Keep::Begin) => Self::Sentence,
            () if cells().any(Cell::is_sentence) => Self::Parts,
            () => Self::Name,
        }
    }
}

impl Columns {
    /// Columns for these rows: each as wide as its longest text, as long as all fit; otherwise those
    /// columns are narrower that cut the fewest texts.
    pub(crate) fn new(rows: &[ListRow], all: usize) -> Self {
        let rows: Vec<&ListRow> = rows.iter().filter(|row| !row.is_alone).collect();
        Self::for_rows(&rows, all)
    }

    /// Columns for rows that are scrolled to the right by `left` cells: the first column, which has
    /// the names, is as wide as without scrolling, and the others have more room.
    pub(crate) fn scrolled(rows: &[ListRow], columns: usize, left: usize) -> Self {
        let own = Self::new(rows, columns);
        if left == 0 {
            return own;
        }
        let mut wide = Self::new(rows, columns + left);
        if own.has_tail()
            && let (Some(width), Some(name)) = (wide.widths.first_mut(), own.widths.first())
        {
            *width = *name;
        }
        wide
    }

    fn has_tail(&self) -> bool {
        self.widths.iter().skip(1).any(|width| *width > 0)
    }

    /// The cells that stay in place while the list is scrolled to the right: those of the first
    /// column.
    pub(crate) fn fixed_cells(&self) -> usize {
        if self.has_tail() { self.start_of(1) } else { 0 }
    }

    fn for_rows(rows: &[&ListRow], all: usize) -> Self {
        let count = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let gap = if all < 60 { 1 } else { 2 };
        let start = rows.iter().map(|row| row.lead_cells()).min().unwrap_or(0);
        // The needs of each column, the largest first.
        let needs = (0..count).map(|at| {
            let mut needs: Vec<Need> = rows.iter().map(|row| Need::new(row, at, start)).collect();
            needs.sort_unstable_by_key(|need| Reverse(need.cells));
            needs
        });
        let needs: Vec<Vec<Need>> = needs.collect();
        let longest: Vec<usize> = needs.iter().map(|needs| needs[0].cells).collect();
        let mut columns = Self { widths: longest.clone(), start, all, gap };
        let needed = start + longest.iter().sum::<usize>();
        if needed + columns.gaps() <= all {
            return columns;
        }
        // All texts in full are worth more than wide gaps.
        let narrow = Self { gap: 1, ..columns.clone() };
        if needed + narrow.gaps() <= all {
            return narrow;
        }
        let left = all.saturating_sub(start + columns.gaps());
        let shapes: Vec<Shape> = (0..count).map(|at| Shape::of_column(rows, at)).collect();
        for (width, shape) in columns.widths.iter_mut().zip(&shapes) {
            // Locations at the edge are shown in full in the details.
            if *shape == Shape::Edge {
                *width = (*width).min((all / 5).max(MIN_PLACE_CELLS));
            }
        }
        let excess = columns.widths.iter().sum::<usize>().saturating_sub(left);
        columns.narrow(&needs, &shapes, excess);
        columns
    }

    /// Makes the columns narrower by `excess` cells, in steps that each cut the fewest texts.
    /// `needs` are those of all rows in each column, the largest first.
    fn narrow(&mut self, needs: &[Vec<Need>], shapes: &[Shape], mut excess: usize) {
        let share = self.all.saturating_sub(self.start) / needs.len().max(1) / 2;
        let least = |at: usize| match shapes[at] {
            Shape::Sentence => {
                let short = MIN_NAME_CELLS.max(self.widths[at] * 2 / 3);
                MIN_SENTENCE_CELLS.max(self.all * 2 / 5).min(short)
            }
            Shape::Whole => usize::MAX,
            Shape::Edge | Shape::Parts | Shape::Name => share.max(MIN_NAME_CELLS),
        };
        let least: Vec<usize> = (0..needs.len()).map(least).collect();
        while excess > 0 {
            let step = |at: usize| {
                let width = self.widths[at];
                let all = needs[at].iter();
                let next = all.clone().map(|need| need.cells).find(|need| *need < width);
                let next = next.unwrap_or(0);
                // A few short sentences are better than many short names.
                let is_short = shapes[at] == Shape::Sentence && width <= least[at];
                let next = next.max(if is_short { MIN_CUT_SENTENCE_CELLS } else { least[at] });
                let (long, names): (Vec<&Need>, Vec<&Need>) =
                    all.take_while(|need| need.cells > next).partition(|need| need.is_long);
                // The end of a sentence is worth less than a part of a name, and a cut sentence loses
                // little more.
                let newly = long.iter().filter(|need| need.cells <= width).count();
                let cut = newly.div_ceil(4) + names.len();
                let cut = if is_short { (long.len() + names.len()) * 2 } else { cut };
                (next < width).then_some((cut, Reverse(width), at, next))
            };
            let steps = (0..needs.len()).filter_map(step);
            let (at, next) = if let Some((.., at, next)) = steps.min() {
                (at, next)
            } else {
                // Signs and numbers are cut last.
                let order = |at: &usize| {
                    let is_whole = shapes[*at] == Shape::Whole;
                    (self.widths[*at] > 0 && !is_whole, self.widths[*at])
                };
                let Some(at) = (0..needs.len()).max_by_key(order) else { return };
                (at, self.widths[at].saturating_sub(1))
            };
            let taken = (self.widths[at] - next).min(excess);
            if taken == 0 {
                return;
            }
            self.widths[at] -= taken;
            excess -= taken;
        }
    }

    pub(crate) fn gaps(&self) -> usize {
        self.widths.iter().filter(|width| **width > 0).count().saturating_sub(1) * self.gap
    }

    pub(crate) fn start_of(&self, column: usize) -> usize {
        let before = self.widths[..column].iter().filter(|width| **width > 0);
        self.start + before.map(|width| width + self.gap).sum::<usize>()
    }

    /// The columns of a row that does not share those of the list; `None` for other rows.
    pub(crate) fn alone(&self, row: &ListRow) -> Option<Self> {
        row.is_alone.then(|| Self::for_rows(&[row], self.all))
    }

    /// True if a line shows all that scrolling to the right can show of a row.
    pub(crate) fn shows_tail(&self, row: &ListRow) -> bool {
        if row.is_alone || !self.has_tail() {
            return self.fits(row);
        }
        let given = self.moved_shares(row);
        (1..given.len()).all(|at| row.need_without_blanks(at, self.start) <= given[at])
    }

    pub(crate) fn fits(&self, row: &ListRow) -> bool {
        let alone = self.alone(row);
        let columns = alone.as_ref().unwrap_or(self);
        let given = columns.moved_shares(row);
        (0..given.len()).all(|at| row.need_to_fit(at, columns.start) <= given[at])
    }

    /// The row in one line; its texts are cut so that they differ from those of its neighbours.
    pub(crate) fn line(&self, row: &ListRow, neighbours: &[&ListRow]) -> RowLine {
        match self.alone(row) {
            Some(own) => {
                let alone = neighbours.iter().copied().filter(|other| other.is_alone);
                own.cut_line(row, &alone.collect::<Vec<_>>())
            }
            None => self.cut_line(row, neighbours),
        }
    }

    fn cut_line(&self, row: &ListRow, neighbours: &[&ListRow]) -> RowLine {
        self.line_in(row, &self.moved_shares(row), neighbours)
    }

    /// The row in one line, with so many cells for each text.
    pub(crate) fn line_in(
        &self,
        row: &ListRow,
        given: &[usize],
        neighbours: &[&ListRow],
    ) -> RowLine {
        let used: usize = self.start + given.iter().sum::<usize>() + self.gaps();
        let mut line = Drawn::new(row);
        let mut is_first_right = true;
        for (at, cell) in row.cells.iter().enumerate().filter(|(at, _)| self.widths[*at] > 0) {
            let has_text_before = at > 0 && self.widths[..at].iter().any(|width| *width > 0);
            line.space(if has_text_before { self.gap } else { 0 });
            let lead = if at == 0 { row.lead_cells() - self.start } else { 0 };
            let cells = given[at].saturating_sub(lead);
            // Parts are complete, unless only they distinguish two rows.
            let is_like = |other: &&&ListRow| {
                cell.keep != Keep::Parts || other.cells.get(..at) == row.cells.get(..at)
            };
            let others = neighbours.iter().filter(is_like);
            let texts = others.filter_map(|other| Some(other.cells.get(at)?.text.as_str()));
            let texts = || texts.filter(|other| *other != cell.text).collect::<Vec<&str>>();
            let is_whole = width(&cell.text) <= cells;
            let text = cell.cut(cells, &if is_whole { Vec::new() } else { texts() });
            let rest = cells.saturating_sub(width(&text));
            if cell.is_right {
                let free = if is_first_right { self.all.saturating_sub(used) } else { 0 };
                is_first_right = false;
                line.space(free + rest);
                line.put(cell, text);
            } else {
                line.put(cell, text);
                line.space(rest);
            }
        }
        line.lines.into_iter().next().unwrap_or_default()
    }

    /// The cells for each text of a row: those of its columns. A text that needs more gets those up to
    /// the next text, so that no text moves.
    pub(crate) fn shares(&self, row: &ListRow) -> Vec<usize> {
        let count = self.widths.len();
        let mut given = self.widths.clone();
        let mut left =
            self.all.saturating_sub(self.start + given.iter().sum::<usize>() + self.gaps());
        for at in 0..count {
            let mut missing = row.need(at, self.start).saturating_sub(given[at]);
            let before = missing;
            let is_free = |other: &usize| row.is_blank(*other) || row.cells[*other].is_right;
            let next = (at + 1..count).find(|other| !row.is_blank(*other)).unwrap_or(count);
            for other in (at + 1..=next.min(count - 1)).take_while(is_free) {
                let taken = missing.min(given[other].saturating_sub(row.need(other, self.start)));
                given[other] -= taken;
                missing -= taken;
            }
            if next == count || is_free(&next) {
                let taken = missing.min(left);
                left -= taken;
                missing -= taken;
            }
            given[at] += before - missing;
        }
        given
    }

    /// The cells for each text of a row in one line: those of its columns. A text that would be cut
    /// gets the cells that the texts after it do not need, if that shows it in full; those texts move
    /// to the right, but no number and no name.
    fn moved_shares(&self, row: &ListRow) -> Vec<usize> {
        let mut given = self.shares(row);
        for at in 0..given.len() {
            let aligned = given.clone();
            let need = row.need_without_blanks(at, self.start);
            for other in (at + 1..given.len()).take_while(|other| !row.begins_in_column(*other)) {
                let missing = need.saturating_sub(given[at]);
                let least = row.need_without_blanks(other, self.start);
                let taken = missing.min(given[other].saturating_sub(least));
                given[other] -= taken;
                given[at] += taken;
                if !row.is_movable(other) {
                    break;
                }
            }
            if given[at] < need {
                given = aligned;
            }
        }
        given
    }
}

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
