//! The line of a conversation for each command of the table. The match is exhaustive, so that a new
//! command needs a line.

use super::super::keymap::Command;
use super::super::model::Screen;

/// The conversation's counterpart of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Word(&'static str),
    /// Not at all, and why not.
    Only(&'static str),
}

/// Moves a cursor.
const CURSOR: Line = Line::Only("it moves a cursor; linear mode has no cursor");
/// Changes the drawing of the screen.
const DRAWN: Line = Line::Only("it changes how a screen is drawn; linear mode only appends lines");
/// Is about the terminal.
const TERMINAL: Line = Line::Only("the terminal handles this key in linear mode");

/// The line of a command.
#[expect(clippy::match_same_arms, reason = "in the order of the table")]
pub(super) fn line(command: Command) -> Line {
    use Command as C;
    match command {
        C::Down | C::Up | C::Top | C::Bottom | C::HalfPageDown | C::HalfPageUp => CURSOR,
        C::Open | C::Back | C::NextPane | C::PreviousPane => CURSOR,
        C::Show(screen) => Line::Word(match screen {
            Screen::Tree => "tree",
            Screen::Steps => "steps",
            Screen::Diff => "diff",
            Screen::Resource => "resource",
            Screen::Components => "components",
            Screen::Composition => "pipeline",
            Screen::Catalogs => "catalogs",
            Screen::Functions => "functions",
            Screen::Problems => "problems",
            Screen::Board => "users",
            Screen::Compared => "compare",
            Screen::Found => "find",
            Screen::Order => "order",
            Screen::Combinations => "matrix",
        }),
        C::StepForward | C::StepBack | C::FirstStep | C::LastStep => Line::Word("step"),
        C::NextEffective | C::PreviousEffective | C::EffectiveOnly => Line::Word("steps"),
        C::OnlyResource | C::GoToWriter | C::Watch => Line::Word("watch"),
        C::OnlyLayer => Line::Word("steps"),
        C::NextChange | C::PreviousChange | C::Compare => Line::Word("diff"),
        C::NextResource | C::PreviousResource => Line::Word("resources"),
        C::NextProblem | C::PreviousProblem => Line::Word("problems"),
        C::Mark | C::ToMark | C::JumpBack | C::JumpForward => CURSOR,
        C::Toggle => Line::Word("toggle"),
        C::MoveDown | C::MoveUp => Line::Word("move"),
        C::Override => Line::Word("override"),
        C::Trust => Line::Word("trust"),
        C::Revoke => Line::Word("revoke"),
        C::Fetch => Line::Word("fetch"),
        C::AddCatalog => Line::Word("catalog"),
        C::Like => Line::Word("like"),
        C::Fix => Line::Word("fix"),
        C::Undo => Line::Word("undo"),
        C::Redo => Line::Word("redo"),
        C::Write | C::WriteQuit => Line::Word("write"),
        C::Discard => Line::Word("discard"),
        C::Log => Line::Word("log"),
        C::Drafts | C::RenameDraft | C::CopyDraft | C::DeleteDraft => Line::Word("draft"),
        C::Edit => Line::Word("edit"),
        C::EditHere => Line::Word("change"),
        C::Why => Line::Word("why"),
        C::Yank => Line::Only("copy the printed lines with your terminal"),
        C::Search | C::NextMatch | C::PreviousMatch => CURSOR,
        C::Find => Line::Word("find"),
        C::Palette | C::Help => Line::Word("help"),
        C::Tour => Line::Word("tour"),
        C::NextStop => Line::Word("next"),
        C::ShowSecrets => Line::Word("secrets"),
        C::SplitDiff | C::MoreContext | C::LessContext => DRAWN,
        C::ScrollRight | C::ScrollLeft | C::Wrap | C::Zoom => DRAWN,
        C::NextTheme | C::ToggleMouse | C::Redraw => DRAWN,
        C::Branch => Line::Only("it is a column of the Board; use compare main...HEAD"),
        C::Sort | C::WithBases => Line::Only("it changes the list of the Board; use kzui check"),
        C::Users => Line::Word("users"),
        C::CompareSides => Line::Word("compare"),
        C::DraftEverywhere => Line::Word("reach"),
        C::GroupBy | C::OnlyDangers => {
            Line::Only("it changes how differences are listed; each line names its danger")
        }
        C::Rebuild => Line::Word("rebuild"),
        C::RunAgain => Line::Word("run"),
        C::Cancel | C::Suspend => TERMINAL,
        C::Quit | C::QuitAnyway => Line::Word("quit"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::keymap::BINDINGS;
    use super::super::words;
    use super::*;

    #[test]
    fn every_command_of_the_table_has_a_line_that_help_names_or_a_reason() {
        let help = words::help().join("\n");
        let named: Vec<&str> = help.split(|c: char| !c.is_alphanumeric()).collect();
        for row in BINDINGS {
            match line(row.command) {
                Line::Word(word) => {
                    let is_told = named.contains(&word) || word == "help";
                    assert!(is_told, "{} is {word}: help does not name it", row.name);
                    let is_read = include_str!("mod.rs").contains(&format!("\"{word}\""));
                    assert!(is_read, "{} is {word}, which is no command", row.name);
                }
                Line::Only(reason) => assert!(reason.len() > 20, "{}: {reason}", row.name),
            }
        }
    }
}
