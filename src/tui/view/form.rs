//! A form: fields with imported and overriding values, errors, and the diff of the file.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::super::model::{FieldKind, Form, FormField, Model};
use super::super::text::{fit, fit_middle, sanitize, width, wrap};
use super::super::theme::Role;
use super::dialog::{dialog, diff_line};
use super::line::LineBuilder;

/// Draws the form; returns the position of the cursor.
pub(super) fn draw(model: &Model, form: &Form, frame: &mut Frame<'_>) -> Option<Position> {
    let about = 3;
    let wanted = form.fields.len() + 1 + about + 1 + form.rows.len().max(3) + 1 + 2;
    let rows = u16::try_from(wanted).unwrap_or(u16::MAX);
    let inner = dialog(model, &form.title, 120, rows, frame);
    let height = usize::from(inner.height);
    if height < 4 {
        return None;
    }
    // The fields get up to half of the height, or the remaining height.
    let others = 1 + about + 1 + form.rows.len().max(1) + 1;
    let shown = form.fields.len().min(height.saturating_sub(others).max(height / 2 - 2)).max(1);
    let first = (form.selected + 1).saturating_sub(shown);
    let mut at = Painter { frame, inner, y: inner.y };
    let columns = columns_of(form, inner.width.into());
    at.put(&header(model, &columns));
    let mut cursor = None;
    for (index, field) in form.fields.iter().enumerate().skip(first).take(shown) {
        let selected = index == form.selected;
        let (line, x) = row(model, form, field, selected, &columns);
        if selected {
            cursor = Some(Position::new(inner.x + x, at.y));
        }
        at.put(&line);
        if selected {
            let area = Rect { y: at.y.saturating_sub(1), height: 1, ..inner };
            at.frame.buffer_mut().set_style(area, model.look.theme.style(Role::Selected));
        }
    }
    for line in explained(model, form, inner.width.into()).iter().take(about) {
        at.put(line);
    }
    let bottom = inner.bottom().saturating_sub(1);
    at.put(&file(model, form, inner.width.into()));
    for row in &form.rows {
        if at.y >= bottom {
            break;
        }
        at.put(&diff_line(model, &form.diff, *row, inner.width.into()));
    }
    at.y = bottom;
    at.put(&keys(model, form, inner.width.into()));
    cursor
}

struct Painter<'f, 'b> {
    frame: &'f mut Frame<'b>,
    inner: Rect,
    y: u16,
}

impl Painter<'_, '_> {
    fn put(&mut self, line: &Line<'static>) {
        if self.y < self.inner.bottom() {
            self.frame.buffer_mut().set_line(self.inner.x, self.y, line, self.inner.width);
            self.y += 1;
        }
    }
}

/// Cells of the columns.
struct Columns {
    name: usize,
    imported: usize,
    value: usize,
    all: usize,
}

fn columns_of(form: &Form, all: usize) -> Columns {
    let longest = form.fields.iter().map(|field| width(&field.name())).max().unwrap_or(8);
    let room = all.saturating_sub(6);
    let name = (longest + 1).clamp(8, (room / 3).max(8));
    let has_imported = form.fields.iter().any(|field| field.imported.is_some());
    let imported = if has_imported { room.saturating_sub(name) / 2 } else { 0 };
    Columns { name, imported, value: room.saturating_sub(name + imported), all }
}

fn header(model: &Model, columns: &Columns) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns.all);
    line.put(Role::Dim, "   ").column(Role::Dim, "field", columns.name).put(Role::Dim, "  ");
    line.column(Role::Dim, if columns.imported > 0 { "imported" } else { "" }, columns.imported);
    line.put(Role::Dim, if columns.imported > 0 { "written over it" } else { "value" });
    line.finish()
}

/// One field, and the column of the cursor in it.
fn row(
    model: &Model,
    form: &Form,
    field: &FormField,
    selected: bool,
    columns: &Columns,
) -> (Line<'static>, u16) {
    let glyphs = model.glyphs();
    let mut line = LineBuilder::new(model, columns.all);
    line.put(Role::Focus, if selected { glyphs.cursor } else { " " });
    let (role, sign) = match (&field.problem, field.text != field.before) {
        (Some(_), _) => (Role::Error, glyphs.failed),
        (None, true) => (Role::Modified, "~"),
        (None, false) => (Role::Dim, " "),
    };
    line.put(role, sign).put(Role::Text, " ");
    line.column(Role::Text, &fit_middle(&field.name(), columns.name), columns.name);
    line.put(Role::Warning, if field.is_required { "*" } else { " " }).put(Role::Text, " ");
    let imported = field.imported.as_ref().map_or("", |(text, _)| text.as_str());
    let cells = columns.imported.saturating_sub(2);
    let secrets = &model.look.secrets;
    let imported = fit_middle(&sanitize(&secrets.text(imported)), cells);
    line.column(Role::Dim, &imported, columns.imported);
    let start = columns.all.saturating_sub(line.room());
    let room = columns.value.saturating_sub(1);
    let (text, cursor) = if selected {
        form.input.window(room)
    } else {
        (fit(&sanitize(&secrets.text(&field.text)), room), 0)
    };
    let is_choice = matches!(field.kind, FieldKind::Choice(_));
    match (text.is_empty(), is_choice && selected) {
        (true, false) => line.put(Role::Dim, if selected { "" } else { glyphs.minus }),
        (true, true) => line.put(Role::Dim, &format!("< {} >", glyphs.minus)),
        (false, true) => line.put(Role::Key, &format!("< {text} >")),
        (false, false) => line.put(Role::Text, &text),
    };
    let x = start + if is_choice { 0 } else { cursor };
    (line.finish(), u16::try_from(x).unwrap_or(0))
}

/// The description of the selected field, and its error.
fn explained(model: &Model, form: &Form, columns: usize) -> Vec<Line<'static>> {
    let Some(field) = form.fields.get(form.selected) else { return Vec::new() };
    let required = if field.is_required { ", required" } else { "" };
    let dot = if field.description.is_empty() { "" } else { "  " };
    let about = format!("{}{dot}({}{required})", field.description, field.takes);
    let problem = field.problem.clone().or_else(|| form.refused.clone());
    let place = field.imported.as_ref().map(|(_, place)| format!("imported from {place}"));
    let second = match (problem, place) {
        (Some(problem), _) => (Role::Error, format!("{} {problem}", model.glyphs().failed)),
        (None, Some(place)) => (Role::Dim, place),
        (None, None) => (Role::Dim, String::new()),
    };
    let about = wrap(&about, columns.saturating_sub(4)).into_iter().next().unwrap_or_default();
    let texts = [(Role::Text, String::new()), (Role::Text, about), second];
    let lines = texts.into_iter().map(|(role, text)| {
        let mut line = LineBuilder::new(model, columns);
        line.put(Role::Text, "   ").put(role, &text);
        line.finish()
    });
    lines.collect()
}

/// The line above the difference.
fn file(model: &Model, form: &Form, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let rule = model.glyphs().line;
    line.put(Role::Border, rule).put(Role::Border, rule).put(Role::Text, " ");
    line.put(Role::Title, &form.file_name).put(Role::Text, " ");
    line.put(Role::Dim, if form.rows.is_empty() { "is not changed yet " } else { "would change " });
    let rest = line.room();
    line.put(Role::Border, &rule.repeat(rest));
    line.finish()
}

fn keys(model: &Model, form: &Form, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let choice = form.fields.get(form.selected).map(|field| &field.kind);
    let mut pairs = vec![("tab", "next"), ("ctrl-s", "draft"), ("esc", "drop")];
    if matches!(choice, Some(FieldKind::Choice(_))) {
        pairs.insert(0, (model.glyphs().space, "choose"));
    }
    pairs.extend([("ctrl-u", "clear"), ("ctrl-e", "as text"), ("shift-tab", "back")]);
    line.put(Role::Text, " ");
    for (key, words) in pairs {
        if line.room() >= width(key) + width(words) + 3 {
            line.put(Role::Key, key).put(Role::Text, &format!(" {words}   "));
        }
    }
    line.finish()
}
