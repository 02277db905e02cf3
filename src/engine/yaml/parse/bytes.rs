//! Checks of all bytes of a text, many at a time.

pub(crate) struct Bytes([bool; 256]);

impl Bytes {
    pub(crate) const fn from_bytes(bytes: &[u8]) -> Self {
        let mut has = [false; 256];
        let mut at = 0;
        while at < bytes.len() {
            has[bytes[at] as usize] = true;
            at += 1;
        }
        Self(has)
    }

    pub(crate) const fn with_letters_and_digits(mut self) -> Self {
        let mut byte = 0_u8;
        while byte < 0x80 {
            self.0[byte as usize] |= byte.is_ascii_alphanumeric();
            byte += 1;
        }
        self
    }

    pub(crate) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }
}

/// True if `holds` returns true for every byte. Bytes are checked in chunks, which is faster than
/// stopping at the first failure.
pub(super) fn all_bytes(text: &[u8], holds: impl Fn(u8) -> bool) -> bool {
    text.chunks(256).all(|some| all_of(some, &holds))
}

/// Same as [`all_bytes`], for a short text.
pub(super) fn all_of(bytes: &[u8], holds: impl Fn(u8) -> bool) -> bool {
    bytes.iter().fold(true, |all, byte| all & holds(*byte))
}
