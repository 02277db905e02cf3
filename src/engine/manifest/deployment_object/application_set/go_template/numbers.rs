//! Functions of numbers, with the casts of `github.com/spf13/cast`.

use super::super::value::{Param, ParamValue, to_float};
use super::TemplateError;
use super::arguments::{Argument, CallResult, Called, FunctionArguments, Returned, without_mark};

pub(super) fn call(all: &FunctionArguments<'_>) -> CallResult {
    let fold = |first: i64, next: fn(i64, i64) -> i64| {
        let numbers = all.values.iter().map(|it| all.read(it).map(|Number(it)| it));
        let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
        numbers.into_iter().fold(first, next).returned()
    };
    let extreme = |next: fn(i64, i64) -> i64| match all.values.first() {
        Some(first) => fold(all.read(first).map(|Number(it)| it)?, next),
        None => 0_i64.returned(),
    };
    let divided =
        |quotient: Option<i64>| quotient.ok_or_else(|| all.error("integer divide by zero"));
    Some(match all.name {
        "int" | "int64" | "atoi" => all.one(|Number(it)| it),
        "float64" => all.one(|Double(it)| it),
        "add" => fold(0, i64::wrapping_add),
        "add1" => fold(1, i64::wrapping_add),
        "mul" => fold(1, i64::wrapping_mul),
        "sub" => all.two(|Number(a), Number(b)| a.wrapping_sub(b)),
        "div" => all.two(|Number(a), Number(b)| divided(a.checked_div(b))),
        "mod" => all.two(|Number(a), Number(b)| divided(a.checked_rem(b))),
        "max" => extreme(i64::max),
        "min" => extreme(i64::min),
        "floor" => all.one(|Double(it)| it.floor()),
        "ceil" => all.one(|Double(it)| it.ceil()),
        "until" => all.one(|end| range(all, 0, end, 1)),
        "untilStep" => all.three(|start, end, step| range(all, start, end, step)),
        _ => return None,
    })
}

/// An argument as an integer, converted like `cast.ToInt64`; 0 for values that are not numbers.
struct Number(i64);

impl Argument<'_> for Number {
    fn read(function: &FunctionArguments<'_>, param: &Param) -> Result<Self, TemplateError> {
        Ok(Self(match &param.value {
            ParamValue::Int(value) => *value,
            ParamValue::Float(value) => {
                let text = format!("{:.0}", value.trunc());
                text.parse().map_err(|_| function.error("too large"))?
            }
            ParamValue::Text(text) => text.parse().unwrap_or(0),
            ParamValue::Bool(value) => i64::from(*value),
            ParamValue::Missing | ParamValue::Null => 0,
            _ => return Err(function.error("no number")),
        }))
    }
}

/// An argument as a double; 0 for a text that is not a number.
struct Double(f64);

impl Argument<'_> for Double {
    fn read(function: &FunctionArguments<'_>, param: &Param) -> Result<Self, TemplateError> {
        Ok(Self(match &param.value {
            ParamValue::Float(value) => *value,
            ParamValue::Text(text) => text.parse().unwrap_or(0.0),
            _ => to_float(i128::from(function.read::<Number>(param)?.0)),
        }))
    }
}

fn range(all: &FunctionArguments<'_>, start: i64, end: i64, step: i64) -> Called {
    let mut numbers = Vec::new();
    let mut at = start;
    while step > 0 && at < end || step < 0 && at > end {
        if numbers.len() > 10_000 {
            return Err(TemplateError::unsupported(&format!("{} of this size", all.name)));
        }
        numbers.push(without_mark(ParamValue::Int(at)));
        at = at.saturating_add(step);
    }
    numbers.returned()
}
