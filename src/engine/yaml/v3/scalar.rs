//! A scalar as go-yaml v3 writes it, from its text, tag and style.

use super::super::print::{
    ScalarAnalysis, ScalarPosition, escape, fold_lines, must_escape, tag_is_written, tag_name,
    written_style,
};
use super::super::scalar::{ScalarType, resolve_v3};
use super::super::{Node, Scalar, Style, Tag};

/// The maximum length in bytes of a key on one line with its colon.
const MAX_SIMPLE_KEY: usize = 128;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ScalarContext {
    /// On its own line or after its key; further lines are indented by this number.
    Line {
        indent: usize,
    },
    Key {
        flow: bool,
    },
    Flow,
}

/// A literal or folded scalar: its header with tag and indicators, and its lines without
/// indentation.
pub(super) struct BlockScalar {
    pub(super) header: String,
    pub(super) lines: String,
}

/// True for a key that fits on one line with its colon.
pub(super) fn is_simple_key(node: &Node) -> bool {
    node.as_scalar().is_some_and(|scalar| {
        let tag = if tag_is_written(scalar) { tag_name(scalar).len() } else { 0 };
        scalar.text.len() + tag <= MAX_SIMPLE_KEY
            && !ScalarAnalysis::examine(&scalar.text).multiline
    })
}

/// True if the scalar is written as an empty text.
pub(super) fn is_empty_plain(node: &Node) -> bool {
    node.as_scalar().is_some_and(|scalar| {
        scalar.text.is_empty()
            && !tag_is_written(scalar)
            && style(scalar, ScalarContext::Line { indent: 0 }) == Style::Plain
    })
}

/// The block form of a scalar that is written on several lines; `None` for a scalar in another
/// style.
pub(super) fn block(scalar: &Scalar) -> Option<BlockScalar> {
    let text = &*scalar.text;
    let style = style(scalar, ScalarContext::Line { indent: 0 });
    let (indicator, lines) = match style {
        Style::Literal => ('|', text.to_owned()),
        Style::Folded => ('>', fold_lines(text)),
        _ => return None,
    };
    let mut header = String::new();
    push_tag(scalar, &mut header);
    header.push(indicator);
    if text.starts_with([' ', '\n', '\u{2028}', '\u{2029}']) {
        header.push('2');
    }
    match text.strip_suffix('\n') {
        None => header.push('-'),
        Some(rest) if rest.is_empty() || rest.ends_with('\n') => header.push('+'),
        Some(_) => {}
    }
    Some(BlockScalar { header, lines })
}

pub(super) fn push(scalar: &Scalar, place: ScalarContext, out: &mut String) {
    push_tag(scalar, out);
    let text = &*scalar.text;
    match style(scalar, place) {
        Style::SingleQuoted => {
            out.push('\'');
            push_single(text, place, out);
            out.push('\'');
        }
        Style::DoubleQuoted => {
            out.push('"');
            for c in text.chars() {
                if must_escape(c) {
                    escape(c, out);
                } else {
                    out.push(c);
                }
            }
            out.push('"');
        }
        _ => out.push_str(text),
    }
}

/// Writes a single-quoted text. The first line break is doubled, because a single one is read as a
/// space.
fn push_single(text: &str, place: ScalarContext, out: &mut String) {
    let ScalarContext::Line { indent } = place else {
        out.push_str(&text.replace('\'', "''"));
        return;
    };
    let mut breaks = false;
    for c in text.chars() {
        if c == '\n' {
            out.push_str(if breaks { "\n" } else { "\n\n" });
            breaks = true;
            continue;
        }
        if matches!(c, '\u{2028}' | '\u{2029}') {
            out.push(c);
            breaks = true;
            continue;
        }
        if breaks {
            out.extend(std::iter::repeat_n(' ', indent));
            breaks = false;
        }
        if c == '\'' {
            out.push('\'');
        }
        out.push(c);
    }
}

fn push_tag(scalar: &Scalar, out: &mut String) {
    if tag_is_written(scalar) {
        out.push_str(tag_name(scalar));
        out.push(' ');
    }
}

fn style(scalar: &Scalar, place: ScalarContext) -> Style {
    let text = &*scalar.text;
    let in_lines = matches!(place, ScalarContext::Line { .. });
    let position = if in_lines { ScalarPosition::Block } else { ScalarPosition::Flow };
    let written = written_style(scalar, position);
    if !matches!(written, Style::Plain | Style::SingleQuoted) {
        return written;
    }
    let facts = ScalarAnalysis::examine(text);
    if written == Style::Plain {
        // When it writes, go-yaml v3 does not treat `<<` as a merge key.
        let is_string = || matches!(resolve_v3(text), ScalarType::Str | ScalarType::Merge);
        if scalar.tag == Tag::Str && !scalar.tagged && !is_string() {
            return Style::DoubleQuoted;
        }
        let allows_plain = match place {
            ScalarContext::Line { .. } => facts.allows_plain(),
            ScalarContext::Key { flow: false } => facts.allows_plain() && !text.is_empty(),
            ScalarContext::Key { flow: true } | ScalarContext::Flow => {
                facts.allows_plain_v3_flow() && !text.is_empty()
            }
        };
        if allows_plain {
            return Style::Plain;
        }
    }
    let allows_single = facts.allows_single() && (!facts.multiline || in_lines);
    if allows_single { Style::SingleQuoted } else { Style::DoubleQuoted }
}
