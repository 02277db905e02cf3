//! go-yaml v3's own printing: two-space indent, comments, styles and key order kept.

mod scalar;
#[cfg(test)]
mod tests;

use super::{Comments, Mapping, MappingEntry, Node, NodeKind, Style, Value};
use scalar::ScalarContext;

/// Prints a node as go-yaml v3 does, with compact sequences: for the input of functions, for data
/// embedded in a scalar after a replacement, and for views of a resource as written.
pub fn print_preserving_style(node: &Node) -> String {
    let mut writer =
        YamlWriter { out: String::new(), after_foot: None, waiting: DeferredComments::default() };
    writer.head(node, 0);
    if !writer.out.is_empty() && node.kind() != NodeKind::Scalar {
        // An empty line separates the comment of a document from its content.
        writer.out.push('\n');
    }
    match block(node) {
        Some(block) => {
            writer.properties(node);
            if has_properties(node) {
                writer.out.push('\n');
            }
            writer.block(block, 0, BlockStart::Line);
        }
        None => writer.leaf(node, 2),
    }
    writer.write_foot_comment(node, 0);
    writer.out
}

/// Prints a node without comments and without a line end, collections in brackets and braces.
pub fn print_flow(node: &Node) -> String {
    let mut node = node.clone();
    node.for_each_mut(&mut |node| node.comments = None);
    node.set_flow_style();
    let mut text = print_preserving_style(&node);
    text.truncate(text.trim_end().len());
    text
}

const LINE_BREAKS: [char; 3] = ['\n', '\u{2028}', '\u{2029}'];

#[derive(Clone, Copy)]
enum BlockCollection<'n> {
    Mapping(&'n Mapping),
    Sequence(&'n [Node]),
}

fn block(node: &Node) -> Option<BlockCollection<'_>> {
    match &node.value {
        _ if node.is_alias() => None,
        Value::Mapping(mapping) if mapping.style != Style::Flow && !mapping.entries.is_empty() => {
            Some(BlockCollection::Mapping(mapping))
        }
        Value::Sequence(items, style) if *style != Style::Flow && !items.is_empty() => {
            Some(BlockCollection::Sequence(items))
        }
        _ => None,
    }
}

/// True if a node that is not a block collection has text after its dash or colon.
fn is_written(node: &Node) -> bool {
    node.is_alias() || has_properties(node) || !scalar::is_empty_plain(node)
}

/// True for a node with an anchor and a collection with a tag.
fn has_properties(node: &Node) -> bool {
    node.comments
        .as_ref()
        .is_some_and(|beside| !(beside.anchor.is_empty() && beside.tag.is_empty()))
}

fn comment(node: &Node, pick: fn(&Comments) -> &String) -> &str {
    node.comments.as_deref().map_or("", |comments| pick(comments))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockStart {
    Line,
    Inline,
}

struct YamlWriter {
    out: String,
    /// The indentation of a foot comment just written; an empty line separates it from a next line
    /// with the same indentation.
    after_foot: Option<usize>,
    waiting: DeferredComments,
}

/// Comments that go-yaml has not written yet: each follows the next scalar without a comment.
#[derive(Default)]
struct DeferredComments {
    /// The line comment of an anchored collection whose first line is written.
    line: String,
    key: String,
}

impl YamlWriter {
    /// Writes the anchor of a node and the tag of a collection, if present.
    fn properties(&mut self, node: &Node) {
        let name = comment(node, |comments| &comments.anchor);
        let tag = comment(node, |comments| &comments.tag);
        if !name.is_empty() {
            self.out.push('&');
            self.out.push_str(name);
        }
        if !(name.is_empty() || tag.is_empty()) {
            self.out.push(' ');
        }
        self.out.push_str(tag);
    }

    /// Writes the anchor and the tag of a node, and the space before its value.
    fn write_inline_properties(&mut self, node: &Node) {
        self.properties(node);
        if has_properties(node) && !scalar::is_empty_plain(node) {
            self.out.push(' ');
        }
    }

    /// Writes the alias if the node is one; returns false otherwise.
    fn alias(&mut self, node: &Node) -> bool {
        let name = comment(node, |comments| &comments.alias);
        if !name.is_empty() {
            self.out.push('*');
            self.out.push_str(name);
        }
        !name.is_empty()
    }

    fn block(&mut self, block: BlockCollection<'_>, indent: usize, start: BlockStart) {
        match block {
            BlockCollection::Mapping(mapping) => self.mapping(mapping, indent, start),
            BlockCollection::Sequence(items) => self.sequence(items, indent, start),
        }
    }

    fn indent(&mut self, indent: usize) {
        if self.after_foot.take() == Some(indent) {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn write_comment_lines(&mut self, text: &str, indent: usize) {
        for line in text.lines() {
            if line.is_empty() {
                self.out.push('\n');
                continue;
            }
            self.indent(indent);
            self.out.push_str(line);
            self.out.push('\n');
        }
    }

    fn head(&mut self, node: &Node, indent: usize) {
        self.write_comment_lines(comment(node, |comments| &comments.head), indent);
    }

    fn write_foot_comment(&mut self, node: &Node, indent: usize) {
        let text = comment(node, |comments| &comments.foot);
        if !text.is_empty() {
            self.write_comment_lines(text, indent);
            self.after_foot = Some(indent);
        }
    }

    fn write_line_comment(&mut self, text: &str) {
        if !text.is_empty() {
            self.out.push(' ');
            self.out.push_str(text);
        }
    }

    fn mapping(&mut self, mapping: &Mapping, indent: usize, start: BlockStart) {
        let mut start = start;
        for MappingEntry { key, value } in &mapping.entries {
            for node in [key, value] {
                let lines = comment(node, |comments| &comments.head);
                if start == BlockStart::Inline && !lines.is_empty() {
                    let (first, rest) = lines.split_once('\n').unwrap_or((lines, ""));
                    self.out.push_str(first);
                    self.out.push('\n');
                    self.write_comment_lines(rest, indent);
                    start = BlockStart::Line;
                } else {
                    self.write_comment_lines(lines, indent);
                }
            }
            if start == BlockStart::Line {
                self.indent(indent);
            }
            start = BlockStart::Line;
            self.entry(key, value, indent);
            self.write_foot_comment(value, indent);
            self.write_foot_comment(key, indent);
        }
    }

    fn entry(&mut self, key: &Node, value: &Node, indent: usize) {
        if key.is_alias() || scalar::is_simple_key(key) {
            self.key(key, false);
            self.out.push(':');
        } else {
            self.out.push_str("? ");
            self.inline(key, indent);
            self.indent(indent);
            self.out.push(':');
            if !matches!(value.value, Value::Scalar(_)) {
                self.out.push(' ');
                return self.inline(value, indent);
            }
        }
        if !self.waiting.line.is_empty() {
            self.waiting.key = std::mem::take(&mut self.waiting.line);
        }
        let of_key = comment(key, |comments| &comments.line);
        if !of_key.is_empty() {
            of_key.clone_into(&mut self.waiting.key);
        }
        if let Some(block) = block(value) {
            self.open_block(value);
            let below =
                if matches!(block, BlockCollection::Mapping(_)) { indent + 2 } else { indent };
            return self.block(block, below, BlockStart::Line);
        }
        if is_written(value) {
            self.out.push(' ');
        }
        let line = comment(value, |comments| &comments.line);
        let is_free = line.is_empty() && !value.is_alias();
        let of_key = if is_free { std::mem::take(&mut self.waiting.key) } else { String::new() };
        self.write_leaf(value, indent + 2, if line.is_empty() { &of_key } else { line });
    }

    /// Writes the rest of the line after a colon, before the block collection below it.
    fn open_block(&mut self, value: &Node) {
        let of_key = std::mem::take(&mut self.waiting.key);
        self.write_line_comment(&of_key);
        let line = comment(value, |comments| &comments.line);
        if has_properties(value) {
            self.out.push(if of_key.is_empty() { ' ' } else { '\n' });
            self.properties(value);
            line.clone_into(&mut self.waiting.line);
        } else if of_key.is_empty() {
            self.write_line_comment(line);
        }
        self.out.push('\n');
    }

    fn sequence(&mut self, items: &[Node], indent: usize, start: BlockStart) {
        let mut start = start;
        for item in items {
            if start == BlockStart::Line {
                self.head(item, indent);
                self.indent(indent);
            }
            start = BlockStart::Line;
            self.out.push('-');
            if is_written(item) {
                self.out.push(' ');
            }
            self.inline(item, indent);
            self.write_foot_comment(item, indent);
        }
    }

    /// Writes a node after `- `, `? ` or `: `, where a collection starts on the same line.
    fn inline(&mut self, node: &Node, indent: usize) {
        let Some(block) = block(node) else { return self.leaf(node, indent + 2) };
        let start = if has_properties(node) {
            self.properties(node);
            comment(node, |comments| &comments.line).clone_into(&mut self.waiting.line);
            self.out.push('\n');
            BlockStart::Line
        } else {
            BlockStart::Inline
        };
        self.block(block, indent + 2, start);
    }

    fn leaf(&mut self, node: &Node, indent: usize) {
        self.write_leaf(node, indent, comment(node, |comments| &comments.line));
    }

    /// Writes a scalar or flow collection with its line comment and the end of its line.
    fn write_leaf(&mut self, node: &Node, indent: usize, comment: &str) {
        let is_free = comment.is_empty();
        let waiting = if is_free { std::mem::take(&mut self.waiting.line) } else { String::new() };
        let comment = if is_free { &waiting } else { comment };
        if self.alias(node) {
            self.write_line_comment(comment);
            self.out.push('\n');
            return;
        }
        self.write_inline_properties(node);
        if let Value::Scalar(scalar) = &node.value
            && let Some(block) = scalar::block(scalar)
        {
            self.out.push_str(&block.header);
            self.write_line_comment(comment);
            self.out.push('\n');
            for line in block.lines.split_inclusive(LINE_BREAKS) {
                if !line.starts_with(LINE_BREAKS) {
                    self.out.extend(std::iter::repeat_n(' ', indent));
                }
                self.out.push_str(line);
            }
            if !self.out.ends_with('\n') {
                self.out.push('\n');
            }
            return;
        }
        match &node.value {
            Value::Scalar(it) => scalar::push(it, ScalarContext::Line { indent }, &mut self.out),
            _ => self.flow_value(node),
        }
        self.write_line_comment(comment);
        self.out.push('\n');
    }

    fn key(&mut self, node: &Node, flow: bool) {
        if self.alias(node) {
            return;
        }
        self.write_inline_properties(node);
        if let Value::Scalar(key) = &node.value {
            scalar::push(key, ScalarContext::Key { flow }, &mut self.out);
        }
    }

    fn flow(&mut self, node: &Node) {
        if !self.alias(node) {
            self.write_inline_properties(node);
            self.flow_value(node);
        }
    }

    fn flow_value(&mut self, node: &Node) {
        match &node.value {
            Value::Scalar(scalar) => scalar::push(scalar, ScalarContext::Flow, &mut self.out),
            Value::Sequence(items, _) => {
                self.out.push('[');
                for (position, item) in items.iter().enumerate() {
                    if position > 0 {
                        self.out.push_str(", ");
                    }
                    self.flow(item);
                }
                self.out.push(']');
            }
            Value::Mapping(mapping) => {
                self.out.push('{');
                for (position, MappingEntry { key, value }) in mapping.entries.iter().enumerate() {
                    if position > 0 {
                        self.out.push_str(", ");
                    }
                    if key.is_alias() || scalar::is_simple_key(key) {
                        self.key(key, true);
                    } else {
                        self.out.push_str("? ");
                        self.flow(key);
                        self.out.push(' ');
                    }
                    self.out.push_str(": ");
                    self.flow(value);
                }
                self.out.push('}');
            }
        }
    }
}
