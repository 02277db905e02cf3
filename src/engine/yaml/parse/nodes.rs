//! Scalars, aliases and flow collections, their anchors and tags, and the nodes that they become.

use std::borrow::Cow;
use std::sync::Arc;

use crate::yaml::{
    Comments, Excess, Mapping, MappingEntry, Mark, Node, Scalar, Style, Tag, Value, YamlError,
};

use super::comments::{comments_mut, set, set_collection_tag};
use super::cursor::TextPosition;
use super::merge::{keep_last, merge_v1_1, merge_v3};
use super::reader::{MAPPING_VALUES, Reader, refuse_at};
use super::scalars::config_key;
use super::{YamlCause, YamlDialect};

const NODE_CONTENT: &str = "did not find expected node content";

/// Whether a scalar can be a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyUse {
    Never,
    Possible,
    Required,
}

enum Content<'t> {
    Scalar(Cow<'t, str>, Style),
    Alias(&'t str),
    /// A flow collection, with the comment above it.
    Flow(Value, String),
}

/// A mapping of which the entries are read.
#[derive(Clone, Copy)]
pub(super) struct OpenMapping {
    /// The index of its first entry in the shared list.
    first: usize,
    style: Style,
    has_merge: bool,
    merges_alias: bool,
}

impl OpenMapping {
    pub(super) fn new(first: usize, style: Style) -> Self {
        Self { first, style, has_merge: false, merges_alias: false }
    }
}

impl<'t> Reader<'t, '_> {
    /// Reads a scalar, an alias or a flow collection; in a block also the `:` after a key, whose
    /// end is returned. A key has its own properties only, any other node also the `outer` ones.
    pub(super) fn inline(
        &mut self,
        outer: &mut Properties<'t>,
        own: Properties<'t>,
        key_use: KeyUse,
    ) -> Result<(Node, Option<TextPosition>), YamlError> {
        let here = self.cursor.point;
        self.collect_comments();
        if self.cursor.byte(0) == b'*' && !own.is_empty() {
            return Err(self.parse_error(own.start, "did not find expected key"));
        }
        let content = match self.cursor.byte(0) {
            b'[' | b'{' => {
                let head = std::mem::take(&mut self.comments.texts).head;
                Content::Flow(self.flow_collection()?, head)
            }
            _ => self.content(key_use)?,
        };
        let bytes = here.at..self.token_end;
        let owner = if let Content::Flow(..) = content { self.last_token } else { here };
        (self.last_token, self.is_behind_colon) = (owner, false);
        let colon = if self.flow_level == 0 { self.take_colon(own.start, key_use)? } else { None };
        self.line_comment(owner.at);
        self.skip_gap();
        self.comments.collect(owner.at, false);
        let comments = std::mem::take(&mut self.comments.texts);
        let properties = if colon.is_some() { own } else { std::mem::take(outer).or(own) };
        let mark = self.mark(properties.start);
        if let Some(extents) = &mut self.extents {
            extents.insert((mark.line, mark.column), (properties.start.at, bytes));
        }
        Ok((self.node(content, properties, comments)?, colon))
    }

    /// Takes the `:` after a key that begins at `start`; returns its end.
    fn take_colon(
        &mut self,
        start: TextPosition,
        key_use: KeyUse,
    ) -> Result<Option<TextPosition>, YamlError> {
        if self.cursor.newlines == 0 {
            self.cursor.skip_blanks();
        }
        let is_in_line = self.cursor.point.line == start.line;
        if key_use == KeyUse::Required && !(is_in_line && self.is_indicator(b':')) {
            return Err(self.missing_colon_error(start));
        }
        if !self.is_indicator(b':') || !is_in_line && self.key_allowed {
            return Ok(None);
        }
        if !is_in_line || key_use == KeyUse::Never {
            return Err(self.scan_error(self.cursor.point, MAPPING_VALUES));
        }
        (self.last_token, self.is_behind_colon) = (self.cursor.point, true);
        self.cursor.skip();
        self.key_allowed = false;
        self.indent = isize::try_from(start.column).unwrap_or(isize::MAX);
        Ok(Some(self.cursor.point))
    }

    /// The error of a key that begins at `start`, which is found at the next token below its line.
    pub(super) fn missing_colon_error(&mut self, start: TextPosition) -> YamlError {
        if self.cursor.point.line == start.line {
            self.cursor.take_rest_of_line();
            self.skip_gap();
        }
        self.scan_error(start, "could not find expected ':'")
    }

    fn content(&mut self, key_use: KeyUse) -> Result<Content<'t>, YamlError> {
        let start = self.cursor.point;
        self.key_allowed = false;
        let byte = self.cursor.byte(0);
        Ok(match byte {
            b'*' => {
                let name = self.anchor_name()?;
                self.token_end = self.cursor.point.at;
                Content::Alias(name)
            }
            b'"' => Content::Scalar(self.quoted_text(byte)?, Style::DoubleQuoted),
            b'\'' => Content::Scalar(self.quoted_text(byte)?, Style::SingleQuoted),
            b'|' | b'>' if self.flow_level == 0 && key_use != KeyUse::Required => {
                let style = if byte == b'|' { Style::Literal } else { Style::Folded };
                Content::Scalar(self.block_text(style)?.into(), style)
            }
            b']' | b'}' | b',' => return Err(self.parse_error(start, NODE_CONTENT)),
            b'%' if start.column == 0 => {
                return Err(self.scan_error(start, "found unknown directive name"));
            }
            b'\t' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' => return Err(self.no_token_error()),
            b'?' | b':' if self.flow_level > 0 => return Err(self.parse_error(start, NODE_CONTENT)),
            b'?' if self.cursor.is_gap(1) => {
                return Err(self.scan_error(start, "mapping keys are not allowed in this context"));
            }
            b'-' | b':' if self.cursor.is_gap(1) => {
                return Err(self.parse_error(start, NODE_CONTENT));
            }
            _ if self.is_document_end() => return Err(self.parse_error(start, NODE_CONTENT)),
            _ => Content::Scalar(self.plain_text()?, Style::Plain),
        })
    }

    pub(super) fn no_token_error(&self) -> YamlError {
        self.scan_error(self.cursor.point, "found character that cannot start any token")
    }

    fn flow_collection(&mut self) -> Result<Value, YamlError> {
        let start = self.cursor.point;
        let is_list = self.cursor.byte(0) == b'[';
        let close = if is_list { b']' } else { b'}' };
        self.open(start)?;
        self.cursor.skip();
        self.flow_level += 1;
        self.end_token(start, start.at);
        let first = self.items.len();
        let mut open = OpenMapping::new(self.entries.len(), Style::Flow);
        while self.cursor.byte(0) != close {
            if is_list {
                let item = self.flow_item()?;
                self.items.push(item);
            } else {
                self.flow_entry(&mut open)?;
            }
            if self.cursor.byte(0) == b',' {
                self.take_comma(is_list);
            } else if self.cursor.byte(0) != close {
                let words = if is_list {
                    "did not find expected ',' or ']'"
                } else {
                    "did not find expected ',' or '}'"
                };
                return Err(self.parse_error(start, words));
            }
        }
        self.collect_comments();
        self.flow_level -= 1;
        self.depth -= 1;
        self.key_allowed = false;
        self.last_token = self.cursor.point;
        self.cursor.skip();
        self.token_end = self.cursor.point.at;
        if is_list {
            return Ok(Value::Sequence(Arc::new(self.items.drain(first..).collect()), Style::Flow));
        }
        self.close_mapping(open, start)
    }

    /// Takes a comma. The comment after it belongs to the item before it.
    fn take_comma(&mut self, is_list: bool) {
        self.cursor.skip();
        let owner = self.last_token.at;
        self.line_comment(owner);
        self.skip_gap();
        let earlier = std::mem::take(&mut self.comments.texts);
        self.comments.collect(owner, false);
        let Comments { line, foot, .. } = std::mem::replace(&mut self.comments.texts, earlier);
        let last = if is_list {
            self.items.last_mut()
        } else {
            self.entries.last_mut().map(|entry| &mut entry.value)
        };
        if let Some(last) = last.filter(|_| !(line.is_empty() && foot.is_empty())) {
            let comments = comments_mut(last);
            comments.line.push_str(&line);
            comments.foot.push_str(&foot);
        }
    }

    fn flow_node(&mut self) -> Result<Node, YamlError> {
        self.collect_comments();
        let own = self.properties()?;
        let is_empty = matches!(self.cursor.byte(0), b',' | b']' | b'}' | b':');
        if is_empty && !own.is_empty() {
            return self.empty_with(own);
        }
        Ok(self.inline(&mut Properties::at(own.start), own, KeyUse::Never)?.0)
    }

    /// Reads an item of a list in brackets: a node, or a mapping of one entry without braces.
    fn flow_item(&mut self) -> Result<Node, YamlError> {
        let start = self.cursor.point;
        let node = self.flow_node()?;
        if self.cursor.byte(0) != b':' || self.cursor.point.line != start.line {
            return Ok(node);
        }
        self.open(start)?;
        let mut open = OpenMapping::new(self.entries.len(), Style::Flow);
        self.flow_value(node, true, &mut open)?;
        let value = self.close_mapping(open, start)?;
        self.collection(value, Properties::at(start), String::new())
    }

    fn flow_entry(&mut self, open: &mut OpenMapping) -> Result<(), YamlError> {
        let (start, is_explicit) = (self.cursor.point, self.cursor.byte(0) == b'?');
        if is_explicit {
            self.cursor.skip();
            self.end_token(start, start.at);
        }
        let key = match self.cursor.byte(0) {
            b':' | b',' | b'}' if is_explicit => self.empty(self.cursor.point)?,
            _ => self.flow_node()?,
        };
        let has_value = is_explicit || self.cursor.point.line == start.line;
        self.flow_value(key, has_value, open)
    }

    /// Reads the value of a key in a flow collection, which may be missing, and adds the entry.
    fn flow_value(
        &mut self,
        key: Node,
        has_value: bool,
        open: &mut OpenMapping,
    ) -> Result<(), YamlError> {
        let key = self.key(key, open)?;
        let has_value = has_value && self.cursor.byte(0) == b':';
        if has_value {
            let start = self.cursor.point;
            self.cursor.skip();
            self.end_token(start, start.at);
        }
        let is_alias = self.cursor.byte(0) == b'*';
        self.collect_comments();
        let value = match self.cursor.byte(0) {
            b',' | b']' | b'}' => self.empty(self.cursor.point)?,
            _ if !has_value => self.empty(self.cursor.point)?,
            _ => self.flow_node()?,
        };
        self.add_entry(key, value, is_alias, open);
        Ok(())
    }

    /// Counts an open collection that starts here.
    pub(super) fn open(&mut self, start: TextPosition) -> Result<(), YamlError> {
        if self.depth >= self.settings.limits.depth {
            let cause = YamlCause::TooDeep(self.settings.limits.depth);
            return Err(refuse_at(self.mark(start), cause));
        }
        self.depth += 1;
        Ok(())
    }

    /// A null without a text.
    pub(super) fn empty(&mut self, start: TextPosition) -> Result<Node, YamlError> {
        self.empty_with(Properties::at(start))
    }

    pub(super) fn empty_with(&mut self, properties: Properties<'t>) -> Result<Node, YamlError> {
        let content = Content::Scalar(Cow::Borrowed(""), Style::Plain);
        self.node(content, properties, Comments::default())
    }

    pub(super) fn collection(
        &mut self,
        value: Value,
        properties: Properties<'t>,
        head: String,
    ) -> Result<Node, YamlError> {
        self.depth -= 1;
        self.node(Content::Flow(value, head), properties, Comments::default())
    }

    fn node(
        &mut self,
        content: Content<'t>,
        properties: Properties<'t>,
        mut comments: Comments,
    ) -> Result<Node, YamlError> {
        let mark = self.mark(properties.start);
        let mut node = match content {
            Content::Alias(name) => return self.alias(name, mark, comments),
            Content::Scalar(text, style) => {
                self.scalar(&text, style, properties.tag.as_deref(), mark)?
            }
            Content::Flow(value, head) => {
                comments.head = head;
                Node { value, mark, comments: None }
            }
        };
        set(&mut node, comments);
        if let Some(tag) = properties.tag.filter(|tag| tag != "!" && node.as_scalar().is_none()) {
            set_collection_tag(&mut node, tag);
        }
        if let Some(name) = properties.anchor {
            if self.settings.as_written {
                name.clone_into(&mut comments_mut(&mut node).anchor);
            }
            let mut anchored = node.clone();
            if anchored.comments.as_ref().is_some_and(|comments| !comments.foot.is_empty()) {
                comments_mut(&mut anchored).foot.clear();
            }
            self.anchors.insert(name, Some(anchored));
        }
        Ok(node)
    }

    /// A copy of the node of an anchor, in place of its alias.
    fn alias(&mut self, name: &str, mark: Mark, comments: Comments) -> Result<Node, YamlError> {
        let unknown = || refuse_at(mark, YamlCause::UnknownAnchor(name.to_owned()));
        let endless = || refuse_at(mark, YamlCause::EndlessAnchor(name.to_owned()));
        let node = self.anchors.get(name).ok_or_else(unknown)?;
        let mut node = node.clone().ok_or_else(endless)?;
        self.settings.allowance.take(&node, self.depth).map_err(|excess| {
            let cause = match excess {
                Excess::Depth(depth) => YamlCause::TooDeep(depth),
                Excess::Nodes(_) | Excess::Bytes(_) => YamlCause::ExcessiveAliasing,
            };
            refuse_at(mark, cause)
        })?;
        if self.settings.as_written {
            node.comments = Some(Arc::new(Comments { alias: name.to_owned(), ..comments }));
            node.mark = mark;
        }
        Ok(node)
    }

    /// A node as the next key of a mapping. In a block, its foot comment belongs to the entry before
    /// it. A configuration has only scalar keys, as text.
    pub(super) fn key(&mut self, mut key: Node, open: &OpenMapping) -> Result<Node, YamlError> {
        let foot = key.comments.as_ref().map_or("", |comments| &comments.foot);
        if let Some(last) = self.entries[open.first..].last_mut()
            && open.style == Style::Plain
            && !foot.is_empty()
        {
            foot.clone_into(&mut comments_mut(&mut last.key).foot);
            comments_mut(&mut key).foot.clear();
        }
        if self.settings.dialect == YamlDialect::V3 {
            return Ok(key);
        }
        let Value::Scalar(Scalar { text, tag, style, .. }) = key.value else {
            return Err(refuse_at(key.mark, YamlCause::InvalidKey));
        };
        let text = config_key(&text, tag, style, self.texts);
        let scalar = text.map_err(|cause| refuse_at(key.mark, cause))?;
        Ok(Node { value: Value::Scalar(scalar), ..key })
    }

    /// Adds an entry to an open mapping. The foot comment of a value belongs to its key.
    pub(super) fn add_entry(
        &mut self,
        mut key: Node,
        mut value: Node,
        is_alias: bool,
        open: &mut OpenMapping,
    ) {
        if is_alias && self.settings.loses_aliases {
            return;
        }
        let has_foot = |node: &Node| node.comments.as_ref().is_some_and(|it| !it.foot.is_empty());
        if has_foot(&value) && !has_foot(&key) {
            comments_mut(&mut key).foot = std::mem::take(&mut comments_mut(&mut value).foot);
        }
        if let Value::Scalar(scalar) = &mut key.value {
            let (is_merge, is_v3) = (&*scalar.text == "<<", self.keeps_comments());
            if self.settings.as_written {
                if is_merge && scalar.style == Style::Plain {
                    // The tag is printed where the key remains.
                    (scalar.tag, scalar.tagged) = (Tag::Merge, true);
                }
            } else if is_merge || is_v3 && scalar.tag == Tag::Merge {
                (open.has_merge, open.merges_alias) = (true, is_alias);
            }
        }
        self.entries.push(MappingEntry { key, value });
    }

    /// The mapping with its merge keys applied, which starts at `start`.
    pub(super) fn close_mapping(
        &mut self,
        open: OpenMapping,
        start: TextPosition,
    ) -> Result<Value, YamlError> {
        let OpenMapping { first, style, has_merge, merges_alias } = open;
        let entries: Vec<MappingEntry> = self.entries.drain(first..).collect();
        let entries = match self.settings.dialect {
            YamlDialect::V3 if has_merge => {
                merge_v3(entries, merges_alias).map_err(YamlCause::Merge)
            }
            YamlDialect::V3 => Ok(entries),
            YamlDialect::V1_1 if has_merge => {
                merge_v1_1(entries).map(keep_last).map_err(YamlCause::GoMerge)
            }
            YamlDialect::V1_1 => Ok(keep_last(entries)),
        };
        let entries = entries.map_err(|cause| refuse_at(self.mark(start), cause))?;
        Ok(Value::Mapping(Arc::new(Mapping { entries: entries.into(), style })))
    }
}

#[derive(Default)]
pub(super) struct Properties<'t> {
    /// The start of the node: of its first property, or else of its content.
    pub(super) start: TextPosition,
    pub(super) anchor: Option<&'t str>,
    pub(super) tag: Option<String>,
}

impl Properties<'_> {
    /// No properties, of a node that starts here.
    pub(super) fn at(start: TextPosition) -> Self {
        Self { start, ..Self::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.anchor.is_none() && self.tag.is_none()
    }

    /// The properties of a node that are written in two lines.
    pub(super) fn or(self, other: Self) -> Self {
        let (anchor, tag) = (self.anchor.or(other.anchor), self.tag.or(other.tag));
        Self { start: self.start, anchor, tag }
    }
}

impl<'t> Reader<'t, '_> {
    /// Reads the anchor and the tag in front of a node. In a block they end with their line.
    pub(super) fn properties(&mut self) -> Result<Properties<'t>, YamlError> {
        let mut found = Properties::at(self.cursor.point);
        loop {
            let start = self.cursor.point;
            match self.cursor.byte(0) {
                b'&' if found.anchor.is_none() => {
                    let name = self.anchor_name()?;
                    self.anchors.insert(name, None);
                    found.anchor = Some(name);
                }
                b'!' if found.tag.is_none() => found.tag = Some(self.tag()?),
                _ => return Ok(found),
            }
            self.key_allowed = false;
            self.end_token(start, start.at);
            if self.key_allowed {
                return Ok(found);
            }
        }
    }

    pub(super) fn anchor_name(&mut self) -> Result<&'t str, YamlError> {
        let start = self.cursor.point;
        self.cursor.skip();
        let name = self.cursor.take_word();
        let ends = self.cursor.is_gap(0)
            || matches!(self.cursor.byte(0), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if name.is_empty() || !ends {
            let words = "did not find expected alphabetic or numeric character";
            return Err(self.scan_error(start, words));
        }
        Ok(name)
    }

    /// Reads a tag: `!name`, `!!name` in its full form, or a lone `!`.
    fn tag(&mut self) -> Result<String, YamlError> {
        let start = self.cursor.point;
        let is_part =
            |byte: &u8| byte.is_ascii_alphanumeric() || b"_-;/?:@&=+$,.!~*'()[]".contains(byte);
        let rest = &self.cursor.text[start.at..];
        let written = &rest[..rest.bytes().take_while(|byte| is_part(byte)).count()];
        self.cursor.skip_to(start.at + written.len());
        if !self.cursor.is_gap(0) {
            let words = "did not find expected whitespace or line break";
            return Err(self.scan_error(start, words));
        }
        match written.strip_prefix("!!") {
            Some("") => Err(self.scan_error(start, "did not find expected tag URI")),
            Some(name) => Ok(format!("tag:yaml.org,2002:{name}")),
            None if written[1..].contains('!') => {
                Err(self.parse_error(start, "found undefined tag handle"))
            }
            None => Ok(written.to_owned()),
        }
    }

    /// Skips `%YAML 1.1`. Limitation: other directives, such as `%TAG`, are refused.
    pub(super) fn skip_directive(&mut self) -> Result<(), YamlError> {
        let start = self.cursor.point;
        self.cursor.skip();
        if self.cursor.take_word() != "YAML" {
            return Err(self.scan_error(start, "found unknown directive name"));
        }
        let rest = self.cursor.take_rest_of_line();
        if rest.split('#').next().unwrap_or_default().trim() != "1.1" {
            let words = "found incompatible YAML document";
            return Err(self.parse_error(TextPosition::default(), words));
        }
        self.skip_gap();
        Ok(())
    }
}
