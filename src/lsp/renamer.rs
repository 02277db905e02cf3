//! Questions about names: renames and declarations, each answered on a separate thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// The number of a request with its answer, or the reason against one.
pub(crate) type NameAnswer = (RequestId, Result<Value, String>);

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

    pub(crate) fn is_outdated(&self) -> bool {
        self.revisions.newest() > self.revision
    }
}

impl Cancel for RenameCancel {
    fn is_cancelled(&self) -> bool {
        self.is_set.load(Ordering::SeqCst) || self.is_outdated()
    }
}
