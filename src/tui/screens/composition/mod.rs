//! The entries of a Composition.

pub(crate) mod keys;
pub(crate) mod state;

use crate::model::{
    EmptyText, Model, Pane, PaneContent, PaneView, PipelineKind, PipelineRow, TextAbout,
    count_pending, titled,
};
use crate::rows::{Cell, Keep, ListRow};
use crate::text::width;
use crate::theme::StyleRole;
use crate::update::selection;

pub(crate) static PIPELINE: PaneView = PaneView {
    title,
    count: |model| model.composition.rows.len(),
    content: PaneContent::Cells(|model, index, _| row(model, index)),
    text: |model, row| {
        let row = model.composition.rows.get(row)?;
        Some(format!("{} {} {}", row.name, row.object, row.from))
    },
    names: Some(|model, _| header(model)),
    empty: EmptyText::Build(|model| Some(empty_pipeline_text(model))),
    place: keys::place,
    open: |model| selection::focus(model, Pane::Entry),
    ..PaneView::LIST
};

pub(crate) static IMPORTS: PaneView = PaneView {
    title: |_| "Imports".to_owned(),
    content: PaneContent::Text(|model| (&model.composition.imports).into()),
    place: keys::place,
    ..PaneView::TEXT
};

pub(crate) static ENTRY: PaneView = PaneView {
    title: |model| titled("Entry", &model.text_in(Pane::Entry).title),
    content: PaneContent::About(TextAbout {
        list: |_| Pane::Pipeline,
        edition: |model| (model.builds.generation, model.composition.shown.unwrap_or_default()),
        make: |model, row, _| state::pipeline_detail(model, model.composition.rows.get(row)?),
    }),
    place: keys::place,
    ..PaneView::TEXT
};

fn title(model: &Model) -> String {
    match model.composition_result() {
        Some(shown) => format!("Pipeline  {}", model.builds.recording.shorten(&shown.file)),
        None => "Pipeline".to_owned(),
    }
}

fn header(model: &Model) -> ListRow {
    let lead = format!(" {}  #  ", " ".repeat(width(model.glyphs().on)));
    ListRow::header(&lead, &["name", "kind", "from", "changed", "runtime"], &["in", "out"])
}

fn row(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.composition.rows.get(index)?;
    let glyphs = model.glyphs();
    if matches!(row.kind, PipelineKind::Field(..)) {
        return Some(field_row(row));
    }
    let recording = &model.builds.recording;
    let waits = count_pending(recording, row.steps.iter().copied()) > 0;
    let first = row.steps.iter().min().copied().unwrap_or_default();
    let is_after_pending = count_pending(recording, 0..first) > 0;
    let (role, sign, number) = match row.kind {
        PipelineKind::Runs(at) if waits => {
            (StyleRole::Warning, glyphs.waiting, (at + 1).to_string())
        }
        PipelineKind::Runs(at) => (StyleRole::Ok, glyphs.on, (at + 1).to_string()),
        _ => (StyleRole::Dim, glyphs.off, glyphs.minus.to_owned()),
    };
    let runs = matches!(row.kind, PipelineKind::Runs(_));
    let flag = match (row.kind, row.overridden, row.ordered) {
        (PipelineKind::Removed(_), ..) => "deleted",
        (_, true, _) => "override",
        (_, false, true) => "order",
        _ => "",
    };
    let (before, after) = match row.objects {
        // After a pending entry, the input is not known either.
        Some(_) if is_after_pending => ("?".to_owned(), "?".to_owned()),
        // If the entry is pending, its output is not known.
        Some((before, _)) if waits => (before.to_string(), "?".to_owned()),
        Some((before, after)) => (before.to_string(), after.to_string()),
        None => (glyphs.minus.to_owned(), glyphs.minus.to_owned()),
    };
    let lead = vec![(role, format!(" {sign}")), (StyleRole::Step, format!("{number:>3}  "))];
    let text = if runs { StyleRole::Text } else { StyleRole::Dim };
    let cells = vec![
        Cell::new(text, Keep::Ends, &row.name),
        Cell::new(StyleRole::Dim, Keep::Ends, &row.object),
        Cell::new(StyleRole::Place, Keep::Place, &row.from),
        Cell::new(StyleRole::Modified, Keep::All, flag),
        Cell::new(StyleRole::Dim, Keep::All, row.runtime),
        Cell::right(StyleRole::Dim, Keep::All, before),
        Cell::right(StyleRole::Text, Keep::All, after),
    ];
    Some(ListRow::new(lead, cells))
}

fn field_row(row: &PipelineRow) -> ListRow {
    let cells = vec![
        Cell::new(StyleRole::Dim, Keep::End, &row.name),
        Cell::new(StyleRole::Modified, Keep::Change, &row.object),
        Cell::new(StyleRole::Place, Keep::Place, &row.from),
    ];
    ListRow { lead: vec![(StyleRole::Text, " ".repeat(7))], cells, is_alone: true }
}

pub(crate) fn missing_effect_text(model: &Model) -> &'static str {
    let row = model.composition.rows.get(model.list(Pane::Pipeline).selected);
    match row
        .map(|row| (row.kind, count_pending(&model.builds.recording, row.steps.iter().copied())))
    {
        Some((PipelineKind::Runs(_) | PipelineKind::Field(..), 0)) => "no change",
        Some((PipelineKind::Runs(_) | PipelineKind::Field(..), _)) => {
            "pending: its effect is not known"
        }
        Some(_) => "off (space: try it)",
        None => "",
    }
}

fn empty_pipeline_text(model: &Model) -> String {
    match model.composition_result().map(|shown| &shown.result) {
        Some(Err(error)) => {
            let place = model.builds.recording.location(error.mark);
            let message = model.look.secrets.text(&error.message);
            format!("{} {message}\n{place}", model.glyphs().failed)
        }
        Some(Ok(_)) => "no entries in this Composition".to_owned(),
        None => "no Composition (composition.yaml) in this target".to_owned(),
    }
}
