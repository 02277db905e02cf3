//! Applies messages to the model, and requests effects. No effect is performed here.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub(crate) mod answers;
pub(crate) mod availability;
pub(crate) mod cli_equivalent;
pub(crate) mod commands;
pub(crate) mod derive;
pub(crate) mod display_options;
pub(crate) mod drafts;
pub(crate) mod editor;
pub(crate) mod explain;
pub(crate) mod fetch;
pub(crate) mod field_edit;
pub(crate) mod form;
pub(crate) mod help;
pub(crate) mod input;
pub(crate) mod leave;
pub(crate) mod matching;
pub(crate) mod mouse;
pub(crate) mod navigate;
pub(crate) mod offers;
pub(crate) mod palette;
pub(crate) mod questions;
pub(crate) mod search;
pub(crate) mod secrets;
pub(crate) mod selection;
pub(crate) mod time;
pub(crate) mod tour;
pub(crate) mod user_commands;
pub(crate) mod watch;
pub(crate) mod what_if;
pub(crate) mod work;
pub(crate) mod write;
pub(crate) mod yank;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::keymap::Command;
use super::message::{BoardNews, Effect, Message};
use super::model::{Model, RunningBuild, Status, WorkKind};
use super::ports::{StoreAnswer, Work};
use super::theme::StyleRole;
use crate::draft::Edit;
use crate::screens::{catalogs, change, compared, component_table, experiments, targets};
pub(crate) use crate::update::help::hints;
pub(crate) use availability::disabled;
pub(crate) use cli_equivalent::cli_equivalent;
use derive::compare_all_resources;
pub(crate) use derive::{header_rows, shown_step_notes};
pub(crate) use help::{
    HELP_LEAD_CELLS as HELP_LEAD, HelpRow, MAX_HELP_COLUMNS as WIDEST_HELP, help_rows,
};
pub(crate) use matching::row_text;

/// Applies a message, returns the effects, and updates the displayed data.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let effects = change(model, message);
    refresh_derived(model);
    effects
}

/// Applies a message and returns the effects, which may start before [`refresh_derived`] is called.
pub(crate) fn change(model: &mut Model, message: Message) -> Vec<Effect> {
    match message {
        Message::Key(key) => input::key(model, key),
        Message::Mouse(event) => mouse::mouse(model, event),
        Message::Clicked(area) => mouse::clicked(model, area.answer),
        Message::Pasted(text) => input::pasted(model, &text),
        Message::Resized(columns, rows) => model.look.size = (columns, rows),
        Message::BoardNews(news) => {
            let is_list = !matches!(news, BoardNews::Built(_));
            targets::keys::handle_board_news(model, news);
            if is_list {
                offers::refresh(model);
            }
        }
        Message::Work(request, news) => work::handle(model, request, news),
        Message::TreeChanged(paths) => targets::keys::handle_tree_change(model, paths),
        Message::Evaluated(answer) => answers::handle_build_answer(model, *answer),
        Message::FindingsVerified(request, found) => {
            answers::handle_verified_findings(model, request, found);
        }
        Message::FixesVerified(request, offers) => {
            answers::handle_tried_fixes(model, request, offers);
        }
        Message::FilesChanged(files) => answers::handle_changed_files(model, files),
        Message::KeptDraft(kept) => write::offer(model, *kept),
        Message::Stored(StoreAnswer::Written(path, result)) => {
            write::handle_write_end(model, &path, result);
        }
        Message::Stored(StoreAnswer::Drafts(news)) => drafts::handle_draft_news(model, news),
        Message::Stored(StoreAnswer::WriteLogRead(log)) => questions::open_log(model, log),
        Message::Stored(StoreAnswer::WriteNotLogged(reason)) => {
            warn(model, format!("written, but not in :log: {reason}"));
        }
        Message::Stored(StoreAnswer::DraftNotKept(reason)) => {
            write::handle_unkept_draft(model, &reason);
        }
        Message::Stored(StoreAnswer::Decided(scope, result)) => {
            catalogs::keys::handle_trust_decision(model, scope, result);
        }
        Message::FetchTick(passed) => {
            if let Some(run) = &mut model.fetching.run {
                run.time = passed;
            }
        }
        Message::EditorClosed(result) => answers::handle_closed_editor(model, result),
        Message::Tick(passed, function) => {
            model.builds.function = function;
            if let RunningBuild::Running(time) = &mut model.builds.running {
                *time = passed;
            }
        }
        Message::WatchEnded => warn(model, "files are no longer watched (R reads them again)"),
        Message::Crashed(request) => answers::handle_crash(model, request),
        Message::LightBackground => display_options::handle_light_background(model),
        Message::Stopped => model.request(Effect::Suspend),
        Message::SuspendImpossible => warn(model, "cannot suspend: no shell to return to"),
        Message::Continued => model.request(Effect::RetakeTerminal),
        Message::Terminated => model.request(Effect::Quit),
    }
    request_follow_up(model);
    std::mem::take(&mut model.effects)
}

pub(crate) fn refresh_derived(model: &mut Model) {
    derive::derive(model);
    tour::follow(model);
}

/// Requests the effects that may follow every change: keep the draft, offer a kept one, request
/// data for the Board and for the Order and Combinations screens.
fn request_follow_up(model: &mut Model) {
    write::keep(model);
    write::offer_undecided_draft(model);
    targets::keys::request_repository(model);
    targets::keys::compare_new_inputs(model);
    compared::keys::request_again(model);
    targets::keys::request_draft_effects(model);
    change::keys::request_edit_effect(model);
    experiments::keys::pending_request(model);
    component_table::keys::request_table(model);
    model.panes.tabs[model.screen.place() as usize] = Some(model.screen);
}

/// Completes a change that no message caused: requests follow-up effects, and updates the displayed
/// data.
fn finish_update(model: &mut Model) -> Vec<Effect> {
    request_follow_up(model);
    refresh_derived(model);
    std::mem::take(&mut model.effects)
}

/// The effects right after opening: build the target, start the requested comparison, and search
/// for components.
pub fn open(model: &mut Model) -> Vec<Effect> {
    if model.opened.has_target {
        answers::evaluate(model);
    }
    if let Some(sides) = model.opened.compare.take() {
        compared::keys::ask(model, sides);
    }
    if model.opened.has_target {
        model.start(WorkKind::Components, Work::Discover(model.opened.dir.clone()));
    }
    finish_update(model)
}

/// Runs a command without a pressed key, and updates the displayed data.
pub(crate) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    commands::run(model, command, None);
    finish_update(model)
}

pub(crate) fn run_command_with_argument(
    model: &mut Model,
    command: Command,
    argument: &str,
) -> Vec<Effect> {
    commands::run_with_argument(model, command, argument);
    finish_update(model)
}

pub(crate) fn draft_text(model: &mut Model, file: PathBuf, text: Arc<[u8]>) -> Vec<Effect> {
    what_if::apply(model, &Edit::SetText { file, text });
    finish_update(model)
}

/// Reports an error about a file, with the path as the screens show it.
pub(crate) fn say_file_error(model: &mut Model, file: &Path, error: &dyn Display) {
    let text = error.to_string().replace(&*file.to_string_lossy(), &model.shown_file(file));
    say_error(model, text);
}

pub(crate) fn say_error(model: &mut Model, text: impl AsRef<str>) {
    say(model, StyleRole::Error, text);
}

pub(crate) fn warn(model: &mut Model, text: impl AsRef<str>) {
    say(model, StyleRole::Warning, text);
}

pub(crate) fn note(model: &mut Model, text: impl AsRef<str>) {
    say(model, StyleRole::Dim, text);
}

/// Shows a message on the status line, and adds it to the list of messages.
pub(crate) fn say(model: &mut Model, role: StyleRole, text: impl AsRef<str>) {
    let text = super::text::sanitize(text.as_ref()).into_owned();
    let status = Status { text, role };
    model.messages.add(&status);
    model.status = Some(status);
}
