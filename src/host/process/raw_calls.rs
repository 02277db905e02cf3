//! System calls that the standard library lacks.

/// Returns free memory to the system. glibc would keep it: after a build on another thread, the
/// peak use remains, in pieces between live allocations. Other systems return memory without a
/// call.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "no argument of it can be wrong")]
pub fn give_memory_back() {
    // SAFETY: `malloc_trim` has no preconditions, takes its own locks, and touches free memory
    // alone (malloc_trim(3)).
    let _ = unsafe { libc::malloc_trim(0) };
}

/// No effect: this system gets free memory back without a call.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_memory_back() {}

/// Makes a program end with the thread that starts it, and so with this process, however it ends.
/// The thread must wait for the program.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library has no safe way to ask for this signal")]
pub(in crate::host) fn end_with_this_thread(command: &mut std::process::Command) {
    use std::os::unix::process::CommandExt as _;

    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

    let parent = getpid();
    let ask = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // A parent that ended before this call sends no signal any more.
        if getppid() == Some(parent) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
    };
    // SAFETY: between fork and exec the closure only makes system calls; it takes no lock and does
    // not allocate.
    unsafe {
        command.pre_exec(ask);
    }
}

/// No effect: this system cannot end the programs of a killed process.
#[cfg(not(target_os = "linux"))]
pub(in crate::host) fn end_with_this_thread(_command: &mut std::process::Command) {}

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
