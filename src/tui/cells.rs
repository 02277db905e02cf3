//! The texts of a row, and the lines in which they are drawn.

use super::text::{
    fit, fit_change, fit_complete_parts, fit_distinct, fit_end, fit_location,
    fit_location_distinct, fit_middle, sanitize, width, wrap,
};
use super::theme::StyleRole;

/// The part of a text that stays if the text is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// All of it: a sign or a number.
    All,
    /// The beginning, as of a sentence, which is wrapped at its spaces.
    Begin,
    /// Complete parts, which two spaces divide.
    Parts,
    /// The short form in place of the text.
    Short,
    /// The beginning and the end.
    Ends,
    /// The end, as of the path of a field.
    End,
    /// The last complete parts of a path; the beginning of other texts.
    Path,
    /// The last complete parts of a path, maybe with a line number.
    Place,
    /// The change in a line about a resource or a file, and the end of the field.
    Change,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Drawing {
    #[default]
    Plain,
    /// Counts such as `+1 ~4`, each in the colour of its sign.
    Counts,
    StruckOut,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub role: StyleRole,
    pub text: String,
    pub keep: Keep,
    pub drawing: Drawing,
    pub is_right: bool,
    /// The form of the text in few cells.
    pub short: String,
}

impl Cell {
    pub(crate) fn new(role: StyleRole, keep: Keep, text: impl AsRef<str>) -> Self {
        let text = sanitize(text.as_ref()).into_owned();
        Self { role, text, keep, drawing: Drawing::Plain, is_right: false, short: String::new() }
    }

    /// A text at the right edge; only further ones may follow.
    pub(crate) fn right(role: StyleRole, keep: Keep, text: impl AsRef<str>) -> Self {
        Self { is_right: true, ..Self::new(role, keep, text) }
    }

    pub(crate) fn counts(role: StyleRole, keep: Keep, text: impl AsRef<str>) -> Self {
        Self { drawing: Drawing::Counts, ..Self::new(role, keep, text) }
    }

    /// True for a text that is wrapped at its spaces.
    pub(crate) fn is_sentence(&self) -> bool {
        matches!(self.keep, Keep::Begin | Keep::Parts)
    }

    /// The text in `cells`, cut so that it differs from the neighbours.
    pub(crate) fn cut(&self, cells: usize, neighbours: &[&str]) -> String {
        let text = self.text.as_str();
        let cut: fn(&str, usize) -> String = match self.keep {
            _ if width(text) <= cells => return text.to_owned(),
            // The blanks before a number are the first to go.
            Keep::All => {
                let blanks = text.len() - text.trim_start().len();
                return fit(&text[blanks.min(width(text) - cells)..], cells);
            }
            Keep::Short => return fit(&self.short, cells),
            Keep::Parts if neighbours.is_empty() => fit_complete_parts,
            Keep::Path if !text.contains('/') || text.contains([' ', '=', ':']) => fit,
            Keep::Place => return fit_location_distinct(text, cells, neighbours),
            Keep::Begin => fit,
            Keep::Ends | Keep::Parts => fit_middle,
            Keep::End => fit_end,
            Keep::Path => fit_location,
            Keep::Change => fit_change,
        };
        fit_distinct(text, cells, neighbours, cut)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListRow {
    /// Signs and numbers before the first cell; never cut.
    pub lead: Vec<(StyleRole, String)>,
    pub cells: Vec<Cell>,
    /// True for a row that does not share the columns of the list, such as a heading.
    pub is_alone: bool,
}

impl ListRow {
    pub(crate) fn new(lead: Vec<(StyleRole, String)>, cells: Vec<Cell>) -> Self {
        Self { lead, cells, is_alone: false }
    }

    /// The names of columns: those of texts, and those of numbers at the right edge.
    pub(crate) fn header(lead: &str, texts: &[&str], numbers: &[&str]) -> Self {
        let texts = texts.iter().map(|name| Cell::new(StyleRole::Dim, Keep::All, name));
        let numbers = numbers.iter().map(|name| Cell::right(StyleRole::Dim, Keep::All, name));
        Self::new(vec![(StyleRole::Dim, lead.to_owned())], texts.chain(numbers).collect())
    }

    pub(crate) fn sentence(lead: Vec<(StyleRole, String)>, role: StyleRole, text: &str) -> Self {
        Self { lead, cells: vec![Cell::new(role, Keep::Begin, text)], is_alone: true }
    }

    pub(crate) fn lead_cells(&self) -> usize {
        self.lead.iter().map(|(_, text)| width(text)).sum()
    }

    /// The width of a column that holds this row in full; the first column begins at `start`.
    pub(crate) fn need(&self, column: usize, start: usize) -> usize {
        let text = self.cells.get(column).map_or(0, |cell| width(&cell.text));
        if column == 0 { self.lead_cells().saturating_sub(start) + text } else { text }
    }

    /// The cells that a text needs, without the blanks before a number.
    pub(crate) fn need_without_blanks(&self, column: usize, start: usize) -> usize {
        let blanks = |cell: &Cell| width(&cell.text) - width(cell.text.trim_start());
        self.need(column, start) - self.cells.get(column).map_or(0, blanks)
    }

    /// True for a text that may begin at another place than those above and below it.
    pub(crate) fn is_movable(&self, column: usize) -> bool {
        self.is_blank(column)
            || self.cells.get(column).is_some_and(|it| !it.is_right && it.keep != Keep::All)
    }

    /// True for a name, a sign or a state, which begins at the same place in all rows; a number has
    /// blanks before it.
    pub(crate) fn begins_in_column(&self, column: usize) -> bool {
        let is_fixed = |cell: &Cell| match cell.keep {
            Keep::Path | Keep::Short => true,
            Keep::All => !cell.is_right && !cell.text.starts_with(' '),
            _ => cell.drawing == Drawing::Counts,
        };
        !self.is_blank(column) && self.cells.get(column).is_some_and(is_fixed)
    }

    /// True for an error or a warning, whose sentence is shown in full.
    pub(crate) fn is_danger(&self) -> bool {
        let is_grave = |cell: &Cell| matches!(cell.role, StyleRole::Error | StyleRole::Warning);
        self.cells.first().is_some_and(is_grave)
    }

    /// The cells at which a text is whole, or has its short form.
    pub(crate) fn need_to_fit(&self, column: usize, start: usize) -> usize {
        let is_short = |cell: &&Cell| cell.keep == Keep::Short && !cell.short.is_empty();
        match self.cells.get(column).filter(is_short) {
            Some(cell) => width(&cell.short).min(width(&cell.text)),
            None => self.need_without_blanks(column, start),
        }
    }

    pub(crate) fn is_blank(&self, column: usize) -> bool {
        self.cells.get(column).is_none_or(|cell| cell.text.is_empty())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub role: StyleRole,
    pub text: String,
    pub drawing: Drawing,
}

pub(crate) type RowLine = Vec<Piece>;

pub(crate) struct Drawn {
    pub lines: Vec<RowLine>,
    /// The cells of the last line that are used.
    pub used: usize,
}

impl Drawn {
    pub(crate) fn new(row: &ListRow) -> Self {
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

    pub(crate) fn put(&mut self, cell: &Cell, text: String) {
        self.push(Piece { role: cell.role, text, drawing: cell.drawing });
    }

    pub(crate) fn space(&mut self, cells: usize) -> usize {
        if cells > 0 {
            self.push(blank(cells));
        }
        cells
    }

    /// Begins a new line, unless the last one has only spaces.
    pub(crate) fn next_line(&mut self, indent: usize) {
        let is_empty = |line: &RowLine| line.iter().all(|piece| piece.text.trim().is_empty());
        match self.lines.last_mut().filter(|line| is_empty(line)) {
            Some(line) => line.clear(),
            None => self.lines.push(Vec::new()),
        }
        self.used = 0;
        self.space(indent);
    }

    /// Adds a text in lines of `cells`, all but the first after `indent`.
    pub(crate) fn block(&mut self, cell: &Cell, indent: usize, cells: usize) {
        for (number, text) in wrap(&cell.text, cells).into_iter().enumerate() {
            if number > 0 {
                self.next_line(indent);
            }
            self.put(cell, text.trim_end().to_owned());
        }
    }
}

pub(crate) fn blank(cells: usize) -> Piece {
    Piece { role: StyleRole::Text, text: " ".repeat(cells), drawing: Drawing::Plain }
}
