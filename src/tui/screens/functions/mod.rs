//! The functions of the build.

pub(crate) mod state;

use std::path::PathBuf;

use ratatui::text::Line;

use crate::engine::plugin::Severity;
use crate::model::{
    Decider, EmptyText, Model, Pane, PaneContent, PaneView, Screen, StepState, catalog_rows,
    decider, function_rows, titled,
};
use crate::rows::step_sign;
use crate::text::{fit_middle, sanitize, width};
use crate::theme::StyleRole;
use crate::update::derive::derive_resources;
use crate::update::note;
use crate::update::selection::{focus, show_resource, show_screen};
use crate::view::line::LineBuilder;

pub(crate) static FUNCTIONS: PaneView = PaneView {
    title,
    count: |model| model.functions.rows.len(),
    content: PaneContent::Drawn(row),
    text: |model, row| {
        let row = model.functions.rows.get(row)?;
        Some(format!("{} {} {}", row.name, row.runtime, row.program))
    },
    header,
    empty: EmptyText::Build(|_| Some("no function in this build runs a program".to_owned())),
    place,
    open: open_function,
    ..PaneView::LIST
};

pub(crate) static RESULTS: PaneView = PaneView {
    title: |_| "Results".to_owned(),
    count: |model| model.functions.results.len(),
    content: PaneContent::Drawn(result_row),
    text: |model, row| {
        let row = model.functions.results.get(row)?;
        Some(format!("{} {} {}", row.resource, row.field, row.text))
    },
    empty: EmptyText::Build(|model| {
        let row = model.functions.rows.get(model.list(Pane::Functions).selected)?;
        let is_pending = row.waits_for.is_some();
        Some(if is_pending { "not run (enter: requirements)" } else { "no results" }.to_owned())
    }),
    place,
    open: open_function,
    ..PaneView::LIST
};

pub(crate) static INVOCATION: PaneView = PaneView {
    title: |model| titled("Invocation", &model.functions.invocation.title),
    content: PaneContent::Text(|model| &model.functions.invocation.lines),
    place,
    ..PaneView::TEXT
};

/// The widths in cells of the columns; a column without room is omitted.
struct FunctionColumns {
    name: usize,
    runtime: usize,
    program: usize,
    time: usize,
}

fn columns_of(model: &Model, columns: usize) -> FunctionColumns {
    let longest = model.functions.rows.iter().map(|row| width(&row.name)).max().unwrap_or(8);
    // The fixed columns: symbol and number, input and output, three counts, exit status.
    let room = columns.saturating_sub(8 + 10 + 12 + 5);
    let time = if room >= 40 { 10 } else { 0 };
    let runtime = if room >= 46 { 11 } else { 0 };
    let name = longest.clamp(8, room.saturating_sub(time + runtime + 3).max(8)).min(36);
    FunctionColumns { name, runtime, program: room.saturating_sub(name + runtime + time + 3), time }
}

fn title(model: &Model) -> String {
    let waiting = model.functions.rows.iter().filter(|row| row.waits_for.is_some()).count();
    let ran = model.functions.rows.len() - waiting;
    match waiting {
        0 => format!("Functions  {ran} run"),
        _ => format!("Functions  {ran} run  {waiting} pending"),
    }
}

fn header(model: &Model, columns: u16) -> Vec<Line<'static>> {
    if model.functions.rows.is_empty() {
        return Vec::new();
    }
    let cells = columns_of(model, columns.into());
    let mut line = LineBuilder::new(model, columns.into());
    line.put(StyleRole::Dim, "     #  ")
        .column(StyleRole::Dim, "function", cells.name)
        .put(StyleRole::Dim, " ");
    line.column(StyleRole::Dim, "runtime", cells.runtime);
    line.column(StyleRole::Dim, "image or program", cells.program).put(StyleRole::Dim, "  ");
    line.push_right_aligned(StyleRole::Dim, "in", 5).push_right_aligned(StyleRole::Dim, "out", 5);
    for sign in ["~", "+", model.glyphs().minus] {
        line.push_right_aligned(StyleRole::Dim, sign, 4);
    }
    line.push_right_aligned(StyleRole::Dim, if cells.time > 0 { "time" } else { "" }, cells.time);
    line.push_right_aligned(StyleRole::Dim, "exit", 5);
    vec![line.finish()]
}

fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.functions.rows.get(index) else { return line.finish() };
    let Some(step) = model.builds.recording.step(row.step) else { return line.finish() };
    let cells = columns_of(model, columns);
    let (role, sign) = step_sign(model, StepState::from_step(step));
    line.put(StyleRole::Text, " ").column(role, sign, 1);
    line.push_right_aligned(StyleRole::Step, &(row.step + 1).to_string(), 4)
        .put(StyleRole::Text, "  ");
    line.column(StyleRole::Text, &fit_middle(&row.name, cells.name), cells.name)
        .put(StyleRole::Text, " ");
    let Some(run) = &step.run else {
        let why = row.waits_for.as_ref().map(ToString::to_string).unwrap_or_default();
        let why = sanitize(&why);
        // The name of the function is already shown before.
        let why = match why.split_once(')') {
            Some((head, rest)) if head.contains("function ") && head.contains(&row.name) => {
                rest.trim_start_matches(['\'', ':', ' '])
            }
            _ => &why,
        };
        line.put(StyleRole::Warning, "pending: ");
        // Both ends of the reason matter: the catalog, and the missing decision.
        let why = fit_middle(why, line.room());
        line.put(StyleRole::Dim, &why);
        return line.finish();
    };
    line.column(StyleRole::Dim, row.runtime, cells.runtime);
    line.column(StyleRole::Place, &fit_middle(&row.program, cells.program), cells.program);
    line.put(StyleRole::Text, "  ");
    line.push_right_aligned(StyleRole::Text, &run.items_in.to_string(), 5);
    line.push_right_aligned(StyleRole::Text, &run.items_out.to_string(), 5);
    let counts = step.counts;
    for (count, role) in [
        (counts.modified, StyleRole::Modified),
        (counts.added, StyleRole::Added),
        (counts.removed, StyleRole::Removed),
    ] {
        let text = if count == 0 { ".".to_owned() } else { count.to_string() };
        line.push_right_aligned(if count == 0 { StyleRole::Dim } else { role }, &text, 4);
    }
    let time =
        if run.cached { "recorded".to_owned() } else { format!("{}ms", run.time.as_millis()) };
    line.push_right_aligned(StyleRole::Dim, if cells.time > 0 { &time } else { "" }, cells.time);
    let exit = run.status.map_or(model.glyphs().minus.to_owned(), |status| status.to_string());
    let failed = run.status != Some(0);
    line.push_right_aligned(if failed { StyleRole::Error } else { StyleRole::Dim }, &exit, 5);
    line.finish()
}

fn result_row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.functions.results.get(index) else { return line.finish() };
    let glyphs = model.glyphs();
    let (role, sign) = match row.severity {
        Severity::Error => (StyleRole::Error, glyphs.failed),
        Severity::Warning => (StyleRole::Warning, glyphs.warning),
        Severity::Info => (StyleRole::Dim, glyphs.no_change),
    };
    line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
    line.put(role, row.severity.word()).put(StyleRole::Text, "  ");
    if !row.resource.is_empty() {
        line.put(StyleRole::Text, &row.resource).put(StyleRole::Text, "  ");
    }
    if !row.field.is_empty() {
        line.put(StyleRole::Place, &row.field).put(StyleRole::Text, "  ");
    }
    line.put(StyleRole::Text, &row.text);
    line.finish()
}

pub(crate) fn decide(model: &mut Model, decider: Decider) {
    let (screen, pane, row) = match decider {
        Decider::Catalog(catalog) => {
            let rows = catalog_rows(&model.builds.recording);
            let row = rows.iter().position(|row| row.catalog == catalog && row.entry.is_none());
            (Screen::Catalogs, Pane::Catalogs, row)
        }
        Decider::Function(step) => {
            let rows = function_rows(&model.builds.recording);
            (Screen::Functions, Pane::Functions, rows.iter().position(|row| row.step == step))
        }
    };
    show_screen(model, screen);
    focus(model, pane);
    model.list_mut(pane).selected = row.unwrap_or(0);
}

/// Opens the selection: from a function whose catalog is not trusted, the Catalogs screen; from any
/// other function, its results; from a result, its resource.
fn open_function(model: &mut Model) {
    let row = model.functions.rows.get(model.list(Pane::Functions).selected);
    let waits = row.filter(|row| row.waits_for.is_some()).map(|row| row.step);
    match waits.and_then(|step| decider(&model.builds.recording, step)) {
        Some(catalog @ Decider::Catalog(_)) => decide(model, catalog),
        _ if model.focused() == Pane::Results => open_result(model),
        _ => focus(model, Pane::Results),
    }
}

fn open_result(model: &mut Model) {
    let row = model.functions.results.get(model.list(Pane::Results).selected).cloned();
    let step = model.functions.rows.get(model.list(Pane::Functions).selected).map(|row| row.step);
    let Some(key) = row.as_ref().and_then(|row| row.key.clone()) else {
        return note(
            model,
            "the resource of this result is neither in the input nor in the output",
        );
    };
    if let Some(step) = step {
        model.cursor = step;
    }
    show_resource(model, key);
    derive_resources(model);
    let field = row.map(|row| row.field).unwrap_or_default();
    let lines = &model.resources.lines;
    let line = lines.iter().position(|line| *line.path == *field).or_else(|| {
        let written = crate::model::with_brackets(&field);
        lines.iter().position(|line| *line.path == *written)
    });
    model.list_mut(Pane::Resource).selected = line.unwrap_or(0);
}

fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let row = model.functions.rows.get(model.list(Pane::Functions).selected)?;
    let step = model.builds.recording.step(row.step)?;
    Some((PathBuf::from(model.builds.recording.file(step.mark)?), step.mark.line))
}
