//! Builds with another version profile.

use super::super::model::{Compare, Model, Screen};
use super::{answers, note, selection, warn};
use crate::engine::profile::Profile;

/// Builds again with the profile of this release or program, and shows the differences in the
/// output.
pub(crate) fn build_like(model: &mut Model, name: &str) {
    let Some(profile) = Profile::named(name) else {
        let nearest = Profile::nearest(name).join(", ");
        let meant = match &*nearest {
            "" => "kzui versions lists the names".to_owned(),
            names => format!("did you mean {names}?"),
        };
        return warn(model, format!("unknown version profile `{name}`: {meant}"));
    };
    let before = model.like.profile();
    if profile == before {
        return note(model, format!("version profile is already {}", before.name()));
    }
    let recording = model.builds.recording.clone();
    model.like.name(profile, (!model.has_draft()).then(|| recording.clone()));
    model.builds.saved = Some(recording);
    model.builds.has_new_inputs = true;
    model.edits.draft_revision += 1;
    model.edits.last_edit =
        Some(format!("version profile {} instead of {}", profile.name(), before.name()));
    selection::show_screen(model, Screen::Diff);
    model.diff.compare = Compare::Output;
    answers::evaluate(model);
}
