//! A tree as lines of coloured YAML, each with the mark of its value.

use std::ops::Range;
use std::sync::Arc;

use crate::engine::yaml::{MappingEntry, Mark, Node, Scalar, Style, Tag, Value, WriterId};

use super::super::theme::StyleRole;
use super::{sanitize, width, wrap};

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
    /// True for running text, which is wrapped.
    pub wraps: bool,
    /// The byte ranges that differ from the line that this line replaces, or that replaces it.
    pub words: Vec<Range<usize>>,
}

impl TextLine {
    /// Running text, made safe for the terminal.
    pub(crate) fn new(role: StyleRole, text: impl AsRef<str>) -> Self {
        Self { wraps: true, ..Self::exact(role, text) }
    }

    /// A line of a file, or of a text that is wrapped already, made safe for the terminal.
    pub(crate) fn exact(role: StyleRole, text: impl AsRef<str>) -> Self {
        let text = sanitize(text.as_ref()).into_owned();
        Self { tokens: vec![LineToken { role, text }], ..Self::default() }
    }

    /// A line that is not part of a resource.
    pub(crate) fn plain(text: &str) -> Self {
        Self::exact(StyleRole::YamlText, text)
    }

    /// The role of the first token.
    pub(crate) fn role(&self) -> StyleRole {
        self.tokens.first().map_or(StyleRole::Text, |token| token.role)
    }

    /// Running text in lines of at most `cells`; all lines after the first are indented.
    pub(crate) fn wrapped(self, cells: usize) -> Vec<Self> {
        let whole = self.text();
        if !self.wraps || width(&whole) <= cells {
            return vec![self];
        }
        let text = whole.trim_start();
        let lead = whole.len() - text.len();
        let lines = wrap(text, cells.saturating_sub(lead + 2).max(8));
        let rows = lines.iter().enumerate().map(|(number, line)| {
            let lead = if number == 0 { lead } else { lead + 2 };
            Self::new(self.role(), format!("{:lead$}{}", "", line.trim_end()))
        });
        rows.collect()
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

/// The tree as YAML lines, keys sorted as in the build's output.
pub(crate) fn yaml_lines(node: &Node) -> Vec<TextLine> {
    let mut writer = YamlLineWriter { lines: Vec::new(), pending: Vec::new(), pending_indent: 0 };
    writer.node(node, LineOrigin { indent: 0, path: "", mark: node.mark });
    writer.lines
}

#[derive(Clone, Copy)]
struct LineOrigin<'p> {
    indent: usize,
    path: &'p str,
    mark: Mark,
}

struct YamlLineWriter {
    lines: Vec<TextLine>,
    /// Dashes before the first line of their item.
    pending: Vec<LineToken>,
    pending_indent: usize,
}

impl YamlLineWriter {
    fn node(&mut self, node: &Node, at: LineOrigin<'_>) {
        match &node.value {
            Value::Mapping(mapping) if !mapping.entries.is_empty() => {
                let mut entries: Vec<_> = mapping.entries.iter().collect();
                entries.sort_by(|a, b| a.key.text().cmp(&b.key.text()));
                for entry in entries {
                    let path = join_path(at.path, entry.key.text().unwrap_or("?"));
                    self.entry(entry, LineOrigin { path: &path, mark: mark_of(entry), ..at });
                }
            }
            Value::Sequence(items, _) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    if self.pending.is_empty() {
                        self.pending_indent = at.indent;
                    }
                    self.pending.push(punctuation("- "));
                    let (path, indent) = (format!("{}[{index}]", at.path), at.indent + 2);
                    self.node(item, LineOrigin { indent, path: &path, mark: item.mark });
                }
            }
            _ => self.inline(Vec::new(), node, at),
        }
    }

    fn entry(&mut self, entry: &MappingEntry, at: LineOrigin<'_>) {
        let key = sanitize(entry.key.text().unwrap_or("?")).into_owned();
        let head = vec![LineToken { role: StyleRole::YamlKey, text: key }, punctuation(":")];
        let inner_indent = match &entry.value.value {
            Value::Mapping(mapping) if !mapping.entries.is_empty() => at.indent + 2,
            Value::Sequence(items, _) if !items.is_empty() => at.indent,
            _ => return self.inline(head, &entry.value, at),
        };
        self.line(head, LineOrigin { mark: entry.key.mark, ..at });
        self.node(&entry.value, LineOrigin { indent: inner_indent, ..at });
    }

    /// Writes a value that is on the line of its key, or starts there.
    fn inline(&mut self, mut head: Vec<LineToken>, node: &Node, at: LineOrigin<'_>) {
        if !head.is_empty() {
            head.push(punctuation(" "));
        }
        let token = match &node.value {
            Value::Mapping(_) => punctuation("{}"),
            Value::Sequence(..) => punctuation("[]"),
            Value::Scalar(scalar) if scalar.text.contains('\n') => {
                return self.block(head, scalar, at);
            }
            Value::Scalar(scalar) => scalar_token(scalar),
        };
        head.push(token);
        self.line(head, at);
    }

    fn block(&mut self, mut head: Vec<LineToken>, scalar: &Scalar, at: LineOrigin<'_>) {
        head.push(punctuation(if scalar.text.ends_with('\n') { "|" } else { "|-" }));
        self.line(head, at);
        for (number, text) in (1..).zip(scalar.text.trim_end_matches('\n').split('\n')) {
            let text = sanitize(text.trim_end_matches('\r')).into_owned();
            let mut at = LineOrigin { indent: at.indent + 2, ..at };
            if scalar.style == Style::Literal && at.mark.line > 0 {
                // The text of a complete file has no header line: its first line is line 1 of the
                // file.
                at.mark.line += if at.mark.column == 0 { number - 1 } else { number };
            }
            self.line(vec![LineToken { role: StyleRole::YamlText, text }], at);
        }
    }

    fn line(&mut self, tokens: Vec<LineToken>, at: LineOrigin<'_>) {
        let LineOrigin { indent, path, mark } = at;
        let mut line = TextLine { indent, tokens, mark, path: path.into(), ..TextLine::default() };
        if !self.pending.is_empty() {
            line.indent = self.pending_indent;
            line.tokens.splice(0..0, std::mem::take(&mut self.pending));
        }
        self.lines.push(line);
    }
}

fn punctuation(text: &str) -> LineToken {
    LineToken { role: StyleRole::YamlPunctuation, text: text.to_owned() }
}

/// The mark of an entry's value, or else of its key. A value that a final step wrote has a writer
/// but no line.
pub(crate) fn mark_of(entry: &MappingEntry) -> Mark {
    let value = entry.value.mark;
    if value.line == 0 && value.writer == WriterId::NONE { entry.key.mark } else { value }
}

/// The path of a key below a path: `spec.template`, `metadata.annotations[a.b/c]`.
pub(crate) fn join_path(path: &str, key: &str) -> String {
    let key = sanitize(key);
    if key.contains('.') || key.contains('/') {
        format!("{path}[{key}]")
    } else if path.is_empty() {
        key.into_owned()
    } else {
        format!("{path}.{key}")
    }
}

fn scalar_token(scalar: &Scalar) -> LineToken {
    let text = sanitize(&scalar.text);
    let plain_literal = scalar.style == Style::Plain && looks_typed(&scalar.text);
    let is_string = matches!(scalar.tag, Tag::Str)
        || matches!(scalar.style, Style::SingleQuoted | Style::DoubleQuoted);
    if is_string && (looks_typed(&scalar.text) || needs_quotes(&scalar.text)) {
        return LineToken { role: StyleRole::YamlText, text: format!("\"{text}\"") };
    }
    let role =
        if plain_literal && !is_string { StyleRole::YamlLiteral } else { StyleRole::YamlText };
    LineToken { role, text: text.into_owned() }
}

/// True for a plain text that YAML would not read as a string.
fn looks_typed(text: &str) -> bool {
    matches!(
        text,
        "" | "~"
            | "null"
            | "Null"
            | "NULL"
            | "true"
            | "True"
            | "TRUE"
            | "false"
            | "False"
            | "FALSE"
            | "yes"
            | "no"
            | "on"
            | "off"
            | "y"
            | "n"
    ) || text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        && text.parse::<f64>().is_ok()
}

/// True if the text would not be read as the same text without quotes.
fn needs_quotes(text: &str) -> bool {
    text.starts_with(|c: char| {
        c.is_whitespace() || "-?:,[]{}#&*!|>'\"%@`".contains(c) && !is_plain_dash(text)
    }) || text.ends_with([' ', ':'])
        || text.contains(": ")
        || text.contains(" #")
}

/// True for a text that begins with an indicator, but is plain since no space follows it.
fn is_plain_dash(text: &str) -> bool {
    text.starts_with(['-', '?', ':']) && !text[1..].starts_with(' ') && text.len() > 1
}
