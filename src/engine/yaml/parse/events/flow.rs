//! Flow collections.

use super::super::scan::{ScanTokenKind, TextPosition};
use super::{AllowedNodes, Event, EventKind, Events, GrammarState, Step};

impl<'t> Events<'t> {
    pub(super) fn flow_entry(&mut self, first: bool) -> Step<'t> {
        use ScanTokenKind as T;
        let (kind, start, _) = self.peek()?;
        let is_end = matches!(kind, T::FlowSequenceEnd);
        if !is_end && !first {
            if !matches!(kind, T::FlowEntry) {
                return self.refuse_inside(start, "did not find expected ',' or ']'");
            }
            self.take();
        }
        let (kind, start, _) = self.peek()?;
        match kind {
            T::FlowSequenceEnd => Ok(self.flow_end(EventKind::SequenceEnd, start)),
            T::Key => {
                self.state = GrammarState::PairKey;
                self.bytes = start.at..start.at;
                self.take();
                Ok(Event::new(EventKind::MappingStart(true), start))
            }
            _ => {
                self.states.push(GrammarState::FlowEntry);
                self.node(AllowedNodes::Flow)
            }
        }
    }

    pub(super) fn flow_end(&mut self, kind: EventKind<'t>, start: TextPosition) -> Event<'t> {
        self.pop_state();
        self.marks.pop();
        let event = self.with_comments(Event::new(kind, start));
        self.bytes = start.at..self.take().end.at;
        event
    }

    pub(super) fn pair_key(&mut self) -> Step<'t> {
        use ScanTokenKind as T;
        let (kind, _, end) = self.peek()?;
        if matches!(kind, T::Value | T::FlowEntry | T::FlowSequenceEnd) {
            self.take();
            return Ok(self.empty(GrammarState::PairValue, end));
        }
        self.states.push(GrammarState::PairValue);
        self.node(AllowedNodes::Flow)
    }

    pub(super) fn pair_value(&mut self) -> Step<'t> {
        use ScanTokenKind as T;
        let (kind, start, _) = self.peek()?;
        if matches!(kind, T::Value) {
            self.take();
            if !matches!(self.peek()?.0, T::FlowEntry | T::FlowSequenceEnd) {
                self.states.push(GrammarState::PairEnd);
                return self.node(AllowedNodes::Flow);
            }
        }
        Ok(self.empty(GrammarState::PairEnd, start))
    }

    pub(super) fn flow_key(&mut self, first: bool) -> Step<'t> {
        use ScanTokenKind as T;
        let (kind, start, _) = self.peek()?;
        let is_end = matches!(kind, T::FlowMappingEnd);
        if !is_end && !first {
            if !matches!(kind, T::FlowEntry) {
                return self.refuse_inside(start, "did not find expected ',' or '}'");
            }
            self.take();
        }
        let (kind, start, _) = self.peek()?;
        match kind {
            T::FlowMappingEnd => Ok(self.flow_end(EventKind::MappingEnd, start)),
            T::Key => {
                self.take();
                let start = self.peek()?.1;
                let ends =
                    |kind: &T<'t>| matches!(kind, T::Value | T::FlowEntry | T::FlowMappingEnd);
                self.child_unless(ends, start, GrammarState::FlowValue, AllowedNodes::Flow)
            }
            _ => {
                self.states.push(GrammarState::FlowEmptyValue);
                self.node(AllowedNodes::Flow)
            }
        }
    }

    pub(super) fn flow_value(&mut self) -> Step<'t> {
        use ScanTokenKind as T;
        let (kind, mut start, _) = self.peek()?;
        if matches!(kind, T::Value) {
            self.take();
            let (kind, next, _) = self.peek()?;
            start = next;
            if !matches!(kind, T::FlowEntry | T::FlowMappingEnd) {
                self.states.push(GrammarState::FlowKey);
                return self.node(AllowedNodes::Flow);
            }
        }
        Ok(self.empty(GrammarState::FlowKey, start))
    }
}
