//! The thread that reads keys, mouse and sizes. It recognizes the terminal's reply about its
//! background colour, which arrives as key events.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, SendTimeoutError, Sender, bounded};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::message::Message;
use crate::runtime::signals::ForcedEnd;
use crate::runtime::terminal::{self, TerminalLoan};

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

/// The maximum delay of a reply: a later one has no effect, because the user is already looking at
/// the screen.
const MAX_REPLY_DELAY: Duration = Duration::from_millis(50);
/// After this time, keys are no longer taken for a reply.
const PATIENCE: Duration = Duration::from_secs(5);
const MAX_ANSWER_BYTES: usize = 40;

#[derive(Debug, Default)]
pub(super) struct PendingAnswer {
    asked: Option<Instant>,
    text: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum KeyMeaning {
    Key,
    Answer,
    /// A complete reply: the background is light.
    Light,
}

impl PendingAnswer {
    pub(super) fn new(asked: Option<Instant>) -> Self {
        Self { asked, text: None }
    }

    pub(super) fn classify(&mut self, key: &KeyEvent, now: Instant) -> KeyMeaning {
        let Some(took) = self.asked.map(|asked| now.saturating_duration_since(asked)) else {
            return KeyMeaning::Key;
        };
        let Some(text) = &mut self.text else {
            let begins = took < PATIENCE && is_key(key, KeyModifiers::ALT, ']');
            self.text = begins.then(String::new);
            return if begins { KeyMeaning::Answer } else { KeyMeaning::Key };
        };
        if is_key(key, KeyModifiers::ALT, '\\') || is_key(key, KeyModifiers::CONTROL, 'g') {
            let light = is_light(text) == Some(true) && took <= MAX_REPLY_DELAY;
            *self = Self::default();
            return if light { KeyMeaning::Light } else { KeyMeaning::Answer };
        }
        match key.code {
            KeyCode::Char(
                c @ ('0'..='9' | 'a'..='f' | 'A'..='F' | 'r' | 'g' | ';' | ':' | '/'),
            ) if text.len() < MAX_ANSWER_BYTES => {
                text.push(c);
                KeyMeaning::Answer
            }
            _ => {
                *self = Self::default();
                KeyMeaning::Key
            }
        }
    }
}

fn is_key(key: &KeyEvent, modifiers: KeyModifiers, c: char) -> bool {
    key.code == KeyCode::Char(c) && key.modifiers == modifiers
}

/// True if a reply such as `11;rgb:ffff/ffff/ffff` reports a light colour: its channels are
/// weighted by perceived brightness. `None` for any other text.
fn is_light(answer: &str) -> Option<bool> {
    let channels = answer.strip_prefix("11;rgb:")?.split('/').map(|hex| {
        let most = 16_u32.checked_pow(u32::try_from(hex.len()).ok()?)?.checked_sub(1)?;
        let value = u32::from_str_radix(hex, 16).ok()?.checked_mul(1000)?;
        value.checked_div(most)
    });
    let channels: Option<Vec<u32>> = channels.collect();
    let [red, green, blue] = channels?.try_into().ok()?;
    Some((299 * red + 587 * green + 114 * blue) / 1000 > 500)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(answer: &str, after: u64) -> (Vec<KeyMeaning>, KeyMeaning) {
        let asked = Instant::now();
        let now = asked + Duration::from_millis(after);
        let mut reply = PendingAnswer::new(Some(asked));
        let mut heard =
            vec![reply.classify(&KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT), now)];
        for c in answer.chars() {
            heard.push(reply.classify(&KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE), now));
        }
        let last = reply.classify(&KeyEvent::new(KeyCode::Char('\\'), KeyModifiers::ALT), now);
        (heard, last)
    }

    #[test]
    fn reply_is_no_key_and_is_ignored_when_late() {
        let (parts, last) = classify("11;rgb:ffff/fafa/f0f0", 20);
        assert!(parts.iter().all(|part| *part == KeyMeaning::Answer));
        assert_eq!(last, KeyMeaning::Light);
        assert_eq!(classify("11;rgb:1e/1e/2e", 20).1, KeyMeaning::Answer);
        assert_eq!(classify("11;rgb:ffff/ffff/ffff", 60).1, KeyMeaning::Answer);
        assert_eq!(classify("11;rgb:", 20).1, KeyMeaning::Answer);
        assert_eq!(classify("jj", 20).1, KeyMeaning::Key);
        assert_eq!(classify("11;rgb:ffff/ffff/ffff", 6000).0[3], KeyMeaning::Key);
    }
}
