//! The number and size of a step's changes.

use crate::resource::Change;

use super::{ChangeCounts, StepKind};

/// The memory that the changes of a step use. A merge step counts as 0: its resources are already
/// counted in the base.
pub(super) fn bytes(kind: StepKind, changes: &[Change]) -> usize {
    if kind == StepKind::Merge { 0 } else { changes.iter().map(Change::bytes).sum() }
}

/// The number of resources that a step added, changed and removed.
pub(super) fn count(changes: &[Change]) -> ChangeCounts {
    let mut counts = ChangeCounts::default();
    for change in changes.iter().filter(|change| change.is_visible()) {
        match (&change.before, &change.after) {
            (None, Some(_)) => counts.added += 1,
            (Some(_), None) => counts.removed += 1,
            _ => counts.modified += 1,
        }
    }
    counts
}
