//! Any bytes, decoded as a kustomization file and as what it may bring with it: no panic, no hang.
//!
//! Run with `cargo fuzz run --fuzz-dir tests/fuzz kustomization`.
#![no_main]

use kzui::engine::manifest::{decode_kustomization, decode_replacements};
use kzui::engine::yaml::SourceId;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = decode_kustomization(bytes, SourceId(1));
    let _ = decode_replacements(bytes, SourceId(1));
});
