//! The problems of all targets.

use crate::model::Model;
use crate::screens::problems::view::counts_title;

pub(crate) fn title(model: &Model) -> String {
    let findings = &model.board.findings;
    let Some(all) = &findings.all else { return "Problems of all targets".to_owned() };
    let title = counts_title(&findings.rows);
    let has_places = findings.rows.has_places();
    if has_places { format!("{title}  in {} places", all.len()) } else { title }
}

pub(crate) fn empty(model: &Model) -> String {
    match &model.board.findings.all {
        _ if model.board.error.is_some() => "not known: the repository cannot be read".to_owned(),
        // The progress is in the line of the timeline.
        None => "checking all targets…".to_owned(),
        Some(rows) if rows.is_empty() => format!("{} no problems", model.glyphs().applied),
        Some(_) => "no match".to_owned(),
    }
}
