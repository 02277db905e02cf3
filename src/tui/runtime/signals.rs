//! Signals from outside. Whatever of them would end this process, the terminal is given back first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crossbeam_channel::Sender;

use super::super::message::Message;

/// Tells the loop of signals. What is given back is the last of those that stop this process and let it go on.
#[cfg(unix)]
pub(super) fn listen_to_signals(news: Sender<Message>, lent: Arc<AtomicBool>) -> Arc<AtomicUsize> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGSTOP, SIGTERM, SIGTSTP};
    let last_stop = Arc::new(AtomicUsize::new(0));
    for signal in [SIGTSTP, SIGCONT] {
        let number = usize::try_from(signal).unwrap_or_default();
        // Noted in the handler itself: the thread below hears of two at a time in no order.
        let _ = signal_hook::flag::register_usize(signal, last_stop.clone(), number);
    }
    let asking = [SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT];
    let all = asking.into_iter().chain(ENDING).chain([SIGQUIT]);
    let Ok(mut signals) = signal_hook::iterator::Signals::new(all) else { return last_stop };
    super::terminal::helper("signals", move || {
        for signal in signals.forever() {
            let is_lent = lent.load(Ordering::SeqCst);
            let message = match signal {
                // An editor has the terminal and is stopped, and so is who waits for it.
                SIGTSTP if is_lent => {
                    let _ = signal_hook::low_level::raise(SIGSTOP);
                    continue;
                }
                // What is typed into an editor is for the editor.
                SIGINT | SIGQUIT if is_lent => continue,
                SIGTSTP => Message::Stopped,
                SIGCONT => Message::Continued,
                SIGTERM | SIGHUP | SIGINT => Message::Terminated,
                _ => {
                    if !is_lent {
                        super::terminal::give_back();
                    }
                    let _ = signal_hook::low_level::emulate_default_handler(signal);
                    continue;
                }
            };
            if news.send(message).is_err() {
                return;
            }
        }
    });
    last_stop
}

/// What ends a process that does not listen, and can be listened to.
#[cfg(unix)]
const ENDING: [i32; 8] = {
    use signal_hook::consts::{
        SIGABRT, SIGALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    };
    [SIGABRT, SIGALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ]
};

#[cfg(not(unix))]
pub(super) fn listen_to_signals(_: Sender<Message>, _: Arc<AtomicBool>) -> Arc<AtomicUsize> {
    Arc::default()
}
