//! The Order and Combinations screens: builds with other texts, and the signs in tree and steps
//! that result from them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::experiments::what_if::{
    built_words, failure_text, field_words, matrix_summary, pair_words,
};
use crate::answers::report::{
    CombinationWord, MatrixCombination, MatrixReport, OrderPair, OrderReport, RuleWord, SwapWord,
};
use crate::answers::{ComponentMatrix, ComponentTrial, OverlayRow, shorten_ids};
use crate::draft::EntryRef;
use crate::engine::load::clean;
use crate::experiment::{Variation, WhatIfAnswer};
use crate::keymap::Command;
use crate::model::{Compare, Model, Preview, Screen, WorkKind};
use crate::text::{TextLine, sanitize};
use crate::theme::StyleRole;

/// The key that an answer must match to be shown: build generation, and whether Secrets are masked.
pub(crate) type VariedAnswerKey = (u64, bool);

/// The results of the Order and Combinations screens: builds with variations of the files.
#[derive(Debug, Default)]
pub(crate) struct VariedState {
    /// The kind of the running request.
    pub asked: Option<Variation>,
    pub order: VariedAnswer<OrderReport>,
    pub combinations: VariedAnswer<MatrixReport>,
    /// The components of the open target, those that are off tried.
    pub components: VariedAnswer<ComponentMatrix>,
    /// True if the user switched on the signs for entries whose order matters: each build then
    /// tries the order.
    pub marks: bool,
    /// For each entry, the indices of the pairs in which its order matters.
    pub pairs_of: BTreeMap<EntryRef, Vec<usize>>,
    /// The pairs whose order matters or is not known, by their indices in the report.
    pub pairs: Vec<usize>,
    pub cases: Vec<CombinationRow>,
    pub edition: u64,
}

/// A row of the Combinations screen, by its index in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CombinationRow {
    Rule(usize),
    Combination(usize),
}

#[derive(Debug, Default)]
pub(crate) struct VariedRun {
    /// The key for which the result was requested.
    pub of: Option<VariedAnswerKey>,
    /// The reason why the result is missing.
    pub error: Option<String>,
    /// If the user cancelled the builds: the number of builds before, and of all.
    pub stopped: Option<(usize, usize)>,
}

/// A result, which is missing while the builds are running, or after an error.
#[derive(Debug)]
pub(crate) struct VariedAnswer<T> {
    pub run: VariedRun,
    pub result: Option<Arc<T>>,
}

impl<T> Default for VariedAnswer<T> {
    fn default() -> Self {
        Self { run: VariedRun::default(), result: None }
    }
}

impl<T> VariedAnswer<T> {
    pub(crate) fn answer(&self) -> Option<&Arc<T>> {
        self.result.as_ref().filter(|_| self.run.error.is_none())
    }

    pub(crate) fn stopped_words(&self) -> String {
        let stopped = self.run.stopped;
        stopped.map_or_else(String::new, |(done, all)| format!("  stopped at {done} of {all}"))
    }
}

impl VariedState {
    /// The builds of a variation; `None` for one whose result is the table of all overlays.
    pub(crate) fn run(&mut self, variation: Variation) -> Option<&mut VariedRun> {
        match variation {
            Variation::Order => Some(&mut self.order.run),
            Variation::Combinations => Some(&mut self.combinations.run),
            Variation::TargetComponents => Some(&mut self.components.run),
            Variation::Components | Variation::TriedComponents => None,
        }
    }

    pub(crate) fn take(&mut self, result: Result<WhatIfAnswer, String>) {
        let Some(variation) = self.asked.take() else { return };
        self.edition += 1;
        match (self.run(variation), result) {
            (None, _) => {}
            (Some(run), Err(reason)) => run.error = Some(reason),
            (_, Ok(WhatIfAnswer::Order(answer))) => self.store_order_answer(answer),
            (_, Ok(WhatIfAnswer::Combinations(answer))) => self.store_combination_answer(answer),
            (_, Ok(WhatIfAnswer::Components(table))) => {
                self.components.result = Some(Arc::new(table));
            }
        }
    }

    /// Stores the answer about the order of entries: pairs with an effect first, those without an
    /// effect only as a number.
    fn store_order_answer(&mut self, answer: OrderReport) {
        let rank = |word| match word {
            SwapWord::Fails | SwapWord::Differs | SwapWord::Mends => 0,
            SwapWord::Unknown => 1,
            SwapWord::Same => 2,
        };
        let of_pair = |pair: &usize| rank(answer.pairs[*pair].swapped);
        self.pairs = (0..answer.pairs.len()).filter(|pair| of_pair(pair) < 2).collect();
        self.pairs.sort_by_key(of_pair);
        // A target that does not build has one reason for all pairs.
        if answer.pairs.iter().all(|pair| pair.swapped == SwapWord::Unknown) {
            self.pairs.clear();
        }
        self.pairs_of.clear();
        for (number, pair) in answer.pairs.iter().enumerate() {
            if rank(pair.swapped) > 0 {
                continue;
            }
            for entry in [&pair.first, &pair.second] {
                let (file, field) = (pair.path.clone(), pair.field.clone());
                let entry = EntryRef { file, field, index: entry.index };
                self.pairs_of.entry(entry).or_default().push(number);
            }
        }
        self.order.result = Some(Arc::new(answer));
    }

    fn store_combination_answer(&mut self, answer: MatrixReport) {
        let rules = (0..answer.rules.len()).map(CombinationRow::Rule);
        let mut built: Vec<usize> = (0..answer.combinations.len()).collect();
        let rank = |word| match word {
            CombinationWord::Fails => 0,
            CombinationWord::Unknown => 1,
            CombinationWord::Builds => 2,
        };
        built.sort_by_key(|at| rank(answer.combinations[*at].result));
        self.cases = rules.chain(built.into_iter().map(CombinationRow::Combination)).collect();
        self.combinations.result = Some(Arc::new(answer));
    }
}

/// The result of switching a component of the open target on; `None` if it was not tried.
pub(crate) fn component_trial<'m>(model: &'m Model, path: &Path) -> Option<&'m ComponentTrial> {
    let directory = &model.opened.dir;
    let trials = &model.varied.components;
    let table = trials.answer().filter(|_| trials.run.of == Some(model.varied_answer_key()))?;
    let is_own = |row: &&OverlayRow| clean(&directory.join(&row.file)).parent() == Some(directory);
    let row = table.overlays.iter().find(is_own)?;
    let mut cells = row.components.iter();
    cells.find(|cell| clean(&directory.join(&cell.component)) == path)?.trial.as_ref()
}

pub(crate) fn progress_text(model: &Model) -> String {
    let progress = model.work.progress(WorkKind::Varied);
    progress.map_or_else(String::new, |(done, all)| format!(" {done} of {all}"))
}

impl Model {
    pub(crate) fn varied_answer_key(&self) -> VariedAnswerKey {
        (self.builds.generation, self.look.secrets.are_masked())
    }

    /// The pairs of an entry in which the order matters; empty if the order was not tried for this
    /// build.
    pub(crate) fn pairs_of(&self, entry: &EntryRef) -> Vec<&OrderPair> {
        if self.varied.order.run.of != Some(self.varied_answer_key()) {
            return Vec::new();
        }
        let Some(answer) = self.varied.order.answer() else { return Vec::new() };
        let pairs = self.varied.pairs_of.get(entry).map(Vec::as_slice).unwrap_or_default();
        pairs.iter().filter_map(|pair| answer.pairs.get(*pair)).collect()
    }

    pub(crate) fn pair(&self, row: usize) -> Option<&OrderPair> {
        let pair = self.varied.pairs.get(row)?;
        self.varied.order.answer()?.pairs.get(*pair)
    }

    pub(crate) fn case_search_text(&self, row: usize) -> Option<String> {
        let report = self.varied.combinations.answer()?;
        Some(match self.varied.cases.get(row)? {
            CombinationRow::Rule(at) => report.rules.get(*at)?.words.clone(),
            CombinationRow::Combination(at) => {
                let built = report.combinations.get(*at)?;
                format!("{} {}", combination_words(report, built), built_words(built).1)
            }
        })
    }

    /// Notes on the order of the entry of the shown step: the neighbour, and the affected field.
    pub(crate) fn order_notes(&self) -> Vec<String> {
        let is_shown = self.compared() == Compare::Step && !self.diff.changed.is_empty();
        let entry = entry_of_step(self, self.cursor).filter(|_| is_shown);
        let Some(entry) = entry else { return Vec::new() };
        let notes = self.pairs_of(&entry).into_iter().map(|pair| {
            let is_first = pair.first.index == entry.index;
            let other = if is_first { &pair.second } else { &pair.first };
            let told = format!("{}: order matters with {}", pair_effect_text(pair), other.text);
            sanitize(&told).into_owned()
        });
        notes.collect()
    }

    pub(crate) fn case_location(&self, row: usize) -> Option<(PathBuf, u32)> {
        let report = self.varied.combinations.answer()?;
        let line = report.components.first().map_or(1, |it| it.line.max(1));
        let failure = match self.varied.cases.get(row)? {
            CombinationRow::Rule(at) => report.rules.get(*at)?.failure.as_ref(),
            CombinationRow::Combination(at) => report.combinations.get(*at)?.failure.as_ref(),
        };
        let at = failure.and_then(|why| why.file.as_ref().zip(why.line));
        Some(match at {
            Some((file, line)) => (clean(&self.opened.dir.join(file)), line),
            None => (report.path.clone(), line),
        })
    }
}

/// The effect of swapping a pair, as text: the field in which the order matters.
pub(crate) fn pair_effect_text(pair: &OrderPair) -> String {
    let words = match (pair.swapped, pair.fields.as_slice()) {
        (SwapWord::Fails, _) => "swapped, it fails now".to_owned(),
        (SwapWord::Mends, _) => "swapped, it builds now".to_owned(),
        (SwapWord::Unknown, _) => "not known".to_owned(),
        (_, []) => "independent".to_owned(),
        (_, [field]) if field.path.is_empty() => field.resource.clone(),
        (_, [field]) => field.path.clone(),
        (_, [first, more @ ..]) => {
            let first = if first.path.is_empty() { &first.resource } else { &first.path };
            format!("{first} +{}", more.len())
        }
    };
    sanitize(&words).into_owned()
}

/// The text about the selected pair or combination.
pub(crate) fn detail(model: &Model, row: usize, _: usize) -> Option<Preview> {
    let space = model.look.keymap.first_key(Command::Toggle);
    let lines = if model.screen == Screen::Order {
        pair_detail(model.pair(row)?, space)
    } else {
        let case = *model.varied.cases.get(row)?;
        case_detail(model.varied.combinations.answer()?, case, space)
    };
    Some(Preview { lines, ..Preview::default() })
}

const MAX_LISTED_FIELDS: usize = 200;

fn pair_detail(pair: &OrderPair, space: &str) -> Vec<TextLine> {
    let role = match pair.swapped {
        SwapWord::Same => StyleRole::Ok,
        SwapWord::Fails => StyleRole::Error,
        SwapWord::Differs | SwapWord::Mends | SwapWord::Unknown => StyleRole::Warning,
    };
    let mut rows = vec![
        TextLine::new(StyleRole::Place, format!("{}  {}", pair.file, pair.field)),
        TextLine::new(StyleRole::Text, format!("{:>5}  {}", pair.first.line, pair.first.text)),
        TextLine::new(StyleRole::Text, format!("{:>5}  {}", pair.second.line, pair.second.text)),
        TextLine::new(role, pair_words(pair)),
    ];
    for field in pair.fields.iter().take(MAX_LISTED_FIELDS) {
        if field.path.is_empty() {
            rows.push(TextLine::new(StyleRole::Text, format!("  {}", field_words(field))));
            continue;
        }
        rows.push(TextLine::new(StyleRole::Text, format!("  {}  {}", field.resource, field.path)));
        let value = |value: &Option<String>| match value {
            Some(value) => value.lines().next().unwrap_or_default().to_owned(),
            None => "absent".to_owned(),
        };
        rows.push(TextLine::new(
            StyleRole::Dim,
            format!("    as listed  {}", value(&field.listed)),
        ));
        let swapped = format!("    swapped    {}", value(&field.swapped));
        rows.push(TextLine::new(StyleRole::Modified, swapped));
    }
    if pair.fields.len() > MAX_LISTED_FIELDS {
        let more = pair.fields.len() - MAX_LISTED_FIELDS;
        rows.push(TextLine::new(StyleRole::Dim, format!("  … and {more} more fields")));
    }
    rows.extend(pair.failure.iter().map(|why| TextLine::new(StyleRole::Error, failure_text(why))));
    rows.extend(pair.unknown.iter().map(|why| TextLine::new(StyleRole::Warning, why.clone())));
    rows.push(TextLine::new(StyleRole::Dim, ""));
    rows.push(TextLine::new(StyleRole::Dim, format!("{space}: swap them in the draft")));
    rows
}

/// The components of a combination. With too many components for all combinations, each one is close
/// to the current combination or to an empty list, and is described by its difference.
pub(crate) fn combination_words(report: &MatrixReport, built: &MatrixCombination) -> String {
    if report.exhaustive {
        return built_words(built).0;
    }
    let differs = report.components.iter().filter(|it| built.on.contains(&it.name) != it.on);
    let signs: Vec<String> = differs
        .map(|it| format!("{} {}", if it.on { "without" } else { "with" }, it.name))
        .collect();
    match (signs.as_slice(), built.on.as_slice()) {
        (_, []) => "none".to_owned(),
        ([], _) => "now".to_owned(),
        (signs, on) if signs.len() < on.len() => format!("now, {}", signs.join(", ")),
        (_, on) => format!("only {}", on.join(", ")),
    }
}

fn case_detail(report: &MatrixReport, case: CombinationRow, space: &str) -> Vec<TextLine> {
    let mut rows = vec![TextLine::new(StyleRole::Dim, matrix_summary(report))];
    let (on, failure) = match case {
        CombinationRow::Rule(at) => {
            let Some(rule) = report.rules.get(at) else { return rows };
            let role = match rule.kind {
                RuleWord::Fails => StyleRole::Error,
                RuleWord::ChangesNothing => StyleRole::Warning,
            };
            let first = TextLine::new(role, rule.words.clone());
            let many = rule.holds_in;
            let holds = format!("verified in all {many} built combinations to which it applies");
            rows.splice(0..0, [first, TextLine::new(StyleRole::Text, holds)]);
            rows.push(TextLine::new(StyleRole::Dim, "the smallest of these combinations:"));
            (&rule.smallest, rule.failure.as_ref())
        }
        CombinationRow::Combination(at) => {
            let Some(built) = report.combinations.get(at) else { return rows };
            let (with, result) = (combination_words(report, built), built_words(built).1);
            let first = TextLine::new(StyleRole::Title, format!("{with}: {result}"));
            rows.insert(0, first);
            (&built.on, built.failure.as_ref())
        }
    };
    rows.extend(report.components.iter().map(|it| {
        let is_on = on.contains(&it.name);
        let changes = match (is_on, it.on) {
            (true, false) => "  (now off)",
            (false, true) => "  (now on)",
            _ => "",
        };
        let word = if is_on { "on " } else { "off" };
        let role = if is_on { StyleRole::Text } else { StyleRole::Dim };
        TextLine::new(role, format!("  {word}  {}{changes}", it.name))
    }));
    if let Some(failure) = failure {
        let message = shorten_ids(&failure.message);
        rows.extend(message.lines().map(|it| TextLine::new(StyleRole::Error, it)));
        if let Some((file, line)) = failure.file.as_ref().zip(failure.line) {
            rows.push(TextLine::new(StyleRole::Place, format!("at {file}:{line}  (e: open)")));
        }
    }
    rows.push(TextLine::new(StyleRole::Dim, ""));
    rows.push(TextLine::new(StyleRole::Dim, format!("{space}: use this combination as the draft")));
    rows
}

pub(crate) fn count_dependent_pairs(report: &OrderReport) -> usize {
    let apart = |pair: &&OrderPair| {
        matches!(pair.swapped, SwapWord::Differs | SwapWord::Fails | SwapWord::Mends)
    };
    report.pairs.iter().filter(apart).count()
}

pub(crate) fn entry_of_step(model: &Model, step: usize) -> Option<EntryRef> {
    let step = model.builds.recording.step(step)?;
    if let Some((file, field, entry)) = crate::model::deployed::step_outline_entry(model, step) {
        return Some(EntryRef { file: file.to_owned(), field: field.name.clone(), index: entry? });
    }
    let layer = model.builds.recording.trace.layer(step.layer)?;
    let file = PathBuf::from(&*layer.file);
    let source = model.opened.sources.get(&file)?;
    let field = source.outline.fields.iter().find(|field| field.name == step.field)?;
    let entries = field.entries.iter().enumerate().filter(|(_, entry)| !entry.disabled);
    let (index, _) = entries.into_iter().nth(step.entry?)?;
    Some(EntryRef { file, field: field.name.clone(), index })
}
