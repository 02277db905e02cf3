//! The dialog for the value of a field.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use super::super::message::ClickArea;
use super::super::model::{FieldEdit, FieldEditState, Model};
use super::super::text::sanitize;
use super::super::theme::StyleRole;
use super::dialog::{add_row, dialog, key_line};
use super::line::LineBuilder;
use crate::answers::reverse::{AffectedField, VerifiedProposal};

/// The number of lines above the proposals.
const HEAD_LINES: usize = 2;

/// Draws the dialog; returns the position of the cursor.
pub(super) fn draw(
    model: &Model,
    edit: &FieldEdit,
    frame: &mut Frame<'_>,
    clicks: &mut Vec<ClickArea>,
) -> Position {
    let title = format!("{} of {}", sanitize(&edit.field), edit.name);
    let found = match &edit.state {
        FieldEditState::Found { proposals, .. } => proposals.len() * 2,
        _ => 1,
    };
    let rows = u16::try_from(found + HEAD_LINES + 3).unwrap_or(u16::MAX);
    let inner = dialog(model, &title, 110, rows, frame);
    let columns = usize::from(inner.width);
    let (text, cursor) = edit.value.window(columns.saturating_sub(9));
    let mut line = LineBuilder::new(model, columns);
    line.put(StyleRole::Key, " value: ").put(StyleRole::Text, &sanitize(&text));
    frame.buffer_mut().set_line(inner.x, inner.y, &line.finish(), inner.width);
    let mut position =
        Position::new(inner.x + 8 + u16::try_from(cursor).unwrap_or_default(), inner.y);
    let room = usize::from(inner.height).saturating_sub(HEAD_LINES + 1);
    let top = inner.y + u16::try_from(HEAD_LINES).unwrap_or_default();
    match &edit.state {
        FieldEditState::Typing => {}
        FieldEditState::Searching(_) => {
            put(model, StyleRole::Dim, "trying edits …", top, inner, frame);
        }
        FieldEditState::Refused(reason) => {
            put(model, StyleRole::Warning, &sanitize(reason), top, inner, frame);
        }
        FieldEditState::Found { proposals, selected } => {
            let first = (selected + 1).saturating_sub((room / 2).max(1));
            let shown = proposals.iter().enumerate().skip(first).take((room / 2).max(1));
            let mut y = top;
            for (number, proposal) in shown {
                put(
                    model,
                    StyleRole::Text,
                    &proposal_text(model, number, proposal),
                    y,
                    inner,
                    frame,
                );
                put(model, StyleRole::Dim, &effect_text(proposal), y + 1, inner, frame);
                let rows = Rect { y, height: 2, ..inner };
                add_row(clicks, number, rows.intersection(inner));
                if number == *selected {
                    let row = Rect { y, height: 1, ..inner };
                    frame.buffer_mut().set_style(row, model.look.theme.style(StyleRole::Selected));
                    position = Position::new(inner.x, y);
                }
                y += 2;
            }
        }
    }
    keys(model, edit, inner, frame, clicks);
    position
}

/// Writes a line of the dialog.
fn put(model: &Model, role: StyleRole, text: &str, y: u16, inner: Rect, frame: &mut Frame<'_>) {
    if y + 1 >= inner.bottom() {
        return;
    }
    let mut line = LineBuilder::new(model, inner.width.into());
    line.put(role, " ").put(role, text);
    frame.buffer_mut().set_line(inner.x, y, &line.finish(), inner.width);
}

/// Writes the keys in the last line.
fn keys(
    model: &Model,
    edit: &FieldEdit,
    inner: Rect,
    frame: &mut Frame<'_>,
    clicks: &mut Vec<ClickArea>,
) {
    let place = edit.place.as_ref().map(|(file, line)| {
        format!("{}:{line}", model.builds.recording.shorten(&file.to_string_lossy()))
    });
    let enter = match edit.state {
        FieldEditState::Found { .. } => "put it into the draft",
        _ if edit.value.is_empty() => "edits that remove the field",
        _ => "edits with this value",
    };
    let editor = place.map_or_else(|| "no file".to_owned(), |place| format!("$EDITOR {place}"));
    let keys = [("enter", enter), ("ctrl-e", &*editor), ("esc", "close")];
    let y = inner.bottom().saturating_sub(1).max(inner.y);
    key_line(model, &keys, Rect { y, height: 1, ..inner }, frame, clicks);
}

fn proposal_text(model: &Model, number: usize, proposal: &VerifiedProposal) -> String {
    let found = &proposal.proposal;
    let file = model.builds.recording.shorten(&found.change.path.to_string_lossy());
    sanitize(&format!("{}. {file}:{}: {}", number + 1, found.line, found.words)).into_owned()
}

/// The other changes of a proposal.
fn effect_text(proposal: &VerifiedProposal) -> String {
    let name = |it: &AffectedField| {
        let target = if it.target.is_empty() { String::new() } else { format!("{}: ", it.target) };
        format!("{target}{} {}", it.resource, it.field)
    };
    let mut others = proposal.also_here.iter().chain(&proposal.elsewhere);
    let Some(first) = others.next() else { return "   no other change".to_owned() };
    let more = others.count();
    let more = if more > 0 { format!(", and {more} more fields") } else { String::new() };
    sanitize(&format!("   also changes {}{more}", name(first))).into_owned()
}
