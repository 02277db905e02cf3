//! go-yaml v3's own printing: two-space indent, comments, styles and key order kept.

mod scalar;
#[cfg(test)]
mod tests;

use super::{Comments, Entry, Mapping, Node, NodeKind, Style, Value};

/// How a block sequence stands below its key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SequenceIndent {
    /// At the key's column, as Kustomize writes.
    #[default]
    Compact,
    /// Two further in.
    Wide,
}

/// Prints a node as go-yaml v3 does, with compact sequences: what functions receive, embedded data after a
/// replacement, views of a resource as written.
pub fn print_v3(node: &Node) -> String {
    print_v3_with(node, SequenceIndent::Compact)
}

/// Prints a node as go-yaml v3 does, with the given indentation of sequences.
pub fn print_v3_with(node: &Node, sequences: SequenceIndent) -> String {
    let mut writer = Writer { out: String::new(), sequences, after_foot: None };
    writer.head(node, 0);
    if !writer.out.is_empty() && node.kind() != NodeKind::Scalar {
        // The comment of a document stands apart from what it holds.
        writer.out.push('\n');
    }
    match &node.value {
        Value::Mapping(mapping) if is_block(mapping.style, mapping.entries.is_empty()) => {
            writer.mapping(mapping, 0, Start::Line);
        }
        Value::Sequence(items, style) if is_block(*style, items.is_empty()) => {
            writer.sequence(items, 0, Start::Line);
        }
        _ => writer.leaf(node, 2),
    }
    writer.foot(node, 0);
    writer.out
}

/// Prints a node without comments and without a line end, collections in brackets and braces.
pub fn print_flow(node: &Node) -> String {
    let mut text = print_v3(&in_brackets(node.clone()));
    text.truncate(text.trim_end().len());
    text
}

fn in_brackets(mut node: Node) -> Node {
    node.comments = None;
    if let Value::Sequence(items, style) = &mut node.value {
        *style = Style::Flow;
        for item in std::sync::Arc::make_mut(items) {
            *item = in_brackets(item.clone());
        }
    } else if let Some(mapping) = node.as_mapping_mut() {
        mapping.style = Style::Flow;
        for Entry { key, value } in &mut mapping.entries {
            key.comments = None;
            *value = in_brackets(value.clone());
        }
    }
    node
}

fn is_block(style: Style, empty: bool) -> bool {
    style != Style::Flow && !empty
}

fn comment(node: &Node, pick: fn(&Comments) -> &String) -> &str {
    node.comments.as_deref().map_or("", |comments| pick(comments))
}

/// Where the first line of a collection starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Line,
    Inline,
}

struct Writer {
    out: String,
    sequences: SequenceIndent,
    /// The indentation of a foot comment just written; the next line at the same one is set apart from it.
    after_foot: Option<usize>,
}

impl Writer {
    fn indent(&mut self, indent: usize) {
        if self.after_foot.take() == Some(indent) {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn comment_lines(&mut self, text: &str, indent: usize) {
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
        self.comment_lines(comment(node, |comments| &comments.head), indent);
    }

    fn foot(&mut self, node: &Node, indent: usize) {
        let text = comment(node, |comments| &comments.foot);
        if !text.is_empty() {
            self.comment_lines(text, indent);
            self.after_foot = Some(indent);
        }
    }

    fn line_comment(&mut self, text: &str) {
        if !text.is_empty() {
            self.out.push(' ');
            self.out.push_str(text);
        }
    }

    fn mapping(&mut self, mapping: &Mapping, indent: usize, start: Start) {
        let mut start = start;
        for Entry { key, value } in &mapping.entries {
            for node in [key, value] {
                let lines = comment(node, |comments| &comments.head);
                if start == Start::Inline && !lines.is_empty() {
                    let (first, rest) = lines.split_once('\n').unwrap_or((lines, ""));
                    self.out.push_str(first);
                    self.out.push('\n');
                    self.comment_lines(rest, indent);
                    start = Start::Line;
                } else {
                    self.comment_lines(lines, indent);
                }
            }
            if start == Start::Line {
                self.indent(indent);
            }
            start = Start::Line;
            self.entry(key, value, indent);
            self.foot(value, indent);
            self.foot(key, indent);
        }
    }

    fn entry(&mut self, key: &Node, value: &Node, indent: usize) {
        if scalar::is_simple_key(key) {
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
        let nested = match self.sequences {
            SequenceIndent::Compact => indent,
            SequenceIndent::Wide => indent + 2,
        };
        match &value.value {
            Value::Mapping(mapping) if is_block(mapping.style, mapping.entries.is_empty()) => {
                self.open_block(key, value);
                self.mapping(mapping, indent + 2, Start::Line);
            }
            Value::Sequence(items, style) if is_block(*style, items.is_empty()) => {
                self.open_block(key, value);
                self.sequence(items, nested, Start::Line);
            }
            _ => {
                if !scalar::is_empty_plain(value) {
                    self.out.push(' ');
                }
                let line = comment(value, |comments| &comments.line);
                let of_key = comment(key, |comments| &comments.line);
                self.leaf_with(value, indent + 2, if line.is_empty() { of_key } else { line });
            }
        }
    }

    fn open_block(&mut self, key: &Node, value: &Node) {
        let of_key = comment(key, |comments| &comments.line);
        let line = comment(value, |comments| &comments.line);
        self.line_comment(if of_key.is_empty() { line } else { of_key });
        self.out.push('\n');
    }

    fn sequence(&mut self, items: &[Node], indent: usize, start: Start) {
        let mut start = start;
        for item in items {
            if start == Start::Line {
                self.head(item, indent);
                self.indent(indent);
            }
            start = Start::Line;
            self.out.push('-');
            if !scalar::is_empty_plain(item) {
                self.out.push(' ');
            }
            self.inline(item, indent);
            self.foot(item, indent);
        }
    }

    /// A node after `- `, `? ` or `: `, where a collection starts on the same line.
    fn inline(&mut self, node: &Node, indent: usize) {
        match &node.value {
            Value::Mapping(mapping) if is_block(mapping.style, mapping.entries.is_empty()) => {
                self.mapping(mapping, indent + 2, Start::Inline);
            }
            Value::Sequence(items, style) if is_block(*style, items.is_empty()) => {
                self.sequence(items, indent + 2, Start::Inline);
            }
            _ => self.leaf(node, indent + 2),
        }
    }

    fn leaf(&mut self, node: &Node, indent: usize) {
        self.leaf_with(node, indent, comment(node, |comments| &comments.line));
    }

    /// A scalar or flow collection with its line comment and the end of its line.
    fn leaf_with(&mut self, node: &Node, indent: usize, comment: &str) {
        if let Value::Scalar(scalar) = &node.value
            && let Some(block) = scalar::block(scalar)
        {
            self.out.push_str(&block.header);
            self.line_comment(comment);
            self.out.push('\n');
            for line in block.lines.split_inclusive('\n') {
                if line != "\n" {
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
            Value::Scalar(scalar) => scalar::push_line(scalar, indent, &mut self.out),
            _ => self.flow(node),
        }
        self.line_comment(comment);
        self.out.push('\n');
    }

    fn key(&mut self, node: &Node, flow: bool) {
        if let Value::Scalar(key) = &node.value {
            scalar::push_key(key, flow, &mut self.out);
        }
    }

    /// A flow collection or what is in it, on one line.
    fn flow(&mut self, node: &Node) {
        match &node.value {
            Value::Scalar(scalar) => scalar::push_flow(scalar, &mut self.out),
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
                for (position, Entry { key, value }) in mapping.entries.iter().enumerate() {
                    if position > 0 {
                        self.out.push_str(", ");
                    }
                    if scalar::is_simple_key(key) {
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
