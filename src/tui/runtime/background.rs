//! Recognizes the terminal's reply about its background colour, which arrives as key events.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The query for the background colour (OSC 11).
pub(super) const BACKGROUND_QUERY: &str = "\u{1b}]11;?\u{1b}\\";
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
