//! `cargo fuzz run --fuzz-dir tests/fuzz faces`: what it asserts stands at [`kzui_fuzz::faces`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::faces(bytes));
