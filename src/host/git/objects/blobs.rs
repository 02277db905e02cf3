//! Blobs that were read, shared by the commits that have them.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The limit of bytes of blobs without another user.
const KEPT_BYTES: usize = 128 << 20;

/// Blobs by ID. Blobs that a build or a comparison also holds cost no memory here; of the others at
/// most [`KEPT_BYTES`] are kept.
#[derive(Debug, Default)]
pub(super) struct BlobCache {
    by_id: BTreeMap<String, Arc<[u8]>>,
    bytes: usize,
    /// The number of bytes at which blobs without another user are dropped.
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
        if self.bytes > self.room.max(KEPT_BYTES) {
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
    fn blobs_without_another_user_are_dropped_at_the_limit() {
        let mut blobs = BlobCache::default();
        let blob = || Arc::from(vec![0_u8; KEPT_BYTES / 4]);
        let held: Arc<[u8]> = blob();
        blobs.keep("held", &held);
        for number in 0..20 {
            blobs.keep(&number.to_string(), &blob());
            assert!(blobs.bytes <= KEPT_BYTES + held.len(), "{} bytes", blobs.bytes);
        }
        assert!(blobs.get("held").is_some());
        assert!(blobs.get("0").is_none());
    }
}
