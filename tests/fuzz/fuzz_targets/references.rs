//! `cargo fuzz run --fuzz-dir tests/fuzz references`:
//! the laws are those of [`kzui_fuzz::references`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::references(bytes));
