//! The pane that explains a field.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout as Split, Position, Rect};
use ratatui::text::Line;

use super::super::model::{Model, WhyKind, WhyPane, WhyRow};
use super::super::text::{fit, fit_location_distinct, sanitize, width};
use super::super::theme::StyleRole;
use super::dialog::dialog;
use super::line::LineBuilder;
use super::resource;

/// The minimum width at which the history of the field is shown next to the rows.
const MIN_WIDTH_WITH_HISTORY: u16 = 110;

/// Draws the rows, with the history of the field next to them; returns the position of the cursor.
pub(super) fn draw(model: &Model, pane: &WhyPane, frame: &mut Frame<'_>) -> Position {
    let title = format!("Why  {}", pane.title);
    let told = pane.rows.len().max(model.resources.history.len() + 1);
    let is_wide = frame.area().width > MIN_WIDTH_WITH_HISTORY + 4;
    let rows = if is_wide { told } else { pane.rows.len() };
    let rows = u16::try_from(rows + 4).unwrap_or(u16::MAX);
    let mut inner = dialog(model, &title, if is_wide { 190 } else { 140 }, rows, frame);
    let whole = inner;
    if inner.width >= MIN_WIDTH_WITH_HISTORY {
        let [left, right] =
            Split::horizontal([Constraint::Percentage(66), Constraint::Fill(1)]).areas(inner);
        let above = right.height.saturating_sub(2);
        history(model, Rect { height: above, ..right }, frame);
        inner = left;
    }
    let columns = usize::from(inner.width);
    let room = usize::from(inner.height).saturating_sub(2).max(1);
    let first = (pane.selected + 1).saturating_sub(room);
    let bottom = inner.bottom().saturating_sub(2).max(inner.y + 1);
    for (y, (number, row)) in (inner.y..bottom).zip(pane.rows.iter().enumerate().skip(first)) {
        let line = line_of(model, pane, row, columns);
        frame.buffer_mut().set_line(inner.x, y, &line, inner.width);
        if number == pane.selected {
            let area = Rect { y, height: 1, ..inner };
            frame.buffer_mut().set_style(area, model.look.theme.style(StyleRole::Selected));
        }
    }
    let keys = [("enter", "go to step"), ("e", "edit the value"), ("esc", "back")];
    let mut line = LineBuilder::new(model, whole.width.into());
    for (key, does) in keys {
        line.put(StyleRole::Key, &format!(" {key}")).put(StyleRole::Text, &format!(" {does}  "));
    }
    let mut twin = LineBuilder::new(model, whole.width.into());
    let same = format!(" {} {}", model.glyphs().command_line, sanitize(&pane.command));
    twin.put(StyleRole::Dim, &fit(&same, whole.width.into()));
    if whole.height > 2 {
        frame.buffer_mut().set_line(whole.x, whole.bottom() - 2, &twin.finish(), whole.width);
        frame.buffer_mut().set_line(whole.x, whole.bottom() - 1, &line.finish(), whole.width);
    }
    let y = inner.y + u16::try_from(pane.selected - first).unwrap_or(0);
    Position::new(inner.x, y)
}

/// Draws the steps that wrote the field, oldest first, including those after the current step.
fn history(model: &Model, area: Rect, frame: &mut Frame<'_>) {
    let bar = match model.look.icons {
        super::super::Icons::Unicode => "│",
        super::super::Icons::Ascii => "|",
    };
    let border = model.look.theme.style(StyleRole::Border);
    for y in area.y..area.bottom() {
        frame.buffer_mut().set_string(area.x, y, bar, border);
    }
    let room = area.width.saturating_sub(2);
    let title = resource::history_title(model);
    let title = fit(&title, room.into());
    let style = model.look.theme.style(StyleRole::Title);
    frame.buffer_mut().set_stringn(area.x + 2, area.y, title, room.into(), style);
    let rows = 0..model.resources.history.len();
    for (y, row) in (area.y + 1..area.bottom()).zip(rows) {
        let line = resource::history_row(model, row, room.saturating_sub(1).into());
        frame.buffer_mut().set_line(area.x + 1, y, &line, room);
    }
}

/// A row of the pane, as in `✔ 3  final  step 49  replicas storefront → 3  high-availability:17`.
fn line_of(model: &Model, pane: &WhyPane, row: &WhyRow, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let glyphs = model.glyphs();
    let (sign, role, depth) = match row.kind {
        WhyKind::Wins => (glyphs.applied, StyleRole::Ok, 0),
        WhyKind::Part => (glyphs.applied, StyleRole::Text, 0),
        WhyKind::Overruled => (glyphs.failed, StyleRole::Dim, 0),
        WhyKind::Missed => (glyphs.warning, StyleRole::Warning, 0),
        WhyKind::From(depth) => (glyphs.arrow, StyleRole::Text, depth),
        WhyKind::Source(depth) => ("", StyleRole::Text, depth),
        WhyKind::Note => ("", StyleRole::Dim, 0),
    };
    line.put(StyleRole::Text, &" ".repeat(1 + depth.saturating_sub(1) * 2)).column(role, sign, 2);
    match row.kind {
        WhyKind::Note => {
            line.put(StyleRole::Dim, &row.words);
            return line.finish();
        }
        WhyKind::From(_) => {
            line.put(StyleRole::Dim, "comes from ").put(StyleRole::Text, &row.words);
            return line.finish();
        }
        _ => {}
    }
    // The locations distinguish the rows and are never cut; description and value share the rest.
    let widest = |of: fn(&WhyRow) -> &str, most: usize| {
        let is_cells = |row: &&WhyRow| !matches!(row.kind, WhyKind::Note | WhyKind::From(_));
        let rows = pane.rows.iter().filter(is_cells);
        rows.map(|row| width(of(row))).max().unwrap_or(0).min(most)
    };
    let narrow = columns < 90;
    let place = widest(|row| &row.place, if narrow { columns / 3 } else { columns * 2 / 5 });
    let value = widest(|row| &row.value, columns / 4);
    let words = widest(|row| &row.words, columns / 3);
    let shown = fit(&row.value, value);
    if row.kind == WhyKind::Overruled {
        line.push_struck_out(StyleRole::Dim, &shown);
        line.put(StyleRole::Text, &" ".repeat(value.saturating_sub(width(&shown))));
    } else {
        line.column(if row.kind == WhyKind::Wins { StyleRole::Title } else { role }, &shown, value);
    }
    line.put(StyleRole::Text, "  ");
    line.column(role, &fit(&row.words, words), words).put(StyleRole::Text, "  ");
    let room = line.room().saturating_sub(place + 2);
    if let Some(step) = row.step.filter(|_| room >= 8) {
        let step = format!("step {}", step + 1);
        let label = if room < 16 { step } else { format!("{step:<9} {}", row.label) };
        line.column(StyleRole::Step, &fit(&label, room), room);
    } else {
        line.put(StyleRole::Text, &" ".repeat(room));
    }
    line.put(StyleRole::Text, "  ");
    let others = pane.rows.iter().map(|other| &*other.place).filter(|other| **other != *row.place);
    let room = line.room();
    line.put(StyleRole::Place, &fit_location_distinct(&row.place, room, others));
    line.finish()
}
