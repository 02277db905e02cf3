//! Tells which mutant is on: the variable `MUTANT` has its number. Not part of kzui: the mutants
//! tool writes this file into its copy of the engine.

use std::io::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The state of the switch in a test program.
struct Switch {
    chosen: Option<usize>,
    /// The folder that records the mutants that are reached, in one file per process.
    notes: Option<std::path::PathBuf>,
    noted: Vec<AtomicBool>,
}

static SWITCH: OnceLock<Switch> = OnceLock::new();

fn switch() -> Switch {
    let notes = std::env::var_os("MUTANTS_REACHED").map(std::path::PathBuf::from);
    let many = if notes.is_some() { 100_000 } else { 0 };
    Switch {
        chosen: std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()),
        notes,
        noted: (0..many).map(|_| AtomicBool::new(false)).collect(),
    }
}

/// True if this mutant is on.
#[must_use]
pub fn on(number: usize) -> bool {
    let switch = SWITCH.get_or_init(switch);
    if let (Some(folder), Some(noted)) = (&switch.notes, switch.noted.get(number))
        && !noted.swap(true, Ordering::Relaxed)
    {
        let path = folder.join(std::process::id().to_string());
        if let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path) {
            let _ = file.write_all(format!("{number}\n").as_bytes());
        }
    }
    switch.chosen == Some(number)
}
