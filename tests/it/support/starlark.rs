//! The interpreter of Starlark, a program that only `cargo build --workspace` and `cargo test
//! --workspace` build.

use std::path::Path;
use std::sync::LazyLock;

use kzui::engine::plugin::{
    NoPrograms, Program, ProgramError, ProgramResult, Programs, STARLARK_PROGRAM,
};
use kzui::host::Processes;

/// False, with a message, if a test that evaluates scripts has to be skipped. With the variable
/// `KZUI_NEEDS_STARLARK`, which `.ci/run` sets, the test fails instead.
pub(crate) fn has_starlark() -> bool {
    let is_built = Path::new(env!("CARGO_BIN_EXE_kzui")).with_file_name(STARLARK_PROGRAM).exists();
    assert!(is_built || std::env::var_os("KZUI_NEEDS_STARLARK").is_none(), "no {STARLARK_PROGRAM}");
    if !is_built {
        eprintln!("skipped: {STARLARK_PROGRAM} is not built (cargo build --workspace)");
    }
    is_built
}

/// Evaluates scripts, and runs no other programs.
pub(crate) struct OnlyScripts;

/// Runs the interpreter of scripts in a confined process.
static PROCESSES: LazyLock<Processes> =
    LazyLock::new(|| Processes::with_confiner(env!("CARGO_BIN_EXE_kzui")));

impl Programs for OnlyScripts {
    fn run(
        &self,
        program: &Program,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError> {
        if program.command == STARLARK_PROGRAM {
            PROCESSES.run(program, is_cancelled)
        } else {
            NoPrograms.run(program, is_cancelled)
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        NoPrograms.variable(name)
    }
}
