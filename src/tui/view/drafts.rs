//! The list of drafts.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use super::super::message::ClickArea;
use super::super::model::{DraftList, Model};
use super::super::text::{fit, sanitize, width};
use super::super::theme::StyleRole;
use super::dialog::{add_row, dialog, key_line};
use super::line::LineBuilder;
use super::log::minute;
use crate::display::counted;
use crate::draft::{DraftHolder, ListedDraft};

/// Draws the list; returns the position of the cursor.
pub(crate) fn draw(
    model: &Model,
    list: &DraftList,
    frame: &mut Frame<'_>,
    clicks: &mut Vec<ClickArea>,
) -> Position {
    let all = list.drafts.len();
    let title = format!("Drafts  {all} (UTC)");
    let rows = u16::try_from(all + 3).unwrap_or(u16::MAX);
    let inner = dialog(model, &title, 100, rows, frame);
    let columns = usize::from(inner.width);
    let bottom = inner.bottom().saturating_sub(1).max(inner.y);
    let room = usize::from(bottom.saturating_sub(inner.y)).max(1);
    let first = (list.selected + 1).saturating_sub(room);
    let names = list.drafts.iter().map(|draft| width(&name_of(draft))).max().unwrap_or(0);
    for (y, (number, draft)) in (inner.y..bottom).zip(list.drafts.iter().enumerate().skip(first)) {
        let mut line = LineBuilder::new(model, columns);
        let (role, mark) = match draft.held_by {
            DraftHolder::ThisWorkbench => (StyleRole::Focus, model.glyphs().cursor),
            DraftHolder::NoWorkbench | DraftHolder::AnotherWorkbench => (StyleRole::Text, " "),
        };
        line.put(role, mark).put(StyleRole::Text, " ");
        let cells = names.min(columns / 3);
        line.column(StyleRole::Title, &fit(&name_of(draft), cells), cells)
            .put(StyleRole::Text, "  ");
        line.put(StyleRole::Dim, &minute(&draft.at)).put(StyleRole::Text, "  ");
        line.put(StyleRole::Text, &edited_files_text(model, draft));
        frame.buffer_mut().set_line(inner.x, y, &line.finish(), inner.width);
        let row = Rect { y, height: 1, ..inner };
        add_row(clicks, number, row);
        if number == list.selected {
            frame.buffer_mut().set_style(row, model.look.theme.style(StyleRole::Selected));
        }
    }
    let area = Rect { y: bottom, height: 1, ..inner };
    if list.asked {
        let keys = [("d", "again: delete it with all its edits"), ("esc", "cancel")];
        key_line(model, &keys, area, frame, clicks);
    } else {
        let keys = [("enter", "open"), ("=", "compare"), ("d", "delete"), ("esc", "close")];
        key_line(model, &keys, area, frame, clicks);
    }
    let y = inner.y + u16::try_from(list.selected - first).unwrap_or(0);
    Position::new(inner.x, y)
}

fn name_of(draft: &ListedDraft) -> String {
    let name = draft.draft.name.as_deref().unwrap_or("(no name)");
    sanitize(name).into_owned()
}

/// The edited files of a draft, as in `2 edits of overlays/dev/kustomization.yaml`.
pub(crate) fn edited_files_text(model: &Model, draft: &ListedDraft) -> String {
    let files = draft.draft.files.iter().map(|file| model.shown_file(&file.path));
    let files: Vec<String> = files.collect();
    let elsewhere = match draft.held_by {
        DraftHolder::AnotherWorkbench => "; open in another workbench",
        DraftHolder::ThisWorkbench | DraftHolder::NoWorkbench => "",
    };
    let left_out = match draft.draft.left_out.len() {
        0 => String::new(),
        edits => format!("{} left out", counted(edits, "edit")),
    };
    let edits = match draft.draft.edit_count() {
        _ if files.is_empty() && left_out.is_empty() => return format!("no edits{elsewhere}"),
        _ if files.is_empty() => return format!("{left_out}{elsewhere}"),
        edits => counted(edits, "edit"),
    };
    let left_out = if left_out.is_empty() { left_out } else { format!(", {left_out}") };
    format!("{edits} of {}{left_out}{elsewhere}", files.join(", "))
}
