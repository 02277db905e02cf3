//! A tree as lines of coloured YAML, each with the mark of its value.

use std::sync::Arc;

use crate::engine::yaml::{
    MappingEntry, Mark, Node, SourceId, Style, Value, WriterId, parse_nodes, print_output,
    print_preserving_style,
};

use super::super::theme::StyleRole;
use super::{sanitize, source_lines};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineToken {
    pub role: StyleRole,
    /// The text of the token, safe for the terminal.
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextLine {
    /// The number of cells before the first token.
    pub indent: usize,
    pub tokens: Vec<LineToken>,
    /// The origin and the writer of the value on the line.
    pub mark: Mark,
    /// The field path, such as `spec.template.spec.containers[0].image`; empty for a line that is
    /// not part of a resource.
    pub path: Arc<str>,
}

impl TextLine {
    /// A line that is not part of a resource, made safe for the terminal.
    pub(crate) fn plain(text: &str) -> Self {
        let token = LineToken { role: StyleRole::YamlText, text: sanitize(text).into_owned() };
        Self { tokens: vec![token], ..Self::default() }
    }

    /// A line of a diff, made safe for the terminal: added and removed lines have their colours.
    pub(crate) fn diff_line(text: &str) -> Self {
        let mut line = Self::plain(text);
        line.tokens[0].role = match text.chars().next() {
            Some('+') => StyleRole::Added,
            Some('-') => StyleRole::Removed,
            _ => StyleRole::YamlText,
        };
        line
    }

    pub(crate) fn text(&self) -> String {
        let mut text = " ".repeat(self.indent);
        text.extend(self.tokens.iter().map(|token| token.text.as_str()));
        text
    }
}

/// The lines, two cells further to the right.
pub(crate) fn indented(lines: Vec<TextLine>) -> impl Iterator<Item = TextLine> {
    lines.into_iter().map(|line| TextLine { indent: line.indent + 2, ..line })
}

/// The tree as the build prints it, each line with the mark and the path of its value.
pub(crate) fn yaml_lines(node: &Node) -> Vec<TextLine> {
    let text = print_output(node).unwrap_or_else(|_| print_preserving_style(node));
    let mut lines = source_lines(text.as_bytes(), SourceId::NONE);
    for line in &mut lines {
        line.mark = node.mark;
    }
    let printed = parse_nodes(text.as_bytes()).unwrap_or_default();
    if let Some(printed) = printed.first() {
        mark_lines(&mut lines, (node, printed), "", node.mark);
    }
    lines
}

/// Gives the lines of a printed node the marks of the node and its path. `mark` is that of its line.
fn mark_lines(lines: &mut [TextLine], (node, printed): (&Node, &Node), path: &str, mark: Mark) {
    match (&node.value, &printed.value) {
        (Value::Mapping(own), Value::Mapping(printed)) => {
            for entry in own.entries.iter() {
                let key = entry.key.text().unwrap_or("?");
                let Some(shown) = printed.entry(key) else { continue };
                let path = join_path(path, key);
                let mark = mark_of(entry);
                let shown_mark = if is_block(&entry.value) { entry.key.mark } else { mark };
                mark_line(lines, shown.key.mark.line, shown_mark, &path);
                mark_lines(lines, (&entry.value, &shown.value), &path, mark);
            }
        }
        (Value::Sequence(own, _), Value::Sequence(printed, _)) => {
            for (index, (item, shown)) in own.iter().zip(printed.iter()).enumerate() {
                let path = format!("{path}[{index}]");
                mark_line(lines, shown.mark.line, item.mark, &path);
                mark_lines(lines, (item, shown), &path, item.mark);
            }
        }
        (Value::Scalar(own), Value::Scalar(shown)) if shown.style == Style::Literal => {
            for (number, text) in (1..).zip(own.text.trim_end_matches('\n').split('\n')) {
                let mut mark = mark;
                if own.style == Style::Literal && mark.line > 0 {
                    // The text of a complete file has no header line: its first line is line 1 of
                    // the file.
                    mark.line += if mark.column == 0 { number - 1 } else { number };
                }
                if let Some(line) = mark_line(lines, printed.mark.line + number, mark, path) {
                    line.tokens = TextLine::plain(text.trim_end_matches('\r')).tokens;
                }
            }
        }
        _ => {}
    }
}

fn mark_line<'l>(
    lines: &'l mut [TextLine],
    number: u32,
    mark: Mark,
    path: &str,
) -> Option<&'l mut TextLine> {
    let line = lines.get_mut(usize::try_from(number).ok()?.checked_sub(1)?)?;
    (line.mark, line.path) = (mark, path.into());
    Some(line)
}

/// True for a value on the lines after its key.
fn is_block(node: &Node) -> bool {
    match &node.value {
        Value::Mapping(mapping) => !mapping.entries.is_empty(),
        Value::Sequence(items, _) => !items.is_empty(),
        Value::Scalar(_) => false,
    }
}

/// The mark of an entry's value, or else of its key. A value that a final step wrote has a writer
/// but no line.
fn mark_of(entry: &MappingEntry) -> Mark {
    let value = entry.value.mark;
    if value.line == 0 && value.writer == WriterId::NONE { entry.key.mark } else { value }
}

/// The path of a key below a path: `spec.template`, `metadata.annotations[a.b/c]`.
fn join_path(path: &str, key: &str) -> String {
    let key = sanitize(key);
    if key.contains('.') || key.contains('/') {
        format!("{path}[{key}]")
    } else if path.is_empty() {
        key.into_owned()
    } else {
        format!("{path}.{key}")
    }
}
