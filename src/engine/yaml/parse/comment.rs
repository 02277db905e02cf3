//! Which node a comment belongs to, as go-yaml v3 has it.

use std::sync::Arc;

use granit_parser::{Placement, Span};

use super::build::{Builder, Content};
use crate::engine::yaml::{Comments, Node};

/// One whole-line comment that has found no node yet.
struct Waiting {
    line: usize,
    column: usize,
    text: String,
}

/// The whole-line comments between two nodes.
#[derive(Default)]
pub(super) struct Pending {
    lines: Vec<Waiting>,
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(super) fn push(&mut self, line: usize, column: usize, text: &str) {
        self.lines.push(Waiting { line, column, text: format!("#{text}") });
    }

    /// The column of the first one.
    pub(super) fn column(&self) -> Option<usize> {
        self.lines.first().map(|waiting| waiting.column)
    }

    /// What directly follows the line `after` and is followed by an empty line before the line `before`.
    pub(super) fn take_foot(&mut self, after: usize, before: usize) -> String {
        if self.lines.first().is_none_or(|first| first.line != after + 1) {
            return String::new();
        }
        let end = self.block_end(0);
        let next = self.lines.get(end).map_or(before, |waiting| waiting.line);
        if next == self.lines[end - 1].line + 1 {
            return String::new();
        }
        join(self.lines.drain(..end))
    }

    /// What is cut off from the line `before` by an empty line: it is about the document.
    pub(super) fn take_detached(&mut self, before: usize) -> String {
        let mut end = 0;
        while end < self.lines.len() {
            let next = self.block_end(end);
            if next == self.lines.len() && self.lines[next - 1].line + 1 >= before {
                break;
            }
            end = next;
        }
        join(self.lines.drain(..end))
    }

    pub(super) fn take(&mut self) -> String {
        join(self.lines.drain(..))
    }

    fn block_end(&self, start: usize) -> usize {
        (start + 1..self.lines.len())
            .find(|index| self.lines[*index].line != self.lines[index - 1].line + 1)
            .unwrap_or(self.lines.len())
    }
}

/// Empty lines between blocks become one.
fn join(lines: impl Iterator<Item = Waiting>) -> String {
    let mut out = String::new();
    let mut previous = None;
    for waiting in lines {
        match previous {
            Some(line) if line + 1 == waiting.line => out.push('\n'),
            Some(_) => out.push_str("\n\n"),
            None => {}
        }
        previous = Some(waiting.line);
        out.push_str(&waiting.text);
    }
    out
}

/// The comments of a node, to write to.
pub(super) fn of(node: &mut Node) -> &mut Comments {
    Arc::make_mut(node.comments.get_or_insert_default())
}

pub(super) fn set_foot(node: &mut Node, foot: String) {
    if !foot.is_empty() {
        of(node).foot = foot;
    }
}

/// What comments belong to.
impl Builder<'_> {
    pub(super) fn comment(&mut self, text: &str, placement: Placement, span: &Span) {
        let line = span.start.line();
        if placement != Placement::Right {
            self.pending.push(line, span.start.col(), text);
            return;
        }
        match self.latest() {
            Some(node) if node.comments.as_ref().is_none_or(|known| known.line.is_empty()) => {
                of(node).line = format!("#{text}");
            }
            _ => self.pending.push(line, span.start.col(), text),
        }
    }

    /// The node that was read last, if it can carry a comment at the end of its line.
    fn latest(&mut self) -> Option<&mut Node> {
        let Some(open) = self.open.last_mut() else { return self.root.as_mut() };
        match &mut open.content {
            Content::Sequence => self.items[open.first..].last_mut(),
            Content::Mapping { key: Some(key), .. } => Some(key),
            Content::Mapping { .. } => {
                self.entries[open.first..].last_mut().map(|entry| &mut entry.value)
            }
        }
    }

    /// Gives a node what stands above it.
    pub(super) fn with_head(&mut self, mut node: Node, line: usize) -> Node {
        if self.pending.is_empty() {
            return node;
        }
        self.foot_of_previous(line);
        let head = self.pending.take();
        if !head.is_empty() {
            of(&mut node).head = head;
        }
        node
    }

    /// What stands above a collection: an item takes it, a root takes what is cut off from its first node, and a
    /// value leaves it to its first node.
    pub(super) fn head_of_collection(&mut self, line: usize) -> String {
        match self.open.last().map(|open| &open.content) {
            None => self.pending.take_detached(line),
            Some(Content::Sequence) => {
                self.foot_of_previous(line);
                self.pending.take()
            }
            Some(Content::Mapping { .. }) => String::new(),
        }
    }

    fn foot_of_previous(&mut self, line: usize) {
        let foot = self.pending.take_foot(self.last_line, line);
        let Some(open) = self.open.last() else { return };
        let previous = match &open.content {
            Content::Sequence => self.items[open.first..].last_mut(),
            Content::Mapping { key: None, .. } => {
                self.entries[open.first..].last_mut().map(|entry| &mut entry.key)
            }
            Content::Mapping { .. } => None,
        };
        if let Some(previous) = previous {
            set_foot(previous, foot);
        }
    }
}
