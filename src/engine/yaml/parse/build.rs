//! Builds nodes from events.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::comment;
use super::events::{Event, EventKind};
use super::intern::TextCache;
use super::merge::{keep_last, merge_v1_1, merge_v3};
use super::scan::TextPosition;
use super::{ParseSettings, YamlCause, YamlDialect, YamlError};
use crate::yaml::{Comments, Excess, Mapping, MappingEntry, Mark, Node, Scalar, Style, Tag, Value};

pub(super) struct OpenNode {
    content: OpenContent,
    style: Style,
    mark: Mark,
    anchor: Option<usize>,
    /// The tag, where one is written.
    tag: Option<String>,
    /// The index of its first entry or item in the shared lists of the builder.
    first: usize,
    head: String,
}

enum OpenContent {
    Mapping { key: Option<Node>, merges: bool, merge_by_alias: bool },
    Sequence,
}

pub(super) struct TreeBuilder<'a> {
    pub(super) reading: ParseSettings,
    pub(super) texts: &'a mut TextCache,
    open: Vec<OpenNode>,
    /// The entries of all open mappings and the items of all open sequences, so that each list is
    /// allocated once, at its final size.
    entries: Vec<MappingEntry>,
    items: Vec<Node>,
    root: Option<Node>,
    /// The comments of the document itself.
    head: String,
    foot: String,
    /// For each anchor, the index of the node that it names at this point.
    anchors: BTreeMap<&'a str, usize>,
    /// The anchored nodes; `None` while a node is still open.
    anchored: Vec<Option<Node>>,
}

impl<'a> TreeBuilder<'a> {
    pub(super) fn new(reading: ParseSettings, texts: &'a mut TextCache) -> Self {
        Self {
            reading,
            texts,
            open: Vec::new(),
            entries: Vec::new(),
            items: Vec::new(),
            root: None,
            head: String::new(),
            foot: String::new(),
            anchors: BTreeMap::new(),
            anchored: Vec::new(),
        }
    }

    /// The root. A block collection gets the comments of its document, because it has no others.
    pub(super) fn finish(self) -> Option<Node> {
        let mut root = self.root?;
        let is_block = root.collection_style() == Some(Style::Plain);
        if is_block && !(self.head.is_empty() && self.foot.is_empty()) {
            let comments = comment::comments_mut(&mut root);
            (comments.head, comments.foot) = (self.head, self.foot);
        }
        Some(root)
    }

    pub(super) fn add_event(&mut self, event: Event<'a>) -> Result<(), YamlError> {
        let mark = self.mark(event.start);
        let comments = event.comments;
        let anchor = event.anchor.map(|name| self.anchor(name));
        let tag = event.tag;
        match event.kind {
            EventKind::Scalar(text, style) => {
                let mut node = self.scalar(&text, style, tag.as_deref(), mark)?;
                if let Some(comments) = comments {
                    comment::set(&mut node, *comments);
                }
                self.complete(node, anchor)
            }
            EventKind::SequenceStart(flow) => {
                let open = self.opened(OpenContent::Sequence, flow, mark, head_comment(comments));
                self.start(OpenNode { anchor, tag, ..open })
            }
            EventKind::MappingStart(flow) => {
                let content =
                    OpenContent::Mapping { key: None, merges: false, merge_by_alias: false };
                let open = self.opened(content, flow, mark, head_comment(comments));
                self.start(OpenNode { anchor, tag, ..open })
            }
            EventKind::SequenceEnd | EventKind::MappingEnd => {
                self.end(comments.map(|comments| *comments).unwrap_or_default())
            }
            EventKind::Alias(name) => self.alias(name, mark, comments),
            EventKind::DocumentStart => {
                self.head = head_comment(comments);
                Ok(())
            }
            EventKind::DocumentEnd => {
                self.foot = comments.map(|comments| comments.foot).unwrap_or_default();
                Ok(())
            }
            EventKind::StreamEnd => Ok(()),
        }
    }

    fn mark(&self, point: TextPosition) -> Mark {
        point.mark(self.reading.line, self.reading.origin)
    }

    /// True if the next node is a key of the innermost mapping.
    pub(super) fn expects_key(&self) -> bool {
        matches!(
            self.open.last(),
            Some(OpenNode { content: OpenContent::Mapping { key: None, .. }, .. })
        )
    }

    fn opened(&self, content: OpenContent, flow: bool, mark: Mark, head: String) -> OpenNode {
        let first = match content {
            OpenContent::Mapping { .. } => self.entries.len(),
            OpenContent::Sequence => self.items.len(),
        };
        let style = if flow { Style::Flow } else { Style::Plain };
        OpenNode { content, style, mark, anchor: None, tag: None, first, head }
    }

    fn start(&mut self, open: OpenNode) -> Result<(), YamlError> {
        if self.open.len() >= self.reading.limits.depth {
            return Err(too_deep(open.mark, self.reading.limits.depth));
        }
        self.open.push(open);
        Ok(())
    }

    fn end(&mut self, mut comments: Comments) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let mark = open.mark;
        let value = match open.content {
            OpenContent::Sequence => {
                let items: Vec<Node> = self.items.drain(open.first..).collect();
                Value::Sequence(Arc::new(items), open.style)
            }
            OpenContent::Mapping { merges, merge_by_alias, .. } => {
                let mut entries: Vec<MappingEntry> = self.entries.drain(open.first..).collect();
                if let Some(last) = entries.last_mut()
                    && open.style == Style::Plain
                    && !comments.foot.is_empty()
                {
                    comment::comments_mut(&mut last.key).foot = std::mem::take(&mut comments.foot);
                }
                let entries = self
                    .merged(entries, merges, merge_by_alias)
                    .map_err(|cause| refuse_at(mark, cause))?;
                Value::Mapping(Arc::new(Mapping { entries: entries.into(), style: open.style }))
            }
        };
        let mut node = Node { value, mark, comments: None };
        comments.head = open.head;
        comment::set(&mut node, comments);
        if let Some(tag) = open.tag.filter(|tag| tag != "!") {
            comment::set_collection_tag(&mut node, tag);
        }
        self.complete(node, open.anchor)
    }

    fn merged(
        &self,
        entries: Vec<MappingEntry>,
        merges: bool,
        merge_by_alias: bool,
    ) -> Result<Vec<MappingEntry>, YamlCause> {
        match self.reading.dialect {
            YamlDialect::V3 if merges => {
                merge_v3(entries, merge_by_alias).map_err(YamlCause::Merge)
            }
            YamlDialect::V3 => Ok(entries),
            YamlDialect::V1_1 if merges => {
                merge_v1_1(entries).map(keep_last).map_err(YamlCause::GoMerge)
            }
            YamlDialect::V1_1 => Ok(keep_last(entries)),
        }
    }

    /// Adds the node of an anchor in place of its alias.
    fn alias(
        &mut self,
        name: &str,
        mark: Mark,
        comments: Option<Box<Comments>>,
    ) -> Result<(), YamlError> {
        let mut node = match self.anchors.get(name).map(|number| &self.anchored[*number]) {
            Some(Some(node)) => node.clone(),
            Some(None) => {
                let cause = YamlCause::EndlessAnchor(name.to_owned());
                return Err(refuse_at(mark, cause));
            }
            None => return Err(refuse_at(mark, YamlCause::UnknownAnchor(name.to_owned()))),
        };
        self.reading.allowance.take(&node, self.open.len()).map_err(|excess| match excess {
            Excess::Depth(depth) => too_deep(mark, depth),
            Excess::Nodes(_) | Excess::Bytes(_) => refuse_at(mark, YamlCause::ExcessiveAliasing),
        })?;
        if self.expects_key()
            && node.as_scalar().is_none()
            && self.reading.dialect == YamlDialect::V1_1
        {
            return Err(refuse_at(mark, YamlCause::InvalidKey));
        }
        if self.reading.as_written {
            comment::alias(&mut node, name, comments);
            self.move_foot(&mut node);
        }
        self.push(node, true)
    }

    /// Reserves an index for an anchored node; from now on the anchor names this node.
    fn anchor(&mut self, name: &'a str) -> usize {
        self.anchored.push(None);
        self.anchors.insert(name, self.anchored.len() - 1);
        self.anchored.len() - 1
    }

    fn name(&self, node: &mut Node, anchor: usize) {
        let name = self.anchors.iter().find(|(_, number)| **number == anchor);
        comment::comments_mut(node).anchor =
            name.map(|(name, _)| (*name).to_owned()).unwrap_or_default();
    }

    /// Adds a completely read node to the tree.
    fn complete(&mut self, mut node: Node, anchor: Option<usize>) -> Result<(), YamlError> {
        if node.comments.is_some() {
            self.move_foot(&mut node);
        }
        if let Some(anchor) = anchor {
            if self.reading.as_written {
                self.name(&mut node, anchor);
            }
            self.anchored[anchor] = Some(node.clone());
        }
        self.push(node, false)
    }

    /// Moves a foot comment to its owner: in a block mapping, the foot comment of a key belongs to
    /// the entry before it, and that of a value to the value's key.
    fn move_foot(&mut self, node: &mut Node) {
        let Some(open) = self.open.last_mut() else { return };
        let OpenContent::Mapping { key, .. } = &mut open.content else { return };
        let foot = comment::comments_mut(node).foot.clone();
        if foot.is_empty() {
            return;
        }
        let owner = match key {
            Some(key) if key.comments.as_ref().is_none_or(|known| known.foot.is_empty()) => {
                Some(key)
            }
            None if open.style == Style::Plain => {
                self.entries[open.first..].last_mut().map(|entry| &mut entry.key)
            }
            _ => None,
        };
        if let Some(owner) = owner {
            comment::comments_mut(owner).foot = foot;
            comment::comments_mut(node).foot.clear();
        }
    }

    fn push(&mut self, node: Node, by_alias: bool) -> Result<(), YamlError> {
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(OpenContent::Sequence) => self.items.push(node),
            Some(OpenContent::Mapping { key, merges, merge_by_alias }) => match key.take() {
                None => {
                    if node.as_scalar().is_none() && self.reading.dialect == YamlDialect::V1_1 {
                        return Err(refuse_at(node.mark, YamlCause::InvalidKey));
                    }
                    *key = Some(node);
                }
                Some(_) if by_alias && self.reading.loses_aliases => {}
                Some(mut key) => {
                    if self.reading.as_written {
                        tag_merge_key(&mut key);
                    } else if key.text() == Some("<<")
                        || self.reading.dialect == YamlDialect::V3
                            && key.as_scalar().is_some_and(|key| key.tag == Tag::Merge)
                    {
                        *merges = true;
                        *merge_by_alias = by_alias;
                    }
                    self.entries.push(MappingEntry { key, value: node });
                }
            },
        }
        Ok(())
    }
}

/// Gives a merge key its tag, as go-yaml does; the tag is printed where the key remains.
fn tag_merge_key(key: &mut Node) {
    let is_merge = |scalar: &&mut Scalar| &*scalar.text == "<<" && scalar.style == Style::Plain;
    if let Some(scalar) = key.as_scalar_mut().filter(is_merge) {
        (scalar.tag, scalar.tagged) = (Tag::Merge, true);
    }
}

fn head_comment(comments: Option<Box<Comments>>) -> String {
    comments.map(|comments| comments.head).unwrap_or_default()
}

fn too_deep(mark: Mark, depth: usize) -> YamlError {
    refuse_at(mark, YamlCause::TooDeep(depth))
}

pub(super) fn refuse_at(mark: Mark, cause: YamlCause) -> YamlError {
    YamlError { line: mark.line, column: mark.column, cause }
}
