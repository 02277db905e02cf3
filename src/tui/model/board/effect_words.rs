//! The effect of the draft on the targets, as text.

use super::super::{Model, Screen};
use crate::answers::compare::{
    CompareReport, ConsequenceWeight, cause_heading_lines, resource_change_words, state_words,
};
use crate::text::sanitize;
use crate::theme::StyleRole;

/// The lines of the pane about the draft: its consequences and its edits.
pub(crate) fn draft_effect_lines(model: &Model) -> Vec<(StyleRole, String)> {
    if !model.has_draft() {
        let words = ["no draft", "edit a target to start one;", "this pane shows its effect"];
        return words.map(|text| (StyleRole::Dim, text.to_owned())).to_vec();
    }
    let consequence = model.write_consequences().into_iter().map(|(weight, text)| {
        let role = match weight {
            ConsequenceWeight::Grave => StyleRole::Error,
            ConsequenceWeight::Plain => StyleRole::Draft,
            ConsequenceWeight::Danger | ConsequenceWeight::Unknown => StyleRole::Warning,
        };
        (role, sanitize(&text).into_owned())
    });
    let mut lines: Vec<(StyleRole, String)> = consequence.collect();
    if let Some(report) = &model.reach.report {
        lines.extend(report_lines(report, true));
    }
    lines
}

/// The targets that do not build, and the changes, with the edits that cause them if `has_causes`.
pub(crate) fn report_lines(report: &CompareReport, has_causes: bool) -> Vec<(StyleRole, String)> {
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
        let causes = cause_heading_lines(report, &row.cause);
        for (at, text) in causes.lines().enumerate().filter(|_| has_causes) {
            let times = if at == 0 { &*times } else { "" };
            lines.push((StyleRole::Place, format!("{times}{}", sanitize(text))));
        }
        for change in row.cause.merged_changes().iter().take(4) {
            let text = resource_change_words(change);
            lines.push((StyleRole::Text, format!("  {}", sanitize(&text))));
        }
        let targets = row.cause.targets().len();
        lines.push((StyleRole::Dim, format!("  in {targets} of these targets")));
    }
    lines
}

/// The number of lines of the pane about the draft.
pub(crate) fn draft_effect_rows(model: &Model) -> usize {
    if matches!(model.screen, Screen::Board | Screen::Change) {
        draft_effect_lines(model).len()
    } else {
        0
    }
}
