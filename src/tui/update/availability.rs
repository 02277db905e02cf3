//! The availability of commands, and the reasons against it.

use super::super::keymap::Command;
use super::super::model::{FunctionRow, Model, Pane, Screen, can_fetch};
use super::{editor, what_if};

/// Why a command cannot be had now; `None` when it can.
pub(crate) fn disabled(model: &Model, command: Command) -> Option<&'static str> {
    if model.is_read_only() && writes(command) {
        return Some(
            "nothing is written or fetched here: the workbench was opened with --read-only",
        );
    }
    not_now(model, command)
}

/// True for commands that change files, the trust store or the cache.
fn writes(command: Command) -> bool {
    matches!(
        command,
        Command::Write
            | Command::WriteQuit
            | Command::Edit
            | Command::Trust
            | Command::Revoke
            | Command::Fetch
            | Command::Drafts
            | Command::RenameDraft
            | Command::CopyDraft
            | Command::DeleteDraft
    )
}

/// The reason why a command is unavailable in the current state.
#[expect(clippy::too_many_lines, reason = "one arm per command")]
fn not_now(model: &Model, command: Command) -> Option<&'static str> {
    let no_steps = model.builds.recording.is_empty();
    let no_target = "no target is open: enter on the Board (0) opens one";
    match command {
        Command::NextStop if model.tour.is_none() => Some("there is no tour: :tour begins one"),
        Command::StepForward
        | Command::StepBack
        | Command::NextEffective
        | Command::PreviousEffective
        | Command::FirstStep
        | Command::LastStep
        | Command::EffectiveOnly
        | Command::OnlyLayer
            if no_steps =>
        {
            let has_target = model.opened.has_target;
            Some(if has_target { "no steps yet: the first build is not done" } else { no_target })
        }
        Command::Write | Command::Discard if !model.has_draft() => {
            Some("the draft is what the files say")
        }
        Command::Trust | Command::Revoke
            if model.screen != Screen::Catalogs || model.catalogs.rows.is_empty() =>
        {
            Some("catalogs are trusted on their screen (7), after a look at them")
        }
        Command::Override if model.screen != Screen::Composition => {
            Some("overrides belong to a Composition (6)")
        }
        Command::Fetch => can_fetch(model).err(),
        Command::RunAgain => match selected_function(model) {
            None => Some("functions are run again on their screen (8)"),
            Some(row) if row.waits_to_be_asked() => None,
            Some(row) => row.waits_for.as_ref().map(|_| "it may not run: see what it needs"),
        },
        Command::Toggle | Command::MoveDown | Command::MoveUp | Command::Override
            if model.screen == Screen::Composition =>
        {
            let none = model.composition.rows.is_empty();
            none.then_some("this tree has no Composition: screen 6 is empty")
        }
        Command::Toggle if is_varied(model) => (model.rows(model.screen.panes()[0]) == 0)
            .then_some("nothing was tried yet that could be taken as the draft"),
        Command::Toggle if model.screen == Screen::Board => None,
        Command::GroupBy | Command::OnlyDangers if model.screen != Screen::Compared => {
            Some("this belongs to what is compared: `:compare A B`, or d on the Board (0)")
        }
        Command::Sort | Command::WithBases | Command::Branch if model.screen != Screen::Board => {
            Some("this belongs to the Board (0)")
        }
        Command::DraftEverywhere if !model.has_draft() => Some("the draft is what the files say"),
        Command::Toggle | Command::MoveDown | Command::MoveUp
            if what_if::entry(model).is_none() =>
        {
            Some("nothing here that can be switched: select an entry of a kustomization file")
        }
        Command::GoToWriter if !matches!(model.focused(), Pane::Resource) => {
            Some("the writer is asked of a line of a resource (4)")
        }
        Command::Fix if what_if::fix_of(model).is_none() => {
            Some("no fix of a problem (9) that is selected was tried and holds")
        }
        Command::NextMatch | Command::PreviousMatch
            if model.input.search.is_empty() && model.focused() != Pane::Diff =>
        {
            Some("nothing was searched for: / searches")
        }
        Command::OnlyResource if model.resources.key.is_none() => Some("no resource is selected"),
        Command::NextProblem | Command::PreviousProblem if model.problems.all.is_empty() => {
            Some("no problems")
        }
        Command::Edit | Command::EditHere if editor::place(model).is_none() => {
            Some("no file belongs to this row")
        }
        _ => None,
    }
}

/// The function that is selected on its screen.
pub(super) fn selected_function(model: &Model) -> Option<&FunctionRow> {
    let row = model.functions.rows.get(model.list(Pane::Functions).selected);
    row.filter(|_| model.screen == Screen::Functions)
}

/// The keys that change a list change the pipeline here.
pub(super) fn in_pipeline(model: &Model) -> bool {
    model.screen == Screen::Composition
}

/// True if the selected row is a finished trial that can become the draft.
pub(super) fn is_varied(model: &Model) -> bool {
    matches!(model.screen, Screen::Order | Screen::Combinations)
}
