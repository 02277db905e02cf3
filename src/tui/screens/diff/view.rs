//! The diff: the list of changed resources, and the lines.

use ratatui::text::Line;

use crate::model::{CombinedDiffRow, Compare, Model, step_label};
use crate::rows::change_sign;
use crate::text::{DiffRow, DiffRowKind, LineDiff, TextLine, fit, fit_distinct, width};
use crate::theme::StyleRole;
use crate::view::line::{LineBuilder, folded, of_texts};

pub(crate) fn changed_title(model: &Model) -> String {
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

pub(crate) fn title(model: &Model) -> String {
    use crate::model::Pane;
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

fn heading(model: &Model, part: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.diff.changed.get(part) else { return line.finish() };
    let (role, sign) = change_sign(model, row);
    let is_selected = model.list(crate::model::Pane::Changed).selected == part;
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
    let name = fit_distinct(&row.name, room, &near.collect::<Vec<_>>(), fit);
    line.put(StyleRole::Title, &name).put(StyleRole::Dim, &words);
    if columns < crate::view::UNWRAPPED_COLUMNS {
        let rule = line.room().saturating_sub(1);
        line.put(StyleRole::Text, " ").put(StyleRole::Border, &model.glyphs().line.repeat(rule));
    }
    line.finish()
}

pub(crate) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    row_for_pane(model, index, columns, columns)
}

/// The line of a row in `columns`, for a pane of `pane` columns: narrow panes have no numbers.
pub(crate) fn row_for_pane(
    model: &Model,
    index: usize,
    columns: usize,
    pane: usize,
) -> Line<'static> {
    let Some(CombinedDiffRow { part, row }) = model.diff.whole.rows.get(index) else {
        return Line::default();
    };
    let Some((row, diff)) = row.zip(model.diff.whole.part(*part)) else {
        return heading(model, *part, columns);
    };
    if let DiffRowKind::Fold(lines) = row.kind {
        let fold = model.glyphs().fold;
        let words = format!("      {fold} {lines} unchanged lines  }}: show more");
        return of_texts(model, columns, &[(StyleRole::Dim, &words)]);
    }
    if model.diff.whole.is_side_by_side() {
        let half = columns.saturating_sub(1) / 2;
        let [left, right] = sides(model, (diff, row), half);
        return joined(left, right, half);
    }
    let mut line = LineBuilder::new(model, columns);
    if pane >= NUMBER_COLUMNS {
        let number = |at: Option<usize>| at.map(|at| (at + 1).to_string()).unwrap_or_default();
        line.push_right_aligned(StyleRole::Dim, &number(row.left), NUMBER_CELLS);
        line.push_right_aligned(StyleRole::Dim, &number(row.right), NUMBER_CELLS + 1);
    }
    side(&mut line, (model, diff), row);
    line.finish()
}

/// The columns from which added lines have a location.
const PLACE_COLUMNS: usize = 70;

/// The location where an added line is written, if the pane has room for locations.
pub(crate) fn written_at(model: &Model, index: usize, columns: usize) -> Option<String> {
    let CombinedDiffRow { part, row } = model.diff.whole.rows.get(index)?;
    let at = row.filter(|row| row.kind == DiffRowKind::Added)?.right?;
    let line = model.diff.whole.part(*part)?.right.get(at)?;
    let place = model.builds.recording.place(line.mark);
    (columns >= PLACE_COLUMNS && !place.is_empty()).then_some(place)
}

/// The columns from which lines have their numbers on both sides.
const NUMBER_COLUMNS: usize = 50;

pub(crate) fn split_lines(model: &Model, index: usize, columns: usize) -> Vec<Line<'static>> {
    let Some(CombinedDiffRow { part, row }) = model.diff.whole.rows.get(index) else {
        return Vec::new();
    };
    let shown = row.zip(model.diff.whole.part(*part));
    let shown = shown.filter(|(row, _)| !matches!(row.kind, DiffRowKind::Fold(_)));
    let Some((row, diff)) = shown else { return vec![self::row(model, index, columns)] };
    let half = columns.saturating_sub(1) / 2;
    let indent = |at: Option<usize>, lines: &[TextLine]| {
        let text = at.and_then(|at| lines.get(at)).map_or(0, |it| it.indent);
        NUMBER_CELLS + SIGN_CELLS + text + 2
    };
    let [left, right] = sides(model, (diff, row), crate::view::UNWRAPPED_COLUMNS);
    let left = folded(&left, half, indent(row.left, &diff.left));
    let right = folded(&right, columns.saturating_sub(half + 1), indent(row.right, &diff.right));
    let line = |lines: &[Line<'static>], at: usize| lines.get(at).cloned().unwrap_or_default();
    let count = left.len().max(right.len());
    (0..count).map(|at| joined(line(&left, at), line(&right, at), half)).collect()
}

/// Both sides of a line, with the border between them after `half` columns.
fn joined(mut left: Line<'static>, right: Line<'static>, half: usize) -> Line<'static> {
    left.spans.push(" ".repeat(half.saturating_sub(left.width())).into());
    left.spans.push("│".into());
    left.spans.extend(right.spans);
    left
}

const NUMBER_CELLS: usize = 4;

fn sides(model: &Model, (diff, row): (&LineDiff, DiffRow), columns: usize) -> [Line<'static>; 2] {
    let (left_kind, right_kind) = match row.kind {
        DiffRowKind::Changed => (DiffRowKind::Removed, DiffRowKind::Added),
        kind => (kind, kind),
    };
    let of = |at: Option<usize>, row: DiffRow| {
        let mut line = LineBuilder::new(model, columns);
        if let Some(at) = at {
            line.push_right_aligned(StyleRole::Dim, &(at + 1).to_string(), NUMBER_CELLS);
            side(&mut line, (model, diff), row);
        }
        line.finish()
    };
    [
        of(row.left, DiffRow { kind: left_kind, right: None, ..row }),
        of(row.right, DiffRow { kind: right_kind, left: None, ..row }),
    ]
}

fn side(line: &mut LineBuilder<'_>, (model, diff): (&Model, &LineDiff), row: DiffRow) {
    if let Some((text, words)) = diff.line(row) {
        draw_side(line, model, row.kind, text, words);
    }
}

pub(crate) const SIGN_CELLS: usize = 3;

/// Adds a line of a diff with its symbol; also used in questions with a diff.
pub(crate) fn draw_side(
    line: &mut LineBuilder<'_>,
    model: &Model,
    kind: DiffRowKind,
    text: &TextLine,
    words: &[std::ops::Range<usize>],
) {
    let (role, word_role, sign) = match kind {
        DiffRowKind::Added => (StyleRole::Added, StyleRole::AddedWord, "+"),
        DiffRowKind::Removed => (StyleRole::Removed, StyleRole::RemovedWord, model.glyphs().minus),
        DiffRowKind::Same | DiffRowKind::Changed | DiffRowKind::Fold(_) => {
            line.put(StyleRole::Text, "   ").text_line(text);
            return;
        }
    };
    line.put(role, " ").put(role, sign).put(role, " ");
    line.push_emphasized(text, words, model.look.theme.style(word_role), Some(role));
}
