//! Bounds against hostile input.

/// The limits of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub depth: usize,
    /// Nodes created by alias expansion, per text.
    pub alias_nodes: usize,
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 250, alias_nodes: 1_000_000, bytes: 256 << 20 }
    }
}
