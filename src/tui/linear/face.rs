//! The effects of the workbench in linear mode.

use std::convert::Infallible;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::engine::evaluate::NoCancel;
use crate::engine::load::{Fetch, Files};

use super::super::experiment::Variation;
use super::super::field_edits::WantedEdit;
use super::super::message::{BuildSource, Message, Mouse};
use super::super::perform::{BuildJob, Face, LeaveMode};
use super::super::ports::{BoardOrder, BuildRequest, Comparison, WorkbenchPorts};
use super::super::tree_files::{
    BuiltAnswer, answer, may_have_fix, suspected_findings, try_fixes, verify_suspected_findings,
};
use super::super::user_commands::UserCommandRun;
use super::LinearSession;

impl<W: Write> Face for LinearSession<'_, W> {
    type Error = Infallible;

    fn outside(&self) -> &dyn WorkbenchPorts {
        self.outside
    }

    fn handle_message(&mut self, message: Message) {
        LinearSession::apply_message(self, message);
    }

    fn files(&self, from: BuildSource) -> Arc<dyn Files> {
        self.model.files(from)
    }

    /// Builds at once and waits for the result: no other build can be requested meanwhile.
    fn evaluate(&mut self, job: BuildJob) {
        let BuildJob { request, target, files, again, catalogs, runs, like } = job;
        let again = again.into_iter().collect();
        let cancel = Arc::new(NoCancel);
        let order = BuildRequest {
            target,
            files: files.clone(),
            cancel,
            again,
            catalogs,
            runs,
            like,
            trial: None,
        };
        let again = order.clone();
        let built = (self.evaluator)(order);
        let directory = self.model.opened.dir.clone();
        let known = &mut self.known;
        let answer = answer(request, built, &*files, &directory, Duration::ZERO, known);
        let built = BuiltAnswer::from_answer(&answer);
        self.apply_message(Message::Evaluated(Box::new(answer)));
        if let Some(suspicions) = suspected_findings(&built, &*files) {
            let found = verify_suspected_findings(&built, suspicions, &again, &mut self.evaluator);
            self.apply_message(found);
        }
        if may_have_fix(&built) {
            let offers = try_fixes(&built, &again, &mut self.evaluator);
            self.apply_message(offers);
        }
    }

    /// No effect: no build runs while the user types.
    fn cancel_evaluation(&mut self) {}

    /// No effect: linear mode has one target and no Board. `compare` lists the targets that the
    /// draft affects.
    fn board(&mut self, _: BoardOrder) {}

    fn compare(&mut self, request: u64, what: Comparison) {
        let result = self.outside.compare(&what, Arc::new(NoCancel), None).map(Box::new);
        self.apply_message(Message::Compared(request, result));
    }

    fn what_if(&mut self, request: u64, variation: Variation) {
        let what = self.model.what_if(variation);
        let result = self.outside.what_if(&what, Arc::new(NoCancel));
        self.apply_message(Message::WhatIf(request, result));
    }

    fn find_edits(&mut self, request: u64, wanted: WantedEdit) {
        let result = self.outside.find_edits(&self.model.edit_request(wanted), Arc::new(NoCancel));
        self.apply_message(Message::EditsFound(request, result));
    }

    /// No effect: without a palette, no name is completed.
    fn list_sides(&mut self) {}

    /// No effect: components are discovered once, when the repository is opened.
    fn discover(&mut self, _: PathBuf) {}

    fn fetch(&mut self, request: u64, things: Vec<Fetch>) {
        self.fetch_now(request, things);
    }

    /// No effect: a fetch blocks, so that it cannot be cancelled.
    fn cancel_fetch(&mut self) {}

    fn leave(&mut self) -> LeaveMode {
        self.left = true;
        LeaveMode::AtTheEnd
    }

    fn edit(&mut self, path: &Path, line: u32) -> Result<(), Infallible> {
        self.run_editor(path, line);
        Ok(())
    }

    /// No effect: linear mode leaves commands to the shell.
    fn run_command(&mut self, _: UserCommandRun) -> Result<(), Infallible> {
        Ok(())
    }

    /// No effect: linear mode runs no command.
    fn cancel_command(&mut self) {}

    /// No effect: printed lines can be copied in the terminal.
    fn copy(&mut self, _: String) -> Result<(), Infallible> {
        Ok(())
    }

    /// No effect: linear mode does not use the mouse.
    fn capture(&mut self, _: Mouse) -> Result<(), Infallible> {
        Ok(())
    }

    /// No effect: the state of the terminal was not changed, and the shell stops the process
    /// itself.
    fn suspend(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    /// No effect: linear mode draws no screen.
    fn redraw(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    /// No effect: linear mode draws no screen.
    fn retake(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
