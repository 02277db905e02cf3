//! Past writes, and the files before them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::FileChange;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastWrite {
    /// The time of the write, as RFC 3339.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restored_state_is_from_before_the_oldest_reverted_write() {
        let bytes = |text: &str| Some(Arc::from(text.as_bytes()));
        let change = |path: &str, base, draft| FileChange { path: path.into(), base, draft };
        let operation =
            |files: Vec<FileChange>| PastWrite { at: String::new(), words: Vec::new(), files };
        let operations = [
            operation(vec![change("a", bytes("2"), bytes("3"))]),
            operation(vec![change("a", bytes("1"), bytes("2")), change("b", None, bytes("b"))]),
            operation(vec![change("c", bytes("c"), None)]),
        ];
        assert_eq!(state_before(&operations, 0), [("a".into(), bytes("2"))]);
        assert_eq!(state_before(&operations, 1), [("a".into(), bytes("1")), ("b".into(), None)]);
        assert_eq!(state_before(&operations, 2).len(), 3);
    }
}
