//! Overlays: help, questions, the copy menu, the small editor.

use ratatui::layout::{Layout, Position, Rect};
use ratatui::text::Line;

use crate::answers::compare::ConsequenceWeight;
use crate::display::counted;
use crate::draft::{DraftHolder, ListedDraft, PastWrite};
use crate::layout::{ScreenLayout, percent};
use crate::model::{
    Confirm, DraftList, FetchQuestion, HelpState, InnerEditor, LogState, Model, Overlay, YankItem,
    shown_edit_words,
};
use crate::screen::SizeClass;
use crate::text::{DiffRow, fit, sanitize, to_u16, width, wrap};
use crate::theme::StyleRole;
use crate::update::{HELP_LEAD, HelpRow, WIDEST_HELP, disabled, help_rows};
use crate::view::actions;
use crate::view::dialog::{DialogPainter, add_key, add_row, diff_line, folded_diff_line};
use crate::view::line::{LineBuilder, of_texts};

pub(crate) fn overlay(
    painter: &mut DialogPainter<'_, '_>,
    overlay: &Overlay,
    layout: &ScreenLayout,
) -> Option<Position> {
    match overlay {
        Overlay::Help(state) => Some(help(painter, state)),
        Overlay::Actions(menu) => Some(super::actions::menu(painter, menu)),
        Overlay::Messages { offset } => Some(super::actions::messages(painter, *offset)),
        Overlay::CommandOutput(output) => Some(super::actions::command_output(painter, output)),
        Overlay::Palette(state) => actions::draw_palette(painter, state),
        Overlay::Search { text, .. } => {
            let cells = text.window(usize::from(layout.hints.width).saturating_sub(3)).1;
            let cells = to_u16(cells);
            Some(Position::new(layout.hints.x + 2 + cells, layout.hints.y))
        }
        Overlay::Confirm(confirm) => Some(question(painter, confirm)),
        Overlay::Fetch(asked) => Some(fetch_question(painter, asked)),
        Overlay::Trust(asked) => Some(crate::screens::catalogs::view::question(painter, asked)),
        Overlay::Yank(items) => Some(yank(painter, items)),
        Overlay::FieldEdit(edit) => Some(super::form::draw_field_edit(painter, edit)),
        Overlay::Why(pane) => Some(crate::screens::why::view::draw(painter, pane)),
        Overlay::Log(log) => Some(log_list(painter, log)),
        Overlay::Drafts(list) => Some(draft_list(painter, list)),
        Overlay::Form(form) => super::form::draw(painter, form),
        Overlay::Editor(editor) => draw_editor(painter, editor, layout),
    }
}

fn help(painter: &mut DialogPainter<'_, '_>, state: &HelpState) -> Position {
    let model = painter.model;
    let title = format!(
        "Help  {}: its keys, then all keys (type to filter, esc: close)",
        model.screen.name()
    );
    let inner = painter.dialog(&title, WIDEST_HELP, 60);
    let columns = usize::from(inner.width);
    let rows = help_rows(model, state.filter.text());
    let (all, room) = (rows.len(), usize::from(inner.height).saturating_sub(1));
    let offset = state.offset.min(all.saturating_sub(room));
    for (y, (at, row)) in
        (inner.y + 1..inner.bottom()).zip(rows.into_iter().enumerate().skip(offset))
    {
        let is_marked = state.marked.is_some() && row.command() == state.marked;
        painter.line(inner, y, &help_line(model, row, columns));
        let area = Rect { y, height: 1, ..inner };
        if is_marked {
            painter.mark(area);
        }
        add_row(painter.clicks, at, area);
    }
    let (text, cursor) = state.filter.window(columns.saturating_sub(24));
    let mut line = LineBuilder::new(model, columns);
    line.put(StyleRole::Key, " /").put(StyleRole::Text, &text);
    let (first, last) = (offset + usize::from(all > 0), (offset + room).min(all));
    let position = format!("{first} to {last} of {all} ");
    let room = line.room();
    line.push_right_aligned(StyleRole::Dim, &position, room);
    painter.line(inner, inner.y, &line.finish());
    let cells = to_u16(cursor);
    Position::new((inner.x + 2 + cells).min(inner.right()), inner.y)
}

fn help_line(model: &Model, row: HelpRow, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let (row, keys, words) = match row {
        HelpRow::Title(title) => {
            return of_texts(model, columns, &[(StyleRole::Title, &format!(" {title}"))]);
        }
        HelpRow::Sign(sign, words) => {
            line.put(StyleRole::Text, "  ").column(StyleRole::Key, sign, HELP_LEAD - 2);
            line.put(StyleRole::Text, &words);
            return line.finish();
        }
        HelpRow::Why(words) => {
            let lead = " ".repeat(HELP_LEAD);
            return of_texts(model, columns, &[(StyleRole::Text, &lead), (StyleRole::Dim, &words)]);
        }
        HelpRow::DescriptionLine(row, words) => (row, String::new(), words),
        HelpRow::Command(row, words) => {
            (row, model.look.keymap.keys(row.command).join("  "), words)
        }
    };
    line.put(StyleRole::Text, "  ").column(StyleRole::Key, &keys, HELP_LEAD - 2);
    let off = disabled(model, row.command).is_some();
    line.put(if off { StyleRole::Dim } else { StyleRole::Text }, &words);
    line.finish()
}

/// The columns of a question, and the most if a line of its diff is longer.
const QUESTION_COLUMNS: u16 = 100;
const MAX_QUESTION_COLUMNS: u16 = 160;
/// In fewer columns, the lines of a diff are not wrapped.
const MIN_WRAPPED_COLUMNS: usize = 40;
/// The borders of a question, the space before its lines and their indentation.
const QUESTION_MARGIN: u16 = 6;

fn question(painter: &mut DialogPainter<'_, '_>, confirm: &Confirm) -> Position {
    let model = painter.model;
    let most = MAX_QUESTION_COLUMNS.min(painter.frame.area().width.saturating_sub(2));
    let widest = question_lines(model, confirm, most.saturating_sub(2).into()).into_iter();
    let widest = widest.map(|line| line.width()).max().unwrap_or(0) + 3;
    let widest = to_u16(widest).max(QUESTION_COLUMNS);
    let columns = widest.min(most);
    let cells = usize::from(columns.saturating_sub(QUESTION_MARGIN));
    let consequence = if confirm.is_write() { write_lines(model, cells) } else { Vec::new() };
    let lines = question_lines(model, confirm, usize::from(columns.saturating_sub(2)));
    let reach = to_u16(consequence.len());
    let rows = to_u16(lines.len() + 4).saturating_add(reach);
    let inner = painter.dialog(&confirm.question, columns, rows);
    // Two rows are reserved for the diff and one for the keys, so that no question can be answered
    // without its diff.
    let reach = reach.min(inner.height.saturating_sub(3));
    let columns = usize::from(inner.width);
    let room = usize::from(inner.height).saturating_sub(1 + usize::from(reach));
    let last = lines.len().saturating_sub(room);
    let bottom = inner.bottom().saturating_sub(1);
    let first = inner.y.saturating_add(reach).min(bottom);
    for (y, (role, words)) in (inner.y..first).zip(&consequence) {
        painter.line(inner, y, &of_texts(model, columns, &[(*role, &format!(" {words}"))]));
    }
    for (y, line) in (first..bottom).zip(lines.iter().skip(confirm.offset.min(last))) {
        painter.line(inner, y, line);
    }
    let is_grave = confirm.is_write() && model.needs_second_confirmation();
    let named = |it: &(&'static str, &'static str)| match *it {
        ("y", _) if is_grave => ("Y", "write anyway"),
        key => key,
    };
    let mut keys: Vec<(&str, &str)> = confirm.asked.keys().iter().map(named).collect();
    keys.push(("j k", "scroll"));
    painter.keys(&keys, Rect { y: bottom, height: 1, ..inner });
    Position::new(inner.x + 1, bottom)
}

/// The lines of the diff of each file, wrapped unless the question is too narrow for that.
fn question_lines(model: &Model, confirm: &Confirm, columns: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (name, diff, rows) in &confirm.files {
        lines.push(of_texts(model, columns, &[(StyleRole::Title, &format!(" {name}"))]));
        let lines_of = |row: &DiffRow| match columns {
            0..MIN_WRAPPED_COLUMNS => vec![diff_line(model, diff, *row, columns)],
            _ => folded_diff_line(model, diff, *row, columns),
        };
        lines.extend(rows.iter().flat_map(lines_of));
    }
    lines
}

fn write_lines(model: &Model, cells: usize) -> Vec<(StyleRole, String)> {
    let glyphs = model.glyphs();
    let line = |(weight, text): (ConsequenceWeight, String)| match weight {
        ConsequenceWeight::Grave => (StyleRole::Error, format!("{} {text}", glyphs.failed)),
        ConsequenceWeight::Danger => (StyleRole::Warning, format!("{} {text}", glyphs.warning)),
        ConsequenceWeight::Plain => (StyleRole::Draft, text),
        ConsequenceWeight::Unknown => (StyleRole::Warning, format!("? {text}")),
    };
    let wrapped = |(role, text): (StyleRole, String)| {
        let lines = wrap(&sanitize(&text), cells).into_iter().enumerate();
        lines.map(move |(at, line)| (role, if at == 0 { line } else { format!("  {line}") }))
    };
    model.write_consequences().into_iter().map(line).flat_map(wrapped).collect()
}

fn yank(painter: &mut DialogPainter<'_, '_>, items: &[YankItem]) -> Position {
    let rows = to_u16(items.len()) + 2;
    let inner = painter.dialog("Copy  (esc: close)", 70, rows);
    for (y, item) in (inner.y..inner.bottom()).zip(items) {
        let mut line = LineBuilder::new(painter.model, inner.width.into());
        line.put(StyleRole::Text, " ")
            .put(StyleRole::Key, &item.key.to_string())
            .put(StyleRole::Text, "  ");
        line.column(StyleRole::Text, item.label, 24).put(StyleRole::Text, " ");
        let first = item.text.lines().next().unwrap_or_default();
        line.put(StyleRole::Dim, &sanitize(first));
        add_key(painter.clicks, &item.key.to_string(), Rect { y, height: 1, ..inner });
        painter.line(inner, y, &line.finish());
    }
    Position::new(inner.x + 1, inner.y)
}

/// Draws the built-in editor, with the diff to its right or below it.
fn draw_editor(
    painter: &mut DialogPainter<'_, '_>,
    editor: &InnerEditor,
    layout: &ScreenLayout,
) -> Option<Position> {
    let model = painter.model;
    let [text, diff] = if layout.class >= SizeClass::Standard {
        Layout::horizontal(percent(50)).areas(layout.body)
    } else {
        Layout::vertical(percent(55)).areas(layout.body)
    };
    let below = painter.framed(&super::title(model, super::Pane::Diff), diff);
    // A text that does not build has no diff; the reason is more useful while typing.
    if let Some(error) = &model.builds.recording.error {
        let style = model.look.theme.style(StyleRole::Error);
        let lines = wrap(&error.message, usize::from(below.width).max(1));
        for (y, line) in (below.y..below.bottom()).zip(lines) {
            painter.frame.buffer_mut().set_stringn(below.x, y, line, below.width.into(), style);
        }
    }
    let rows = super::text_lines(model, super::Pane::Diff, below.width, below.height.into());
    for (y, line) in (below.y..below.bottom()).zip(rows.into_iter().flat_map(|(_, lines)| lines)) {
        painter.line(below, y, &line);
    }
    let inner = painter.framed(&format!("Edit  {}", editor.title), text);
    painter.frame.render_widget(&editor.area, inner);
    let area = &editor.area;
    let (top, left) = area.scroll_offset();
    let cursor = area.cursor();
    let cell = |at: usize, scrolled: u16| u16::try_from(at).ok()?.checked_sub(scrolled);
    let x = inner.x + area.line_number_width() + cell(cursor.1, left)?;
    Some(Position::new(x, inner.y + cell(cursor.0, top)?))
}

fn log_list(painter: &mut DialogPainter<'_, '_>, log: &LogState) -> Position {
    let model = painter.model;
    let all = log.operations.len();
    let title =
        format!("Log  {} (UTC; enter: revert in a draft, esc: close)", counted(all, "write"));
    let inner = painter.dialog(&title, 110, to_u16(all + 2));
    let rows = log.operations.iter().map(|operation| {
        let mut line = LineBuilder::new(model, inner.width.into());
        line.put(StyleRole::Text, " ")
            .put(StyleRole::Dim, &minute(&operation.at))
            .put(StyleRole::Text, "  ");
        line.put(StyleRole::Text, &write_summary(operation)).put(StyleRole::Dim, "  ");
        line.put(StyleRole::Place, &sanitize(&files(model, operation)));
        vec![line.finish()]
    });
    painter.rows(inner, Some(log.selected), &rows.collect::<Vec<_>>())
}

/// An RFC 3339 time shortened to `2026-11-22 23:40`.
pub(super) fn minute(at: &str) -> String {
    at.get(..16).unwrap_or(at).replace('T', " ")
}

fn write_summary(operation: &PastWrite) -> String {
    match operation.words.as_slice() {
        [] => "write".to_owned(),
        [only] => shown_edit_words(only),
        [first, rest @ ..] => format!("{}, and {} more", shown_edit_words(first), rest.len()),
    }
}

fn files(model: &Model, operation: &PastWrite) -> String {
    let name = |path: &std::path::Path| model.shown_file(path);
    let names: Vec<String> = operation.files.iter().map(|file| name(&file.path)).collect();
    names.join(", ")
}

fn draft_list(painter: &mut DialogPainter<'_, '_>, list: &DraftList) -> Position {
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
        vec![line.finish()]
    });
    let area = Rect { height: bottom - inner.y, ..inner };
    let selected = painter.rows(area, Some(list.selected), &rows.collect::<Vec<_>>());
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

const MAX_DIALOG_COLUMNS: u16 = 100;

fn fetch_question(painter: &mut DialogPainter<'_, '_>, asked: &FetchQuestion) -> Position {
    let columns = MAX_DIALOG_COLUMNS.min(painter.frame.area().width.saturating_sub(2));
    let lines = fetch_lines(asked, usize::from(columns).saturating_sub(4));
    let rows = to_u16(lines.len() + 4);
    let title = match asked.remotes().as_slice() {
        [(thing, _)] => format!("Fetch this from {}?", thing.from()),
        remotes => format!("Fetch these {}?", remotes.len()),
    };
    let inner = painter.dialog(&title, MAX_DIALOG_COLUMNS, rows);
    let area = Rect { height: inner.height.saturating_sub(2), ..inner };
    actions::scrolled_texts(painter, &lines, asked.offset, area);
    let bottom = inner.bottom().saturating_sub(1);
    let keys = [("y", "fetch"), ("n", "cancel"), ("j k", "scroll")];
    let keys = if lines.len() > area.height.into() { &keys[..] } else { &keys[..2] };
    painter.keys(keys, Rect { y: bottom, height: 1, ..inner });
    Position::new(inner.x + 1, bottom)
}

fn fetch_lines(asked: &FetchQuestion, columns: usize) -> Vec<(StyleRole, String)> {
    let mut lines = Vec::new();
    for (first, otherwise) in asked.remotes() {
        for part in wrap(&sanitize(&first.request()), columns) {
            lines.push((StyleRole::Title, part));
        }
        lines.push((StyleRole::Dim, format!("  {}", first.protocol())));
        if let Some(other) = otherwise {
            let words = format!("  if it is none, {} by {}", other.request(), other.protocol());
            let parts = wrap(&sanitize(&words), columns).into_iter();
            lines.extend(parts.map(|part| (StyleRole::Dim, part)));
        }
    }
    lines.push((StyleRole::Text, String::new()));
    let kept = "Fetching caches the content; it runs no code and does not trust it.";
    lines.extend(wrap(kept, columns).into_iter().map(|part| (StyleRole::Text, part)));
    lines
}
