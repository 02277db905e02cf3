//! The functions of templates: Go's own, those of Sprig and those of Argo CD.

use std::cmp::Ordering;

use super::super::value::{Param, ParamValue};
use super::arguments::{CallResult, Called, FunctionArguments, Returned, text, without_mark};
use super::{TemplateError, collections, numbers, text_functions};

pub(super) fn call(name: &str, values: Vec<Param>) -> Called {
    let unknown = values.iter().find_map(Param::unknown_in).cloned();
    let mark = values.iter().map(|value| value.mark).find(|mark| mark.source != NO_SOURCE);
    let all = FunctionArguments { name, values };
    let found = call_go_function(&all)
        .or_else(|| text_functions::call(&all))
        .or_else(|| numbers::call(&all))
        .or_else(|| collections::call(&all));
    let found = found.ok_or_else(|| TemplateError::unsupported(name))?;
    if let Some(unknown) = unknown {
        return Ok(Param::unknown(&unknown));
    }
    let mut result = found?;
    if result.mark.source == NO_SOURCE {
        result.mark = mark.unwrap_or_default();
    }
    Ok(result)
}

/// The source of computed values, which have no location.
const NO_SOURCE: crate::yaml::SourceId = crate::yaml::SourceId::NONE;

/// Calls one of Go's built-in functions, or a function that accepts any value.
fn call_go_function(all: &FunctionArguments<'_>) -> CallResult {
    let ordered =
        |holds: fn(Ordering) -> bool| all.two(|one, other| order(all, one, other).map(holds));
    let printed_values = || all.values.iter().map(|value| value.value.printed());
    Some(match all.name {
        "not" | "empty" => all.one(|value: &Param| !value.value.is_true()),
        "len" => all.one(|value: &Param| {
            let len = match &value.value {
                ParamValue::Text(text) => text.len(),
                ParamValue::List(items) => items.len(),
                ParamValue::Map(map) => map.len(),
                other => return Err(all.error(&format!("len of type {}", other.go_type()))),
            };
            Ok(i64::try_from(len).unwrap_or(i64::MAX))
        }),
        "eq" => equal(all).returned(),
        "ne" => all.two(|one, other| is_equal(all, one, other).map(|it| !it)),
        "lt" => ordered(Ordering::is_lt),
        "le" => ordered(Ordering::is_le),
        "gt" => ordered(Ordering::is_gt),
        "ge" => ordered(Ordering::is_ge),
        "index" => index(all),
        "print" => printed(&all.values).returned(),
        "println" => (printed_values().collect::<Vec<_>>().join(" ") + "\n").returned(),
        "printf" => printf(all),
        "default" => all.two(
            |default: &Param, value: &Param| {
                if value.value.is_true() { value.clone() } else { default.clone() }
            },
        ),
        "coalesce" => {
            let first = all.values.iter().find(|value| value.value.is_true());
            Ok(first.cloned().unwrap_or_default())
        }
        "ternary" => all.three(|yes: &Param, no: &Param, which: &Param| match which.value {
            ParamValue::Bool(true) => Ok(yes.clone()),
            ParamValue::Bool(false) => Ok(no.clone()),
            _ => Err(all.error("wrong type for value; expected bool")),
        }),
        "fail" => all.one(|text: &str| Err::<Param, TemplateError>(text.into())),
        _ => return None,
    })
}

/// Go's `eq`: true if the first argument equals one of the others.
fn equal(all: &FunctionArguments<'_>) -> Result<bool, TemplateError> {
    let Some((first, others)) = all.values.split_first().filter(|(_, it)| !it.is_empty()) else {
        return Err(all.error("missing argument for comparison"));
    };
    for other in others {
        if is_equal(all, first, other)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if Go's `eq` is true for two values; values of different types are an error.
fn is_equal(
    arguments: &FunctionArguments<'_>,
    one: &Param,
    other: &Param,
) -> Result<bool, TemplateError> {
    match (&one.value, &other.value) {
        (ParamValue::Text(one), ParamValue::Text(other)) => Ok(one == other),
        (ParamValue::Bool(one), ParamValue::Bool(other)) => Ok(one == other),
        (ParamValue::Int(one), ParamValue::Int(other)) => Ok(one == other),
        (ParamValue::Float(one), ParamValue::Float(other)) => Ok(one.total_cmp(other).is_eq()),
        (one, other) if one.is_nil() || other.is_nil() => Ok(one.is_nil() && other.is_nil()),
        (ParamValue::List(_) | ParamValue::Map(_), ParamValue::List(_) | ParamValue::Map(_)) => {
            Err(arguments.error("non-comparable types"))
        }
        _ => Err(arguments.error("incompatible types for comparison")),
    }
}

/// The order of two values for Go's `lt`, `le`, `gt` and `ge`.
fn order(
    all: &FunctionArguments<'_>,
    one: &Param,
    other: &Param,
) -> Result<Ordering, TemplateError> {
    match (&one.value, &other.value) {
        (ParamValue::Text(one), ParamValue::Text(other)) => Ok(one.cmp(other)),
        (ParamValue::Int(one), ParamValue::Int(other)) => Ok(one.cmp(other)),
        (ParamValue::Float(one), ParamValue::Float(other)) => Ok(one.total_cmp(other)),
        _ => Err(all.error("incompatible types for comparison")),
    }
}

fn index(arguments: &FunctionArguments<'_>) -> Called {
    let (first, keys) = arguments.at_least_one()?;
    let mut value = first.clone();
    for key in keys {
        value = match (&value.value, &key.value) {
            (ParamValue::Map(map), ParamValue::Text(key)) => {
                map.get(&**key).cloned().unwrap_or_else(|| without_mark(ParamValue::Null))
            }
            (ParamValue::List(items), ParamValue::Int(at)) => {
                let found = usize::try_from(*at).ok().and_then(|at| items.get(at));
                found
                    .cloned()
                    .ok_or_else(|| arguments.error(&format!("index out of range: {at}")))?
            }
            (ParamValue::Text(text), ParamValue::Int(at)) => {
                let found = usize::try_from(*at).ok().and_then(|at| text.as_bytes().get(at));
                let byte = found.ok_or_else(|| arguments.error("index out of range"))?;
                without_mark(ParamValue::Int(i64::from(*byte)))
            }
            (value, _) if value.is_nil() => {
                return Err(arguments.error("index of untyped nil"));
            }
            (value, key) => {
                let message = format!("can't index {} with {}", value.go_type(), key.go_type());
                return Err(arguments.error(&message));
            }
        };
    }
    Ok(value)
}

/// The values as one text, as by Go's `fmt.Sprint`: with a space between two values of which none
/// is a string.
fn printed(values: &[Param]) -> String {
    let mut out = String::new();
    let mut last_was_text = true;
    for (at, value) in values.iter().enumerate() {
        let is_text = matches!(value.value, ParamValue::Text(_));
        if at > 0 && !is_text && !last_was_text {
            out.push(' ');
        }
        out.push_str(&value.value.printed());
        last_was_text = is_text;
    }
    out
}

/// Go's `printf`, for common verbs without flags.
fn printf(arguments: &FunctionArguments<'_>) -> Called {
    let (format, values) = arguments.at_least_one()?;
    let unsupported = || TemplateError::unsupported("printf with this verb");
    let mut values = values.iter();
    let mut out = String::new();
    let mut chars = arguments.read::<&str>(format)?.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let verb = chars.next().ok_or_else(unsupported)?;
        if verb == '%' {
            out.push('%');
            continue;
        }
        let value = values.next().ok_or_else(unsupported)?;
        out.push_str(&match (verb, &value.value) {
            ('s' | 'v', ParamValue::Text(text)) => text.to_string(),
            ('v', other) => other.printed(),
            ('d', ParamValue::Int(value)) => value.to_string(),
            ('q', ParamValue::Text(text)) => text_functions::go_quoted(text),
            _ => return Err(unsupported()),
        });
    }
    if values.next().is_some() {
        return Err(unsupported());
    }
    Ok(text(out))
}
