//! Leaving: running work is cancelled first, and no draft is lost.

use super::super::experiment::Variation;
use super::super::message::Effect;
use super::super::model::{KeptDraftState, Model, RunningBuild, Screen, WorkKind};
use super::super::ports::StoreOrder;
use crate::draft::StoredDraft;
use crate::screens::compared;
use crate::update::{fetch, navigate, note, warn, work};

/// Cancels running work; if no work is running, quits at the second time.
pub(crate) fn cancel(model: &mut Model) {
    if model.fetching.run.is_some() {
        return fetch::cancel(model);
    }
    if matches!(model.builds.running, RunningBuild::Running(_)) {
        model.builds.running = RunningBuild::Cancelled;
        warn(model, "build cancelled (R: build again, ctrl-c: quit)");
        return model.request(Effect::CancelEvaluation);
    }
    if model.work.is_running(WorkKind::Compared) {
        return cancel_comparison(model);
    }
    if model.work.is_running(WorkKind::Branch) {
        return compared::keys::cancel_branch(model);
    }
    if compared::keys::cancel_effects(model) {
        compared::keys::say_cancelled(model);
        return;
    }
    if cancel_trials(model) {
        return;
    }
    if !std::mem::replace(&mut model.input.has_interrupted, true) {
        return note(model, "no work is running (ctrl-c again: quit)");
    }
    quit(model);
}

/// Cancels the running comparison: a request that the model does not need ends. The comparison
/// before it is shown again, or the screen from which this one was requested.
pub(crate) fn cancel_comparison(model: &mut Model) {
    let edition = model.compared.edition + 1;
    let cancelled = std::mem::take(&mut model.compared);
    model.compared = cancelled.former.map(|former| *former).unwrap_or_default();
    model.work.cancel(WorkKind::Compared);
    (model.compared.sides, model.compared.edition) = (cancelled.sides, edition);
    if model.screen == Screen::Compared
        && (model.compared.report.is_none() || model.jumps.opened_from.is_some())
    {
        navigate::leave_screen(model);
    }
    compared::keys::say_cancelled(model);
}

/// Cancels the running builds with other texts; false without one. The results so far are kept.
fn cancel_trials(model: &mut Model) -> bool {
    let Some(variation) = model.varied.asked else { return false };
    // The thread answers with the results so far.
    let work = model.work.of_kind(WorkKind::Varied);
    let progress = work.progress;
    if matches!(variation, Variation::Order | Variation::Combinations) && progress.is_some() {
        work.is_stopping = true;
    } else {
        work.request = None;
    }
    let words = progress.map_or_else(String::new, |(done, all)| format!(" at {done} of {all}"));
    warn(model, format!("trials cancelled{words} (R: try all)"));
    match variation {
        Variation::TriedComponents if model.table.table().is_some() => {
            (model.varied.asked, model.table.is_asked) = (None, false);
            model.table.stopped = progress;
        }
        Variation::TargetComponents if model.varied.components.answer().is_some() => {
            model.varied.asked = None;
            model.varied.components.run.stopped = progress;
        }
        Variation::Order | Variation::Combinations if progress.is_some() => {}
        _ => work::handle_varied(model, Err("cancelled (R: try again)".to_owned())),
    }
    model.varied.edition += 1;
    true
}

/// Quits, unless the draft would be lost.
pub(crate) fn quit(model: &mut Model) {
    if model.panes.zoomed {
        model.panes.zoomed = false;
        return;
    }
    if model.has_draft() && !is_kept(model) {
        let edits = if model.edits.pending == 1 { "edit is" } else { "edits are" };
        let ways = if model.is_read_only() { ":q! discards" } else { ":w writes, :q! discards" };
        return warn(model, format!("{} {edits} not written: {ways}", model.edits.pending));
    }
    model.request(Effect::Quit);
}

/// Discards the draft, its kept copy included, and quits.
pub(crate) fn quit_anyway(model: &mut Model) {
    if is_kept(model) {
        let revision = model.edits.draft.revision();
        model.edits.keeping = KeptDraftState::Kept(Vec::new(), revision);
        let name = model.edits.name.clone();
        let emptied = StoredDraft { name, ..StoredDraft::default() };
        model.request(Effect::Store(StoreOrder::KeepDraft(emptied)));
        model.edits.changes.clear();
    }
    model.request(Effect::Quit);
}

/// True if the draft is kept, so that the next session offers it again.
fn is_kept(model: &Model) -> bool {
    matches!(&model.edits.keeping, KeptDraftState::Kept(kept, _) if *kept == model.edits.changes)
}
