//! `cargo fuzz run --fuzz-dir tests/fuzz references`: what it asserts stands at [`kzui_fuzz::references`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::references(bytes));
