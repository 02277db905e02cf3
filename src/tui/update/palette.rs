//! The palette and the help: everything, found by a few letters.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::super::keymap::{BINDINGS, Command, Lookup};
use super::super::message::{Effect, Mouse};
use super::super::model::{
    Model, Overlay, PaletteAction, PaletteItem, PaletteState, ResourceRow, Screen, Subject,
    all_tree_rows,
};
use super::super::theme::{Role, THEMES};
use super::{commands, disabled, fetch, input, navigate, say, step_label, time, write};

/// Opens the palette.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let items = items(model);
    let matches = available_first(&items);
    let state = PaletteState { text: String::new(), items, matches, selected: 0 };
    model.overlay = Some(Overlay::Palette(Box::new(state)));
    Vec::new()
}

/// Opens the palette with something typed: what is typed on is an argument.
pub(super) fn open_with(model: &mut Model, text: &str) -> Vec<Effect> {
    let effects = open(model);
    if let Some(Overlay::Palette(state)) = &mut model.overlay {
        text.clone_into(&mut state.text);
        filter(state);
    }
    effects
}

/// Opens the help.
pub(super) fn help(model: &mut Model) -> Vec<Effect> {
    model.overlay = Some(Overlay::Help { filter: String::new(), offset: 0 });
    Vec::new()
}

/// A key while the help is shown.
pub(super) fn help_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Some(Overlay::Help { filter, offset }) = &mut model.overlay else { return Vec::new() };
    match key.code {
        KeyCode::Esc | KeyCode::Enter => model.overlay = None,
        KeyCode::Char('q' | '?') if filter.is_empty() => model.overlay = None,
        KeyCode::Down | KeyCode::PageDown => *offset += 1,
        KeyCode::Up | KeyCode::PageUp => *offset = offset.saturating_sub(1),
        _ => {
            if input::type_into(filter, key) {
                *offset = 0;
            }
        }
    }
    Vec::new()
}

/// A key while the palette is open.
pub(super) fn key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Some(Overlay::Palette(state)) = &mut model.overlay else { return Vec::new() };
    let last = state.matches.len().saturating_sub(1);
    match (key.code, key.modifiers) {
        (KeyCode::Esc, _) | (KeyCode::Char('c'), KeyModifiers::CONTROL) => model.overlay = None,
        (KeyCode::Backspace, _) if state.text.is_empty() => model.overlay = None,
        (KeyCode::Down, _) | (KeyCode::Char('n'), KeyModifiers::CONTROL) => {
            state.selected = (state.selected + 1).min(last);
        }
        (KeyCode::Up, _) | (KeyCode::Char('p'), KeyModifiers::CONTROL) => {
            state.selected = state.selected.saturating_sub(1);
        }
        (KeyCode::PageDown, _) => state.selected = (state.selected + 10).min(last),
        (KeyCode::PageUp, _) => state.selected = state.selected.saturating_sub(10),
        (KeyCode::Tab, _) => complete(state),
        (KeyCode::Enter, _) => return enter(model),
        _ => {
            if input::type_into(&mut state.text, key) {
                filter(state);
            }
        }
    }
    Vec::new()
}

/// Takes over the name of the selected item.
fn complete(state: &mut PaletteState) {
    let selected = state.matches.get(state.selected).and_then(|item| state.items.get(*item));
    if let Some(item) = selected {
        state.text.clone_from(&item.label);
        filter(state);
    }
}

/// What can be had now, then what cannot, with the reason.
fn available_first(items: &[PaletteItem]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|item| items[*item].disabled.is_some());
    order
}

fn filter(state: &mut PaletteState) {
    state.selected = 0;
    if state.text.is_empty() {
        state.matches = available_first(&state.items);
        return;
    }
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(&state.text, CaseMatching::Smart, Normalization::Smart);
    let mut buffer = Vec::new();
    let mut scored: Vec<(u32, usize)> = state
        .items
        .iter()
        .enumerate()
        .filter_map(|(index, item)| {
            let text = format!("{} {}", item.label, item.detail);
            let score = pattern.score(Utf32Str::new(&text, &mut buffer), &mut matcher)?;
            // What can be had goes before what cannot.
            Some((if item.disabled.is_some() { score / 4 } else { score }, index))
        })
        .collect();
    scored.sort_by_key(|(score, index)| (std::cmp::Reverse(*score), *index));
    state.matches = scored.into_iter().map(|(_, index)| index).collect();
}

/// What was typed if it is a command, else what is selected.
fn enter(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::Palette(state)) = model.overlay.take() else { return Vec::new() };
    let typed = state.text.trim();
    if let Some(effects) = typed_command(model, typed) {
        return effects;
    }
    let Some(item) = state.matches.get(state.selected).and_then(|item| state.items.get(*item))
    else {
        say(model, Role::Warning, format!("nothing is called `{typed}`"));
        return Vec::new();
    };
    if let Some(reason) = item.disabled {
        say(model, Role::Warning, reason);
        return Vec::new();
    }
    match item.action.clone() {
        PaletteAction::Command(command) => return commands::run(model, command, None),
        PaletteAction::Theme(name) => commands::set_theme(model, name),
        PaletteAction::Step(step) => {
            time::jump_to(model, step);
            model.screen = Screen::Steps;
        }
        PaletteAction::Resource(key) => navigate::show_resource(model, key),
        PaletteAction::Row(key) => navigate::show_row(model, &key),
        PaletteAction::Problem(problem) => navigate::go_to_problem(model, problem),
    }
    Vec::new()
}

/// `w`, `q!`, `theme light`, `mouse off`, `14`.
fn typed_command(model: &mut Model, typed: &str) -> Option<Vec<Effect>> {
    if let Lookup::Command(command) = model.keymap.lookup(&format!(":{typed}"))
        && !typed.is_empty()
    {
        return Some(commands::run(model, command, None));
    }
    if let Ok(step) = typed.parse::<usize>() {
        time::jump_to(model, step.saturating_sub(1));
        return Some(Vec::new());
    }
    match typed.split_once(' ').unwrap_or((typed, "")) {
        ("wq" | "x", "") => Some(write::ask(model, true)),
        ("write", "") => Some(commands::run(model, Command::Write, None)),
        ("quit", "") => Some(commands::run(model, Command::Quit, None)),
        ("theme", name) => {
            commands::set_theme(model, name.trim());
            Some(Vec::new())
        }
        ("catalog", reference) => Some(fetch::catalog(model, reference.trim())),
        ("mouse", "on") => Some(commands::set_mouse(model, Mouse::On)),
        ("mouse", "off") => Some(commands::set_mouse(model, Mouse::Off)),
        _ => None,
    }
}

fn items(model: &Model) -> Vec<PaletteItem> {
    let commands = BINDINGS.iter().map(|row| PaletteItem {
        label: row.name.replace('-', " "),
        detail: row.words.to_owned(),
        keys: model.keymap.keys(row.command).join(" "),
        disabled: disabled(model, row.command),
        action: PaletteAction::Command(row.command),
    });
    let themes = THEMES.iter().map(|(name, _)| PaletteItem {
        label: format!("theme {name}"),
        detail: String::new(),
        keys: String::new(),
        disabled: None,
        action: PaletteAction::Theme(name),
    });
    let output = model.recording.output.iter().filter_map(|(slot, resource)| {
        let key = model.recording.key(*slot)?;
        let row = ResourceRow::new(key.clone(), *slot, resource);
        Some(PaletteItem {
            label: format!("{} {}", row.kind, row.name),
            detail: "resource".to_owned(),
            keys: String::new(),
            disabled: None,
            action: PaletteAction::Resource(row.key),
        })
    });
    let steps = (0..model.recording.len()).map(|step| PaletteItem {
        label: format!("step {}: {}", step + 1, step_label(&model.recording, step, model.glyphs())),
        detail: model.recording.place_of_step(step).to_owned(),
        keys: String::new(),
        disabled: None,
        action: PaletteAction::Step(step),
    });
    let problems = model.problems.iter().enumerate().map(|(index, problem)| PaletteItem {
        label: format!("{} {}", problem.code, problem.message),
        detail: problem.place.clone(),
        keys: String::new(),
        disabled: None,
        action: PaletteAction::Problem(index),
    });
    let rows = all_tree_rows(model).into_iter().filter(|row| {
        matches!(
            row.subject,
            Subject::Entry { .. } | Subject::Scalar { .. } | Subject::Unlisted { .. }
        )
    });
    let rows = rows.map(|row| PaletteItem {
        label: row.label,
        detail: row.key.split('#').nth(1).unwrap_or_default().to_owned(),
        keys: String::new(),
        disabled: None,
        action: PaletteAction::Row(row.key),
    });
    commands.chain(themes).chain(problems).chain(output).chain(rows).chain(steps).collect()
}
