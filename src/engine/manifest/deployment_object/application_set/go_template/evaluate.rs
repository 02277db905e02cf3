//! Evaluation of a template, as Go's `text/template/exec` does it.

use std::sync::Arc;

use super::super::value::{Param, ParamValue};
use super::parse::{BlockKind, MAX_DEPTH, TemplatePart, Word, literal};
use super::{MissingKey, RenderedText, TemplateError, functions};

/// The maximum number of evaluated parts of one template.
const MAX_STEPS: usize = 100_000;
/// The maximum length of one rendered text.
const MAX_BYTES: usize = 1 << 20;

/// Renders the parts of a template; `root` is the first value of `.`.
pub(super) fn execute_template(
    parts: &[TemplatePart<'_>],
    root: &Param,
    missing: MissingKey,
) -> Result<RenderedText, TemplateError> {
    let variables = vec![("$".to_owned(), root.clone())];
    let mut state = State { variables, missing, out: RenderedText::default(), steps: 0, depth: 0 };
    state.parts(parts, root)?;
    Ok(state.out)
}

struct State {
    /// The variables in scope; `$` is the first value of `.`.
    variables: Vec<(String, Param)>,
    missing: MissingKey,
    out: RenderedText,
    steps: usize,
    depth: usize,
}

impl State {
    fn parts(&mut self, parts: &[TemplatePart<'_>], dot: &Param) -> Result<(), TemplateError> {
        for part in parts {
            self.steps += 1;
            if self.steps > MAX_STEPS || self.out.text.len() > MAX_BYTES {
                return Err(TemplateError::unsupported("a template of this size"));
            }
            match part {
                TemplatePart::Text(text) => self.out.text.push_str(text),
                // A variable that the action declares stays in scope up to the end of the list of
                // parts.
                TemplatePart::Print(words, raw) => self.print(words, raw, dot)?,
                TemplatePart::Block(kind, words, then, otherwise) => {
                    let scope = self.variables.len();
                    let (names, assigns, pipeline) = declaration(words);
                    let is_range = *kind == BlockKind::Range;
                    let value = self.known(if is_range { pipeline } else { words }, dot)?;
                    match kind {
                        _ if !value.value.is_true() => self.parts(otherwise, dot)?,
                        BlockKind::If => self.parts(then, dot)?,
                        BlockKind::With => self.parts(then, &value)?,
                        BlockKind::Range => self.range(value, (&names, assigns), then)?,
                    }
                    self.variables.truncate(scope);
                }
            }
        }
        Ok(())
    }

    fn print(&mut self, words: &[Word<'_>], raw: &str, dot: &Param) -> Result<(), TemplateError> {
        let value = match self.pipe(words, dot) {
            Err(TemplateError::Unknown(name)) => Param::unknown(&name),
            other => other?,
        };
        if !declaration(words).0.is_empty() {
            return Ok(());
        }
        if let Some(name) = value.unknown_in() {
            self.out.unknown = self.out.unknown.take().or_else(|| Some(name.clone()));
            self.out.text.push_str(raw);
            return Ok(());
        }
        match &value.value {
            ParamValue::Null => self.out.text.push_str("<no value>"),
            value => self.out.text.push_str(&value.printed()),
        }
        if value.mark.source != crate::yaml::SourceId::NONE {
            self.out.mark = self.out.mark.or(Some(value.mark));
        }
        Ok(())
    }

    /// A value that a condition or loop depends on; an error if it is known only in the cluster.
    fn known(&mut self, words: &[Word<'_>], dot: &Param) -> Result<Param, TemplateError> {
        let value = self.pipe(words, dot)?;
        match value.value {
            ParamValue::Unknown(name) => Err(TemplateError::Unknown(name)),
            _ => Ok(value),
        }
    }

    fn range(
        &mut self,
        over: Param,
        (names, assigns): (&[&str], bool),
        body: &[TemplatePart<'_>],
    ) -> Result<(), TemplateError> {
        let mark = over.mark;
        let pairs: Vec<(Param, Param)> = match over.value {
            ParamValue::List(items) => {
                let numbered = (0..).zip(items);
                numbered
                    .map(|(at, item)| (Param { value: ParamValue::Int(at), mark }, item))
                    .collect()
            }
            ParamValue::Map(mut map) => {
                map.sort_keys();
                map.into_iter().map(|(key, item)| (Param::text(key, item.mark), item)).collect()
            }
            ParamValue::Int(_) => return Err(TemplateError::unsupported("range over a number")),
            other => return Err(format!("range can't iterate over {}", other.printed()).into()),
        };
        let scope = self.variables.len();
        for (key, item) in pairs {
            match names {
                [] => {}
                [name] => self.set_variable(name, item.clone(), assigns)?,
                [first, second, ..] => {
                    self.set_variable(first, key, assigns)?;
                    self.set_variable(second, item.clone(), assigns)?;
                }
            }
            self.parts(body, &item)?;
            self.variables.truncate(scope);
        }
        Ok(())
    }

    /// Declares a variable, or with `assigns` changes an existing one.
    fn set_variable(
        &mut self,
        name: &str,
        value: Param,
        assigns: bool,
    ) -> Result<(), TemplateError> {
        if !assigns {
            self.variables.push((name.to_owned(), value));
            return Ok(());
        }
        let known = self.variables.iter_mut().rev().find(|(known, _)| known == name);
        let (_, known) = known.ok_or_else(|| undefined_variable(name))?;
        *known = value;
        Ok(())
    }

    fn pipe(&mut self, words: &[Word<'_>], dot: &Param) -> Result<Param, TemplateError> {
        if self.depth >= MAX_DEPTH {
            return Err("too deep".into());
        }
        self.depth += 1;
        let value = self.commands(words, dot);
        self.depth -= 1;
        value
    }

    fn commands(&mut self, words: &[Word<'_>], dot: &Param) -> Result<Param, TemplateError> {
        let (names, assigns, mut words) = declaration(words);
        let mut last = None;
        loop {
            last = Some(self.command(&mut words, last, dot)?);
            match words {
                [("|", _), rest @ ..] => words = rest,
                [] => break,
                _ => return Err("unexpected right paren".into()),
            }
        }
        let value = last.unwrap_or_default();
        for name in names {
            self.set_variable(name, value.clone(), assigns)?;
        }
        Ok(value)
    }

    /// Evaluates one command of a pipeline. `last` is the result of the previous command, passed as
    /// the last argument.
    fn command(
        &mut self,
        words: &mut &[Word<'_>],
        last: Option<Param>,
        dot: &Param,
    ) -> Result<Param, TemplateError> {
        let function = match *words {
            [] | [("|" | ")", _), ..] => return Err("missing value for command".into()),
            [(name, _), rest @ ..] if is_function(name) => {
                *words = rest;
                Some(*name)
            }
            _ => None,
        };
        // An operand that fails matters only if its value is used.
        let mut operands: Vec<Result<Param, TemplateError>> = Vec::new();
        while let [(word, spaced), rest @ ..] = *words
            && !matches!(*word, "|" | ")")
        {
            *words = rest;
            let operand = match word.strip_prefix('.') {
                Some("") => Ok(dot.clone()),
                Some(field) => {
                    let value = operands.pop_if(|_| !spaced).unwrap_or_else(|| Ok(dot.clone()));
                    value.and_then(|value| self.field(&value, field))
                }
                None => self.operand(word, words, dot),
            };
            operands.push(operand);
        }
        match function {
            Some(name @ ("and" | "or")) => short_circuit(name == "and", operands, last),
            Some(name) => {
                let arguments = operands.into_iter().chain(last.map(Ok));
                functions::call(name, &arguments.collect::<Result<Vec<_>, _>>()?)
            }
            None if last.is_some() || operands.len() != 1 => {
                Err("can't give argument to non-function".into())
            }
            None => operands.pop().unwrap_or_else(|| Ok(Param::default())),
        }
    }

    /// The value of a word; `words` are those after it.
    fn operand(
        &mut self,
        word: &str,
        words: &mut &[Word<'_>],
        dot: &Param,
    ) -> Result<Param, TemplateError> {
        if word == "(" {
            let mut depth = 1;
            let end = words.iter().position(|(word, _)| {
                depth = match *word {
                    "(" => depth + 1,
                    ")" => depth - 1,
                    _ => depth,
                };
                depth == 0
            });
            let (inner, after) = words.split_at(end.ok_or("unclosed left paren")?);
            *words = after.get(1..).unwrap_or_default();
            return self.pipe(inner, dot);
        }
        if let Some(value) = literal(word)? {
            return Ok(Param::computed(value));
        }
        if is_function(word) {
            return functions::call(word, &[]);
        }
        let known = self.variables.iter().rev().find(|(known, _)| known == word);
        known.map(|(_, value)| value.clone()).ok_or_else(|| undefined_variable(word))
    }

    fn field(&self, value: &Param, field: &str) -> Result<Param, TemplateError> {
        match &value.value {
            ParamValue::Map(map) => match (map.get(field), self.missing) {
                (Some(found), _) => Ok(found.clone()),
                (None, MissingKey::NoValue) => Ok(Param::default()),
                (None, MissingKey::Error) => {
                    Err(format!("map has no entry for key {field:?}").into())
                }
            },
            ParamValue::Unknown(name) => Ok(Param {
                value: ParamValue::Unknown(Arc::from(format!("{name}.{field}"))),
                mark: value.mark,
            }),
            ParamValue::Null if self.missing == MissingKey::NoValue => Ok(Param::default()),
            ParamValue::Null => Err(format!("nil data; no entry for key {field:?}").into()),
            other => {
                let found = other.go_type();
                Err(format!("can't evaluate field {field} in type {found}").into())
            }
        }
    }
}

/// The variables that a pipeline declares, or with `true` changes, and the rest of its words.
fn declaration<'w, 't>(words: &'w [Word<'t>]) -> (Vec<&'t str>, bool, &'w [Word<'t>]) {
    match words {
        [(one, _), (sign @ (":=" | "="), _), rest @ ..] => (vec![one], *sign == "=", rest),
        [(one, _), (",", _), (other, _), (sign @ (":=" | "="), _), rest @ ..] => {
            (vec![one, other], *sign == "=", rest)
        }
        all => (Vec::new(), false, all),
    }
}

fn is_function(word: &str) -> bool {
    word.starts_with(|c: char| c == '_' || c.is_alphabetic())
        && !matches!(word, "true" | "false" | "nil")
}

/// Evaluates `and` or `or`, which stop at the first operand that decides.
fn short_circuit(
    is_and: bool,
    operands: Vec<Result<Param, TemplateError>>,
    last: Option<Param>,
) -> Result<Param, TemplateError> {
    let mut value = None;
    for operand in operands.into_iter().chain(last.map(Ok)) {
        let found = operand?;
        if let ParamValue::Unknown(name) = found.value {
            return Err(TemplateError::Unknown(name));
        }
        if found.value.is_true() != is_and {
            return Ok(found);
        }
        value = Some(found);
    }
    value.ok_or_else(|| "wrong number of args: want at least 1 got 0".into())
}

fn undefined_variable(name: &str) -> TemplateError {
    format!("undefined variable {name:?}").into()
}
