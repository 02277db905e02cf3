//! The effects of the workbench in linear mode.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use super::super::message::{Effect, Message};
use super::super::perform::{perform_shared, variant_name};
use super::LinearSession;
use crate::engine::evaluate::NoCancel;
use crate::engine::load::Fetch;

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
        let cancel = Arc::new(NoCancel);
        match effect {
            Effect::Evaluate(request, order) => {
                let mut answers = Vec::new();
                let report = &mut |message| answers.push(message);
                self.builder.report_build(request, &order, &|| Duration::ZERO, report);
                return answers;
            }
            Effect::Compare { request, what } => {
                let result = self.outside.compare(&what, cancel, None).map(Box::new);
                return vec![Message::Compared(request, result)];
            }
            Effect::WhatIf { request, variation } => {
                let result = self.outside.what_if(&self.model.what_if(variation), cancel);
                return vec![Message::WhatIf(request, result)];
            }
            Effect::FindEdits { request, wanted } => {
                let result = self.outside.find_edits(&self.model.edit_request(*wanted), cancel);
                return vec![Message::EditsFound(request, result)];
            }
            Effect::Fetch { request, things } => return vec![self.fetched(request, things)],
            Effect::Watch(paths) => self.outside.set_watched(&paths),
            Effect::OpenEditor(path, line) => {
                let ended = self.outside.edit(&path, line);
                let read = self.model.read_drafted(&*self.outside.files(), &[path]);
                return vec![Message::FilesChanged(read), Message::EditorClosed(ended)];
            }
            Effect::Quit => self.left = true,
            effect @ (Effect::Write(..)
            | Effect::ReadWriteLog
            | Effect::Keep(_)
            | Effect::Drafts(_)
            | Effect::KeepPaneShares(_)
            | Effect::Decide(_)) => return perform_shared(self.outside, effect),
            // No work runs while the user types, so that none can be cancelled. Linear mode leaves
            // commands to the shell; it has one target and no Board, no palette that completes
            // names, and no screen. It discovers components once, when the repository is opened.
            Effect::CancelEvaluation
            | Effect::CancelWhatIf
            | Effect::CancelFetch
            | Effect::CancelCommand
            | Effect::RunCommand(_)
            | Effect::Board(_)
            | Effect::ListSides
            | Effect::Discover(_)
            | Effect::Copy(_)
            | Effect::CaptureMouse(_)
            | Effect::Suspend
            | Effect::Redraw
            | Effect::RetakeTerminal => {}
        }
        Vec::new()
    }

    fn fetched(&self, request: u64, things: Vec<Fetch>) -> Message {
        let failure = |thing| {
            let reason = self.outside.fetch(&thing, Arc::new(NoCancel)).err()?;
            Some((thing, reason))
        };
        Message::Fetched(request, things.into_iter().filter_map(failure).collect())
    }
}
