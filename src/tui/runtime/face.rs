//! Performs effects on the terminal.

use std::ops::ControlFlow;

use crossterm::clipboard::CopyToClipboard;
use crossterm::execute;

use super::super::message::{Effect, Message};
use super::super::model::Model;
use super::super::perform::{perform_shared, variant_name};
use super::{RunError, Shell};

impl Shell {
    /// Performs effects, one after the other; none follows the one that leaves.
    pub(super) fn perform(
        &mut self,
        model: &mut Model,
        effects: Vec<Effect>,
    ) -> Result<ControlFlow<()>, RunError> {
        for effect in effects {
            tracing::debug!(name = variant_name(&effect), "effect");
            match effect {
                Effect::Evaluate(request, order) => self.worker.ask(request, *order),
                Effect::CancelEvaluation => self.worker.cancel(),
                Effect::Board(order) => self.order_board(order),
                Effect::RunCommand(run) => self.run_command(model, *run)?,
                Effect::CancelCommand => self.commands.cancel(),
                Effect::Compare { request, what } => {
                    self.comparing.keep_only(model.needed_comparisons());
                    self.compare(request, what);
                }
                Effect::WhatIf { request, variation } => {
                    self.what_if(request, model.what_if(variation));
                }
                Effect::CancelWhatIf => self.varied.cancel(),
                Effect::FindEdits { request, wanted } => {
                    self.find_edits(request, model.edit_request(*wanted));
                }
                Effect::ListSides => {
                    self.ask("sides", |outside| Message::SidesListed(outside.named_sides()));
                }
                Effect::Discover(target) => self.discover(target),
                Effect::Fetch { request, things } => self.fetch(request, things),
                Effect::CancelFetch => self.fetched.cancel(),
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
                effect @ (Effect::Write(..)
                | Effect::ReadWriteLog
                | Effect::Keep(_)
                | Effect::Drafts(_)
                | Effect::KeepPaneShares(_)
                | Effect::Decide(_)) => {
                    for message in perform_shared(&*self.outside, effect) {
                        self.send(message);
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
