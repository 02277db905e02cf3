//! The list of drafts.

use ratatui::layout::{Position, Rect};

use super::super::model::{DraftList, Model};
use super::super::text::{fit, sanitize, to_u16, width};
use super::super::theme::StyleRole;
use super::dialog::DialogPainter;
use super::line::LineBuilder;
use super::log::minute;
use crate::display::counted;
use crate::draft::{DraftHolder, ListedDraft};

pub(crate) fn draw(painter: &mut DialogPainter<'_, '_>, list: &DraftList) -> Position {
    let model = painter.model;
    let all = list.drafts.len();
    let title = format!("Drafts  {all} (UTC)");
    let rows = to_u16(all + 3);
    let inner = painter.dialog(&title, 100, rows);
    let columns = usize::from(inner.width);
    let bottom = inner.bottom().saturating_sub(1).max(inner.y);
    let names = list.drafts.iter().map(|draft| width(&name_of(draft))).max().unwrap_or(0);
    let rows = list.drafts.iter().map(|draft| {
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
        line.finish()
    });
    let area = Rect { height: bottom - inner.y, ..inner };
    let selected = painter.list(area, list.selected, &rows.collect::<Vec<_>>());
    let keys: &[_] = if list.asked {
        &[("d", "again: delete it with all its edits"), ("esc", "cancel")]
    } else {
        &[("enter", "open"), ("=", "compare"), ("d", "delete"), ("esc", "close")]
    };
    painter.keys(keys, Rect { y: bottom, height: 1, ..inner });
    selected
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
