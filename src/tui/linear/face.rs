//! The effects of the workbench in linear mode.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use super::super::message::{Effect, Message, variant_name};
use super::super::ports::{Work, WorkNews, WorkReports};
use super::LinearSession;
use crate::engine::evaluate::NoCancel;

impl<W: Write> LinearSession<'_, W> {
    /// Performs effects, one after the other. Each one blocks until it ends.
    pub(super) fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            tracing::debug!(name = variant_name(&effect), "effect");
            for answer in self.answers(effect) {
                self.apply_message(answer);
            }
        }
        self.model.deferred_drops.clear();
    }

    fn answers(&mut self, effect: Effect) -> Vec<Message> {
        match effect {
            Effect::Evaluate(request, order) => {
                let mut answers = Vec::new();
                let report = &mut |message| answers.push(message);
                self.builder.report_build(request, &order, &|| Duration::ZERO, report);
                return answers;
            }
            // Linear mode leaves commands to the shell. No build runs while the user types, so that
            // none can be cancelled. Linear mode has one target, no Board and no screen.
            Effect::Work(_, Work::RunCommand(_))
            | Effect::CancelEvaluation
            | Effect::Board(_)
            | Effect::Copy(_)
            | Effect::CaptureMouse(_)
            | Effect::Suspend
            | Effect::Redraw
            | Effect::RetakeTerminal => {}
            Effect::Work(request, work) => {
                let reports = WorkReports::new(drop);
                let result = self.outside.work(work, Arc::new(NoCancel), &reports);
                return vec![Message::Work(request, WorkNews::Ended(result))];
            }
            Effect::Watch(paths) => self.outside.set_watched(&paths),
            Effect::OpenEditor(path, line) => {
                let ended = self.outside.edit(&path, line);
                let read = self.model.read_drafted(&*self.outside.files(), &[path]);
                return vec![Message::FilesChanged(read), Message::EditorClosed(ended)];
            }
            Effect::Quit => self.left = true,
            Effect::Store(order) => {
                let answers = self.outside.store(order).into_iter();
                return answers.map(Message::Stored).collect();
            }
        }
        Vec::new()
    }
}
