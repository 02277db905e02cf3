//! Work on many files at once.

use rayon::prelude::*;

/// Files in one list that make up for starting threads, and bytes: a thread costs, with the memory of its own that it
/// asks for, what it takes to parse some hundred kilobytes.
pub(super) const MANY_FILES: usize = 1024;
pub(super) const MANY_BYTES: usize = 1 << 20;

/// Does work on all items, on several threads when there is enough of it. What `begin` gives is passed from one item to
/// the next of the same thread.
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
