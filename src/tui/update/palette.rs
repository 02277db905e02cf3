//! Keys of the palette, of the menu of actions and of the list of messages. Enter runs the marked
//! item.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::keymap::{KeyLookup, spell};
use crate::model::{MenuItem, Model, Overlay, PaletteAction, Screen};
use crate::update::{commands, navigate, selection, time, user_commands, warn};

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::Palette(state)) = &mut model.overlay else { return };
    let last = state.matches.len().saturating_sub(1);
    let history = &mut model.input.commands;
    match (key.code, key.modifiers) {
        (KeyCode::Esc, _) | (KeyCode::Char('c'), KeyModifiers::CONTROL) => model.overlay = None,
        (KeyCode::Backspace, _) if state.input.is_empty() => model.overlay = None,
        // From the first row, the up key goes through the history of typed texts.
        (KeyCode::Up, _) if state.selected == 0 => {
            if let Some(text) = history.earlier() {
                state.input.set(text);
                state.find();
            }
        }
        (KeyCode::Down, _) if history.is_shown() => {
            if let Some(text) = history.later() {
                state.input.set(text);
                state.find();
            }
        }
        (KeyCode::Down, _) | (KeyCode::Char('n'), KeyModifiers::CONTROL) => {
            state.selected = (state.selected + 1).min(last);
        }
        (KeyCode::Up, _) | (KeyCode::Char('p'), KeyModifiers::CONTROL) => {
            state.selected = state.selected.saturating_sub(1);
        }
        (KeyCode::PageDown, _) => state.selected = (state.selected + 10).min(last),
        (KeyCode::PageUp, _) => state.selected = state.selected.saturating_sub(10),
        (KeyCode::Tab, _) => state.complete(),
        (KeyCode::Enter, _) => enter(model),
        _ => {
            if state.input.key(key) {
                history.leave();
                state.find();
            }
        }
    }
}

fn enter(model: &mut Model) {
    let Some(Overlay::Palette(state)) = model.overlay.take() else { return };
    let typed = state.input.text().trim();
    model.input.commands.remember(typed);
    let Some(item) = state.marked() else {
        return warn(model, format!("no such command: `{typed}`"));
    };
    if let Some(reason) = item.disabled {
        return warn(model, reason);
    }
    match item.action.clone() {
        PaletteAction::Nothing => {}
        PaletteAction::Command(command) => commands::run(model, command, None),
        PaletteAction::With(command, argument) => {
            commands::run_with_argument(model, command, &argument);
        }
        PaletteAction::UserCommand(index) => user_commands::start(model, index),
        PaletteAction::Step(step) => {
            time::jump_to(model, step);
            model.screen = Screen::Steps;
        }
        PaletteAction::Resource(key) => selection::show_resource(model, key),
        PaletteAction::Row(key) => navigate::show_row(model, &key),
        PaletteAction::Problem(problem) => selection::go_to_problem(model, problem),
    }
}

pub(crate) fn handle_menu_key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::Actions(menu)) = &mut model.overlay else { return };
    let last = menu.items.len().saturating_sub(1);
    match key.code {
        KeyCode::Down | KeyCode::Char('j') => menu.selected = (menu.selected + 1).min(last),
        KeyCode::Up | KeyCode::Char('k') => menu.selected = menu.selected.saturating_sub(1),
        KeyCode::Enter => run_selected_action(model),
        KeyCode::Esc | KeyCode::Char('q' | 'x') => model.overlay = None,
        _ => {
            let keys = spell(key).unwrap_or_default();
            if let KeyLookup::Command(command) = model.look.keymap.lookup(&keys)
                && menu.items.contains(&MenuItem::Command(command))
            {
                model.overlay = None;
                commands::run(model, command, None);
            }
        }
    }
}

pub(crate) fn run_selected_action(model: &mut Model) {
    let Some(Overlay::Actions(menu)) = model.overlay.take() else { return };
    match menu.items.get(menu.selected) {
        Some(MenuItem::Command(command)) => commands::run(model, *command, None),
        Some(MenuItem::UserCommand(index)) => user_commands::start(model, *index),
        None => {}
    }
}

pub(crate) fn handle_messages_key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::Messages { offset }) = &mut model.overlay else { return };
    match key.code {
        KeyCode::Down | KeyCode::Char('j') => *offset += 1,
        KeyCode::Up | KeyCode::Char('k') => *offset = offset.saturating_sub(1),
        KeyCode::PageDown => *offset += 10,
        KeyCode::PageUp => *offset = offset.saturating_sub(10),
        _ => model.overlay = None,
    }
}

pub(crate) fn run_marked_row(model: &mut Model) {
    let Some(Overlay::Help(state)) = &model.overlay else { return };
    let command = state.marked;
    model.overlay = None;
    if let Some(command) = command {
        commands::run(model, command, None);
    }
}
