//! Requests builds with another order or with other components, and applies a result to the draft.

use std::path::PathBuf;

use crate::answers::experiments::order::swap_entries;
use crate::draft::{Draft, Edit};
use crate::experiment::{Variation, WhatIfAnswer};
use crate::model::{ComponentStatus, Model, Pane, RunningBuild, Screen, WorkKind};
use crate::ports::Work;
use crate::screens::experiments::state::{CombinationRow, VariedRun};
use crate::update::{note, say_error, say_file_error, warn, what_if};

/// The request that the current screen needs and that is neither answered nor running.
pub(crate) fn pending_request(model: &mut Model) {
    let variation = match model.screen {
        Screen::Order => Variation::Order,
        Screen::Combinations => Variation::Combinations,
        Screen::Components
            if model.components.rows.iter().any(|row| row.state != ComponentStatus::On) =>
        {
            Variation::TargetComponents
        }
        // After the first visit to the Order screen, each build also tries the order, for the signs
        // in tree and steps.
        Screen::Tree | Screen::Steps if model.varied.marks => Variation::Order,
        _ => return,
    };
    model.varied.marks |= variation == Variation::Order;
    let of = model.varied_answer_key();
    let is_known = model.varied.run(variation).is_none_or(|run| run.of == Some(of));
    let is_idle = matches!(model.builds.running, RunningBuild::Idle);
    if is_known || !is_idle || !model.opened.has_target {
        return;
    }
    let varied = &mut model.varied;
    match variation {
        Variation::Order => (varied.order.result, varied.pairs) = (None, Vec::new()),
        Variation::Combinations => (varied.combinations.result, varied.cases) = (None, Vec::new()),
        _ => varied.components.result = None,
    }
    if let Some(run) = varied.run(variation) {
        *run = VariedRun { of: Some(of), ..VariedRun::default() };
    }
    request(model, variation);
}

/// Requests builds. A newer request cancels the running one, which is then requested again.
pub(crate) fn request(model: &mut Model, variation: Variation) {
    let asked = model.varied.asked.take().filter(|running| *running != variation);
    if let Some(running) = asked {
        match model.varied.run(running) {
            Some(run) => run.of = None,
            None => model.table.of = None,
        }
    }
    model.varied.edition += 1;
    model.varied.asked = Some(variation);
    model.work.cancel(WorkKind::Varied);
    model.start(WorkKind::Varied, Work::WhatIf(Box::new(model.what_if(variation))));
}

pub(crate) fn handle_answer(
    model: &mut Model,
    variation: Variation,
    result: Result<WhatIfAnswer, String>,
) {
    let work = std::mem::take(model.work.of_kind(WorkKind::Varied));
    let stopped = work.progress.filter(|_| work.is_stopping);
    let has_result = result.is_ok();
    model.varied.take(result);
    if let Some((done, all)) = stopped.filter(|_| has_result) {
        if let Some(run) = model.varied.run(variation) {
            run.stopped = Some((done, all));
        }
        warn(model, format!("stopped at {done} of {all}: these results are shown (R: try all)"));
    }
}

pub(crate) fn take(model: &mut Model) {
    let disk = model.edits.draft.files(model.opened.disk.clone());
    let (draft, words) = if model.screen == Screen::Order {
        let row = model.list(Pane::Pairs).selected;
        let Some(pair) = model.pair(row) else { return };
        (swap_entries(pair, &disk), "swapped in the draft (z undoes)".to_owned())
    } else {
        let row = model.list(Pane::Cases).selected;
        let (Some(case), Some(answer)) =
            (model.varied.cases.get(row).copied(), model.varied.combinations.answer().cloned())
        else {
            return;
        };
        let on = match case {
            CombinationRow::Rule(at) => {
                answer.rules.get(at).map(|rule| (rule.smallest_set, &rule.smallest))
            }
            CombinationRow::Combination(at) => {
                answer.combinations.get(at).map(|built| (built.set, &built.on))
            }
        };
        let Some((on, names)) = on else { return };
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        (answer.draft(on, &disk), format!("in the draft: {names} (z undoes)"))
    };
    match draft {
        Ok(draft) => apply_draft_texts(model, &draft, &words),
        Err(reason) => say_error(model, reason),
    }
}

fn apply_draft_texts(model: &mut Model, draft: &Draft, words: &str) {
    let disk = model.opened.disk.clone();
    let changes = draft.changes();
    if changes.is_empty() {
        return note(model, "no change: same as the files");
    }
    for change in changes {
        let Some(text) = change.draft else { continue };
        let edit = Edit::SetText { file: change.path, text };
        if let Err(error) = model.edits.draft.apply(&edit, &*disk) {
            say_file_error(model, edit.file(), &error);
            return;
        }
    }
    what_if::finish_edit(model, words);
}

pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    match model.screen {
        Screen::Order => {
            let pair = model.pair(model.list(Pane::Pairs).selected)?;
            Some((pair.path.clone(), pair.first.line.max(1)))
        }
        _ => model.case_location(model.list(Pane::Cases).selected),
    }
}
