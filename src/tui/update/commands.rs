//! Runs each command; one match arm per command.

use super::super::keymap::Command;
use super::super::message::Effect;
use super::super::model::{HelpState, Model, Overlay, Pane, Screen, StepFilter};
use super::super::ports::{BoardOrder, NameUse, StoreOrder};
use super::availability::{can_become_draft, disabled, selected_function};
use crate::screens::{
    catalogs, change, compared, component_table, composition, experiments, found, targets, why,
};
use crate::update::{
    answers, display_options, drafts, editor, explain, fetch, field_edit, leave, navigate, note,
    offers, search, secrets, selection, time, tour, warn, watch, what_if, write, yank,
};

#[expect(clippy::too_many_lines, reason = "one arm per command")]
pub(crate) fn run(model: &mut Model, command: Command, count: Option<usize>) {
    if let Some(reason) = disabled(model, command) {
        return warn(model, reason);
    }
    let by = isize::try_from(count.unwrap_or(1)).unwrap_or(isize::MAX);
    let is_pipeline = model.screen == Screen::Composition;
    match command {
        Command::Open if model.focused() == Pane::Targets => targets::keys::open(model),
        Command::Open if model.focused() == Pane::Findings => targets::keys::open_finding(model),
        Command::Open if model.focused() == Pane::TableComponents => {
            component_table::keys::open(model);
        }
        Command::Fix if model.screen == Screen::Findings => targets::keys::fix_finding(model),
        Command::Open if model.focused() == Pane::Resource => why::keys::open(model),
        Command::Why if matches!(model.focused(), Pane::Resource | Pane::History) => {
            why::keys::ask(model);
        }
        Command::GoTo(place) => navigate::show_place(model, place),
        Command::Show(screen) => navigate::go_to_screen(model, screen),
        Command::NextTab | Command::PreviousTab => {
            navigate::next_tab(model, command == Command::NextTab);
        }
        Command::Leave => navigate::leave(model),
        Command::Down => selection::move_selection_by(model, by),
        Command::Up => selection::move_selection_by(model, -by),
        Command::Top => navigate::select_focused_row(model, count.unwrap_or(1).saturating_sub(1)),
        Command::Bottom => {
            let row = count.map_or(usize::MAX, |row| row.saturating_sub(1));
            navigate::select_focused_row(model, row);
        }
        Command::HalfPageDown => {
            selection::move_selection_by(model, navigate::half_page(model));
        }
        Command::HalfPageUp => selection::move_selection_by(model, -navigate::half_page(model)),
        Command::Open => navigate::open(model),
        Command::Back => navigate::back(model),
        Command::NextPane => navigate::focus_by(model, 1),
        Command::PreviousPane => navigate::focus_by(model, -1),
        Command::NextChange => navigate::change(model, true),
        Command::PreviousChange => navigate::change(model, false),
        Command::NextResource => navigate::resource(model, true),
        Command::PreviousResource => navigate::resource(model, false),
        Command::NextProblem => navigate::problem(model, true),
        Command::PreviousProblem => navigate::problem(model, false),
        Command::Why => explain::open_explanation(model),
        Command::ScrollRight => navigate::scroll_right(model, by.saturating_mul(8)),
        Command::ScrollLeft => navigate::scroll_right(model, by.saturating_mul(-8)),
        Command::Zoom => model.panes.zoomed = !model.panes.zoomed,
        Command::StepForward => time::move_cursor(model, by),
        Command::StepBack => time::move_cursor(model, -by),
        Command::NextEffective => watch::go_to_effective_step(model, true),
        Command::PreviousEffective => watch::go_to_effective_step(model, false),
        Command::FirstStep => time::jump_to(model, 0),
        Command::LastStep => time::jump_to(model, usize::MAX),
        Command::GoToWriter => go_to_writer(model),
        Command::JumpBack => time::jump_back(model, false),
        Command::JumpForward => time::jump_back(model, true),
        Command::EffectiveOnly | Command::OnlyResource | Command::OnlyLayer => {
            change_step_filter(model, command);
        }
        Command::Toggle if can_become_draft(model) => experiments::keys::take(model),
        Command::Toggle if model.screen == Screen::ComponentTable => {
            component_table::keys::toggle(model);
        }
        Command::Watch => watch::toggle(model),
        Command::Toggle if model.screen == Screen::Board => targets::keys::toggle_selected(model),
        Command::Toggle if model.screen == Screen::Change => change::keys::toggle(model),
        Command::Compare if model.screen == Screen::Change => change::keys::drop_edit(model),
        Command::Compare if model.screen == Screen::Board => targets::keys::draft_diff(model),
        Command::DraftEverywhere => {
            compared::keys::show_draft(model, None);
            targets::keys::request_draft_effects_now(model);
        }
        Command::Rebuild if model.screen == Screen::Board => {
            model.request(Effect::Board(BoardOrder::Read));
        }
        Command::ShowSecrets => secrets::toggle(model),
        Command::Sort => targets::keys::sort(model),
        Command::WithBases => targets::keys::toggle_bases(model),
        Command::Users => targets::keys::users(model),
        Command::GroupBy => compared::keys::group(model),
        Command::Branch => targets::keys::compare_branch(model),
        Command::OnlyDangers => compared::keys::only_dangers(model),
        Command::CompareSides => offers::open_palette_with(model, "compare "),
        Command::Find => offers::open_palette_with(model, "find "),
        Command::Toggle if is_pipeline => composition::keys::toggle(model),
        Command::MoveDown if is_pipeline => composition::keys::move_entry(model, by),
        Command::MoveUp if is_pipeline => composition::keys::move_entry(model, -by),
        Command::Mark | Command::GoToMark => {
            model.input.awaits_mark = Some(command);
            let words = time::mark_words(model);
            note(model, words);
        }
        Command::Override => composition::keys::add_override(model),
        Command::Fetch => fetch::ask(model),
        Command::AddCatalog => offers::open_palette_with(model, "catalog "),
        Command::Like => offers::open_palette_with(model, "like "),
        Command::Trust => catalogs::keys::ask(model),
        Command::Revoke => catalogs::keys::revoke_trust(model),
        Command::Toggle => what_if::toggle(model),
        Command::MoveDown => what_if::move_entry(model, by),
        Command::MoveUp => what_if::move_entry(model, -by),
        Command::Fix => what_if::fix(model),
        Command::Undo => change::keys::undo(model),
        Command::Redo => what_if::redo(model),
        Command::Write => write::ask(model, false),
        Command::WriteQuit => write::ask(model, true),
        Command::Discard => what_if::discard(model),
        Command::Log => model.request(Effect::Store(StoreOrder::ReadWriteLog)),
        Command::Drafts => model.request(Effect::Store(StoreOrder::ListDrafts)),
        Command::RenameDraft => offers::open_palette_with(model, "draft-rename "),
        Command::CopyDraft => offers::open_palette_with(model, "draft-copy "),
        Command::DeleteDraft => offers::open_palette_with(model, "draft-delete "),
        Command::Edit if field_edit::open(model) => {}
        Command::Edit => editor::open_user_editor(model),
        Command::EditHere => editor::open_builtin_editor(model),
        Command::Yank => yank::open(model),
        Command::Search => search::open(model),
        Command::NextMatch => search::next(model, true),
        Command::PreviousMatch => search::next(model, false),
        Command::Palette => offers::open_palette_with(model, ""),
        Command::Help => model.overlay = Some(Overlay::Help(HelpState::default())),
        Command::Actions => offers::open_menu(model),
        Command::Messages => model.overlay = Some(Overlay::Messages { offset: 0 }),
        Command::Tour => tour::begin_or_leave_tour(model),
        Command::NextStop => tour::next(model),
        Command::Rebuild if selected_function(model).is_some() => {
            run(model, Command::RunAgain, count);
        }
        Command::Rebuild if model.screen == Screen::ComponentTable => {
            model.table.of = None;
            answers::evaluate(model);
        }
        Command::RunAgain => answers::run_again(model),
        Command::RunAll => answers::run_all(model),
        Command::Rebuild => answers::evaluate(model),
        Command::Redraw => model.request(Effect::Redraw),
        Command::Suspend => model.request(Effect::Suspend),
        Command::Cancel => leave::cancel(model),
        Command::Quit => leave::quit(model),
        Command::QuitAnyway => leave::quit_anyway(model),
        Command::Compare => display_options::compare_next_sides(model),
        Command::SplitDiff => display_options::split_diff(model),
        Command::MoreContext => model.diff.context = (model.diff.context * 2).clamp(1, 10_000),
        Command::LessContext => model.diff.context /= 2,
        Command::NextTheme => display_options::set_next_theme(model),
        Command::Wrap => display_options::wrap_long_lines(model),
        Command::ToggleMouse => display_options::set_mouse(model, !model.look.has_mouse),
        Command::ForgetPaneSizes => display_options::forget_pane_sizes(model),
    }
}

pub(crate) fn run_with_argument(model: &mut Model, command: Command, argument: &str) {
    if let Some(reason) = disabled(model, command) {
        return warn(model, reason);
    }
    match (command, argument) {
        (Command::AddCatalog, reference) => fetch::catalog(model, reference),
        (Command::Like, name) => display_options::build_like(model, name),
        (Command::Drafts, name) => drafts::switch_draft(model, name),
        (Command::RenameDraft, name) => drafts::name(model, name, NameUse::Rename),
        (Command::CopyDraft, name) => drafts::name(model, name, NameUse::Copy),
        (Command::DeleteDraft, name) => drafts::delete(model, name),
        (Command::Find, pattern) => found::keys::find(model, pattern),
        (Command::Watch, words) => watch::watch_field(model, words),
        (Command::CompareSides, words) => compared::keys::compare(model, words),
        (Command::GoTo(_), name) => targets::keys::open_named(model, name),
        (Command::NextTheme, name) => display_options::set_theme(model, name),
        (Command::ToggleMouse, "on" | "off") => {
            display_options::set_mouse(model, argument == "on");
        }
        (command, argument) => {
            let takes = command.argument_description().unwrap_or("nothing");
            warn(model, format!("`{argument}` is not {takes}"));
        }
    }
}

fn go_to_writer(model: &mut Model) {
    let at = model.list(Pane::Resource).selected;
    match model.resources.steps.get(at).copied().flatten() {
        Some(step) => time::jump_to(model, step),
        None => note(model, "no single step wrote this line"),
    }
}

fn change_step_filter(model: &mut Model, command: Command) {
    let layer = model.builds.recording.step(model.cursor).map(|step| step.layer);
    let layer =
        layer.and_then(|id| model.builds.recording.trace.layer(id)).map(|layer| layer.path.clone());
    let filter = &mut model.steps.filter;
    match command {
        Command::EffectiveOnly => filter.effective = !filter.effective,
        Command::OnlyResource if filter.resource.is_some() => filter.resource = None,
        Command::OnlyResource => filter.resource.clone_from(&model.resources.key),
        Command::OnlyLayer if filter.layer.is_some() => filter.layer = None,
        _ => filter.layer = layer,
    }
    if model.steps.filter.apply(&model.builds.recording).is_empty() {
        model.steps.filter = StepFilter::default();
        warn(model, "no step matches this filter: all are shown");
    }
}
