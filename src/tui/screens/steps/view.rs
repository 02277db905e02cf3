//! The title of the list of steps, and the texts in place of an empty diff.

use crate::answers::{failure_words, headline};
use crate::engine::evaluate::{StepKind, StepOutcome};
use crate::model::{Compare, Model, StepState, first_pending_reason, step_problems};
use crate::text::sanitize;

pub(crate) fn title(model: &Model) -> String {
    let filter = &model.steps.filter;
    if let Some(watched) = model.steps.watched.as_ref().filter(|_| filter.is_empty()) {
        format!("Steps  c: next write of {}", watched.words)
    } else if filter.is_empty() {
        "Steps".to_owned()
    } else {
        let (shown, all) = (model.steps.visible.len(), model.builds.recording.len());
        format!("Steps  {shown} of {all}")
    }
}

/// The text if both outputs are equal or cannot be compared.
pub(crate) fn equal_output_text(model: &Model) -> String {
    let recording = &model.builds.recording;
    if let Some(error) = recording.error.as_ref().filter(|_| !model.is_building()) {
        let reason = headline(&model.look.secrets.text(&failure_words(error)));
        let sign = model.glyphs().failed;
        return format!("{sign} {reason}\n\nno comparison: the draft does not build (gp: why)");
    }
    let both = [model.builds.saved.as_ref().unwrap_or(recording), recording];
    let files_fail = model.builds.saved.as_ref().is_some_and(|saved| saved.error.is_some());
    let words = if model.is_building() {
        "building…"
    } else if first_pending_reason(both.map(|it| &**it)).is_some() {
        "not known: steps of this build are pending (gp: list)"
    } else if files_fail {
        "no comparison: build of the files failed"
    } else if both[0].output_keys() != recording.output_keys() {
        // The outputs with and without the draft differ only in their order.
        "same resources in a different order"
    } else {
        "no difference between draft and files"
    };
    words.to_owned()
}

/// The text in place of an empty diff: the notes on a step that changed no resource, or the reason
/// why the compared sides do not differ.
pub(crate) fn unchanged_step_text(model: &Model) -> String {
    match model.compared() {
        Compare::Step => {}
        Compare::Output => return equal_output_text(model),
        Compare::Files => return "no draft".to_owned(),
    }
    let Some(step) = model.builds.recording.step(model.cursor) else { return "no step".to_owned() };
    match &step.outcome {
        StepOutcome::Failed(error) => {
            let place = model.builds.recording.location(error.mark);
            let failure = model.look.secrets.failure(error);
            let mut text = format!("{} {place}\n{}", model.glyphs().failed, failure.message);
            if let Some(hint) = &failure.hint {
                let base = format!("{}/", model.builds.recording.base_dir().to_string_lossy());
                text.push('\n');
                text.push_str(&hint.replace(&base, ""));
            }
            for context in &failure.context {
                text.push_str("\nin ");
                text.push_str(context);
            }
            text
        }
        StepOutcome::Waiting(wait) => sanitize(&wait.to_string()).into_owned(),
        StepOutcome::Applied if step.kind == StepKind::Merge => {
            format!("{} resources join the layer above", step.counts.added)
        }
        StepOutcome::Applied => "no resource changed".to_owned(),
        _ => {
            let state = StepState::from_step(step);
            let is_silent = StepState::is_silent(step);
            let mut lines = vec![if is_silent { "no change" } else { state.words() }.to_owned()];
            for problem in step_problems(model, model.cursor) {
                lines.extend([String::new(), format!("{} {}", problem.code, problem.message)]);
                lines.extend(problem.narrowing_and_details().cloned());
            }
            lines.join("\n")
        }
    }
}
