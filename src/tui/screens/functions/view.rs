//! Functions: finished and pending runs, and their results.

use ratatui::text::Line;

use crate::engine::plugin::Severity;
use crate::model::{Model, StepState};
use crate::rows::step_sign;
use crate::text::{fit_middle, sanitize, width};
use crate::theme::StyleRole;
use crate::view::line::LineBuilder;

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

pub(crate) fn title(model: &Model) -> String {
    let waiting = model.functions.rows.iter().filter(|row| row.waits_for.is_some()).count();
    let ran = model.functions.rows.len() - waiting;
    match waiting {
        0 => format!("Functions  {ran} run"),
        _ => format!("Functions  {ran} run  {waiting} pending"),
    }
}

pub(crate) fn header(model: &Model, columns: u16) -> Vec<Line<'static>> {
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

pub(crate) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
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

pub(crate) fn result_row(model: &Model, index: usize, columns: usize) -> Line<'static> {
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
