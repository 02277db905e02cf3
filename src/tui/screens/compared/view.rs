//! The Compare screen: differences and their causes.

use crate::answers::compare::summary;
use crate::model::{Model, WorkKind};
use crate::text::sanitize;

pub(crate) fn title(model: &Model) -> String {
    let state = &model.compared;
    let words = state.report.as_deref().map_or_else(|| state.title.clone(), summary);
    format!("{}  {}", state.by.word(), sanitize(&words))
}

pub(crate) fn short_title(model: &Model) -> String {
    let Some(report) = &model.compared.report else { return title(model) };
    let words = summary(report);
    let sides = format!("{} → {}: ", report.before, report.after);
    let words = words.strip_prefix(&sides).unwrap_or(&words);
    format!("{}  {}", model.compared.by.word(), sanitize(words))
}

pub(crate) fn empty(model: &Model) -> String {
    let state = &model.compared;
    match (&state.error, &state.report) {
        (Some(error), _) => format!("{} {error}", model.glyphs().failed),
        (None, Some(report)) if report.targets.is_empty() => {
            format!("{} {}", model.glyphs().applied, summary(report))
        }
        (None, Some(_)) => "no dangerous change (,x: list everything)".to_owned(),
        (None, None) if state.title.is_empty() => {
            "no comparison yet: `:compare A B` compares folders, git references, `draft` or rendered files".to_owned()
        }
        (None, None) => match model.work.progress(WorkKind::Compared) {
            Some((done, all)) => format!("{done} of {all} targets compared… (esc: cancel)"),
            None => "building both sides… (esc: cancel)".to_owned(),
        },
    }
}
