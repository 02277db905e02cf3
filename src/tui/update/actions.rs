//! Opens the menu of actions and the list of messages.

use super::super::keymap::{BINDINGS, Command, CommandGroup};
use super::super::message::Effect;
use super::super::model::{ActionMenu, MenuItem, Model, Overlay, Screen};
use super::availability::disabled;

/// Opens the menu: the commands with a hint on this screen, unavailable ones last.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let here = BINDINGS.iter().filter(|row| {
        row.screens.contains(&model.screen)
            && row.screens.len() < Screen::COUNT
            && row.group != CommandGroup::Move
            || row.command == Command::Open && row.screens.contains(&model.screen)
    });
    let (can, cannot): (Vec<Command>, Vec<Command>) =
        here.map(|row| row.command).partition(|command| disabled(model, *command).is_none());
    let own = model.look.commands.iter().enumerate();
    let own = own.filter(|(_, command)| command.is_offered_on(model.screen));
    let own = own.map(|(index, _)| MenuItem::UserCommand(index));
    let can = can.into_iter().map(MenuItem::Command).chain(own);
    let items = can.chain(cannot.into_iter().map(MenuItem::Command)).collect();
    model.overlay = Some(Overlay::Actions(ActionMenu { items, selected: 0 }));
    Vec::new()
}

/// Opens the list of messages.
pub(super) fn open_messages(model: &mut Model) -> Vec<Effect> {
    model.overlay = Some(Overlay::Messages { offset: 0 });
    Vec::new()
}
