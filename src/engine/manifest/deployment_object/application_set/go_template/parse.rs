//! Parses a template into a tree as Go's `text/template/parse` does.

use super::super::value::ParamValue;
use super::TemplateError;

/// Nesting limit for control structures, and for parentheses.
pub(super) const MAX_DEPTH: usize = 100;

#[derive(Clone, Debug)]
pub(super) enum TemplatePart<'t> {
    Text(&'t str),
    /// `{{pipeline}}`, with its text.
    Print(Vec<Word<'t>>, &'t str),
    /// A control structure with its pipeline, its parts, and the parts of `{{else}}`.
    Block(BlockKind, Vec<Word<'t>>, Vec<Self>, Vec<Self>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    If,
    With,
    Range,
}

/// A literal text, or an action without its delimiters and trim markers.
enum TemplatePiece<'t> {
    Text(&'t str),
    Action(Vec<Word<'t>>, &'t str),
}

/// A word of an action, and whether a space precedes it: `.a.b` is a chain, `.a .b` are two
/// arguments.
pub(super) type Word<'t> = (&'t str, bool);

pub(super) fn parse(text: &str) -> Result<Vec<TemplatePart<'_>>, TemplateError> {
    let pieces = pieces(text)?;
    let mut parser = TemplateParser { pieces: pieces.iter(), depth: 0 };
    match parser.list()? {
        (parts, []) => Ok(parts),
        (_, [(word, _), ..]) => Err(format!("unexpected {{{{{word}}}}}").into()),
    }
}

const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];
const UNCLOSED_ACTION: &str = "unclosed action";

/// Splits the text into literal texts and actions; drops comments.
fn pieces(text: &str) -> Result<Vec<TemplatePiece<'_>>, TemplateError> {
    let mut pieces = Vec::new();
    let (mut rest, mut trims) = (text, false);
    while let Some(start) = rest.find("{{") {
        let (mut literal, action) = rest.split_at(start);
        if trims {
            literal = literal.trim_start();
        }
        let inner = action.strip_prefix("{{").unwrap_or_default();
        let trimmed = inner.strip_prefix('-').filter(|inner| inner.starts_with(SPACES));
        if trimmed.is_some() {
            literal = literal.trim_end();
        }
        pieces.push(TemplatePiece::Text(literal));
        let inner = trimmed.unwrap_or(inner);
        let is_comment = inner.trim_start().starts_with("/*");
        let end = if is_comment {
            inner.find("*/").and_then(|at| Some(at + inner.get(at..)?.find("}}")?))
        } else {
            end_of_action(inner)
        };
        let (inner, after) = inner.split_at(end.ok_or(UNCLOSED_ACTION)?);
        rest = after.strip_prefix("}}").unwrap_or_default();
        let trimmed = inner.strip_suffix('-').filter(|inner| inner.ends_with(SPACES));
        trims = trimmed.is_some();
        if !is_comment {
            let (raw, _) = action.split_at(action.len() - rest.len());
            pieces.push(TemplatePiece::Action(words(trimmed.unwrap_or(inner))?, raw));
        }
    }
    pieces.push(TemplatePiece::Text(if trims { rest.trim_start() } else { rest }));
    Ok(pieces)
}

/// The offset of the closing delimiter, outside quoted texts.
fn end_of_action(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if open != '`' && escaped => escaped = false,
            Some(open) if open != '`' && c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            None if "\"'`".contains(c) => quote = Some(c),
            None if text.get(at..).is_some_and(|rest| rest.starts_with("}}")) => return Some(at),
            _ => {}
        }
    }
    None
}

fn words(action: &str) -> Result<Vec<Word<'_>>, TemplateError> {
    let mut words = Vec::new();
    let mut rest = action;
    loop {
        let trimmed = rest.trim_start_matches(SPACES);
        let Some(first) = trimmed.chars().next() else { return Ok(words) };
        let (word, after) = trimmed.split_at(word_length(trimmed, first)?);
        words.push((word, trimmed.len() < rest.len()));
        rest = after;
    }
}

fn word_length(text: &str, first: char) -> Result<usize, TemplateError> {
    let rest = text.get(first.len_utf8()..).unwrap_or_default();
    let is_name = |c: char| c == '_' || c.is_alphanumeric();
    let name_length = |text: &str| text.find(|c| !is_name(c)).unwrap_or(text.len());
    Ok(match first {
        '(' | ')' | '|' | ',' | '=' => 1,
        ':' if rest.starts_with('=') => 2,
        '"' | '`' => {
            let mut escaped = false;
            let end = rest.find(|c| {
                let is_end = c == first && !escaped;
                escaped = c == '\\' && first == '"' && !escaped;
                is_end
            });
            end.ok_or("unterminated quoted string")? + 2
        }
        '.' | '$' => 1 + name_length(rest),
        '+' | '-' | '0'..='9'
            if first.is_ascii_digit() || rest.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            1 + rest.find(|c| !is_name(c) && c != '.').unwrap_or(rest.len())
        }
        c if is_name(c) => name_length(text),
        other => return Err(format!("bad character {other:?}").into()),
    })
}

struct TemplateParser<'p, 't> {
    pieces: std::slice::Iter<'p, TemplatePiece<'t>>,
    depth: usize,
}

impl<'p, 't> TemplateParser<'p, 't> {
    /// The parts up to an `{{end}}` or `{{else}}`, and the words of that action; no words at the end
    /// of the text.
    fn list(&mut self) -> Result<(Vec<TemplatePart<'t>>, &'p [Word<'t>]), TemplateError> {
        let mut parts = Vec::new();
        while let Some(piece) = self.pieces.next() {
            let (words, raw) = match piece {
                TemplatePiece::Text(text) => {
                    parts.push(TemplatePart::Text(text));
                    continue;
                }
                TemplatePiece::Action(words, raw) => (&**words, *raw),
            };
            parts.push(match words {
                [("end" | "else", _), ..] => return Ok((parts, words)),
                [("if", _), rest @ ..] => self.block(BlockKind::If, rest)?,
                [("with", _), rest @ ..] => self.block(BlockKind::With, rest)?,
                [("range", _), rest @ ..] => self.block(BlockKind::Range, rest)?,
                [(word @ ("break" | "continue" | "define" | "block" | "template"), _), ..] => {
                    return Err(TemplateError::unsupported(word));
                }
                _ => TemplatePart::Print(words.to_vec(), raw),
            });
        }
        Ok((parts, &[]))
    }

    fn block(
        &mut self,
        kind: BlockKind,
        words: &[Word<'t>],
    ) -> Result<TemplatePart<'t>, TemplateError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("too deep".into());
        }
        let (then, end) = self.list()?;
        let otherwise = match end {
            [("end", _)] => Vec::new(),
            [("else", _)] => match self.list()? {
                (parts, [("end", _)]) => parts,
                _ => return Err("expected end".into()),
            },
            // This branch is ended by the same `{{end}}` as the outer one.
            [("else", _), ("if", _), rest @ ..] => vec![self.block(BlockKind::If, rest)?],
            [("else", _), ("with", _), rest @ ..] => vec![self.block(BlockKind::With, rest)?],
            [] => return Err("unexpected EOF".into()),
            _ => return Err("unexpected word after else".into()),
        };
        self.depth -= 1;
        Ok(TemplatePart::Block(kind, words.to_vec(), then, otherwise))
    }
}

/// A constant, a number or a quoted text; `None` for any other word.
pub(super) fn literal(word: &str) -> Result<Option<ParamValue>, TemplateError> {
    Ok(Some(match (word, word.chars().next().unwrap_or_default()) {
        ("true", _) => ParamValue::Bool(true),
        ("false", _) => ParamValue::Bool(false),
        ("nil", _) => ParamValue::Null,
        (text, '`') => text.trim_matches('`').into(),
        (text, '"') => unquoted(text)?.into(),
        (text, '+' | '-' | '0'..='9') => number(text)?,
        _ => return Ok(None),
    }))
}

/// The content of a quoted text, as by Go's `strconv.Unquote`, but without the codes of characters.
fn unquoted(word: &str) -> Result<String, TemplateError> {
    let mut out = String::with_capacity(word.len());
    let mut chars = word.get(1..word.len() - 1).unwrap_or_default().chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match chars.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(same @ ('\\' | '"')) => same,
            other => {
                let escape: String = std::iter::once('\\').chain(other).collect();
                return Err(TemplateError::unsupported(&escape));
            }
        });
    }
    Ok(out)
}

/// A decimal number. Go reads a number that begins with 0 in another base.
fn number(word: &str) -> Result<ParamValue, TemplateError> {
    let digits = word.trim_start_matches(['+', '-']);
    let is_octal = digits.starts_with('0') && digits.len() > 1 && !digits.starts_with("0.");
    let int = || word.parse().map(ParamValue::Int).ok();
    let value = int().or_else(|| word.parse().map(ParamValue::Float).ok());
    value.filter(|_| !is_octal).ok_or_else(|| TemplateError::unsupported(word))
}
