//! Many builds in one process, on all cores.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::engine::evaluate::{BuildCache, BuildOptions, Evaluation, Ports, STACK, evaluate};

/// Builds each target without a shared cache, and applies `keep` to each evaluation. Results are in
/// the order of the targets.
pub fn build_targets_separately<T: Send>(
    targets: &[PathBuf],
    options: &BuildOptions,
    ports: &Ports,
    keep: impl Fn(&Path, Evaluation) -> T + Sync,
) -> Vec<T> {
    let one = |target: &PathBuf| {
        let mut memory = BuildCache::disabled();
        let name = target.to_string_lossy();
        let evaluation = evaluate(&name, target, options, ports, &mut memory);
        keep(target, evaluation)
    };
    map_slice_in_parallel(targets, one)
}

/// The limit on neighbouring targets that are built in sequence with one cache.
pub const MAX_TARGETS_PER_CACHE: usize = 24;

pub(super) const FILES_PER_PART: usize = 64;

/// Receives the number of finished builds and the number of all builds.
pub type BuildProgress = Arc<dyn Fn(usize, usize) + Send + Sync>;

/// Builds each target for its output, and applies `keep` to each evaluation, whose steps have no
/// changes. Neighbouring targets share a cache, so that a common base is built once for them.
/// Results are in the order of the targets.
pub fn build_outputs<T: Send>(
    targets: &[PathBuf],
    current: &Path,
    (options, ports): (&BuildOptions, &Ports),
    keep: impl Fn(&Path, Evaluation) -> T + Sync,
) -> Vec<T> {
    let new_cache = || BuildCache::default().without_changes();
    map_with_cache(targets, (MAX_TARGETS_PER_CACHE, new_cache), |target, memory| {
        let name = target.to_string_lossy();
        keep(target, evaluate(&name, current, options, ports, memory))
    })
}

/// Applies `work` to each item, on all cores. Up to `together` neighbours are handled in sequence, with
/// one cache. Results are in the order of the items.
pub fn map_with_cache<T: Sync, C, R: Send>(
    items: &[T],
    (together, new_cache): (usize, impl Fn() -> C + Sync),
    work: impl Fn(&T, &mut C) -> R + Sync,
) -> Vec<R> {
    let parts = map_in_parallel(items.chunks(together).collect(), |part| {
        let mut cache = new_cache();
        part.iter().map(|item| work(item, &mut cache)).collect::<Vec<R>>()
    });
    parts.into_iter().flatten().collect()
}

/// Applies `work` to each item, on all cores. Results are in the order of the items. `work` may
/// build targets.
pub fn map_slice_in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    map_in_parallel(items.iter().collect(), work)
}

/// Like [`map_slice_in_parallel`], for items that are passed by value. Nested calls use the threads of the
/// outer call.
pub fn map_in_parallel<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    if items.len() < 2 {
        return items.into_iter().map(work).collect();
    }
    let all = |items: Vec<T>| items.into_par_iter().with_max_len(1).map(&work).collect();
    if rayon::current_thread_index().is_some() {
        return all(items);
    }
    match new_pool() {
        Ok(pool) => pool.install(|| all(items)),
        Err(_) => items.into_iter().map(work).collect(),
    }
}

pub fn map_pair_in_parallel<T: Send, R: Send>(
    (one, other): (T, T),
    work: impl Fn(T) -> R + Sync,
) -> (R, R) {
    if rayon::current_thread_index().is_some() {
        return rayon::join(|| work(one), || work(other));
    }
    match new_pool() {
        Ok(pool) => pool.install(|| rayon::join(|| work(one), || work(other))),
        Err(_) => (work(one), work(other)),
    }
}

/// Threads with large stacks: bases may be nested deeply, and rayon's global pool has small stacks.
fn new_pool() -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new().stack_size(STACK).build()
}
