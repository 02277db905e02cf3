//! Texts of empty panes.

use super::super::model::{Model, Pane, Screen, StepState, open_need};
use super::{board, compared, composition, found, steps, varied};

/// The text of an empty pane.
#[expect(clippy::too_many_lines, reason = "one arm per pane")]
pub(super) fn empty(model: &Model, pane: Pane) -> Option<String> {
    let building = model.builds.recording.is_blank() || model.builds.generation == 0;
    Some(match pane {
        Pane::Targets => board::empty(model),
        Pane::Differences => compared::empty(model),
        Pane::Found => found::empty(model),
        Pane::Varied | Pane::Users | Pane::Reach | Pane::Hunk | Pane::Hit => return None,
        _ if !model.opened.has_target => {
            "no target is open: 0 lists them all, enter opens one".to_owned()
        }
        _ if building && pane != Pane::Components => "building…".to_owned(),
        Pane::Pairs => varied::no_pairs(model),
        Pane::Cases => varied::no_cases(model),
        Pane::Tree | Pane::Steps | Pane::Problems | Pane::Catalogs
            if model.panes.filters.contains_key(&pane) =>
        {
            "no row here has it".to_owned()
        }
        Pane::Tree => "no kustomization file here".to_owned(),
        Pane::Preview
        | Pane::Diff
        | Pane::Explanation
        | Pane::Imports
        | Pane::Entry
        | Pane::Invocation
        | Pane::Review => return None,
        Pane::Pipeline => composition::no_pipeline(model),
        Pane::Catalogs => {
            "this tree names no catalog (catalogs:); `:catalog REF` looks at one".to_owned()
        }
        Pane::Functions => {
            "this build calls no function and waits for none: everything in it is built in"
                .to_owned()
        }
        Pane::Results => match model.functions.rows.get(model.list(Pane::Functions).selected) {
            Some(row) if row.waits_for.is_some() => {
                "it did not run: enter leads to what it needs".to_owned()
            }
            Some(_) => "it reported nothing".to_owned(),
            None => return None,
        },
        Pane::Effect if model.builds.recording.error.is_some() => {
            "not known: the build fails (9 says why)".to_owned()
        }
        Pane::Effect if waits(model) => {
            "not known: it needs something that waits (9 says what)".to_owned()
        }
        Pane::Effect if model.has_draft() && draft_is_open(model) => {
            "no effect alone; the effect of the draft is not known (9 shows why)".to_owned()
        }
        Pane::Effect if model.has_draft() => {
            "changes nothing by itself, and the draft nothing in the output".to_owned()
        }
        Pane::Effect => "changes nothing".to_owned(),
        Pane::Steps => "no steps".to_owned(),
        Pane::Changed => steps::nothing_changed(model),
        Pane::Resource if !model.resources.list.is_empty() => format!(
            "it is not there after step {}: > goes to the last step, or select another one in the list",
            model.cursor + 1
        ),
        Pane::Resource | Pane::Resources => no_resource(model),
        Pane::History if model.resources.shown().is_none() => {
            "nothing to tell: the resource is not there at this time".to_owned()
        }
        Pane::History => "no step changed this field".to_owned(),
        Pane::Components if model.composition().is_some() => {
            "a Composition lists no components: 6 shows what it runs".to_owned()
        }
        Pane::Components => {
            "no file of this build lists components, and none lies in the repository".to_owned()
        }
        Pane::ComponentEffect if model.has_draft() => steps::same_output(model).to_owned(),

        Pane::ComponentEffect if model.screen == Screen::Composition => {
            composition::no_effect(model).to_owned()
        }
        Pane::ComponentEffect if model.components.rows.is_empty() => return None,
        Pane::ComponentEffect => "off: space shows what it would do".to_owned(),
        Pane::Problems => format!("{} no problems", model.glyphs().applied),
    })
}

/// The reason for a missing resource at this step.
fn no_resource(model: &Model) -> String {
    let recording = &model.builds.recording;
    let at = model.cursor + 1;
    let later = recording.trace.steps.iter().skip(at).any(|step| step.counts.added > 0);
    if later {
        return format!("no resource is loaded yet after step {at}: ) goes on, > to the last step");
    }
    if recording.error.is_some() {
        return "the build fails before it loads any resource: 9 says why".to_owned();
    }
    if super::super::model::waiting_among(recording, 0..recording.len()) > 0 {
        return "no resource is here: steps of this build wait (9 names them, F fetches)"
            .to_owned();
    }
    format!("no resource is left after step {at}: ( goes back")
}

/// True if a step of the build is pending, with the draft or without.
fn draft_is_open(model: &Model) -> bool {
    let recording = &model.builds.recording;
    open_need([model.builds.saved.as_deref().unwrap_or(recording), recording]).is_some()
}

/// True if a step of the selected row of the tree is pending.
fn waits(model: &Model) -> bool {
    let row = model.tree.rows.get(model.list(Pane::Tree).selected);
    let steps = row.map(|row| row.steps.as_slice()).unwrap_or_default();
    let steps = steps.iter().filter_map(|step| model.builds.recording.step(*step));
    steps.map(StepState::of).any(|it| matches!(it, StepState::Waiting | StepState::Unknown))
}
