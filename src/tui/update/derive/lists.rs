//! The rows of lists: targets, components, and the entries of Compositions, catalogs and functions.

use std::path::Path;

use crate::layout::layout;
use crate::model::{
    CatalogRow, Model, Pane, Screen, UserRow, WorkbenchPlace, board_rows, catalog_rows,
    changed_between, common_folder, component_changes, component_rows, function_rows, import_lines,
    net_changes, pipeline_rows, result_rows, shown_composition, user_rows,
};
use crate::text::{sanitize, wrap};
use crate::update::derive::build_key;
use crate::update::matching;
use crate::update::matching::{retain, visible_row_mask};

pub(crate) fn derive_totals(model: &mut Model) {
    let edition = Some(model.board.edition);
    if model.screen.place() == WorkbenchPlace::Repository && model.board.counted != edition {
        model.board.counted = edition;
        model.board.totals = model.board.count();
    }
}

/// Lists the targets again; the selected target is found by its path.
pub(crate) fn derive_board(model: &mut Model) {
    if model.screen != Screen::Board {
        return;
    }
    let filter = model.panes.filters.get(&Pane::Targets).cloned();
    if model.derived.renew(Pane::Targets, (model.board.edition, &filter)) {
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
    // Of the results of builds, only the worst finding changes the rows.
    if model.derived.renew(Pane::Users, (model.board.graph, &subject, &worst, columns)) {
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
    matching::show_findings(model, Pane::Findings);
}

/// Lists the components; the selection is found by identity.
pub(crate) fn components(model: &mut Model) {
    let key = build_key(model);
    if !model.derived.renew(Pane::Components, key) {
        return;
    }
    let component = model.components.rows.get(model.list(Pane::Components).selected).cloned();
    model.components.rows = component_rows(model);
    model.components.folder = common_folder(model.components.rows.iter().map(|row| &*row.text));
    let found = component.and_then(|old| {
        model.components.rows.iter().position(|row| row.file == old.file && row.path == old.path)
    });
    model.select_found(Pane::Components, found);
}

/// Updates the list of effects: the changes of the draft in the output; without a draft, the effect
/// of the selected component, or on the Composition screen that of the selected entry.
pub(crate) fn derive_component_effect(model: &mut Model) {
    let is_pipeline = model.screen == Screen::Composition;
    let selected = if is_pipeline {
        model.list(Pane::Pipeline).selected
    } else {
        model.selected_row(Pane::Components)
    };
    // The effect of the draft is only known after its build.
    let key = (model.builds.generation, model.has_draft(), is_pipeline, selected);
    if !model.derived.renew(Pane::ComponentEffect, key) {
        return;
    }
    let is_draft_shown = model.has_draft() && !model.selects_component_to_try();
    if let Some(saved) = model.builds.saved.clone().filter(|_| is_draft_shown) {
        model.components.effect = changed_between(&saved, &model.builds.recording);
        "Output: files to draft".clone_into(&mut model.components.title);
        return;
    }
    if is_pipeline {
        effect(model);
        return;
    }
    let row = model.components.rows.get(selected);
    model.components.effect =
        row.map(|row| component_changes(&model.builds.recording, row)).unwrap_or_default();
    model.components.title =
        row.map_or_else(|| "Effect".to_owned(), |row| format!("Effect of {}", sanitize(&row.text)));
}

pub(crate) fn pipeline(model: &mut Model) {
    let shown = shown_composition(&model.builds.recording, model.cursor);
    if model.derived.renew(Pane::Pipeline, (model.builds.generation, shown)) {
        model.composition.shown = shown;
        let lists = model.composition();
        let lists = lists.map(|shown| (pipeline_rows(model, shown), import_lines(model, shown)));
        (model.composition.rows, model.composition.imports) = lists.unwrap_or_default();
        let follows = model.composition.follows.take();
        let found = follows.and_then(|old| {
            let is_it = |row: &crate::model::PipelineRow| {
                row.name == old.name && row.object == old.object && row.from == old.from
            };
            model.composition.rows.iter().position(is_it)
        });
        model.select_found(Pane::Pipeline, found);
    }
}

fn effect(model: &mut Model) {
    let Some(row) = model.composition.rows.get(model.list(Pane::Pipeline).selected) else {
        (model.components.effect, model.components.title) = (Vec::new(), "Effect".to_owned());
        return;
    };
    let steps = row.steps.iter().filter_map(|step| model.builds.recording.step(*step));
    model.components.title = format!("Effect of {}", row.name);
    model.components.effect = net_changes(&model.builds.recording, steps);
}

pub(crate) fn functions(model: &mut Model) {
    if model.derived.renew(Pane::Functions, model.builds.generation) {
        model.functions.rows = function_rows(&model.builds.recording);
    }
    let selected = model.selected_row(Pane::Functions);
    if !model.derived.renew(Pane::Results, (model.builds.generation, selected)) {
        return;
    }
    let results = model.functions.rows.get(selected).and_then(|row| {
        let run = model.builds.recording.step(row.step)?.run.as_ref()?;
        Some(result_rows(model, row.step, run))
    });
    model.functions.results = results.unwrap_or_default();
    model.panes.lists.remove(&Pane::Results);
}

pub(crate) fn catalogs(model: &mut Model) {
    if !model.derived.renew(Pane::Catalogs, model.builds.generation) {
        return;
    }
    let selected = model.catalogs.rows.get(model.list(Pane::Catalogs).selected).cloned();
    model.catalogs.rows = catalog_rows(&model.builds.recording);
    let depth = |row: usize| usize::from(model.catalogs.rows[row].entry.is_some());
    let kept = visible_row_mask(model, Pane::Catalogs, depth);
    retain(&mut model.catalogs.rows, kept.as_deref());
    let given = model.catalogs.follows.as_ref().and_then(|written| {
        let is_it = |row: &CatalogRow| {
            let reviewed = model.builds.recording.catalogs.get(row.catalog);
            row.entry.is_none() && reviewed.is_some_and(|it| it.given_as.contains(written))
        };
        model.catalogs.rows.iter().position(is_it)
    });
    let same = || model.catalogs.rows.iter().position(|row| Some(row) == selected.as_ref());
    let found = given.or_else(same);
    model.catalogs.follows = model.catalogs.follows.take().filter(|_| given.is_none());
    model.select_found(Pane::Catalogs, found);
}
