//! The thread that plans renames, beside the one that checks.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender};
use lsp_server::RequestId;

use crate::draft::FileChange;
use crate::engine::evaluate::Cancel;

use super::checked::CheckedRepository;
use super::worker::Revisions;

/// An order to plan the rename of a resource.
#[derive(Clone)]
pub(crate) struct RenameOrder {
    pub(crate) id: RequestId,
    /// The check of the present texts.
    pub(crate) checked: Arc<CheckedRepository>,
    /// The file and the byte of the name.
    pub(crate) place: (PathBuf, usize),
    /// The new name; `None` for the question whether the resource can be renamed.
    pub(crate) wanted: Option<String>,
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

/// The changes of a rename, or the reason against it.
pub(crate) type RenameResult = Result<Vec<FileChange>, String>;

/// Plans renames until the orders end.
pub(crate) fn plan_renames(
    orders: &Receiver<RenameOrder>,
    results: &Sender<(RenameOrder, RenameResult)>,
) {
    for order in orders {
        let planned = if order.cancel.is_cancelled() {
            Err("cancelled".to_owned())
        } else {
            let (file, byte) = &order.place;
            let cancel = Arc::new(order.cancel.clone());
            let wanted = order.wanted.as_deref();
            let planned = order.checked.check.plan_rename((file, *byte), wanted, cancel);
            planned.map(|rename| rename.changes)
        };
        if results.send((order, planned)).is_err() {
            return;
        }
    }
}
