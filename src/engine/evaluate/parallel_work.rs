//! Parallel work on many files.

use rayon::prelude::*;

/// Number of files, and bytes, from which threads pay off: starting a thread and its allocations
/// costs as much as parsing some hundred kilobytes.
pub(super) const THREAD_THRESHOLD_FILES: usize = 1024;
pub(super) const THREAD_THRESHOLD_BYTES: usize = 1 << 20;

/// Processes all items, on several threads if `is_enough`. The value of `begin` is passed from one
/// item to the next on the same thread.
pub(super) fn side_by_side<T: Sync, R: Send, C>(
    items: &[T],
    is_enough: bool,
    begin: impl Fn() -> C + Sync + Send,
    work: impl Fn(&mut C, &T) -> R + Sync + Send,
) -> Vec<R> {
    if is_enough {
        return items.par_iter().map_init(begin, work).collect();
    }
    let mut carried = begin();
    items.iter().map(|item| work(&mut carried, item)).collect()
}
