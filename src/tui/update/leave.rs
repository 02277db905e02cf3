//! Leaving: running work is cancelled first, and no draft is lost.

use super::super::experiment::Variation;
use super::super::message::Effect;
use super::super::model::{KeptDraftState, Model, RunningBuild, Screen};
use super::super::theme::StyleRole;
use crate::draft::StoredDraft;
use crate::screens::{compared, component_table};
use crate::update::{fetch, places, say};

/// Cancels running work; if no work is running, quits at the second time.
pub(crate) fn cancel(model: &mut Model) -> Vec<Effect> {
    if model.fetching.run.is_some() {
        return fetch::cancel(model);
    }
    if matches!(model.builds.running, RunningBuild::Running(_)) {
        model.builds.running = RunningBuild::Cancelled;
        say(model, StyleRole::Warning, "build cancelled (R: build again, ctrl-c: quit)");
        return vec![Effect::CancelEvaluation];
    }
    if model.compared.request.is_some() {
        return cancel_comparison(model);
    }
    if model.branch.request.is_some() {
        return compared::keys::cancel_branch(model);
    }
    if compared::keys::cancel_effects(model) {
        compared::keys::say_cancelled(model);
        return Vec::new();
    }
    if cancel_trials(model) {
        return vec![Effect::CancelWhatIf];
    }
    if !std::mem::replace(&mut model.input.has_interrupted, true) {
        say(model, StyleRole::Dim, "no work is running (ctrl-c again: quit)");
        return Vec::new();
    }
    quit(model)
}

/// Cancels the running comparison: a request that the model does not need ends. The comparison
/// before it is shown again, or the screen from which this one was requested.
pub(crate) fn cancel_comparison(model: &mut Model) -> Vec<Effect> {
    let edition = model.compared.edition + 1;
    let cancelled = std::mem::take(&mut model.compared);
    model.compared = cancelled.former.map(|former| *former).unwrap_or_default();
    (model.compared.sides, model.compared.edition) = (cancelled.sides, edition);
    if model.screen == Screen::Compared
        && (model.compared.report.is_none() || model.jumps.opened_from.is_some())
    {
        places::leave_screen(model);
    }
    compared::keys::say_cancelled(model);
    Vec::new()
}

/// Cancels the running builds with other texts; false without one. The results so far are kept.
fn cancel_trials(model: &mut Model) -> bool {
    let Some((request, variation)) = model.varied.asked else { return false };
    let progress = model.varied.progress;
    let words = progress.map_or_else(String::new, |(done, all)| format!(" at {done} of {all}"));
    say(model, StyleRole::Warning, format!("trials cancelled{words} (R: try all)"));
    match variation {
        Variation::TriedComponents if model.table.table().is_some() => {
            (model.varied.asked, model.table.is_asked) = (None, false);
            model.table.stopped = progress;
        }
        Variation::TargetComponents if model.varied.components.answer().is_some() => {
            model.varied.asked = None;
            model.varied.components.stopped = progress;
        }
        // The thread answers with the results so far.
        Variation::Order | Variation::Combinations if progress.is_some() => {
            model.varied.is_stopping = true;
        }
        _ => {
            let reason = Err("cancelled (R: try again)".to_owned());
            if component_table::keys::is_table_request(model, request) {
                component_table::keys::handle_table(model, reason);
            } else {
                model.varied.take(reason);
            }
        }
    }
    model.varied.edition += 1;
    true
}

/// Quits, unless the draft would be lost.
pub(crate) fn quit(model: &mut Model) -> Vec<Effect> {
    if model.panes.zoomed {
        model.panes.zoomed = false;
        return Vec::new();
    }
    if model.has_draft() && !is_kept(model) {
        let edits = if model.edits.pending == 1 { "edit is" } else { "edits are" };
        let ways = if model.is_read_only() { ":q! discards" } else { ":w writes, :q! discards" };
        let text = format!("{} {edits} not written: {ways}", model.edits.pending);
        say(model, StyleRole::Warning, text);
        return Vec::new();
    }
    vec![Effect::Quit]
}

/// Reports that the process cannot be suspended.
pub(crate) fn report_no_shell(model: &mut Model) -> Vec<Effect> {
    say(model, StyleRole::Warning, "cannot suspend: no shell to return to");
    Vec::new()
}

/// Discards the draft, its kept copy included, and quits.
pub(crate) fn quit_anyway(model: &mut Model) -> Vec<Effect> {
    let mut effects = Vec::new();
    if is_kept(model) {
        let revision = model.edits.draft.revision();
        model.edits.keeping = KeptDraftState::Kept(Vec::new(), revision);
        effects.push(Effect::Keep(StoredDraft {
            name: model.edits.name.clone(),
            ..StoredDraft::default()
        }));
        model.edits.changes.clear();
    }
    effects.push(Effect::Quit);
    effects
}

/// True if the draft is kept, so that the next session offers it again.
fn is_kept(model: &Model) -> bool {
    matches!(&model.edits.keeping, KeptDraftState::Kept(kept, _) if *kept == model.edits.changes)
}
