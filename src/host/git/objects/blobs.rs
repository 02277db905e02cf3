//! A cache of blobs, shared by all commits that contain them.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The size limit in bytes of the blobs that only this cache uses.
const MAX_CACHED_BYTES: usize = 128 << 20;

/// Blobs by ID. Blobs that a build or a comparison also uses need no extra memory; of all other
/// blobs at most [`MAX_CACHED_BYTES`] are kept.
#[derive(Debug, Default)]
pub(super) struct BlobCache {
    by_id: BTreeMap<String, Arc<[u8]>>,
    bytes: usize,
    /// When the cache exceeds this number of bytes, blobs that only the cache uses are dropped.
    room: usize,
}

impl BlobCache {
    pub(super) fn get(&self, id: &str) -> Option<Arc<[u8]>> {
        self.by_id.get(id).cloned()
    }

    pub(super) fn keep(&mut self, id: &str, bytes: &Arc<[u8]>) {
        if self.by_id.insert(id.to_owned(), bytes.clone()).is_none() {
            self.bytes += bytes.len();
        }
        if self.bytes > self.room.max(MAX_CACHED_BYTES) {
            self.by_id.retain(|_, kept| Arc::strong_count(kept) > 1);
            self.bytes = self.by_id.values().map(|kept| kept.len()).sum();
            // The remaining blobs are in use. Growing the limit avoids a scan for every blob, which
            // would take quadratic time.
            self.room = 2 * self.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::host::git::objects::blobs::*;

    #[test]
    fn blobs_without_other_users_are_dropped_at_the_limit() {
        let mut blobs = BlobCache::default();
        let blob = || Arc::from(vec![0_u8; MAX_CACHED_BYTES / 4]);
        let held: Arc<[u8]> = blob();
        blobs.keep("held", &held);
        for number in 0..20 {
            blobs.keep(&number.to_string(), &blob());
            assert!(blobs.bytes <= MAX_CACHED_BYTES + held.len(), "{} bytes", blobs.bytes);
        }
        assert!(blobs.get("held").is_some());
        assert!(blobs.get("0").is_none());
    }
}
