//! Trust decisions about a catalog: the question is shown over the review.

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::answers::CatalogReview;
use crate::engine::plugin::{CatalogView, TrustScope};
use crate::message::Effect;
use crate::model::{
    CatalogRow, Model, Overlay, Pane, Screen, TrustQuestion, TrustStatus, can_fetch,
};
use crate::ports::{RequestedRuns, StoreOrder};
use crate::text::LineInput;
use crate::theme::StyleRole;
use crate::update::{answers, derive, navigate, note, say, say_error, warn};

fn selected(model: &Model) -> Option<&CatalogReview> {
    let row = model.catalogs.rows.get(model.list(Pane::Catalogs).selected)?;
    model.builds.recording.catalogs.get(row.catalog)?.result.as_deref().ok()
}

/// Asks whether to trust the selected catalog. On another screen, shows the review of the first
/// catalog that needs a decision, without a question.
pub(crate) fn ask(model: &mut Model) {
    if model.screen != Screen::Catalogs {
        navigate::go_to_screen(model, Screen::Catalogs);
        derive::update_pane_rows(model, Pane::Catalogs);
        let is_undecided = |row: &CatalogRow| {
            row.entry.is_none()
                && matches!(row.standing, TrustStatus::Untrusted | TrustStatus::Changed)
        };
        let first = model.catalogs.rows.iter().position(is_undecided);
        model.list_mut(Pane::Catalogs).selected = first.unwrap_or(0);
        return;
    }
    let question = selected(model).map(|found| {
        let view = &found.view;
        TrustQuestion {
            catalog: view.normalised.clone(),
            reference: view.reference.clone(),
            content: view.record(TrustScope::Digest, ""),
            flag: found.review.flag_covers_all.then(|| found.review.flag.clone()),
            widened: found.first_new_permission().map(|wide| wide.function.clone()),
            summary: found.prompt_lines(),
            runs: view
                .entries
                .iter()
                .filter(|entry| !entry.used_in.is_empty())
                .map(|entry| format!("{} {}", entry.function.kind, entry.version.name))
                .collect(),
            typed: LineInput::default(),
        }
    });
    match question {
        Some(question) => model.overlay = Some(Overlay::Trust(Box::new(question))),
        None if can_fetch(model).is_ok() => {
            warn(model, "not fetched: fetch it with F and review it first");
        }
        None => warn(model, "not readable, so it cannot be trusted"),
    }
}

pub(crate) fn revoke_trust(model: &mut Model) {
    if let Some(normalised) = selected(model).map(|found| found.view.normalised.clone()) {
        decide(model, &normalised, TrustScope::Revoked);
    }
}

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::Trust(question)) = &mut model.overlay else { return };
    let scope = match (&question.widened, key.code, key.modifiers) {
        (_, KeyCode::Esc, _) | (None, KeyCode::Char('n' | 'q'), _) => {
            model.overlay = None;
            return note(model, "not trusted");
        }
        (None, KeyCode::Char('d'), _) => TrustScope::Digest,
        (None, KeyCode::Char('r'), _) => TrustScope::Reference,
        (Some(name), KeyCode::Enter, _) if question.typed.text() == *name => TrustScope::Digest,
        (Some(name), KeyCode::Char('r'), KeyModifiers::CONTROL)
            if question.typed.text() == *name =>
        {
            TrustScope::Reference
        }
        (Some(_), KeyCode::Enter, _) => {
            return warn(model, "not the name of the function: not trusted");
        }
        (Some(_), ..) => {
            question.typed.key(key);
            return;
        }
        _ => return,
    };
    let (normalised, content) = (question.catalog.clone(), question.content.clone());
    model.overlay = None;
    // The decision applies to the content that was shown with the question, not to the current
    // content.
    let is_other = readable_catalogs(model).any(|view| {
        view.normalised == normalised && view.record(TrustScope::Digest, "") != content
    });
    if is_other {
        return warn(model, "content changed meanwhile: not trusted; review it again");
    }
    decide(model, &normalised, scope);
}

fn readable_catalogs(model: &Model) -> impl Iterator<Item = &CatalogView> {
    let found =
        model.builds.recording.catalogs.iter().filter_map(|reviewed| reviewed.result.as_ref().ok());
    found.map(|found| &found.view)
}

fn decide(model: &mut Model, normalised: &str, scope: TrustScope) {
    let record = readable_catalogs(model)
        .find(|view| view.normalised == normalised)
        // The port sets the time of the record.
        .map(|view| view.record(scope, ""));
    if let Some(record) = record {
        model.request(Effect::Store(StoreOrder::Decide(Box::new(record))));
    }
}

pub(crate) fn handle_trust_decision(
    model: &mut Model,
    scope: TrustScope,
    result: Result<String, String>,
) {
    match result {
        Ok(words) => {
            // Trusting a catalog does not run its functions.
            let is_revoked = scope == TrustScope::Revoked;
            let more = if is_revoked || model.opened.runs == RequestedRuns::All {
                ""
            } else {
                "; R on the Functions screen (gf) runs a function, and ,R all"
            };
            say(model, StyleRole::Ok, format!("{words}{more}"));
            answers::evaluate_both(model);
        }
        Err(reason) => say_error(model, reason),
    }
}

pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    let row = model.catalogs.rows.get(model.list(Pane::Catalogs).selected)?;
    let (file, line) = model.builds.recording.catalogs.get(row.catalog)?.listed_at.first()?;
    Some((PathBuf::from(file), (*line).max(1)))
}
