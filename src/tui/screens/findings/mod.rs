//! The problems of all targets.

pub(crate) mod state;

use crate::model::{EmptyText, Model, Pane, PaneContent, PaneView, Severity};
use crate::rows::{Cell, Keep, ListRow};
use crate::screens::problems::counts_title;
use crate::screens::problems::rows::{fold, row, sign};
use crate::theme::StyleRole;
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
    content: PaneContent::Cells(|model, index, _| finding(model, index)),
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
    content: PaneContent::Text(|model| model.finding_lines().into()),
    place: Model::finding_location,
    ..PaneView::TEXT
};

fn finding(model: &Model, index: usize) -> Option<ListRow> {
    let found = model.finding(index)?;
    let role = if found.severity == Severity::Note { StyleRole::Dim } else { StyleRole::Text };
    let fix = if model.fixable_finding(index).is_some() { "f" } else { "" };
    let cells = vec![
        Cell::new(StyleRole::Place, Keep::Place, model.board.place_of(found)),
        Cell::new(role, Keep::Begin, model.finding_message(index)),
        Cell::right(StyleRole::Dim, Keep::All, model.finding_targets_words(index)),
        Cell::right(StyleRole::Key, Keep::All, fix),
    ];
    let fold = fold(model, &model.board.findings.rows, index);
    Some(row(sign(model, found.severity), found.code.as_str(), fold, cells))
}
