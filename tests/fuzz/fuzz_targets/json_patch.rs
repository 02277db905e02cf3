//! The text before the first line of dashes is a resource, the rest a JSON6902 patch for it.
//!
//! Run with `cargo fuzz run --fuzz-dir tests/fuzz json_patch`.
#![no_main]

use kzui::engine::transform::JsonPatch;
use kzui::engine::yaml::{Limits, SourceId, parse_documents};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { alias_nodes: 10_000, ..Limits::default() };
    let cut = bytes.windows(5).position(|window| window == b"\n---\n").unwrap_or(bytes.len());
    let patch = bytes.get(cut + 5..).unwrap_or_default();
    let Ok(file) = parse_documents(&bytes[..cut], SourceId(1), limits) else { return };
    let Ok(Some(patch)) = JsonPatch::parse(patch, SourceId(2), 1, limits) else { return };
    for document in file.documents {
        let mut node = document.node;
        let _ = patch.apply(&mut node);
    }
});
