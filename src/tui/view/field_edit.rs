//! The dialog for the value of a field.

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::super::layout::dialog_area;
use super::super::model::{FieldEdit, FieldEditState, Model};
use super::super::text::{fit_location, sanitize, to_u16, width, wrap};
use super::super::theme::StyleRole;
use super::dialog::DialogPainter;
use super::line::of_texts;
use crate::answers::reverse::{AffectedField, VerifiedProposal};
use crate::display::counted;

const COLUMNS: u16 = 116;
const HEAD_LINES: usize = 2;

pub(crate) fn draw(painter: &mut DialogPainter<'_, '_>, edit: &FieldEdit) -> Position {
    let model = painter.model;
    let title = format!("{} of {}", sanitize(&edit.field), edit.name);
    let cells = dialog_area(painter.frame.area(), COLUMNS, 3).width.saturating_sub(3).into();
    let rows = state_rows(model, edit, cells);
    let lines: usize = rows.iter().map(Vec::len).sum();
    let inner = painter.dialog(&title, COLUMNS, to_u16(lines + HEAD_LINES + 3));
    let columns = usize::from(inner.width);
    let (text, cursor) = edit.value.window(columns.saturating_sub(9));
    let texts = [(StyleRole::Key, " value: "), (StyleRole::Text, &*text)];
    painter.line(inner, inner.y, &of_texts(model, columns, &texts));
    let head = to_u16(HEAD_LINES);
    let height = inner.height.saturating_sub(head + 1);
    let area = Rect { y: inner.y + head, height, ..inner };
    let selected = match edit.state {
        FieldEditState::Found { selected, .. } => Some(selected),
        _ => None,
    };
    let row = painter.rows(area, selected, &rows);
    draw_keys(painter, edit, inner);
    selected.map_or(Position::new(inner.x + 8 + to_u16(cursor), inner.y), |_| row)
}

/// The lines below the value, wrapped; those of each proposal are a row.
fn state_rows(model: &Model, edit: &FieldEdit, cells: usize) -> Vec<Vec<Line<'static>>> {
    let wrapped = |role: StyleRole, text: &str, indent: &str| {
        let lines = wrap(&sanitize(text), cells.saturating_sub(indent.len()).max(1)).into_iter();
        let lines = lines.map(|line| format!(" {indent}{line}"));
        lines.map(|line| of_texts(model, cells + 1, &[(role, &line)])).collect::<Vec<_>>()
    };
    match &edit.state {
        FieldEditState::Typing => Vec::new(),
        FieldEditState::Searching => vec![wrapped(StyleRole::Dim, "trying edits …", "")],
        FieldEditState::Refused(reason) => vec![wrapped(StyleRole::Warning, reason, "")],
        FieldEditState::Found { proposals, .. } => {
            let row = |(number, proposal): (usize, &VerifiedProposal)| {
                let found = &proposal.proposal;
                let file = model.shown_path(&found.change.path);
                let text = format!("{number}. {file}:{}: {}", found.line, found.words);
                let effect = wrapped(StyleRole::Dim, &effect_text(proposal), "   ");
                [wrapped(StyleRole::Text, &text, ""), effect].concat()
            };
            (1..).zip(proposals).map(row).collect()
        }
    }
}

fn draw_keys(painter: &mut DialogPainter<'_, '_>, edit: &FieldEdit, inner: Rect) {
    let place = edit.place.as_ref();
    let place = place.map(|(file, line)| format!("{}:{line}", painter.model.shown_path(file)));
    let enter = match edit.state {
        FieldEditState::Found { .. } => "draft this edit",
        _ if edit.value.is_empty() => "find edits that remove the field",
        _ => "find edits for this value",
    };
    // The other keys are shown in full.
    let others = width(" enter   ctrl-e $EDITOR   esc close  ") + width(enter);
    let room = usize::from(inner.width).saturating_sub(others + 1);
    let editor = place.map_or_else(
        || "no file".to_owned(),
        |place| format!("$EDITOR {}", fit_location(&place, room)),
    );
    let keys = [("enter", enter), ("ctrl-e", &*editor), ("esc", "close")];
    let y = inner.bottom().saturating_sub(1).max(inner.y);
    painter.keys(&keys, Rect { y, height: 1, ..inner });
}

fn effect_text(proposal: &VerifiedProposal) -> String {
    let name = |it: &AffectedField| {
        let target = if it.target.is_empty() { String::new() } else { format!("{}: ", it.target) };
        format!("{target}{} {}", it.resource, it.field)
    };
    let mut others = proposal.also_here.iter().chain(&proposal.elsewhere);
    let Some(first) = others.next() else { return "no other change".to_owned() };
    let more = match others.count() {
        0 => String::new(),
        more => format!(", and {}", counted(more, "more field")),
    };
    format!("also changes {}{more}", name(first))
}
