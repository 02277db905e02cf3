//! Where documents begin and end, and their directives.

use super::super::scan::{ScanTokenKind, TextPosition};
use crate::yaml::Comments;

use super::{AllowedNodes, Event, EventKind, Events, GrammarState, Step, refuse};

impl<'t> Events<'t> {
    /// The start of the next document, or the end of the text.
    pub(super) fn document_start(&mut self, implicit: bool) -> Step<'t> {
        use ScanTokenKind as T;
        if !implicit {
            while matches!(self.peek()?.0, T::DocumentEnd) {
                self.take();
            }
        }
        let (kind, start, _) = self.peek()?;
        let is_bare = !matches!(kind, T::Version | T::DocumentStart | T::StreamEnd);
        if matches!(kind, T::StreamEnd) {
            self.state = GrammarState::End;
            self.take();
            self.bytes = start.at..start.at;
            return Ok(Event::new(EventKind::StreamEnd, start));
        }
        // A second one is refused below: the document does not start there.
        if matches!(self.peek()?.0, T::Version) {
            self.take();
        }
        let mut event = Event::new(EventKind::DocumentStart, start);
        if implicit && is_bare {
            self.states.push(GrammarState::DocumentEnd);
            self.state = GrammarState::BlockNode;
            self.bytes = 0..0;
            let head = self.split_document_comments();
            if !head.is_empty() {
                event.comments = Some(Box::new(Comments { head, ..Comments::default() }));
            }
            return Ok(event);
        }
        let (kind, problem, end) = self.peek()?;
        if !matches!(kind, T::DocumentStart) {
            let words = "did not find expected <document start>";
            return Err(refuse(TextPosition::default(), problem, words));
        }
        self.states.push(GrammarState::DocumentEnd);
        self.state = GrammarState::DocumentContent;
        self.bytes = problem.at..end.at;
        self.take();
        Ok(event)
    }

    /// Splits off the comments of the document: the lines above the last empty line.
    pub(super) fn split_document_comments(&mut self) -> String {
        let head = &self.texts.head;
        let end = head.len().saturating_sub(1);
        let (cut, rest) = if head[..].ends_with('\n') {
            (end, head.len())
        } else if let Some(at) = head.rfind("\n\n") {
            (at, at + 2)
        } else {
            return String::new();
        };
        let rest = self.texts.head.split_off(rest);
        let mut document = std::mem::replace(&mut self.texts.head, rest);
        document.truncate(cut);
        document
    }

    /// The first event of a document's content; an empty document contains a null.
    pub(super) fn document_content(&mut self) -> Step<'t> {
        use ScanTokenKind as T;
        let (kind, start, _) = self.peek()?;
        let is_empty =
            matches!(kind, T::Version | T::DocumentStart | T::DocumentEnd | T::StreamEnd);
        if is_empty {
            let next = self.states.pop().unwrap_or(GrammarState::End);
            return Ok(self.empty(next, start));
        }
        self.node(AllowedNodes::Block)
    }

    pub(super) fn document_end(&mut self) -> Step<'t> {
        let (kind, start, _) = self.peek()?;
        if matches!(kind, ScanTokenKind::DocumentEnd) {
            self.take();
        }
        self.bytes = start.at..start.at;
        self.state = GrammarState::Document;
        let event = Event::new(EventKind::DocumentEnd, start);
        let mut event = self.with_comments(event);
        if let Some(texts) = event.comments.as_deref_mut().filter(|texts| texts.foot.is_empty()) {
            texts.foot = std::mem::take(&mut texts.head);
        }
        Ok(event)
    }
}
