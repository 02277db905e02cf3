//! The arguments and the result of a template function.

use std::sync::Arc;

use super::super::value::{Param, ParamValue, Params};
use super::TemplateError;
use crate::yaml::Mark;

pub(super) struct FunctionArguments<'a> {
    pub(super) name: &'a str,
    pub(super) values: Vec<Param>,
}

pub(super) type Called = Result<Param, TemplateError>;

/// The result of a template function; `None` if the group of functions does not contain the name.
pub(super) type CallResult = Option<Called>;

impl FunctionArguments<'_> {
    /// The arguments, if their number is right.
    pub(super) fn exactly<const N: usize>(&self) -> Result<[&Param; N], TemplateError> {
        let all: Vec<&Param> = self.values.iter().collect();
        let count = all.len();
        <[&Param; N]>::try_from(all)
            .map_err(|_| self.error(&format!("wrong number of args: want {N} got {count}")))
    }

    pub(super) fn at_least_one(&self) -> Result<(&Param, &[Param]), TemplateError> {
        let message = "wrong number of args: want at least 1 got 0";
        self.values.split_first().ok_or_else(|| self.error(message))
    }

    pub(super) fn error(&self, text: &str) -> TemplateError {
        format!("{}: {text}", self.name).into()
    }

    fn wrong_type(&self, expected: &str, found: &Param) -> TemplateError {
        let found = found.value.go_type();
        self.error(&format!("wrong type for value; expected {expected}; got {found}"))
    }

    pub(super) fn read<'p, T: Argument<'p>>(&self, param: &'p Param) -> Result<T, TemplateError> {
        T::read(self, param)
    }

    pub(super) fn one<'p, A: Argument<'p>, R: Returned>(
        &'p self,
        function: impl FnOnce(A) -> R,
    ) -> Called {
        let [a] = self.exactly()?;
        function(self.read(a)?).returned()
    }

    pub(super) fn two<'p, A: Argument<'p>, B: Argument<'p>, R: Returned>(
        &'p self,
        function: impl FnOnce(A, B) -> R,
    ) -> Called {
        let [a, b] = self.exactly()?;
        function(self.read(a)?, self.read(b)?).returned()
    }

    pub(super) fn three<'p, A: Argument<'p>, B: Argument<'p>, C: Argument<'p>, R: Returned>(
        &'p self,
        function: impl FnOnce(A, B, C) -> R,
    ) -> Called {
        let [a, b, c] = self.exactly()?;
        function(self.read(a)?, self.read(b)?, self.read(c)?).returned()
    }
}

pub(super) trait Argument<'p>: Sized {
    fn read(function: &FunctionArguments<'_>, param: &'p Param) -> Result<Self, TemplateError>;
}

impl<'p> Argument<'p> for &'p Param {
    fn read(_: &FunctionArguments<'_>, param: &'p Param) -> Result<Self, TemplateError> {
        Ok(param)
    }
}

impl<'p> Argument<'p> for &'p str {
    fn read(function: &FunctionArguments<'_>, param: &'p Param) -> Result<Self, TemplateError> {
        match &param.value {
            ParamValue::Text(text) => Ok(text),
            ParamValue::Missing | ParamValue::Null => {
                Err(function.error("invalid value; expected string"))
            }
            _ => Err(function.wrong_type("string", param)),
        }
    }
}

impl Argument<'_> for i64 {
    fn read(function: &FunctionArguments<'_>, param: &Param) -> Result<Self, TemplateError> {
        match param.value {
            ParamValue::Int(value) => Ok(value),
            _ => Err(function.wrong_type("int", param)),
        }
    }
}

impl<'p> Argument<'p> for &'p Params {
    fn read(function: &FunctionArguments<'_>, param: &'p Param) -> Result<Self, TemplateError> {
        param.map().ok_or_else(|| function.wrong_type("map[string]interface {}", param))
    }
}

/// A list; `nil` is an error.
impl<'p> Argument<'p> for &'p [Param] {
    fn read(function: &FunctionArguments<'_>, param: &'p Param) -> Result<Self, TemplateError> {
        match &param.value {
            ParamValue::List(items) => Ok(items),
            other => Err(function.error(&format!("cannot use type {}", other.go_type()))),
        }
    }
}

/// A type of a result. Its value has no location: the caller sets that of the arguments.
pub(super) trait Returned {
    fn returned(self) -> Called;
}

impl Returned for Param {
    fn returned(self) -> Called {
        Ok(self)
    }
}

impl<T: Returned> Returned for Result<T, TemplateError> {
    fn returned(self) -> Called {
        self?.returned()
    }
}

macro_rules! returned {
    ($($type:ty => $variant:ident),+ $(,)?) => {$(
        impl Returned for $type {
            fn returned(self) -> Called {
                Ok(without_mark(ParamValue::$variant(self.into())))
            }
        }
    )+};
}

returned! {
    bool => Bool,
    i64 => Int,
    f64 => Float,
    &str => Text,
    String => Text,
    Vec<Param> => List,
    Params => Map,
}

pub(super) fn without_mark(value: ParamValue) -> Param {
    Param { value, mark: Mark::default() }
}

pub(super) fn text(text: impl Into<Arc<str>>) -> Param {
    without_mark(ParamValue::Text(text.into()))
}
