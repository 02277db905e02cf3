//! Performs effects: the common part here, the rest through the methods of a [`Face`]. An effect
//! that a face does not support is an empty method with a comment.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::draft::FileChange;
use crate::engine::load::{Fetch, Files};
use crate::engine::plugin::FunctionRun;
use crate::engine::profile::Profile;

use super::experiment::Variation;
use super::field_edits::WantedEdit;
use super::message::{
    BuildSource, DraftNews, DraftOrder, Effect, Message, Mouse, messages_with_failures_last,
};
use super::ports::{BoardOrder, Comparison, OpenedTarget, RequestedRuns, WorkbenchPorts};
use super::user_commands::UserCommandRun;

/// A requested build.
pub(crate) struct BuildJob {
    /// The number that is returned with the result.
    pub request: u64,
    pub target: OpenedTarget,
    /// The files of the draft.
    pub files: Arc<dyn Files>,
    /// A function call to run again.
    pub again: Option<Arc<FunctionRun>>,
    /// Catalogs to review besides those of the build.
    pub catalogs: Vec<String>,
    pub runs: RequestedRuns,
    /// The version profile of the build, if it is not that of the opened target.
    pub like: Option<Profile>,
}

/// When to leave the workbench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeaveMode {
    /// After the remaining effects.
    AtTheEnd,
    /// Without the remaining effects.
    AtOnce,
}

/// A user interface of the workbench: the screens, or linear mode.
pub(crate) trait Face {
    /// The error of an effect; `Infallible` if none can fail.
    type Error;

    /// Access to files, processes and stores.
    fn outside(&self) -> &dyn WorkbenchPorts;
    fn handle_message(&mut self, message: Message);
    /// The files that a build reads.
    fn files(&self, from: BuildSource) -> Arc<dyn Files>;

    /// Starts a build.
    fn evaluate(&mut self, job: BuildJob);
    /// Cancels the running build.
    fn cancel_evaluation(&mut self);
    /// Executes an order about the builds of all targets.
    fn board(&mut self, order: BoardOrder);
    /// Compares two builds.
    fn compare(&mut self, request: u64, what: Comparison);
    /// Builds a target with other texts.
    fn what_if(&mut self, request: u64, variation: Variation);
    /// Cancels these builds.
    fn cancel_what_if(&mut self) {}
    /// Finds the edits that give a field a value.
    fn find_edits(&mut self, request: u64, wanted: WantedEdit);
    /// Lists the sides that a comparison may name.
    fn list_sides(&mut self);
    /// Searches the repository for components.
    fn discover(&mut self, target: PathBuf);
    /// Fetches remotes.
    fn fetch(&mut self, request: u64, things: Vec<Fetch>);
    /// Cancels the running fetch.
    fn cancel_fetch(&mut self);
    /// Watches only these files and folders from now on.
    fn watch(&mut self, paths: Vec<PathBuf>) {
        self.outside().set_watched(&paths);
    }
    fn leave(&mut self) -> LeaveMode;

    /// Opens the user's editor.
    fn edit(&mut self, path: &Path, line: u32) -> Result<(), Self::Error>;
    /// Runs one of the user's own commands.
    fn run_command(&mut self, run: UserCommandRun) -> Result<(), Self::Error>;
    /// Cancels the running command.
    fn cancel_command(&mut self);
    /// Puts a text on the clipboard.
    fn copy(&mut self, text: String) -> Result<(), Self::Error>;
    /// Captures or releases the mouse.
    fn capture(&mut self, mouse: Mouse) -> Result<(), Self::Error>;
    /// Stops the process until it is continued.
    fn suspend(&mut self) -> Result<(), Self::Error>;
    /// Draws everything again.
    fn redraw(&mut self) -> Result<(), Self::Error>;
    /// Sets up the terminal again after the process was suspended.
    fn retake(&mut self) -> Result<(), Self::Error>;
}

/// The variant name of a message or an effect, for the log: its fields may contain values of
/// Secrets. The debug form is cut at the first character that is not part of a name.
pub(crate) fn variant_name(value: &impl std::fmt::Debug) -> String {
    struct Name(String);
    impl std::fmt::Write for Name {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            let name = text.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
            self.0.push_str(name);
            if name.len() == text.len() { Ok(()) } else { Err(std::fmt::Error) }
        }
    }
    let mut name = Name(String::new());
    // An error only means that the name is complete.
    let _ = std::fmt::write(&mut name, format_args!("{value:?}"));
    name.0
}

/// Performs effects, one after the other.
pub(crate) fn perform<F: Face>(face: &mut F, effects: Vec<Effect>) -> Result<(), F::Error> {
    for effect in effects {
        tracing::debug!(name = variant_name(&effect), "effect");
        match effect {
            Effect::Evaluate { request, target, from, again, catalogs, runs, like } => {
                let files = face.files(from);
                face.evaluate(BuildJob { request, target, files, again, catalogs, runs, like });
            }
            Effect::CancelEvaluation => face.cancel_evaluation(),
            Effect::Board(order) => face.board(order),
            Effect::RunCommand(run) => face.run_command(*run)?,
            Effect::CancelCommand => face.cancel_command(),
            Effect::Compare { request, what } => face.compare(request, what),
            Effect::WhatIf { request, variation } => face.what_if(request, variation),
            Effect::CancelWhatIf => face.cancel_what_if(),
            Effect::FindEdits { request, wanted } => face.find_edits(request, *wanted),
            Effect::ListSides => face.list_sides(),
            Effect::Discover(target) => face.discover(target),
            Effect::Fetch { request, things } => face.fetch(request, things),
            Effect::CancelFetch => face.cancel_fetch(),
            Effect::Write(changes, words) => write(face, changes, &words),
            Effect::ReadWriteLog => {
                let operations = face.outside().operations();
                face.handle_message(Message::WriteLogRead(operations));
            }
            Effect::Keep(changes) => {
                if let Err(reason) = face.outside().keep_draft(&changes) {
                    face.handle_message(Message::DraftNotKept(reason));
                }
            }
            Effect::Drafts(order) => {
                if let Some(news) = perform_draft_order(face.outside(), order) {
                    face.handle_message(Message::Drafts(news));
                }
            }
            // The sizes are a convenience: without a home folder, they last for this session.
            Effect::KeepPaneShares(shares) => face.outside().keep_pane_shares(&shares),
            Effect::Decide(record) => {
                let scope = record.scope;
                let result = face.outside().decide(*record);
                face.handle_message(Message::Decided(scope, result));
            }
            Effect::Watch(paths) => face.watch(paths),
            Effect::OpenEditor(path, line) => face.edit(&path, line)?,
            Effect::Copy(text) => face.copy(text)?,
            Effect::CaptureMouse(mouse) => face.capture(mouse)?,
            Effect::Suspend => face.suspend()?,
            Effect::Redraw => face.redraw()?,
            Effect::RetakeTerminal => face.retake()?,
            Effect::Quit => {
                if face.leave() == LeaveMode::AtOnce {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Writes files, and logs the write.
fn write<F: Face>(face: &mut F, changes: Vec<FileChange>, words: &[String]) {
    let results = face.outside().write(&changes);
    let done = results.iter().all(Result::is_ok);
    let kept = done.then(|| face.outside().keep_operation(words, &changes));
    for (change, result) in messages_with_failures_last(changes, results) {
        face.handle_message(Message::Written(change.path, result));
    }
    if let Some(Err(reason)) = kept {
        face.handle_message(Message::WriteNotLogged(reason));
    }
}

/// Performs an operation on the kept drafts.
fn perform_draft_order(outside: &dyn WorkbenchPorts, order: DraftOrder) -> Option<DraftNews> {
    Some(match order {
        DraftOrder::List => DraftNews::Listed(outside.drafts()),
        DraftOrder::Leave => {
            outside.leave_draft();
            return None;
        }
        DraftOrder::Switch(name) => {
            let taken = outside.take_draft(name.as_deref());
            DraftNews::Taken(name, taken.map(|kept| kept.map(Box::new)))
        }
        DraftOrder::Name(draft, naming) => {
            let result = outside.name_draft(&draft, naming);
            DraftNews::Named(draft, result)
        }
        DraftOrder::Delete(name) => {
            let result = outside.delete_draft(&name);
            DraftNews::Deleted(name, result)
        }
    })
}
