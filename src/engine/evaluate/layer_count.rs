//! Counts the layers of a large build in advance. Each kustomization is read once, however often it
//! is used.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::load::{GitTarget, Root};
use crate::manifest::{COMPOSITION_FILE_NAMES, Kustomization, decode_kustomization};
use crate::profile::Profile;
use crate::yaml::SourceId;

use super::kustomization_cache::KustomizationCache;
use super::target::read_only_target;

/// Nesting limit for kustomizations: far above real trees, and within the stack size
/// [`STACK`](super::STACK).
pub(super) const MAX_NESTED: usize = 1000;
/// Limit for the kustomizations of one build, each counted once per use: a few files can expand
/// without end. Views of a build's layers use the same limit.
pub const MAX_LAYERS: usize = 1 << 14;
/// From this number of kustomizations on, the remaining ones are counted before they are built.
pub(super) const LAYER_COUNT_THRESHOLD: usize = 1 << 9;

/// Counts the layers of a build before it runs, to enforce the limit.
pub(super) struct LayerCount<'k> {
    profile: Profile,
    known: &'k KustomizationCache,
    counted: BTreeMap<PathBuf, usize>,
}

impl<'k> LayerCount<'k> {
    pub(super) fn new(profile: Profile, known: &'k KustomizationCache) -> Self {
        Self { profile, known, counted: BTreeMap::new() }
    }

    /// The layers of a kustomization, itself included. A lower bound: Compositions, clones and
    /// unreadable files are left out.
    pub(super) fn count(&mut self, root: &Root, kustomization: &Kustomization) -> usize {
        self.within(root, kustomization, 1)
    }

    fn within(&mut self, root: &Root, kustomization: &Kustomization, nested: usize) -> usize {
        let Kustomization { resources, components, generators, transformers, validators, .. } =
            kustomization;
        let lists = [resources, components, generators, transformers, validators];
        lists.into_iter().flatten().fold(1, |sum: usize, entry| {
            sum.saturating_add(self.count_entry(root, &entry.value, nested + 1))
        })
    }

    fn count_entry(&mut self, root: &Root, entry: &str, nested: usize) -> usize {
        if nested > MAX_NESTED || GitTarget::parse(entry).is_some() {
            return 0;
        }
        let Ok(root) = root.open(entry) else { return 0 };
        if let Some(count) = self.counted.get(root.path()) {
            return *count;
        }
        let count = match self.read(&root) {
            Some(kustomization) => self.within(&root, &kustomization, nested),
            None => 1,
        };
        self.counted.insert(root.path().to_owned(), count);
        count
    }

    fn read(&self, root: &Root) -> Option<Arc<Kustomization>> {
        let (name, loaded, _) = read_only_target(root).ok()?;
        if COMPOSITION_FILE_NAMES.contains(&name) {
            return None;
        }
        if let Some((kustomization, _)) = self.known.get(&loaded.path, &loaded.bytes) {
            return Some(kustomization);
        }
        decode_kustomization(&loaded.bytes, SourceId::NONE, self.profile).ok().map(Arc::new)
    }
}
