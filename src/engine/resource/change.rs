//! The change of one resource by a step.

use std::sync::Arc;

use super::{Resource, Slot};

/// The change of one resource by a step. An added resource has no `before`, and a removed one has
/// no `after`.
#[derive(Clone, Debug)]
pub struct Change {
    pub slot: Slot,
    pub before: Option<Arc<Resource>>,
    pub after: Option<Arc<Resource>>,
    verdict: WriteVerdict,
}

#[derive(Clone, Debug)]
pub(super) struct TouchedResource {
    pub(super) before: Option<Arc<Resource>>,
    /// The result of a single write, determined while both trees were available; `None` after
    /// several writes.
    pub(super) verdict: Option<WriteVerdict>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteVerdict {
    Same,
    /// The same values with other writers or locations.
    Rewritten,
    /// Only the layout or the earlier names differ.
    Hidden,
    Visible,
}

impl WriteVerdict {
    pub(super) fn compare(before: &Resource, after: &Resource) -> Self {
        if before.is_same_as(after) {
            return if before.node == after.node { Self::Same } else { Self::Rewritten };
        }
        let same = before.id.is_spelled_as(&after.id) && before.node.same_value(&after.node);
        if same { Self::Hidden } else { Self::Visible }
    }
}

impl Change {
    /// The change of a resource that was written; `None` if it is equal to its former state.
    pub(super) fn from_touched(
        slot: Slot,
        touched: TouchedResource,
        after: Option<Arc<Resource>>,
    ) -> Option<Self> {
        let TouchedResource { before, verdict } = touched;
        let verdict = match (&before, &after) {
            (None, None) => return None,
            (Some(before), Some(after)) => {
                verdict.unwrap_or_else(|| WriteVerdict::compare(before, after))
            }
            _ => WriteVerdict::Visible,
        };
        (verdict != WriteVerdict::Same).then_some(Self { slot, before, after, verdict })
    }

    /// The approximate number of bytes that the new state does not share with the resource before
    /// the step.
    pub fn bytes(&self) -> usize {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) if Arc::ptr_eq(before, after) => 0,
            (before, Some(after)) => {
                let names = after.names.unshared_bytes(before.as_ref().map(|before| &before.names));
                let before = before.as_ref().map(|before| &before.node);
                size_of::<Resource>()
                    .saturating_add(names)
                    .saturating_add(after.node.unshared_bytes(before))
            }
            (_, None) => 0,
        }
    }

    /// True if the step wrote only values that were already set.
    pub fn is_rewrite(&self) -> bool {
        self.verdict == WriteVerdict::Rewritten
    }

    /// True if the data differ: more than the layout and the earlier names.
    pub fn is_visible(&self) -> bool {
        self.verdict == WriteVerdict::Visible
    }
}

/// The change of a resource by a step, kept for reuse if the step meets the identical resource
/// again.
#[derive(Clone, Debug)]
pub struct ReusableChange {
    pub(super) before: Arc<Resource>,
    pub(super) after: Arc<Resource>,
    pub(super) verdict: Option<WriteVerdict>,
}

impl ReusableChange {
    /// True for the identical resource (`Arc`) from which this result was computed.
    pub fn is_computed_from(&self, resource: &Arc<Resource>) -> bool {
        Arc::ptr_eq(&self.before, resource)
    }
}

impl Resource {
    fn is_same_as(&self, other: &Self) -> bool {
        self.node.same_reading(&other.node)
            && self.id.is_spelled_as(&other.id)
            && self.names == other.names
            && self.needs_hash == other.needs_hash
    }
}
