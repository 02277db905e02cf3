//! Performs effects on the terminal.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crossterm::clipboard::CopyToClipboard;
use crossterm::execute;

use crate::engine::load::{Fetch, Files};

use super::super::experiment::Variation;
use super::super::field_edits::WantedEdit;
use super::super::message::{BuildSource, Message, Mouse};
use super::super::model::Model;
use super::super::perform::{BuildJob, Face, LeaveMode};
use super::super::ports::{BoardOrder, Comparison, WorkbenchPorts};
use super::super::user_commands::UserCommandRun;
use super::{LoopControl, RunError, Shell, discover, terminal};

/// The [`Shell`] while it performs effects for a model.
pub(super) struct ScreenFace<'a> {
    pub(super) shell: &'a mut Shell,
    pub(super) model: &'a mut Model,
    pub(super) next: LoopControl,
}

impl Face for ScreenFace<'_> {
    type Error = RunError;

    fn outside(&self) -> &dyn WorkbenchPorts {
        &*self.shell.outside
    }

    fn handle_message(&mut self, message: Message) {
        self.shell.send(message);
    }

    fn files(&self, from: BuildSource) -> Arc<dyn Files> {
        self.model.files(from)
    }

    fn evaluate(&mut self, job: BuildJob) {
        self.shell.worker.ask(job);
    }

    fn cancel_evaluation(&mut self) {
        self.shell.worker.cancel();
    }

    fn board(&mut self, order: BoardOrder) {
        let Shell { board, outside, news, .. } = &mut *self.shell;
        board.ask(order, outside, news);
    }

    fn compare(&mut self, request: u64, what: Comparison) {
        let (outside, news) = (self.shell.outside.clone(), self.shell.news.clone());
        self.shell.comparing.cancel_except(self.model.needed_comparisons());
        self.shell.comparing.start(request, what, outside, news);
    }

    fn what_if(&mut self, request: u64, variation: Variation) {
        self.shell.what_if(request, self.model.what_if(variation));
    }

    fn cancel_what_if(&mut self) {
        self.shell.varied.store(0, Ordering::Relaxed);
    }

    fn find_edits(&mut self, request: u64, wanted: WantedEdit) {
        self.shell.find_edits(request, self.model.edit_request(wanted));
    }

    fn list_sides(&mut self) {
        let (outside, news) = (self.shell.outside.clone(), self.shell.news.clone());
        terminal::spawn_helper_thread("sides", move || {
            let _ = news.send(Message::SidesListed(outside.named_sides()));
        });
    }

    fn discover(&mut self, target: PathBuf) {
        discover(self.shell.outside.clone(), target, self.shell.news.clone());
    }

    fn fetch(&mut self, request: u64, things: Vec<Fetch>) {
        let (outside, news) = (self.shell.outside.clone(), self.shell.news.clone());
        self.shell.fetcher.start(request, things, outside, news);
    }

    fn cancel_fetch(&mut self) {
        self.shell.fetcher.cancel();
    }

    /// Sets the watched paths on a separate thread, because it reads each of many paths.
    fn watch(&mut self, paths: Vec<PathBuf>) {
        // Fails if that thread has ended: changes are then not noticed, and `:reload` reads all
        // files again.
        let _ = self.shell.to_watch.send(paths);
    }

    fn leave(&mut self) -> LeaveMode {
        self.next = LoopControl::Leave;
        LeaveMode::AtOnce
    }

    fn edit(&mut self, path: &Path, line: u32) -> Result<(), RunError> {
        self.shell.edit(self.model, path, line)
    }

    fn run_command(&mut self, run: UserCommandRun) -> Result<(), RunError> {
        self.shell.run_command(self.model, run)
    }

    fn cancel_command(&mut self) {
        self.shell.commands.store(0, Ordering::Relaxed);
    }

    fn copy(&mut self, text: String) -> Result<(), RunError> {
        execute!(self.shell.screen.output(), CopyToClipboard::to_clipboard_from(text))?;
        Ok(())
    }

    fn capture(&mut self, mouse: Mouse) -> Result<(), RunError> {
        self.shell.screen.capture(mouse)?;
        Ok(())
    }

    fn suspend(&mut self) -> Result<(), RunError> {
        self.shell.suspend(self.model)
    }

    fn redraw(&mut self) -> Result<(), RunError> {
        self.shell.screen.invalidate()?;
        Ok(())
    }

    fn retake(&mut self) -> Result<(), RunError> {
        self.shell.screen.retake(self.model.look.mouse)?;
        self.shell.send_size()
    }
}
