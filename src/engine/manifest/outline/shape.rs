//! The structure of a kustomization file as the YAML parser finds it: keys, lists, and values of
//! several lines.

use std::ops::Range;

use crate::yaml::{Part, Parts, Style, YamlError};

use super::OutlineProblem;
use super::obstacle::KEY_NO_TEXT;

/// The shape of the first document of a text: its top-level keys.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RootShape {
    pub(super) keys: Vec<KeyShape>,
    /// The byte after a `---` before the document, else 0.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Values of several lines: their lines are neither comments nor entries.
    pub(super) inside: Vec<MultilineValue>,
    /// True if a plain scalar has several lines. In a comment this means that prose follows an
    /// entry.
    pub(super) runs_on: bool,
    pub(super) problem: Option<OutlineProblem>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct MultilineValue {
    pub(super) bytes: Range<usize>,
    /// True for a block scalar without its header: even its first line is only content.
    pub(super) block: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct KeyShape {
    pub(super) name: String,
    pub(super) start: usize,
    pub(super) value: ValueShape,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum ValueShape {
    #[default]
    Null,
    /// A scalar, or an alias.
    Scalar(String),
    Mapping,
    /// A sequence of dashes, with its number of items.
    Block(usize),
    /// A list in brackets: the bytes of the brackets, and the bytes of each item.
    Flow(Range<usize>, Vec<Range<usize>>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ItemShape {
    Scalar { value: String, quoted: bool, block: bool },
    Mapping { keys: Vec<String> },
    Other,
}

struct ShapeCursor<'t> {
    text: &'t str,
    depth: usize,
    shape: RootShape,
    /// The byte at which the last item of a top-level list in brackets ends.
    item_end: usize,
    is_key: bool,
}

pub(super) fn read_root(text: &str) -> RootShape {
    let shape = RootShape { end: text.len(), ..RootShape::default() };
    let mut cursor = ShapeCursor { text, depth: 0, shape, item_end: 0, is_key: true };
    let parts = Parts::new(text);
    for (part, bytes) in &parts.list {
        cursor.take(part, bytes);
        if cursor.shape.problem.is_some() {
            break;
        }
    }
    if let (None, Some(YamlError { line, cause, .. })) = (&cursor.shape.problem, parts.error) {
        let obstacle = format!("not YAML: {}", cause.without_prefix()).into();
        cursor.shape.problem = Some(OutlineProblem { line, obstacle });
    }
    cursor.shape.end = parts.end;
    cursor.shape
}

/// The bytes of the lines of a block, without its header and indentation.
fn lines_of_block(text: &str, bytes: &Range<usize>) -> Range<usize> {
    let written = text.get(bytes.clone()).unwrap_or_default();
    let lines = written.find('\n').map_or("", |header| &written[header + 1..]).trim_start();
    bytes.end - lines.len()..bytes.end
}

impl ShapeCursor<'_> {
    fn take(&mut self, part: &Part<'_>, bytes: &Range<usize>) {
        match part {
            Part::DocumentStart => self.shape.start = bytes.end,
            Part::Start { is_list: false, is_flow: false } if self.depth == 0 => self.depth = 1,
            Part::Scalar(_, Style::Plain) if self.depth == 0 && bytes.is_empty() => {}
            Part::Start { is_list: false, .. } if self.depth == 0 => {
                self.refuse(
                    bytes,
                    "written as JSON, in braces: kzui edits lists in block style; use the editor",
                );
            }
            Part::Scalar(..) | Part::Start { .. } | Part::Alias if self.depth == 0 => {
                self.refuse(bytes, "not a mapping");
            }
            Part::End { is_list } => self.close(*is_list, bytes),
            Part::Start { is_list, is_flow } => self.open(*is_list, *is_flow, bytes),
            Part::Scalar(text, style) => self.scalar(text, *style, bytes),
            Part::Alias => self.scalar("*", Style::Plain, bytes),
        }
    }

    fn refuse(&mut self, bytes: &Range<usize>, obstacle: &'static str) {
        let before = self.text.get(..bytes.start).unwrap_or_default();
        let line = u32::try_from(before.matches('\n').count()).map_or(u32::MAX, |line| line + 1);
        self.shape.problem = Some(OutlineProblem { line, obstacle: obstacle.into() });
    }

    /// Counts an item of a top-level list, or extends the item that this node belongs to.
    fn item(&mut self, bytes: &Range<usize>) {
        let ended = self.item_end;
        if let Some(KeyShape { value, .. }) = self.shape.keys.last_mut() {
            match value {
                ValueShape::Block(count) => *count += 1,
                ValueShape::Flow(brackets, items) => {
                    let from = ended.max(brackets.start + 1);
                    let start = flow_item_start(self.text, from, bytes.start, !items.is_empty());
                    items.push(start..bytes.end);
                }
                _ => {}
            }
        }
        self.item_end = bytes.end;
    }

    fn scalar(&mut self, value: &str, style: Style, bytes: &Range<usize>) {
        let block = matches!(style, Style::Literal | Style::Folded);
        let written = self.text.get(bytes.clone()).unwrap_or("");
        if block || written.contains('\n') {
            let bytes = if block { lines_of_block(self.text, bytes) } else { bytes.clone() };
            self.shape.inside.push(MultilineValue { bytes, block });
            self.shape.runs_on |= style == Style::Plain;
        }
        match self.depth {
            1 if self.is_key && bytes.is_empty() => self.refuse(bytes, KEY_NO_TEXT),
            1 if self.is_key => {
                let name = value.to_owned();
                let key = KeyShape { name, start: bytes.start, value: ValueShape::Null };
                self.shape.keys.push(key);
                self.is_key = false;
            }
            1 => {
                let null = bytes.is_empty() && !block;
                self.set(if null {
                    ValueShape::Null
                } else {
                    ValueShape::Scalar(value.to_owned())
                });
                self.is_key = true;
            }
            2 => self.item(bytes),
            _ => {}
        }
        self.extend_flow_item(bytes.end);
    }

    /// Extends the open item of a flow sequence to at least this byte.
    fn extend_flow_item(&mut self, end: usize) {
        let key = self.shape.keys.last_mut();
        if let Some(KeyShape { value: ValueShape::Flow(_, items), .. }) = key
            && let Some(item) = items.last_mut().filter(|_| self.depth >= 2)
        {
            item.end = item.end.max(end);
            self.item_end = item.end;
        }
    }

    fn set(&mut self, value: ValueShape) {
        if let Some(key) = self.shape.keys.last_mut() {
            key.value = value;
        }
    }

    fn open(&mut self, is_list: bool, is_flow: bool, bytes: &Range<usize>) {
        match self.depth {
            1 if self.is_key => self.refuse(bytes, KEY_NO_TEXT),
            1 if is_list && is_flow => {
                self.set(ValueShape::Flow(bytes.clone(), Vec::new()));
                self.item_end = bytes.end;
            }
            1 if is_list => self.set(ValueShape::Block(0)),
            1 => self.set(ValueShape::Mapping),
            2 => self.item(bytes),
            _ => {}
        }
        if is_flow {
            self.shape.inside.push(MultilineValue { bytes: bytes.clone(), block: false });
        }
        self.depth += 1;
    }

    fn close(&mut self, is_list: bool, bytes: &Range<usize>) {
        self.depth = self.depth.saturating_sub(1);
        if !bytes.is_empty() {
            self.close_flow(bytes.end);
        }
        if self.depth >= 2 {
            self.extend_flow_item(bytes.end);
        }
        if self.depth == 1 {
            if let Some(key) = self.shape.keys.last_mut().filter(|_| is_list)
                && let ValueShape::Flow(brackets, _) = &mut key.value
            {
                brackets.end = bytes.end;
            }
            self.is_key = true;
        }
    }

    /// Ends the innermost open flow collection.
    fn close_flow(&mut self, end: usize) {
        let opened = self.shape.inside.iter_mut().rev().find(|inside| {
            !inside.block
                && inside.bytes.len() == 1
                && matches!(self.text.as_bytes().get(inside.bytes.start), Some(b'[' | b'{'))
        });
        if let Some(inside) = opened {
            inside.bytes.end = end;
        }
    }
}

/// The start of an item's text in a flow sequence: after the bracket or comma, anchors and tags
/// included.
fn flow_item_start(text: &str, from: usize, content: usize, comma: bool) -> usize {
    let between = text.get(from..content).unwrap_or("");
    let skip = if comma { between.find(',').map_or(0, |at| at + 1) } else { 0 };
    let rest = between.get(skip..).unwrap_or("");
    from + skip + (rest.len() - rest.trim_start().len())
}

/// True if two texts have the same content, comments and locations left out.
pub(super) fn same_content(one: &str, other: &str) -> bool {
    let content = |text| {
        let Parts { list, error, .. } = Parts::new(text);
        (list.into_iter().map(|(part, _)| part).collect::<Vec<_>>(), error.is_some())
    };
    content(one) == content(other)
}

/// Reads the text of a block sequence with one item; `None` for any other text, or a plain scalar
/// of several lines.
pub(super) fn read_item(text: &str) -> Option<ItemShape> {
    let mut depth = 0_usize;
    let mut item = None;
    let mut keys: Vec<String> = Vec::new();
    let mut is_key = true;
    let Parts { list, error: None, .. } = Parts::new(text) else { return None };
    for (part, bytes) in list {
        if matches!(part, Part::Scalar(_, Style::Plain))
            && text.get(bytes).is_some_and(|written| written.contains('\n'))
        {
            return None;
        }
        match part {
            Part::Start { is_list: true, is_flow: false } if depth == 0 => depth = 1,
            Part::Start { .. } | Part::Scalar(..) if depth == 0 => return None,
            Part::Start { is_list, .. } => {
                if depth == 1 {
                    let keys = Vec::new();
                    let shape =
                        if is_list { ItemShape::Other } else { ItemShape::Mapping { keys } };
                    item = item.is_none().then_some(Some(shape))?;
                }
                depth += 1;
            }
            Part::Scalar(text, style) => match depth {
                1 => {
                    let quoted = matches!(style, Style::SingleQuoted | Style::DoubleQuoted);
                    let block = matches!(style, Style::Literal | Style::Folded);
                    let shape = ItemShape::Scalar { value: text.into_owned(), quoted, block };
                    item = item.is_none().then_some(Some(shape))?;
                }
                2 if is_key => {
                    keys.push(text.into_owned());
                    is_key = false;
                }
                2 => is_key = true,
                _ => {}
            },
            Part::End { .. } => {
                depth = depth.saturating_sub(1);
                is_key |= depth == 2;
            }
            Part::Alias if depth == 2 => is_key = true,
            Part::Alias | Part::DocumentStart => {}
        }
    }
    match item? {
        ItemShape::Mapping { .. } => Some(ItemShape::Mapping { keys }),
        other => Some(other),
    }
}
