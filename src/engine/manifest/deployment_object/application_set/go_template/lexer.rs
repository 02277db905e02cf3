//! Splits an action into words as Go's `text/template/parse` does.

use super::super::value::ParamValue;
use super::TemplateError;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A function, a keyword, `true`, `false` or `nil`.
    Word(String),
    /// `.name`
    Field(String),
    /// `$name`, without its dollar sign; empty for `$`.
    Variable(String),
    Dot,
    /// A quoted text or a number.
    Literal(ParamValue),
    Open,
    Close,
    /// The sign between two commands of a pipeline.
    Pipe,
    Comma,
    /// `:=`
    Declare,
    /// `=`
    Assign,
}

/// A word, and whether a space precedes it: `.a.b` is a chain, `.a .b` are two arguments.
pub(super) type SpacedWord = (Token, bool);

pub(super) fn words(action: &str) -> Result<Vec<SpacedWord>, TemplateError> {
    let mut words = Vec::new();
    let mut rest = action;
    loop {
        let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let spaced = trimmed.len() < rest.len();
        let Some(first) = trimmed.chars().next() else { return Ok(words) };
        let (token, length) = word(trimmed, first)?;
        rest = trimmed.get(length..).unwrap_or_default();
        if matches!(token, Token::Word(_) | Token::Field(_) | Token::Variable(_))
            && rest.starts_with(|next: char| !" \t\r\n.,|:()=".contains(next))
        {
            let next = rest.chars().next().unwrap_or_default();
            return Err(format!("bad character {next:?}").into());
        }
        words.push((token, spaced));
    }
}

fn word(text: &str, first: char) -> Result<(Token, usize), TemplateError> {
    let name_length =
        |text: &str| text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len());
    let rest = text.get(first.len_utf8()..).unwrap_or_default();
    Ok(match first {
        '(' => (Token::Open, 1),
        ')' => (Token::Close, 1),
        '|' => (Token::Pipe, 1),
        ',' => (Token::Comma, 1),
        ':' if rest.starts_with('=') => (Token::Declare, 2),
        '=' => (Token::Assign, 1),
        '`' => {
            let end = rest.find('`').ok_or(UNTERMINATED_STRING)?;
            let text = rest.get(..end).unwrap_or_default();
            (Token::Literal(ParamValue::Text(text.into())), end + 2)
        }
        '"' => {
            let end = end_of_string(rest)?;
            let text = unescaped(rest.get(..end).unwrap_or_default())?;
            (Token::Literal(ParamValue::Text(text.into())), end + 2)
        }
        '\'' => return Err(TemplateError::unsupported("'")),
        '.' if !rest.starts_with(|c: char| c.is_ascii_digit()) => match name_length(rest) {
            0 => (Token::Dot, 1),
            length => (Token::Field(rest.get(..length).unwrap_or_default().to_owned()), length + 1),
        },
        '$' => {
            let length = name_length(rest);
            (Token::Variable(rest.get(..length).unwrap_or_default().to_owned()), length + 1)
        }
        '0'..='9' | '+' | '-' | '.' => number(text)?,
        c if c == '_' || c.is_alphabetic() => {
            let length = name_length(text);
            (Token::Word(text.get(..length).unwrap_or_default().to_owned()), length)
        }
        other => return Err(format!("unexpected {other:?} in command").into()),
    })
}

const UNTERMINATED_STRING: &str = "unterminated quoted string";

/// The end of a quoted text; a backslash escapes the next character.
fn end_of_string(text: &str) -> Result<usize, TemplateError> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => break,
            '"' => return Ok(at),
            _ => {}
        }
    }
    Err(UNTERMINATED_STRING.into())
}

/// The content of a quoted text, as by Go's `strconv.Unquote`, but without the codes of characters.
fn unescaped(text: &str) -> Result<String, TemplateError> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
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

/// A decimal number.
fn number(text: &str) -> Result<(Token, usize), TemplateError> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "._+-".contains(c)));
    let length = end.unwrap_or(text.len());
    let written = text.get(..length).unwrap_or_default();
    let digits = written.trim_start_matches(['+', '-']);
    let is_octal = digits.starts_with('0') && digits.len() > 1 && !digits.starts_with("0.");
    let is_decimal = !is_octal && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    let int = || written.parse().map(ParamValue::Int).ok();
    let value = int().or_else(|| written.parse().map(ParamValue::Float).ok());
    match value.filter(|_| is_decimal) {
        Some(value) => Ok((Token::Literal(value), length)),
        None => Err(TemplateError::unsupported(written)),
    }
}
