//! Search within a pane: text, `r:` for a regular expression, `!` for rows without it.

use crossterm::event::{KeyCode, KeyEvent};
use regex::RegexBuilder;

use super::super::message::Effect;
use super::super::model::{Model, Overlay, Pane};
use super::super::text::{LineInput, TextLine};
use super::super::theme::Role;
use super::{board, filter, navigate, say, time};

/// Begins a search.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let pane = model.focused();
    filter::set(model, pane, "");
    let from = model.list(pane).selected;
    model.overlay = Some(Overlay::Search { text: LineInput::default(), from });
    Vec::new()
}

/// A key while a search is typed.
pub(super) fn key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let pane = model.focused();
    let Some(Overlay::Search { text, from }) = &mut model.overlay else { return Vec::new() };
    let from = *from;
    match key.code {
        KeyCode::Enter => {
            text.text().clone_into(&mut model.search);
            model.searches.remember(&model.search);
            model.overlay = None;
        }
        KeyCode::Esc => {
            model.overlay = None;
            model.search.clear();
            filter::set(model, pane, "");
            navigate::select(model, pane, from);
        }
        KeyCode::Up | KeyCode::Down => {
            let earlier = match key.code {
                KeyCode::Up => model.searches.earlier(),
                _ => model.searches.later(),
            };
            let Some(earlier) = earlier.map(str::to_owned) else { return Vec::new() };
            text.set(earlier.clone());
            look(model, pane, &earlier, from);
        }
        _ if text.key(key) => {
            let text = text.text().to_owned();
            model.searches.leave();
            look(model, pane, &text, from);
        }
        _ => {}
    }
    Vec::new()
}

/// Goes to the first row that has the text, and shows only those that have it where a list can.
fn look(model: &mut Model, pane: Pane, text: &str, from: usize) {
    text.clone_into(&mut model.search);
    if pane == Pane::Targets {
        return board::filtered(model, text);
    }
    filter::set(model, pane, "");
    if let Some(row) = find(model, pane, text, from, true) {
        navigate::select(model, pane, row);
    } else if !text.is_empty() {
        say(model, Role::Warning, format!("no row here has `{text}`"));
    }
    if matcher(text).is_some() {
        filter::set(model, pane, text);
    }
}

/// To the next or previous match.
pub(super) fn next(model: &mut Model, forward: bool) -> Vec<Effect> {
    let pane = model.focused();
    let rows = model.rows(pane);
    if rows == 0 {
        return Vec::new();
    }
    let at = model.list(pane).selected;
    let start = if forward { (at + 1) % rows } else { (at + rows - 1) % rows };
    let text = model.search.clone();
    match find(model, pane, &text, start, forward) {
        Some(row) => navigate::select(model, pane, row),
        None => say(model, Role::Warning, format!("no row here has `{text}`")),
    }
    Vec::new()
}

/// The first row from `start` on, around the end, that matches.
fn find(model: &Model, pane: Pane, pattern: &str, start: usize, forward: bool) -> Option<usize> {
    let rows = model.rows(pane);
    let matches = matcher(pattern)?;
    (0..rows)
        .map(|step| if forward { (start + step) % rows } else { (start + rows - step) % rows })
        .find(|row| matches(&row_text(model, pane, *row)))
}

/// What a pattern means; `None` for one that is empty or no regular expression.
pub(super) fn matcher(pattern: &str) -> Option<impl Fn(&str) -> bool> {
    let (inverse, pattern) = match pattern.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    if pattern.is_empty() {
        return None;
    }
    let regex = match pattern.strip_prefix("r:") {
        Some(regex) => RegexBuilder::new(regex),
        None => RegexBuilder::new(&regex::escape(pattern)),
    }
    .case_insensitive(!pattern.contains(char::is_uppercase))
    .size_limit(1 << 20)
    .build()
    .ok()?;
    Some(move |text: &str| regex.is_match(text) != inverse)
}

/// A row as text, for searching.
#[expect(clippy::too_many_lines, reason = "one arm per pane")]
pub(in crate::tui) fn row_text(model: &Model, pane: Pane, row: usize) -> String {
    let changed = |rows: &[super::super::model::ChangedRow]| {
        rows.get(row).map(|row| format!("{} {}", row.kind, row.name))
    };
    match pane {
        Pane::Tree => model.tree.rows.get(row).map(|row| format!("{} {}", row.label, row.detail)),
        Pane::Preview => model.preview.lines.get(row).map(TextLine::text),
        Pane::Explanation => model.explanation.lines.get(row).map(TextLine::text),
        Pane::Steps => model.steps.visible.get(row).map(|step| {
            let label = time::step_label(&model.recording, *step);
            let words = model.recording.words(*step).map_or("", |words| &words.word);
            format!("{} {words} {label}", model.recording.place_of_step(*step))
        }),
        Pane::Effect => changed(&model.effect),
        Pane::Changed => changed(&model.diff.changed),
        Pane::ComponentEffect => changed(&model.component_effect),
        Pane::Diff => model.diff.rows.get(row).and_then(|row| {
            let diff = &model.diff.diff;
            let line = row.right.and_then(|line| diff.right.get(line));
            line.or_else(|| row.left.and_then(|line| diff.left.get(line))).map(TextLine::text)
        }),
        Pane::Resource => model.resources.lines.get(row).map(TextLine::text),
        Pane::Resources => {
            model.resources.list.get(row).map(|row| format!("{} {}", row.kind, row.name))
        }
        Pane::History => model
            .resources
            .history
            .get(row)
            .map(|row| format!("{} {} {}", row.label, row.written(), row.place)),
        Pane::Pipeline => {
            let row = model.pipeline.get(row);
            row.map(|row| format!("{} {} {}", row.name, row.object, row.from))
        }
        Pane::Imports => model.imports.get(row).map(TextLine::text),
        Pane::Entry => model.entry.lines.get(row).map(TextLine::text),
        Pane::Catalogs => {
            let row = model.catalogs.get(row);
            row.map(|row| format!("{} {} {}", row.label, row.detail, row.standing.word()))
        }
        Pane::Review => model.review.lines.get(row).map(TextLine::text),
        Pane::Functions => {
            let row = model.functions.get(row);
            row.map(|row| format!("{} {} {}", row.name, row.runtime, row.program))
        }
        Pane::Results => {
            let row = model.function_results.get(row);
            row.map(|row| format!("{} {} {}", row.resource, row.field, row.text))
        }
        Pane::Invocation => model.invocation.lines.get(row).map(TextLine::text),
        Pane::Components => model.components.get(row).map(|row| row.text.clone()),
        Pane::Targets => model.board.rows.get(row).map(|row| row.label.clone()),
        Pane::Users => model.board.users.get(row).map(|row| format!("{} {}", row.label, row.place)),
        Pane::Reach | Pane::Hit => None,
        Pane::Differences => {
            let row = model.compared.rows.get(row);
            row.map(|row| format!("{} {}", row.label, row.detail))
        }
        Pane::Found => {
            let row = model.found_fields.rows.get(row);
            row.map(|row| format!("{} {}: {} {}", row.resource, row.path, row.value, row.place))
        }
        Pane::Pairs => model.pair(row).map(|pair| {
            format!("{} {} {} {}", pair.file, pair.field, pair.first.text, pair.second.text)
        }),
        Pane::Cases => model.case_text(row),
        Pane::Varied => model.varied.detail.get(row).map(|line| line.text.clone()),
        Pane::Hunk => model.compared.hunk.get(row).map(|line| line.text.clone()),
        Pane::Problems => {
            model.problem(row).map(|row| format!("{} {} {}", row.code, row.place, row.message))
        }
    }
    .unwrap_or_default()
}
