//! The command of linear mode for each command of the table. The match is exhaustive, so that a new
//! command cannot be forgotten.

use super::super::keymap::Command;
use super::super::model::{Screen, WorkbenchPlace};

/// The counterpart of a command in linear mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinearCommand {
    Word(&'static str),
    /// No counterpart; the text gives the reason.
    Unsupported(&'static str),
}

/// The reason why linear mode does not support a command that moves a cursor.
const CURSOR: LinearCommand =
    LinearCommand::Unsupported("it moves a cursor; linear mode has no cursor");
/// The reason why linear mode does not support a command that changes how the screen is drawn.
const DRAWN: LinearCommand =
    LinearCommand::Unsupported("it changes how a screen is drawn; linear mode only appends lines");
/// The reason why linear mode does not support a command about the terminal.
const TERMINAL: LinearCommand =
    LinearCommand::Unsupported("the terminal handles this key in linear mode");

/// The counterpart of a command in linear mode.
#[expect(clippy::match_same_arms, reason = "in the order of the table")]
pub(super) fn line(command: Command) -> LinearCommand {
    use Command as C;
    match command {
        C::Down | C::Up | C::Top | C::Bottom | C::HalfPageDown | C::HalfPageUp => CURSOR,
        C::Open | C::Back | C::Leave | C::NextPane | C::PreviousPane => CURSOR,
        C::NextTab | C::PreviousTab => CURSOR,
        C::GoTo(WorkbenchPlace::Repository) => LinearCommand::Word("users"),
        C::GoTo(WorkbenchPlace::Target) => LinearCommand::Word("tree"),
        C::GoTo(WorkbenchPlace::Change) => LinearCommand::Word("draft"),
        C::Show(screen) => LinearCommand::Word(match screen {
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
            Screen::Change => "draft",
            Screen::Findings => "problems",
            Screen::ComponentTable => "components",
        }),
        C::StepForward | C::StepBack | C::FirstStep | C::LastStep => LinearCommand::Word("step"),
        C::NextEffective | C::PreviousEffective | C::EffectiveOnly => LinearCommand::Word("steps"),
        C::OnlyResource | C::GoToWriter | C::Watch => LinearCommand::Word("watch"),
        C::OnlyLayer => LinearCommand::Word("steps"),
        C::NextChange | C::PreviousChange | C::Compare => LinearCommand::Word("diff"),
        C::NextResource | C::PreviousResource => LinearCommand::Word("resources"),
        C::NextProblem | C::PreviousProblem => LinearCommand::Word("problems"),
        C::Mark | C::GoToMark | C::JumpBack | C::JumpForward => CURSOR,
        C::Toggle => LinearCommand::Word("toggle"),
        C::MoveDown | C::MoveUp => LinearCommand::Word("move"),
        C::Override => LinearCommand::Word("override"),
        C::Trust => LinearCommand::Word("trust"),
        C::Revoke => LinearCommand::Word("revoke"),
        C::Fetch => LinearCommand::Word("fetch"),
        C::AddCatalog => LinearCommand::Word("catalog"),
        C::Like => LinearCommand::Word("like"),
        C::Fix => LinearCommand::Word("fix"),
        C::Undo => LinearCommand::Word("undo"),
        C::Redo => LinearCommand::Word("redo"),
        C::Write | C::WriteQuit => LinearCommand::Word("write"),
        C::Discard => LinearCommand::Word("discard"),
        C::Log => LinearCommand::Word("log"),
        C::Drafts | C::RenameDraft | C::CopyDraft | C::DeleteDraft => LinearCommand::Word("draft"),
        C::Edit => LinearCommand::Word("edit"),
        C::EditHere => LinearCommand::Word("change"),
        C::Why => LinearCommand::Word("why"),
        C::Yank => LinearCommand::Unsupported("copy the printed lines with your terminal"),
        C::Search | C::NextMatch | C::PreviousMatch => CURSOR,
        C::Find => LinearCommand::Word("find"),
        C::Messages => LinearCommand::Unsupported("every message is a printed line"),
        C::Palette | C::Help | C::Actions => LinearCommand::Word("help"),
        C::Tour => LinearCommand::Word("tour"),
        C::NextStop => LinearCommand::Word("next"),
        C::ShowSecrets => LinearCommand::Word("secrets"),
        C::SplitDiff | C::MoreContext | C::LessContext => DRAWN,
        C::ScrollRight | C::ScrollLeft | C::Wrap | C::Zoom => DRAWN,
        C::NextTheme | C::ToggleMouse | C::ForgetPaneSizes | C::Redraw => DRAWN,
        C::Branch => LinearCommand::Unsupported(
            "it adds a column to the list of targets on screen; use compare main...HEAD",
        ),
        C::Sort | C::WithBases => {
            LinearCommand::Unsupported("it changes the list of targets on screen; use kzui check")
        }
        C::Users => LinearCommand::Word("users"),
        C::CompareSides => LinearCommand::Word("compare"),
        C::DraftEverywhere => LinearCommand::Word("reach"),
        C::GroupBy | C::OnlyDangers => LinearCommand::Unsupported(
            "it changes how differences are listed; each line names its danger",
        ),
        C::Rebuild => LinearCommand::Word("rebuild"),
        C::RunAgain | C::RunAll => LinearCommand::Word("run"),
        C::Cancel | C::Suspend => TERMINAL,
        C::Quit | C::QuitAnyway => LinearCommand::Word("quit"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::keymap::BINDINGS;
    use super::super::words;
    use super::*;

    #[test]
    fn each_command_has_a_help_line_or_reason() {
        let help = words::help().join("\n");
        let named: Vec<&str> = help.split(|c: char| !c.is_alphanumeric()).collect();
        for row in BINDINGS {
            match line(row.command) {
                LinearCommand::Word(word) => {
                    let is_told = named.contains(&word) || word == "help";
                    assert!(is_told, "{} is {word}: help does not name it", row.name);
                    let is_read = include_str!("mod.rs").contains(&format!("\"{word}\""));
                    assert!(is_read, "{} is {word}, which is no command", row.name);
                }
                LinearCommand::Unsupported(reason) => {
                    assert!(reason.len() > 20, "{}: {reason}", row.name);
                }
            }
        }
    }
}
