//! Pending steps, their reasons, and the screen that decides; possible, running and failed fetches.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::answers;
use crate::engine::evaluate::{Step, StepOutcome, Wait};
use crate::engine::load::{Fetch, GitTarget};
use crate::engine::plugin::RequiredAction;
use crate::model::{Model, Pane, Screen, WorkbenchRecording};
use crate::text::sanitize;

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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FetchState {
    pub run: Option<FetchRun>,
    /// The reason of the last failure, by remote.
    pub failed: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FetchRun {
    pub things: Vec<Fetch>,
    pub time: Duration,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FetchQuestion {
    pub things: Vec<Fetch>,
    pub offset: usize,
}

impl FetchQuestion {
    /// Each remote once: the first request, and the request if that finds no file. Kustomize tries an
    /// entry as the URL of a file before it is one of a repository.
    pub(crate) fn remotes(&self) -> Vec<(&Fetch, Option<&Fetch>)> {
        let is_same = |file: &Fetch, repository: &Fetch| match (file, repository) {
            (Fetch::Http(url), Fetch::Git(target)) => {
                GitTarget::parse(url).as_ref() == Some(target)
            }
            _ => false,
        };
        let things = &self.things;
        let first = things.iter().filter(|it| !things.iter().any(|other| is_same(other, it)));
        first.map(|it| (it, things.iter().find(|other| is_same(it, other)))).collect()
    }
}

/// The remotes that the fetch command offers: on the Catalogs screen the selected catalog, on other
/// screens all missing remotes of the build.
pub(crate) fn remotes_to_fetch(model: &Model) -> Vec<Fetch> {
    if model.screen == Screen::Catalogs {
        let row = model.catalogs.rows.get(model.list(Pane::Catalogs).selected);
        let reviewed = row.and_then(|row| model.builds.recording.catalogs.get(row.catalog));
        return reviewed.and_then(|reviewed| reviewed.fetch.clone()).into_iter().collect();
    }
    missing_remotes(&model.builds.recording)
}

/// The missing remotes of a build. A catalog without a needed function is not among them: it is
/// fetched on the Catalogs screen.
pub(crate) fn missing_remotes(recording: &WorkbenchRecording) -> Vec<Fetch> {
    let waits = count_pending(recording, 0..recording.len()) > 0 || recording.error.is_some();
    if waits { recording.missed.clone() } else { Vec::new() }
}

pub(crate) fn can_fetch(model: &Model) -> Result<(), &'static str> {
    if model.fetching.run.is_some() {
        return Err("a fetch is running: esc cancels it");
    }
    match remotes_to_fetch(model).is_empty() {
        false => Ok(()),
        true if model.screen == Screen::Catalogs => Err("this catalog is a local file"),
        true if model.screen == Screen::Board && !model.opened.has_target => {
            Err("no target is open: open a pending target first (enter)")
        }
        true if model.screen == Screen::Board && model.board.totals.wait > 0 => {
            Err("no remote of the open target is missing: open a pending target first (enter)")
        }
        true => Err("no remote of this build is missing"),
    }
}
