//! Steps that wait, what they need, and where that is decided.

use crate::answers;
use crate::engine::evaluate::{Outcome, Step};
use crate::engine::plugin::Awaited;

use super::super::text::sanitize;
use super::Recording;

/// Where a person decides about a step that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Decider {
    /// The Catalogs screen, at this catalog of the recording.
    Catalog(usize),
    /// The Functions screen, at this step.
    Function(usize),
}

/// What a step waits for, in one line; nothing for one that does not wait.
pub(in crate::tui) fn need_of(step: &Step) -> Option<String> {
    answers::need(step).map(|need| sanitize(&need).into_owned())
}

/// The same beside what the step is called: a step that is called what it waits for does not say it twice.
pub(in crate::tui) fn waits_words(step: &Step) -> Option<String> {
    let need = need_of(step)?;
    let is_own = need.split(' ').next().is_some_and(|what| step.argument.contains(what));
    Some(if is_own { "waits".to_owned() } else { format!("waits: {need}") })
}

/// How many of these steps wait.
pub(in crate::tui) fn waiting_among(
    recording: &Recording,
    steps: impl IntoIterator<Item = usize>,
) -> usize {
    let steps = steps.into_iter().filter_map(|step| recording.step(step));
    steps.filter(|step| matches!(step.outcome, Outcome::Waiting(_))).count()
}

/// Where it is decided whether a step that waits may run.
pub(in crate::tui) fn decider(recording: &Recording, index: usize) -> Option<Decider> {
    let Outcome::Waiting(wait) = &recording.step(index)?.outcome else { return None };
    let written = match &wait.awaited {
        Awaited::Trust(written) | Awaited::Review(written) | Awaited::FetchOfCatalog(written) => {
            Some(recording.shorten(written))
        }
        Awaited::Asked
        | Awaited::Leave
        | Awaited::Install
        | Awaited::Fetch
        | Awaited::EarlierStep => None,
    };
    let catalog = written.and_then(|written| {
        // A Composition's catalogs are known by where they lead to, the others as they are written.
        let mut catalogs = recording.catalogs.iter();
        catalogs.position(|reviewed| {
            let leads_to = reviewed.result.as_ref().ok().map(|found| found.0.normalised.as_str());
            reviewed.reference == written
                || leads_to.is_some_and(|place| recording.shorten(place) == written)
        })
    });
    Some(catalog.map_or(Decider::Function(index), Decider::Catalog))
}
