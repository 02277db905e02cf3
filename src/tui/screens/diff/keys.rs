//! Opens a changed resource, and its diff.

use crate::model::{Model, Pane, Screen};
use crate::update::selection::{focus, show_screen};

/// Shows the diff of the selected resource.
pub(crate) fn open_changed(model: &mut Model) {
    match model.screen {
        Screen::Diff => focus(model, Pane::Diff),
        _ => show_screen(model, Screen::Diff),
    }
}

/// Shows the diff on its own screen.
pub(crate) fn open_diff(model: &mut Model) {
    show_screen(model, Screen::Diff);
}
