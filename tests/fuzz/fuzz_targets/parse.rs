//! Any bytes, read as resources and as configuration: no panic, no hang.
//!
//! Run with `cargo fuzz run --fuzz-dir tests/fuzz parse`.
#![no_main]

use kzui::engine::yaml::{Limits, SourceId, parse_config, parse_documents};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { alias_nodes: 10_000, ..Limits::default() };
    let _ = parse_documents(bytes, SourceId(1), limits);
    let _ = parse_config(bytes, SourceId(1), limits);
});
