//! `cargo fuzz run --fuzz-dir tests/fuzz edits`: what it asserts stands at [`kzui_fuzz::edits`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::edits(bytes));
