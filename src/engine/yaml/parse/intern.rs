//! Texts that occur again and again share their memory.

use std::sync::Arc;

const FEWEST: usize = 64;
const MOST: usize = 2048;
const LONGEST: usize = 64;

/// The short texts seen lately, each in the one slot that its hash gives it: a cache, not a table, so that it
/// stays small on any input.
pub struct Texts {
    slots: Vec<Option<Arc<str>>>,
    empty: Arc<str>,
}

impl Texts {
    /// For that many bytes of text.
    pub fn of(bytes: usize) -> Self {
        let slots = (bytes / 16).next_power_of_two().clamp(FEWEST, MOST);
        Self { slots: vec![None; slots], empty: Arc::from("") }
    }

    /// The text, shared with an earlier one where it is still known.
    pub(super) fn share(&mut self, text: &str) -> Arc<str> {
        if text.is_empty() {
            return Arc::clone(&self.empty);
        }
        if text.len() > LONGEST {
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
    let (words, rest) = text.as_chunks::<8>();
    let mut state = text.len() as u64;
    let mix = |state: u64, word: u64| (state.rotate_left(5) ^ word).wrapping_mul(PRIME);
    for word in words {
        state = mix(state, u64::from_le_bytes(*word));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    state = mix(state, u64::from_le_bytes(last));
    usize::try_from(state >> 40).unwrap_or(0)
}
