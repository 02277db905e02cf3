//! Commands of linear mode that build more than once: entries in another order, components in all
//! combinations, comparisons; and the users of the target.

use std::io::{self, Write};

use super::super::keymap::Command;
use super::super::model::{Model, Pane, Screen, subject_detail, user_rows};
use super::LinearSession;
use crate::answers::experiments::what_if::{
    built_words, failure_text, field_words, matrix_summary, pair_words,
};
use crate::answers::report::{MatrixCombination, OrderPair, SwapWord};
use crate::display::counted;
use crate::screens::experiments::state::{CombinationRow, count_dependent_pairs};

impl<W: Write> LinearSession<'_, W> {
    /// Lists the pairs of consecutive entries whose order matters; with a number, swaps that pair
    /// in the draft.
    pub(super) fn order(&mut self, argument: &str) -> io::Result<()> {
        self.show(Screen::Order);
        let Some(answer) = self.model.varied.order.answer().cloned() else {
            let reason = self.model.varied.order.run.error.clone();
            return self.print(format!("{}.", reason.as_deref().unwrap_or("not known")));
        };
        if !argument.is_empty() {
            return self.take(Screen::Order, Pane::Pairs, argument, "order 2");
        }
        let mut lines = vec![format!(
            "Order matters in {} of {} pairs of neighbours.",
            count_dependent_pairs(&answer),
            answer.pairs.len()
        )];
        if let Some(failure) = &answer.failure {
            lines.insert(0, format!("The build fails: {}.", failure_text(failure)));
        }
        for (number, row) in (1..).zip(0..self.model.varied.pairs.len()) {
            let Some(pair) = self.model.pair(row) else { continue };
            if pair.swapped != SwapWord::Same {
                lines.extend(pair_sentences(number, pair));
            }
        }
        self.print_lines(lines)
    }

    /// Lists the combinations of components; with a number, drafts that combination.
    pub(super) fn matrix(&mut self, argument: &str) -> io::Result<()> {
        self.show(Screen::Combinations);
        let Some(answer) = self.model.varied.combinations.answer().cloned() else {
            let reason = self.model.varied.combinations.run.error.clone();
            return self.print(format!("{}.", reason.as_deref().unwrap_or("not known")));
        };
        if !argument.is_empty() {
            return self.take(Screen::Combinations, Pane::Cases, argument, "matrix 2");
        }
        let mut lines = vec![format!("{}.", matrix_summary(&answer))];
        for (number, case) in (1..).zip(&self.model.varied.cases) {
            match case {
                CombinationRow::Rule(at) => {
                    let Some(rule) = answer.rules.get(*at) else { continue };
                    let times = counted(rule.holds_in, "combination");
                    lines.push(format!("{number}. {}, in {times}.", rule.words));
                    let because =
                        rule.failure.iter().map(|why| format!("   {}.", failure_text(why)));
                    lines.extend(because);
                }
                CombinationRow::Combination(at) => {
                    let built: Option<&MatrixCombination> = answer.combinations.get(*at);
                    let Some((with, result)) = built.map(built_words) else { continue };
                    lines.push(format!("{number}. {with}: {result}."));
                }
            }
        }
        self.print_lines(lines)
    }

    /// Applies the row with the number `argument` in a pane of a screen to the draft; without a
    /// valid number, prints the usage with `example`.
    fn take(
        &mut self,
        screen: Screen,
        pane: Pane,
        argument: &str,
        example: &str,
    ) -> io::Result<()> {
        if !self.select(screen, pane, argument) {
            return self.print(format!("Usage: a number, as in {example}."));
        }
        self.edit(Command::Toggle)
    }

    /// Compares two sides, or prints one difference in full.
    pub(super) fn compare(&mut self, words: &str) -> io::Result<()> {
        if let Ok(number) = words.parse::<usize>() {
            return self.print_difference(number);
        }
        if words.is_empty() {
            return self.print("Usage: compare A B, as in compare main HEAD or compare overlays/dev overlays/prod. compare 2 prints difference 2 in full.");
        }
        self.run_with(Command::CompareSides, words);
        self.print_differences()
    }

    /// Prints the changes of the draft in every target.
    pub(super) fn reach(&mut self) -> io::Result<()> {
        self.model.status = None;
        if !self.model.has_draft() {
            return self.print("No draft.");
        }
        self.run(Command::DraftEverywhere);
        self.show(Screen::Compared);
        self.print_differences()
    }

    fn print_differences(&mut self) -> io::Result<()> {
        let compared = &self.model.compared;
        let mut lines: Vec<String> = Vec::new();
        if let Some(error) = &compared.error {
            lines.push(format!("{error}."));
        } else if let Some(report) = &compared.report {
            lines.push(format!("{}.", crate::answers::compare::summary(report)));
        }
        for (number, row) in (1..).zip(&compared.rows) {
            let danger =
                row.danger.as_ref().map(|it| format!(" Danger: {it}.")).unwrap_or_default();
            let detail = row.detail.trim();
            let detail = if detail.is_empty() { String::new() } else { format!(" {detail}.") };
            let place = row.place.as_ref().map(|(place, more)| match more {
                0 => format!("{place}  "),
                more => format!("{place} and {more} more  "),
            });
            let place = place.unwrap_or_default();
            let label = &row.label;
            lines.push(format!("{number}. Level {}. {place}{label}.{detail}{danger}", row.depth));
        }
        if lines.is_empty() {
            lines.extend(self.model.status.take().map(|status| format!("{}.", status.text)));
        }
        self.print_lines(lines)
    }

    fn print_difference(&mut self, number: usize) -> io::Result<()> {
        let compared = &self.model.compared;
        let row = number.checked_sub(1).and_then(|at| compared.rows.get(at));
        let lines = match (&compared.report, row) {
            (Some(report), Some(row)) => {
                let (title, rows) = subject_detail(report, &row.subject);
                let rows = rows.into_iter().map(|row| row.text);
                [format!("{title}.")].into_iter().chain(rows).collect()
            }
            _ => {
                vec!["No difference with this number. compare A B lists them.".to_owned()]
            }
        };
        self.print_lines(lines)
    }

    pub(super) fn users(&mut self) -> io::Result<()> {
        let mut builds = self.outside.board();
        if let Err(error) = builds.find() {
            return self.print(format!("{error}."));
        }
        let repository = builds.read();
        let rows = user_rows(
            &repository,
            &builds.with_deployment_objects().objects,
            &self.model.opened.dir,
        );
        let lines = rows.into_iter().map(|row| {
            let place = row.place.trim();
            let place = if place.is_empty() { String::new() } else { format!(", {place}") };
            let missing = if row.is_missing { " Missing." } else { "" };
            match row.lasts.len().checked_sub(1) {
                None => format!("{}.", row.label),
                Some(depth) => format!("Level {depth}. {}{place}.{missing}", row.label),
            }
        });
        self.print_lines(lines.collect::<Vec<_>>())
    }

    pub(super) fn find(&mut self, pattern: &str) -> io::Result<()> {
        if pattern.is_empty() {
            return self.print("Usage: find PATTERN, a regular expression, as in find nginx.");
        }
        self.run_with(Command::Find, pattern);
        let lines = search_lines(&self.model);
        let status = self.model.status.take().filter(|_| lines.is_empty());
        self.print_lines(lines.into_iter().chain(status.map(|status| format!("{}.", status.text))))
    }
}

fn search_lines(model: &Model) -> Vec<String> {
    let rows = model.search.rows.iter().map(|row| {
        let last = match row.last {
            None => "to the end".to_owned(),
            Some(last) => format!("to step {}", last + 1),
        };
        let place = if row.place.is_empty() { String::new() } else { format!(" {}.", row.place) };
        let (first, value) = (row.first + 1, &row.value);
        format!("{} {}: {value}. From step {first} {last}.{place}", row.resource, row.path)
    });
    rows.collect()
}

/// A pair in sentences: `3. patches in kustomization.yaml. Line 7, a.yaml, and line 9, b.yaml: …`
fn pair_sentences(number: usize, pair: &OrderPair) -> Vec<String> {
    let (first, second) = (&pair.first, &pair.second);
    let mut lines = vec![format!(
        "{number}. {} in {}. Line {}, {}, and line {}, {}: {}.",
        pair.field,
        pair.file,
        first.line,
        first.text,
        second.line,
        second.text,
        pair_words(pair)
    )];
    lines.extend(pair.fields.iter().map(|field| format!("   {}.", field_words(field))));
    lines.extend(pair.failure.iter().map(|why| format!("   {}.", failure_text(why))));
    lines.extend(pair.unknown.iter().map(|why| format!("   {why}.")));
    lines
}
