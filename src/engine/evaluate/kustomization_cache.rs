//! A cache of decoded kustomization files from earlier evaluations, valid while their bytes are
//! equal.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::manifest::{Kustomization, Outline};

use super::Layer;

pub(super) type DecodedKustomization = (Arc<Kustomization>, Arc<Outline>);

#[derive(Clone, Debug, Default)]
pub(super) struct KustomizationCache {
    files: IndexMap<Arc<str>, TargetCacheEntry>,
    generation: u64,
}

#[derive(Clone, Debug)]
struct TargetCacheEntry {
    bytes: Arc<[u8]>,
    read: DecodedKustomization,
    generation: u64,
}

impl KustomizationCache {
    /// The cached file, if it was decoded from the same bytes.
    pub(super) fn get(&self, path: &str, bytes: &Arc<[u8]>) -> Option<DecodedKustomization> {
        let kept = self.files.get(path)?;
        let is_it = Arc::ptr_eq(&kept.bytes, bytes) || kept.bytes == *bytes;
        is_it.then(|| kept.read.clone())
    }

    pub(super) fn insert(&mut self, path: &str, bytes: &Arc<[u8]>, read: &DecodedKustomization) {
        let (bytes, read, generation) = (bytes.clone(), read.clone(), self.generation);
        self.files.insert(path.into(), TargetCacheEntry { bytes, read, generation });
    }

    /// Drops files used neither by this evaluation nor by the previous one.
    pub(super) fn drop_unused(&mut self, layers: &[Layer]) {
        for layer in layers {
            if let Some(kept) = self.files.get_mut(&layer.file) {
                kept.generation = self.generation;
            }
        }
        self.files.retain(|_, kept| kept.generation + 1 >= self.generation);
        self.generation += 1;
    }
}
