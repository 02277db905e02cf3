//! The thread that reads keys, mouse and sizes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, SendTimeoutError, Sender, bounded};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};

use super::super::message::Message;
use super::background::{KeyMeaning, PendingAnswer};
use super::signals::ForcedEnd;
use super::terminal::{self, TerminalLoan};

/// The time that the loop may spend on an event before the reader looks for ctrl-c in later events.
const READ_AHEAD_DELAY: Duration = Duration::from_millis(100);
const SIGINT: i32 = 2;

/// Starts the thread. It sends each event and waits until the loop has handled it, so that it takes
/// no keys from an editor to which the terminal is lent. While the loop is busy, the thread only
/// looks for ctrl-c: a second ctrl-c that the loop has not handled ends this process.
pub(super) fn read_terminal(
    events: Sender<(Message, Sender<()>)>,
    news: Sender<Message>,
    mut background: PendingAnswer,
    lent: Arc<TerminalLoan>,
    forced: Arc<ForcedEnd>,
) {
    terminal::spawn_helper_thread("terminal", move || {
        let (done, may_read) = bounded(1);
        let mut ahead = VecDeque::new();
        while let Some(event) = ahead.pop_front().or_else(|| crossterm::event::read().ok()) {
            let in_hand = usize::from(is_interrupt(&event));
            let message = match event {
                Event::Key(key) => match background.classify(&key, Instant::now()) {
                    KeyMeaning::Key => Message::Key(key),
                    KeyMeaning::Light => Message::LightBackground,
                    KeyMeaning::Answer => continue,
                },
                Event::Mouse(mouse) => Message::Mouse(mouse),
                Event::Paste(text) => Message::Pasted(text),
                Event::Resize(columns, rows) => Message::Resized(columns, rows),
                Event::FocusGained | Event::FocusLost => continue,
            };
            let mut look_ahead = || {
                lent.unless_lent(|| read_available(&mut ahead));
                if in_hand + ahead.iter().filter(|event| is_interrupt(event)).count() > 1 {
                    forced.end(SIGINT);
                }
            };
            let mut sent = events.send_timeout((message, done.clone()), READ_AHEAD_DELAY);
            while let Err(SendTimeoutError::Timeout(event)) = sent {
                look_ahead();
                sent = events.send_timeout(event, READ_AHEAD_DELAY);
            }
            if sent.is_err() {
                return;
            }
            loop {
                match may_read.recv_timeout(READ_AHEAD_DELAY) {
                    Ok(()) => break,
                    Err(RecvTimeoutError::Timeout) => look_ahead(),
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        }
        let _ = news.send(Message::Terminated);
    });
}

fn read_available(ahead: &mut VecDeque<Event>) {
    while crossterm::event::poll(Duration::ZERO).unwrap_or(false)
        && let Ok(event) = crossterm::event::read()
    {
        ahead.push_back(event);
    }
}

fn is_interrupt(event: &Event) -> bool {
    matches!(event, Event::Key(key) if key.code == KeyCode::Char('c')
        && key.modifiers == KeyModifiers::CONTROL
        && key.kind == KeyEventKind::Press)
}
