//! `cargo fuzz run --fuzz-dir tests/fuzz edits`:
//! the laws are those of [`kzui_fuzz::edits`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::edits(bytes));
