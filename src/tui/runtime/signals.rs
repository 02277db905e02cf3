//! Signals from outside. A signal that ends this process restores the terminal first, whatever the
//! loop is doing.

use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::time::Duration;

use crossbeam_channel::Sender;

use super::super::message::Message;
use super::super::ports::WorkbenchPorts;
use super::terminal::{self, TerminalLoan};

#[cfg(unix)]
const MAX_NOTICE_DURATION: Duration = Duration::from_millis(50);
/// Time limit for the loop to end after it noticed a signal: the draft is kept first.
#[cfg(unix)]
const MAX_LOOP_END_DURATION: Duration = Duration::from_secs(3);

/// Ends this process if the loop does not end it.
pub(super) struct ForcedEnd {
    lent: Arc<TerminalLoan>,
    outside: Arc<dyn WorkbenchPorts>,
    /// A signal was passed to the loop.
    #[cfg(unix)]
    asked: AtomicBool,
    noticed: AtomicBool,
}

impl ForcedEnd {
    pub(super) fn new(lent: Arc<TerminalLoan>, outside: Arc<dyn WorkbenchPorts>) -> Self {
        Self {
            lent,
            outside,
            #[cfg(unix)]
            asked: AtomicBool::default(),
            noticed: AtomicBool::default(),
        }
    }

    /// Notes that the loop has received the signal and is ending.
    pub(super) fn request_stop(&self) {
        self.noticed.store(true, Ordering::SeqCst);
    }

    /// Passes a signal to the loop, and ends this process if the loop does not react. A second
    /// signal ends the process at once.
    #[cfg(unix)]
    fn ask(self: &Arc<Self>, signal: i32, news: &Sender<Message>) {
        if self.asked.swap(true, Ordering::SeqCst) && !self.lent.is_lent() {
            self.end(signal);
        }
        // Fails if the loop has already ended.
        let _ = news.send(Message::Terminated);
        let own = self.clone();
        terminal::spawn_helper_thread("ending", move || {
            // An editor with the terminal is asked to end first.
            let limit =
                if own.lent.is_lent() { MAX_LOOP_END_DURATION } else { MAX_NOTICE_DURATION };
            std::thread::sleep(limit);
            if own.noticed.load(Ordering::SeqCst) {
                std::thread::sleep(MAX_LOOP_END_DURATION);
            }
            own.end(signal);
        });
    }

    /// Restores the terminal and ends this process by a signal, with all programs that it started.
    pub(super) fn end(&self, signal: i32) -> ! {
        if !self.lent.is_lent() {
            terminal::restore_terminal_at_exit(&self.lent);
        }
        self.outside.end_programs();
        #[cfg(unix)]
        {
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            signal_hook::low_level::exit(128 + signal)
        }
        #[cfg(not(unix))]
        std::process::exit(128 + signal)
    }
}

/// The last signal that stopped or continued this process. Only Unix has such signals.
#[derive(Clone, Default)]
pub(super) struct StopSignal(#[cfg(unix)] Arc<AtomicUsize>);

#[cfg(unix)]
impl StopSignal {
    pub(super) fn is_stop(&self) -> bool {
        self.0.load(Ordering::SeqCst) == signal_number(signal_hook::consts::SIGTSTP)
    }

    /// Records a stop by key, as the handler does for a signal. False if no shell could continue
    /// this process.
    pub(super) fn note_key(&self) -> bool {
        self.0.store(signal_number(signal_hook::consts::SIGTSTP), Ordering::SeqCst);
        // A stop affects all processes of the group: if the session leader is one of them, no shell
        // is left to continue it.
        rustix::process::getsid(None) != Ok(rustix::process::getpgrp())
    }

    /// Stops all processes of the group, since the shell also waits for a script that started this
    /// process. Has no effect if a continue signal came last.
    pub(super) fn stop_process_group(&self) -> std::io::Result<()> {
        use rustix::process::{Signal, getpgrp, kill_process_group};
        if self.is_stop() {
            kill_process_group(getpgrp(), Signal::STOP)?;
        }
        Ok(())
    }
}

#[cfg(unix)]
fn signal_number(signal: i32) -> usize {
    usize::try_from(signal).unwrap_or_default()
}

#[cfg(not(unix))]
impl StopSignal {
    pub(super) fn is_stop(&self) -> bool {
        false
    }

    pub(super) fn note_key(&self) -> bool {
        false
    }

    pub(super) fn stop_process_group(&self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Passes signals to the loop. Returns the last signal that stopped or continued this process.
#[cfg(unix)]
pub(super) fn listen_to_signals(
    news: Sender<Message>,
    lent: Arc<TerminalLoan>,
    forced: Arc<ForcedEnd>,
) -> StopSignal {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGSTOP, SIGTERM, SIGTSTP};
    let last_stop = StopSignal::default();
    for signal in [SIGTSTP, SIGCONT] {
        let number = signal_number(signal);
        // Recorded in the handler itself, because the thread below receives two pending signals in
        // any order.
        let _ = signal_hook::flag::register_usize(signal, last_stop.0.clone(), number);
    }
    let asking = [SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT];
    let all = asking.into_iter().chain(ENDING_SIGNALS).chain([SIGQUIT]);
    let Ok(mut signals) = signal_hook::iterator::Signals::new(all) else { return last_stop };
    terminal::spawn_helper_thread("signals", move || {
        for signal in signals.forever() {
            let message = match signal {
                // While an editor has the terminal, the editor is stopped together with this
                // process.
                SIGTSTP if lent.is_lent() => {
                    let _ = signal_hook::low_level::raise(SIGSTOP);
                    continue;
                }
                // While an editor has the terminal, its keys are for the editor.
                SIGINT | SIGQUIT if lent.is_lent() => continue,
                SIGTSTP => Message::Stopped,
                SIGCONT => Message::Continued,
                SIGTERM | SIGHUP | SIGINT => {
                    forced.ask(signal, &news);
                    continue;
                }
                _ => forced.end(signal),
            };
            if news.send(message).is_err() {
                return;
            }
        }
    });
    last_stop
}

/// The signals that end a process by default and can be handled.
#[cfg(unix)]
const ENDING_SIGNALS: [i32; 8] = {
    use signal_hook::consts::{
        SIGABRT, SIGALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    };
    [SIGABRT, SIGALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ]
};

#[cfg(not(unix))]
pub(super) fn listen_to_signals(
    _: Sender<Message>,
    _: Arc<TerminalLoan>,
    _: Arc<ForcedEnd>,
) -> StopSignal {
    StopSignal::default()
}
