//! Order and combinations: results of experiments.

pub(crate) mod keys;
pub(crate) mod state;

use crate::answers::experiments::what_if::failure_text;
use crate::answers::report::{
    CombinationWord, MatrixReport, OrderPair, OrderReport, RuleWord, SwapWord,
};
use crate::display::counted;
use crate::model::{EmptyText, Model, Pane, PaneContent, PaneView, TextAbout};
use crate::rows::{Cell, Keep, ListRow};
use crate::screens::experiments::state::{
    CombinationRow, combination_words, count_dependent_pairs, pair_effect_text, progress_text,
};
use crate::text::width;
use crate::theme::StyleRole;
use crate::update::selection;

pub(crate) static PAIRS: PaneView = PaneView {
    title: pairs_title,
    count: |model| model.varied.pairs.len(),
    content: PaneContent::Cells(|model, index, _| pair(model, index)),
    text: |model, row| {
        let pair = model.pair(row)?;
        let (first, second) = (&pair.first.text, &pair.second.text);
        Some(format!("{} {} {first} {second}", pair.file, pair.field))
    },
    empty: EmptyText::Build(|model| Some(empty_pairs_text(model))),
    place: keys::place,
    open: |model| selection::focus(model, Pane::Varied),
    ..PaneView::LIST
};

pub(crate) static CASES: PaneView = PaneView {
    title: cases_title,
    count: |model| model.varied.cases.len(),
    content: PaneContent::Cells(case),
    text: crate::model::Model::case_search_text,
    names: Some(combinations_header),
    empty: EmptyText::Build(|model| Some(empty_cases_text(model))),
    place: keys::place,
    open: |model| selection::focus(model, Pane::Varied),
    ..PaneView::LIST
};

pub(crate) static VARIED: PaneView = PaneView {
    title: |_| "Result".to_owned(),
    content: PaneContent::About(TextAbout {
        list: |model| model.screen.panes()[0],
        edition: |model| (model.varied.edition, 0),
        make: state::detail,
    }),
    place: keys::place,
    ..PaneView::TEXT
};

fn pair(model: &Model, index: usize) -> Option<ListRow> {
    let pair = model.pair(index)?;
    let glyphs = model.glyphs();
    let (role, sign) = match pair.swapped {
        SwapWord::Same => (StyleRole::Ok, glyphs.applied),
        SwapWord::Differs | SwapWord::Mends => (StyleRole::Warning, glyphs.swap),
        SwapWord::Fails => (StyleRole::Error, glyphs.failed),
        SwapWord::Unknown => (StyleRole::Warning, glyphs.waiting),
    };
    let is_same = pair.swapped == SwapWord::Same;
    let text = if is_same { StyleRole::Dim } else { StyleRole::Text };
    let about = if is_same { StyleRole::Dim } else { StyleRole::Modified };
    // The layer and the list, without the file name that all rows share.
    let file = pair.file.trim_end_matches("kustomization.yaml").trim_end_matches('/');
    let list = if file.is_empty() || file == ".." {
        pair.field.clone()
    } else {
        format!("{file} {}", pair.field)
    };
    let [first, second] = without_shared_folder(pair);
    let lead = vec![(role, format!(" {sign:<width$} ", width = width(glyphs.swap)))];
    let cells = vec![
        Cell::new(StyleRole::Place, Keep::Path, list),
        Cell::new(text, Keep::Ends, format!("{}: {first}", pair.first.line)),
        Cell::new(text, Keep::Ends, format!("{} {}: {second}", glyphs.swap, pair.second.line)),
        Cell::new(about, Keep::End, pair_effect_text(pair)),
    ];
    Some(ListRow::new(lead, cells))
}

fn without_shared_folder(pair: &OrderPair) -> [&str; 2] {
    let (first, second) = (pair.first.text.as_str(), pair.second.text.as_str());
    let is_same = |((_, one), (_, other)): &((usize, char), (usize, char))| one == other;
    let same = first.char_indices().zip(second.char_indices()).take_while(is_same);
    let folder = same.filter(|((_, c), _)| *c == '/').last().map_or(0, |((at, _), _)| at + 1);
    [&first[folder..], &second[folder..]]
}

/// True if each component has a column: in fewer cells, their names would not be legible.
fn is_grid(report: &MatrixReport, columns: usize) -> bool {
    const COLUMN_CELLS: usize = 9;
    const OTHER_CELLS: usize = 15;
    report.components.len() * COLUMN_CELLS + OTHER_CELLS <= columns
}

fn case(model: &Model, index: usize, columns: usize) -> Option<ListRow> {
    let (case, answer) = (model.varied.cases.get(index)?, model.varied.combinations.answer()?);
    let (glyphs, report) = (model.glyphs(), answer);
    let at = match case {
        CombinationRow::Rule(at) => {
            let rule = report.rules.get(*at)?;
            let (role, sign) = match rule.kind {
                RuleWord::Fails => (StyleRole::Error, glyphs.failed),
                RuleWord::ChangesNothing => (StyleRole::Warning, glyphs.no_change),
            };
            let words = format!("{}   in {}", rule.words, counted(rule.holds_in, "build"));
            let lead = vec![(role, format!(" {sign} "))];
            return Some(ListRow::sentence(lead, StyleRole::Title, &words));
        }
        CombinationRow::Combination(at) => *at,
    };
    let built = report.combinations.get(at)?;
    let (role, sign) = match built.result {
        CombinationWord::Builds => (StyleRole::Ok, glyphs.applied),
        CombinationWord::Fails => (StyleRole::Error, glyphs.failed),
        CombinationWord::Unknown => (StyleRole::Warning, glyphs.waiting),
    };
    let is_now = built.set == report.current_combination();
    let mut cells = Vec::new();
    if is_grid(report, columns) {
        cells.extend(report.components.iter().map(|component| {
            let is_on = built.on.contains(&component.name);
            let (role, sign) =
                if is_on { (StyleRole::Ok, glyphs.on) } else { (StyleRole::Dim, glyphs.bars[0]) };
            Cell::new(role, Keep::All, sign)
        }));
    } else {
        cells.push(Cell::new(StyleRole::Text, Keep::Ends, combination_words(report, built)));
    }
    // The sign shows whether it builds. Most failures have the reason of the row above.
    let above = index.checked_sub(1).and_then(|above| model.varied.cases.get(above));
    let above = above.and_then(|above| match above {
        CombinationRow::Combination(at) => report.combinations.get(*at)?.failure.as_ref(),
        CombinationRow::Rule(_) => None,
    });
    let is_repeated = above.is_some() && above == built.failure.as_ref();
    let reason = match (&built.failure, &built.unknown) {
        (Some(_), _) if is_repeated => "as above".to_owned(),
        (Some(failure), _) => failure_text(failure),
        (None, unknown) => unknown.clone().unwrap_or_default(),
    };
    cells.push(match is_now {
        true if reason.is_empty() => Cell::new(StyleRole::Title, Keep::All, "now"),
        true => Cell::new(StyleRole::Title, Keep::Begin, format!("now: {reason}")),
        false => Cell::new(StyleRole::Dim, Keep::Begin, reason),
    });
    Some(ListRow::new(vec![(role, format!("   {sign} "))], cells))
}

fn pairs_title(model: &Model) -> String {
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

fn cases_title(model: &Model) -> String {
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

fn combinations_header(model: &Model, columns: usize) -> ListRow {
    let name = |text: &str| Cell::new(StyleRole::Dim, Keep::Ends, text);
    let mut cells = match model.varied.combinations.answer() {
        None => return ListRow::default(),
        Some(report) if is_grid(report, columns) => {
            report.components.iter().map(|it| name(&it.name)).collect()
        }
        Some(_) => vec![name("components")],
    };
    cells.push(Cell::new(StyleRole::Dim, Keep::Begin, "result"));
    ListRow::new(vec![(StyleRole::Text, " ".repeat(5))], cells)
}

fn empty_pairs_text(model: &Model) -> String {
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

fn empty_cases_text(model: &Model) -> String {
    match &model.varied.combinations.run.error {
        Some(error) => format!("not known: {error}"),
        None => format!(
            "building combinations of the components…{} (ctrl-c: cancel)",
            progress_text(model)
        ),
    }
}
