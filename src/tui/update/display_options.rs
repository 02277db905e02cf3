//! Display options: the sides of the diff, long lines, themes, the mouse; builds with another
//! version profile.

use crate::engine::profile::Profile;
use crate::message::Effect;
use crate::model::{Compare, LongLines, Model, Screen};
use crate::ports::StoreOrder;
use crate::text::Split;
use crate::theme::{THEMES, Theme};
use crate::update::{answers, note, say_error, selection, warn};

pub(crate) fn compare_next_sides(model: &mut Model) {
    model.screen = Screen::Diff;
    if !model.has_draft() {
        model.diff.compare = Compare::Step;
        return note(model, "no draft: only the step is compared");
    }
    model.diff.compare = model.diff.compare.next();
    let words = match model.diff.compare {
        Compare::Step => "before and after the step",
        Compare::Output => "the output of the files, and of the draft",
        Compare::Files => "the files, and the draft",
    };
    note(model, format!("comparing {words}"));
}

pub(crate) fn split_diff(model: &mut Model) {
    model.diff.split = match model.diff.split {
        Split::Unified => Split::SideBySide,
        Split::SideBySide => Split::Unified,
    };
}

pub(crate) fn wrap_long_lines(model: &mut Model) {
    let words;
    (model.panes.long_lines, words) = match model.panes.long_lines {
        LongLines::Cut => (LongLines::Folded, "long lines are wrapped"),
        LongLines::Folded => (LongLines::Cut, "long lines are cut"),
    };
    note(model, words);
}

pub(crate) fn set_next_theme(model: &mut Model) {
    let at = THEMES.iter().position(|(name, _)| *name == model.look.theme.name);
    let next = at.map_or(0, |at| (at + 1) % THEMES.len());
    set_theme(model, THEMES[next].0);
}

pub(crate) fn forget_pane_sizes(model: &mut Model) {
    model.panes.shares.clear();
    note(model, "the panes have their default sizes");
    model.request(Effect::Store(StoreOrder::KeepPaneShares(Vec::new())));
}

pub(crate) fn set_theme(model: &mut Model, name: &str) {
    match Theme::named(name, model.look.colors) {
        Ok(theme) => {
            model.look.theme = theme;
            note(model, format!("theme {name}"));
        }
        Err(error) => say_error(model, error.to_string()),
    }
}

pub(crate) fn set_mouse(model: &mut Model, captures: bool) {
    model.look.has_mouse = captures;
    let words =
        if captures { "mouse captured (shift-drag selects text)" } else { "mouse released" };
    note(model, words);
    model.request(Effect::CaptureMouse(captures));
}

/// Sets the light theme, unless the user has chosen another theme meanwhile.
pub(crate) fn handle_light_background(model: &mut Model) {
    if model.look.theme.name == THEMES[0].0
        && let Ok(theme) = Theme::named("light", model.look.colors)
    {
        model.look.theme = theme;
    }
}

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
