//! The functions of templates: Go's own, those of Sprig and those of Argo CD.

use std::cmp::Ordering;

use super::super::value::ParamValue::{Bool, Float, Int, List, Map, Text};
use super::super::value::{Param, ParamValue, to_float};
use super::{CallResult, TemplateError, collections, text_functions};
use crate::yaml::SourceId;

pub(super) fn call(name: &str, all: &[Param]) -> Result<Param, TemplateError> {
    if let Some(unknown) = all.iter().find_map(Param::unknown_in) {
        return Ok(Param::unknown(unknown));
    }
    let mut result = match select(name, all)? {
        Some(selected) => selected,
        None => Param { value: compute(name, all)?, ..Param::default() },
    };
    if result.mark.source == SourceId::NONE {
        let mut marks = all.iter().map(|argument| argument.mark);
        result.mark = marks.find(|mark| mark.source != SourceId::NONE).unwrap_or_default();
    }
    Ok(result)
}

/// A function that returns one of its arguments, or a part of one, with its location.
fn select(name: &str, all: &[Param]) -> Result<Option<Param>, TemplateError> {
    let values: Vec<&ParamValue> = all.iter().map(|it| &it.value).collect();
    Ok(Some(match (name, &*values, all) {
        ("default", _, [default, value]) => {
            if value.value.is_true() {
                value.clone()
            } else {
                default.clone()
            }
        }
        ("coalesce", ..) => all.iter().find(|it| it.value.is_true()).cloned().unwrap_or_default(),
        ("ternary", [_, _, Bool(which)], [yes, no, _]) => {
            if *which {
                yes.clone()
            } else {
                no.clone()
            }
        }
        ("first", [List(items)], _) => items.first().cloned().unwrap_or_default(),
        ("last", [List(items)], _) => items.last().cloned().unwrap_or_default(),
        ("get", [Map(map), Text(key)], _) => {
            map.get(&**key).cloned().unwrap_or_else(|| Param::computed(""))
        }
        ("dig", _, [keys @ .., default, map]) => {
            let mut value = Some(map);
            for key in keys {
                value = match (value.map(|it| &it.value), &key.value) {
                    (Some(Map(map)), Text(key)) => map.get(&**key),
                    (None, _) => None,
                    _ => return Ok(None),
                };
            }
            value.unwrap_or(default).clone()
        }
        ("index", _, [value, keys @ ..]) => return index(value, keys),
        _ => return Ok(None),
    }))
}

fn index(value: &Param, keys: &[Param]) -> Result<Option<Param>, TemplateError> {
    let mut value = value.clone();
    for key in keys {
        value = match (&value.value, &key.value) {
            (Map(map), Text(key)) => {
                map.get(&**key).cloned().unwrap_or_else(|| Param::computed(ParamValue::Null))
            }
            (List(items), Int(at)) => {
                let item = usize::try_from(*at).ok().and_then(|at| items.get(at));
                item.cloned().ok_or_else(|| format!("index: index out of range: {at}"))?
            }
            _ => return Ok(None),
        };
    }
    Ok(Some(value))
}

fn compute(name: &str, all: &[Param]) -> Result<ParamValue, TemplateError> {
    let values: Vec<&ParamValue> = all.iter().map(|it| &it.value).collect();
    let groups = [compare, print, text_functions::call, collections::call];
    for group in groups {
        if let Some(found) = group(name, &values)? {
            return Ok(found);
        }
    }
    compute_number(name, &values).ok_or_else(|| {
        let types = values.iter().map(|it| it.go_type());
        let words: Vec<&str> = std::iter::once(name).chain(types).collect();
        TemplateError::unsupported(&words.join(" "))
    })
}

fn compare(name: &str, values: &[&ParamValue]) -> CallResult {
    Ok(Some(Bool(match (name, values) {
        ("not" | "empty", [value]) => !value.is_true(),
        ("eq", [first, others @ ..]) if !others.is_empty() => {
            let equal = others.iter().map(|other| is_equal(name, first, other));
            equal.collect::<Result<Vec<bool>, _>>()?.contains(&true)
        }
        ("ne", [one, other]) => !is_equal(name, one, other)?,
        ("lt", [one, other]) => order(name, one, other)?.is_lt(),
        ("le", [one, other]) => order(name, one, other)?.is_le(),
        ("gt", [one, other]) => order(name, one, other)?.is_gt(),
        ("ge", [one, other]) => order(name, one, other)?.is_ge(),
        _ => return Ok(None),
    })))
}

/// True if Go's `eq` is true for two values; values of different types are an error.
fn is_equal(name: &str, one: &ParamValue, other: &ParamValue) -> Result<bool, TemplateError> {
    match (one, other) {
        (Bool(one), Bool(other)) => Ok(one == other),
        (one, other) if one.is_nil() || other.is_nil() => Ok(one.is_nil() && other.is_nil()),
        _ => order(name, one, other).map(Ordering::is_eq),
    }
}

/// The order of two values for Go's `lt`, `le`, `gt` and `ge`.
fn order(name: &str, one: &ParamValue, other: &ParamValue) -> Result<Ordering, TemplateError> {
    match (one, other) {
        (Text(one), Text(other)) => Ok(one.cmp(other)),
        (Int(one), Int(other)) => Ok(one.cmp(other)),
        (Float(one), Float(other)) => Ok(one.total_cmp(other)),
        _ => Err(format!("{name}: incompatible types for comparison").into()),
    }
}

fn print(name: &str, values: &[&ParamValue]) -> CallResult {
    let words = || values.iter().map(|it| it.printed()).collect::<Vec<_>>().join(" ");
    Ok(Some(match (name, values) {
        ("print", _) => print_values(values).into(),
        ("println", _) => (words() + "\n").into(),
        ("printf", [Text(format), values @ ..]) => match printf(format, values) {
            Some(text) => text.into(),
            None => return Err(TemplateError::unsupported("printf with this verb")),
        },
        ("fail", [Text(text)]) => return Err((&**text).into()),
        _ => return Ok(None),
    }))
}

/// The values as one text, as by Go's `fmt.Sprint`: with a space between two values of which none
/// is a string.
fn print_values(values: &[&ParamValue]) -> String {
    let mut out = String::new();
    let mut last_was_text = true;
    for (at, value) in values.iter().enumerate() {
        let is_text = matches!(value, Text(_));
        if at > 0 && !is_text && !last_was_text {
            out.push(' ');
        }
        out.push_str(&value.printed());
        last_was_text = is_text;
    }
    out
}

/// Go's `printf`; `None` for a flag, a rare verb, and too many or too few values.
fn printf(format: &str, values: &[&ParamValue]) -> Option<String> {
    let mut values = values.iter();
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let verb = chars.next()?;
        if verb == '%' {
            out.push('%');
            continue;
        }
        out.push_str(&match (verb, *values.next()?) {
            ('s' | 'v', Text(text)) => text.to_string(),
            ('v', other) => other.printed(),
            ('d', Int(value)) => value.to_string(),
            ('q', Text(text)) => text_functions::go_quoted(text),
            _ => return None,
        });
    }
    values.next().is_none().then_some(out)
}

/// Functions of numbers, with the casts of `github.com/spf13/cast`.
fn compute_number(name: &str, values: &[&ParamValue]) -> Option<ParamValue> {
    let double = |value: &ParamValue| match value {
        Float(value) => Some(*value),
        Text(text) => Some(text.parse().unwrap_or(0.0)),
        other => Some(to_float(i128::from(number(other)?))),
    };
    let each = || values.iter().map(|it| number(it)).collect::<Option<Vec<i64>>>();
    Some(match (name, values) {
        ("int" | "int64" | "atoi", [it]) => Int(number(it)?),
        ("float64", [it]) => Float(double(it)?),
        ("floor", [it]) => Float(double(it)?.floor()),
        ("ceil", [it]) => Float(double(it)?.ceil()),
        ("add", _) => Int(each()?.into_iter().fold(0, i64::wrapping_add)),
        ("add1", _) => Int(each()?.into_iter().fold(1, i64::wrapping_add)),
        ("mul", _) => Int(each()?.into_iter().fold(1, i64::wrapping_mul)),
        ("sub", [a, b]) => Int(number(a)?.wrapping_sub(number(b)?)),
        ("div", [a, b]) => Int(number(a)?.checked_div(number(b)?)?),
        ("mod", [a, b]) => Int(number(a)?.checked_rem(number(b)?)?),
        ("max", _) => Int(each()?.into_iter().max().unwrap_or(0)),
        ("min", _) => Int(each()?.into_iter().min().unwrap_or(0)),
        ("until", [end]) => numbers(0, number(end)?, 1)?.into(),
        ("untilStep", [start, end, step]) => {
            numbers(number(start)?, number(end)?, number(step)?)?.into()
        }
        _ => return None,
    })
}

/// A value as an integer; 0 for a text that is no number.
fn number(value: &ParamValue) -> Option<i64> {
    match value {
        Int(value) => Some(*value),
        Float(value) => format!("{:.0}", value.trunc()).parse().ok(),
        Text(text) => Some(text.parse().unwrap_or(0)),
        Bool(value) => Some(i64::from(*value)),
        value => value.is_nil().then_some(0),
    }
}

const MAX_NUMBERS: usize = 10_000;

/// The numbers from `start` up to `end`, without `end`; `None` for too many.
fn numbers(start: i64, end: i64, step: i64) -> Option<Vec<Param>> {
    let mut numbers = Vec::new();
    let mut at = start;
    while step > 0 && at < end || step < 0 && at > end {
        numbers.push(Param::computed(Int(at)));
        at = at.saturating_add(step);
        if numbers.len() > MAX_NUMBERS {
            return None;
        }
    }
    Some(numbers)
}
