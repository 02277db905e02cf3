//! The thread that plans renames and finds declarations, beside the one that checks.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender};
use lsp_server::RequestId;
use serde_json::Value;

use crate::engine::evaluate::Cancel;

use super::checked::CheckedRepository;
use super::uri::LinkedFolders;
use super::worker::Revisions;

/// A question about a name, which builds answer.
pub(crate) type NameQuestion = Box<dyn FnOnce(&AskedName) -> Result<Value, String> + Send>;

/// The name of a resource in a checked document.
pub(crate) struct AskedName {
    pub(crate) checked: Arc<CheckedRepository>,
    pub(crate) file: PathBuf,
    pub(crate) byte: usize,
    pub(crate) folders: LinkedFolders,
    pub(crate) cancel: Arc<RenameCancel>,
}

impl AskedName {
    pub(crate) fn place(&self) -> (&Path, usize) {
        (&self.file, self.byte)
    }
}

pub(crate) struct NameOrder {
    pub(crate) id: RequestId,
    pub(crate) name: AskedName,
    pub(crate) question: NameQuestion,
}

/// Ends a rename: the client cancels it, or changes a document. An edit ends all earlier
/// questions, so that they do not delay the next one.
#[derive(Debug)]
pub(crate) struct RenameCancel {
    is_set: AtomicBool,
    revisions: Revisions,
    /// The number of the last change before the rename.
    revision: u64,
}

impl RenameCancel {
    pub(crate) fn new(revisions: Revisions) -> Self {
        Self { is_set: AtomicBool::default(), revision: revisions.newest(), revisions }
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
    results: &Sender<(RequestId, Result<Value, String>)>,
) {
    for NameOrder { id, name, question } in orders {
        let is_ended = name.cancel.is_cancelled();
        let answer = if is_ended { Err("cancelled".to_owned()) } else { question(&name) };
        if results.send((id, answer)).is_err() {
            return;
        }
    }
}
