//! Opens the palette with all its items: commands with arguments, resources, tree rows, problems,
//! steps; and the menu of actions.

use Command as C;
use Screen::{
    Board, Catalogs, Change, Combinations, Compared, ComponentTable, Components, Composition, Diff,
    Findings, Found, Functions, Order, Problems, Resource, Steps, Tree,
};

use crate::engine::profile::Profile;
use crate::keymap::{BINDINGS, Binding, Command, CommandGroup};
use crate::model::{
    ActionMenu, MenuItem, Model, Overlay, PaletteAction, PaletteItem, PaletteState, ResourceRow,
    Screen, TreeSubject, WorkKind, WorkbenchPlace, all_tree_rows, step_label,
};
use crate::ports::{NamedSideKind, Work};
use crate::text::sanitize;
use crate::theme::THEMES;
use crate::update::availability::disabled;
use crate::update::user_commands::offered_commands;

/// All items of the palette, commands first: those for the selected row, those with a hint on the
/// screen, then the others.
pub(crate) fn all(model: &Model) -> Vec<PaletteItem> {
    let of_row: Vec<Command> = row_commands(model).collect();
    let is_hinted = |command: Command| {
        BINDINGS.iter().any(|row| row.command == command && row.is_about(model.screen))
    };
    let mut items = commands(model);
    items.sort_by_key(|item| match item.action {
        PaletteAction::Command(it) if of_row.contains(&it) => 0,
        PaletteAction::Command(it) if is_hinted(it) => 1,
        _ => 2,
    });
    items.extend(user_commands(model));
    items.extend(arguments(model));
    items.extend(resources(model));
    items.extend(rows(model));
    items.extend(problems(model));
    items.extend(steps(model));
    items
}

fn commands(model: &Model) -> Vec<PaletteItem> {
    let items = BINDINGS.iter().map(|row| {
        let keys = model.look.keymap.keys(row.command);
        PaletteItem {
            label: label(model, row),
            names: row.names(keys.iter().map(String::as_str)),
            detail: row.words.to_owned(),
            keys: keys.join(" "),
            disabled: disabled(model, row.command),
            action: PaletteAction::Command(row.command),
            ..PaletteItem::default()
        }
    });
    items.collect()
}

fn label(model: &Model, row: &Binding) -> String {
    match (row.command, model.screen) {
        // `compare` is the command with two sides.
        (Command::Compare, Screen::Change) => "drop edit".to_owned(),
        (Command::Compare, Screen::Board) => "diff of the draft".to_owned(),
        (Command::Compare, _) => "sides of the diff".to_owned(),
        _ => row.name.replace('-', " "),
    }
}

fn user_commands(model: &Model) -> impl Iterator<Item = PaletteItem> + '_ {
    offered_commands(model).map(|(index, command)| PaletteItem {
        label: sanitize(&command.name).into_owned(),
        detail: sanitize(&command.run).into_owned(),
        keys: command.key.clone().unwrap_or_default(),
        action: PaletteAction::UserCommand(index),
        ..PaletteItem::default()
    })
}

fn arguments(model: &Model) -> Vec<PaletteItem> {
    let with = |command: Command, name: &str, argument: &str, detail: &str| PaletteItem {
        label: format!("{name} {argument}"),
        detail: detail.to_owned(),
        disabled: disabled(model, command),
        action: PaletteAction::With(command, argument.to_owned()),
        ..PaletteItem::default()
    };
    let themes = THEMES.iter().map(|(name, _)| with(Command::NextTheme, "theme", name, ""));
    let catalogs = model.builds.recording.catalogs.iter().map(|reviewed| {
        let reference = sanitize(&reviewed.reference).into_owned();
        with(Command::AddCatalog, "catalog", &reference, "a catalog of this build")
    });
    let known = |command: Command, name: &'static str, argument: &str, detail: &str| PaletteItem {
        behind: Some(name),
        ..with(command, name, argument, detail)
    };
    let mouse = ["on", "off"].into_iter().map(|word| with(Command::ToggleMouse, "mouse", word, ""));
    // The profiles are so many that they would hide all other items.
    // The newest release is first.
    let (mut releases, others): (Vec<_>, Vec<_>) =
        Profile::names().partition(|name| name.starts_with('v'));
    releases.reverse();
    let releases = releases.into_iter().chain(others);
    let like = releases.map(|name| known(Command::Like, "like", name, ""));
    let folders = model.board.targets().map(|target| (model.board.shown(&target.folder), None));
    let managers = &model.board.managers;
    let listed = || managers.iter().filter(|object| object.is_listed());
    let is_only = |name: &str| listed().filter(|object| object.name == name).count() == 1;
    let objects = listed().map(|object| {
        let name = Some(object.name.clone()).filter(|name| is_only(name));
        (model.board.shown(&object.target()), name)
    });
    let targets = folders.chain(objects).flat_map(|(name, alone)| {
        let names = |command: &str| -> Vec<String> {
            alone.iter().map(|name| format!("{command} {name}")).collect()
        };
        let compare = known(Command::CompareSides, "compare", &name, "a target of the repository");
        let open = Command::GoTo(WorkbenchPlace::Target);
        let open = known(open, "target", &name, "opens a target of the repository");
        [
            PaletteItem { names: names("compare"), ..compare },
            PaletteItem { names: names("target"), ..open },
        ]
    });
    let draft = known(Command::CompareSides, "compare", "draft", "the files with the draft");
    let sides = model.compared.sides.iter().map(|side| {
        let kind = match side.kind {
            NamedSideKind::Reference => "a branch or tag",
            NamedSideKind::Draft => "a kept draft",
        };
        known(Command::CompareSides, "compare", &sanitize(&side.name), kind)
    });
    let sides = [draft].into_iter().chain(sides);
    let watched = resources(model).filter_map(|item| {
        let name = item.names.into_iter().next()?;
        Some(known(Command::Watch, "watch", &name, "type a field of it: spec.replicas"))
    });
    let items = themes.chain(catalogs).chain(mouse).chain(like).chain(targets).chain(sides);
    items.chain(watched).collect()
}

fn resources(model: &Model) -> impl Iterator<Item = PaletteItem> + '_ {
    model.builds.recording.output.iter().filter_map(|(slot, resource)| {
        let key = model.builds.recording.key(*slot)?;
        let row = ResourceRow::new(key.clone(), *slot, resource);
        let name = &resource.id.name;
        Some(PaletteItem {
            names: vec![format!("{}/{name}", row.kind), name.to_string()],
            label: format!("{} {}", row.kind, row.name),
            detail: "resource".to_owned(),
            action: PaletteAction::Resource(row.key),
            ..PaletteItem::default()
        })
    })
}

fn rows(model: &Model) -> impl Iterator<Item = PaletteItem> + '_ {
    let rows = all_tree_rows(model).into_iter().filter(|row| {
        matches!(
            row.subject,
            TreeSubject::Entry { .. } | TreeSubject::Scalar { .. } | TreeSubject::Unlisted { .. }
        )
    });
    rows.map(|row| PaletteItem {
        label: row.label,
        detail: row.key.split('#').nth(1).unwrap_or_default().to_owned(),
        action: PaletteAction::Row(row.key),
        ..PaletteItem::default()
    })
}

fn problems(model: &Model) -> impl Iterator<Item = PaletteItem> + '_ {
    model.problems.all.iter().enumerate().map(|(index, problem)| PaletteItem {
        label: format!("{} {}", problem.code, problem.message),
        detail: problem.place.clone(),
        action: PaletteAction::Problem(index),
        ..PaletteItem::default()
    })
}

fn steps(model: &Model) -> impl Iterator<Item = PaletteItem> + '_ {
    (0..model.builds.recording.len()).map(|step| PaletteItem {
        label: format!("step {}: {}", step + 1, step_label(&model.builds.recording, step)),
        names: vec![(step + 1).to_string()],
        detail: model.builds.recording.place_of_step(step).to_owned(),
        action: PaletteAction::Step(step),
        ..PaletteItem::default()
    })
}

/// Opens the palette with a typed prefix: further text is the argument.
pub(crate) fn open_palette_with(model: &mut Model, text: &str) {
    let state = PaletteState::new(all(model), text);
    model.input.commands.leave();
    model.overlay = Some(Overlay::Palette(Box::new(state)));
    model.start(WorkKind::Sides, Work::ListSides);
}

/// Lists the items of an open palette again, and keeps its text and the marked item.
pub(crate) fn refresh(model: &mut Model) {
    let Some(Overlay::Palette(open)) = &model.overlay else { return };
    let marked = open.marked().map(|item| item.label.clone());
    let text = open.input.text().to_owned();
    let mut state = PaletteState::new(all(model), &text);
    let label = |at: &usize| state.items.get(*at).map(|item| &item.label);
    let same = state.matches.iter().position(|at| label(at) == marked.as_ref());
    state.selected = same.unwrap_or_default();
    model.overlay = Some(Overlay::Palette(Box::new(state)));
}

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
pub(crate) fn open_menu(model: &mut Model) {
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
