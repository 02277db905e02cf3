//! Shares the memory of texts that occur repeatedly.

use std::sync::Arc;

use super::lists::OpenLists;

const MIN_SLOTS: usize = 64;
const MAX_SLOTS: usize = 2048;
const MAX_TEXT_BYTES: usize = 64;

/// Recently seen short texts, each in the slot of its hash: a cache of fixed size, independent of
/// the input.
pub struct TextCache {
    slots: Vec<Option<Arc<str>>>,
    empty: Arc<str>,
    /// Lists that are filled while a document is read, and kept for the next one.
    pub(super) lists: OpenLists,
}

impl TextCache {
    /// A cache whose size suits a text of `bytes` bytes.
    pub fn for_text_size(bytes: usize) -> Self {
        let slots = (bytes / 16).next_power_of_two().clamp(MIN_SLOTS, MAX_SLOTS);
        Self { slots: vec![None; slots], empty: Arc::from(""), lists: OpenLists::default() }
    }

    /// The text, shared with an earlier equal one if that is still cached.
    pub(super) fn share(&mut self, text: &str) -> Arc<str> {
        if text.is_empty() {
            return Arc::clone(&self.empty);
        }
        if text.len() > MAX_TEXT_BYTES {
            return Arc::from(text);
        }
        let place = hash(text.as_bytes()) & (self.slots.len() - 1);
        let slot = &mut self.slots[place];
        match slot {
            Some(known) if **known == *text => Arc::clone(known),
            _ => Arc::clone(slot.insert(Arc::from(text))),
        }
    }
}

fn hash(text: &[u8]) -> usize {
    const PRIME: u64 = 0x517c_c1b7_2722_0a95;
    let mix = |state: u64, word: u64| (state.rotate_left(5) ^ word).wrapping_mul(PRIME);
    let mut state = text.len() as u64;
    // The bytes after the last complete word of eight bytes are hashed together with bytes before
    // them.
    match (text.last_chunk::<8>(), text.first_chunk::<4>(), text.last_chunk::<4>()) {
        (Some(last), ..) => {
            for word in text.as_chunks::<8>().0 {
                state = mix(state, u64::from_le_bytes(*word));
            }
            state = mix(state, u64::from_le_bytes(*last));
        }
        (None, Some(first), Some(last)) => {
            let [first, last] = [first, last].map(|half| u64::from(u32::from_le_bytes(*half)));
            state = mix(state, first << 32 | last);
        }
        _ => state = text.iter().fold(state, |state, byte| mix(state, u64::from(*byte))),
    }
    usize::try_from(state >> 40).unwrap_or(0)
}
