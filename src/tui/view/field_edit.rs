//! The dialog for the value of a field.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use super::super::layout::dialog_area;
use super::super::message::ClickArea;
use super::super::model::{FieldEdit, FieldEditState, Model};
use super::super::text::{fit_location, sanitize, width, wrap};
use super::super::theme::StyleRole;
use super::dialog::{add_row, dialog, key_line};
use super::line::LineBuilder;
use crate::answers::reverse::{AffectedField, VerifiedProposal};

/// The width of the dialog.
const COLUMNS: u16 = 116;
/// The number of lines above the proposals.
const HEAD_LINES: usize = 2;

/// Draws the dialog; returns the position of the cursor.
pub(crate) fn draw(
    model: &Model,
    edit: &FieldEdit,
    frame: &mut Frame<'_>,
    clicks: &mut Vec<ClickArea>,
) -> Position {
    let title = format!("{} of {}", sanitize(&edit.field), edit.name);
    let cells = usize::from(dialog_area(frame.area(), COLUMNS, 3).width.saturating_sub(3));
    let (lines, selected) = state_lines(model, edit, cells);
    let rows = u16::try_from(lines.len() + HEAD_LINES + 3).unwrap_or(u16::MAX);
    let inner = dialog(model, &title, COLUMNS, rows, frame);
    let columns = usize::from(inner.width);
    let (text, cursor) = edit.value.window(columns.saturating_sub(9));
    let mut line = LineBuilder::new(model, columns);
    line.put(StyleRole::Key, " value: ").put(StyleRole::Text, &sanitize(&text));
    frame.buffer_mut().set_line(inner.x, inner.y, &line.finish(), inner.width);
    let mut position =
        Position::new(inner.x + 8 + u16::try_from(cursor).unwrap_or_default(), inner.y);
    let room = usize::from(inner.height).saturating_sub(HEAD_LINES + 1);
    let top = inner.y + u16::try_from(HEAD_LINES).unwrap_or_default();
    // All lines of the selected proposal are in view.
    let first =
        selected.as_ref().map_or(0, |lines| lines.end.saturating_sub(room.max(1)).min(lines.start));
    for (y, at) in (top..).zip(first..lines.len().min(first + room)) {
        let StateLine { role, text, proposal } = &lines[at];
        let mut line = LineBuilder::new(model, inner.width.into());
        line.put(*role, " ").put(*role, text);
        frame.buffer_mut().set_line(inner.x, y, &line.finish(), inner.width);
        if let Some(number) = proposal {
            add_row(clicks, *number, Rect { y, height: 1, ..inner });
        }
        if selected.as_ref().is_some_and(|lines| lines.start == at) {
            let row = Rect { y, height: 1, ..inner };
            frame.buffer_mut().set_style(row, model.look.theme.style(StyleRole::Selected));
            position = Position::new(inner.x, y);
        }
    }
    keys(model, edit, inner, frame, clicks);
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
        FieldEditState::Searching(_) => (wrapped(StyleRole::Dim, "trying edits …", None, ""), None),
        FieldEditState::Refused(reason) => (wrapped(StyleRole::Warning, reason, None, ""), None),
        FieldEditState::Found { proposals, selected } => {
            let (mut lines, mut marked) = (Vec::new(), None);
            for (number, proposal) in proposals.iter().enumerate() {
                let start = lines.len();
                let text = proposal_text(model, number, proposal);
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
    key_line(model, &keys, Rect { y, height: 1, ..inner }, frame, clicks);
}

fn proposal_text(model: &Model, number: usize, proposal: &VerifiedProposal) -> String {
    let found = &proposal.proposal;
    let file = model.builds.recording.shorten(&found.change.path.to_string_lossy());
    format!("{}. {file}:{}: {}", number + 1, found.line, found.words)
}

/// The other changes of a proposal.
fn effect_text(proposal: &VerifiedProposal) -> String {
    let name = |it: &AffectedField| {
        let target = if it.target.is_empty() { String::new() } else { format!("{}: ", it.target) };
        format!("{target}{} {}", it.resource, it.field)
    };
    let mut others = proposal.also_here.iter().chain(&proposal.elsewhere);
    let Some(first) = others.next() else { return "no other change".to_owned() };
    let more = others.count();
    let more = match more {
        0 => String::new(),
        1 => ", and 1 more field".to_owned(),
        more => format!(", and {more} more fields"),
    };
    format!("also changes {}{more}", name(first))
}
