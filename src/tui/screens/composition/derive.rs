//! Contents of the Composition, Catalogs and Functions screens.

use crate::model::derived::renew;
use crate::model::{
    CatalogRow, Model, Pane, catalog_detail, catalog_rows, function_rows, import_lines, invocation,
    net_changes, pipeline_detail, pipeline_rows, result_rows, shown_composition,
};
use crate::update::derive::renew_text;
use crate::update::matching::{retain, visible_row_mask};

pub(crate) fn pipeline(model: &mut Model) {
    let shown = shown_composition(&model.builds.recording, model.cursor);
    let pipeline = (model.builds.generation, shown);
    if renew(&mut model.derived.pipeline, pipeline) {
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
    let selected = model.selected_row(Pane::Pipeline);
    if renew(&mut model.derived.entry, (pipeline, selected)) {
        let row = model.composition.rows.get(selected);
        let detail = row.and_then(|row| pipeline_detail(model, row));
        model.composition.entry = detail.unwrap_or_default();
        *model.list_mut(Pane::Entry) = crate::screen::ListView::default();
    }
}

pub(crate) fn effect(model: &mut Model) {
    let Some(row) = model.composition.rows.get(model.list(Pane::Pipeline).selected) else {
        (model.components.effect, model.components.title) = (Vec::new(), "Effect".to_owned());
        return;
    };
    let steps = row.steps.iter().filter_map(|step| model.builds.recording.step(*step));
    model.components.title = format!("Effect of {}", row.name);
    model.components.effect = net_changes(&model.builds.recording, steps);
}

pub(crate) fn functions(model: &mut Model) {
    if renew(&mut model.derived.functions, model.builds.generation) {
        model.functions.rows = function_rows(&model.builds.recording);
    }
    let key = renew_text(model, model.builds.generation, Pane::Functions, Pane::Invocation);
    let Some(key) = key else { return };
    let row = model.functions.rows.get(key.selected);
    let shown = row.map(|row| invocation(model, row, key.columns.into()));
    let results = row.and_then(|row| {
        let run = model.builds.recording.step(row.step)?.run.as_ref()?;
        Some(result_rows(model, row.step, run))
    });
    model.functions.invocation = shown.unwrap_or_default();
    model.functions.results = results.unwrap_or_default();
    model.panes.lists.remove(&Pane::Results);
    model.panes.lists.remove(&Pane::Invocation);
}

pub(crate) fn catalogs(model: &mut Model) {
    if renew(&mut model.derived.catalogs, model.builds.generation) {
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
    let key = renew_text(model, model.builds.generation, Pane::Catalogs, Pane::Review);
    let Some(key) = key else { return };
    let row = model.catalogs.rows.get(key.selected);
    let detail = row.map(|row| catalog_detail(model, row, key.columns.into()));
    model.catalogs.review = detail.unwrap_or_default();
    *model.list_mut(Pane::Review) = crate::screen::ListView::default();
}
