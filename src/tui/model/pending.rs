//! Pending steps, their reasons, and the screen that decides.

use crate::answers;
use crate::engine::evaluate::{Step, StepOutcome, Wait};
use crate::engine::plugin::RequiredAction;

use super::super::text::sanitize;
use super::WorkbenchRecording;

/// The screen on which the user decides about a pending step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decider {
    /// The Catalogs screen, at this catalog of the recording.
    Catalog(usize),
    /// The Functions screen, at this step.
    Function(usize),
}

/// True if a remote has to be fetched first, and no trust decision is needed.
pub(crate) fn waits_for_fetch(wait: &Wait) -> bool {
    matches!(wait.awaited, RequiredAction::Fetch | RequiredAction::FetchOfCatalog(_))
}

/// The reason for a pending step, in one line; `None` for other steps.
pub(crate) fn need_of(step: &Step) -> Option<String> {
    answers::pending_need(step).map(|need| sanitize(&need).into_owned())
}

/// The reason for a pending step as shown next to its name; does not repeat the name.
pub(crate) fn pending_reason(step: &Step) -> Option<String> {
    let need = need_of(step)?;
    let is_own = need.split(' ').next().is_some_and(|what| step.argument.contains(what));
    Some(if is_own { "pending".to_owned() } else { format!("pending: {need}") })
}

/// The first reason for a pending step in two builds; `None` without pending steps: a comparison of
/// the builds is then complete.
pub(crate) fn first_pending_reason(builds: [&WorkbenchRecording; 2]) -> Option<String> {
    let mut steps = builds.into_iter().flat_map(|recording| &recording.trace.steps);
    steps.find_map(need_of)
}

pub(crate) fn count_pending(
    recording: &WorkbenchRecording,
    steps: impl IntoIterator<Item = usize>,
) -> usize {
    let steps = steps.into_iter().filter_map(|step| recording.step(step));
    steps.filter(|step| matches!(step.outcome, StepOutcome::Waiting(_))).count()
}

pub(crate) fn decider(recording: &WorkbenchRecording, index: usize) -> Option<Decider> {
    let StepOutcome::Waiting(wait) = &recording.step(index)?.outcome else { return None };
    let written = match &wait.awaited {
        RequiredAction::Trust(written)
        | RequiredAction::Review(written)
        | RequiredAction::FetchOfCatalog(written) => Some(recording.shorten(written)),
        RequiredAction::Asked
        | RequiredAction::AllowByFlag
        | RequiredAction::Install
        | RequiredAction::Fetch
        | RequiredAction::EarlierStep => None,
    };
    let catalog = written.and_then(|written| {
        // Catalogs of a Composition are found by their resolved reference, other catalogs by the
        // written reference.
        let mut catalogs = recording.catalogs.iter();
        catalogs.position(|reviewed| {
            let leads_to =
                reviewed.result.as_ref().ok().map(|found| found.view.normalised.as_str());
            reviewed.reference == written
                || leads_to.is_some_and(|place| recording.shorten(place) == written)
        })
    });
    Some(catalog.map_or(Decider::Function(index), Decider::Catalog))
}
