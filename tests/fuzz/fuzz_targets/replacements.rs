//! `cargo fuzz run --fuzz-dir tests/fuzz replacements`:
//! the laws are those of [`kzui_fuzz::replacements`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::replacements(bytes));
