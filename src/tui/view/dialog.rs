//! Draws a frame in the middle of the screen, and the lines of a diff in it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Borders, Clear};

use super::super::layout::dialog_area;
use super::super::message::{ClickAnswer, ClickArea};
use super::super::model::Model;
use super::super::text::{DiffRow, DiffRowKind, LineDiff, sanitize, to_u16, width};
use super::super::theme::StyleRole;
use super::line::{LineBuilder, folded, of_texts};
use crate::screens::diff::view::{SIGN_CELLS, draw_side};

/// Draws dialogs, and collects the areas that answer a click.
pub(crate) struct DialogPainter<'p, 'f> {
    pub model: &'p Model,
    pub frame: &'p mut Frame<'f>,
    pub clicks: &'p mut Vec<ClickArea>,
}

impl DialogPainter<'_, '_> {
    pub(crate) fn dialog(&mut self, title: &str, columns: u16, rows: u16) -> Rect {
        self.framed(title, dialog_area(self.frame.area(), columns, rows))
    }

    pub(crate) fn framed(&mut self, title: &str, area: Rect) -> Rect {
        let look = &self.model.look;
        self.frame.render_widget(Clear, area);
        self.frame.buffer_mut().set_style(area, look.theme.style(StyleRole::Text));
        let style = look.theme.style(StyleRole::Focus);
        let block = Block::new().borders(Borders::ALL).border_style(style);
        let title = sanitize(title);
        let block =
            block.border_type(BorderType::Double).title(Line::styled(format!(" {title} "), style));
        let inner = block.inner(area);
        self.frame.render_widget(block, area);
        inner
    }

    pub(crate) fn line(&mut self, area: Rect, y: u16, line: &Line<'_>) {
        self.frame.buffer_mut().set_line(area.x, y, line, area.width);
    }

    pub(crate) fn text(&mut self, area: Rect, y: u16, role: StyleRole, text: &str) {
        let texts = [(StyleRole::Text, " "), (role, text)];
        self.line(area, y, &of_texts(self.model, area.width.into(), &texts));
    }

    pub(crate) fn mark(&mut self, area: Rect) {
        let style = self.model.look.theme.style(StyleRole::Selected);
        self.frame.buffer_mut().set_style(area, style);
    }

    /// Draws the rows of a list that fit, with all lines of the selected one in view; returns the
    /// position of its first line.
    pub(crate) fn rows(
        &mut self,
        area: Rect,
        selected: Option<usize>,
        rows: &[Vec<Line<'_>>],
    ) -> Position {
        let before = |row: usize| rows.iter().take(row).map(Vec::len).sum::<usize>();
        let room = usize::from(area.height).max(1);
        let at = selected.unwrap_or(0);
        let first = before(at + 1).saturating_sub(room).min(before(at));
        let first = if selected.is_some() { first } else { 0 };
        let lines = rows.iter().enumerate();
        let lines = lines.flat_map(|(at, lines)| lines.iter().map(move |line| (at, line)));
        for (y, (at, line)) in (area.y..area.bottom()).zip(lines.skip(first)) {
            self.line(area, y, line);
            let row = Rect { y, height: 1, ..area };
            add_row(self.clicks, at, row);
            if selected == Some(at) {
                self.mark(row);
            }
        }
        Position::new(area.x, area.y + to_u16(before(at) - first))
    }

    /// Draws the keys that fit in one line, each with its effect; each answers a click as its key
    /// does.
    pub(crate) fn keys(&mut self, keys: &[(&str, &str)], area: Rect) {
        let mut line = LineBuilder::new(self.model, area.width.into());
        let mut x = area.x + 1;
        for (key, effect) in keys {
            if width(key) + width(effect) + 2 > line.room() {
                break;
            }
            line.put(StyleRole::Key, &format!(" {key}"));
            line.put(StyleRole::Text, &format!(" {effect}  "));
            let cells = to_u16(width(key) + width(effect) + 1);
            add_key(self.clicks, key, Rect { x, width: cells, ..area }.intersection(area));
            x = x.saturating_add(cells + 3);
        }
        self.line(area, area.y, &line.finish());
    }
}

/// Adds an area that answers a click as a key does; keys that only move have none.
pub(crate) fn add_key(clicks: &mut Vec<ClickArea>, key: &str, area: Rect) {
    let mut letters = key.chars();
    let (code, modifiers) = match (key, letters.next(), letters.next()) {
        ("enter", ..) => (KeyCode::Enter, KeyModifiers::NONE),
        ("esc", ..) => (KeyCode::Esc, KeyModifiers::NONE),
        ("tab", ..) => (KeyCode::Tab, KeyModifiers::NONE),
        ("shift-tab", ..) => (KeyCode::BackTab, KeyModifiers::SHIFT),
        ("␣" | "space", ..) => (KeyCode::Char(' '), KeyModifiers::NONE),
        (_, Some(letter), None) => (KeyCode::Char(letter), KeyModifiers::NONE),
        _ => match key.strip_prefix("ctrl-").and_then(|letter| letter.chars().next()) {
            Some(letter) => (KeyCode::Char(letter), KeyModifiers::CONTROL),
            None => return,
        },
    };
    let answer = ClickAnswer::Key(KeyEvent::new(code, modifiers));
    clicks.push(ClickArea { area, answer });
}

pub(crate) fn add_row(clicks: &mut Vec<ClickArea>, row: usize, area: Rect) {
    clicks.push(ClickArea { area, answer: ClickAnswer::Row(row) });
}

const NUMBER_CELLS: usize = 5;

pub(crate) fn diff_line(
    model: &Model,
    diff: &LineDiff,
    row: DiffRow,
    columns: usize,
) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let number = row.right.or(row.left).map(|at| (at + 1).to_string()).unwrap_or_default();
    line.push_right_aligned(StyleRole::Dim, &number, NUMBER_CELLS);
    if let DiffRowKind::Fold(lines) = row.kind {
        let fold = model.glyphs().fold;
        line.put(StyleRole::Dim, &format!("   {fold} {lines} unchanged lines"));
    } else if let Some((text, words)) = diff.line(row) {
        draw_side(&mut line, model, row.kind, text, words);
    }
    line.finish()
}

pub(crate) fn folded_diff_line(
    model: &Model,
    diff: &LineDiff,
    row: DiffRow,
    columns: usize,
) -> Vec<Line<'static>> {
    let whole = diff_line(model, diff, row, super::UNWRAPPED_COLUMNS);
    let text = match row.kind {
        DiffRowKind::Removed => row.left.and_then(|at| diff.left.get(at)),
        _ => row.right.and_then(|at| diff.right.get(at)),
    };
    let indent = text.map_or(0, |text| text.indent);
    folded(&whole, columns, NUMBER_CELLS + SIGN_CELLS + indent + 2)
}
