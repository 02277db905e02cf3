//! `cargo fuzz run --fuzz-dir tests/fuzz json_patch`:
//! the laws are those of [`kzui_fuzz::json_patch`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::json_patch(bytes));
