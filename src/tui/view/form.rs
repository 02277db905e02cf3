//! Forms: the fields of an entry with imported and overriding values, errors, and the diff of the file;
//! and the value of one field.

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::answers::report::SetAffected;
use crate::answers::reverse::VerifiedProposal;
use crate::display::counted;
use crate::layout::dialog_area;
use crate::model::{EntryForm, FieldEdit, FieldEditState, FieldKind, FormField, Model};
use crate::text::{fit, fit_location, fit_middle, sanitize, to_u16, width, wrap};
use crate::theme::StyleRole;
use crate::view::dialog::{DialogPainter, folded_diff_line};
use crate::view::line::{LineBuilder, of_texts};

pub(crate) fn draw(painter: &mut DialogPainter<'_, '_>, form: &EntryForm) -> Option<Position> {
    let model = painter.model;
    let about = 3;
    let wanted = form.fields.len() + 1 + about + 1 + form.rows.len().max(3) + 1 + 2;
    let rows = to_u16(wanted);
    let inner = painter.dialog(&form.title, 120, rows);
    let height = usize::from(inner.height);
    if height < 4 {
        return None;
    }
    // The fields get up to half of the height, or all rows that are left if these are more.
    let others = 1 + about + 1 + form.rows.len().max(1) + 1;
    let shown = form.fields.len().min(height.saturating_sub(others).max(height / 2 - 2)).max(1);
    let columns = columns_of(form, inner.width.into());
    painter.line(inner, inner.y, &header(model, &columns));
    let rows = form.fields.iter().enumerate();
    let rows = rows.map(|(at, field)| row(model, form, field, at == form.selected, &columns));
    let (rows, cursors): (Vec<_>, Vec<u16>) = rows.map(|(line, x)| (vec![line], x)).unzip();
    let area = Rect { y: inner.y + 1, height: to_u16(shown), ..inner };
    let selected = painter.rows(area, Some(form.selected), &rows);
    let x = cursors.get(form.selected).map(|x| selected.x + x);
    let cursor = x.map(|x| Position::new(x, selected.y));
    let y = area.bottom();
    let cells = usize::from(inner.width);
    let mut lines = field_description_lines(model, form, cells);
    lines.push(file(model, form, cells));
    let bottom = inner.bottom().saturating_sub(1);
    let diff = form.rows.iter().flat_map(|row| folded_diff_line(model, &form.diff, *row, cells));
    let below = to_u16(lines.len());
    lines.extend(diff.take(bottom.saturating_sub(y.saturating_add(below)).into()));
    for (y, line) in (y..inner.bottom()).zip(lines) {
        painter.line(inner, y, &line);
    }
    painter.keys(&keys(model, form, cells), Rect { y: bottom, height: 1, ..inner });
    cursor
}

struct FormColumns {
    name: usize,
    imported: usize,
    value: usize,
    all: usize,
}

fn columns_of(form: &EntryForm, all: usize) -> FormColumns {
    let longest = form.fields.iter().map(|field| width(&field.name())).max().unwrap_or(8);
    let room = all.saturating_sub(6);
    let name = (longest + 1).clamp(8, (room / 3).max(8));
    let has_imported = form.fields.iter().any(|field| field.imported.is_some());
    let imported = if has_imported { room.saturating_sub(name) / 2 } else { 0 };
    FormColumns { name, imported, value: room.saturating_sub(name + imported), all }
}

fn header(model: &Model, columns: &FormColumns) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns.all);
    line.put(StyleRole::Dim, "   ")
        .column(StyleRole::Dim, "field", columns.name)
        .put(StyleRole::Dim, "  ");
    let has_imported = columns.imported > 0;
    let (imported, value) = if has_imported { ("imported", "override") } else { ("", "value") };
    line.column(StyleRole::Dim, imported, columns.imported).put(StyleRole::Dim, value);
    line.finish()
}

/// The line of a field of the form, and the column of the cursor in it.
fn row(
    model: &Model,
    form: &EntryForm,
    field: &FormField,
    selected: bool,
    columns: &FormColumns,
) -> (Line<'static>, u16) {
    let glyphs = model.glyphs();
    let mut line = LineBuilder::new(model, columns.all);
    line.put(StyleRole::Focus, if selected { glyphs.cursor } else { " " });
    let (role, sign) = match (&field.problem, field.text != field.before) {
        (Some(_), _) => (StyleRole::Error, glyphs.failed),
        (None, true) => (StyleRole::Modified, "~"),
        (None, false) => (StyleRole::Dim, " "),
    };
    line.put(role, sign).put(StyleRole::Text, " ");
    line.column(StyleRole::Text, &fit_middle(&field.name(), columns.name), columns.name);
    line.put(StyleRole::Warning, if field.is_required { "*" } else { " " })
        .put(StyleRole::Text, " ");
    let imported = field.imported.as_ref().map_or("", |(text, _)| text.as_str());
    let cells = columns.imported.saturating_sub(2);
    let secrets = &model.look.secrets;
    let imported = fit_middle(&sanitize(&form.masked(field, imported, secrets)), cells);
    line.column(StyleRole::Dim, &imported, columns.imported);
    let start = columns.all.saturating_sub(line.room());
    let room = columns.value.saturating_sub(1);
    let (text, cursor) = if selected {
        form.input.window(room)
    } else {
        (fit(&sanitize(&form.masked(field, &field.text, secrets)), room), 0)
    };
    let is_choice = matches!(field.kind, FieldKind::Choice(_));
    match (text.is_empty(), is_choice && selected) {
        (true, false) => line.put(StyleRole::Dim, if selected { "" } else { glyphs.minus }),
        (true, true) => line.put(StyleRole::Dim, &format!("< {} >", glyphs.minus)),
        (false, true) => line.put(StyleRole::Key, &format!("< {text} >")),
        (false, false) => line.put(StyleRole::Text, &text),
    };
    let x = start + if is_choice { 0 } else { cursor };
    (line.finish(), to_u16(x))
}

/// Three lines: the description of the selected field, and its error.
fn field_description_lines(model: &Model, form: &EntryForm, columns: usize) -> Vec<Line<'static>> {
    let Some(field) = form.fields.get(form.selected) else { return Vec::new() };
    let required = if field.is_required { ", required" } else { "" };
    let dot = if field.description.is_empty() { "" } else { "  " };
    let about = format!("{}{dot}({}{required})", field.description, field.takes);
    let problem = field.problem.clone().or_else(|| form.refused.clone());
    let place = field.imported.as_ref().map(|(_, place)| format!("imported from {place}"));
    let second = match (problem, place) {
        (Some(problem), _) => (StyleRole::Error, format!("{} {problem}", model.glyphs().failed)),
        (None, Some(place)) => (StyleRole::Dim, place),
        (None, None) => (StyleRole::Dim, String::new()),
    };
    let about = wrap(&about, columns.saturating_sub(4)).into_iter().next().unwrap_or_default();
    let texts = [(StyleRole::Text, String::new()), (StyleRole::Text, about), second];
    let line = |(role, text): (StyleRole, String)| {
        of_texts(model, columns, &[(StyleRole::Text, "   "), (role, &text)])
    };
    texts.map(line).into()
}

/// The line above the diff: the name of the file, and whether it would change.
fn file(model: &Model, form: &EntryForm, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let rule = model.glyphs().line;
    line.put(StyleRole::Border, rule).put(StyleRole::Border, rule).put(StyleRole::Text, " ");
    line.put(StyleRole::Title, &form.file_name).put(StyleRole::Text, " ");
    let change = if form.rows.is_empty() { "is not changed yet " } else { "would change " };
    line.put(StyleRole::Dim, change);
    let rest = line.room();
    line.put(StyleRole::Border, &rule.repeat(rest));
    line.finish()
}

fn keys(model: &Model, form: &EntryForm, columns: usize) -> Vec<(&'static str, &'static str)> {
    let choice = form.fields.get(form.selected).map(|field| &field.kind);
    let mut pairs = vec![("tab", "next"), ("ctrl-s", "draft"), ("esc", "drop")];
    if matches!(choice, Some(FieldKind::Choice(_))) {
        pairs.insert(0, (model.glyphs().space, "choose"));
    }
    pairs.extend([("ctrl-u", "clear"), ("ctrl-e", "as text"), ("shift-tab", "back")]);
    let mut used = 0;
    pairs.retain(|(key, words)| {
        let cells = width(key) + width(words) + 4;
        let fits = used + cells <= columns;
        used += if fits { cells } else { 0 };
        fits
    });
    pairs
}

const FIELD_EDIT_COLUMNS: u16 = 116;
const HEAD_LINES: usize = 2;

pub(crate) fn draw_field_edit(painter: &mut DialogPainter<'_, '_>, edit: &FieldEdit) -> Position {
    let model = painter.model;
    let title = format!("{} of {}", sanitize(&edit.field), edit.name);
    let cells =
        dialog_area(painter.frame.area(), FIELD_EDIT_COLUMNS, 3).width.saturating_sub(3).into();
    let rows = state_rows(model, edit, cells);
    let lines: usize = rows.iter().map(Vec::len).sum();
    let inner = painter.dialog(&title, FIELD_EDIT_COLUMNS, to_u16(lines + HEAD_LINES + 3));
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
