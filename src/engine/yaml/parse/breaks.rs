//! Line breaks of YAML 1.1 that the parser takes for text: U+0085, U+2028 and U+2029.

use crate::engine::yaml::Style;

const KEPT: [char; 2] = ['\u{2028}', '\u{2029}'];
const NEXT_LINE: char = '\u{85}';

/// A scalar as go-yaml reads it, when one of these breaks is in it as written: U+2028 and U+2029 stay, U+0085 is an
/// ordinary one; blanks around them in quotes, and the indentation behind them in a block, go.
pub(super) fn read(text: &str, raw: &str, style: Style, indent: usize) -> Option<String> {
    let is_break = |c: char| c == NEXT_LINE || KEPT.contains(&c);
    if text.is_ascii() || !raw.contains(is_break) {
        return None;
    }
    match style {
        Style::SingleQuoted => Some(quoted(text)),
        // An escape stands for itself; which of both it was cannot be told behind the parser.
        Style::DoubleQuoted if !raw.contains('\\') => Some(quoted(text)),
        Style::Literal | Style::Folded => Some(block(text, indent)),
        _ => None,
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c| c == NEXT_LINE || KEPT.contains(&c)) {
        out.push_str(rest[..at].trim_end_matches([' ', '\t']));
        let mut first = None;
        let mut more = String::new();
        rest = &rest[at..];
        while let Some(c) = rest.chars().next().filter(|c| *c == NEXT_LINE || KEPT.contains(c)) {
            let kept = if c == NEXT_LINE { '\n' } else { c };
            if first.replace(first.unwrap_or(kept)).is_some() {
                more.push(kept);
            }
            rest = rest[c.len_utf8()..].trim_start_matches([' ', '\t']);
        }
        match first {
            Some('\n') if more.is_empty() => out.push(' '),
            Some('\n') | None => {}
            Some(kept) => out.push(kept),
        }
        out.push_str(&more);
    }
    out.push_str(rest);
    out
}

fn block(text: &str, indent: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c| c == NEXT_LINE || KEPT.contains(&c)) {
        out.push_str(&rest[..at]);
        let Some(c) = rest[at..].chars().next() else { break };
        out.push(if c == NEXT_LINE { '\n' } else { c });
        rest = &rest[at + c.len_utf8()..];
        let spaces = rest.len() - rest.trim_start_matches(' ').len();
        rest = &rest[spaces.min(indent)..];
    }
    out.push_str(rest);
    out
}
