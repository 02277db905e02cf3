//! The command of linear mode for each command of the table. The match is exhaustive, so that a new
//! command cannot be forgotten.

use super::super::keymap::Command;
use super::super::model::{Screen, WorkbenchPlace};

/// The counterpart of a command in linear mode, or the reason why it has none.
type LinearCommand = Result<&'static str, &'static str>;

/// The reason why linear mode does not support a command that moves a cursor.
const CURSOR: LinearCommand = Err("it moves a cursor; linear mode has no cursor");
/// The reason why linear mode does not support a command that changes how the screen is drawn.
const DRAWN: LinearCommand =
    Err("it changes how a screen is drawn; linear mode only appends lines");
/// The reason why linear mode does not support a command about the terminal.
const TERMINAL: LinearCommand = Err("the terminal handles this key in linear mode");

/// The counterpart of a command in linear mode.
#[expect(clippy::match_same_arms, reason = "in the order of the table")]
pub(super) fn line(command: Command) -> LinearCommand {
    use Command as C;
    match command {
        C::Down | C::Up | C::Top | C::Bottom | C::HalfPageDown | C::HalfPageUp => CURSOR,
        C::Open | C::Back | C::Leave | C::NextPane | C::PreviousPane => CURSOR,
        C::NextTab | C::PreviousTab => CURSOR,
        C::GoTo(WorkbenchPlace::Repository) => Ok("users"),
        C::GoTo(WorkbenchPlace::Target) => Ok("tree"),
        C::GoTo(WorkbenchPlace::Change) => Ok("draft"),
        C::Show(screen) => Ok(match screen {
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
        C::StepForward | C::StepBack | C::FirstStep | C::LastStep => Ok("step"),
        C::NextEffective | C::PreviousEffective | C::EffectiveOnly => Ok("steps"),
        C::OnlyResource | C::GoToWriter | C::Watch => Ok("watch"),
        C::OnlyLayer => Ok("steps"),
        C::NextChange | C::PreviousChange | C::Compare => Ok("diff"),
        C::NextResource | C::PreviousResource => Ok("resources"),
        C::NextProblem | C::PreviousProblem => Ok("problems"),
        C::Mark | C::GoToMark | C::JumpBack | C::JumpForward => CURSOR,
        C::Toggle => Ok("toggle"),
        C::MoveDown | C::MoveUp => Ok("move"),
        C::Override => Ok("override"),
        C::Trust => Ok("trust"),
        C::Revoke => Ok("revoke"),
        C::Fetch => Ok("fetch"),
        C::AddCatalog => Ok("catalog"),
        C::Like => Ok("like"),
        C::Fix => Ok("fix"),
        C::Undo => Ok("undo"),
        C::Redo => Ok("redo"),
        C::Write | C::WriteQuit => Ok("write"),
        C::Discard => Ok("discard"),
        C::Log => Ok("log"),
        C::Drafts | C::RenameDraft | C::CopyDraft | C::DeleteDraft => Ok("draft"),
        C::Edit => Ok("edit"),
        C::EditHere => Ok("change"),
        C::Why => Ok("why"),
        C::Yank => Err("copy the printed lines with your terminal"),
        C::Search | C::NextMatch | C::PreviousMatch => CURSOR,
        C::Find => Ok("find"),
        C::Messages => Err("every message is a printed line"),
        C::Palette | C::Help | C::Actions => Ok("help"),
        C::Tour => Ok("tour"),
        C::NextStop => Ok("next"),
        C::ShowSecrets => Ok("secrets"),
        C::SplitDiff | C::MoreContext | C::LessContext => DRAWN,
        C::ScrollRight | C::ScrollLeft | C::Wrap | C::Zoom => DRAWN,
        C::NextTheme | C::ToggleMouse | C::ForgetPaneSizes | C::Redraw => DRAWN,
        C::Branch => {
            Err("it adds a column to the list of targets on screen; use compare main...HEAD")
        }
        C::Sort | C::WithBases => Err("it changes the list of targets on screen; use kzui check"),
        C::Users => Ok("users"),
        C::CompareSides => Ok("compare"),
        C::DraftEverywhere => Ok("reach"),
        C::GroupBy | C::OnlyDangers => {
            Err("it changes how differences are listed; each line names its danger")
        }
        C::Rebuild => Ok("rebuild"),
        C::RunAgain | C::RunAll => Ok("run"),
        C::Cancel | C::Suspend => TERMINAL,
        C::Quit | C::QuitAnyway => Ok("quit"),
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
                Ok(word) => {
                    let is_told = named.contains(&word) || word == "help";
                    assert!(is_told, "{} is {word}: help does not name it", row.name);
                    let is_read = include_str!("mod.rs").contains(&format!("\"{word}\""));
                    assert!(is_read, "{} is {word}, which is no command", row.name);
                }
                Err(reason) => {
                    assert!(reason.len() > 20, "{}: {reason}", row.name);
                }
            }
        }
    }
}
