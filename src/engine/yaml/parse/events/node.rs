//! One node: its properties and its first token.

use std::borrow::Cow;

use crate::yaml::{Comments, Style};

use super::super::scan::{ScanError, ScanTokenKind, TextPosition};
use super::{AllowedNodes, Event, EventKind, Events, GrammarState, Step, refuse};

impl<'t> Events<'t> {
    pub(super) fn node(&mut self, allowed: AllowedNodes) -> Step<'t> {
        use ScanTokenKind as T;
        let (kind, start, end) = self.peek()?;
        if let T::Alias(name) = kind {
            let event = Event::new(EventKind::Alias(name), start);
            self.bytes = start.at..end.at;
            self.pop_state();
            let event = self.with_comments(event);
            self.take();
            return Ok(event);
        }
        let (anchor, tag) = self.properties(start)?;
        let is_block = allowed != AllowedNodes::Flow;
        let behind = self.taken;
        let (kind, here, end) = self.peek()?;
        let event = |kind| Event { anchor, tag: tag.clone(), ..Event::new(kind, start) };
        let bytes = match kind {
            T::Scalar(..) | T::FlowSequenceStart | T::FlowMappingStart => here.at..end.at,
            T::BlockEntry | T::BlockSequenceStart | T::BlockMappingStart => here.at..here.at,
            _ => behind..behind,
        };
        let step = match kind {
            T::BlockEntry if allowed == AllowedNodes::BlockOrIndentless => {
                self.state = GrammarState::IndentlessEntry;
                Ok(event(EventKind::SequenceStart(false)))
            }
            T::Scalar(..) => {
                self.pop_state();
                let kind = match self.take().kind {
                    T::Scalar(text, style) => EventKind::Scalar(text, style),
                    _ => EventKind::Scalar(Cow::Borrowed(""), Style::Plain),
                };
                Ok(self.with_comments(event(kind)))
            }
            T::FlowSequenceStart => {
                self.state = GrammarState::FlowFirstEntry;
                Ok(self.with_comments(event(EventKind::SequenceStart(true))))
            }
            T::FlowMappingStart => {
                self.state = GrammarState::FlowFirstKey;
                Ok(self.with_comments(event(EventKind::MappingStart(true))))
            }
            T::BlockSequenceStart if is_block => {
                self.state = GrammarState::BlockFirstEntry;
                Ok(self.with_stem(event(EventKind::SequenceStart(false))))
            }
            T::BlockMappingStart if is_block => {
                self.state = GrammarState::BlockFirstKey;
                Ok(self.with_stem(event(EventKind::MappingStart(false))))
            }
            _ if anchor.is_some() || tag.is_some() => {
                self.pop_state();
                Ok(event(EventKind::Scalar(Cow::Borrowed(""), Style::Plain)))
            }
            _ => Err(refuse(start, here, "did not find expected node content")),
        };
        self.bytes = bytes;
        step
    }

    /// Moves the comment above an item that is a collection to the collection's event.
    pub(super) fn with_stem(&mut self, mut event: Event<'t>) -> Event<'t> {
        if let Some(head) = self.stem.take() {
            event.comments = Some(Box::new(Comments { head, ..Comments::default() }));
        }
        event
    }

    /// Reads the anchor and the tag in front of a node.
    pub(super) fn properties(
        &mut self,
        start: TextPosition,
    ) -> Result<(Option<&'t str>, Option<String>), ScanError> {
        let (mut anchor, mut tag) = (None, None);
        loop {
            match self.peek()?.0 {
                ScanTokenKind::Anchor(name) if anchor.is_none() => anchor = Some(*name),
                ScanTokenKind::Tag(..) if tag.is_none() => {}
                _ => break,
            }
            let token = self.take();
            if let ScanTokenKind::Tag(handle, suffix) = token.kind {
                tag = Some((handle, suffix, token.start));
            }
        }
        let Some((handle, suffix, at)) = tag else { return Ok((anchor, None)) };
        let tag = match &*handle {
            "" => suffix,
            "!" => format!("!{suffix}"),
            "!!" => format!("tag:yaml.org,2002:{suffix}"),
            _ => return Err(refuse(start, at, "found undefined tag handle")),
        };
        Ok((anchor, Some(tag)))
    }
}
