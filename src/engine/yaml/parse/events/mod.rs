//! Tokens to events, as in go-yaml's parser: the grammar of YAML 1.1, with the comments of each
//! node.

mod block;
mod document;
mod flow;
mod node;

use std::borrow::Cow;
use std::ops::Range;

use crate::yaml::{Comments, Style};

use super::YamlDialect;
use super::scan::{GoYamlHalf, ScanError, ScanToken, ScanTokenKind, Scanner, TextPosition};

#[derive(Debug, PartialEq)]
pub(crate) enum EventKind<'t> {
    DocumentStart,
    DocumentEnd,
    StreamEnd,
    Alias(&'t str),
    Scalar(Cow<'t, str>, Style),
    /// True for flow style.
    SequenceStart(bool),
    SequenceEnd,
    /// True for flow style.
    MappingStart(bool),
    MappingEnd,
}

#[derive(Debug)]
pub(crate) struct Event<'t> {
    pub(crate) kind: EventKind<'t>,
    pub(super) start: TextPosition,
    pub(crate) anchor: Option<&'t str>,
    pub(crate) tag: Option<String>,
    pub(super) comments: Option<Box<Comments>>,
}

impl<'t> Event<'t> {
    pub(super) fn new(kind: EventKind<'t>, start: TextPosition) -> Self {
        Self { kind, start, anchor: None, tag: None, comments: None }
    }
}

/// The grammar state: the expected next event.
#[derive(Clone, Copy)]
enum GrammarState {
    /// The first document, which needs no `---`.
    ImplicitDocument,
    Document,
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockFirstEntry,
    BlockEntry,
    /// A sequence with the same indentation as the key to which it belongs.
    IndentlessEntry,
    BlockFirstKey,
    BlockKey,
    BlockValue,
    FlowFirstEntry,
    FlowEntry,
    PairKey,
    PairValue,
    PairEnd,
    FlowFirstKey,
    FlowKey,
    FlowValue,
    FlowEmptyValue,
    End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum AllowedNodes {
    Flow,
    Block,
    /// Block nodes, and sequences with the indentation of their key.
    BlockOrIndentless,
}

/// Reads the tokens of a text as the events of its documents.
pub(super) struct Events<'t> {
    scanner: Scanner<'t>,
    state: GrammarState,
    states: Vec<GrammarState>,
    /// The starts of the open collections.
    marks: Vec<TextPosition>,
    texts: Comments,
    /// The comment above an item that is a collection.
    stem: Option<String>,
    /// The bytes of the last event, anchor and tag left out; for an event without text, its start.
    bytes: Range<usize>,
    /// The end of the last token.
    taken: usize,
}

type Step<'t> = Result<Event<'t>, ScanError>;

impl<'t> Events<'t> {
    pub(super) fn new(text: &'t str, dialect: YamlDialect) -> Self {
        let mut scanner = Scanner::new(text, dialect);
        scanner.take();
        Self {
            scanner,
            state: GrammarState::ImplicitDocument,
            states: Vec::new(),
            marks: Vec::new(),
            texts: Comments::default(),
            stem: None,
            bytes: 0..0,
            taken: 0,
        }
    }

    /// The bytes of the last event, anchor and tag left out; for an event without text, the empty
    /// range after the previous one.
    pub(super) fn bytes(&self) -> Range<usize> {
        self.bytes.clone()
    }

    pub(super) fn next(&mut self) -> Step<'t> {
        match self.state {
            GrammarState::ImplicitDocument => self.document_start(true),
            GrammarState::Document => self.document_start(false),
            GrammarState::DocumentContent => self.document_content(),
            GrammarState::DocumentEnd => self.document_end(),
            GrammarState::BlockNode => self.node(AllowedNodes::Block),
            GrammarState::BlockFirstEntry => {
                self.open()?;
                self.block_entry()
            }
            GrammarState::BlockEntry => self.block_entry(),
            GrammarState::IndentlessEntry => self.indentless_entry(),
            GrammarState::BlockFirstKey => {
                self.open()?;
                self.block_key()
            }
            GrammarState::BlockKey => self.block_key(),
            GrammarState::BlockValue => self.block_value(),
            GrammarState::FlowFirstEntry => {
                self.open()?;
                self.flow_entry(true)
            }
            GrammarState::FlowEntry => self.flow_entry(false),
            GrammarState::PairKey => self.pair_key(),
            GrammarState::PairValue => self.pair_value(),
            GrammarState::PairEnd => {
                let (_, start, _) = self.peek()?;
                self.state = GrammarState::FlowEntry;
                self.bytes = self.taken..self.taken;
                Ok(Event::new(EventKind::MappingEnd, start))
            }
            GrammarState::FlowFirstKey => {
                self.open()?;
                self.flow_key(true)
            }
            GrammarState::FlowKey => self.flow_key(false),
            GrammarState::FlowValue => self.flow_value(),
            GrammarState::FlowEmptyValue => {
                let (_, start, _) = self.peek()?;
                Ok(self.empty(GrammarState::FlowKey, start))
            }
            GrammarState::End => Ok(Event::new(EventKind::StreamEnd, TextPosition::default())),
        }
    }

    /// The next token with its start and end. Collects the comments before the token.
    fn peek(&mut self) -> Result<(&ScanTokenKind<'t>, TextPosition, TextPosition), ScanError> {
        self.scanner.peek()?;
        self.scanner.unfold_comments(&mut self.texts);
        let token = self.scanner.peek()?;
        Ok((&token.kind, token.start, token.end))
    }

    fn take(&mut self) -> ScanToken<'t> {
        let token = self.scanner.take();
        self.taken = token.end.at;
        token
    }

    /// Takes the first token of a collection and records its start.
    fn open(&mut self) -> Result<(), ScanError> {
        let (_, start, _) = self.peek()?;
        self.marks.push(start);
        self.take();
        Ok(())
    }

    /// Continues with the state of the enclosing collection.
    fn pop_state(&mut self) {
        self.state = self.states.pop().unwrap_or(GrammarState::End);
    }

    /// A child node, or an empty one if the next token ends its place.
    fn child_unless(
        &mut self,
        ends: impl Fn(&ScanTokenKind<'t>) -> bool,
        mark: TextPosition,
        next: GrammarState,
        allowed: AllowedNodes,
    ) -> Step<'t> {
        if ends(self.peek()?.0) {
            return Ok(self.empty(next, mark));
        }
        self.states.push(next);
        self.node(allowed)
    }

    /// An error inside the innermost collection.
    fn refuse_inside<T>(
        &mut self,
        problem: TextPosition,
        words: &'static str,
    ) -> Result<T, ScanError> {
        let context = self.marks.pop().unwrap_or_default();
        Err(refuse(context, problem, words))
    }

    /// Moves the comments read so far to an event.
    fn with_comments(&mut self, mut event: Event<'t>) -> Event<'t> {
        if self.texts.has_texts() {
            event.comments = Some(Box::new(std::mem::take(&mut self.texts)));
        }
        self.stem = None;
        event
    }

    fn empty(&mut self, next: GrammarState, mark: TextPosition) -> Event<'t> {
        self.state = next;
        self.bytes = self.taken..self.taken;
        Event::new(EventKind::Scalar(Cow::Borrowed(""), Style::Plain), mark)
    }
}

fn refuse(context: TextPosition, problem: TextPosition, words: &'static str) -> ScanError {
    ScanError { half: GoYamlHalf::Parser, context, problem, words }
}
