//! Passes keys to the overlay, or finds their command in the table.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::super::keymap::{Command, KeyLookup, spell};
use super::super::message::Effect;
use super::super::model::{HelpState, Model, Overlay, Pane, Screen, WorkKind};
use super::super::theme::StyleRole;
use crate::screens::{catalogs, compared, why};
use crate::update::{
    commands, drafts, editor, fetch, field_edit, form, help, leave, note, palette, questions, say,
    search, time, user_commands, write, yank,
};

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    if key.kind == KeyEventKind::Release {
        return;
    }
    model.status = None;
    let mut key = key;
    let is = |c: char| (key.code, key.modifiers) == (KeyCode::Char(c), KeyModifiers::CONTROL);
    let is_interrupt = is('c');
    model.input.has_interrupted &= is_interrupt;
    if is('z') && model.overlay.is_some() {
        return model.request(Effect::Suspend);
    }
    // In the built-in editor ctrl-c discards the edit; every other overlay is closed, as by esc.
    if is_interrupt && !matches!(model.overlay, None | Some(Overlay::Editor(_))) {
        key = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
    }
    // If the dialog does not fit the screen, its question cannot be answered.
    if model.hides_overlay() && !is_interrupt && key.code != KeyCode::Esc {
        return;
    }
    match model.overlay {
        Some(Overlay::Help(HelpState { marked: Some(_), .. })) if key.code == KeyCode::Enter => {
            palette::run_marked_row(model);
        }
        Some(Overlay::Help(_)) => help::key(model, key),
        Some(Overlay::Actions(_)) => palette::handle_menu_key(model, key),
        Some(Overlay::Messages { .. }) => palette::handle_messages_key(model, key),
        Some(Overlay::CommandOutput(_)) => user_commands::key(model, key),
        Some(Overlay::Palette(_)) => palette::key(model, key),
        Some(Overlay::Search { .. }) => search::key(model, key),
        Some(Overlay::Confirm(_)) => write::key(model, key),
        Some(Overlay::Why(_)) => why::keys::key(model, key),
        Some(Overlay::Yank(_)) => yank::key(model, key),
        Some(Overlay::FieldEdit(_)) => field_edit::key(model, key),
        Some(Overlay::Log(_)) => questions::log_key(model, key),
        Some(Overlay::Drafts(_)) => drafts::key(model, key),
        Some(Overlay::Editor(_)) => editor::key(model, key),
        Some(Overlay::Trust(_)) => catalogs::keys::key(model, key),
        Some(Overlay::Fetch(_)) => fetch::key(model, key),
        Some(Overlay::Form(_)) => form::key(model, key),
        None if key.code == KeyCode::Esc && model.fetching.run.is_some() => fetch::cancel(model),
        None if key.code == KeyCode::Esc
            && model.screen == Screen::Compared
            && model.work.is_running(WorkKind::Compared) =>
        {
            leave::cancel_comparison(model);
        }
        None if key.code == KeyCode::Esc
            && model.screen == Screen::Board
            && model.work.is_running(WorkKind::Branch) =>
        {
            compared::keys::cancel_branch(model);
        }
        None => handle_command_key(model, key),
    }
}

/// True for a row of a tree without rows below it, which only enter opens.
fn is_leaf(model: &Model) -> bool {
    match model.focused() {
        Pane::Tree => {
            let row = model.tree.rows.get(model.list(Pane::Tree).selected);
            row.is_some_and(|row| !row.has_children)
        }
        Pane::Targets => {
            let row = model.board.rows.get(model.list(Pane::Targets).selected);
            row.is_some_and(|row| row.open.is_none())
        }
        Pane::Problems => {
            model.problems.rows.is_open(model.list(Pane::Problems).selected).is_none()
        }
        Pane::Findings => {
            let rows = &model.board.findings.rows;
            rows.is_open(model.list(Pane::Findings).selected).is_none()
        }
        _ => false,
    }
}

/// Handles a key that belongs to a command. A repeat count is typed with alt (`alt-1 2 j`), because
/// plain digits show screens.
fn handle_command_key(model: &mut Model, key: KeyEvent) {
    if let Some(command) = model.input.awaits_mark.take() {
        if let KeyCode::Char(letter) = key.code
            && letter.is_alphanumeric()
        {
            time::handle_mark_letter(model, command, letter);
        }
        return;
    }
    if let KeyCode::Char(c) = key.code
        && let Some(digit) = c.to_digit(10)
        && (key.modifiers == KeyModifiers::ALT
            || model.input.count.is_some() && key.modifiers.is_empty())
    {
        let count = model.input.count.unwrap_or(0).saturating_mul(10);
        model.input.count = Some(count.saturating_add(digit as usize).min(999_999));
        return;
    }
    let Some(spelled) = spell(key) else { return };
    let keys = format!("{}{spelled}", model.input.keys);
    match model.look.keymap.lookup(&keys) {
        KeyLookup::Command(command) => {
            model.input.keys.clear();
            let count = model.input.count.take();
            let runs = command != Command::Open || keys == "enter" || !is_leaf(model);
            if runs {
                commands::run(model, command, count);
            }
        }
        KeyLookup::Prefix => {
            model.input.keys = keys;
        }
        KeyLookup::Unknown => {
            model.input.keys.clear();
            model.input.count = None;
            // Quitting must not depend on the user's key bindings.
            if key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL {
                return commands::run(model, Command::Cancel, None);
            }
            let own = user_commands::offered_commands(model)
                .find(|(_, command)| command.key.as_ref() == Some(&keys));
            if let Some((index, _)) = own {
                return user_commands::start(model, index);
            }
            if let Some(command) = model.look.keymap.former_command(&keys) {
                commands::run(model, command, None);
                name_successor(model, keys, command);
            } else if key.code != KeyCode::Esc {
                note(model, format!("{keys} is not bound (?: help)"));
            }
        }
    }
}

/// Names the present key of the command of a former key, once in a session.
fn name_successor(model: &mut Model, former: String, command: Command) {
    let now = model.look.keymap.first_key(command);
    let words = format!("use {now}: {former} stops working in the next release");
    if !model.input.former_keys.insert(former) {
        return;
    }
    // The message of the command itself stays.
    let (role, said) = match model.status.take() {
        Some(status) => (status.role, format!("{}; ", status.text)),
        None => (StyleRole::Dim, String::new()),
    };
    say(model, role, format!("{said}{words}"));
}

/// Inserts pasted text into the active input; without one, the text is ignored.
pub(crate) fn pasted(model: &mut Model, text: &str) {
    let is_hidden = model.hides_overlay();
    match &mut model.overlay {
        _ if is_hidden => {}
        Some(Overlay::Editor(_)) => editor::handle_paste(model, text),
        Some(Overlay::Form(_)) => form::pasted(model, text),
        Some(
            Overlay::Palette(_) | Overlay::Search { .. } | Overlay::Help(_) | Overlay::FieldEdit(_),
        ) => {
            for c in text.chars().filter(|c| !c.is_control()) {
                self::key(model, KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
            }
        }
        _ => {}
    }
}
