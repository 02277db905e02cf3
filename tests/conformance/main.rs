//! Behaviour as data: one test per page under `tests/cases`, and one per case of the conformance corpora when they
//! stand beside the checkout (or where `KZUI_CONFORMANCE` says). Filter by name: `cargo test --test conformance names`.
//!
//! `UPDATE=1` rewrites the outputs in the pages and the list of pending corpus cases; read the diff before you keep it.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test says what is wrong by failing"
)]

#[path = "../it/support/blocks.rs"]
mod blocks;
mod corpora;
#[path = "../it/support/environment.rs"]
mod environment;
mod page;
mod program;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let mut trials = page::trials();
    let corpora = corpora::find_corpora();
    let (more, ledger) = corpora::trials(corpora.as_deref());
    trials.extend(more);
    let conclusion = libtest_mimic::run(&arguments, trials);
    corpora::report_missing_corpora(corpora.as_deref());
    if program::is_updating() {
        ledger.rewrite();
    }
    conclusion.exit_code()
}
