//! `cargo fuzz run --fuzz-dir tests/fuzz printer`:
//! the laws are those of [`kzui_fuzz::printer`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::printer(bytes));
