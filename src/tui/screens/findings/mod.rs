//! The problems of all targets.

pub(crate) mod rows;
pub(crate) mod state;

use crate::model::{EmptyText, Model, Pane, PaneContent, PaneView};
use crate::screens::problems::view::counts_title;
use crate::update::selection;

pub(crate) static FINDINGS: PaneView = PaneView {
    title: |model| {
        let findings = &model.board.findings;
        let Some(all) = &findings.all else { return "Problems of all targets".to_owned() };
        let title = counts_title(&findings.rows);
        let has_places = findings.rows.has_places();
        if has_places { format!("{title}  in {} places", all.len()) } else { title }
    },
    count: |model| model.board.findings.rows.len(),
    content: PaneContent::Cells(|model, index, _| rows::finding(model, index)),
    text: |model, row| {
        let found = model.finding(row)?;
        Some(format!("{} {} {}", found.code, model.board.place_of(found), found.message))
    },
    empty: EmptyText::Repository(|model| match &model.board.findings.all {
        _ if model.board.error.is_some() => "not known: the repository cannot be read".to_owned(),
        // The progress is in the line of the timeline.
        None => "checking all targets…".to_owned(),
        Some(rows) if rows.is_empty() => format!("{} no problems", model.glyphs().applied),
        Some(_) => "no match".to_owned(),
    }),
    place: Model::finding_location,
    open: |model| selection::focus(model, Pane::FindingDetail),
    ..PaneView::LIST
};

pub(crate) static FINDING_DETAIL: PaneView = PaneView {
    title: |_| "The selected problem".to_owned(),
    content: PaneContent::Details(|model| model.finding_lines().into()),
    place: Model::finding_location,
    ..PaneView::TEXT
};
