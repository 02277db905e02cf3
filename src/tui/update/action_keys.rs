//! Keys in the menu of actions and in the list of messages.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Position;

use super::super::keymap::{KeyLookup, spell};
use super::super::layout::{MenuLines, menu_lines};
use super::super::model::{MenuItem, Model, Overlay};
use super::{commands, user_commands};

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

fn run_selected_action(model: &mut Model) {
    let Some(Overlay::Actions(menu)) = model.overlay.take() else { return };
    match menu.items.get(menu.selected) {
        Some(MenuItem::Command(command)) => commands::run(model, *command, None),
        Some(MenuItem::UserCommand(index)) => user_commands::start(model, *index),
        None => {}
    }
}

/// Handles a click while the menu is open: on an item, it runs; beside the menu, it closes.
pub(crate) fn handle_menu_click(model: &mut Model, at: Position) {
    let Some(Overlay::Actions(menu)) = &model.overlay else { return };
    let MenuLines { inner, lines } = menu_lines(menu, model.look.size);
    if !inner.contains(at) {
        model.overlay = None;
        return;
    }
    let item = lines.get(usize::from(at.y - inner.y)).copied().flatten();
    if let (Some(item), Some(Overlay::Actions(menu))) = (item, &mut model.overlay) {
        menu.selected = item;
        run_selected_action(model);
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
