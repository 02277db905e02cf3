//! The help: every command with its keys, searchable by a word, a name, or a key; and the hints in the
//! last line.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;

use crate::keymap::{BINDINGS, Binding, Command, CommandGroup};
use crate::layout::layout;
use crate::model::{HelpState, Model, Overlay, Screen};
use crate::text::{to_u16, width, wrap};
use crate::update::availability::disabled;

pub(crate) const MAX_HELP_COLUMNS: u16 = 100;

/// The width in cells of the part before a description.
pub(crate) const HELP_LEAD_CELLS: usize = 22;

const ON_THIS_SCREEN: &str = "On this screen";

#[derive(Clone, Debug)]
pub(crate) enum HelpRow {
    Title(&'static str),
    /// A command and the first line of its description.
    Command(&'static Binding, String),
    DescriptionLine(&'static Binding, String),
    Sign(&'static str, String),
    /// A line of the reason why the command above it is not available.
    Why(String),
}

impl HelpRow {
    pub(crate) fn command(&self) -> Option<Command> {
        match self {
            Self::Command(row, _) | Self::DescriptionLine(row, _) => Some(row.command),
            Self::Title(_) | Self::Sign(..) | Self::Why(_) => None,
        }
    }
}

/// The rows of the help that match the typed text: those of the current screen first, then all by
/// group.
pub(crate) fn help_rows(model: &Model, typed: &str) -> Vec<HelpRow> {
    let here = BINDINGS.iter().filter(|row| row.is_about(model.screen));
    let mut rows = Vec::new();
    let groups = CommandGroup::ALL.into_iter();
    let groups = groups.map(|(group, title)| {
        (title, BINDINGS.iter().filter(|row| row.group == group).collect::<Vec<_>>())
    });
    let typed = typed.trim();
    // The dialog has a frame, with one free cell inside on each side.
    let room = usize::from(model.look.size.0.saturating_sub(2).min(MAX_HELP_COLUMNS));
    let room = room.saturating_sub(2 + HELP_LEAD_CELLS);
    for (title, group) in [(ON_THIS_SCREEN, here.collect())].into_iter().chain(groups) {
        let fitting = group.into_iter().filter(|row| matches_help_row(model, row, typed));
        let before = rows.len();
        rows.push(HelpRow::Title(title));
        for row in fitting {
            let mut words = wrap(row.words, room).into_iter();
            rows.push(HelpRow::Command(row, words.next().unwrap_or_default()));
            rows.extend(words.map(|line| HelpRow::DescriptionLine(row, line)));
            let why =
                disabled(model, row.command).map(|why| wrap(&format!("not now: {why}"), room));
            rows.extend(why.into_iter().flatten().map(HelpRow::Why));
        }
        if rows.len() == before + 1 {
            rows.pop();
        }
        if title == ON_THIS_SCREEN {
            add_signs(model, typed, room, &mut rows);
        }
    }
    rows
}

fn add_signs(model: &Model, typed: &str, room: usize, rows: &mut Vec<HelpRow>) {
    let typed = typed.to_lowercase();
    let is_wanted = |words: &str| words.contains(&typed) || "signs".starts_with(&typed);
    let before = rows.len();
    for (sign, words) in signs(model).into_iter().filter(|(_, words)| is_wanted(words)) {
        let lines = wrap(words, room).into_iter().enumerate();
        rows.extend(lines.map(|(at, line)| HelpRow::Sign(if at == 0 { sign } else { "" }, line)));
    }
    if rows.len() > before {
        rows.insert(before, HelpRow::Title("Signs"));
    }
}

/// The kinds of steps, in the order of their signs.
const KINDS_OF_STEPS: [&str; 9] = [
    "step that loads a file",
    "step that merges a base into its layer",
    "step into a component",
    "step out of a component",
    "step that generates a resource",
    "step of a patch",
    "step that sets values",
    "step of a function or plugin",
    "final step of every build",
];

fn signs(model: &Model) -> Vec<(&'static str, &'static str)> {
    let glyphs = model.glyphs();
    let signs = [
        (glyphs.on, "entry that is on"),
        (glyphs.off, "entry that is commented out, component that is not listed"),
        (glyphs.applied, "step with a change, target that builds"),
        (glyphs.bars[0], "in the table of components: a component that the overlay does not list"),
        (glyphs.no_change, "step that matches and changes no value; note"),
        (glyphs.failed, "error: failed step, entry without a match, failing build"),
        (glyphs.warning, "warning"),
        (glyphs.waiting, "pending: not fetched, not trusted or not run"),
        (glyphs.draft, "changed by the draft; with a number: the count of edits"),
        ("+", "added resources"),
        (glyphs.minus, "removed resources"),
        ("~", "changed resources"),
        (glyphs.swap, "order matters"),
        (
            "1 to 11",
            "before a field of the tree: its position in the order in which Kustomize works",
        ),
        (glyphs.fold, "unchanged lines that are left out"),
    ];
    let kinds = glyphs.kinds.iter().copied().zip(KINDS_OF_STEPS);
    signs.into_iter().chain(kinds).collect()
}

/// True if a row matches the typed text. Case matters for keys, but not for names and descriptions.
fn matches_help_row(model: &Model, row: &Binding, typed: &str) -> bool {
    let keys = model.look.keymap.keys(row.command);
    let is_key = keys.iter().any(|key| key == typed);
    let words = typed.to_lowercase();
    is_key
        || keys.iter().any(|key| typed.chars().count() > 1 && key.starts_with(typed))
        || (words.chars().count() > 1 || words.is_empty())
            && (row.words.to_lowercase().contains(&words)
                || row.name.replace('-', " ").contains(&words)
                || row.name.contains(&words))
}

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let page = usize::from(model.look.size.1.saturating_sub(6)).max(1);
    let Some(Overlay::Help(state)) = &model.overlay else { return };
    let last = help_rows(model, state.filter.text()).len().saturating_sub(page);
    let Some(Overlay::Help(HelpState { filter, offset, marked })) = &mut model.overlay else {
        return;
    };
    match key.code {
        KeyCode::Esc | KeyCode::Enter => model.overlay = None,
        KeyCode::Char('q' | '?') if filter.is_empty() => model.overlay = None,
        KeyCode::Down => *offset = (*offset + 1).min(last),
        KeyCode::Up => *offset = offset.saturating_sub(1),
        KeyCode::PageDown => *offset = (*offset + page).min(last),
        KeyCode::PageUp => *offset = offset.saturating_sub(page),
        _ => {
            if filter.key(key) {
                (*offset, *marked) = (0, None);
            }
        }
    }
}

pub(crate) struct Hint {
    pub command: Command,
    pub key: String,
    pub action: &'static str,
    pub is_available: bool,
    pub area: Rect,
}

pub(crate) fn hints(model: &Model) -> Vec<Hint> {
    // Palette, help and quit come last on every screen, at any width.
    let is_way = |command| matches!(command, Command::Palette | Command::Help | Command::Quit);
    let ways = BINDINGS.iter().filter(|row| is_way(row.command));
    let first = |command| model.look.keymap.keys(command).first().map_or(0, |key| width(key));
    let ways: usize = ways.map(|row| first(row.command) + width(row.hint) + 3).sum();
    let line = layout(model).hints;
    let (mut x, end) = (usize::from(line.x) + 1, usize::from(line.right()));
    let mut hints = Vec::new();
    for row in
        BINDINGS.iter().filter(|row| !row.hint.is_empty() && row.screens.contains(&model.screen))
    {
        let key = model.shown_key(row.command);
        let kept = if is_way(row.command) { 0 } else { ways };
        if key.is_empty() || end.saturating_sub(x) < width(key) + width(row.hint) + 3 + kept {
            continue;
        }
        let is_available = disabled(model, row.command).is_none();
        if !is_available && matches!(row.command, Command::Fetch | Command::Fix) {
            // Usually every remote is cached and no problem has a fix, so they get no hint.
            continue;
        }
        let action = match (row.command, model.screen) {
            // On these screens the key drafts the selected result.
            (Command::Toggle, Screen::Order | Screen::Combinations) => "try as draft",
            (Command::Toggle, Screen::Change) => "leave out",
            (Command::Compare, Screen::Change) => "drop",
            (Command::Open, Screen::Change) => "diff",
            _ => row.hint,
        };
        let cells = width(key) + 1 + width(action);
        let area = Rect { x: to_u16(x), width: to_u16(cells), ..line };
        hints.push(Hint { command: row.command, key: key.to_owned(), action, is_available, area });
        x += cells + 2;
    }
    hints
}
