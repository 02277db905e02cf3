//! Flow collections.

use super::super::scan::{Point, TokenKind};
use super::{Allowed, Event, EventKind, Events, State, Step};

impl<'t> Events<'t> {
    pub(super) fn flow_entry(&mut self, first: bool) -> Step<'t> {
        use TokenKind as T;
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
                self.state = State::PairKey;
                self.bytes = start.at..start.at;
                self.take();
                Ok(Event::new(EventKind::MappingStart(true), start))
            }
            _ => {
                self.states.push(State::FlowEntry);
                self.node(Allowed::Flow)
            }
        }
    }

    pub(super) fn flow_end(&mut self, kind: EventKind<'t>, start: Point) -> Event<'t> {
        self.pop_state();
        self.marks.pop();
        let event = self.with_comments(Event::new(kind, start));
        self.bytes = start.at..self.take().end.at;
        event
    }

    pub(super) fn pair_key(&mut self) -> Step<'t> {
        use TokenKind as T;
        let (kind, _, end) = self.peek()?;
        if matches!(kind, T::Value | T::FlowEntry | T::FlowSequenceEnd) {
            self.take();
            return Ok(self.empty(State::PairValue, end));
        }
        self.states.push(State::PairValue);
        self.node(Allowed::Flow)
    }

    pub(super) fn pair_value(&mut self) -> Step<'t> {
        use TokenKind as T;
        let (kind, start, _) = self.peek()?;
        if matches!(kind, T::Value) {
            self.take();
            if !matches!(self.peek()?.0, T::FlowEntry | T::FlowSequenceEnd) {
                self.states.push(State::PairEnd);
                return self.node(Allowed::Flow);
            }
        }
        Ok(self.empty(State::PairEnd, start))
    }

    pub(super) fn flow_key(&mut self, first: bool) -> Step<'t> {
        use TokenKind as T;
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
                let (kind, start, _) = self.peek()?;
                if matches!(kind, T::Value | T::FlowEntry | T::FlowMappingEnd) {
                    return Ok(self.empty(State::FlowValue, start));
                }
                self.states.push(State::FlowValue);
                self.node(Allowed::Flow)
            }
            _ => {
                self.states.push(State::FlowEmptyValue);
                self.node(Allowed::Flow)
            }
        }
    }

    pub(super) fn flow_value(&mut self) -> Step<'t> {
        use TokenKind as T;
        let (kind, mut start, _) = self.peek()?;
        if matches!(kind, T::Value) {
            self.take();
            let (kind, next, _) = self.peek()?;
            start = next;
            if !matches!(kind, T::FlowEntry | T::FlowMappingEnd) {
                self.states.push(State::FlowKey);
                return self.node(Allowed::Flow);
            }
        }
        Ok(self.empty(State::FlowKey, start))
    }
}
