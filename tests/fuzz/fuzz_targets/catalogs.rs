//! `cargo fuzz run --fuzz-dir tests/fuzz catalogs`:
//! the laws are those of [`kzui_fuzz::catalogs`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::catalogs(bytes));
