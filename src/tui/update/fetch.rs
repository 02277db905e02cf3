//! Fetches remotes: they are listed first, confirmed, fetched on another thread, and then the
//! target is built.

use crossterm::event::{KeyCode, KeyEvent};

use super::super::model::{
    FetchQuestion, FetchRun, Model, Overlay, Screen, WorkKind, can_fetch, remotes_to_fetch,
};
use super::super::ports::{Work, WorkAnswer};
use super::super::theme::StyleRole;
use super::{answers, note, say, say_error, selection, warn};
use crate::display::counted;
use crate::engine::load::Fetch;

pub(crate) fn ask(model: &mut Model) {
    if let Err(reason) = can_fetch(model) {
        return warn(model, reason);
    }
    let question = FetchQuestion { things: remotes_to_fetch(model), offset: 0 };
    model.overlay = Some(Overlay::Fetch(Box::new(question)));
}

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::Fetch(question)) = &mut model.overlay else { return };
    match key.code {
        KeyCode::Char('y' | 'Y') => {
            let things = std::mem::take(&mut question.things);
            model.overlay = None;
            for thing in &things {
                model.fetching.failed.remove(&thing.request());
            }
            model.fetching.run = Some(FetchRun { things: things.clone(), ..FetchRun::default() });
            model.work.cancel(WorkKind::Fetch);
            model.start(WorkKind::Fetch, Work::Fetch(things));
        }
        KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => {
            model.overlay = None;
            note(model, "not fetched");
        }
        KeyCode::Down | KeyCode::Char('j') => {
            question.offset += 1;
        }
        KeyCode::Up | KeyCode::Char('k') => {
            question.offset = question.offset.saturating_sub(1);
        }
        _ => {}
    }
}

pub(crate) fn cancel(model: &mut Model) {
    if model.fetching.run.take().is_none() {
        return;
    }
    warn(model, "fetching cancelled");
    // Content that arrived before the cancel stays cached.
    model.work.cancel(WorkKind::Fetch);
    answers::evaluate_both(model);
}

/// Handles the end of a fetch request: content that is now cached needs a new build.
pub(crate) fn handle_fetch_end(model: &mut Model, result: Result<WorkAnswer, String>) {
    let things = model.fetching.run.take().map(|run| run.things).unwrap_or_default();
    let failed = match result {
        Ok(WorkAnswer::Fetched(failed)) => failed,
        Ok(_) => return,
        Err(reason) => return say_error(model, reason),
    };
    // A remote with two requests is counted once, as the question does.
    let remotes = |things: Vec<Fetch>| FetchQuestion { things, offset: 0 }.remotes().len();
    let all = remotes(things.clone());
    let missing = remotes(failed.iter().map(|(thing, _)| thing.clone()).collect());
    match (things.as_slice(), failed.as_slice()) {
        ([thing], []) => say(model, StyleRole::Ok, format!("fetched {}", thing.request())),
        (_, []) => say(model, StyleRole::Ok, format!("fetched {}", counted(all, "remote"))),
        (_, [(thing, reason), ..]) if missing == 1 => {
            say_error(model, format!("{} not fetched: {reason}", thing.request()));
        }
        (_, failed) => {
            let words = format!("{missing} of {all} remotes not fetched");
            say_error(model, format!("{words}: {}", failed[0].1));
        }
    }
    let failed = failed.into_iter().map(|(thing, reason)| (thing.request(), reason));
    model.fetching.failed.extend(failed);
    answers::evaluate_both(model);
}

pub(crate) fn catalog(model: &mut Model, reference: &str) {
    selection::show_screen(model, Screen::Catalogs);
    model.panes.focus[Screen::Catalogs as usize] = 0;
    model.opened.named_catalogs.retain(|given| given != reference);
    model.opened.named_catalogs.push(reference.to_owned());
    model.catalogs.follows = Some(reference.to_owned());
    answers::evaluate(model);
}
