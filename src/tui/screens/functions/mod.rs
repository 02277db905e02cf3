//! The functions of the build.

pub(crate) mod state;

use std::path::PathBuf;

use crate::engine::plugin::Severity;
use crate::model::{
    Decider, EmptyText, Model, Pane, PaneContent, PaneView, Screen, StepState, TextAbout,
    catalog_rows, decider, function_rows, titled,
};
use crate::rows::{Cell, Keep, ListRow, step_sign};
use crate::screens::steps::counts;
use crate::text::{fit, sanitize};
use crate::theme::StyleRole;
use crate::update::derive::derive_resources;
use crate::update::note;
use crate::update::selection::{focus, show_resource, show_screen};

pub(crate) static FUNCTIONS: PaneView = PaneView {
    title,
    count: |model| model.functions.rows.len(),
    content: PaneContent::Cells(|model, index, _| row(model, index)),
    text: |model, row| {
        let row = model.functions.rows.get(row)?;
        Some(format!("{} {} {}", row.name, row.runtime, row.program))
    },
    names: Some(|model, _| header(model)),
    empty: EmptyText::Build(|_| Some("no function in this build runs a program".to_owned())),
    place,
    open: open_function,
    ..PaneView::LIST
};

pub(crate) static RESULTS: PaneView = PaneView {
    title: |_| "Results".to_owned(),
    count: |model| model.functions.results.len(),
    content: PaneContent::Cells(|model, index, _| result_row(model, index)),
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
    title: |model| titled("Invocation", &model.text_in(Pane::Invocation).title),
    content: PaneContent::About(TextAbout {
        list: |_| Pane::Functions,
        edition: |model| (model.builds.generation, 0),
        make: state::invocation,
    }),
    place,
    ..PaneView::TEXT
};

fn title(model: &Model) -> String {
    let waiting = model.functions.rows.iter().filter(|row| row.waits_for.is_some()).count();
    let ran = model.functions.rows.len() - waiting;
    match waiting {
        0 => format!("Functions  {ran} run"),
        _ => format!("Functions  {ran} run  {waiting} pending"),
    }
}

fn header(model: &Model) -> ListRow {
    let numbers = ["in", "out", "~", "+", model.glyphs().minus, "time", "exit"];
    ListRow::header("     #  ", &["function", "runtime", "image or program"], &numbers)
}

fn row(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.functions.rows.get(index)?;
    let step = model.builds.recording.step(row.step)?;
    let (role, sign) = step_sign(model, StepState::from_step(step));
    let lead = vec![
        (role, format!(" {}", fit(sign, 1))),
        (StyleRole::Step, format!("{:>4}  ", row.step + 1)),
    ];
    let mut cells = vec![Cell::new(StyleRole::Text, Keep::Ends, &row.name)];
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
        cells.push(Cell::new(StyleRole::Warning, Keep::All, "pending"));
        cells.push(Cell::new(StyleRole::Dim, Keep::Begin, why));
        return Some(ListRow::new(lead, cells));
    };
    cells.push(Cell::new(StyleRole::Dim, Keep::All, row.runtime));
    cells.push(Cell::new(StyleRole::Place, Keep::Ends, &row.program));
    cells.extend(
        [run.items_in, run.items_out]
            .map(|count| Cell::right(StyleRole::Text, Keep::All, count.to_string())),
    );
    cells.extend(counts(step));
    let time =
        if run.cached { "recorded".to_owned() } else { format!("{}ms", run.time.as_millis()) };
    cells.push(Cell::right(StyleRole::Dim, Keep::All, time));
    let exit = run.status.map_or(model.glyphs().minus.to_owned(), |status| status.to_string());
    let exit_role = if run.status == Some(0) { StyleRole::Dim } else { StyleRole::Error };
    cells.push(Cell::right(exit_role, Keep::All, exit));
    Some(ListRow::new(lead, cells))
}

fn result_row(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.functions.results.get(index)?;
    let glyphs = model.glyphs();
    let (role, sign) = match row.severity {
        Severity::Error => (StyleRole::Error, glyphs.failed),
        Severity::Warning => (StyleRole::Warning, glyphs.warning),
        Severity::Info => (StyleRole::Dim, glyphs.no_change),
    };
    let cells = vec![
        Cell::new(role, Keep::All, row.severity.word()),
        Cell::new(StyleRole::Text, Keep::Ends, &row.resource),
        Cell::new(StyleRole::Place, Keep::End, &row.field),
        Cell::new(StyleRole::Text, Keep::Begin, &row.text),
    ];
    Some(ListRow::new(vec![(role, format!(" {sign} "))], cells))
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
