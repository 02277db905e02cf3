//! Goes to a place, to a tab, or up.

use super::super::header;
use super::super::model::{Model, Pane, Screen, WorkbenchPlace};
use crate::screens::{component_table, targets};
use crate::update::{note, selection, time, warn};

/// Shows the screen of a place that was shown last; if the place is shown already, its first
/// screen.
pub(crate) fn show_place(model: &mut Model, place: WorkbenchPlace) {
    let is_here = model.screen.place() == place;
    let last = model.panes.tabs[place as usize].filter(|_| !is_here);
    show_in_place(model, last.unwrap_or(place.first()));
}

/// Shows a screen. In the place Repository, the names of its tabs mean its own screens.
pub(crate) fn go_to_screen(model: &mut Model, screen: Screen) {
    // The places Repository and Target each have a tab with this name.
    let is_repository = model.screen.place() == WorkbenchPlace::Repository;
    let screen = match screen {
        Screen::Problems if is_repository => Screen::Findings,
        Screen::Components if is_repository => Screen::ComponentTable,
        screen => screen,
    };
    show_in_place(model, screen);
}

/// Shows a screen. A screen of the target opens the selected target if none is open; the screens
/// about the components of a target open the overlay that is selected in the table.
fn show_in_place(model: &mut Model, screen: Screen) {
    let is_of_overlay = matches!(screen, Screen::Order | Screen::Combinations)
        && model.screen == Screen::ComponentTable
        && model.selected_overlay().is_some();
    if is_of_overlay {
        component_table::keys::open(model);
        return selection::show_screen(model, screen);
    }
    let needs_target = screen.place() == WorkbenchPlace::Target && !model.opened.has_target;
    if needs_target {
        targets::keys::open_selected(model);
    }
    if let Some(reason) = header::absence(model, screen).filter(|_| model.opened.has_target) {
        return warn(model, reason);
    }
    if !needs_target || model.opened.has_target {
        model.jumps.opened_from = None;
        selection::show_screen(model, screen);
    }
}

pub(crate) fn next_tab(model: &mut Model, forward: bool) {
    let tabs = header::tabs(model);
    let Some(at) = tabs.iter().position(|tab| tab.to == model.screen) else { return };
    let by = if forward { 1 } else { tabs.len() - 1 };
    let to = tabs[(at + by) % tabs.len()].to;
    model.jumps.opened_from = None;
    selection::show_screen(model, to);
}

/// Goes up one level, in this order: leave the zoom, clear the filter, focus the first pane, clear
/// the filter of steps, return to the screen from which this one was opened, go to the first tab,
/// go to the repository.
pub(crate) fn leave(model: &mut Model) {
    if !leave_pane(model) && !clear_step_filter(model) {
        leave_screen(model);
    }
}

/// Leaves the zoom, the filter, the followed users, or a pane that is not the first; false without
/// any.
pub(crate) fn leave_pane(model: &mut Model) -> bool {
    std::mem::take(&mut model.panes.zoomed)
        || selection::clear_filter(model, model.focused())
        || model.focused() == Pane::Users && targets::keys::unfollow(model)
        || std::mem::take(&mut model.panes.focus[model.screen as usize]) != 0
}

/// Lists all steps; false if they are listed, or are not shown.
pub(crate) fn clear_step_filter(model: &mut Model) -> bool {
    model.screen == Screen::Steps && !std::mem::take(&mut model.steps.filter).is_empty()
}

/// Leaves the screen: to the one before, to the first of the place, or to the place above.
pub(crate) fn leave_screen(model: &mut Model) {
    let place = model.screen.place();
    if let Some(from) = model.jumps.opened_from.take() {
        if model.jumps.back.last().is_some_and(|(screen, ..)| *screen == from) {
            return time::jump_back(model, false);
        }
        return selection::show_screen(model, from);
    }
    let to = match place {
        _ if model.screen != place.first() => place.first(),
        WorkbenchPlace::Change if model.opened.has_target => {
            model.panes.tabs[WorkbenchPlace::Target as usize].unwrap_or(Screen::Tree)
        }
        WorkbenchPlace::Target | WorkbenchPlace::Change => Screen::Board,
        WorkbenchPlace::Repository => return note(model, "top level (q: quit)"),
    };
    selection::show_screen(model, to);
}
