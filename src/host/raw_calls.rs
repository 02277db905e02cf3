//! System calls that the compiler cannot check.

/// Gives free memory back to the system. glibc keeps it otherwise: a build on another thread leaves as much as it
/// needed at its highest, in pieces between what stays. Other systems give it back by themselves.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "no argument of it can be wrong")]
pub fn give_memory_back() {
    // SAFETY: `malloc_trim` asks nothing of its caller, takes its own locks, and touches free memory alone
    // (malloc_trim(3)).
    let _ = unsafe { libc::malloc_trim(0) };
}

/// Gives free memory back to the system: this one does so by itself.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_memory_back() {}

/// Makes a program end with the thread that starts it, and so with this process, however that ends. The thread has to
/// wait for the program.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library has no safe way to ask for this signal")]
pub(super) fn end_with_this_thread(command: &mut std::process::Command) {
    use std::os::unix::process::CommandExt as _;

    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

    let parent = getpid();
    let ask = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // A parent that ended before this call sends no signal any more.
        if getppid() == Some(parent) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
    };
    // SAFETY: between fork and exec the closure makes system calls alone; it takes no lock and allocates nothing.
    unsafe {
        command.pre_exec(ask);
    }
}

/// A killed process leaves its programs running: this system has no signal for it.
#[cfg(not(target_os = "linux"))]
pub(super) fn end_with_this_thread(_command: &mut std::process::Command) {}
