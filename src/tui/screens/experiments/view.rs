//! The Order and the Combinations screen.

use ratatui::text::Line;

use crate::answers::report::{CombinationWord, OrderReport, SwapWord};
use crate::model::{Model, WorkKind};
use crate::rows::{grid_cells, name_cells};
use crate::screens::experiments::state::count_dependent_pairs;
use crate::text::{fit_name, sanitize};
use crate::theme::StyleRole;
use crate::view::line::LineBuilder;

pub(crate) fn pairs_title(model: &Model) -> String {
    match model.varied.order.answer() {
        Some(answer) if is_order_unknown(answer) => "Order  not known".to_owned(),
        Some(answer) => {
            let (all, apart) = (answer.pairs.len(), count_dependent_pairs(answer));
            let stopped = model.varied.order.stopped_words();
            format!("Order  matters in {apart} of {all} pairs of neighbours{stopped}")
        }
        None => "Order".to_owned(),
    }
}

/// True if no pair is known, because the target does not build.
fn is_order_unknown(report: &OrderReport) -> bool {
    !report.pairs.is_empty() && report.pairs.iter().all(|pair| pair.swapped == SwapWord::Unknown)
}

pub(crate) fn cases_title(model: &Model) -> String {
    match model.varied.combinations.answer() {
        Some(answer) => {
            let of = |word| {
                let built = answer.combinations.iter();
                built.filter(|it| it.result == word).count()
            };
            let (builds, fails) = (of(CombinationWord::Builds), of(CombinationWord::Fails));
            let unknown = of(CombinationWord::Unknown);
            let unknown =
                if unknown > 0 { format!(", {unknown} not known") } else { String::new() };
            let stopped = model.varied.combinations.stopped_words();
            format!("Combinations  {builds} build, {fails} fail{unknown}{stopped}")
        }
        None => "Combinations".to_owned(),
    }
}

pub(crate) fn combinations_header(model: &Model, columns: u16) -> Vec<Line<'static>> {
    let Some(answer) = model.varied.combinations.answer() else { return Vec::new() };
    let columns = usize::from(columns);
    let mut line = LineBuilder::new(model, columns);
    line.put(StyleRole::Text, "     ");
    let Some(cells) = grid_cells(answer, columns) else {
        line.column(StyleRole::Dim, "components", name_cells(answer, columns));
        line.put(StyleRole::Dim, "result");
        return vec![line.finish()];
    };
    let names: Vec<_> = answer.components.iter().map(|it| sanitize(&it.name)).collect();
    for ((at, name), cells) in names.iter().enumerate().zip(cells) {
        let others = names.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<&str> = others.map(|(_, name)| &**name).collect();
        line.column(StyleRole::Dim, &fit_name(name, cells - 1, &others), cells);
    }
    line.put(StyleRole::Dim, "result");
    vec![line.finish()]
}

pub(crate) fn progress_text(model: &Model) -> String {
    let progress = model.work[WorkKind::Varied].progress;
    progress.map_or_else(String::new, |(done, all)| format!(" {done} of {all}"))
}

pub(crate) fn empty_pairs_text(model: &Model) -> String {
    let order = &model.varied.order;
    match (order.answer(), &order.run.error) {
        (_, Some(error)) => format!("not known: {error}"),
        (Some(answer), None) if is_order_unknown(answer) => {
            let reason = answer.pairs.iter().find_map(|pair| pair.unknown.as_deref());
            format!("{} the order is not known: {}", model.glyphs().waiting, reason.unwrap_or("-"))
        }
        (Some(answer), None) if !answer.pairs.is_empty() => {
            let pairs = answer.pairs.len();
            format!("the order does not matter in any of {pairs} pairs of neighbours")
        }
        (Some(_), None) => "no list with two or more entries".to_owned(),
        (None, None) => {
            format!("testing pairs of neighbours…{} (ctrl-c: cancel)", progress_text(model))
        }
    }
}

pub(crate) fn empty_cases_text(model: &Model) -> String {
    match &model.varied.combinations.run.error {
        Some(error) => format!("not known: {error}"),
        None => format!(
            "building combinations of the components…{} (ctrl-c: cancel)",
            progress_text(model)
        ),
    }
}
