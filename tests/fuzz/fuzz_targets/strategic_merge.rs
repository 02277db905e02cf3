//! `cargo fuzz run --fuzz-dir tests/fuzz strategic_merge`:
//! the laws are those of [`kzui_fuzz::strategic_merge`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::strategic_merge(bytes));
