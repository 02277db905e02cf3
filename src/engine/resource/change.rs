//! What a step did to one resource.

use std::sync::Arc;

use super::{Resource, Slot};

/// What a step did to one resource. Added: no `before`. Removed: no `after`.
#[derive(Clone, Debug)]
pub struct Change {
    /// Which resource.
    pub slot: Slot,
    /// As it was before the step.
    pub before: Option<Arc<Resource>>,
    /// As it is after the step.
    pub after: Option<Arc<Resource>>,
    verdict: Verdict,
}

/// What is known of a resource that was touched.
#[derive(Clone, Debug)]
pub(super) struct Touched {
    pub(super) before: Option<Arc<Resource>>,
    /// What one write came to, judged while its trees were at hand; nothing after another.
    pub(super) verdict: Option<Verdict>,
}

/// What a write came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Same,
    /// Other writers or places of the same values.
    Rewritten,
    Hidden,
    Visible,
}

impl Verdict {
    pub(super) fn of(before: &Resource, after: &Resource) -> Self {
        if before.is_same_as(after) {
            return if before.node == after.node { Self::Same } else { Self::Rewritten };
        }
        let same = before.id.is_spelled_as(&after.id) && before.node.same_value(&after.node);
        if same { Self::Hidden } else { Self::Visible }
    }
}

impl Change {
    /// What became of a resource; nothing when it was touched and came out the same.
    pub(super) fn of(slot: Slot, touched: Touched, after: Option<Arc<Resource>>) -> Option<Self> {
        let Touched { before, verdict } = touched;
        let verdict = match (&before, &after) {
            (None, None) => return None,
            (Some(before), Some(after)) => verdict.unwrap_or_else(|| Verdict::of(before, after)),
            _ => Verdict::Visible,
        };
        (verdict != Verdict::Same).then_some(Self { slot, before, after, verdict })
    }

    /// About how many bytes it takes that the resource of before does not.
    pub fn bytes(&self) -> usize {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) if Arc::ptr_eq(before, after) => 0,
            (before, Some(after)) => {
                let names = after.names.bytes_beside(before.as_ref().map(|before| &before.names));
                let before = before.as_ref().map(|before| &before.node);
                size_of::<Resource>()
                    .saturating_add(names)
                    .saturating_add(after.node.bytes_beside(before))
            }
            (_, None) => 0,
        }
    }

    /// True when the step wrote no more than what was there already.
    pub fn is_rewrite(&self) -> bool {
        self.verdict == Verdict::Rewritten
    }

    /// True when the data differ: more than a layout, and more than what is remembered about former names.
    pub fn is_visible(&self) -> bool {
        self.verdict == Verdict::Visible
    }
}

/// What became of one resource, to be taken over when it is met again.
#[derive(Clone, Debug)]
pub struct Became {
    pub(super) before: Arc<Resource>,
    pub(super) after: Arc<Resource>,
    pub(super) verdict: Option<Verdict>,
}

impl Became {
    /// True for the very resource that it became of.
    pub fn was(&self, resource: &Arc<Resource>) -> bool {
        Arc::ptr_eq(&self.before, resource)
    }
}

impl Resource {
    /// True when nothing that anybody can see differs: tree and bookkeeping.
    fn is_same_as(&self, other: &Self) -> bool {
        self.node.same_reading(&other.node)
            && self.id.is_spelled_as(&other.id)
            && self.names == other.names
            && self.needs_hash == other.needs_hash
    }
}
