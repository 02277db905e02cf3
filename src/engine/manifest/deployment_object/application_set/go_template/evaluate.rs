//! Evaluation of a template, as Go's `text/template/exec` does it.

use std::sync::Arc;

use super::super::value::{Param, ParamValue};
use super::parse::{BlockKind, Operand, Pipe, TemplatePart};
use super::{MissingKey, RenderedText, TemplateError, functions};

/// The maximum number of evaluated parts of one template.
const MAX_STEPS: usize = 100_000;
/// The maximum length of one rendered text.
const MAX_BYTES: usize = 1 << 20;

/// Renders the parts of a template; `root` is the first value of `.`.
pub(super) fn execute_template(
    parts: &[TemplatePart],
    root: &Param,
    missing: MissingKey,
) -> Result<RenderedText, TemplateError> {
    let variables = vec![("$".to_owned(), root.clone())];
    let mut state = State { variables, missing, out: RenderedText::default(), steps: 0 };
    state.parts(parts, root)?;
    Ok(state.out)
}

struct State {
    /// The variables in scope; `$` is the first value of `.`.
    variables: Vec<(String, Param)>,
    missing: MissingKey,
    out: RenderedText,
    steps: usize,
}

impl State {
    fn parts(&mut self, parts: &[TemplatePart], dot: &Param) -> Result<(), TemplateError> {
        for part in parts {
            self.steps += 1;
            if self.steps > MAX_STEPS || self.out.text.len() > MAX_BYTES {
                return Err(TemplateError::unsupported("a template of this size"));
            }
            match part {
                TemplatePart::Text(text) => self.out.text.push_str(text),
                // A variable that the action declares stays in scope up to the end of the list of
                // parts.
                TemplatePart::Print(pipe, raw) => self.print(pipe, raw, dot)?,
                TemplatePart::Block(kind, pipe, then, otherwise) => {
                    let scope = self.variables.len();
                    let value = match kind {
                        BlockKind::Range => {
                            self.known(&Pipe { variables: Vec::new(), ..pipe.clone() }, dot)?
                        }
                        BlockKind::If | BlockKind::With => self.known(pipe, dot)?,
                    };
                    match kind {
                        _ if !value.value.is_true() => self.parts(otherwise, dot)?,
                        BlockKind::If => self.parts(then, dot)?,
                        BlockKind::With => self.parts(then, &value)?,
                        BlockKind::Range => self.range(value, pipe, then)?,
                    }
                    self.variables.truncate(scope);
                }
            }
        }
        Ok(())
    }

    fn print(&mut self, pipe: &Pipe, raw: &str, dot: &Param) -> Result<(), TemplateError> {
        let value = match self.pipe(pipe, dot) {
            Err(TemplateError::Unknown(name)) => Param::unknown(&name),
            other => other?,
        };
        if !pipe.variables.is_empty() {
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
    fn known(&mut self, pipe: &Pipe, dot: &Param) -> Result<Param, TemplateError> {
        let value = self.pipe(pipe, dot)?;
        match value.value {
            ParamValue::Unknown(name) => Err(TemplateError::Unknown(name)),
            _ => Ok(value),
        }
    }

    fn range(
        &mut self,
        over: Param,
        pipe: &Pipe,
        body: &[TemplatePart],
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
            match pipe.variables.as_slice() {
                [] => {}
                [name] => self.set_variable(name, item.clone(), pipe.assigns)?,
                [first, second, ..] => {
                    self.set_variable(first, key, pipe.assigns)?;
                    self.set_variable(second, item.clone(), pipe.assigns)?;
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

    fn pipe(&mut self, pipe: &Pipe, dot: &Param) -> Result<Param, TemplateError> {
        let mut last = None;
        for command in &pipe.commands {
            last = Some(self.command(command, last, dot)?);
        }
        let value = last.unwrap_or_default();
        for name in &pipe.variables {
            self.set_variable(name, value.clone(), pipe.assigns)?;
        }
        Ok(value)
    }

    /// Evaluates one command of a pipeline. `last` is the result of the previous command, passed as
    /// the last argument.
    fn command(
        &mut self,
        operands: &[Operand],
        last: Option<Param>,
        dot: &Param,
    ) -> Result<Param, TemplateError> {
        let Some((first, rest)) = operands.split_first() else { return Ok(Param::default()) };
        let Operand::Function(name) = first else {
            if !rest.is_empty() || last.is_some() {
                return Err("can't give argument to non-function".into());
            }
            if matches!(first, Operand::Literal(ParamValue::Null)) {
                return Err("nil is not a command".into());
            }
            return self.operand(first, dot);
        };
        if name == "and" || name == "or" {
            return self.short_circuit(name == "and", rest, last, dot);
        }
        let mut arguments = Vec::with_capacity(rest.len() + 1);
        for operand in rest {
            arguments.push(self.operand(operand, dot)?);
        }
        arguments.extend(last);
        functions::call(name, &arguments)
    }

    /// Evaluates `and` or `or`, which stop at the first operand that decides.
    fn short_circuit(
        &mut self,
        is_and: bool,
        operands: &[Operand],
        last: Option<Param>,
        dot: &Param,
    ) -> Result<Param, TemplateError> {
        let mut value = None;
        for operand in operands {
            let found = self.operand(operand, dot)?;
            if let ParamValue::Unknown(name) = found.value {
                return Err(TemplateError::Unknown(name));
            }
            if found.value.is_true() != is_and {
                return Ok(found);
            }
            value = Some(found);
        }
        last.or(value).ok_or_else(|| "wrong number of args: want at least 1 got 0".into())
    }

    /// `dot` is the value of `.`.
    fn operand(&mut self, operand: &Operand, dot: &Param) -> Result<Param, TemplateError> {
        Ok(match operand {
            Operand::Function(name) => functions::call(name, &[])?,
            Operand::Dot => dot.clone(),
            Operand::Literal(value) => Param { value: value.clone(), ..Param::default() },
            Operand::Variable(name) => {
                let known = self.variables.iter().rev().find(|(known, _)| known == name);
                known.map(|(_, value)| value.clone()).ok_or_else(|| undefined_variable(name))?
            }
            Operand::Pipe(pipe) => self.pipe(pipe, dot)?,
            Operand::Chain(value, fields) => {
                let mut value = self.operand(value, dot)?;
                for field in fields {
                    value = self.field(&value, field)?;
                }
                value
            }
        })
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

fn undefined_variable(name: &str) -> TemplateError {
    format!("undefined variable {name:?}").into()
}
