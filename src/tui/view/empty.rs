//! Texts of empty panes.

use super::super::model::{Model, Pane, Screen, StepState, first_pending_reason};
use crate::screens::{compared, composition, experiments, found, steps, targets};

/// The text that a pane without rows shows: an error, the progress, or the reason. `None` for panes
/// that stay empty.
#[expect(clippy::too_many_lines, reason = "one arm per pane")]
pub(crate) fn empty(model: &Model, pane: Pane) -> Option<String> {
    let building = model.builds.recording.is_unbuilt() || model.builds.generation == 0;
    Some(match pane {
        Pane::Targets => targets::view::empty(model),
        Pane::Differences => compared::view::empty(model),
        Pane::Found => found::view::empty(model),
        Pane::Edits => crate::screens::change::view::empty(model),
        Pane::Findings => crate::screens::findings::view::empty(model),
        Pane::ComponentTable => crate::screens::component_table::view::empty(model),
        Pane::EditEffect
        | Pane::EditDiff
        | Pane::FindingDetail
        | Pane::TableComponents
        | Pane::TableDetail
        | Pane::Varied
        | Pane::Users
        | Pane::Reach
        | Pane::Hunk
        | Pane::Hit => return None,
        _ if !model.opened.has_target => "no target open (0: targets of the repository)".to_owned(),
        _ if building && pane != Pane::Components => "building…".to_owned(),
        Pane::Pairs => experiments::view::empty_pairs_text(model),
        Pane::Cases => experiments::view::empty_cases_text(model),
        pane if model.panes.filters.contains_key(&pane) => {
            "no match (esc: clear the filter)".to_owned()
        }
        Pane::Tree => "no kustomization file here".to_owned(),
        Pane::Preview => "no file: this row is a heading or a step of every build".to_owned(),
        Pane::Diff
        | Pane::Explanation
        | Pane::Imports
        | Pane::Entry
        | Pane::Invocation
        | Pane::Review => return None,
        Pane::Pipeline => composition::view::empty_pipeline_text(model),
        Pane::Catalogs => {
            "no catalogs (`catalogs:`) in this build; `:catalog REF` shows one".to_owned()
        }
        Pane::Functions => "no function in this build runs a program".to_owned(),
        Pane::Results => match model.functions.rows.get(model.list(Pane::Functions).selected) {
            Some(row) if row.waits_for.is_some() => "not run (enter: requirements)".to_owned(),
            Some(_) => "no results".to_owned(),
            None => return None,
        },
        Pane::Effect if model.builds.recording.error.is_some() => {
            "not known: build failed (gp: why)".to_owned()
        }
        Pane::Effect if is_pending(model) => "not known: a step is pending (gp: why)".to_owned(),
        Pane::Effect if model.has_draft() && has_pending_step(model) => {
            "no change; effect of the draft not known (gp: why)".to_owned()
        }
        Pane::Effect if model.has_draft() => "no change, and no change by the draft".to_owned(),
        Pane::Effect => "no change".to_owned(),
        Pane::Steps => "no steps".to_owned(),
        Pane::Changed => steps::view::unchanged_step_text(model),
        Pane::Resource if !model.resources.list.is_empty() => {
            format!("not present after step {} (>: last step)", model.cursor + 1)
        }
        Pane::Resource | Pane::Resources => missing_resource_text(model),
        Pane::History if model.resources.shown().is_none() => {
            "no history: the resource is not present at this step".to_owned()
        }
        Pane::History => "no step changed this field".to_owned(),
        Pane::Components if model.composition().is_some() => {
            "a Composition has no components (gm: its entries)".to_owned()
        }
        Pane::Components => "no components in this build or repository".to_owned(),
        Pane::ComponentEffect if model.has_draft() && !model.selects_component_to_try() => {
            steps::view::equal_output_text(model)
        }
        Pane::ComponentEffect if model.screen == Screen::Composition => {
            composition::view::missing_effect_text(model).to_owned()
        }
        Pane::ComponentEffect if model.components.rows.is_empty() => return None,
        Pane::ComponentEffect => crate::screens::components::view::effect_when_on(model),
        Pane::Problems => format!("{} no problems", model.glyphs().applied),
    })
}

/// The reason for a missing resource at this step.
fn missing_resource_text(model: &Model) -> String {
    let recording = &model.builds.recording;
    let at = model.cursor + 1;
    let later = recording.trace.steps.iter().skip(at).any(|step| step.counts.added > 0);
    if later {
        return format!("no resource loaded yet after step {at}; ) next step, > last step");
    }
    if recording.error.is_some() {
        return "no resources: build failed before loading any (gp: why)".to_owned();
    }
    if super::super::model::count_pending(recording, 0..recording.len()) > 0 {
        return "no resources: steps of this build are pending (gp: list, F: fetch)".to_owned();
    }
    format!("no resource left after step {at}; ( previous step")
}

/// True if a step is pending, in the build with the draft or in the build without it.
fn has_pending_step(model: &Model) -> bool {
    let recording = &model.builds.recording;
    first_pending_reason([model.builds.saved.as_deref().unwrap_or(recording), recording]).is_some()
}

/// True if a step of the selected row of the tree is pending.
fn is_pending(model: &Model) -> bool {
    let row = model.tree.rows.get(model.list(Pane::Tree).selected);
    let steps = row.map(|row| row.steps.as_slice()).unwrap_or_default();
    let steps = steps.iter().filter_map(|step| model.builds.recording.step(*step));
    steps.map(StepState::from_step).any(|it| matches!(it, StepState::Waiting | StepState::Unknown))
}
