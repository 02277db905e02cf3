//! Contents of the Composition, Catalogs and Functions screens.

use crate::layout::layout;
use crate::model::derived::{EntryRowKey, PipelineKey, TextKey};
use crate::model::{
    CatalogRow, Model, Pane, Preview, catalog_detail, catalog_rows, function_rows, import_lines,
    invocation, net_changes, pipeline_detail, pipeline_rows, result_rows, shown_composition,
};
use crate::update::filtered_rows::{retain, visible_row_mask};

/// Updates the pipeline, its imports, and the details of the selected entry.
pub(crate) fn pipeline(model: &mut Model) {
    let shown = shown_composition(&model.builds.recording, model.cursor);
    let pipeline = PipelineKey { generation: model.builds.generation, shown };
    if model.derived.pipeline != Some(pipeline) {
        model.derived.pipeline = Some(pipeline);
        model.composition.shown = shown;
        let recording = model.builds.recording.clone();
        let consolidated = model.composition();
        let rows = consolidated.map(|shown| pipeline_rows(&recording, shown, &model.look.secrets));
        let rows = rows.unwrap_or_default();
        let imports = consolidated.map(|shown| import_lines(&recording, shown)).unwrap_or_default();
        (model.composition.rows, model.composition.imports) = (rows, imports);
        let follows = model.composition.follows.take();
        let found = follows.and_then(|old| {
            let is_it = |row: &crate::model::PipelineRow| {
                row.name == old.name && row.object == old.object && row.from == old.from
            };
            model.composition.rows.iter().position(is_it)
        });
        if let Some(found) = found {
            model.list_mut(Pane::Pipeline).selected = found;
        }
    }
    let selected =
        model.list(Pane::Pipeline).selected.min(model.composition.rows.len().saturating_sub(1));
    let key = EntryRowKey { pipeline, selected };
    if model.derived.entry != Some(key) {
        model.derived.entry = Some(key);
        let row = model.composition.rows.get(selected);
        let detail = model.composition().zip(row).map(|(shown, row)| {
            let secrets = &model.look.secrets;
            pipeline_detail(&model.builds.recording, shown, row.kind, secrets)
        });
        model.composition.entry = detail.unwrap_or_default();
        *model.list_mut(Pane::Entry) = crate::screen::ListView::default();
    }
}

/// Updates the effect of the selected pipeline entry on the resources.
pub(crate) fn effect(model: &mut Model) {
    let Some(row) = model.composition.rows.get(model.list(Pane::Pipeline).selected) else {
        (model.components.effect, model.components.title) = (Vec::new(), "Effect".to_owned());
        return;
    };
    let steps = row.steps.iter().filter_map(|step| model.builds.recording.step(*step));
    model.components.title = format!("Effect of {}", row.name);
    model.components.effect = net_changes(&model.builds.recording, steps);
}

/// Updates the functions, and the details of the selected one.
pub(crate) fn functions(model: &mut Model) {
    if model.derived.functions != Some(model.builds.generation) {
        model.derived.functions = Some(model.builds.generation);
        model.functions.rows = function_rows(&model.builds.recording);
    }
    let selected =
        model.list(Pane::Functions).selected.min(model.functions.rows.len().saturating_sub(1));
    let columns = layout(model).pane(Pane::Invocation).map_or(80, |placed| placed.inner.width);
    let key = TextKey { generation: model.builds.generation, selected, columns };
    if model.derived.function == Some(key) {
        return;
    }
    model.derived.function = Some(key);
    let recording = model.builds.recording.clone();
    let row = model.functions.rows.get(selected);
    let run = row.and_then(|row| Some((row.step, recording.step(row.step)?.run.clone()?)));
    model.functions.invocation = row.map_or_else(Preview::default, |row| {
        invocation(&recording, row, columns.into(), &model.look.secrets)
    });
    let secrets = &model.look.secrets;
    let results = run.map(|(step, run)| result_rows(&recording, step, &run, secrets));
    model.functions.results = results.unwrap_or_default();
    *model.list_mut(Pane::Results) = crate::screen::ListView::default();
    *model.list_mut(Pane::Invocation) = crate::screen::ListView::default();
}

/// Updates the catalogs, and the details of the selected one.
pub(crate) fn catalogs(model: &mut Model) {
    if model.derived.catalogs != Some(model.builds.generation) {
        model.derived.catalogs = Some(model.builds.generation);
        let selected = model.catalogs.rows.get(model.list(Pane::Catalogs).selected).cloned();
        model.catalogs.rows = catalog_rows(&model.builds.recording);
        let depth = |row: usize| usize::from(model.catalogs.rows[row].entry.is_some());
        let kept = visible_row_mask(model, Pane::Catalogs, depth);
        retain(&mut model.catalogs.rows, kept.as_deref());
        let given = model.catalogs.follows.as_ref().and_then(|written| {
            let is_it = |row: &CatalogRow| {
                let reviewed = model.builds.recording.catalogs.get(row.catalog);
                row.entry.is_none() && reviewed.is_some_and(|it| it.is_given_as(written))
            };
            model.catalogs.rows.iter().position(is_it)
        });
        let same = || model.catalogs.rows.iter().position(|row| Some(row) == selected.as_ref());
        let found = given.or_else(same);
        model.catalogs.follows = model.catalogs.follows.take().filter(|_| given.is_none());
        if let Some(found) = found {
            model.list_mut(Pane::Catalogs).selected = found;
        }
    }
    let selected =
        model.list(Pane::Catalogs).selected.min(model.catalogs.rows.len().saturating_sub(1));
    let columns = layout(model).pane(Pane::Review).map_or(80, |placed| placed.inner.width);
    let key = TextKey { generation: model.builds.generation, selected, columns };
    if model.derived.review == Some(key) {
        return;
    }
    model.derived.review = Some(key);
    let row = model.catalogs.rows.get(selected);
    let detail = row
        .map(|row| catalog_detail(&model.builds.recording, &model.fetching, row, columns.into()));
    model.catalogs.review = detail.unwrap_or_default();
    *model.list_mut(Pane::Review) = crate::screen::ListView::default();
}
