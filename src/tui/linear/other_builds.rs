//! Commands of linear mode that build more than once: entries in another order, components in all
//! combinations, comparisons; and the users of the target.

use super::super::keymap::Command;
use super::super::model::{Screen, subject_detail, user_rows};
use super::super::text::TextLine;
use super::{Answer, LinearSession, usage};
use crate::answers::experiments::what_if::{
    built_words, failure_text, field_words, matrix_summary, pair_words,
};
use crate::answers::report::{OrderPair, SwapWord};
use crate::display::counted;
use crate::screens::experiments::state::{CombinationRow, VariedAnswer, count_dependent_pairs};

/// The reason why an experiment has no result.
fn not_known<T>(varied: &VariedAnswer<T>) -> String {
    format!("{}.", varied.run.error.as_deref().unwrap_or("not known"))
}

impl LinearSession<'_> {
    /// Lists the pairs of consecutive entries whose order matters; with a number, swaps that pair
    /// in the draft.
    pub(super) fn order(&mut self, argument: &str) -> Answer {
        self.show(Screen::Order);
        let order = &self.model.varied.order;
        let answer = order.answer().ok_or_else(|| not_known(order))?;
        if !argument.is_empty() {
            return self.take(Screen::Order, argument, "a number, as in order 2");
        }
        let (apart, all) = (count_dependent_pairs(answer), answer.pairs.len());
        let fails = answer.failure.iter();
        let fails = fails.map(|why| format!("The build fails: {}.", failure_text(why)));
        let count = format!("Order matters in {apart} of {all} pairs of neighbours.");
        let pairs = (0..self.model.varied.pairs.len()).filter_map(|row| self.model.pair(row));
        let pairs = (1..).zip(pairs).filter(|(_, pair)| pair.swapped != SwapWord::Same);
        let pairs = pairs.flat_map(|(number, pair)| pair_sentences(number, pair));
        Ok(fails.chain([count]).chain(pairs).collect())
    }

    /// Lists the combinations of components; with a number, drafts that combination.
    pub(super) fn matrix(&mut self, argument: &str) -> Answer {
        self.show(Screen::Combinations);
        let combinations = &self.model.varied.combinations;
        let answer = combinations.answer().ok_or_else(|| not_known(combinations))?;
        if !argument.is_empty() {
            return self.take(Screen::Combinations, argument, "a number, as in matrix 2");
        }
        let mut lines = vec![format!("{}.", matrix_summary(answer))];
        for (number, case) in (1..).zip(&self.model.varied.cases) {
            match case {
                CombinationRow::Rule(at) => {
                    let Some(rule) = answer.rules.get(*at) else { continue };
                    let times = counted(rule.holds_in, "combination");
                    lines.push(format!("{number}. {}, in {times}.", rule.words));
                    let why = rule.failure.iter();
                    lines.extend(why.map(|why| format!("   {}.", failure_text(why))));
                }
                CombinationRow::Combination(at) => {
                    let built = answer.combinations.get(*at).map(built_words);
                    let words = built.map(|(with, result)| format!("{number}. {with}: {result}."));
                    lines.extend(words);
                }
            }
        }
        Ok(lines)
    }

    /// Compares two sides, or prints one difference in full.
    pub(super) fn compare(&mut self, words: &str) -> Answer {
        if let Ok(number) = words.parse::<usize>() {
            return self.difference(number);
        }
        if words.is_empty() {
            return Err("Usage: compare A B, as in compare main HEAD or compare overlays/dev overlays/prod. compare 2 prints difference 2 in full.".to_owned());
        }
        self.run(Command::CompareSides, words);
        Ok(self.differences())
    }

    /// The changes of the draft in every target.
    pub(super) fn reach(&mut self) -> Answer {
        self.model.status = None;
        if !self.model.has_draft() {
            return Err("No draft.".to_owned());
        }
        self.run(Command::DraftEverywhere, "");
        self.show(Screen::Compared);
        Ok(self.differences())
    }

    fn differences(&mut self) -> Vec<String> {
        let compared = &self.model.compared;
        let first = match (&compared.error, &compared.report) {
            (Some(error), _) => Some(format!("{error}.")),
            (None, report) => report
                .as_ref()
                .map(|report| format!("{}.", crate::answers::compare::summary(report))),
        };
        let rows = (1..).zip(&compared.rows).map(|(number, row)| {
            let danger = row.danger.as_ref().map(|it| format!(" Danger: {it}."));
            let detail = row.detail.trim();
            let detail = if detail.is_empty() { String::new() } else { format!(" {detail}.") };
            let place = row.place.as_ref().map(|(place, more)| match more {
                0 => format!("{place}  "),
                more => format!("{place} and {more} more  "),
            });
            let (place, danger) = (place.unwrap_or_default(), danger.unwrap_or_default());
            format!("{number}. Level {}. {place}{}.{detail}{danger}", row.depth, row.label)
        });
        let lines: Vec<String> = first.into_iter().chain(rows).collect();
        if lines.is_empty() { self.sentence() } else { lines }
    }

    fn difference(&self, number: usize) -> Answer {
        let compared = &self.model.compared;
        let row = number.checked_sub(1).and_then(|at| compared.rows.get(at));
        let Some((report, row)) = compared.report.as_ref().zip(row) else {
            return Err("No difference with this number. compare A B lists them.".to_owned());
        };
        let shown = subject_detail(report, &row.subject);
        let rows = shown.lines.iter().map(TextLine::text);
        Ok([format!("{}.", shown.title)].into_iter().chain(rows).collect())
    }

    pub(super) fn users(&self) -> Answer {
        let mut builds = self.outside.board();
        builds.find().map_err(|error| format!("{error}."))?;
        let repository = builds.read();
        let objects = &builds.with_deployment_objects().objects;
        let rows = user_rows(&repository, objects, &self.model.opened.dir).into_iter();
        let lines = rows.map(|row| {
            let place = row.place.trim();
            let place = if place.is_empty() { String::new() } else { format!(", {place}") };
            let missing = if row.is_missing { " Missing." } else { "" };
            match row.lasts.len().checked_sub(1) {
                None => format!("{}.", row.label),
                Some(depth) => format!("Level {depth}. {}{place}.{missing}", row.label),
            }
        });
        Ok(lines.collect())
    }

    pub(super) fn find(&mut self, pattern: &str) -> Answer {
        if pattern.is_empty() {
            return Err(usage("find PATTERN, a regular expression, as in find nginx"));
        }
        self.run(Command::Find, pattern);
        let rows = self.model.search.rows.iter().map(|row| {
            let last = row.last.map(|last| format!("to step {}", last + 1));
            let last = last.as_deref().unwrap_or("to the end");
            let place = &row.place;
            let place = if place.is_empty() { String::new() } else { format!(" {place}.") };
            let (first, value) = (row.first + 1, &row.value);
            format!("{} {}: {value}. From step {first} {last}.{place}", row.resource, row.path)
        });
        let lines: Vec<String> = rows.collect();
        Ok(if lines.is_empty() { self.sentence() } else { lines })
    }
}

/// A pair in sentences: `3. patches in kustomization.yaml. Line 7, a.yaml, and line 9, b.yaml: …`
fn pair_sentences(number: usize, pair: &OrderPair) -> Vec<String> {
    let OrderPair { field, file, first, second, .. } = pair;
    let entries =
        format!("Line {}, {}, and line {}, {}", first.line, first.text, second.line, second.text);
    let head = format!("{number}. {field} in {file}. {entries}: {}.", pair_words(pair));
    let failure = pair.failure.iter().map(failure_text);
    let more = pair.fields.iter().map(field_words).chain(failure).chain(pair.unknown.clone());
    let more = more.map(|words| format!("   {words}."));
    [head].into_iter().chain(more).collect()
}
