//! Parses a template into a tree as Go's `text/template/parse` does.

use super::super::value::ParamValue;
use super::TemplateError;
use super::lexer::{SpacedWord, Token, words};

/// Nesting limit for control structures and parentheses.
const MAX_DEPTH: usize = 100;

#[derive(Clone, Debug)]
pub(super) enum TemplatePart {
    Text(String),
    /// `{{pipeline}}`, with its text.
    Print(Pipe, String),
    /// `{{if}}`: the pipeline, the parts, and the parts of `{{else}}`.
    If(Pipe, Vec<Self>, Vec<Self>),
    With(Pipe, Vec<Self>, Vec<Self>),
    /// `{{range}}`: the pipeline, the parts for each element, and the parts for an empty list.
    Range(Pipe, Vec<Self>, Vec<Self>),
}

/// A pipeline, as in `$a, $b := command | command`.
#[derive(Clone, Debug, Default)]
pub(super) struct Pipe {
    pub(super) variables: Vec<String>,
    /// True for `=`, false for `:=`.
    pub(super) assigns: bool,
    pub(super) commands: Vec<Vec<Operand>>,
}

/// A function or an argument.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Function(String),
    Dot,
    Literal(ParamValue),
    Variable(String),
    Pipe(Box<Pipe>),
    /// A value and a path of fields in it.
    Chain(Box<Self>, Vec<String>),
}

/// A literal text, or an action without its delimiters and trim markers.
enum TemplatePiece<'t> {
    Text(&'t str),
    /// The content of the action, and its source text with delimiters.
    Action(&'t str, &'t str),
}

pub(super) fn parse(text: &str) -> Result<Vec<TemplatePart>, TemplateError> {
    let pieces = pieces(text)?;
    let mut parser = TemplateParser { pieces: &pieces, at: 0, depth: 0 };
    let (parts, end) = parser.list()?;
    match end {
        ListEnd::Text => Ok(parts),
        ListEnd::Branch => Err("unexpected {{end}}".into()),
        ListEnd::Else(_) => Err("unexpected {{else}}".into()),
    }
}

/// Splits the text into literal texts and actions; drops comments.
fn pieces(text: &str) -> Result<Vec<TemplatePiece<'_>>, TemplateError> {
    const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut trims = false;
    loop {
        let start = rest.find("{{");
        let literal = rest.get(..start.unwrap_or(rest.len())).unwrap_or_default();
        let literal = if trims { literal.trim_start_matches(SPACES) } else { literal };
        let Some(start) = start else {
            pieces.push(TemplatePiece::Text(literal));
            return Ok(pieces);
        };
        let whole = rest.get(start..).unwrap_or_default();
        let inner = whole.get(2..).unwrap_or_default();
        let trims_before = inner.strip_prefix('-').filter(|inner| inner.starts_with(SPACES));
        let literal =
            if trims_before.is_some() { literal.trim_end_matches(SPACES) } else { literal };
        pieces.push(TemplatePiece::Text(literal));
        let inner = trims_before.unwrap_or(inner);
        let skipped = whole.len() - inner.len();
        let comment = inner.trim_start_matches(SPACES).starts_with("/*");
        let end = if comment {
            let close = inner.find("*/").ok_or(UNCLOSED_ACTION)?;
            let after = inner.get(close + 2..).unwrap_or_default();
            let trimmed = after.trim_start_matches(SPACES);
            if !(trimmed.starts_with("}}") || trimmed.starts_with("-}}")) {
                return Err("comment ends before closing delimiter".into());
            }
            inner.len() - trimmed.len() + usize::from(trimmed.starts_with('-'))
        } else {
            end_of_action(inner).ok_or(UNCLOSED_ACTION)?
        };
        let action = inner.get(..end).unwrap_or_default();
        let trimmed = action.strip_suffix('-').filter(|action| action.ends_with(SPACES));
        trims = trimmed.is_some() || comment && action.ends_with('-');
        let length = skipped + end + 2;
        if !comment {
            let raw = whole.get(..length).unwrap_or_default();
            pieces.push(TemplatePiece::Action(trimmed.unwrap_or(action), raw));
        }
        rest = whole.get(length..).unwrap_or_default();
    }
}

const UNCLOSED_ACTION: &str = "unclosed action";

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

enum ListEnd {
    Text,
    Branch,
    /// `else`, with the words that follow it, such as `if` and its pipeline.
    Else(Vec<SpacedWord>),
}

struct TemplateParser<'p, 't> {
    pieces: &'p [TemplatePiece<'t>],
    at: usize,
    depth: usize,
}

impl TemplateParser<'_, '_> {
    fn list(&mut self) -> Result<(Vec<TemplatePart>, ListEnd), TemplateError> {
        let mut parts = Vec::new();
        while let Some(piece) = self.pieces.get(self.at) {
            self.at += 1;
            let (action, raw) = match piece {
                TemplatePiece::Text("") => continue,
                TemplatePiece::Text(text) => {
                    parts.push(TemplatePart::Text((*text).to_owned()));
                    continue;
                }
                TemplatePiece::Action(action, raw) => (*action, *raw),
            };
            let words = words(action)?;
            let keyword = match words.first() {
                Some((Token::Word(word), _)) => word.as_str(),
                Some(_) => "",
                None => return Err("missing value for command".into()),
            };
            let after = words.get(1..).unwrap_or_default();
            parts.push(match keyword {
                "end" => return Ok((parts, ListEnd::Branch)),
                "else" => return Ok((parts, ListEnd::Else(after.to_vec()))),
                "if" => self.branch(after, TemplatePart::If)?,
                "with" => self.branch(after, TemplatePart::With)?,
                "range" => self.branch(after, TemplatePart::Range)?,
                "break" | "continue" | "define" | "block" | "template" => {
                    return Err(TemplateError::unsupported(keyword));
                }
                _ => TemplatePart::Print(self.pipe(&words)?, raw.to_owned()),
            });
        }
        Ok((parts, ListEnd::Text))
    }

    /// Parses an `if`, `with` or `range` with its parts, up to its `end`.
    fn branch(
        &mut self,
        words: &[SpacedWord],
        part: fn(Pipe, Vec<TemplatePart>, Vec<TemplatePart>) -> TemplatePart,
    ) -> Result<TemplatePart, TemplateError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("too deep".into());
        }
        let pipe = self.pipe(words)?;
        let (then, end) = self.list()?;
        let otherwise = match end {
            ListEnd::Branch => Vec::new(),
            ListEnd::Text => return Err("unexpected EOF".into()),
            ListEnd::Else(words) => match words.first() {
                None => match self.list()? {
                    (parts, ListEnd::Branch) => parts,
                    _ => return Err("expected end".into()),
                },
                // This branch is ended by the same `{{end}}` as the outer one.
                Some((Token::Word(word), _)) if word == "if" => {
                    vec![self.branch(words.get(1..).unwrap_or_default(), TemplatePart::If)?]
                }
                Some((Token::Word(word), _)) if word == "with" => {
                    vec![self.branch(words.get(1..).unwrap_or_default(), TemplatePart::With)?]
                }
                Some(_) => return Err("unexpected word after else".into()),
            },
        };
        self.depth -= 1;
        Ok(part(pipe, then, otherwise))
    }

    fn pipe(&mut self, words: &[SpacedWord]) -> Result<Pipe, TemplateError> {
        let mut words = WordCursor { all: words, at: 0, depth: self.depth };
        let pipe = words.pipe()?;
        match words.next() {
            None => Ok(pipe),
            Some(_) => Err("unexpected right paren".into()),
        }
    }
}

struct WordCursor<'w> {
    all: &'w [SpacedWord],
    at: usize,
    depth: usize,
}

impl WordCursor<'_> {
    fn next(&mut self) -> Option<SpacedWord> {
        let word = self.all.get(self.at).cloned();
        self.at += 1;
        word
    }

    fn peek(&self) -> Option<&Token> {
        self.all.get(self.at).map(|(token, _)| token)
    }

    /// Parses a pipeline, up to a closing parenthesis or the end.
    fn pipe(&mut self) -> Result<Pipe, TemplateError> {
        let mut pipe = Pipe::default();
        let (all, at) = (self.all, self.at);
        let token = |offset| all.get(at + offset).map(|(token, _)| token);
        if let Some(Token::Variable(first)) = token(0) {
            let second = match (token(1), token(2)) {
                (Some(Token::Comma), Some(Token::Variable(second))) => Some(second),
                (Some(Token::Comma), _) => return Err("range can only initialize variables".into()),
                _ => None,
            };
            let length = if second.is_some() { 3 } else { 1 };
            match token(length) {
                Some(operator @ (Token::Declare | Token::Assign)) => {
                    pipe.assigns = *operator == Token::Assign;
                    pipe.variables = std::iter::once(first).chain(second).cloned().collect();
                    self.at += length + 1;
                }
                _ if second.is_some() => return Err("expected :=".into()),
                _ => {}
            }
        }
        loop {
            let command = self.command()?;
            if command.is_empty() {
                return Err("missing value for command".into());
            }
            pipe.commands.push(command);
            if self.peek() != Some(&Token::Pipe) {
                return Ok(pipe);
            }
            self.at += 1;
        }
    }

    fn command(&mut self) -> Result<Vec<Operand>, TemplateError> {
        let mut operands: Vec<Operand> = Vec::new();
        while let Some(token) = self.peek() {
            if matches!(token, Token::Pipe | Token::Close) {
                break;
            }
            let Some((token, spaced)) = self.next() else { break };
            let operand = match token {
                Token::Word(word) => match word.as_str() {
                    "true" => Operand::Literal(ParamValue::Bool(true)),
                    "false" => Operand::Literal(ParamValue::Bool(false)),
                    "nil" => Operand::Literal(ParamValue::Null),
                    _ => Operand::Function(word),
                },
                Token::Field(name) => match operands.pop_if(|_| !spaced) {
                    Some(Operand::Chain(value, mut fields)) => {
                        fields.push(name);
                        Operand::Chain(value, fields)
                    }
                    value => Operand::Chain(Box::new(value.unwrap_or(Operand::Dot)), vec![name]),
                },
                Token::Variable(name) => Operand::Variable(name),
                Token::Dot => Operand::Dot,
                Token::Literal(value) => Operand::Literal(value),
                Token::Open => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Err("too deep".into());
                    }
                    let pipe = self.pipe()?;
                    self.depth -= 1;
                    if self.next().map(|(token, _)| token) != Some(Token::Close) {
                        return Err("unclosed left paren".into());
                    }
                    Operand::Pipe(Box::new(pipe))
                }
                other => return Err(format!("unexpected {other:?}").into()),
            };
            operands.push(operand);
        }
        Ok(operands)
    }
}
