//! A line of text with a cursor: the one line editor of the workbench.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation as _;

use super::{sanitize, width};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineInput {
    text: String,
    at: usize,
}

/// True for a character that ends a word, for the keys that move by words: paths and names of
/// resources contain more such characters than spaces.
fn ends_word(c: char) -> bool {
    !c.is_alphanumeric()
}

impl LineInput {
    /// A text with the cursor at its end.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { at: text.len(), text }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn set(&mut self, text: impl Into<String>) {
        *self = Self::new(text);
    }

    /// The text before the cursor and the text after it.
    pub(crate) fn parts(&self) -> (&str, &str) {
        self.text.split_at(self.at.min(self.text.len()))
    }

    /// The part of the line around the cursor that fits into `room` cells, safe for the terminal,
    /// and the column of the cursor in it.
    pub(crate) fn window(&self, room: usize) -> (String, usize) {
        let (before, behind) = self.parts();
        let (before, behind) = (sanitize(before), sanitize(behind));
        let mut head: &str = &before;
        while width(head) >= room.max(1) {
            let first = head.graphemes(true).next().map_or(head.len(), str::len);
            head = &head[first..];
        }
        (super::fit(&format!("{head}{behind}"), room), width(head))
    }

    /// Handles a key; false if the key does not edit text.
    pub(crate) fn key(&mut self, key: KeyEvent) -> bool {
        self.at = self.at.min(self.text.len());
        let control = key.modifiers == KeyModifiers::CONTROL;
        let alt = key.modifiers == KeyModifiers::ALT;
        let word = control || alt;
        match key.code {
            KeyCode::Left if word => self.at = self.word_before(),
            KeyCode::Right if word => self.at = self.next_word_end(),
            KeyCode::Char('b') if alt => self.at = self.word_before(),
            KeyCode::Char('f') if alt => self.at = self.next_word_end(),
            KeyCode::Left => self.at -= self.previous_char_length(),
            KeyCode::Right => self.at += self.next_char_end(),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.text.len(),
            KeyCode::Char('a') if control => self.at = 0,
            KeyCode::Char('e') if control => self.at = self.text.len(),
            KeyCode::Char('u') if control => self.cut(0, self.at),
            KeyCode::Char('k') if control => self.cut(self.at, self.text.len()),
            KeyCode::Char('w') if control => self.cut(self.word_before(), self.at),
            KeyCode::Backspace if word => self.cut(self.word_before(), self.at),
            KeyCode::Char('d') if alt => self.cut(self.at, self.next_word_end()),
            KeyCode::Backspace => self.cut(self.at - self.previous_char_length(), self.at),
            KeyCode::Delete => self.cut(self.at, self.at + self.next_char_end()),
            KeyCode::Char(c) if (key.modifiers - KeyModifiers::SHIFT).is_empty() => {
                self.text.insert(self.at, c);
                self.at += c.len_utf8();
            }
            _ => return false,
        }
        true
    }

    fn cut(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.at = from;
    }

    fn previous_char_length(&self) -> usize {
        self.parts().0.graphemes(true).next_back().map_or(0, str::len)
    }

    fn next_char_end(&self) -> usize {
        self.parts().1.graphemes(true).next().map_or(0, str::len)
    }

    fn word_before(&self) -> usize {
        let head = self.parts().0.trim_end_matches(ends_word);
        head.char_indices().rfind(|(_, c)| ends_word(*c)).map_or(0, |(at, c)| at + c.len_utf8())
    }

    fn next_word_end(&self) -> usize {
        let tail = self.parts().1;
        let word = tail.trim_start_matches(ends_word);
        let end = word.find(ends_word).unwrap_or(word.len());
        self.at + (tail.len() - word.len()) + end
    }
}

/// Earlier texts, newest last, and the index of the one that is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InputHistory {
    texts: Vec<String>,
    at: Option<usize>,
}

impl InputHistory {
    const MAX_HISTORY: usize = 100;

    /// Adds a text to the history, unless it is empty.
    pub(crate) fn remember(&mut self, text: &str) {
        self.at = None;
        if text.is_empty() {
            return;
        }
        self.texts.retain(|other| other != text);
        self.texts.push(text.to_owned());
        if self.texts.len() > Self::MAX_HISTORY {
            self.texts.remove(0);
        }
    }

    /// Goes to the text before the shown one, or to the last text if none is shown; `None` before
    /// the first.
    pub(crate) fn earlier(&mut self) -> Option<&str> {
        let at = self.at.unwrap_or(self.texts.len()).checked_sub(1)?;
        self.at = Some(at);
        self.texts.get(at).map(String::as_str)
    }

    /// Goes to the text after the shown one; an empty text follows the last. `None` if no earlier
    /// text is shown.
    pub(crate) fn later(&mut self) -> Option<&str> {
        let at = self.at? + 1;
        self.at = (at < self.texts.len()).then_some(at);
        Some(self.texts.get(at).map_or("", String::as_str))
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.at.is_some()
    }

    pub(crate) fn leave(&mut self) {
        self.at = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text after some keys, with `|` at the cursor.
    fn text_after_keys(text: &str, keys: &[(KeyCode, KeyModifiers)]) -> String {
        let mut line = LineInput::new(text);
        for (code, modifiers) in keys {
            line.key(KeyEvent::new(*code, *modifiers));
        }
        let (before, behind) = line.parts();
        format!("{before}|{behind}")
    }

    #[test]
    fn cursor_moves_by_characters_and_words() {
        const NO: KeyModifiers = KeyModifiers::NONE;
        const CTRL: KeyModifiers = KeyModifiers::CONTROL;
        const ALT: KeyModifiers = KeyModifiers::ALT;
        let of = |keys: &[(KeyCode, KeyModifiers)]| text_after_keys("base/web v1", keys);
        assert_eq!(of(&[(KeyCode::Left, NO)]), "base/web v|1");
        assert_eq!(of(&[(KeyCode::Left, CTRL), (KeyCode::Left, CTRL)]), "base/|web v1");
        assert_eq!(of(&[(KeyCode::Home, NO), (KeyCode::Right, ALT)]), "base|/web v1");
        assert_eq!(of(&[(KeyCode::Char('w'), CTRL), (KeyCode::Char('w'), CTRL)]), "base/|");
        assert_eq!(of(&[(KeyCode::Char('a'), CTRL), (KeyCode::Char('k'), CTRL)]), "|");
        assert_eq!(of(&[(KeyCode::Left, NO), (KeyCode::Char('u'), CTRL)]), "|1");
        assert_eq!(of(&[(KeyCode::Home, NO), (KeyCode::Delete, NO)]), "|ase/web v1");
        assert_eq!(
            of(&[(KeyCode::Left, NO), (KeyCode::Char('X'), KeyModifiers::SHIFT)]),
            "base/web vX|1"
        );
        // A character of several code points is deleted as one.
        assert_eq!(text_after_keys("ae\u{301}", &[(KeyCode::Backspace, NO)]), "a|");
    }

    #[test]
    fn earlier_texts_are_recalled_in_both_directions() {
        let mut history = InputHistory::default();
        assert_eq!(history.earlier(), None);
        for text in ["one", "two", "one", ""] {
            history.remember(text);
        }
        assert_eq!(history.earlier(), Some("one"));
        assert_eq!(history.earlier(), Some("two"));
        assert_eq!(history.earlier(), None);
        assert_eq!(history.later(), Some("one"));
        assert_eq!(history.later(), Some(""));
        assert_eq!(history.later(), None);
    }
}
