//! Functions of numbers, with the casts of `github.com/spf13/cast`.

use super::super::value::{Param, ParamValue, to_float};
use super::TemplateError;
use super::arguments::{CallResult, FunctionArguments, without_mark};

pub(super) fn call(arguments: &FunctionArguments<'_>) -> CallResult {
    let int = |value| Ok(without_mark(ParamValue::Int(value)));
    let float = |value| Ok(without_mark(ParamValue::Float(value)));
    let ints =
        || arguments.values.iter().map(|it| to_int64(arguments, it)).collect::<Result<Vec<_>, _>>();
    let pair = || {
        arguments
            .exactly()
            .and_then(|[a, b]| Ok((to_int64(arguments, a)?, to_int64(arguments, b)?)))
    };
    Some(match arguments.name() {
        "int" | "int64" | "atoi" => {
            arguments.exactly().and_then(|[it]| int(to_int64(arguments, it)?))
        }
        "float64" => arguments.exactly().and_then(|[it]| float(double(arguments, it)?)),
        "add" => ints().and_then(|all| int(all.into_iter().fold(0, i64::wrapping_add))),
        "add1" => ints().and_then(|all| int(all.into_iter().fold(1, i64::wrapping_add))),
        "mul" => ints().and_then(|all| int(all.into_iter().fold(1, i64::wrapping_mul))),
        "sub" => pair().and_then(|(a, b)| int(a.wrapping_sub(b))),
        "div" => pair().and_then(|(a, b)| match a.checked_div(b) {
            Some(quotient) => int(quotient),
            None => Err(arguments.error("integer divide by zero")),
        }),
        "mod" => pair().and_then(|(a, b)| match a.checked_rem(b) {
            Some(rest) => int(rest),
            None => Err(arguments.error("integer divide by zero")),
        }),
        "max" => ints().and_then(|all| int(all.into_iter().max().unwrap_or(0))),
        "min" => ints().and_then(|all| int(all.into_iter().min().unwrap_or(0))),
        "floor" => arguments.exactly().and_then(|[it]| float(double(arguments, it)?.floor())),
        "ceil" => arguments.exactly().and_then(|[it]| float(double(arguments, it)?.ceil())),
        "until" => {
            arguments.exactly().and_then(|[end]| range(arguments, 0, arguments.int(end)?, 1))
        }
        "untilStep" => arguments.exactly().and_then(|[start, end, step]| {
            let (start, end) = (arguments.int(start)?, arguments.int(end)?);
            range(arguments, start, end, arguments.int(step)?)
        }),
        _ => return None,
    })
}

/// An argument as an integer, converted like `cast.ToInt64`; 0 for values that are not numbers.
fn to_int64(arguments: &FunctionArguments<'_>, param: &Param) -> Result<i64, TemplateError> {
    match &param.value {
        ParamValue::Int(value) => Ok(*value),
        ParamValue::Float(value) => {
            format!("{:.0}", value.trunc()).parse().map_err(|_| arguments.error("too large"))
        }
        ParamValue::Text(text) => Ok(text.parse().unwrap_or(0)),
        ParamValue::Bool(value) => Ok(i64::from(*value)),
        ParamValue::Missing | ParamValue::Null => Ok(0),
        _ => Err(arguments.error("no number")),
    }
}

fn double(arguments: &FunctionArguments<'_>, param: &Param) -> Result<f64, TemplateError> {
    match &param.value {
        ParamValue::Float(value) => Ok(*value),
        ParamValue::Text(text) => Ok(text.parse().unwrap_or(0.0)),
        _ => Ok(to_float(i128::from(to_int64(arguments, param)?))),
    }
}

fn range(
    arguments: &FunctionArguments<'_>,
    start: i64,
    end: i64,
    step: i64,
) -> Result<Param, TemplateError> {
    let mut numbers = Vec::new();
    let mut at = start;
    while step > 0 && at < end || step < 0 && at > end {
        if numbers.len() > 10_000 {
            return Err(TemplateError::Unsupported(format!("{} of this size", arguments.name())));
        }
        numbers.push(without_mark(ParamValue::Int(at)));
        at = at.saturating_add(step);
    }
    Ok(without_mark(ParamValue::List(numbers)))
}
