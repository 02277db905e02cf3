//! Search within a pane: text, `r:` for a regular expression, `!` for rows without it.

use crossterm::event::{KeyCode, KeyEvent};

use super::super::model::{Model, Overlay, Pane};
use super::super::text::LineInput;
use super::matching::{matcher, row_text};
use crate::screens::targets;
use crate::update::{compare_all_resources, navigate, selection, warn};

pub(crate) fn open(model: &mut Model) {
    let pane = model.focused();
    if pane == Pane::Diff {
        compare_all_resources(model);
    }
    selection::set_filter(model, pane, "");
    let from = model.list(pane).selected;
    model.overlay = Some(Overlay::Search { text: LineInput::default(), from });
}

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let pane = model.focused();
    let Some(Overlay::Search { text, from }) = &mut model.overlay else { return };
    let from = *from;
    match key.code {
        KeyCode::Enter => {
            text.text().clone_into(&mut model.input.search);
            model.input.searches.remember(&model.input.search);
            model.overlay = None;
            let text = model.input.search.clone();
            report_missing_match(model, pane, &text);
        }
        KeyCode::Esc => {
            model.overlay = None;
            model.input.search.clear();
            selection::set_filter(model, pane, "");
            selection::select(model, pane, from);
        }
        KeyCode::Up | KeyCode::Down => {
            let earlier = match key.code {
                KeyCode::Up => model.input.searches.earlier(),
                _ => model.input.searches.later(),
            };
            let Some(earlier) = earlier.map(str::to_owned) else { return };
            text.set(earlier.clone());
            select_match(model, pane, &earlier, from);
        }
        _ if text.key(key) => {
            let text = text.text().to_owned();
            model.input.searches.leave();
            select_match(model, pane, &text, from);
        }
        _ => {}
    }
}

/// Selects the first matching row, and shows only matching rows in lists that can be filtered.
fn select_match(model: &mut Model, pane: Pane, text: &str, from: usize) {
    text.clone_into(&mut model.input.search);
    model.input.searched_on = Some(model.screen);
    if pane == Pane::Targets {
        return targets::keys::filter_targets(model, text);
    }
    selection::set_filter(model, pane, "");
    let found = find(model, pane, text, from, true);
    if let Some(row) = found {
        selection::select(model, pane, row);
    }
    if matcher(text).is_some() {
        selection::set_filter(model, pane, text);
    }
    if found.is_some() || text.is_empty() {
        return;
    }
    // The filter of the tree also contains rows that were closed.
    match find(model, pane, text, 0, true) {
        Some(row) => selection::select(model, pane, row),
        None => report_missing_match(model, pane, text),
    }
}

fn report_missing_match(model: &mut Model, pane: Pane, text: &str) {
    let words = match matcher(text) {
        None if text.contains("r:") => format!("not a regular expression: `{text}`"),
        Some(_) if find(model, pane, text, 0, true).is_none() => {
            format!("no row matches `{text}`")
        }
        _ => return,
    };
    warn(model, words);
}

pub(crate) fn next(model: &mut Model, forward: bool) {
    let pane = model.focused();
    if pane == Pane::Diff {
        if model.input.search.is_empty() {
            // Without a search pattern, go to the next change.
            navigate::change(model, forward);
            return;
        }
        compare_all_resources(model);
    }
    let rows = model.rows(pane);
    if rows == 0 {
        return;
    }
    let at = model.list(pane).selected;
    let start = if forward { (at + 1) % rows } else { (at + rows - 1) % rows };
    let text = model.input.search.clone();
    match find(model, pane, &text, start, forward) {
        Some(row) => selection::select(model, pane, row),
        None => warn(model, format!("no row matches `{text}`")),
    }
}

/// The first matching row from `start` on; continues at the other end of the list.
fn find(model: &Model, pane: Pane, pattern: &str, start: usize, forward: bool) -> Option<usize> {
    let rows = model.rows(pane);
    let matches = matcher(pattern)?;
    (0..rows)
        .map(|step| if forward { (start + step) % rows } else { (start + rows - step) % rows })
        .find(|row| matches(&row_text(model, pane, *row)))
}
