//! The rows of the Board.

use std::path::Path;

use crate::layout::layout;
use crate::model::derived::{BoardKey, UsersKey};
use crate::model::{Model, Pane, Screen, UserRow, WorkbenchPlace, board_rows, user_rows};
use crate::text::{sanitize, wrap};
use crate::update::finding_rows;

/// Counts the targets and their results, which each screen of the repository shows.
pub(crate) fn derive_totals(model: &mut Model) {
    let edition = Some(model.board.edition);
    if model.screen.place() == WorkbenchPlace::Repository && model.derived.totals != edition {
        model.board.totals = model.board.count();
        model.derived.totals = edition;
    }
}

/// Lists the targets again; the selected target is found by its path.
pub(crate) fn derive(model: &mut Model) {
    if model.screen != Screen::Board {
        return;
    }
    let filter = model.panes.filters.get(&Pane::Targets).cloned();
    let key = BoardKey { edition: model.board.edition, filter };
    if model.derived.board.as_ref() != Some(&key) {
        let filter = key.filter.as_deref();
        let rows = board_rows(&model.board, [&model.reach, &model.branch], filter);
        let found = model
            .board
            .selected
            .as_ref()
            .and_then(|selected| rows.iter().position(|row| row.path == *selected));
        model.board.rows = rows;
        if let Some(found) = found {
            model.list_mut(Pane::Targets).selected = found;
        }
        model.derived.board = Some(key);
    }
    let last = model.board.rows.len().saturating_sub(1);
    let at = model.list(Pane::Targets).selected.min(last);
    let path = model.board.rows.get(at).map(|row| row.path.clone());
    if path.is_some() && path != model.board.selected {
        model.board.selected = path;
        // Another target is selected: the visited path in the graph no longer applies.
        if model.focused() == Pane::Targets {
            model.board.subjects.clear();
        }
    }
    let subject = model.board.path_of_shown_users().map(Path::to_owned);
    let summary = subject.as_ref().and_then(|path| model.board.summaries.get(path));
    let worst = summary.and_then(|summary| summary.worst.clone());
    let columns = layout(model).pane(Pane::Users).map_or(40, |pane| pane.inner.width);
    let key = UsersKey { graph: model.board.graph, subject, worst, columns };
    if model.derived.users.as_ref() != Some(&key) {
        model.board.users = match (&model.board.repository, &key.subject) {
            // The rows need the contents of the files, which may not be read yet.
            (Some(repository), Some(path)) if !repository.is_unread => {
                let mut rows = worst_finding_rows(key.worst.as_deref(), columns);
                rows.extend(user_rows(repository, &model.board.managers, path));
                rows
            }
            _ => Vec::new(),
        };
        model.derived.users = Some(key);
    }
}

/// The worst finding of a target in full, above its users; empty without one.
fn worst_finding_rows(worst: Option<&str>, columns: u16) -> Vec<UserRow> {
    let Some(worst) = worst else { return Vec::new() };
    let lines = wrap(&sanitize(worst), usize::from(columns.saturating_sub(3)).max(20));
    lines.into_iter().chain([String::new()]).map(UserRow::heading).collect()
}

/// Updates the list of problems that match the filter.
pub(crate) fn derive_findings(model: &mut Model) {
    finding_rows::show(model, Pane::Findings);
}
