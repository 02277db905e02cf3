//! Possible, running and failed fetches.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::engine::load::{Fetch, GitTarget};

use super::{Model, Pane, Screen, WorkbenchRecording, count_pending};

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
