//! `cargo fuzz run --fuzz-dir tests/fuzz trees`:
//! the laws are those of [`kzui_fuzz::trees`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::trees(bytes));
