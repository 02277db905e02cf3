//! The layout of a row: cells in columns as wide as their content needs. A row that does not fit is
//! cut, or wrapped if the pane has room for it.

use super::super::text::{
    fit, fit_distinct, fit_end_distinct, fit_location_distinct, fit_middle_distinct, fit_name,
    fit_value, sanitize, width, wrap,
};
use super::super::theme::StyleRole;

/// The part of a text that stays if the text is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// All of it: a sign or a number.
    All,
    /// The beginning, as of a sentence, which is wrapped at its spaces.
    Begin,
    /// The beginning and the end.
    Ends,
    /// The beginning, without a path that neighbours share, as in the name of an image.
    Value,
    /// The end, as of the path of a field.
    End,
    /// The last complete parts of a path.
    Path,
    /// The end of a path, with a line number.
    Place,
}

/// The drawing of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Drawing {
    #[default]
    Plain,
    /// Counts such as `+1 ~4`, each in the colour of its sign.
    Counts,
    StruckOut,
}

/// A text of a row, in a column of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub role: StyleRole,
    pub text: String,
    pub keep: Keep,
    pub drawing: Drawing,
    /// True for a text at the right edge of the row.
    pub is_right: bool,
}

impl Cell {
    pub(crate) fn new(role: StyleRole, keep: Keep, text: impl AsRef<str>) -> Self {
        let text = sanitize(text.as_ref()).into_owned();
        Self { role, text, keep, drawing: Drawing::Plain, is_right: false }
    }

    /// A text at the right edge; only further ones may follow.
    pub(crate) fn right(role: StyleRole, keep: Keep, text: impl AsRef<str>) -> Self {
        Self { is_right: true, ..Self::new(role, keep, text) }
    }

    /// Counts, and other words in a role.
    pub(crate) fn counts(role: StyleRole, keep: Keep, text: impl AsRef<str>) -> Self {
        Self { drawing: Drawing::Counts, ..Self::new(role, keep, text) }
    }

    /// The text in `cells`, cut so that it differs from the neighbours.
    fn cut(&self, cells: usize, neighbours: &[&str]) -> String {
        let text = self.text.as_str();
        let others = neighbours.iter().copied();
        match self.keep {
            _ if width(text) <= cells => text.to_owned(),
            Keep::All => fit(text, cells),
            Keep::Begin => fit_distinct(text, cells, others),
            Keep::Ends => fit_middle_distinct(text, cells, others),
            Keep::Value => fit_value(text, cells, others),
            Keep::End => fit_end_distinct(text, cells, others),
            Keep::Path => fit_name(text, cells, others),
            Keep::Place => fit_location_distinct(text, cells, others),
        }
    }
}

/// The texts of one row, in columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListRow {
    /// Signs and numbers before the first cell; never cut.
    pub lead: Vec<(StyleRole, String)>,
    pub cells: Vec<Cell>,
    /// True for a row that does not share the columns of the list, such as a heading.
    pub is_alone: bool,
}

impl ListRow {
    /// A row in the columns of its list.
    pub(crate) fn new(lead: Vec<(StyleRole, String)>, cells: Vec<Cell>) -> Self {
        Self { lead, cells, is_alone: false }
    }

    /// A sentence that spans all columns.
    pub(crate) fn sentence(lead: Vec<(StyleRole, String)>, role: StyleRole, text: &str) -> Self {
        Self { lead, cells: vec![Cell::new(role, Keep::Begin, text)], is_alone: true }
    }

    fn lead_cells(&self) -> usize {
        self.lead.iter().map(|(_, text)| width(text)).sum()
    }

    /// The width of a column that holds this row in full; the first column begins at `start`.
    fn need(&self, column: usize, start: usize) -> usize {
        let text = self.cells.get(column).map_or(0, |cell| width(&cell.text));
        if column == 0 { self.lead_cells().saturating_sub(start) + text } else { text }
    }

    /// True for an error or a warning, whose sentence is shown in full.
    pub(crate) fn is_danger(&self) -> bool {
        let is_grave = |cell: &Cell| matches!(cell.role, StyleRole::Error | StyleRole::Warning);
        self.cells.first().is_some_and(is_grave)
    }

    /// True if the row has no text in a column.
    fn is_blank(&self, column: usize) -> bool {
        self.cells.get(column).is_none_or(|cell| cell.text.is_empty())
    }
}

/// A text of a drawn line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub role: StyleRole,
    pub text: String,
    pub drawing: Drawing,
}

/// A drawn line of a row.
pub(crate) type RowLine = Vec<Piece>;

/// The columns of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    /// The width of each column, in cells; 0 for a column without text.
    widths: Vec<usize>,
    /// The cells before the first column: those of the shortest lead.
    start: usize,
    /// The cells of a row.
    all: usize,
    gap: usize,
}

/// A location at the edge is not cut to less than this.
const MIN_PLACE_CELLS: usize = 18;
/// A sentence is wrapped beside its neighbours only if it gets this many cells.
const MIN_SENTENCE_CELLS: usize = 24;

impl Columns {
    /// Columns for these rows: each as wide as its longest text, as long as all fit; otherwise the
    /// longest columns are narrower.
    pub(crate) fn new(rows: &[ListRow], all: usize) -> Self {
        let rows: Vec<&ListRow> = rows.iter().filter(|row| !row.is_alone).collect();
        Self::for_rows(&rows, all)
    }

    fn for_rows(rows: &[&ListRow], all: usize) -> Self {
        let count = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let gap = if all < 60 { 1 } else { 2 };
        let start = rows.iter().map(|row| row.lead_cells()).min().unwrap_or(0);
        let needs: Vec<usize> = (0..count)
            .map(|at| rows.iter().map(|row| row.need(at, start)).max().unwrap_or(0))
            .collect();
        let is_whole = |at: usize| {
            let mut cells = rows.iter().filter_map(|row| row.cells.get(at));
            at > 0 && cells.all(|cell| cell.keep == Keep::All)
        };
        let is_right =
            |at: usize| rows.iter().any(|row| row.cells.get(at).is_some_and(|it| it.is_right));
        let mut columns = Self { widths: vec![0; count], start, all, gap };
        let gaps = needs.iter().filter(|need| **need > 0).count().saturating_sub(1) * gap;
        let mut left = all.saturating_sub(start + gaps);
        // Locations at the edge are shown in full in the details.
        let is_full = needs.iter().sum::<usize>() <= left;
        let most = |at: usize| {
            if is_right(at) && !is_full && !is_whole(at) {
                (all / 5).max(MIN_PLACE_CELLS)
            } else {
                usize::MAX
            }
        };
        // Short columns first: the longer ones share the cells that these leave.
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|at| (!is_whole(*at), needs[*at]));
        for (number, at) in order.iter().enumerate() {
            let fair = if is_whole(*at) { left } else { left / (count - number) };
            columns.widths[*at] = needs[*at].min(fair).min(most(*at));
            left -= columns.widths[*at];
        }
        columns
    }

    /// The cells between the columns.
    fn gaps(&self) -> usize {
        self.widths.iter().filter(|width| **width > 0).count().saturating_sub(1) * self.gap
    }

    /// The columns of a row that does not share those of the list; `None` for other rows.
    fn alone(&self, row: &ListRow) -> Option<Self> {
        row.is_alone.then(|| Self::for_rows(&[row], self.all))
    }

    fn fits_own(&self, row: &ListRow) -> bool {
        let needs: usize = (0..self.widths.len()).map(|at| row.need(at, self.start)).sum();
        self.start + needs + self.gaps() <= self.all
    }

    /// True if the columns show all sentences of the row in full.
    pub(crate) fn is_aligned(&self, row: &ListRow) -> bool {
        let is_long = |(at, cell): (usize, &Cell)| {
            cell.keep == Keep::Begin && row.need(at, self.start) > self.widths[at]
        };
        row.is_alone || !row.cells.iter().enumerate().any(is_long)
    }

    /// True if a line shows the row in full.
    pub(crate) fn fits(&self, row: &ListRow) -> bool {
        self.alone(row).as_ref().unwrap_or(self).fits_own(row)
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
        let given = self.shares(row);
        let used: usize = self.start + given.iter().sum::<usize>() + self.gaps();
        let mut line = Drawn::new(row);
        let mut is_first_right = true;
        for (at, cell) in row.cells.iter().enumerate().filter(|(at, _)| self.widths[*at] > 0) {
            let has_text_before = at > 0 && self.widths[..at].iter().any(|width| *width > 0);
            line.space(if has_text_before { self.gap } else { 0 });
            let lead = if at == 0 { row.lead_cells() - self.start } else { 0 };
            let cells = given[at].saturating_sub(lead);
            let texts: Vec<&str> = neighbours
                .iter()
                .filter_map(|other| other.cells.get(at).map(|cell| cell.text.as_str()))
                .collect();
            let text = cell.cut(cells, &texts);
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

    /// The cells for each text of a row: those of its columns. A text that needs a few more gets
    /// those that other texts of the row leave; a sentence only those beside it, so that the
    /// columns before it stay in place.
    fn shares(&self, row: &ListRow) -> Vec<usize> {
        let count = self.widths.len();
        let needs: Vec<usize> = (0..count).map(|at| row.need(at, self.start)).collect();
        let mut given = self.widths.clone();
        let used = self.start + given.iter().sum::<usize>() + self.gaps();
        let mut left = self.all.saturating_sub(used);
        for at in 0..count {
            let is_sentence = row.cells.get(at).is_some_and(|cell| cell.keep == Keep::Begin);
            let free = |given: &[usize], other: usize| given[other].saturating_sub(needs[other]);
            let from =
                |first: usize| (first..count).map(|other| free(&given, other)).sum::<usize>();
            let mut missing = needs[at].saturating_sub(given[at]);
            let is_enough = missing <= left + from(0);
            let first = if is_enough && !is_sentence { 0 } else { at.saturating_sub(1) };
            missing = missing.min(left + from(first));
            given[at] += missing;
            let taken = missing.min(left);
            (left, missing) = (left - taken, missing - taken);
            // The nearest texts give first.
            for other in (first..at).rev().chain(at + 1..count) {
                let taken = missing.min(free(&given, other));
                given[other] -= taken;
                missing -= taken;
            }
        }
        given
    }

    /// The row in full, in one line if it fits.
    pub(crate) fn lines(&self, row: &ListRow) -> Vec<RowLine> {
        if self.fits(row) { vec![self.line(row, &[])] } else { self.wrapped(row) }
    }

    /// The row in full: texts that do not fit in the first line follow below it, indented.
    pub(crate) fn wrapped(&self, row: &ListRow) -> Vec<RowLine> {
        self.alone(row).as_ref().unwrap_or(self).wrapped_lines(row)
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
            let (cell, is_first) = (&row.cells[at], number == 0);
            let room = if drawn.lines.len() == 1 { first } else { self.all };
            let start = drawn.used + if is_first { 0 } else { self.gap };
            let need = width(&cell.text);
            let is_sentence = cell.keep == Keep::Begin && cell.text.contains(' ');
            if start + need <= room {
                drawn.space(start - drawn.used);
                drawn.put(cell, cell.text.clone());
                let end = drawn.used + self.widths[at].saturating_sub(row.need(at, self.start));
                let next = left.get(number + 1).map(|next| &row.cells[*next]);
                let is_enough = |next: &Cell| {
                    let least = match next.keep {
                        Keep::Begin => MIN_SENTENCE_CELLS.max(self.all * 2 / 5),
                        _ => usize::MAX,
                    };
                    end + self.gap + width(&next.text).min(least) <= room
                };
                // The next text begins in its column if it still fits there.
                if drawn.lines.len() == 1 && next.is_some_and(is_enough) {
                    drawn.space(end - drawn.used);
                }
            } else if is_sentence && room >= start + MIN_SENTENCE_CELLS.max(self.all * 2 / 5) {
                drawn.space(start - drawn.used);
                drawn.block(cell, start, room - start);
                drawn.used = self.all;
            } else if is_first {
                drawn.block(cell, indent, room.saturating_sub(start).max(1));
            } else {
                drawn.next_line(indent);
                drawn.block(cell, indent, self.all.saturating_sub(indent).max(1));
            }
        }
        let used: usize = drawn.lines[0].iter().map(|piece| width(&piece.text)).sum();
        drawn.add_right_edge(first.saturating_sub(used), &edge, row, self);
        drawn.lines
    }
}

/// The lines of a row while they are drawn.
struct Drawn {
    lines: Vec<RowLine>,
    /// The cells of the last line that are used.
    used: usize,
}

impl Drawn {
    /// The signs before the first cell.
    fn new(row: &ListRow) -> Self {
        let lead = row.lead.iter().map(|(role, text)| Piece {
            role: *role,
            text: text.clone(),
            drawing: Drawing::Plain,
        });
        Self { lines: vec![lead.collect()], used: row.lead_cells() }
    }

    fn push(&mut self, piece: Piece) {
        self.used += width(&piece.text);
        if let Some(line) = self.lines.last_mut() {
            line.push(piece);
        }
    }

    fn put(&mut self, cell: &Cell, text: String) {
        self.push(Piece { role: cell.role, text, drawing: cell.drawing });
    }

    /// Adds spaces; returns their number.
    fn space(&mut self, cells: usize) -> usize {
        if cells > 0 {
            self.push(blank(cells));
        }
        cells
    }

    fn next_line(&mut self, indent: usize) {
        self.lines.push(Vec::new());
        self.used = 0;
        self.space(indent);
    }

    /// Adds a text in lines of `cells`, all but the first after `indent`.
    fn block(&mut self, cell: &Cell, indent: usize, cells: usize) {
        for (number, text) in wrap(&cell.text, cells).into_iter().enumerate() {
            if number > 0 {
                self.next_line(indent);
            }
            self.put(cell, text.trim_end().to_owned());
        }
    }

    /// Adds the texts at the right edge to the first line.
    fn add_right_edge(&mut self, free: usize, edge: &[usize], row: &ListRow, columns: &Columns) {
        let Some(line) = self.lines.first_mut().filter(|_| !edge.is_empty()) else { return };
        line.push(blank(free));
        for at in edge {
            let cell = &row.cells[*at];
            let before = columns.gap + columns.widths[*at].saturating_sub(width(&cell.text));
            line.push(blank(before));
            line.push(Piece { role: cell.role, text: cell.text.clone(), drawing: cell.drawing });
        }
    }
}

fn blank(cells: usize) -> Piece {
    Piece { role: StyleRole::Text, text: " ".repeat(cells), drawing: Drawing::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(lead: &str, cells: &[(Keep, &str)], right: &str) -> ListRow {
        let text = |(keep, text): &(Keep, &str)| Cell::new(StyleRole::Text, *keep, text);
        let mut cells: Vec<Cell> = cells.iter().map(text).collect();
        cells.extend((!right.is_empty()).then(|| Cell::right(StyleRole::Dim, Keep::All, right)));
        ListRow::new(vec![(StyleRole::Text, lead.to_owned())], cells)
    }

    fn texts(lines: &[RowLine]) -> Vec<String> {
        let text = |line: &RowLine| line.iter().map(|piece| piece.text.as_str()).collect();
        lines.iter().map(text).collect()
    }

    #[test]
    fn columns_are_as_wide_as_their_content_and_lend_what_they_do_not_need() {
        let rows = [
            row(" + ", &[(Keep::Ends, "Role"), (Keep::Path, "web-with-a-name")], ""),
            row(" + ", &[(Keep::Ends, "Deployment"), (Keep::Path, "web")], ""),
            row(" + ", &[(Keep::Ends, "CustomResourceDefinition"), (Keep::Path, "a.b")], ""),
        ];
        let columns = Columns::new(&rows[..2], 40);
        let lines: Vec<RowLine> = rows[..2].iter().map(|row| columns.line(row, &[])).collect();
        assert_eq!(
            texts(&lines),
            [" + Role       web-with-a-name", " + Deployment web            "]
        );
        let columns = Columns::new(&rows, 31);
        assert!(rows.iter().all(|row| columns.fits(row)));
        let line = columns.line(&rows[2], &[&rows[0]]);
        assert_eq!(texts(&[line]), [" + CustomResourceDefinition a.b"]);
    }

    #[test]
    fn wrapped_row_contains_each_text_in_full() {
        let place = (Keep::Place, "components/monitoring/kustomization.yaml:18");
        let message = (Keep::Begin, "the patch's target has no match: 1 resource of the kind");
        let rows = [row(" ✗ KZ101  ", &[place, message], "in 2 targets")];
        let columns = Columns::new(&rows, 120);
        assert_eq!(
            texts(&columns.wrapped(&rows[0])),
            [
                " ✗ KZ101  components/monitoring/kustomization.yaml:18  the patch's target has no match: 1 resource of the   in 2 targets",
                "                                                       kind"
            ]
        );
        let columns = Columns::new(&rows, 60);
        assert_eq!(
            texts(&columns.wrapped(&rows[0])),
            [
                " ✗ KZ101  components/monitoring/                in 2 targets",
                "            kustomization.yaml:18  the patch's target has no",
                "                                   match: 1 resource of the",
                "                                   kind",
            ]
        );
        let row = row(
            " + ",
            &[(Keep::Ends, "CustomResourceDefinition"), (Keep::Path, "sandboxes.agents.io")],
            "",
        );
        let columns = Columns::new(std::slice::from_ref(&row), 30);
        assert_eq!(
            texts(&columns.wrapped(&row)),
            [" + CustomResourceDefinition", "     sandboxes.agents.io"]
        );
    }
}
