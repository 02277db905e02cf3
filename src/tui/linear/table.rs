//! Which line of a conversation does what a command of the table does. The compiler asks for each new command.

use super::super::keymap::Command;

/// How a conversation has a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// By this word.
    Word(&'static str),
    /// It moves or draws something: a conversation has no cursor, and appends its lines.
    OnScreen,
    /// By another command of the program, in these words.
    Shell(&'static str),
    /// Not at all so far.
    Missing,
}

/// The line of a command.
#[expect(clippy::match_same_arms, reason = "in the order of the table, one thought to an arm")]
pub(super) fn line(command: Command) -> Line {
    use Command as C;
    match command {
        C::Down | C::Up | C::Top | C::Bottom | C::HalfPageDown | C::HalfPageUp => Line::OnScreen,
        C::Open | C::Back | C::NextPane | C::PreviousPane | C::Show(_) => Line::OnScreen,
        C::StepForward | C::StepBack | C::FirstStep | C::LastStep => Line::Word("step"),
        C::NextEffective | C::PreviousEffective | C::EffectiveOnly => Line::Word("steps"),
        C::OnlyResource | C::GoToWriter => Line::Word("watch"),
        C::OnlyLayer => Line::Word("steps"),
        C::NextChange | C::PreviousChange | C::Compare => Line::Word("diff"),
        C::NextResource | C::PreviousResource => Line::Word("resources"),
        C::NextProblem | C::PreviousProblem => Line::Word("problems"),
        C::Mark | C::ToMark | C::JumpBack | C::JumpForward => Line::OnScreen,
        C::Toggle => Line::Word("toggle"),
        C::MoveDown | C::MoveUp => Line::Word("move"),
        C::Fix => Line::Word("fix"),
        C::Undo => Line::Word("undo"),
        C::Redo => Line::Word("redo"),
        C::Write | C::WriteQuit => Line::Word("write"),
        C::Discard => Line::Word("discard"),
        C::Why => Line::Word("why"),
        C::Help => Line::Word("help"),
        C::Quit | C::QuitAnyway => Line::Word("quit"),
        C::Yank | C::Palette | C::Tour | C::NextStop => Line::OnScreen,
        C::Search | C::NextMatch | C::PreviousMatch | C::Find => Line::Shell("kzui grep"),
        C::ShowSecrets => Line::Shell("kzui why --show-secrets"),
        C::SplitDiff | C::MoreContext | C::LessContext | C::ScrollRight => Line::OnScreen,
        C::ScrollLeft | C::Wrap | C::Zoom | C::NextTheme | C::ToggleMouse => Line::OnScreen,
        C::Sort | C::WithBases | C::GroupBy | C::OnlyDangers => Line::OnScreen,
        C::Redraw | C::Cancel | C::Suspend => Line::OnScreen,
        C::Trust | C::Revoke => Line::Shell("kzui trust"),
        C::Fetch => Line::Shell("kzui catalog fetch"),
        C::Users => Line::Shell("kzui where"),
        C::Like => Line::Shell("kzui compat"),
        C::CompareSides | C::DraftEverywhere => Line::Shell("kzui diff"),
        // An entry of a Composition, an editor, a run of a function, a catalog given by hand, the writes of the past.
        C::Override | C::AddCatalog | C::Edit | C::EditHere | C::Rebuild | C::RunAgain | C::Log => {
            Line::Missing
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::keymap::BINDINGS;
    use super::super::words;
    use super::*;

    #[test]
    fn every_command_of_the_table_has_a_line_that_help_names() {
        let help = words::help().join("\n");
        let mut missing = Vec::new();
        for row in BINDINGS {
            match line(row.command) {
                Line::Word(word) => {
                    let is_told = help.split(|c: char| !c.is_alphanumeric()).any(|it| it == word);
                    assert!(
                        is_told || word == "help",
                        "{} is {word}: help does not name it",
                        row.name
                    );
                }
                Line::Shell(words) => assert!(words.starts_with("kzui "), "{words}"),
                Line::OnScreen => {}
                Line::Missing => missing.push(row.name),
            }
        }
        missing.sort_unstable();
        // This list can only become shorter.
        assert_eq!(
            missing,
            ["catalog", "edit", "edit-here", "log", "override", "rebuild", "run-again"]
        );
    }
}
