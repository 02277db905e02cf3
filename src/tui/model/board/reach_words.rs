//! The effect of the draft on the targets, as text.

use super::super::{Model, Screen};
use crate::answers::compare::{CompareReport, Weight, heading, one_change, state_words};
use crate::text::sanitize;
use crate::theme::StyleRole;

/// The lines of the pane of the draft.
pub(crate) fn reach_words(model: &Model) -> Vec<(StyleRole, String)> {
    if !model.has_draft() {
        let words = ["no draft", "edit a target to start one;", "this pane shows its effect"];
        return words.map(|text| (StyleRole::Dim, text.to_owned())).to_vec();
    }
    let consequence = model.write_consequence().into_iter().map(|(weight, text)| {
        let role = match weight {
            Weight::Grave => StyleRole::Error,
            Weight::Plain => StyleRole::Draft,
            Weight::Danger | Weight::Unknown => StyleRole::Warning,
        };
        (role, sanitize(&text).into_owned())
    });
    let mut lines: Vec<(StyleRole, String)> = consequence.collect();
    if let Some(report) = &model.reach.report {
        lines.extend(report_lines(report));
    }
    lines
}

/// The targets that do not build, and the edits with the changes that each makes.
pub(crate) fn report_lines(report: &CompareReport) -> Vec<(StyleRole, String)> {
    let mut lines = Vec::new();
    for target in &report.targets {
        if let Some(words) = state_words(target.state) {
            let text = format!("{} {words}", target.target);
            lines.push((StyleRole::Error, sanitize(&text).into_owned()));
        }
    }
    for row in report.review() {
        let times = match row.edits.len() {
            1 => String::new(),
            count => format!("{count} × "),
        };
        for (at, text) in heading(report, &row.cause).lines().enumerate() {
            let times = if at == 0 { &*times } else { "" };
            lines.push((StyleRole::Place, format!("{times}{}", sanitize(text))));
        }
        for change in row.cause.kinds_of_change().iter().take(4) {
            let text = one_change(change);
            lines.push((StyleRole::Text, format!("  {}", sanitize(&text))));
        }
        let targets = row.cause.targets().len();
        lines.push((StyleRole::Dim, format!("  in {targets} of these targets")));
    }
    lines
}

/// The number of lines of the pane about the draft.
pub(crate) fn reach_rows(model: &Model) -> usize {
    if matches!(model.screen, Screen::Board | Screen::Change) {
        reach_words(model).len()
    } else {
        0
    }
}
