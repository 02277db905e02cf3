//! `cargo fuzz run --fuzz-dir tests/fuzz source_maps`:
//! the laws are those of [`kzui_fuzz::source_maps`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::source_maps(bytes));
