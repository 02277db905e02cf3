//! Display options: the sides of the diff, long lines, themes, the mouse.

use super::super::message::Effect;
use super::super::model::{Compare, LongLines, Model, Screen};
use super::super::ports::StoreOrder;
use super::super::text::Split;
use super::super::theme::{THEMES, Theme};
use super::{note, say_error};

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
