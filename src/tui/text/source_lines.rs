//! The text of a file as coloured lines. Works line by line and accepts invalid YAML, as in drafts.

use crate::engine::yaml::{Mark, SourceId};

use super::super::theme::StyleRole;
use super::{LineToken, TextLine, sanitize};

/// The lines of a text, each with its line number in `source` as mark.
pub(crate) fn source_lines(text: &[u8], source: SourceId) -> Vec<TextLine> {
    let text = String::from_utf8_lossy(text);
    (1..)
        .zip(text.lines())
        .map(|(line, text)| TextLine {
            tokens: tokens(text),
            mark: Mark { source, line, column: 1, ..Mark::default() },
            ..TextLine::default()
        })
        .collect()
}

pub(super) fn tokens(line: &str) -> Vec<LineToken> {
    let mut out = Vec::new();
    let body = line.trim_start();
    push(&mut out, StyleRole::YamlPunctuation, &line[..line.len() - body.len()]);
    if body.starts_with('#') {
        push(&mut out, StyleRole::YamlComment, body);
        return out;
    }
    let mut rest = body;
    while let Some(after) = rest.strip_prefix("- ") {
        push(&mut out, StyleRole::YamlPunctuation, "- ");
        rest = after;
    }
    let (code, comment) = match rest.find(" #") {
        Some(at) if !rest[..at].contains(['"', '\'']) => rest.split_at(at),
        _ => (rest, ""),
    };
    match key_end(code) {
        Some(end) => {
            push(&mut out, StyleRole::YamlKey, &code[..end]);
            push(&mut out, StyleRole::YamlPunctuation, ":");
            value(&mut out, &code[end + 1..]);
        }
        None => value(&mut out, code),
    }
    push(&mut out, StyleRole::YamlComment, comment);
    out
}

/// The position of the colon of a `key:`.
fn key_end(code: &str) -> Option<usize> {
    let end = code.find(": ").or_else(|| code.strip_suffix(':').map(str::len))?;
    (!code[..end].contains([' ', '{', '['])).then_some(end)
}

fn value(out: &mut Vec<LineToken>, text: &str) {
    let trimmed = text.trim();
    let role = if trimmed.parse::<f64>().is_ok() || matches!(trimmed, "true" | "false" | "null") {
        StyleRole::YamlLiteral
    } else if matches!(trimmed, "|" | "|-" | ">" | ">-" | "|+" | ">+" | "-" | "---") {
        StyleRole::YamlPunctuation
    } else {
        StyleRole::YamlText
    };
    push(out, role, text);
}

fn push(out: &mut Vec<LineToken>, role: StyleRole, text: &str) {
    if !text.is_empty() {
        out.push(LineToken { role, text: sanitize(text).into_owned() });
    }
}
