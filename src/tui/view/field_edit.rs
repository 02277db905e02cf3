//! The dialog for the value of a field.

use std::ops::Range;

use ratatui::layout::{Position, Rect};

use super::super::layout::dialog_area;
use super::super::model::{FieldEdit, FieldEditState, Model};
use super::super::text::{fit_location, sanitize, to_u16, width, wrap};
use super::super::theme::StyleRole;
use super::dialog::{DialogPainter, add_row};
use super::line::of_texts;
use crate::answers::report::SetAffected;
use crate::answers::reverse::VerifiedProposal;
use crate::display::counted;

const COLUMNS: u16 = 116;
const HEAD_LINES: usize = 2;

pub(crate) fn draw(painter: &mut DialogPainter<'_, '_>, edit: &FieldEdit) -> Position {
    let model = painter.model;
    let title = format!("{} of {}", sanitize(&edit.field), edit.name);
    let cells = dialog_area(painter.frame.area(), COLUMNS, 3).width.saturating_sub(3).into();
    let (lines, selected) = state_lines(model, edit, cells);
    let rows = to_u16(lines.len() + HEAD_LINES + 3);
    let inner = painter.dialog(&title, COLUMNS, rows);
    let columns = usize::from(inner.width);
    let (text, cursor) = edit.value.window(columns.saturating_sub(9));
    let texts = [(StyleRole::Key, " value: "), (StyleRole::Text, &*text)];
    painter.line(inner, inner.y, &of_texts(model, columns, &texts));
    let mut position = Position::new(inner.x + 8 + to_u16(cursor), inner.y);
    let room = usize::from(inner.height).saturating_sub(HEAD_LINES + 1);
    let top = inner.y + to_u16(HEAD_LINES);
    // All lines of the selected proposal are in view.
    let first =
        selected.as_ref().map_or(0, |lines| lines.end.saturating_sub(room.max(1)).min(lines.start));
    for (y, at) in (top..).zip(first..lines.len().min(first + room)) {
        let StateLine { role, text, proposal } = &lines[at];
        painter.line(inner, y, &of_texts(model, columns, &[(*role, " "), (*role, text)]));
        let row = Rect { y, height: 1, ..inner };
        if let Some(number) = proposal {
            add_row(painter.clicks, *number, row);
        }
        if selected.as_ref().is_some_and(|lines| lines.start == at) {
            painter.mark(row);
            position = Position::new(inner.x, y);
        }
    }
    draw_keys(painter, edit, inner);
    position
}

/// A line below the value, and the number of its proposal.
struct StateLine {
    role: StyleRole,
    text: String,
    proposal: Option<usize>,
}

/// The lines below the value, wrapped, and those of the selected proposal, the first of which is
/// marked.
fn state_lines(
    model: &Model,
    edit: &FieldEdit,
    cells: usize,
) -> (Vec<StateLine>, Option<Range<usize>>) {
    let wrapped = |role: StyleRole, text: &str, proposal: Option<usize>, indent: &str| {
        let lines = wrap(&sanitize(text), cells.saturating_sub(indent.len()).max(1)).into_iter();
        let lines = lines.map(|line| StateLine { role, text: format!("{indent}{line}"), proposal });
        lines.collect::<Vec<_>>()
    };
    match &edit.state {
        FieldEditState::Typing => (Vec::new(), None),
        FieldEditState::Searching => (wrapped(StyleRole::Dim, "trying edits …", None, ""), None),
        FieldEditState::Refused(reason) => (wrapped(StyleRole::Warning, reason, None, ""), None),
        FieldEditState::Found { proposals, selected } => {
            let (mut lines, mut marked) = (Vec::new(), None);
            for (number, proposal) in proposals.iter().enumerate() {
                let start = lines.len();
                let found = &proposal.proposal;
                let file = model.shown_path(&found.change.path);
                let text = format!("{}. {file}:{}: {}", number + 1, found.line, found.words);
                lines.extend(wrapped(StyleRole::Text, &text, Some(number), ""));
                lines.extend(wrapped(StyleRole::Dim, &effect_text(proposal), Some(number), "   "));
                if number == *selected {
                    marked = Some(start..lines.len());
                }
            }
            (lines, marked)
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
    let name = |it: &SetAffected| {
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
