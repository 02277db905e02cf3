//! The problems of the target.

pub(crate) mod rows;
pub(crate) mod state;

use std::path::PathBuf;

use crate::display::counted;
use crate::model::{
    EmptyText, FindingRows, Model, Pane, PaneContent, PaneView, Preview, Severity, TextAbout,
    titled,
};
use crate::screens::functions;
use crate::text::TextLine;
use crate::update::derive::problem_lines;
use crate::update::selection::focus;
use crate::update::{matching, time};

pub(crate) static PROBLEMS: PaneView = PaneView {
    title,
    count: |model| model.problems.rows.len(),
    content: PaneContent::Cells(|model, index, _| rows::problem(model, index)),
    text: |model, row| {
        model.problem(row).map(|row| format!("{} {} {}", row.code, row.place, row.message))
    },
    empty: EmptyText::Build(|model| Some(format!("{} no problems", model.glyphs().applied))),
    place,
    open,
    ..PaneView::LIST
};

pub(crate) static EXPLANATION: PaneView = PaneView {
    title: |model| titled("Why", &model.text_in(Pane::Explanation).title),
    content: PaneContent::About(TextAbout {
        list: |_| Pane::Problems,
        edition: |model| (model.builds.generation, 0),
        make: explanation,
    }),
    place,
    ..PaneView::TEXT
};

fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let problem = model.problem(model.list(Pane::Problems).selected)?;
    Some((problem.file.clone()?, problem.line.max(1)))
}

/// Shows the places of a problem, goes to its step, or to the screen on which the user decides about
/// a pending step.
fn open(model: &mut Model) {
    if matching::open_finding_row(model, Pane::Problems) {
        return;
    }
    let problem = model.problem(model.list(Pane::Problems).selected);
    if let Some(decider) = problem.and_then(|problem| problem.decider) {
        return functions::decide(model, decider);
    }
    match problem.and_then(|problem| problem.step) {
        Some(step) => time::show_step(model, step),
        None => focus(model, Pane::Explanation),
    }
}

fn explanation(model: &Model, row: usize, columns: usize) -> Option<Preview> {
    let problem = model.problem(row)?;
    let mut lines = problem_lines(model, problem, columns.saturating_sub(2));
    if let more @ 1.. = model.problems_of_row(row).count() - 1 {
        let words = format!("the first of {} (enter shows them):", counted(more + 1, "place"));
        lines.insert(0, TextLine::plain(&words));
    }
    Some(Preview { title: problem.code.to_string(), lines, at: None })
}

fn title(model: &Model) -> String {
    if !model.opened.has_target {
        return "Problems".to_owned();
    }
    counts_title(&model.problems.rows)
}

pub(crate) fn counts_title(rows: &FindingRows) -> String {
    let words =
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let words = words.map(|(severity, word)| counted(rows.count(severity), word));
    format!("Problems  {}", words.join("  "))
}
