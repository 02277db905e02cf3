//! The text before the first line of dashes is a list of replacements, the rest are resources: a whole build.
//!
//! Run with `cargo fuzz run --fuzz-dir tests/fuzz replacements`.
#![no_main]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kzui::engine::evaluate::{BuildOptions, Cancel, Clock, Memory, Ports, evaluate};
use kzui::engine::function::NoPrograms;
use kzui::engine::load::{MemoryFiles, NoRemote};
use libfuzzer_sys::fuzz_target;

struct NoTime;

impl Clock for NoTime {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

struct Never;

impl Cancel for Never {
    fn is_cancelled(&self) -> bool {
        false
    }
}

fuzz_target!(|bytes: &[u8]| {
    let cut = bytes.windows(5).position(|window| window == b"\n---\n").unwrap_or(bytes.len());
    let files = MemoryFiles::default()
        .file("/k/kustomization.yaml", "resources: [r.yaml]\nreplacements: [{path: p.yaml}]\n")
        .file("/k/p.yaml", &bytes[..cut])
        .file("/k/r.yaml", bytes.get(cut + 5..).unwrap_or_default());
    let ports = Ports {
        files: Arc::new(files),
        remote: Arc::new(NoRemote),
        programs: Arc::new(NoPrograms),
        clock: Arc::new(NoTime),
        cancel: Arc::new(Never),
    };
    let options = BuildOptions::default();
    let _ = evaluate("/k", Path::new("/"), &options, &ports, &mut Memory::default());
});
