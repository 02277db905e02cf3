//! The rows of the Board.

use std::path::Path;

use crate::layout::layout;
use crate::model::derived::renew;
use crate::model::{Model, Pane, Screen, UserRow, WorkbenchPlace, board_rows, user_rows};
use crate::text::{sanitize, wrap};
use crate::update::finding_rows;

pub(crate) fn derive_totals(model: &mut Model) {
    if model.screen.place() == WorkbenchPlace::Repository
        && renew(&mut model.derived.totals, model.board.edition)
    {
        model.board.totals = model.board.count();
    }
}

/// Lists the targets again; the selected target is found by its path.
pub(crate) fn derive(model: &mut Model) {
    if model.screen != Screen::Board {
        return;
    }
    let filter = model.panes.filters.get(&Pane::Targets).cloned();
    if renew(&mut model.derived.board, (model.board.edition, filter.clone())) {
        let impacts = [&model.reach, &model.branch];
        model.board.rows = board_rows(&model.board, impacts, filter.as_deref());
        let selected = model.board.selected.as_ref();
        let rows = &model.board.rows;
        let found = selected.and_then(|path| rows.iter().position(|row| row.path == *path));
        model.select_found(Pane::Targets, found);
    }
    let row = model.board.rows.get(model.selected_row(Pane::Targets));
    let path = row.map(|row| row.path.clone());
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
    let key = (model.board.graph, subject.clone(), worst.clone(), columns);
    if renew(&mut model.derived.users, key) {
        model.board.users = match (&model.board.repository, &subject) {
            // The rows need the contents of the files, which may not be read yet.
            (Some(repository), Some(path)) if !repository.is_unread => {
                let mut rows = worst_finding_rows(worst.as_deref(), columns);
                rows.extend(user_rows(repository, &model.board.managers, path));
                rows
            }
            _ => Vec::new(),
        };
    }
}

/// The worst finding of a target in full, above its users; empty without one.
fn worst_finding_rows(worst: Option<&str>, columns: u16) -> Vec<UserRow> {
    let Some(worst) = worst else { return Vec::new() };
    let lines = wrap(&sanitize(worst), usize::from(columns.saturating_sub(3)).max(20));
    lines.into_iter().chain([String::new()]).map(UserRow::heading).collect()
}

pub(crate) fn derive_findings(model: &mut Model) {
    finding_rows::show(model, Pane::Findings);
}
