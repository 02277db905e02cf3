//! The availability of commands, and the reasons if they are not available.

use super::super::header;
use super::super::keymap::Command;
use super::super::model::{FunctionRow, Model, Pane, Screen, TrustStatus, can_fetch};
use super::{editor, what_if};
use crate::engine::plugin::RequiredAction;

pub(crate) fn disabled(model: &Model, command: Command) -> Option<&'static str> {
    if model.is_read_only() && command.row().is_some_and(|row| row.writes) {
        return Some("not available with --read-only");
    }
    unavailable_reason(model, command)
}

#[expect(clippy::too_many_lines, reason = "one arm per command")]
fn unavailable_reason(model: &Model, command: Command) -> Option<&'static str> {
    let no_steps = model.builds.recording.is_empty();
    let no_target = "no target open (0: targets of the repository)";
    match command {
        Command::Show(Screen::Order | Screen::Combinations)
            if model.screen == Screen::ComponentTable =>
        {
            missing_overlay_reason(model)
        }
        Command::Show(screen) if model.opened.has_target => header::absence(model, screen),
        Command::NextStop if model.tour.is_none() => Some("no tour (:tour starts one)"),
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
            Some(if has_target { "no steps yet: the first build is running" } else { no_target })
        }
        Command::Write if !model.has_draft() => Some("nothing to write"),
        Command::Discard | Command::DraftEverywhere if !model.has_draft() => Some("no draft"),
        Command::Trust if !model.opened.has_target => Some(no_target),
        Command::Trust => header::absence(model, Screen::Catalogs),
        Command::Revoke if model.screen != Screen::Catalogs || model.catalogs.rows.is_empty() => {
            Some("only on the Catalogs screen (gk), on a catalog")
        }
        Command::Revoke if !is_selected_catalog_trusted(model) => {
            Some("the catalog is not trusted")
        }
        Command::Override if model.screen != Screen::Composition => {
            Some("only on the Composition screen (gm)")
        }
        Command::Fetch => can_fetch(model).err(),
        Command::RunAgain => match selected_function(model) {
            None => Some("only on the Functions screen (gf), on a function"),
            Some(row) if row.needs_request() => None,
            Some(row) => row.waits_for.as_ref().map(|wait| match wait.awaited {
                RequiredAction::Install => "kzui-starlark is not installed: see its requirements",
                RequiredAction::Trust(_) | RequiredAction::Review(_) => {
                    "its catalog is not trusted: see its requirements"
                }
                RequiredAction::Fetch | RequiredAction::FetchOfCatalog(_) => {
                    "not fetched: see its requirements"
                }
                RequiredAction::EarlierStep => "an earlier step is pending: see its requirements",
                RequiredAction::Asked | RequiredAction::AllowByFlag => {
                    "not allowed to run: see its requirements"
                }
            }),
        },
        Command::RunAll => {
            let none = !model.functions.rows.iter().any(FunctionRow::needs_request);
            none.then_some("no function waits for a run")
        }
        Command::Toggle | Command::MoveDown | Command::MoveUp | Command::Override
            if model.screen == Screen::Composition =>
        {
            let none = model.composition.rows.is_empty();
            none.then_some("no Composition in this target")
        }
        Command::Toggle if can_become_draft(model) => (model.rows(model.screen.panes()[0]) == 0)
            .then_some("no result yet to use as the draft"),
        Command::Toggle if model.screen == Screen::ComponentTable => missing_overlay_reason(model),
        Command::Toggle if model.screen == Screen::Board => None,
        Command::Toggle | Command::Compare if model.screen == Screen::Change => {
            model.edits.list.is_empty().then_some("no edits")
        }
        Command::GroupBy | Command::OnlyDangers if model.screen != Screen::Compared => {
            Some("only on the Compare screen (`:compare A B`, or d in the repository)")
        }
        Command::Sort | Command::WithBases | Command::Branch if model.screen != Screen::Board => {
            Some("only on the targets of the repository (0)")
        }
        Command::Toggle | Command::MoveDown | Command::MoveUp
            if what_if::selected_toggle(model).is_none() =>
        {
            Some("not an entry: select an entry of a kustomization file")
        }
        Command::GoToWriter if !matches!(model.focused(), Pane::Resource) => {
            Some("only on a line of the Resource screen (gr)")
        }
        Command::Fix if model.screen == Screen::Findings => {
            let row = model.list(Pane::Findings).selected;
            if model.fixable_finding(row).is_some() {
                return None;
            }
            let is_drafted = model.findings(row).any(|found| model.is_file_drafted(found));
            Some(if is_drafted {
                "its file is in the draft: fix it in the target, or write the draft first"
            } else {
                "no automatic fix for this problem"
            })
        }
        Command::Fix if matches!(model.screen, Screen::Board | Screen::ComponentTable) => {
            Some("select a problem: gp lists those of the repository")
        }
        Command::Fix if what_if::fix_of(model).is_none() => {
            Some("no automatic fix for this problem")
        }
        Command::NextMatch | Command::PreviousMatch
            if model.input.search.is_empty() && model.focused() != Pane::Diff =>
        {
            Some("no search yet (/ searches)")
        }
        Command::OnlyResource if model.resources.key.is_none() => Some("no resource selected"),
        Command::NextProblem | Command::PreviousProblem if model.problems.all.is_empty() => {
            Some("no problems")
        }
        Command::Edit | Command::EditHere if editor::place(model).is_none() => {
            Some("no file for this row")
        }
        _ => None,
    }
}

fn missing_overlay_reason(model: &Model) -> Option<&'static str> {
    match (model.selected_overlay(), model.table.table()) {
        (Some(_), _) => None,
        (None, None) => Some("the overlays are still being built"),
        (None, Some(_)) => Some("no overlay lists a component"),
    }
}

pub(crate) fn selected_function(model: &Model) -> Option<&FunctionRow> {
    let row = model.functions.rows.get(model.list(Pane::Functions).selected);
    row.filter(|_| model.screen == Screen::Functions)
}

/// True if the user has trusted the selected catalog, in its present form or an earlier one.
fn is_selected_catalog_trusted(model: &Model) -> bool {
    let rows = &model.catalogs.rows;
    let selected = rows.get(model.list(Pane::Catalogs).selected).map(|row| row.catalog);
    let mut catalogs = rows.iter().filter(|row| row.entry.is_none());
    let catalog = catalogs.find(|row| Some(row.catalog) == selected);
    catalog.is_some_and(|row| matches!(row.standing, TrustStatus::Trusted | TrustStatus::Changed))
}

pub(crate) fn can_become_draft(model: &Model) -> bool {
    matches!(model.screen, Screen::Order | Screen::Combinations)
}
