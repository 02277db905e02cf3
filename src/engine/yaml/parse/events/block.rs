//! Block collections.

use super::super::scan::{ScanError, ScanTokenKind, TextPosition};
use super::{AllowedNodes, Event, EventKind, Events, GrammarState, Step};

impl<'t> Events<'t> {
    pub(super) fn block_entry(&mut self) -> Step<'t> {
        use ScanTokenKind as T;
        let (kind, start, end) = self.peek()?;
        match kind {
            T::BlockEntry => {
                self.take_dash()?;
                let ends = |kind: &T<'t>| matches!(kind, T::BlockEntry | T::BlockEnd);
                self.child_unless(ends, end, GrammarState::BlockEntry, AllowedNodes::Block)
            }
            T::BlockEnd => {
                self.pop_state();
                self.marks.pop();
                self.bytes = start.at..start.at;
                self.take();
                Ok(Event::new(EventKind::SequenceEnd, start))
            }
            _ => self.refuse_inside(start, "did not find expected '-' indicator"),
        }
    }

    /// The next event in a sequence with the indentation of its key: an entry, or the end.
    pub(super) fn indentless_entry(&mut self) -> Step<'t> {
        use ScanTokenKind as T;
        let (kind, start, end) = self.peek()?;
        if !matches!(kind, T::BlockEntry) {
            self.pop_state();
            self.bytes = start.at..start.at;
            return Ok(Event::new(EventKind::SequenceEnd, start));
        }
        self.take_dash()?;
        let ends = |kind: &T<'t>| matches!(kind, T::BlockEntry | T::Key | T::Value | T::BlockEnd);
        self.child_unless(ends, end, GrammarState::IndentlessEntry, AllowedNodes::Block)
    }

    /// Takes a dash. The comment above the dash belongs to the collection after it, not to the
    /// collection's first node.
    pub(super) fn take_dash(&mut self) -> Result<(), ScanError> {
        let stem = self.texts.head.len();
        self.take();
        if stem == 0 {
            return Ok(());
        }
        let opens = |kind: &ScanTokenKind<'_>| {
            matches!(kind, ScanTokenKind::BlockSequenceStart | ScanTokenKind::BlockMappingStart)
        };
        if opens(self.peek()?.0) {
            let rest = self.texts.head.split_off(stem);
            let stem = std::mem::replace(&mut self.texts.head, rest);
            if self.texts.head.starts_with('\n') {
                self.texts.head.remove(0);
            }
            self.stem = Some(stem);
        }
        Ok(())
    }

    pub(super) fn block_key(&mut self) -> Step<'t> {
        use ScanTokenKind as T;
        let (kind, start, end) = self.peek()?;
        match kind {
            T::Key => {
                self.take();
                self.block_child(end, GrammarState::BlockValue)
            }
            T::BlockEnd => {
                self.pop_state();
                self.marks.pop();
                let event = self.with_comments(Event::new(EventKind::MappingEnd, start));
                self.bytes = start.at..start.at;
                self.take();
                Ok(event)
            }
            _ => self.refuse_inside(start, "did not find expected key"),
        }
    }

    pub(super) fn block_value(&mut self) -> Step<'t> {
        use ScanTokenKind as T;
        let (kind, start, end) = self.peek()?;
        if !matches!(kind, T::Value) {
            return Ok(self.empty(GrammarState::BlockKey, start));
        }
        self.take();
        self.block_child(end, GrammarState::BlockKey)
    }

    /// The key or value after its indicator, which ends at `end`.
    fn block_child(&mut self, end: TextPosition, next: GrammarState) -> Step<'t> {
        use ScanTokenKind as T;
        let ends = |kind: &T<'t>| matches!(kind, T::Key | T::Value | T::BlockEnd);
        self.child_unless(ends, end, next, AllowedNodes::BlockOrIndentless)
    }
}
