//! The diff: the list of changed resources, and the lines.

use ratatui::text::Line;

use super::super::model::step_label;
use super::super::model::{CombinedDiffRow, Compare, Model};
use super::super::rows::change_sign;
use super::super::text::{
    DiffRow, DiffRowKind, LineDiff, TextLine, fit, fit_distinct, fit_location, width,
};
use super::super::theme::StyleRole;
use super::line::LineBuilder;

/// The title of the list of changes.
pub(super) fn changed_title(model: &Model) -> String {
    match model.compared() {
        Compare::Step => match model.builds.recording.step(model.cursor) {
            Some(step) => {
                let place = model.builds.recording.place(step.mark);
                let label = step_label(&model.builds.recording, model.cursor);
                format!("Step {}  {label}  {place}", model.cursor + 1).trim_end().to_owned()
            }
            None => "Step".to_owned(),
        },
        Compare::Output => match model.like.compared() {
            Some((before, now)) => format!("Output: {before} to {now}"),
            None => "Output: files to draft".to_owned(),
        },
        Compare::Files => "Files: disk to draft".to_owned(),
    }
}

/// The title of the diff.
pub(super) fn title(model: &Model) -> String {
    use super::super::model::Pane;
    let selected = model.list(Pane::Changed).selected;
    let Some(row) = model.diff.changed.get(selected) else { return "Diff".to_owned() };
    let name = format!("{} {}", row.kind, row.name);
    let place = match model.diff.changed.len() {
        1 => String::new(),
        all => format!("  {} of {all}", selected + 1),
    };
    format!("{}{}{place}", name.trim(), lines_words(model, selected))
}

/// The number of added and removed lines, as in `  +3 −1`.
fn lines_words(model: &Model, part: usize) -> String {
    let lines = model.diff.whole.part(part).map(LineDiff::changed_lines);
    let (removed, added) = lines.unwrap_or_default();
    format!("  +{added} {}{removed}", model.glyphs().minus)
}

/// The heading above the rows of a resource or file.
fn heading(model: &Model, part: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.diff.changed.get(part) else { return line.finish() };
    let (role, sign) = change_sign(model, row);
    let is_selected = model.list(super::super::model::Pane::Changed).selected == part;
    let mark = if is_selected { model.glyphs().cursor } else { " " };
    line.put(StyleRole::Focus, mark).put(role, sign).put(StyleRole::Text, " ");
    let mut words = lines_words(model, part);
    let (kind, name) = (width(&row.kind), width(&row.name));
    if kind + 1 + name + width(&words) > line.room() {
        // With little room, the name is more important than the size of the diff.
        words.clear();
    }
    if kind > 0 {
        let kind = kind.min(line.room().saturating_sub(name + 1).max(line.room() / 3));
        line.column(StyleRole::Dim, &fit(&row.kind, kind), kind).put(StyleRole::Text, " ");
    }
    let room = line.room().saturating_sub(width(&words) + 1);
    let near = [part.checked_sub(1), Some(part + 1)].into_iter().flatten();
    let near = near.filter_map(|near| model.diff.changed.get(near)).map(|row| &*row.name);
    line.put(StyleRole::Title, &fit_distinct(&row.name, room, near)).put(StyleRole::Dim, &words);
    if columns < super::UNWRAPPED_COLUMNS {
        let rule = line.room().saturating_sub(1);
        line.put(StyleRole::Text, " ").put(StyleRole::Border, &model.glyphs().line.repeat(rule));
    }
    line.finish()
}

/// The line of a row of the diff.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let Some(CombinedDiffRow { part, row }) = model.diff.whole.rows.get(index) else {
        return Line::default();
    };
    let Some((row, diff)) = row.zip(model.diff.whole.part(*part)) else {
        return heading(model, *part, columns);
    };
    if let DiffRowKind::Fold(lines) = row.kind {
        let mut line = LineBuilder::new(model, columns);
        line.put(
            StyleRole::Dim,
            &format!("      {} {lines} unchanged lines  }}: show more", model.glyphs().fold),
        );
        return line.finish();
    }
    if model.diff.whole.is_side_by_side() {
        side_by_side(model, (diff, row), columns)
    } else {
        unified(model, (diff, row), columns)
    }
}

/// The maximum width in cells of a line's location, and the minimum if it is cut.
const MAX_PLACE_CELLS: usize = 24;
const MIN_PLACE_CELLS: usize = 14;

fn unified(model: &Model, (diff, row): (&LineDiff, DiffRow), columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let number = |at: Option<usize>| at.map(|at| (at + 1).to_string()).unwrap_or_default();
    if columns >= 50 {
        line.push_right_aligned(StyleRole::Dim, &number(row.left), 4);
        line.push_right_aligned(StyleRole::Dim, &number(row.right), 5);
    }
    // A line that is wrapped has no fixed right end for the location.
    let why =
        (70..super::UNWRAPPED_COLUMNS).contains(&columns) && matches!(row.kind, DiffRowKind::Added);
    let written = row.right.filter(|_| why).and_then(|at| diff.right.get(at));
    let place = written.map(|line| model.builds.recording.place(line.mark));
    let place = place.filter(|place| !place.is_empty());
    let mut out = line.finish();
    let numbers = out.width();
    let text = |columns: usize| {
        let mut text = LineBuilder::new(model, columns.saturating_sub(numbers));
        side(&mut text, (model, diff), row);
        text.finish()
    };
    let mut whole = text(columns);
    // The text gets its room first; the location gets the rest, if that is enough to recognize it.
    let left = columns.saturating_sub(numbers + whole.width());
    let wanted = place.as_ref().map_or(0, |place| (width(place) + 1).min(MAX_PLACE_CELLS));
    let body = columns.saturating_sub(left.clamp(wanted.min(MIN_PLACE_CELLS), wanted));
    if left < wanted {
        whole = text(body);
    }
    out.spans.extend(whole.spans);
    if let Some(place) = place {
        let used: usize = out.width();
        let mut tail = LineBuilder::new(model, columns.saturating_sub(used));
        tail.pad_to(body.saturating_sub(used));
        let room = tail.room();
        tail.push_right_aligned(
            StyleRole::Place,
            &fit_location(&place, room.saturating_sub(1)),
            room,
        );
        out.spans.extend(tail.finish().spans);
    }
    out
}

fn side_by_side(model: &Model, (diff, row): (&LineDiff, DiffRow), columns: usize) -> Line<'static> {
    let both = row.left.is_some() && row.right.is_some();
    let half = columns.saturating_sub(1) / 2;
    let (left_kind, right_kind) = match row.kind {
        DiffRowKind::Changed => (DiffRowKind::Removed, DiffRowKind::Added),
        kind => (kind, kind),
    };
    let mut left = LineBuilder::new(model, half);
    if let Some(at) = row.left {
        left.push_right_aligned(StyleRole::Dim, &(at + 1).to_string(), 4);
        side(&mut left, (model, diff), DiffRow { kind: left_kind, right: None, ..row });
    }
    left.pad_to(half);
    let mut out = left.finish();
    let mut right = LineBuilder::new(model, columns.saturating_sub(half));
    let bar = match model.look.icons {
        super::super::Icons::Unicode => "│",
        super::super::Icons::Ascii => "|",
    };
    right.put(StyleRole::Border, bar);
    if let Some(at) = row.right {
        right.push_right_aligned(StyleRole::Dim, &(at + 1).to_string(), 4);
        let kind =
            if both && row.kind == DiffRowKind::Same { DiffRowKind::Same } else { right_kind };
        side(&mut right, (model, diff), DiffRow { kind, left: None, ..row });
    }
    out.spans.extend(right.finish().spans);
    out
}

/// Adds the symbol and the text of one side of a diff row.
fn side(line: &mut LineBuilder<'_>, (model, diff): (&Model, &LineDiff), row: DiffRow) {
    let cells = line.room().saturating_sub(SIGN_CELLS);
    let Some(shown) = diff.shown(row, cells) else { return };
    draw_side(line, model, row.kind, &shown.text, &shown.words);
}

/// The cells of the sign before a line.
pub(super) const SIGN_CELLS: usize = 3;

/// Adds a line of a diff with its symbol; also used in questions with a diff.
pub(super) fn draw_side(
    line: &mut LineBuilder<'_>,
    model: &Model,
    kind: DiffRowKind,
    text: &TextLine,
    words: &[std::ops::Range<usize>],
) {
    match kind {
        DiffRowKind::Added => {
            line.put(StyleRole::Added, " + ");
            line.push_emphasized(
                text,
                words,
                model.look.theme.style(StyleRole::AddedWord),
                Some(StyleRole::Added),
            );
        }
        DiffRowKind::Removed => {
            line.put(StyleRole::Removed, " ")
                .put(StyleRole::Removed, model.glyphs().minus)
                .put(StyleRole::Removed, " ");
            line.push_emphasized(
                text,
                words,
                model.look.theme.style(StyleRole::RemovedWord),
                Some(StyleRole::Removed),
            );
        }
        _ => {
            line.put(StyleRole::Text, "   ").text_line(text);
        }
    }
}
