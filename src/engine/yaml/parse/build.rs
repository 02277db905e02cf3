//! Events to nodes.

use std::borrow::Cow;
use std::sync::Arc;

use granit_parser::{Event, Placement, ScalarStyle, Span, StructureStyle, Tag as WrittenTag};

use super::comment::{self, Pending};
use super::error::Place;
use super::intern::Texts;
use super::merge::{keep_last, merge_v1_1, merge_v3};
use super::{Dialect, YamlError};
use crate::engine::yaml::{
    Entry, Limits, Mapping, Mark, Node, Scalar, ScalarType, SourceId, Style, Tag, Value, WriterId,
    resolve_v1_1, resolve_v3,
};

/// A collection that is not closed yet.
struct Open {
    content: Content,
    style: Style,
    mark: Mark,
    /// 0-based column, to tell whose a comment below is.
    column: usize,
    anchor: usize,
    /// How many nodes there were before this one.
    nodes_before: usize,
    head: String,
}

enum Content {
    Mapping { entries: Vec<Entry>, key: Option<Node>, merges: bool, merge_by_alias: bool },
    Sequence(Vec<Node>),
}

/// An anchored node with how many nodes it holds; none while it is still open.
type Anchored = Option<(Node, usize)>;

/// Builds the tree of one document.
pub(super) struct Builder<'a> {
    text: &'a str,
    line: u32,
    source: SourceId,
    dialect: Dialect,
    limits: Limits,
    texts: &'a mut Texts,
    open: Vec<Open>,
    root: Option<Node>,
    anchors: Vec<Anchored>,
    nodes: usize,
    alias_nodes: usize,
    pending: Pending,
    /// 1-based line within the piece where the last content ended.
    last_line: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        text: &'a str,
        line: u32,
        source: SourceId,
        dialect: Dialect,
        limits: Limits,
        texts: &'a mut Texts,
    ) -> Self {
        Self {
            text,
            line,
            source,
            dialect,
            limits,
            texts,
            open: Vec::new(),
            root: None,
            anchors: Vec::new(),
            nodes: 0,
            alias_nodes: 0,
            pending: Pending::default(),
            last_line: 0,
        }
    }

    /// Where it stands, for a refusal of the parser.
    pub(super) fn place(&self, dialect: Dialect) -> Place {
        let open = self.open.last().map(|open| open.mark.line.saturating_sub(self.line));
        Place { line: self.line, open, dialect }
    }

    /// The root, with the comments below it.
    pub(super) fn finish(self) -> Option<Node> {
        let mut root = self.root?;
        let mut pending = self.pending;
        if !pending.is_empty() {
            comment::of(&mut root).foot = pending.take();
        }
        Some(root)
    }

    pub(super) fn event(&mut self, event: Event<'_>, span: &Span) -> Result<(), YamlError> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let node = self.scalar(&text, style, tag.as_deref(), span)?;
                self.last_line = span.end.line();
                self.nodes += 1;
                self.keep(anchor, &node, 1);
                self.push(node, false)
            }
            Event::SequenceStart(style, anchor, _) => {
                let style = style_of(style);
                let mark = match style {
                    Style::Plain => self.dash(span),
                    _ => self.mark(span),
                };
                self.start(Content::Sequence(Vec::new()), style, mark, anchor)
            }
            Event::MappingStart(style, anchor, _) => {
                let content = Content::Mapping {
                    entries: Vec::new(),
                    key: None,
                    merges: false,
                    merge_by_alias: false,
                };
                self.start(content, style_of(style), self.mark(span), anchor)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::Alias(id) => self.alias(id, span),
            Event::UnresolvedAlias(name) => {
                Err(self
                    .refuse(self.mark(span), format!("yaml: unknown anchor '{name}' referenced")))
            }
            Event::Comment(text, placement) => {
                self.comment(&text, placement, span);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn mark(&self, span: &Span) -> Mark {
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        Mark {
            source: self.source,
            line: self.line.saturating_add(number(span.start.line())),
            column: number(span.start.col()).saturating_add(1),
            writer: WriterId::NONE,
        }
    }

    /// The first dash of a block sequence: the parser points behind it when the sequence is not indented.
    fn dash(&self, span: &Span) -> Mark {
        let mut mark = self.mark(span);
        if let Some(at) = span.start.byte_offset()
            && let Some(before) = self.text.as_bytes().get(..at)
            && self.text.as_bytes().get(at) != Some(&b'-')
        {
            let blanks = before.iter().rev().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if before[..at - blanks].last() == Some(&b'-') {
                let back = u32::try_from(blanks + 1).unwrap_or(u32::MAX);
                mark.column = mark.column.saturating_sub(back).max(1);
            }
        }
        mark
    }

    fn refuse(&self, mark: Mark, reason: impl Into<String>) -> YamlError {
        YamlError { line: mark.line, column: mark.column, reason: reason.into() }
    }

    fn scalar(
        &mut self,
        text: &Cow<'_, str>,
        style: ScalarStyle,
        tag: Option<&WrittenTag>,
        span: &Span,
    ) -> Result<Node, YamlError> {
        let style = match style {
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted => Style::SingleQuoted,
            ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
        };
        // An empty scalar arrives as a `~` that takes no room.
        let absent = style == Style::Plain && span.start.index() == span.end.index();
        let text: &str = if absent { "" } else { text };
        let written = tag.and_then(written_tag);
        let tagged = written.is_some();
        let is_key = self.expects_key();
        let tag = match written {
            Some(Tag::Other(_)) if self.dialect == Dialect::V1_1 => Tag::Str,
            Some(tag) => tag,
            None if style != Style::Plain => Tag::Str,
            None => self.resolve(text),
        };
        let mark = self.mark(span);
        let scalar = if is_key && self.dialect == Dialect::V1_1 {
            self.config_key(text, tag, style).map_err(|reason| self.refuse(mark, reason))?
        } else {
            Scalar { text: self.texts.share(text), tag, style, tagged }
        };
        let node = Node { value: Value::Scalar(scalar), mark, comments: None };
        Ok(self.with_head(node, span.start.line()))
    }

    fn resolve(&self, text: &str) -> Tag {
        let resolved = match self.dialect {
            Dialect::V3 => resolve_v3(text),
            Dialect::V1_1 => resolve_v1_1(text),
        };
        match resolved {
            ScalarType::Null => Tag::Null,
            ScalarType::Bool(_) => Tag::Bool,
            ScalarType::Int(_) => Tag::Int,
            ScalarType::Float(_) => Tag::Float,
            ScalarType::Timestamp(_) => Tag::Timestamp,
            ScalarType::Merge => Tag::Merge,
            ScalarType::Str => Tag::Str,
        }
    }

    /// A key of a configuration as the JSON that it becomes has it: `n` is `false`, `0x10` is `16`.
    fn config_key(&mut self, text: &str, tag: Tag, style: Style) -> Result<Scalar, String> {
        let shown = match tag {
            Tag::Bool | Tag::Int | Tag::Float => match resolve_v1_1(text) {
                ScalarType::Bool(value) => Cow::Owned(value.to_string()),
                ScalarType::Int(value) => Cow::Owned(value.to_string()),
                ScalarType::Float(value) => Cow::Owned(float_key(value)),
                _ => Cow::Borrowed(text),
            },
            Tag::Null => {
                return Err("unsupported map key of type: <invalid>, key: <nil>".to_owned());
            }
            _ => Cow::Borrowed(text),
        };
        let tag = if tag == Tag::Merge { tag } else { Tag::Str };
        Ok(Scalar { text: self.texts.share(&shown), tag, style, tagged: false })
    }

    fn expects_key(&self) -> bool {
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
            let reason = format!("yaml: exceeded max depth of {}", self.limits.depth);
            return Err(self.refuse(mark, reason));
        }
        let line = usize::try_from(mark.line.saturating_sub(self.line)).unwrap_or(usize::MAX);
        let head =
            if self.pending.is_empty() { String::new() } else { self.head_of_collection(line) };
        self.hold(anchor);
        self.open.push(Open {
            content,
            style,
            mark,
            column: usize::try_from(mark.column).unwrap_or(0).saturating_sub(1),
            anchor,
            nodes_before: self.nodes,
            head,
        });
        self.nodes += 1;
        Ok(())
    }

    fn end(&mut self, span: &Span) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        if open.style == Style::Flow {
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
            Content::Sequence(mut items) => {
                if let Some(last) = items.last_mut() {
                    set_foot(last, foot);
                }
                Value::Sequence(Arc::new(items), open.style)
            }
            Content::Mapping { mut entries, merges, merge_by_alias, .. } => {
                if let Some(last) = entries.last_mut() {
                    set_foot(&mut last.key, foot);
                }
                let entries = self
                    .merged(entries, merges, merge_by_alias)
                    .map_err(|reason| self.refuse(mark, reason))?;
                Value::Mapping(Arc::new(Mapping { entries, style: open.style }))
            }
        };
        let mut node = Node { value, mark, comments: None };
        if !open.head.is_empty() {
            comment::of(&mut node).head = open.head;
        }
        self.keep(open.anchor, &node, self.nodes - open.nodes_before);
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
        let Some(Some((node, size))) = self.anchors.get(id) else {
            let name = span.slice(self.text).unwrap_or_default();
            let name = name.trim_start_matches('*');
            return Err(self.refuse(mark, format!("yaml: anchor '{name}' value contains itself")));
        };
        let (node, size) = (node.clone(), *size);
        self.alias_nodes = self.alias_nodes.saturating_add(size);
        self.nodes = self.nodes.saturating_add(size);
        if self.alias_nodes > self.limits.alias_nodes {
            return Err(self.refuse(mark, "yaml: document contains excessive aliasing"));
        }
        if self.expects_key() && node.as_scalar().is_none() && self.dialect == Dialect::V1_1 {
            return Err(self.refuse(mark, "yaml: invalid map key"));
        }
        self.last_line = span.end.line();
        let node = self.with_head(node, span.start.line());
        self.push(node, true)
    }

    /// Makes room for an anchor whose node is not complete.
    fn hold(&mut self, anchor: usize) {
        if anchor > 0 && self.anchors.len() <= anchor {
            self.anchors.resize(anchor + 1, None);
        }
    }

    fn keep(&mut self, anchor: usize, node: &Node, size: usize) {
        if anchor > 0 {
            self.hold(anchor);
            self.anchors[anchor] = Some((Node { comments: None, ..node.clone() }, size));
        }
    }

    fn push(&mut self, node: Node, by_alias: bool) -> Result<(), YamlError> {
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(Content::Sequence(items)) => items.push(node),
            Some(Content::Mapping { entries, key, merges, merge_by_alias }) => match key.take() {
                None => {
                    if node.as_scalar().is_none() && self.dialect == Dialect::V1_1 {
                        return Err(self.refuse(node.mark, "yaml: invalid map key"));
                    }
                    *key = Some(node);
                }
                Some(key) => {
                    if key.text() == Some("<<") {
                        *merges = true;
                        *merge_by_alias = by_alias;
                    }
                    entries.push(Entry { key, value: node });
                }
            },
        }
        Ok(())
    }
}

/// What comments belong to.
impl Builder<'_> {
    fn comment(&mut self, text: &str, placement: Placement, span: &Span) {
        let line = span.start.line();
        if placement != Placement::Right {
            self.pending.push(line, span.start.col(), text);
            return;
        }
        match self.latest() {
            Some(node) if node.comments.as_ref().is_none_or(|known| known.line.is_empty()) => {
                comment::of(node).line = format!("#{text}");
            }
            _ => self.pending.push(line, span.start.col(), text),
        }
    }

    /// The node that was read last, if it can carry a comment at the end of its line.
    fn latest(&mut self) -> Option<&mut Node> {
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root.as_mut(),
            Some(Content::Sequence(items)) => items.last_mut(),
            Some(Content::Mapping { key: Some(key), .. }) => Some(key),
            Some(Content::Mapping { entries, .. }) => {
                entries.last_mut().map(|entry| &mut entry.value)
            }
        }
    }

    /// Gives a node what stands above it.
    fn with_head(&mut self, mut node: Node, line: usize) -> Node {
        if self.pending.is_empty() {
            return node;
        }
        self.foot_of_previous(line);
        let head = self.pending.take();
        if !head.is_empty() {
            comment::of(&mut node).head = head;
        }
        node
    }

    /// What stands above a collection: an item takes it, a root takes what is cut off from its first node, and a
    /// value leaves it to its first node.
    fn head_of_collection(&mut self, line: usize) -> String {
        match self.open.last().map(|open| &open.content) {
            None => self.pending.take_detached(line),
            Some(Content::Sequence(_)) => {
                self.foot_of_previous(line);
                self.pending.take()
            }
            Some(Content::Mapping { .. }) => String::new(),
        }
    }

    fn foot_of_previous(&mut self, line: usize) {
        let foot = self.pending.take_foot(self.last_line, line);
        let previous = match self.open.last_mut().map(|open| &mut open.content) {
            Some(Content::Sequence(items)) => items.last_mut(),
            Some(Content::Mapping { entries, key: None, .. }) => {
                entries.last_mut().map(|entry| &mut entry.key)
            }
            _ => None,
        };
        if let Some(previous) = previous {
            set_foot(previous, foot);
        }
    }
}

fn set_foot(node: &mut Node, foot: String) {
    if !foot.is_empty() {
        comment::of(node).foot = foot;
    }
}

fn style_of(style: StructureStyle) -> Style {
    match style {
        StructureStyle::Block => Style::Plain,
        StructureStyle::Flow => Style::Flow,
    }
}

/// The tag as go-yaml shortens it; a lone `!` says nothing.
fn written_tag(tag: &WrittenTag) -> Option<Tag> {
    let full = format!("{}{}", tag.handle(), tag.suffix());
    let Some(short) = full.strip_prefix("tag:yaml.org,2002:") else {
        return (full != "!").then(|| Tag::Other(full.into()));
    };
    Some(match short {
        "str" => Tag::Str,
        "int" => Tag::Int,
        "float" => Tag::Float,
        "bool" => Tag::Bool,
        "null" => Tag::Null,
        "timestamp" => Tag::Timestamp,
        "binary" => Tag::Binary,
        "merge" => Tag::Merge,
        other => Tag::Other(format!("!!{other}").into()),
    })
}

/// Go's `FormatFloat(value, 'g', -1, 32)`.
fn float_key(value: f64) -> String {
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "keys are printed in single precision")]
    let single = value as f32;
    let scientific = format!("{single:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return format!("{single}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
