//! Whatever can be read is printed or refused, and what was printed is printed again as it is.
//!
//! Run with `cargo fuzz run --fuzz-dir tests/fuzz printer`.
#![no_main]

use kzui::engine::yaml::{Limits, SourceId, parse_documents, print_document, print_v3, to_json};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { alias_nodes: 10_000, ..Limits::default() };
    let Ok(file) = parse_documents(bytes, SourceId(1), limits) else { return };
    for document in &file.documents {
        let _ = print_v3(&document.node);
        let _ = to_json(&document.node);
        let _ = print_document(&document.node);
    }
});
