//! What go-yaml refuses and the parser takes.

use granit_parser::{ScalarStyle, Span};

use super::build::{Builder, Content, Open};
use super::error;
use super::{Dialect, YamlError};
use crate::engine::yaml::Style;

/// Things to look for, told by one look at the text.
#[derive(Clone, Copy, Default)]
pub(super) struct Suspects {
    /// An escape that only JSON knows: `\/`, or half of a pair `\ud83d`.
    pub(super) escapes: bool,
    pub(super) tabs: bool,
}

impl Suspects {
    pub(super) fn of(text: &str) -> Self {
        let escapes = text.contains('\\')
            && ["\\/", "\\ud", "\\uD"].iter().any(|escape| text.contains(escape));
        Self { escapes, tabs: text.contains('\t') }
    }
}

/// What is wrong with the directives at the head of a text. Pieces are cut at `---`, so directives seldom meet
/// their document.
pub(super) fn directive(text: &str) -> Option<(u32, &'static str)> {
    for (index, line) in text.lines().enumerate() {
        let Some(directive) = line.strip_prefix('%') else {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            return None;
        };
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut words = directive.split_whitespace();
        match (words.next(), words.next()) {
            (Some("YAML"), Some("1.1")) | (Some("TAG"), _) => {}
            (Some("YAML"), Some(_)) => return Some((number, "found incompatible YAML document")),
            _ => return Some((number, "found unknown directive name")),
        }
    }
    None
}

/// The line of a tab before the first token: only spaces may stand there.
pub(super) fn leading_tab(text: &str) -> Option<(u32, &'static str)> {
    for (index, line) in text.lines().enumerate() {
        let content = line.trim_start_matches(' ');
        if content.starts_with('\t') {
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            return Some((number, NO_TOKEN));
        }
        let is_head = line.strip_prefix("---").is_some_and(|rest| {
            let rest = rest.trim_start_matches([' ', '\t']);
            rest.is_empty() || rest.starts_with('#')
        });
        if !content.is_empty() && !content.starts_with('#') && !is_head {
            return None;
        }
    }
    None
}

/// The escape in a double-quoted scalar, as written, that go-yaml does not know.
fn escape(written: &str) -> Option<&'static str> {
    let mut bytes = written.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            continue;
        }
        match bytes.next() {
            Some(b'/') => return Some("found unknown escape character"),
            Some(b'u') => {
                let pair = (bytes.next(), bytes.next());
                if let (Some(b'd' | b'D'), Some(b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F')) = pair {
                    return Some("found invalid Unicode character escape code");
                }
            }
            _ => {}
        }
    }
    None
}

/// What was read last.
#[derive(Clone, Copy, Default)]
pub(super) struct Last {
    /// Where in the text it ends.
    end: usize,
    /// 1-based line where it starts.
    line: usize,
    kind: LastKind,
}

#[derive(Clone, Copy, Default)]
enum LastKind {
    #[default]
    Other,
    /// A plain key of a block mapping.
    Key,
    /// A plain scalar that goes on at this column or behind it.
    Plain { indent: usize },
}

/// Whether what stands before, comments aside, is the `?` of an explicit key.
fn ends_in_question_mark(before: &str) -> bool {
    let content = before.rsplit('\n').map(|line| match line.find('#') {
        Some(0) => "",
        Some(at) if line[..at].ends_with([' ', '\t']) => line[..at].trim_end(),
        _ => line.trim_end(),
    });
    content.into_iter().find(|line| !line.is_empty()).is_some_and(|line| line.ends_with('?'))
}

/// Whether a tab stands where a block scalar, from its header on, should be indented with spaces. `outer` is the
/// column of the collection around it.
fn tab_in_block(text: &str, outer: usize) -> bool {
    let mut lines = text.split('\n');
    if lines
        .next()
        .is_none_or(|header| header.trim_start().bytes().take(3).any(|b| b.is_ascii_digit()))
    {
        return false;
    }
    let mut indent = None;
    for line in lines {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        match (line.as_bytes().get(spaces), indent) {
            (Some(b'\t'), None) => return true,
            (Some(b'\t'), Some(indent)) if spaces < indent => return true,
            (None | Some(b'\r'), _) => {}
            (Some(_), None) if spaces <= outer => return false,
            (Some(_), None) => indent = Some(spaces),
            (Some(_), Some(indent)) if spaces < indent => return false,
            (Some(_), Some(_)) => {}
        }
    }
    false
}

const NO_TOKEN: &str = "found character that cannot start any token";

impl Builder<'_> {
    /// In flow collections a plain scalar ends at a `?` and does not begin with a `:`.
    pub(super) fn check_flow_scalar(
        &self,
        style: ScalarStyle,
        span: &Span,
    ) -> Result<(), YamlError> {
        let in_flow = self.open.last().is_some_and(|open| open.style == Style::Flow);
        if !in_flow || style != ScalarStyle::Plain {
            return Ok(());
        }
        let written = span.slice(self.text).unwrap_or_default();
        let words = match written.find('?') {
            _ if written.starts_with(':') => "did not find expected node content",
            Some(1..) => match self.open.last().map(|open| &open.content) {
                Some(Content::Sequence) => "did not find expected ',' or ']'",
                _ => "did not find expected ',' or '}'",
            },
            _ => return Ok(()),
        };
        Err(self.in_scanner(span.start.line(), words))
    }

    pub(super) fn check_escapes(&self, style: ScalarStyle, span: &Span) -> Result<(), YamlError> {
        if !self.suspects.escapes || style != ScalarStyle::DoubleQuoted {
            return Ok(());
        }
        match span.slice(self.text).and_then(escape) {
            Some(words) => Err(self.in_scanner(span.start.line(), words)),
            None => Ok(()),
        }
    }

    /// Tabs where a block scalar should be indented.
    pub(super) fn check_block(&self, style: ScalarStyle, span: &Span) -> Result<(), YamlError> {
        if !self.suspects.tabs || !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            return Ok(());
        }
        let Some(header) = self.header(span) else { return Ok(()) };
        let from = self.text.get(header.at..).unwrap_or_default();
        let outer = self.open.last().map_or(0, |open| open.column);
        if tab_in_block(from, outer) {
            let words = "found a tab character where an indentation space is expected";
            return Err(
                self.in_scanner(span.start.line().saturating_sub(header.lines_above), words)
            );
        }
        Ok(())
    }

    /// A value of a block mapping without a key, which only an explicit `?` allows.
    pub(super) fn check_key(&self, span: &Span) -> Result<(), YamlError> {
        let Some(Open { style: Style::Plain, content: Content::Mapping { key: None, .. }, .. }) =
            self.open.last()
        else {
            return Ok(());
        };
        let Some((before, rest)) =
            span.start.byte_offset().and_then(|at| self.text.split_at_checked(at))
        else {
            return Ok(());
        };
        if !rest.starts_with(':') || ends_in_question_mark(before) {
            return Ok(());
        }
        let mark = self.mark(span);
        let line = mark.line.saturating_sub(self.line);
        Err(error::in_parser(&self.place(), line, mark.column, "did not find expected key"))
    }

    /// The name of an alias: go-yaml knows letters, digits, `_` and `-`.
    pub(super) fn check_alias(&self, span: &Span) -> Result<(), YamlError> {
        let written = span.slice(self.text).unwrap_or_default();
        let name = written.trim_start_matches('*');
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
        match end.map(|end| (end, name.as_bytes()[end])) {
            None | Some((1.., b'?' | b':' | b'%' | b'@' | b'`')) => Ok(()),
            Some(_) => {
                let words = "did not find expected alphabetic or numeric character";
                Err(self.in_scanner(span.start.line(), words))
            }
        }
    }

    pub(super) fn last_of(&self, style: ScalarStyle, span: &Span) -> Last {
        let kind = match self.open.last() {
            Some(Open { style: Style::Plain, content, column, .. })
                if style == ScalarStyle::Plain =>
            {
                match content {
                    Content::Mapping { key: None, .. } => LastKind::Key,
                    _ => LastKind::Plain { indent: column + 1 },
                }
            }
            _ => LastKind::Other,
        };
        Last { end: span.end.byte_offset().unwrap_or(0), line: span.start.line(), kind }
    }

    /// Tabs that indent a node of block style.
    pub(super) fn check_tabs(&self, span: &Span) -> Result<(), YamlError> {
        if !self.suspects.tabs {
            return Ok(());
        }
        let Some(Open { style: Style::Plain, content, .. }) = self.open.last() else {
            return Ok(());
        };
        let start = span.start.byte_offset().unwrap_or(0);
        if matches!(content, Content::Sequence) {
            let before = self.text.get(..start).unwrap_or_default();
            let dash = before.trim_end_matches([' ', '\t', '\n']);
            let gap = before[dash.len()..].split('\n').next();
            if dash.ends_with('-') && gap.is_some_and(|gap| gap.contains('\t')) {
                return Err(self.in_scanner(span.start.line(), NO_TOKEN));
            }
        }
        self.check_tabs_between(start)
    }

    /// A tab between a dash and the comment behind it; version 2 has the same of the marks of explicit keys.
    pub(super) fn check_tab_before_comment(&self, span: &Span) -> Result<(), YamlError> {
        if !self.suspects.tabs {
            return Ok(());
        }
        let before = self.text.get(..span.start.byte_offset().unwrap_or(0)).unwrap_or_default();
        let dashes = before.trim_end_matches([' ', '\t']);
        let marks: &[&str] = if self.dialect == Dialect::V1_1 { &["-", "?", ":"] } else { &["-"] };
        let is_dash = dashes.rsplit('\n').next().is_some_and(|line| {
            !line.is_empty() && line.split_whitespace().all(|word| marks.contains(&word))
        });
        // A dash may as well be the end of a plain scalar.
        if is_dash && before[dashes.len()..].contains('\t') && self.last.end < dashes.len() {
            return Err(self.in_scanner(span.start.line(), NO_TOKEN));
        }
        Ok(())
    }

    /// Tabs on empty and comment lines behind the last node.
    pub(super) fn check_tabs_below(&self) -> Result<(), YamlError> {
        if self.suspects.tabs { self.check_tabs_between(self.text.len()) } else { Ok(()) }
    }

    fn check_tabs_between(&self, end: usize) -> Result<(), YamlError> {
        if matches!(self.last.kind, LastKind::Other) {
            return Ok(());
        }
        let between = self.text.get(self.last.end..end).unwrap_or_default();
        for (index, line) in between.split('\n').enumerate().skip(1) {
            let rest = line.trim_start_matches([' ', '\t']);
            if rest.len() == line.len() && !matches!(line.as_bytes().first(), None | Some(b'#')) {
                break;
            }
            let Some(column) = line[..line.len() - rest.len()].find('\t') else { continue };
            match self.last.kind {
                LastKind::Plain { indent } if column < indent => {
                    let words = "found a tab character that violates indentation";
                    return Err(self.in_scanner(self.last.line, words));
                }
                LastKind::Key => return Err(self.in_scanner(self.last.line + index, NO_TOKEN)),
                _ => {}
            }
        }
        Ok(())
    }

    fn in_scanner(&self, line: usize, words: &str) -> YamlError {
        error::in_scanner(self.line, u32::try_from(line).unwrap_or(u32::MAX), 1, words)
    }
}
