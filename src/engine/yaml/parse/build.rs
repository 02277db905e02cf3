//! Events to nodes.

use std::sync::Arc;

use granit_parser::{Event, ScalarStyle, Span, StructureStyle};

use super::comment::{self, Pending, set_foot};
use super::error::Place;
use super::intern::Texts;
use super::merge::{keep_last, merge_v1_1, merge_v3};
use super::refuse::{Last, Suspects};
use super::{Dialect, Origin, Reading, YamlError};
use crate::engine::yaml::{Allowance, Entry, Excess, Limits, Mapping, Mark, Node, Style, Value};

/// A collection that is not closed yet.
pub(super) struct Open {
    pub(super) content: Content,
    pub(super) style: Style,
    pub(super) mark: Mark,
    /// 0-based column, to tell whose a comment below is.
    pub(super) column: usize,
    anchor: usize,
    /// Where its entries or items begin.
    pub(super) first: usize,
    head: String,
}

pub(super) enum Content {
    Mapping { key: Option<Node>, merges: bool, merge_by_alias: bool },
    Sequence,
}

/// The `|` or `>` of a block scalar.
pub(super) struct Header {
    /// Where in the text it stands.
    pub(super) at: usize,
    /// How many lines above the content.
    pub(super) lines_above: usize,
    /// 0-based, in characters.
    pub(super) column: usize,
}

/// Builds the tree of one document.
pub(super) struct Builder<'a> {
    pub(super) text: &'a str,
    pub(super) line: u32,
    origin: Origin,
    pub(super) dialect: Dialect,
    limits: Limits,
    pub(super) texts: &'a mut Texts,
    pub(super) suspects: Suspects,
    pub(super) open: Vec<Open>,
    /// The entries of all open mappings and the items of all open sequences, so that each list is made once
    /// and in its size.
    pub(super) entries: Vec<Entry>,
    pub(super) items: Vec<Node>,
    pub(super) root: Option<Node>,
    /// The anchored nodes; none while a node is still open.
    anchors: Vec<Option<Node>>,
    /// What aliases may still be expanded to.
    pub(super) allowance: Allowance,
    loses_aliases: bool,
    pub(super) pending: Pending,
    /// 1-based line within the piece where the last content ended.
    pub(super) last_line: usize,
    /// What was read last, for the tabs behind it.
    pub(super) last: Last,
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str, reading: Reading, texts: &'a mut Texts) -> Self {
        Self {
            text,
            line: reading.line,
            origin: reading.origin,
            dialect: reading.dialect,
            limits: reading.limits,
            texts,
            suspects: Suspects::of(text),
            open: Vec::new(),
            entries: Vec::new(),
            items: Vec::new(),
            root: None,
            anchors: Vec::new(),
            allowance: reading.allowance,
            loses_aliases: reading.loses_aliases,
            pending: Pending::default(),
            last_line: 0,
            last: Last::default(),
        }
    }

    /// Where it stands, for a refusal of the parser.
    pub(super) fn place(&self) -> Place {
        let open = self.open.last().map(|open| open.mark.line.saturating_sub(self.line));
        let wants_value = matches!(
            self.open.last(),
            Some(Open { content: Content::Mapping { key: Some(_), .. }, .. })
        );
        Place { line: self.line, open, wants_value, dialect: self.dialect }
    }

    /// The root, with the comments below it.
    ///
    /// # Errors
    /// A line below that go-yaml cannot read.
    pub(super) fn finish(mut self) -> Result<Option<Node>, YamlError> {
        self.check_tabs_below()?;
        let Some(mut root) = self.root else { return Ok(None) };
        if !self.pending.is_empty() {
            comment::of(&mut root).foot = self.pending.take();
        }
        Ok(Some(root))
    }

    pub(super) fn event(&mut self, event: Event<'_>, span: &Span) -> Result<(), YamlError> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.check_flow_scalar(style, span)?;
                self.check_escapes(style, span)?;
                self.check_block(style, span)?;
                self.check_tabs(span)?;
                if span.is_empty() && anchor == 0 && tag.is_none() {
                    self.check_key(span)?;
                }
                self.last = self.last_of(style, span);
                let mut node = self.scalar(&text, style, tag.as_deref(), span)?;
                let properties = usize::from(anchor != 0) + usize::from(tag.is_some());
                if properties > 0 {
                    node.mark = self.at_properties(span, properties, node.mark);
                } else if span.is_empty() && style == ScalarStyle::Plain {
                    node.mark = self.at_nothing(span, node.mark);
                }
                self.last_line = span.end.line();
                self.keep(anchor, &node);
                self.push(node, false)
            }
            Event::SequenceStart(style, anchor, tag) => {
                let style = style_of(style);
                self.check_tabs(span)?;
                let mark = match style {
                    Style::Plain => self.dash(span),
                    _ => self.mark(span),
                };
                let properties = usize::from(anchor != 0) + usize::from(tag.is_some());
                let mark = self.at_properties(span, properties, mark);
                self.start(Content::Sequence, style, mark, anchor)
            }
            Event::MappingStart(style, anchor, tag) => {
                self.check_tabs(span)?;
                let content = Content::Mapping { key: None, merges: false, merge_by_alias: false };
                let properties = usize::from(anchor != 0) + usize::from(tag.is_some());
                let mark = self.at_properties(span, properties, self.mark(span));
                self.start(content, style_of(style), mark, anchor)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::Alias(id) => {
                self.check_alias(span)?;
                self.alias(id, span)
            }
            Event::UnresolvedAlias(name) => {
                self.check_alias(span)?;
                Err(refuse_at(self.mark(span), format!("yaml: unknown anchor '{name}' referenced")))
            }
            Event::Comment(text, placement) => {
                self.check_tab_before_comment(span)?;
                self.comment(&text, placement, span);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn mark(&self, span: &Span) -> Mark {
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        Mark {
            source: self.origin.source,
            line: self.line.saturating_add(number(span.start.line())),
            column: number(span.start.col()).saturating_add(1),
            writer: self.origin.writer,
        }
    }

    /// Where a block scalar is announced: the parser points at its content.
    pub(super) fn header(&self, span: &Span) -> Option<Header> {
        let mut end = self.text.get(..span.start.byte_offset()?)?.rfind('\n')?;
        for lines_above in 1.. {
            let start = self.text[..end].rfind('\n').map_or(0, |at| at + 1);
            let line = &self.text[start..end];
            if !line.trim().is_empty() {
                let line = line.split(" #").next()?;
                let at = line.rfind(['|', '>'])?;
                let column = line[..at].chars().count();
                return Some(Header { at: start + at, lines_above, column });
            }
            end = start.checked_sub(1)?;
        }
        None
    }

    /// The first dash of a block sequence: the parser points behind it when the sequence is not indented.
    fn dash(&self, span: &Span) -> Mark {
        let mut mark = self.mark(span);
        if let Some(at) = span.start.byte_offset()
            && let Some((before, rest)) = self.text.as_bytes().split_at_checked(at)
            && !matches!(rest, [b'-'] | [b'-', b' ' | b'\t' | b'\n' | b'\r', ..])
        {
            let blanks = before.iter().rev().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if before[..at - blanks].last() == Some(&b'-') {
                let back = u32::try_from(blanks + 1).unwrap_or(u32::MAX);
                mark.column = mark.column.saturating_sub(back).max(1);
            }
        }
        mark
    }

    pub(super) fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Mapping { key: None, .. }, .. }))
    }

    fn start(
        &mut self,
        content: Content,
        style: Style,
        mark: Mark,
        anchor: usize,
    ) -> Result<(), YamlError> {
        if self.open.len() >= self.limits.depth {
            return Err(too_deep(mark, self.limits.depth));
        }
        let line = usize::try_from(mark.line.saturating_sub(self.line)).unwrap_or(usize::MAX);
        let head =
            if self.pending.is_empty() { String::new() } else { self.head_of_collection(line) };
        self.hold(anchor);
        let first = match content {
            Content::Mapping { .. } => self.entries.len(),
            Content::Sequence => self.items.len(),
        };
        self.open.push(Open {
            first,
            content,
            style,
            mark,
            column: usize::try_from(mark.column).unwrap_or(0).saturating_sub(1),
            anchor,
            head,
        });
        Ok(())
    }

    fn end(&mut self, span: &Span) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        if open.style == Style::Flow {
            self.last = Last::default();
            self.last_line = span.end.line();
        }
        let mark = open.mark;
        let foot = match self.pending.column() {
            Some(column) if open.style == Style::Plain && column >= open.column => {
                self.pending.take()
            }
            _ => String::new(),
        };
        let value = match open.content {
            Content::Sequence => {
                let mut items: Vec<Node> = self.items.drain(open.first..).collect();
                if let Some(last) = items.last_mut() {
                    set_foot(last, foot);
                }
                Value::Sequence(Arc::new(items), open.style)
            }
            Content::Mapping { merges, merge_by_alias, .. } => {
                let mut entries: Vec<Entry> = self.entries.drain(open.first..).collect();
                if let Some(last) = entries.last_mut() {
                    set_foot(&mut last.key, foot);
                }
                let entries = self
                    .merged(entries, merges, merge_by_alias)
                    .map_err(|reason| refuse_at(mark, reason))?;
                Value::Mapping(Arc::new(Mapping { entries, style: open.style }))
            }
        };
        let mut node = Node { value, mark, comments: None };
        if !open.head.is_empty() {
            comment::of(&mut node).head = open.head;
        }
        self.keep(open.anchor, &node);
        self.push(node, false)
    }

    fn merged(
        &self,
        entries: Vec<Entry>,
        merges: bool,
        merge_by_alias: bool,
    ) -> Result<Vec<Entry>, String> {
        match self.dialect {
            Dialect::V3 if merges => merge_v3(entries, merge_by_alias).map_err(str::to_owned),
            Dialect::V3 => Ok(entries),
            Dialect::V1_1 if merges => {
                merge_v1_1(entries).map(keep_last).map_err(|words| format!("yaml: {words}"))
            }
            Dialect::V1_1 => Ok(keep_last(entries)),
        }
    }

    fn alias(&mut self, id: usize, span: &Span) -> Result<(), YamlError> {
        let mark = self.mark(span);
        let Some(Some(node)) = self.anchors.get(id) else {
            let name = span.slice(self.text).unwrap_or_default();
            let name = name.trim_start_matches('*');
            return Err(refuse_at(mark, format!("yaml: anchor '{name}' value contains itself")));
        };
        let node = node.clone();
        self.allowance.take(&node, self.open.len()).map_err(|excess| match excess {
            Excess::Depth(depth) => too_deep(mark, depth),
            Excess::Nodes(_) | Excess::Bytes(_) => {
                refuse_at(mark, "yaml: document contains excessive aliasing")
            }
        })?;
        if self.expects_key() && node.as_scalar().is_none() && self.dialect == Dialect::V1_1 {
            return Err(refuse_at(mark, "yaml: invalid map key"));
        }
        self.last_line = span.end.line();
        self.last = Last::default();
        let node = self.with_head(node, span.start.line());
        self.push(node, true)
    }

    /// Makes room for an anchor whose node is not complete.
    fn hold(&mut self, anchor: usize) {
        if anchor > 0 && self.anchors.len() <= anchor {
            self.anchors.resize(anchor + 1, None);
        }
    }

    fn keep(&mut self, anchor: usize, node: &Node) {
        if anchor > 0 {
            self.hold(anchor);
            self.anchors[anchor] = Some(Node { comments: None, ..node.clone() });
        }
    }

    fn push(&mut self, node: Node, by_alias: bool) -> Result<(), YamlError> {
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(Content::Sequence) => self.items.push(node),
            Some(Content::Mapping { key, merges, merge_by_alias }) => match key.take() {
                None => {
                    if node.as_scalar().is_none() && self.dialect == Dialect::V1_1 {
                        return Err(refuse_at(node.mark, "yaml: invalid map key"));
                    }
                    *key = Some(node);
                }
                Some(_) if by_alias && self.loses_aliases => {}
                Some(key) => {
                    if key.text() == Some("<<") {
                        *merges = true;
                        *merge_by_alias = by_alias;
                    }
                    self.entries.push(Entry { key, value: node });
                }
            },
        }
        Ok(())
    }
}

fn style_of(style: StructureStyle) -> Style {
    match style {
        StructureStyle::Block => Style::Plain,
        StructureStyle::Flow => Style::Flow,
    }
}

fn too_deep(mark: Mark, depth: usize) -> YamlError {
    refuse_at(mark, format!("yaml: exceeded max depth of {depth}"))
}

/// A refusal at a node.
pub(super) fn refuse_at(mark: Mark, reason: impl Into<String>) -> YamlError {
    YamlError { line: mark.line, column: mark.column, reason: reason.into() }
}
