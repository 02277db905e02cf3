//! Commands of linear mode that edit the draft.

use std::io::{self, Write};

use super::super::keymap::Command;
use super::super::model::{Pane, Screen, all_tree_rows};
use super::super::update::command;
use super::{LinearSession, numbered, words};

impl<W: Write> LinearSession<'_, W> {
    pub(super) fn toggle(&mut self, argument: &str) -> io::Result<()> {
        if !self.select_row(argument) {
            return self.print("Usage: toggle ROW, a row number that tree prints, as in toggle 7.");
        }
        self.edit(Command::Toggle)
    }

    pub(super) fn fix(&mut self, argument: &str) -> io::Result<()> {
        let Some(problem) = numbered(argument, self.model.problems.all.len()) else {
            return self.print("Usage: fix NUMBER, the number of a problem, as in fix 2.");
        };
        self.model.screen = Screen::Problems;
        let row = self.model.problems.rows.show_finding(problem);
        self.model.list_mut(Pane::Problems).selected = row.unwrap_or(problem);
        match words::fix_lines(&self.model, problem) {
            None => {
                let rejected = self.model.problems.all.get(problem);
                let no_fix = rejected.and_then(|it| self.model.rejected_fix_reason(it));
                self.print_lines([match no_fix {
                    Some(reason) => format!("No fix: {reason}."),
                    None => "No automatic fix for this problem.".to_owned(),
                }])
            }
            Some(lines) => {
                self.print_lines(lines)?;
                self.edit(Command::Fix)
            }
        }
    }

    /// Moves the entry of a row of `tree` in its list, down for positive numbers.
    pub(super) fn move_row(&mut self, argument: &str, by: &str) -> io::Result<()> {
        let by = by.parse::<i32>().ok().filter(|by| *by != 0);
        let (Some(by), true) = (by, self.select_row(argument)) else {
            let words = "Usage: move ROW COUNT, a row number that tree prints and a count, as in move 7 1 or move 7 -2.";
            return self.print(words);
        };
        let way = if by < 0 { Command::MoveUp } else { Command::MoveDown };
        self.model.status = None;
        let mut effects = Vec::new();
        for _ in 0..by.unsigned_abs() {
            effects = command(&mut self.model, way);
        }
        self.perform_edit(effects)
    }

    /// Switches a listed component on or off; adds an unlisted one to the list.
    pub(super) fn toggle_component(&mut self, argument: &str) -> io::Result<()> {
        let Some(row) = numbered(argument, self.model.components.rows.len()) else {
            return self
                .print("Usage: component NUMBER, the number of a component, as in component 2.");
        };
        self.model.screen = Screen::Components;
        self.model.panes.focus[Screen::Components as usize] = 0;
        self.model.list_mut(Pane::Components).selected = row;
        self.edit(Command::Toggle)
    }

    /// Selects a row of `tree` by its number; false if no row has this number.
    pub(super) fn select_row(&mut self, argument: &str) -> bool {
        let rows = all_tree_rows(&self.model);
        let Some(row) = numbered(argument, rows.len()) else { return false };
        self.model.screen = Screen::Tree;
        self.model.panes.focus[Screen::Tree as usize] = 0;
        self.model.tree.is_folded = false;
        self.model.tree.toggled.clear();
        self.model.tree.set_rows(rows);
        self.model.list_mut(Pane::Tree).selected = row;
        true
    }
}
