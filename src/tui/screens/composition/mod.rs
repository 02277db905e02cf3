//! The entries of a Composition.

pub(crate) mod keys;
pub(crate) mod state;

use ratatui::text::Line;

use crate::model::{
    EmptyText, Model, Pane, PaneContent, PaneView, PipelineKind, PipelineRow, count_pending, titled,
};
use crate::text::{fit_location, fit_middle, width};
use crate::theme::StyleRole;
use crate::update::selection;
use crate::view::line::LineBuilder;

pub(crate) static PIPELINE: PaneView = PaneView {
    title,
    count: |model| model.composition.rows.len(),
    content: PaneContent::Drawn(row),
    text: |model, row| {
        let row = model.composition.rows.get(row)?;
        Some(format!("{} {} {}", row.name, row.object, row.from))
    },
    header,
    empty: EmptyText::Build(|model| Some(empty_pipeline_text(model))),
    place: keys::place,
    open: |model| selection::focus(model, Pane::Entry),
    ..PaneView::LIST
};

pub(crate) static IMPORTS: PaneView = PaneView {
    title: |_| "Imports".to_owned(),
    content: PaneContent::Text(|model| &model.composition.imports),
    place: keys::place,
    ..PaneView::TEXT
};

pub(crate) static ENTRY: PaneView = PaneView {
    title: |model| titled("Entry", &model.composition.entry.title),
    content: PaneContent::Text(|model| &model.composition.entry.lines),
    place: keys::place,
    ..PaneView::TEXT
};

/// The widths in cells of the columns; a column without room is omitted.
struct CompositionColumns {
    name: usize,
    object: usize,
    from: usize,
    flags: usize,
    runtime: usize,
}

fn columns_of(model: &Model, columns: usize) -> CompositionColumns {
    let longest = |of: fn(&PipelineRow) -> &str, least: usize| {
        let entries = model.composition.rows.iter();
        let entries = entries.filter(|row| !matches!(row.kind, PipelineKind::Field(..)));
        entries.map(|row| width(of(row))).max().unwrap_or(0).max(least) + 1
    };
    // The fixed columns: symbol and number, objects before and after.
    let room = columns.saturating_sub(6 + 10);
    let runtime = if room >= 52 { 11 } else { 0 };
    let flags = if room >= 60 { 10 } else { 2 };
    let room = room.saturating_sub(runtime + flags);
    // Names distinguish entries: the kind is cut first.
    let name = longest(|row| &row.name, 8).min(room * 2 / 5);
    let from = longest(|row| &row.from, 9).min(room / 3);
    let object = longest(|row| &row.object, 6).min(room.saturating_sub(name + from));
    CompositionColumns { name, object, from, flags, runtime }
}

fn title(model: &Model) -> String {
    match model.composition_result() {
        Some(shown) => format!("Pipeline  {}", model.builds.recording.shorten(&shown.file)),
        None => "Pipeline".to_owned(),
    }
}

fn header(model: &Model, columns: u16) -> Vec<Line<'static>> {
    if model.composition.rows.is_empty() {
        return Vec::new();
    }
    let cells = columns_of(model, columns.into());
    let mut line = LineBuilder::new(model, columns.into());
    line.put(StyleRole::Dim, "    #  ").column(StyleRole::Dim, "name", cells.name);
    line.column(StyleRole::Dim, "kind", cells.object).column(StyleRole::Dim, "from", cells.from);
    line.column(StyleRole::Dim, if cells.flags > 2 { "changed" } else { "" }, cells.flags);
    line.column(StyleRole::Dim, "runtime", cells.runtime);
    line.push_right_aligned(StyleRole::Dim, "in", 4).push_right_aligned(StyleRole::Dim, "out", 5);
    vec![line.finish()]
}

fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.composition.rows.get(index) else { return line.finish() };
    let glyphs = model.glyphs();
    if matches!(row.kind, PipelineKind::Field(..)) {
        return field_row(line, row);
    }
    let cells = columns_of(model, columns);
    let recording = &model.builds.recording;
    let waits = count_pending(recording, row.steps.iter().copied()) > 0;
    let first = row.steps.iter().min().copied().unwrap_or_default();
    let is_after_pending = count_pending(recording, 0..first) > 0;
    let (role, sign, number) = match row.kind {
        PipelineKind::Runs(at) if waits => {
            (StyleRole::Warning, glyphs.waiting, (at + 1).to_string())
        }
        PipelineKind::Runs(at) => (StyleRole::Ok, glyphs.on, (at + 1).to_string()),
        _ => (StyleRole::Dim, glyphs.off, glyphs.minus.to_owned()),
    };
    line.put(StyleRole::Text, " ").put(role, sign);
    line.push_right_aligned(StyleRole::Step, &number, 3).put(StyleRole::Text, "  ");
    let runs = matches!(row.kind, PipelineKind::Runs(_));
    let text = if runs { StyleRole::Text } else { StyleRole::Dim };
    let cut = |text: &str, cells: usize| fit_middle(text, cells.saturating_sub(1));
    line.column(text, &cut(&row.name, cells.name), cells.name);
    line.column(StyleRole::Dim, &cut(&row.object, cells.object), cells.object);
    let from = fit_location(&row.from, cells.from.saturating_sub(1));
    line.column(StyleRole::Place, &from, cells.from);
    let flag = match (row.kind, row.overridden, row.ordered) {
        (PipelineKind::Removed(_), ..) => "deleted",
        (_, true, _) => "override",
        (_, false, true) => "order",
        _ => "",
    };
    let flag = if cells.flags > 2 { flag } else { flag.get(..1).unwrap_or("") };
    line.column(StyleRole::Modified, flag, cells.flags);
    line.column(StyleRole::Dim, row.runtime, cells.runtime);
    let none = glyphs.minus.to_owned();
    let (before, after) = match row.objects {
        // After a pending entry, the input is not known either.
        Some(_) if is_after_pending => ("?".to_owned(), "?".to_owned()),
        // If the entry is pending, its output is not known.
        Some((before, _)) if waits => (before.to_string(), "?".to_owned()),
        Some((before, after)) => (before.to_string(), after.to_string()),
        None => (none.clone(), none),
    };
    line.push_right_aligned(StyleRole::Dim, &before, 4);
    line.push_right_aligned(StyleRole::Text, &after, 5);
    line.finish()
}

/// The line of an overridden field, with the locations if there is room.
fn field_row(mut line: LineBuilder<'_>, row: &PipelineRow) -> Line<'static> {
    line.put(StyleRole::Text, "       ").put(StyleRole::Dim, &row.name);
    let values = fit_values(&row.object, line.room().saturating_sub(2));
    line.put(StyleRole::Modified, &format!("  {values}"));
    if width(&row.from) + 2 <= line.room() {
        line.put(StyleRole::Place, &format!("  {}", row.from));
    }
    line.finish()
}

/// The values of a field in `cells`: each is cut in its middle, since often only the ends differ.
fn fit_values(values: &str, cells: usize) -> String {
    const ARROW: &str = " → ";
    if width(values) <= cells {
        return values.to_owned();
    }
    let parts: Vec<&str> = values.split(ARROW).collect();
    let room = cells.saturating_sub((parts.len() - 1) * width(ARROW)) / parts.len();
    let parts = parts.into_iter().map(|part| fit_middle(part, room));
    parts.collect::<Vec<_>>().join(ARROW)
}

pub(crate) fn missing_effect_text(model: &Model) -> &'static str {
    let row = model.composition.rows.get(model.list(Pane::Pipeline).selected);
    match row
        .map(|row| (row.kind, count_pending(&model.builds.recording, row.steps.iter().copied())))
    {
        Some((PipelineKind::Runs(_) | PipelineKind::Field(..), 0)) => "no change",
        Some((PipelineKind::Runs(_) | PipelineKind::Field(..), _)) => {
            "pending: its effect is not known"
        }
        Some(_) => "off (space: try it)",
        None => "",
    }
}

fn empty_pipeline_text(model: &Model) -> String {
    match model.composition_result().map(|shown| &shown.result) {
        Some(Err(error)) => {
            let place = model.builds.recording.location(error.mark);
            let message = model.look.secrets.text(&error.message);
            format!("{} {message}\n{place}", model.glyphs().failed)
        }
        Some(Ok(_)) => "no entries in this Composition".to_owned(),
        None => "no Composition (composition.yaml) in this target".to_owned(),
    }
}
