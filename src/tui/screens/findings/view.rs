//! The problems of all targets.

use ratatui::text::Line;

use crate::model::Model;
use crate::screens::problems::view::counts_title;
use crate::theme::StyleRole;
use crate::view::line::LineBuilder;

/// The title of the list, with the number of problems.
pub(crate) fn title(model: &Model) -> String {
    let findings = &model.board.findings;
    let Some(all) = &findings.all else { return "Problems of all targets".to_owned() };
    let title = counts_title(|severity| findings.count(severity));
    let has_places = findings.rows.has_places();
    if has_places { format!("{title}  in {} places", all.len()) } else { title }
}

/// One line of the selected problem.
pub(crate) fn detail(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    if let Some((role, text)) = model.finding_lines().get(index) {
        line.put(StyleRole::Text, " ").put(*role, text);
    }
    line.finish()
}

/// The text of a list of problems without rows: an error, the progress, or the reason.
pub(crate) fn empty(model: &Model) -> String {
    match &model.board.findings.all {
        _ if model.board.error.is_some() => "not known: the repository cannot be read".to_owned(),
        // The progress is in the line of the timeline.
        None => "checking all targets…".to_owned(),
        Some(rows) if rows.is_empty() => format!("{} no problems", model.glyphs().applied),
        Some(_) => "no match".to_owned(),
    }
}
