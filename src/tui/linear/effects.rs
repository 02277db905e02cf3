//! What the workbench asks of the outside is done right here: a conversation waits for it.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use super::super::message::{Effect, Message, failures_last};
use super::super::ports::Order;
use super::super::survey::{answer, claims, offered, to_mend, trial};
use super::super::update::update;
use super::Talk;
use crate::engine::evaluate::NoCancel;

impl<W: Write> Talk<'_, W> {
    pub(super) fn tell(&mut self, message: Message) {
        let effects = update(&mut self.model, message);
        self.perform(effects);
    }

    pub(super) fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                evaluate @ Effect::Evaluate { .. } => self.evaluate(evaluate),
                Effect::Write(changes, words) => {
                    let results = self.outside.write(&changes);
                    let done = results.iter().all(Result::is_ok);
                    let kept = done.then(|| self.outside.keep_operation(&words, &changes));
                    for (change, result) in failures_last(changes, results) {
                        self.tell(Message::Written(change.path, result));
                    }
                    if let Some(Err(reason)) = kept {
                        self.tell(Message::NotLogged(reason));
                    }
                }
                Effect::Recall => self.tell(Message::Recalled(self.outside.operations())),
                Effect::Keep(changes) => {
                    if let Err(reason) = self.outside.keep_draft(&changes) {
                        self.tell(Message::NotKept(reason));
                    }
                }
                Effect::Watch(paths) => self.outside.set_watched(&paths),
                Effect::WhatIf { request, what } => self.what_if(request, &what),
                Effect::Compare { request, what } => {
                    let result = self.outside.compare(&what).map(Box::new);
                    self.tell(Message::Compared(request, result));
                }
                Effect::Decide(record) => {
                    let result = self.outside.decide(*record);
                    self.tell(Message::Decided(result));
                }
                Effect::Fetch { request, things } => self.fetch_now(request, things),
                Effect::OpenEditor(path, line) => self.lend(&path, line),
                Effect::Quit => self.left = true,
                // There is no screen and no mouse here.
                _ => {}
            }
        }
    }

    /// Builds, and tries what there is to claim and to mend.
    fn evaluate(&mut self, effect: Effect) {
        let Effect::Evaluate { request, target, files, again, catalogs, may_run, like } = effect
        else {
            return;
        };
        let again = again.into_iter().collect();
        // Builds are waited for: nobody else could ask for another one meanwhile.
        let cancel = Arc::new(NoCancel);
        let files = files.clone();
        let order = Order {
            target,
            files: files.clone(),
            cancel,
            again,
            catalogs,
            may_run,
            like,
            is_trial: false,
        };
        let again = order.clone();
        let built = (self.evaluator)(order);
        let directory = self.model.target_dir.clone();
        let took = Duration::ZERO;
        let answer = answer(request, built, &*files, &directory, took, &BTreeMap::new());
        let trial = trial(&answer, &*files);
        let to_mend = to_mend(&answer);
        self.tell(Message::Evaluated(Box::new(answer)));
        if let Some(trial) = trial {
            let found = claims(request, trial, &again, &mut self.evaluator);
            self.tell(found);
        }
        if let Some(recording) = to_mend {
            let offers = offered(request, &recording, &again, &mut self.evaluator);
            self.tell(offers);
        }
    }
}
