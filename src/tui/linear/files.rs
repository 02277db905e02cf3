//! Commands of linear mode that change the draft, in rows or in files; the drafts with names, the
//! user's editor, and the log of writes; builds with other texts, and comparisons.

use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyModifiers};

use crate::answers::experiments::what_if::{
    built_words, failure_text, field_words, matrix_summary, pair_words,
};
use crate::answers::report::{OrderPair, SwapWord};
use crate::display::counted;
use crate::draft::DraftHolder;
use crate::engine::load::clean;
use crate::keymap::Command;
use crate::linear::{Answer, LinearSession, numbered, usage, words};
use crate::message::Effect;
use crate::model::{Overlay, Pane, Screen, subject_detail, user_rows};
use crate::screens::experiments::state::{CombinationRow, VariedAnswer, count_dependent_pairs};
use crate::text::TextLine;
use crate::update::{command, draft_text};
use crate::view::words_of_draft;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEdit {
    Change,
    Insert,
    Remove,
}

impl LinearSession<'_> {
    pub(super) fn text(&self, name: &str) -> Answer {
        let missing = || format!("{name} cannot be read. Usage: text FILE, as in text patch.yaml.");
        let (path, text) = self.read(name).ok_or_else(missing)?;
        let masked = self.model.look.secrets.file(&path, text.as_bytes());
        let text = String::from_utf8_lossy(&masked);
        let lines = (1..).zip(text.lines()).map(|(number, line)| format!("{number}: {line}"));
        Ok([format!("{}:", self.model.shown_path(&path))].into_iter().chain(lines).collect())
    }

    /// Changes a line of a file in the draft: `FILE:LINE TEXT`.
    pub(super) fn change(&mut self, argument: &str, edit: LineEdit) -> Answer {
        let (place, new) = argument.split_once(' ').unwrap_or((argument, ""));
        let parsed = place.rsplit_once(':').and_then(|(file, line)| {
            let line = line.parse::<usize>().ok()?;
            let (path, text) = self.read(file)?;
            Some((path, text, line))
        });
        let example = match edit {
            LineEdit::Change => "change patch.yaml:7   replicas: 3",
            LineEdit::Insert => "insert patch.yaml:7   replicas: 3, after line 7",
            LineEdit::Remove => "remove patch.yaml:7",
        };
        let (path, mut text, number) =
            parsed.ok_or_else(|| usage(&format!("FILE:LINE, as in {example}")))?;
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        // A last line without a line end gets one until the text is edited.
        let is_open = !text.is_empty() && !text.ends_with('\n');
        text.push_str(if is_open { line_end } else { "" });
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let is_there = (1..=lines.len()).contains(&number);
        let new = format!("{new}{line_end}");
        match edit {
            LineEdit::Change if is_there => lines[number - 1] = &new,
            LineEdit::Remove if is_there => _ = lines.remove(number - 1),
            LineEdit::Insert if is_there || number == 0 => lines.insert(number, &new),
            _ => return Err(format!("No such line: the file has {} lines.", lines.len())),
        }
        let mut edited = lines.concat();
        if is_open {
            edited.truncate(edited.len().saturating_sub(line_end.len()));
        }
        self.model.status = None;
        let effects = draft_text(&mut self.model, path, Arc::from(edited.into_bytes()));
        Ok(self.report(effects))
    }

    /// Opens the user's editor at a row of `tree`, or at `FILE:LINE`.
    pub(super) fn open_editor(&mut self, argument: &str) -> Answer {
        if self.model.is_read_only() {
            return Err("Read-only: started with --read-only.".to_owned());
        }
        self.model.status = None;
        if self.select(Screen::Tree, argument) {
            return Ok(self.edit(Command::Edit, ""));
        }
        let (file, line) = argument.rsplit_once(':').unwrap_or((argument, "1"));
        let place = line.parse::<u32>().ok().and_then(|line| Some((self.read(file)?.0, line)));
        let ways =
            "edit ROW, a row number that tree prints, or edit FILE:LINE, as in edit patch.yaml:3";
        let (path, line) = place.ok_or_else(|| usage(ways))?;
        Ok(self.report(vec![Effect::OpenEditor(path, line)]))
    }

    /// Lists the earlier writes; with a number, asks whether to revert that write in a draft.
    pub(super) fn log(&mut self, argument: &str) -> Vec<String> {
        self.run(Command::Log, "");
        let Some(Overlay::Log(log)) = &mut self.model.overlay else {
            return self.sentence();
        };
        if let Some(number) = numbered(argument, log.operations.len()) {
            log.selected = number;
            self.press(KeyCode::Enter, KeyModifiers::NONE);
            self.model.overlay.take_if(|overlay| matches!(overlay, Overlay::Log(_)));
            return self.ask();
        }
        let Some(Overlay::Log(log)) = self.model.overlay.take() else { return Vec::new() };
        let lines = (1..).zip(&log.operations).map(|(number, operation)| {
            let files = operation.files.iter().map(|it| self.model.shown_path(&it.path));
            let words = operation.words.join(", ");
            let words = if words.is_empty() { "edited".to_owned() } else { words };
            let files = files.collect::<Vec<_>>().join(", ");
            format!("{number}. {}: {words}. Files: {files}.", operation.at)
        });
        lines.collect()
    }

    /// The message as a sentence.
    pub(super) fn sentence(&mut self) -> Vec<String> {
        self.status().map(|text| format!("{text}.")).into_iter().collect()
    }

    /// Reads a file by its name, relative to the target's folder or to the working directory.
    fn read(&self, name: &str) -> Option<(PathBuf, String)> {
        if name.is_empty() {
            return None;
        }
        let files = self.model.edits.draft.files(self.model.opened.disk.clone());
        let folders = [&self.model.opened.dir, &self.model.board.current];
        folders.into_iter().find_map(|folder| {
            let path = clean(&folder.join(name));
            let text = String::from_utf8(files.read(&path).ok()?.to_vec()).ok()?;
            Some((path, text))
        })
    }

    /// Lists the kept drafts; with a name, switches to that draft; also renames, copies and deletes
    /// drafts.
    pub(super) fn drafts(&mut self, argument: &str) -> Answer {
        let (word, name) = argument.split_once(' ').unwrap_or((argument, ""));
        let (edit, name) = match (word, name.trim()) {
            ("", _) => return Ok(self.list_drafts()),
            ("rename", name) if !name.is_empty() => (Command::RenameDraft, name),
            ("copy", name) if !name.is_empty() => (Command::CopyDraft, name),
            ("delete", name) if !name.is_empty() => (Command::DeleteDraft, name),
            (name, "") => (Command::Drafts, name),
            _ => {
                let ways = "draft NAME, draft rename NAME, draft copy NAME or draft delete NAME";
                return Err(usage(ways));
            }
        };
        Ok(self.edit(edit, name))
    }

    fn list_drafts(&mut self) -> Vec<String> {
        self.run(Command::Drafts, "");
        let Some(Overlay::Drafts(list)) = self.model.overlay.take() else {
            return self.sentence();
        };
        let lines = list.drafts.iter().map(|draft| {
            let name = draft.draft.name.as_deref().unwrap_or("without a name");
            let here = if draft.held_by == DraftHolder::ThisWorkbench { ", open here" } else { "" };
            format!("{name}{here}. {}. Saved at {}.", words_of_draft(&self.model, draft), draft.at)
        });
        lines.collect()
    }

    /// Switches a row of the tree, or a component, on or off; lists a component that is not listed.
    pub(super) fn toggle(&mut self, word: &str, argument: &str) -> Answer {
        let (screen, ways) = match word {
            "toggle" => (Screen::Tree, "toggle ROW, a row number that tree prints, as in toggle 7"),
            _ => (
                Screen::Components,
                "component NUMBER, the number of a component, as in component 2",
            ),
        };
        self.take(screen, argument, ways)
    }

    /// Switches the row with a number on or off, or takes it over into the draft.
    pub(super) fn take(&mut self, screen: Screen, argument: &str, ways: &str) -> Answer {
        if self.select(screen, argument) {
            Ok(self.edit(Command::Toggle, ""))
        } else {
            Err(usage(ways))
        }
    }

    pub(super) fn fix(&mut self, argument: &str) -> Answer {
        let number = numbered(argument, self.model.problems.all.len());
        let ways = "fix NUMBER, the number of a problem, as in fix 2";
        let problem = number.ok_or_else(|| usage(ways))?;
        self.model.screen = Screen::Problems;
        let row = self.model.problems.rows.show_finding(problem);
        self.model.list_mut(Pane::Problems).selected = row.unwrap_or(problem);
        let Some(mut lines) = words::fix_lines(&self.model, problem) else {
            let problem = &self.model.problems.all[problem];
            return Err(match self.model.rejected_fix_reason(problem) {
                Some(reason) => format!("No fix: {reason}."),
                None => "No automatic fix for this problem.".to_owned(),
            });
        };
        lines.extend(self.edit(Command::Fix, ""));
        Ok(lines)
    }

    /// Moves the entry of a row of `tree` in its list, down for positive numbers.
    pub(super) fn move_row(&mut self, argument: &str, by: &str) -> Answer {
        let by = by.parse::<i32>().ok().filter(|by| *by != 0);
        let (Some(by), true) = (by, self.select(Screen::Tree, argument)) else {
            let ways = "move ROW COUNT, a row number that tree prints and a count, as in move 7 1 or move 7 -2";
            return Err(usage(ways));
        };
        let way = if by < 0 { Command::MoveUp } else { Command::MoveDown };
        self.model.status = None;
        let steps = (0..by.unsigned_abs()).map(|_| command(&mut self.model, way));
        let effects = steps.last().unwrap_or_default();
        Ok(self.report(effects))
    }
}

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
