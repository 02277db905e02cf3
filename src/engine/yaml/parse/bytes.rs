//! Bytes of a text, looked at many at a time.

/// True when this holds of every byte. Some bytes are looked at together: to stop at the first takes longer.
pub(super) fn all_bytes(text: &[u8], holds: impl Fn(u8) -> bool) -> bool {
    text.chunks(64).all(|some| all_of(some, &holds))
}

/// The first newline from a place on.
pub(super) fn find_newline(text: &[u8], from: usize) -> Option<usize> {
    let rest = &text[from..];
    let has_none = |some: &&[u8]| all_of(some, |byte| byte != b'\n');
    let skipped = rest.chunks_exact(32).take_while(has_none).count() * 32;
    rest[skipped..].iter().position(|byte| *byte == b'\n').map(|at| from + skipped + at)
}

fn all_of(bytes: &[u8], holds: impl Fn(u8) -> bool) -> bool {
    bytes.iter().fold(true, |all, byte| all & holds(*byte))
}
