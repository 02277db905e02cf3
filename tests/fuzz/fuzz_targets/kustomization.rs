//! `cargo fuzz run --fuzz-dir tests/fuzz kustomization`:
//! the laws are those of [`kzui_fuzz::kustomization`].
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kzui_fuzz::kustomization(bytes));
