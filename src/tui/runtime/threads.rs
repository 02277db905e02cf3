//! Threads that build, and the requests whose results are still needed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::ports::MAX_NEEDED_WORK;
use crate::engine::evaluate::{Cancel, STACK};

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

/// The numbers of the requests whose results are still needed.
#[derive(Clone, Default)]
pub(super) struct NeededRequests(Arc<[AtomicU64; MAX_NEEDED_WORK]>);

impl NeededRequests {
    /// Cancels all requests but these. A needed request keeps its place in the list.
    pub(super) fn keep_only(&self, requests: &[u64]) {
        let none = std::iter::repeat(&0);
        for (needed, request) in self.0.iter().zip(requests.iter().chain(none)) {
            needed.store(*request, Ordering::Relaxed);
        }
    }

    /// The cancel signal of a request, which is set once its result is no longer needed.
    pub(super) fn signal(&self, request: u64) -> Arc<dyn Cancel> {
        Arc::new(RequestSignal { request, needed: self.clone() })
    }
}

struct RequestSignal {
    request: u64,
    needed: NeededRequests,
}

impl Cancel for RequestSignal {
    fn is_cancelled(&self) -> bool {
        self.needed.0.iter().all(|needed| needed.load(Ordering::Relaxed) != self.request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparison_is_cancelled_by_a_newer_request() {
        let comparing = NeededRequests::default();
        let is_cancelled = |request| comparing.signal(request).is_cancelled();
        comparing.keep_only(&[1, 2]);
        assert!(!is_cancelled(1) && !is_cancelled(2) && is_cancelled(3));
        comparing.keep_only(&[3, 2]);
        assert!(is_cancelled(1) && !is_cancelled(2) && !is_cancelled(3));
        comparing.keep_only(&[]);
        assert!(is_cancelled(2) && is_cancelled(3));
    }
}
