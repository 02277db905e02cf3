//! One arm per command; and why a command cannot be had now.

use super::super::keymap::Command;
use super::super::message::{Effect, Mouse};
use super::super::model::{Model, Pane, Screen, StepFilter, can_fetch};
use super::super::ports::SurveyOrder;
use super::super::theme::Role;
use super::{
    answers, board, compared, composition, drawn, editor, fetch, found, help, leave, like,
    navigate, palette, say, search, secrets, time, tour, trust, varied, watch, what_if, why, write,
    yank,
};

/// Does a command, `count` times where that makes sense.
#[expect(clippy::too_many_lines, reason = "one arm per command")]
pub(super) fn run(model: &mut Model, command: Command, count: Option<usize>) -> Vec<Effect> {
    if let Some(reason) = disabled(model, command) {
        say(model, Role::Warning, reason);
        return Vec::new();
    }
    match command {
        Command::Open if model.focused() == Pane::Targets => board::open(model),
        Command::Open if model.focused() == Pane::Resource => why::open(model),
        Command::Why if matches!(model.focused(), Pane::Resource | Pane::History) => {
            why::ask(model)
        }
        Command::Down
        | Command::Up
        | Command::Top
        | Command::Bottom
        | Command::HalfPageDown
        | Command::HalfPageUp
        | Command::Open
        | Command::Back
        | Command::NextPane
        | Command::PreviousPane
        | Command::Show(_)
        | Command::NextChange
        | Command::PreviousChange
        | Command::NextResource
        | Command::PreviousResource
        | Command::NextProblem
        | Command::PreviousProblem
        | Command::Why
        | Command::ScrollRight
        | Command::ScrollLeft
        | Command::Zoom => {
            navigate::run(model, command, count);
            Vec::new()
        }
        Command::StepForward
        | Command::StepBack
        | Command::NextEffective
        | Command::PreviousEffective
        | Command::FirstStep
        | Command::LastStep
        | Command::GoToWriter
        | Command::JumpBack
        | Command::JumpForward
        | Command::EffectiveOnly
        | Command::OnlyResource
        | Command::OnlyLayer => {
            in_time(model, command, count);
            Vec::new()
        }
        Command::Toggle if is_varied(model) => varied::take(model),
        Command::Watch => {
            watch::toggle(model);
            Vec::new()
        }
        Command::Toggle if model.screen == Screen::Board => {
            board::toggle_selected(model);
            Vec::new()
        }
        Command::Compare if model.screen == Screen::Board => board::draft_diff(model),
        Command::DraftEverywhere => {
            compared::show_draft(model, None);
            board::reach_now(model)
        }
        Command::Rebuild if model.screen == Screen::Board => {
            vec![Effect::Survey(SurveyOrder::Read)]
        }
        Command::ShowSecrets => {
            secrets::toggle(model);
            Vec::new()
        }
        Command::Sort
        | Command::WithBases
        | Command::Users
        | Command::GroupBy
        | Command::OnlyDangers => {
            board::run(model, command);
            Vec::new()
        }
        Command::CompareSides => palette::open_with(model, "compare "),
        Command::Find => palette::open_with(model, "find "),
        Command::Toggle if in_pipeline(model) => composition::toggle(model),
        Command::MoveDown if in_pipeline(model) => composition::move_entry(model, signed(count)),
        Command::MoveUp if in_pipeline(model) => composition::move_entry(model, -signed(count)),
        Command::Mark | Command::ToMark => {
            model.awaits_mark = Some(command);
            say(model, Role::Dim, "a letter:");
            Vec::new()
        }
        Command::Override => composition::add_override(model),
        Command::Fetch => fetch::ask(model),
        Command::AddCatalog => palette::open_with(model, "catalog "),
        Command::Like => palette::open_with(model, "like "),
        Command::Trust => trust::ask(model),
        Command::Revoke => trust::revoke(model),
        Command::Toggle => what_if::toggle(model),
        Command::MoveDown => what_if::move_entry(model, signed(count)),
        Command::MoveUp => what_if::move_entry(model, -signed(count)),
        Command::Fix => what_if::fix(model),
        Command::Undo => what_if::undo(model),
        Command::Redo => what_if::redo(model),
        Command::Write => write::ask(model, false),
        Command::WriteQuit => write::ask(model, true),
        Command::Discard => what_if::discard(model),
        Command::Log => vec![Effect::Recall],
        Command::Edit => editor::outside(model),
        Command::EditHere => editor::inside(model),
        Command::Yank => yank::open(model),
        Command::Search => search::open(model),
        Command::NextMatch => search::next(model, true),
        Command::PreviousMatch => search::next(model, false),
        Command::Palette => palette::open(model),
        Command::Help => help::open(model),
        Command::Tour => {
            tour::begin_or_leave(model);
            Vec::new()
        }
        Command::NextStop => {
            tour::next(model);
            Vec::new()
        }
        Command::Rebuild if selected_function(model).is_some() => {
            run(model, Command::RunAgain, count)
        }
        Command::RunAgain => answers::run_again(model),
        Command::Rebuild => answers::evaluate(model),
        Command::Redraw => vec![Effect::Redraw],
        Command::Suspend => vec![Effect::Suspend],
        Command::Cancel => leave::cancel(model),
        Command::Quit => leave::quit(model),
        Command::QuitAnyway => leave::quit_anyway(model),
        Command::Compare
        | Command::SplitDiff
        | Command::MoreContext
        | Command::LessContext
        | Command::NextTheme
        | Command::Wrap
        | Command::ToggleMouse => drawn::show(model, command),
    }
}

/// Does a command with what was typed behind its name.
pub(super) fn run_with(model: &mut Model, command: Command, argument: &str) -> Vec<Effect> {
    if let Some(reason) = disabled(model, command) {
        say(model, Role::Warning, reason);
        return Vec::new();
    }
    match (command, argument) {
        (Command::AddCatalog, reference) => fetch::catalog(model, reference),
        (Command::Like, name) => like::build_like(model, name),
        (Command::Find, pattern) => found::find(model, pattern),
        (Command::Watch, words) => watch::named(model, words),
        (Command::CompareSides, words) => compared::compare(model, words),
        (Command::NextTheme, name) => {
            drawn::set_theme(model, name);
            Vec::new()
        }
        (Command::ToggleMouse, "on" | "off") => drawn::set_mouse(model, Mouse::of(argument)),
        (command, argument) => {
            let takes = command.takes().unwrap_or("nothing");
            say(model, Role::Warning, format!("`{argument}` is not {takes}"));
            Vec::new()
        }
    }
}

/// Why a command cannot be had now; `None` when it can.
pub(in crate::tui) fn disabled(model: &Model, command: Command) -> Option<&'static str> {
    if model.is_read_only() && writes(command) {
        return Some(
            "nothing is written or fetched here: the workbench was opened with --read-only",
        );
    }
    not_now(model, command)
}

/// True for what changes files, the trust store or the cache.
fn writes(command: Command) -> bool {
    matches!(
        command,
        Command::Write
            | Command::WriteQuit
            | Command::Edit
            | Command::Trust
            | Command::Revoke
            | Command::Fetch
    )
}

/// What the state of the workbench has against a command.
#[expect(clippy::too_many_lines, reason = "one arm per command")]
fn not_now(model: &Model, command: Command) -> Option<&'static str> {
    let no_steps = model.recording.is_empty();
    match command {
        Command::NextStop if model.tour.is_none() => Some("there is no tour: :tour begins one"),
        Command::StepForward
        | Command::StepBack
        | Command::NextEffective
        | Command::PreviousEffective
        | Command::FirstStep
        | Command::LastStep
            if no_steps =>
        {
            Some("no steps yet: the first build is not done")
        }
        Command::Write | Command::Discard if !model.has_draft() => {
            Some("the draft is what the files say")
        }
        Command::Trust | Command::Revoke
            if model.screen != Screen::Catalogs || model.catalogs.is_empty() =>
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
            let none = model.pipeline.is_empty();
            none.then_some("this tree has no Composition: screen 6 is empty")
        }
        Command::Toggle if is_varied(model) => (model.rows(model.screen.panes()[0]) == 0)
            .then_some("nothing was tried yet that could be taken as the draft"),
        Command::Toggle if model.screen == Screen::Board => None,
        Command::GroupBy | Command::OnlyDangers if model.screen != Screen::Compared => {
            Some("this belongs to what is compared: `:compare A B`, or d on the Board (0)")
        }
        Command::Sort | Command::WithBases if model.screen != Screen::Board => {
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
        Command::NextMatch | Command::PreviousMatch if model.search.is_empty() => {
            Some("nothing was searched for: / searches")
        }
        Command::OnlyResource if model.resources.key.is_none() => Some("no resource is selected"),
        Command::NextProblem | Command::PreviousProblem if model.problems.is_empty() => {
            Some("no problems")
        }
        Command::Edit | Command::EditHere if editor::place(model).is_none() => {
            Some("no file belongs to this row")
        }
        _ => None,
    }
}

/// The function that is selected on its screen.
fn selected_function(model: &Model) -> Option<&super::super::model::FunctionRow> {
    let row = model.functions.get(model.list(Pane::Functions).selected);
    row.filter(|_| model.screen == Screen::Functions)
}

/// What is selected was tried, and can be taken as the draft.
fn is_varied(model: &Model) -> bool {
    matches!(model.screen, Screen::Order | Screen::Combinations)
}

/// The keys that change a list change the pipeline here.
fn in_pipeline(model: &Model) -> bool {
    model.screen == Screen::Composition
}

fn in_time(model: &mut Model, command: Command, count: Option<usize>) {
    let last = model.recording.len().saturating_sub(1);
    match command {
        Command::StepForward => time::travel(model, signed(count)),
        Command::StepBack => time::travel(model, -signed(count)),
        Command::NextEffective | Command::PreviousEffective => {
            let forward = command == Command::NextEffective;
            if !watch::travel(model, forward) {
                time::travel_effective(model, forward);
            }
        }
        Command::FirstStep => time::jump_to(model, 0),
        Command::LastStep => time::jump_to(model, last),
        Command::JumpBack => time::jump_back(model, false),
        Command::JumpForward => time::jump_back(model, true),
        Command::GoToWriter => {
            let at = model.list(Pane::Resource).selected;
            match model.resources.steps.get(at).copied().flatten() {
                Some(step) => time::jump_to(model, step),
                None => say(model, Role::Dim, "no step wrote this line on its own"),
            }
        }
        _ => filter(model, command),
    }
}

fn filter(model: &mut Model, command: Command) {
    let layer = model.recording.step(model.cursor).map(|step| step.layer);
    let layer =
        layer.and_then(|id| model.recording.trace.layer(id)).map(|layer| layer.path.clone());
    let filter = &mut model.steps.filter;
    match command {
        Command::EffectiveOnly => filter.effective = !filter.effective,
        Command::OnlyResource if filter.resource.is_some() => filter.resource = None,
        Command::OnlyResource => filter.resource.clone_from(&model.resources.key),
        Command::OnlyLayer if filter.layer.is_some() => filter.layer = None,
        _ => filter.layer = layer,
    }
    if model.steps.filter.apply(&model.recording).is_empty() {
        model.steps.filter = StepFilter::default();
        say(model, Role::Warning, "no step passes this filter: all are shown");
    }
}

fn signed(count: Option<usize>) -> isize {
    isize::try_from(count.unwrap_or(1)).unwrap_or(isize::MAX)
}
