//! The hints in the last line: keys of the current screen, with their areas for drawing and for
//! the mouse.

use ratatui::layout::Rect;

use super::super::keymap::{BINDINGS, Command};
use super::super::layout::layout;
use super::super::model::{Model, Screen};
use super::super::text::{to_u16, width};
use super::disabled;

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
