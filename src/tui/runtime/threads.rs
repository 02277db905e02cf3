//! Threads that build.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::evaluate::STACK;

/// Starts a thread for work whose end is reported by a message. If it cannot start, the screen
/// keeps showing that the work is running.
pub(super) fn spawn_work(name: &str, work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK);
    let _ = thread.spawn(work);
}

/// The result of work; a crash in it is reported as a defect of kzui.
pub(super) fn catch_crash<T>(
    name: &str,
    work: impl FnOnce() -> Result<T, String>,
) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(format!("{name} crashed kzui's engine: please report it")))
}
