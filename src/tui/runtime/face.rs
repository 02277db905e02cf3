//! Performs effects on the terminal.

use std::ops::ControlFlow;

use crossterm::clipboard::CopyToClipboard;
use crossterm::execute;

use super::super::message::{Effect, Message, variant_name};
use super::super::model::Model;
use super::super::ports::Work;
use super::super::user_commands::CommandDisplay;
use super::{RunError, Shell};

impl Shell {
    /// Performs effects, one after the other; none follows the one that leaves.
    pub(super) fn perform(
        &mut self,
        model: &mut Model,
        effects: Vec<Effect>,
    ) -> Result<ControlFlow<()>, RunError> {
        self.cancel_unneeded_work(model);
        for effect in effects {
            tracing::debug!(name = variant_name(&effect), "effect");
            match effect {
                Effect::Evaluate(request, order) => self.worker.ask(request, *order),
                Effect::CancelEvaluation => self.worker.cancel(),
                Effect::Board(order) => self.order_board(order),
                Effect::Work(request, Work::RunCommand(run))
                    if run.show == CommandDisplay::Terminal =>
                {
                    self.run_on_terminal(model, request, &run)?;
                }
                Effect::Work(request, work) => {
                    tracing::debug!(name = variant_name(&work), "work");
                    self.work(request, work);
                }
                // A thread reads each of many paths. If it has ended, changes are not noticed, and
                // `:reload` reads all files again.
                Effect::Watch(paths) => drop(self.to_watch.send(paths)),
                Effect::OpenEditor(path, line) => self.edit(model, &path, line)?,
                Effect::Copy(text) => {
                    execute!(self.screen.output(), CopyToClipboard::to_clipboard_from(text))?;
                }
                Effect::CaptureMouse(captures) => self.screen.capture(captures)?,
                Effect::Suspend => self.suspend(model)?,
                Effect::Redraw => self.screen.invalidate()?,
                Effect::RetakeTerminal => {
                    self.screen.retake(model.look.has_mouse)?;
                    self.send_size()?;
                }
                Effect::Quit => return Ok(ControlFlow::Break(())),
                Effect::Store(order) => {
                    tracing::debug!(name = variant_name(&order), "store");
                    for answer in self.outside.store(order) {
                        self.send(Message::Stored(answer));
                    }
                }
            }
        }
        for old in model.deferred_drops.drain(..) {
            // If the thread has ended, the value is dropped here.
            let _ = self.deferred_drops.send(old);
        }
        Ok(ControlFlow::Continue(()))
    }
}
