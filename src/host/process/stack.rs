//! Stack size for the deepest kustomizations.

/// Lets the stack of the main thread grow to this many bytes; false if the system does not allow
/// it.
///
/// Linux checks the limit when the stack grows, and keeps 128 MiB free below it. Another thread
/// could have a large stack too, but the system's allocator gives such a thread its memory page by
/// page: one call for each page, thousands for a large build.
pub fn grow_stack(bytes: u64) -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let now = getrlimit(Resource::Stack);
        let is_enough = |limit: Option<u64>| limit.is_none_or(|limit| limit >= bytes);
        is_enough(now.current)
            || is_enough(now.maximum)
                && setrlimit(Resource::Stack, Rlimit { current: Some(bytes), ..now }).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = bytes;
        false
    }
}
