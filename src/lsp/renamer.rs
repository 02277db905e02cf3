//! The thread that plans renames and finds declarations, beside the one that checks.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender};
use lsp_server::RequestId;
use serde_json::Value;

use crate::draft::FileChange;
use crate::engine::evaluate::Cancel;

use super::checked::CheckedRepository;
use super::worker::Revisions;

#[derive(Clone)]
pub(crate) enum NameQuestion {
    /// The changes for another name; without one, whether the resource can be renamed.
    Rename(Option<String>),
    /// The lines that declare the resource. The value is the answer if no target has it.
    Declaration(Value),
}

pub(crate) enum NameAnswer {
    Rename(Result<Vec<FileChange>, String>),
    Declaration(BTreeSet<(PathBuf, u32)>),
}

/// An order to plan the rename of a resource, or to find its declaration.
#[derive(Clone)]
pub(crate) struct NameOrder {
    pub(crate) id: RequestId,
    pub(crate) checked: Arc<CheckedRepository>,
    /// The file and the byte of the name.
    pub(crate) place: (PathBuf, usize),
    pub(crate) question: NameQuestion,
    pub(crate) cancel: RenameCancel,
}

/// Ends a rename: the client cancels it, or changes a document.
#[derive(Clone, Debug)]
pub(crate) struct RenameCancel {
    is_set: Arc<AtomicBool>,
    revisions: Revisions,
    /// The number of the last change before the rename.
    revision: u64,
}

impl RenameCancel {
    pub(crate) fn new(revisions: Revisions) -> Self {
        Self { is_set: Arc::default(), revision: revisions.newest(), revisions }
    }

    pub(crate) fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
    }

    /// True if a document was changed since.
    pub(crate) fn is_outdated(&self) -> bool {
        self.revisions.newest() > self.revision
    }
}

impl Cancel for RenameCancel {
    fn is_cancelled(&self) -> bool {
        self.is_set.load(Ordering::SeqCst) || self.is_outdated()
    }
}

pub(crate) fn answer_name_orders(
    orders: &Receiver<NameOrder>,
    results: &Sender<(NameOrder, NameAnswer)>,
) {
    for order in orders {
        let place = (&*order.place.0, order.place.1);
        let cancel = Arc::new(order.cancel.clone());
        // An edit ends all earlier questions, so that they do not delay the next one.
        let is_cancelled = cancel.is_cancelled();
        let check = &order.checked.check;
        let answer = match &order.question {
            NameQuestion::Rename(_) if is_cancelled => {
                NameAnswer::Rename(Err("cancelled".to_owned()))
            }
            NameQuestion::Declaration(_) if is_cancelled => {
                NameAnswer::Declaration(BTreeSet::new())
            }
            NameQuestion::Rename(wanted) => {
                let planned = check.plan_rename(place, wanted.as_deref(), cancel);
                NameAnswer::Rename(planned.map(|rename| rename.changes))
            }
            NameQuestion::Declaration(_) => {
                NameAnswer::Declaration(check.declarations(place, cancel))
            }
        };
        if results.send((order, answer)).is_err() {
            return;
        }
    }
}
