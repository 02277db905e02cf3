//! `cargo fuzz run --fuzz-dir tests/fuzz compositions`:
//! the laws are those of [`kzui_fuzz::compositions`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::compositions(bytes));
