//! Keys of derived data: the data is computed again only if its key has changed.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use super::{Compare, Pane, ResourceKey};

/// The build right after a step: its generation, and the step.
pub(crate) type MomentKey = (u64, usize);

/// The list of changed resources: generation and draft revision, step, and sides.
pub(crate) type ChangedKey = ((u64, u64), usize, Compare);

/// The hash of the key of the data in each pane; a pane without one must be computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct DerivedKeys {
    hashes: BTreeMap<Pane, u64>,
    pub tree_time: Option<MomentKey>,
    /// The listed resources of the diff, and the selected one.
    pub diff: Option<(ChangedKey, usize)>,
    pub resource: Option<ResourceKey>,
}

impl DerivedKeys {
    /// Stores the key of a pane; true if it has changed, so that the pane must be computed.
    pub(crate) fn renew(&mut self, pane: Pane, key: impl Hash) -> bool {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let hash = hasher.finish();
        self.hashes.insert(pane, hash) != Some(hash)
    }

    pub(crate) fn invalidate(&mut self, panes: &[Pane]) {
        self.hashes.retain(|pane, _| !panes.contains(pane));
    }

    /// Invalidates all panes but those about the repository.
    pub(crate) fn keep_repository(&mut self) {
        let kept = [Pane::Targets, Pane::Users, Pane::Differences, Pane::Hunk];
        let hashes = std::mem::take(self).hashes.into_iter();
        self.hashes = hashes.filter(|(pane, _)| kept.contains(pane)).collect();
    }

    /// Invalidates the problems of steps, and the values derived from them.
    pub(crate) fn invalidate_claims(&mut self) {
        self.invalidate(&[Pane::Problems, Pane::Steps, Pane::Tree, Pane::Explanation]);
    }

    /// Invalidates texts that may contain values of Secrets.
    pub(crate) fn invalidate_texts(&mut self) {
        use Pane as P;
        self.invalidate(&[P::Invocation, P::Results, P::Entry, P::Explanation, P::Resource]);
        self.invalidate(&[P::Preview, P::History, P::Tree, P::Problems]);
        (self.diff, self.resource) = (None, None);
    }
}
