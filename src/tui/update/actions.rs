//! Opens the menu of actions and the list of messages.

use Command as C;
use Screen::{
    Board, Catalogs, Change, Combinations, Compared, ComponentTable, Components, Composition, Diff,
    Findings, Found, Functions, Order, Problems, Resource, Steps, Tree,
};

use super::super::keymap::{BINDINGS, Command, CommandGroup};
use super::super::model::{ActionMenu, MenuItem, Model, Overlay, Screen};
use super::availability::disabled;
use super::user_commands::offered_commands;

/// The commands that act on the selected row, in the order of the menu, with their screens.
#[rustfmt::skip]
const ROW_COMMANDS: &[(Command, &[Screen])] = &[
    (C::Open, &[Tree, Steps, Diff, Resource, Catalogs, Functions, Problems, Board, Findings, ComponentTable, Found, Change, Compared]),
    (C::Fix, &[Problems, Findings]),
    (C::Toggle, &[Tree, Components, ComponentTable, Composition, Order, Combinations, Change]),
    (C::Override, &[Composition]),
    (C::MoveDown, &[Tree, Components, Composition]),
    (C::MoveUp, &[Tree, Components, Composition]),
    (C::Trust, &[Catalogs]),
    (C::Revoke, &[Catalogs]),
    (C::RunAgain, &[Functions]),
    (C::RunAll, &[Functions]),
    (C::Edit, &[Tree, Steps, Resource, Problems, Components, Composition, Catalogs, Functions, Findings, ComponentTable]),
    (C::EditHere, &[Tree, Steps, Resource, Problems, Components, Composition, ComponentTable]),
    (C::Why, &[Tree, Steps, Resource, Problems, Components, Change, ComponentTable, Findings]),
    (C::Show(Order), &[Components, ComponentTable]),
    (C::Show(Combinations), &[Components, ComponentTable]),
    (C::GoToWriter, &[Resource]),
    (C::Watch, &[Resource]),
    (C::OnlyResource, &[Steps, Resource]),
    (C::OnlyLayer, &[Steps]),
    (C::Compare, &[Board, Change, Steps, Diff]),
    (C::Users, &[Board]),
    (C::Yank, &[Steps, Resource, Diff, Problems, Catalogs, Functions, Components]),
];

pub(crate) fn row_commands(model: &Model) -> impl Iterator<Item = Command> {
    let of_row = ROW_COMMANDS.iter().filter(|(_, screens)| screens.contains(&model.screen));
    of_row.map(|(command, _)| *command).filter(|command| disabled(model, *command).is_none())
}

/// Opens the menu: available commands for the selected row, the user's own commands, then the other
/// commands with a hint on this screen.
pub(crate) fn open(model: &mut Model) {
    let is_available = |command: &Command| disabled(model, *command).is_none();
    let of_row: Vec<MenuItem> = row_commands(model).map(MenuItem::Command).collect();
    let own = offered_commands(model).map(|(index, _)| MenuItem::UserCommand(index));
    let mut items: Vec<MenuItem> = of_row.into_iter().chain(own).collect();
    let row_items = items.len();
    let here = BINDINGS.iter().filter(|row| row.is_about(model.screen));
    let here = here.filter(|row| row.group != CommandGroup::Move);
    let here = here.map(|row| row.command).filter(is_available).map(MenuItem::Command);
    let others: Vec<MenuItem> = here.filter(|item| !items.contains(item)).collect();
    items.extend(others);
    model.overlay = Some(Overlay::Actions(ActionMenu { items, row_items, selected: 0 }));
}
