//! The effect of the draft on the targets, as text.

use super::super::{Model, Screen};
use crate::answers::compare::{Weight, heading, one_change, state_words};
use crate::text::sanitize;
use crate::theme::Role;

/// The lines of the pane of the draft.
pub(crate) fn reach_words(model: &Model) -> Vec<(Role, String)> {
    if !model.has_draft() {
        let words = ["no draft", "edit a target to start one;", "this pane shows its effect"];
        return words.map(|text| (Role::Dim, text.to_owned())).to_vec();
    }
    let consequence = model.write_consequence().into_iter().map(|(weight, text)| {
        let role = match weight {
            Weight::Grave => Role::Error,
            Weight::Plain => Role::Draft,
            Weight::Unknown => Role::Warning,
        };
        (role, sanitize(&text).into_owned())
    });
    let mut lines: Vec<(Role, String)> = consequence.collect();
    let Some(report) = &model.reach.report else { return lines };
    for target in &report.targets {
        if let Some(words) = state_words(target.state) {
            let text = format!("{} {words}", target.target);
            lines.push((Role::Error, sanitize(&text).into_owned()));
        }
    }
    for cause in report.by_cause() {
        let targets = cause.targets().len();
        for text in heading(report, &cause).lines() {
            lines.push((Role::Place, sanitize(text).into_owned()));
        }
        for change in cause.kinds_of_change().iter().take(4) {
            let text = one_change(change);
            lines.push((Role::Text, format!("  {}", sanitize(&text))));
        }
        lines.push((Role::Dim, format!("  in {targets} of these targets")));
    }
    lines
}

/// The number of lines of the pane about the draft.
pub(crate) fn reach_rows(model: &Model) -> usize {
    if model.screen == Screen::Board { reach_words(model).len() } else { 0 }
}
