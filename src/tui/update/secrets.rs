//! The values of Secrets: masked unless the user requests them.

use super::super::model::Model;
use super::super::theme::StyleRole;
use super::say;
use crate::answers::secrets::Secrets;

pub(crate) fn toggle(model: &mut Model) {
    model.look.secrets =
        if model.look.secrets.are_masked() { Secrets::shown() } else { model.look.learned.clone() };
    model.derived.invalidate_texts();
    model.edits.draft_revision += 1;
    let (role, words) = if model.look.secrets.are_masked() {
        (StyleRole::Dim, "values of Secrets masked (equal values have equal marks)")
    } else {
        (StyleRole::Warning, "values of Secrets shown (V: mask)")
    };
    say(model, role, words);
}

/// Learns the values of every Secret of the recording, at any step: they are masked in files too,
/// and also after a draft removes the Secret.
pub(crate) fn learn(model: &mut Model) {
    model.look.learned.learn(&model.builds.recording.trace);
    if model.look.secrets.are_masked() {
        model.look.secrets = model.look.learned.clone();
    }
}
