//! The arguments and the result of a template function.

use super::super::value::{Param, ParamValue, Params};
use super::TemplateError;
use crate::yaml::Mark;

/// The arguments of a function, with its name for messages.
pub(super) struct FunctionArguments<'a> {
    pub(super) name: &'a str,
    pub(super) values: Vec<Param>,
}

/// The result of a template function; `None` if the group of functions does not contain the name.
pub(super) type CallResult = Option<Result<Param, TemplateError>>;

impl FunctionArguments<'_> {
    pub(super) fn name(&self) -> &str {
        self.name
    }

    /// The arguments, if their number is right.
    pub(super) fn exactly<const N: usize>(&self) -> Result<[&Param; N], TemplateError> {
        let all: Vec<&Param> = self.values.iter().collect();
        let count = all.len();
        <[&Param; N]>::try_from(all)
            .map_err(|_| self.error(&format!("wrong number of args: want {N} got {count}")))
    }

    pub(super) fn error(&self, text: &str) -> TemplateError {
        TemplateError::Value(format!("{}: {text}", self.name))
    }

    pub(super) fn text<'p>(&self, param: &'p Param) -> Result<&'p str, TemplateError> {
        match &param.value {
            ParamValue::Text(text) => Ok(text),
            ParamValue::Missing | ParamValue::Null => {
                Err(self.error("invalid value; expected string"))
            }
            other => {
                let found = other.go_type();
                Err(self.error(&format!("wrong type for value; expected string; got {found}")))
            }
        }
    }

    pub(super) fn int(&self, param: &Param) -> Result<i64, TemplateError> {
        match param.value {
            ParamValue::Int(value) => Ok(value),
            ref other => {
                let found = other.go_type();
                Err(self.error(&format!("wrong type for value; expected int; got {found}")))
            }
        }
    }

    /// The argument as a `map[string]any`.
    pub(super) fn map<'p>(&self, param: &'p Param) -> Result<&'p Params, TemplateError> {
        let found = param.value.go_type();
        let message =
            format!("wrong type for value; expected map[string]interface {{}}; got {found}");
        param.map().ok_or_else(|| self.error(&message))
    }

    /// The argument as a list; `nil` is an error.
    pub(super) fn list<'p>(&self, param: &'p Param) -> Result<&'p [Param], TemplateError> {
        match &param.value {
            ParamValue::List(items) => Ok(items),
            other => Err(self.error(&format!("cannot use type {}", other.go_type()))),
        }
    }
}

/// A result without a location; the caller sets the location of the arguments.
pub(super) fn without_mark(value: ParamValue) -> Param {
    Param { value, mark: Mark::default() }
}

pub(super) fn text(text: impl Into<std::sync::Arc<str>>) -> Param {
    without_mark(ParamValue::Text(text.into()))
}

/// The mapping that the function `dict` creates from its arguments.
pub(super) fn dict(arguments: &FunctionArguments<'_>) -> Param {
    let mut pairs = Params::new();
    for pair in arguments.values.chunks(2) {
        let [key, rest @ ..] = pair else { continue };
        let key = match &key.value {
            ParamValue::Text(text) => text.to_string(),
            other => other.printed(),
        };
        pairs.insert(key, rest.first().cloned().unwrap_or_else(|| text("")));
    }
    without_mark(ParamValue::Map(pairs))
}
