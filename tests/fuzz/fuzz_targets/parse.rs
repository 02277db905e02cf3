//! `cargo fuzz run --fuzz-dir tests/fuzz parse`:
//! the laws are those of [`kzui_fuzz::parse`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::parse(bytes));
