//! The number of a resource in a build, and maps that are keyed by it.

use std::hash::{BuildHasherDefault, Hasher};

use indexmap::{IndexMap, IndexSet};

/// The number of a resource in a build. It stays the same when the resource is renamed or edited,
/// and is never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// A map keyed by slot. The engine assigns slots consecutively, so that input cannot cause hash
/// collisions.
pub(super) type SlotMap<V> = IndexMap<Slot, V, BuildHasherDefault<SlotHasher>>;

/// A map for keys that come from the input, such as names and ids: its hash is seeded, so that
/// input cannot cause collisions, and faster than that of the standard library.
pub type QuickMap<K, V> = IndexMap<K, V, foldhash::fast::RandomState>;

/// A set of keys from the input, as [`QuickMap`].
pub type QuickSet<T> = IndexSet<T, foldhash::fast::RandomState>;

/// The hasher for slots: spreads a consecutive number over all bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SlotHasher(u64);

impl Hasher for SlotHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        let mixed = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
