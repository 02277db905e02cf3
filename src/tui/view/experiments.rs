//! The Order and the Combinations screen.

use ratatui::text::Line;

use super::super::model::Model;
use super::super::model::experiments::{CombinationRow, count_dependent_pairs, pair_effect_text};
use super::super::text::{fit, fit_distinct, fit_location, fit_middle, sanitize, width};
use super::super::theme::StyleRole;
use super::line::LineBuilder;
use crate::answers::experiments::what_if::built_words;
use crate::answers::report::{CombinationWord, MatrixReport, OrderPair, RuleWord, SwapWord};

/// The title of the pairs, with the number of those whose order matters.
pub(super) fn pairs_title(model: &Model) -> String {
    match model.varied.order.answer() {
        Some(answer) => {
            let (all, apart) = (answer.report.pairs.len(), count_dependent_pairs(&answer.report));
            format!("Order  matters in {apart} of {all} pairs of neighbours")
        }
        None => "Order".to_owned(),
    }
}

/// The title of the combinations.
pub(super) fn cases_title(model: &Model) -> String {
    match model.varied.combinations.answer() {
        Some(answer) => {
            let of = |word| {
                let built = answer.report.combinations.iter();
                built.filter(|it| it.result == word).count()
            };
            let (builds, fails) = (of(CombinationWord::Builds), of(CombinationWord::Fails));
            let unknown = of(CombinationWord::Unknown);
            let unknown =
                if unknown > 0 { format!(", {unknown} not known") } else { String::new() };
            format!("Combinations  {builds} build, {fails} fail{unknown}")
        }
        None => "Combinations".to_owned(),
    }
}

/// The line of a pair: two neighbours, and the field in which their order matters.
pub(super) fn pair(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(pair) = model.pair(index) else { return line.finish() };
    let glyphs = model.glyphs();
    let (role, sign) = match pair.swapped {
        SwapWord::Same => (StyleRole::Ok, glyphs.applied),
        SwapWord::Differs | SwapWord::Mends => (StyleRole::Warning, glyphs.swap),
        SwapWord::Fails => (StyleRole::Error, glyphs.failed),
        SwapWord::Unknown => (StyleRole::Warning, glyphs.waiting),
    };
    line.put(StyleRole::Text, " ").column(role, sign, width(glyphs.swap)).put(StyleRole::Text, " ");
    // The layer and the list, without the file name that all rows share.
    let file = pair.file.trim_end_matches("kustomization.yaml").trim_end_matches('/');
    let list = if file.is_empty() || file == ".." {
        pair.field.clone()
    } else {
        format!("{file} {}", pair.field)
    };
    let list = sanitize(&list).into_owned();
    let place = width(&list).min(line.room() * 2 / 5);
    line.column(StyleRole::Place, &fit_location(&list, place), place).put(StyleRole::Text, " ");
    let about = pair_effect_text(pair);
    let cells = width(&about).min(line.room() * 2 / 5);
    let room = line.room().saturating_sub(cells + 2);
    let text = pair_text(pair, glyphs.swap, room);
    let role = if pair.swapped == SwapWord::Same { StyleRole::Dim } else { StyleRole::Text };
    line.column(role, &fit(&text, room), room).put(StyleRole::Text, "  ");
    let role = if pair.swapped == SwapWord::Same { StyleRole::Dim } else { StyleRole::Modified };
    line.put(role, &fit_middle(&about, cells));
    line.finish()
}

/// Both entries with their lines, without the folder that they share, so that the difference stays
/// visible.
fn pair_text(pair: &OrderPair, swap: &str, room: usize) -> String {
    let (first, second) = (sanitize(&pair.first.text), sanitize(&pair.second.text));
    let is_same = |((_, one), (_, other)): &((usize, char), (usize, char))| one == other;
    let same = first.char_indices().zip(second.char_indices()).take_while(is_same);
    let folder = same.filter(|((_, c), _)| *c == '/').last().map_or(0, |((at, _), _)| at + 1);
    let (first, second) = (&first[folder..], &second[folder..]);
    let (one, other) = (format!("{}: ", pair.first.line), format!("{}: ", pair.second.line));
    let room = room.saturating_sub(width(&one) + width(&other) + width(swap) + 2);
    let cells = width(first).min((room / 2).max(room.saturating_sub(width(second))));
    let rest = room.saturating_sub(cells);
    let (begin, end) = (fit_distinct(first, cells, [second]), fit_distinct(second, rest, [first]));
    format!("{one}{begin} {swap} {other}{end}")
}

/// The width of a component in the grid of combinations; `None` if not all components fit beside
/// the result.
fn component_cells(report: &MatrixReport, columns: usize) -> Option<usize> {
    const RESULT_CELLS: usize = 20;
    let longest = report.components.iter().map(|it| width(&it.name)).max()?;
    let most = columns.saturating_sub(5 + RESULT_CELLS) / report.components.len();
    (most >= 6).then(|| (longest + 1).clamp(4, most))
}

/// The names of the components, above the grid of combinations.
pub(super) fn combinations_header(model: &Model, columns: u16) -> Line<'static> {
    let columns = usize::from(columns);
    let mut line = LineBuilder::new(model, columns);
    let Some(answer) = model.varied.combinations.answer() else { return line.finish() };
    line.put(StyleRole::Text, "     ");
    let Some(cells) = component_cells(&answer.report, columns) else {
        line.put(StyleRole::Dim, "components that are on, and the result");
        return line.finish();
    };
    let names: Vec<_> = answer.report.components.iter().map(|it| sanitize(&it.name)).collect();
    for (at, name) in names.iter().enumerate() {
        let others = names.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.map(|(_, name)| &**name);
        line.column(StyleRole::Dim, &fit_distinct(name, cells - 1, others), cells);
    }
    line.put(StyleRole::Dim, "result");
    line.finish()
}

/// Adds a combination as text. The components keep their names: only this pane lists them, and the
/// reason for a failure is shown below it.
fn add_combination_words(line: &mut LineBuilder<'_>, with: &str, result: &str) {
    let cells = width(with).min(line.room().saturating_sub(13));
    line.column(StyleRole::Text, &fit_each(&sanitize(with), cells), cells);
    let rest = line.room().saturating_sub(2);
    line.put(StyleRole::Text, "  ").put(StyleRole::Dim, &fit_middle(&sanitize(result), rest));
}

/// The line of a row of the Combinations screen: a rule, or a combination.
pub(super) fn case_row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let (Some(case), Some(answer)) =
        (model.varied.cases.get(index), model.varied.combinations.answer())
    else {
        return line.finish();
    };
    let (glyphs, report) = (model.glyphs(), &answer.report);
    match case {
        CombinationRow::Rule(at) => {
            let Some(rule) = report.rules.get(*at) else { return line.finish() };
            let (role, sign) = match rule.kind {
                RuleWord::Fails => (StyleRole::Error, glyphs.failed),
                RuleWord::ChangesNothing => (StyleRole::Warning, glyphs.no_change),
            };
            line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
            let unit = if rule.holds_in == 1 { "build" } else { "builds" };
            let times = format!("in {} {unit}", rule.holds_in);
            let room = line.room().saturating_sub(width(&times) + 1);
            line.column(StyleRole::Title, &fit_middle(&sanitize(&rule.words), room), room);
            line.put(StyleRole::Text, " ").put(StyleRole::Dim, &times);
        }
        CombinationRow::Combination(at) => {
            let Some(built) = report.combinations.get(*at) else { return line.finish() };
            let (role, sign) = match built.result {
                CombinationWord::Builds => (StyleRole::Ok, glyphs.applied),
                CombinationWord::Fails => (StyleRole::Error, glyphs.failed),
                CombinationWord::Unknown => (StyleRole::Warning, glyphs.waiting),
            };
            let (with, result) = built_words(built);
            line.put(StyleRole::Text, "   ").put(role, sign).put(StyleRole::Text, " ");
            let is_now = answer
                .found
                .built
                .get(*at)
                .is_some_and(|it| it.on == answer.found.current_combination());
            let now = if is_now { "  (now)" } else { "" };
            let Some(cells) = component_cells(report, columns) else {
                add_combination_words(&mut line, &format!("{with}{now}"), &result);
                return line.finish();
            };
            for component in &report.components {
                let is_on = built.on.contains(&component.name);
                let (role, sign) = if is_on {
                    (StyleRole::Ok, glyphs.on)
                } else {
                    (StyleRole::Dim, glyphs.bars[0])
                };
                line.column(role, sign, cells);
            }
            let rest = line.room().saturating_sub(width(now));
            line.put(StyleRole::Dim, &fit_middle(&sanitize(&result), rest));
            line.put(StyleRole::Title, now);
        }
    }
    line.finish()
}

/// Several names, separated by commas, cut to `cells` so that each keeps its beginning.
fn fit_each(names: &str, cells: usize) -> String {
    let names: Vec<&str> = names.split(", ").collect();
    let with_at_most =
        |most: usize| names.iter().map(|name| fit(name, most)).collect::<Vec<_>>().join(", ");
    let longest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let fitting = (3..=longest).rev().map(with_at_most).find(|text| width(text) <= cells);
    fitting.unwrap_or_else(|| fit(&with_at_most(3), cells))
}

/// A line of the details of the selected pair or combination.
pub(super) fn detail(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    if let Some(row) = model.varied.detail.get(index) {
        line.put(StyleRole::Text, " ").put(row.role, &row.text);
    }
    line.finish()
}

/// The progress of the running builds, once it is known.
pub(super) fn progress_text(model: &Model) -> String {
    model.varied.progress.map_or_else(String::new, |(done, all)| format!(" {done} of {all}"))
}

/// The text of a list of pairs without rows: an error, the progress, or the reason.
pub(super) fn empty_pairs_text(model: &Model) -> String {
    match (&model.varied.order.result, model.varied.order.error()) {
        (_, Some(error)) => format!("{} {error}", model.glyphs().failed),
        (Some(Ok(answer)), None) if !answer.report.pairs.is_empty() => {
            let pairs = answer.report.pairs.len();
            format!("the order does not matter in any of {pairs} pairs of neighbours")
        }
        (Some(_), None) => "no list with two or more entries".to_owned(),
        (None, None) => {
            format!("testing pairs of neighbours…{} (ctrl-c: cancel)", progress_text(model))
        }
    }
}

/// The text of a list of combinations without rows: an error, or the progress.
pub(super) fn empty_cases_text(model: &Model) -> String {
    match model.varied.combinations.error() {
        Some(error) => format!("{} {error}", model.glyphs().failed),
        None => format!(
            "building combinations of the components…{} (ctrl-c: cancel)",
            progress_text(model)
        ),
    }
}
