//! The pane that explains a field, a problem, an edit or a component.

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::answers::provenance::blame::WriterStatus;
use crate::layout::dialog_area;
use crate::model::{Model, WhyKind, WhyPane, WhyRow};
use crate::rows::{Cell, Columns, Drawing, Keep, ListRow};
use crate::text::{fit, sanitize, to_u16};
use crate::theme::StyleRole;
use crate::view::dialog::DialogPainter;
use crate::view::line::{LineBuilder, of_pieces};

pub(crate) fn draw(painter: &mut DialogPainter<'_, '_>, pane: &WhyPane) -> Position {
    const COLUMNS: u16 = 140;
    let model = painter.model;
    let title = format!("Why  {}", pane.title);
    let rows: Vec<ListRow> = pane.rows.iter().map(|row| row_of(model, row)).collect();
    let area = dialog_area(painter.frame.area(), COLUMNS, 5);
    let columns = usize::from(area.width.saturating_sub(2));
    let widths = Columns::new(&rows, columns.saturating_sub(1));
    let lines = |row: &ListRow| {
        widths.lines(row).iter().map(|line| of_pieces(model, line, columns)).collect()
    };
    let lines: Vec<Vec<Line<'_>>> = rows.iter().map(lines).collect();
    let all: usize = lines.iter().map(Vec::len).sum();
    let inner = painter.dialog(&title, COLUMNS, to_u16(all + 4));
    let area = Rect { height: inner.height.saturating_sub(2).max(1), ..inner };
    let cursor = painter.rows(area, Some(pane.selected), &lines);
    let mut twin = LineBuilder::new(model, columns);
    let same = format!(" $ {}", sanitize(&pane.command));
    if !pane.command.is_empty() {
        twin.put(StyleRole::Dim, &fit(&same, columns));
    }
    if inner.height > 2 {
        painter.line(inner, inner.bottom() - 2, &twin.finish());
        painter.keys(&keys(pane), Rect { y: inner.bottom() - 1, height: 1, ..inner });
    }
    cursor
}

fn keys(pane: &WhyPane) -> Vec<(&'static str, &'static str)> {
    let row = pane.rows.get(pane.selected);
    let is_text = row.is_some_and(|row| matches!(row.kind, WhyKind::Text(_)));
    let has_step = row.is_some_and(|row| row.step.is_some());
    let has_place = row.is_some_and(|row| row.file.is_some());
    let edits = if is_text { "edit the file" } else { "edit the value" };
    let keys = [
        (pane.fix.is_some(), ("f", "apply the fix to the draft")),
        (has_step || !is_text, ("enter", "go to step")),
        (has_place || !is_text, ("e", edits)),
        (true, ("esc", "back")),
    ];
    keys.into_iter().filter(|(acts, _)| *acts).map(|(_, key)| key).collect()
}

/// A row of the pane, as in `✔ 3  final  step 49  replicas storefront → 3  high-availability:17`.
fn row_of(model: &Model, row: &WhyRow) -> ListRow {
    let glyphs = model.glyphs();
    let (sign, role, depth) = match row.kind {
        WhyKind::Written(WriterStatus::Final) => (glyphs.applied, StyleRole::Ok, 0),
        WhyKind::Written(WriterStatus::Part) => (glyphs.applied, StyleRole::Text, 0),
        WhyKind::Written(WriterStatus::Overridden) => (glyphs.failed, StyleRole::Dim, 0),
        WhyKind::Missed => (glyphs.warning, StyleRole::Warning, 0),
        WhyKind::From(depth) => (glyphs.arrow, StyleRole::Text, depth),
        WhyKind::Source(depth) => ("", StyleRole::Text, depth),
        WhyKind::Note => ("", StyleRole::Dim, 0),
        WhyKind::Text(role) => {
            let lead = vec![(role, " ".to_owned())];
            return ListRow::sentence(lead, role, &row.words);
        }
    };
    let indent = depth.saturating_sub(1) * 2;
    let lead = vec![(role, format!(" {:indent$}{sign:<2}", ""))];
    match row.kind {
        WhyKind::Note => return ListRow::sentence(lead, StyleRole::Dim, &row.words),
        WhyKind::From(_) => {
            let words = format!("comes from {}", row.words);
            return ListRow::sentence(lead, StyleRole::Text, &words);
        }
        _ => {}
    }
    let is_final = row.kind == WhyKind::Written(WriterStatus::Final);
    let value_role = if is_final { StyleRole::Title } else { role };
    let is_struck = row.kind == WhyKind::Written(WriterStatus::Overridden);
    let drawing = if is_struck { Drawing::StruckOut } else { Drawing::Plain };
    let step = row.step.map(|step| format!("step {}", step + 1)).unwrap_or_default();
    let cells = vec![
        Cell { drawing, ..Cell::new(value_role, Keep::Ends, &row.value) },
        Cell::new(role, Keep::All, &row.words),
        Cell::new(StyleRole::Step, Keep::All, step),
        Cell::new(StyleRole::Step, Keep::Begin, &row.label),
        Cell::right(StyleRole::Place, Keep::Place, &row.place),
    ];
    ListRow::new(lead, cells)
}
