//! `cargo fuzz run --fuzz-dir tests/fuzz faces`:
//! the laws are those of [`kzui_fuzz::faces`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::faces(bytes));
