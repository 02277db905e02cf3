//! Keys of derived data: the data is computed again only if its key has changed.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use super::{Compare, Pane, ResourceKey};

/// The parts of the displayed data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Derived {
    Board,
    Catalogs,
    Changed,
    Compared,
    ComponentEffect,
    Components,
    Entry,
    Found,
    Functions,
    History,
    Lines,
    Pipeline,
    Preview,
    Problems,
    Resources,
    Steps,
    Table,
    /// A text about the selected row of a list, in this pane.
    Text(Pane),
    Totals,
    Tree,
    Users,
}

/// The build right after a step: its generation, and the step.
pub(crate) type MomentKey = (u64, usize);

/// The list of changed resources: generation and draft revision, step, and sides.
pub(crate) type ChangedKey = ((u64, u64), usize, Compare);

/// The hash of the key of each part; a part without one must be computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct DerivedKeys {
    hashes: BTreeMap<Derived, u64>,
    pub tree_time: Option<MomentKey>,
    /// The listed resources of the diff, and the selected one.
    pub diff: Option<(ChangedKey, usize)>,
    pub resource: Option<ResourceKey>,
}

impl DerivedKeys {
    /// Stores the key of a part; true if it has changed, so that the part must be computed.
    pub(crate) fn renew(&mut self, part: Derived, key: impl Hash) -> bool {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let hash = hasher.finish();
        self.hashes.insert(part, hash) != Some(hash)
    }

    pub(crate) fn invalidate(&mut self, parts: &[Derived]) {
        self.hashes.retain(|part, _| !parts.contains(part));
    }

    /// Invalidates all parts but those about the repository.
    pub(crate) fn keep_repository(&mut self) {
        let is_kept = |part: Derived| {
            let hunk = Derived::Text(Pane::Hunk);
            [Derived::Board, Derived::Users, Derived::Compared, hunk].contains(&part)
        };
        let hashes = std::mem::take(self).hashes.into_iter();
        self.hashes = hashes.filter(|(part, _)| is_kept(*part)).collect();
    }

    /// Invalidates the problems of steps, and the values derived from them.
    pub(crate) fn invalidate_claims(&mut self) {
        let explanation = Derived::Text(Pane::Explanation);
        self.invalidate(&[Derived::Problems, Derived::Steps, Derived::Tree, explanation]);
    }

    /// Invalidates texts that may contain values of Secrets.
    pub(crate) fn invalidate_texts(&mut self) {
        use Derived as D;
        let texts = [Pane::Invocation, Pane::Explanation].map(D::Text);
        self.invalidate(&texts);
        self.invalidate(&[D::Lines, D::Preview, D::History, D::Tree, D::Problems]);
        (self.diff, self.resource) = (None, None);
    }
}
