//! Past writes, and the files before them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::FileChange;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PastWrite {
    pub at: String,
    pub words: Vec<String>,
    pub files: Vec<FileChange>,
}

/// The files as they were before a past write, with this write and all later ones reverted.
/// `operations` has the newest write first. Only files that a reverted write changed are returned.
pub fn state_before(operations: &[PastWrite], number: usize) -> Vec<(PathBuf, Option<Arc<[u8]>>)> {
    let mut files = BTreeMap::new();
    for operation in operations.iter().take(number + 1) {
        for change in &operation.files {
            // Older operations come later, and have older texts.
            files.insert(change.path.clone(), change.base.clone());
        }
    }
    files.into_iter().collect()
}
