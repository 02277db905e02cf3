//! Memory that is free.

/// Gives the memory that is free back to the system. glibc keeps it otherwise: a build on another thread leaves as much as it
/// needed at its highest, in pieces between what stays. Other systems give it back by themselves.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the only door to it; nothing of it can be wrong")]
pub fn give_memory_back() {
    // SAFETY: `malloc_trim` asks nothing of who calls it, takes its own locks, and touches free memory alone (malloc_trim(3)).
    let _ = unsafe { libc::malloc_trim(0) };
}

/// Gives the memory that is free back to the system: this one does so by itself.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_memory_back() {}
