//! Functions of lists and mappings, and conversions to and from JSON and YAML.

use crate::yaml::{
    Limits, MappingEntry, Node, SourceId, Style, Tag, from_json, go_float_text, json_number,
    new_string_style, parse_config, print_preserving_style, to_json,
};

use super::super::value::{Param, ParamValue, Params};
use super::TemplateError;
use super::arguments::{CallResult, FunctionArguments, dict, text, without_mark};
use super::text_functions::strval;

pub(super) fn call(arguments: &FunctionArguments<'_>) -> CallResult {
    lists(arguments)
        .or_else(|| call_set_function(arguments))
        .or_else(|| call_map_function(arguments))
        .or_else(|| call_conversion_function(arguments))
}

/// Functions that return parts of a list or reorder it.
fn lists(arguments: &FunctionArguments<'_>) -> CallResult {
    let list = |items| Ok(without_mark(ParamValue::List(items)));
    let items = || arguments.exactly().and_then(|[it]| arguments.list(it));
    Some(match arguments.name() {
        "list" => list(arguments.values.clone()),
        "dict" => Ok(dict(arguments)),
        "join" => arguments.exactly().and_then(|[separator, it]| {
            let parts: Vec<String> = match &it.value {
                ParamValue::List(items) => {
                    let present = items
                        .iter()
                        .filter(|it| !matches!(it.value, ParamValue::Missing | ParamValue::Null));
                    present.map(strval).collect()
                }
                ParamValue::Missing | ParamValue::Null => Vec::new(),
                _ => vec![strval(it)],
            };
            Ok(text(parts.join(arguments.text(separator)?)))
        }),
        "toStrings" => items().and_then(|it| list(it.iter().map(|it| text(strval(it))).collect())),
        "sortAlpha" => items().and_then(|it| {
            let mut texts: Vec<String> = it.iter().map(strval).collect();
            texts.sort();
            list(texts.into_iter().map(text).collect())
        }),
        "first" => items().map(|it| it.first().cloned().unwrap_or_default()),
        "last" => items().map(|it| it.last().cloned().unwrap_or_default()),
        "rest" => items().and_then(|it| list(it.get(1..).unwrap_or_default().to_vec())),
        "initial" => {
            items().and_then(|it| list(it.split_last().map_or(Vec::new(), |(_, it)| it.to_vec())))
        }
        "reverse" => items().and_then(|it| list(it.iter().rev().cloned().collect())),
        "compact" => items()
            .and_then(|it| list(it.iter().filter(|it| it.value.is_true()).cloned().collect())),
        _ => return None,
    })
}

/// Calls a function that tests or adds members of a list.
fn call_set_function(arguments: &FunctionArguments<'_>) -> CallResult {
    let list = |items| Ok(without_mark(ParamValue::List(items)));
    let is = |value| Ok(without_mark(ParamValue::Bool(value)));
    let items = || arguments.exactly().and_then(|[it]| arguments.list(it));
    Some(match arguments.name() {
        "uniq" => items().and_then(|it| {
            let mut unique: Vec<Param> = Vec::new();
            for item in it {
                if !unique.iter().any(|known| is_deeply_equal(known, item)) {
                    unique.push(item.clone());
                }
            }
            list(unique)
        }),
        "has" => arguments.exactly().and_then(|[it, all]| match &all.value {
            ParamValue::Missing | ParamValue::Null => is(false),
            _ => is(arguments.list(all)?.iter().any(|item| is_deeply_equal(item, it))),
        }),
        "without" => match arguments.values.split_first() {
            None => Err(arguments.error("wrong number of args: want at least 1 got 0")),
            Some((all, omitted)) => arguments.list(all).and_then(|all| {
                let kept =
                    |it: &&Param| !omitted.iter().any(|omitted| is_deeply_equal(omitted, it));
                list(all.iter().filter(kept).cloned().collect())
            }),
        },
        "append" | "push" => arguments.exactly().and_then(|[all, it]| {
            let mut all = arguments.list(all)?.to_vec();
            all.push(it.clone());
            list(all)
        }),
        "prepend" => arguments.exactly().and_then(|[all, it]| {
            let mut new = vec![it.clone()];
            new.extend_from_slice(arguments.list(all)?);
            list(new)
        }),
        "concat" => {
            let lists = arguments.values.iter().map(|it| arguments.list(it));
            lists.collect::<Result<Vec<_>, _>>().and_then(|lists| list(lists.concat()))
        }
        _ => return None,
    })
}

/// Calls a function on the entries of a mapping.
fn call_map_function(arguments: &FunctionArguments<'_>) -> CallResult {
    let list = |items| Ok(without_mark(ParamValue::List(items)));
    let is = |value| Ok(without_mark(ParamValue::Bool(value)));
    Some(match arguments.name() {
        "get" => arguments.exactly().and_then(|[map, key]| {
            let found = arguments.map(map)?.get(arguments.text(key)?);
            Ok(found.cloned().unwrap_or_else(|| text("")))
        }),
        "hasKey" => arguments
            .exactly()
            .and_then(|[map, key]| is(arguments.map(map)?.contains_key(arguments.text(key)?))),
        "dig" => dig(arguments),
        "set" => arguments.exactly().and_then(|[map, key, value]| {
            let mut new = arguments.map(map)?.clone();
            new.insert(arguments.text(key)?.to_owned(), value.clone());
            Ok(without_mark(ParamValue::Map(new)))
        }),
        "unset" => arguments.exactly().and_then(|[map, key]| {
            let mut new = arguments.map(map)?.clone();
            new.shift_remove(arguments.text(key)?);
            Ok(without_mark(ParamValue::Map(new)))
        }),
        "pick" => pick_or_omit(arguments, true),
        "omit" => pick_or_omit(arguments, false),
        // Go does not define the order of keys.
        "keys" => arguments.exactly().and_then(|[map]| {
            let mut keys: Vec<&String> = arguments.map(map)?.keys().collect();
            keys.sort();
            list(keys.into_iter().map(|key| text(key.as_str())).collect())
        }),
        "values" => arguments.exactly().and_then(|[map]| {
            let mut pairs: Vec<_> = arguments.map(map)?.iter().collect();
            pairs.sort_by_key(|(key, _)| *key);
            list(pairs.into_iter().map(|(_, value)| value.clone()).collect())
        }),
        _ => return None,
    })
}

/// Calls a function that converts from or to JSON or YAML.
fn call_conversion_function(arguments: &FunctionArguments<'_>) -> CallResult {
    Some(match arguments.name() {
        "toJson" => arguments.exactly().map(|[it]| text(to_json(&node(it)).unwrap_or_default())),
        "fromJson" => arguments.exactly().and_then(|[it]| {
            Ok(from_json(arguments.text(it)?)
                .map_or(without_mark(ParamValue::Null), |it| read(&it)))
        }),
        "toYaml" => arguments.exactly().map(|[it]| {
            let printed = print_preserving_style(&node(it));
            text(printed.strip_suffix('\n').unwrap_or(&printed))
        }),
        "fromYaml" => arguments.exactly().and_then(|[it]| match &from_yaml(arguments, it)?.value {
            ParamValue::Map(map) => Ok(without_mark(ParamValue::Map(map.clone()))),
            ParamValue::Missing | ParamValue::Null => {
                Ok(without_mark(ParamValue::Map(Params::new())))
            }
            _ => Err(arguments.error("no mapping")),
        }),
        "fromYamlArray" => {
            arguments.exactly().and_then(|[it]| match &from_yaml(arguments, it)?.value {
                ParamValue::List(items) => Ok(without_mark(ParamValue::List(items.clone()))),
                ParamValue::Missing | ParamValue::Null => {
                    Ok(without_mark(ParamValue::List(Vec::new())))
                }
                _ => Err(arguments.error("no list")),
            })
        }
        _ => return None,
    })
}

/// True if Go's `reflect.DeepEqual` is true for the values.
fn is_deeply_equal(one: &Param, other: &Param) -> bool {
    match (&one.value, &other.value) {
        (ParamValue::List(a), ParamValue::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_deeply_equal(a, b))
        }
        (ParamValue::Map(a), ParamValue::Map(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_deeply_equal(a, b)))
        }
        (ParamValue::Missing | ParamValue::Null, ParamValue::Missing | ParamValue::Null) => true,
        (a, b) => a == b,
    }
}

/// Sprig's `pick` and `omit`: the mapping with only the given keys, or without them.
fn pick_or_omit(arguments: &FunctionArguments<'_>, picks: bool) -> Result<Param, TemplateError> {
    let Some((map, keys)) = arguments.values.split_first() else {
        return Err(arguments.error("wrong number of args: want at least 1 got 0"));
    };
    let keys = keys.iter().map(|key| arguments.text(key)).collect::<Result<Vec<_>, _>>()?;
    let mut map = arguments.map(map)?.clone();
    map.retain(|key, _| keys.contains(&key.as_str()) == picks);
    Ok(without_mark(ParamValue::Map(map)))
}

/// Sprig's `dig`: the value at a path of keys, or the default.
fn dig(arguments: &FunctionArguments<'_>) -> Result<Param, TemplateError> {
    let [keys @ .., default, map] = arguments.values.as_slice() else {
        return Err(arguments.error("needs at least three arguments"));
    };
    let mut value = map;
    for key in keys {
        match arguments.map(value)?.get(arguments.text(key)?) {
            Some(found) => value = found,
            None => return Ok(default.clone()),
        }
    }
    Ok(value.clone())
}

/// The value that a YAML text contains.
fn from_yaml(arguments: &FunctionArguments<'_>, param: &Param) -> Result<Param, TemplateError> {
    let it = arguments.text(param)?;
    match parse_config(it.as_bytes(), SourceId::NONE, Limits::default()) {
        Ok(node) => Ok(node.map_or_else(Param::default, |node| read(&node))),
        Err(error) => Err(arguments.error(&error.to_string())),
    }
}

/// A value without locations, because a text in memory is not in a file.
fn read(node: &Node) -> Param {
    let mut node = node.clone();
    node.mark_all(crate::yaml::Mark::default());
    Param::from_node(&node)
}

/// A tree of a value, with sorted keys.
fn node(param: &Param) -> Node {
    let node = match &param.value {
        ParamValue::Missing | ParamValue::Null => Node::null(),
        ParamValue::Bool(value) => Node::plain(value.to_string()),
        ParamValue::Int(value) => Node::plain(value.to_string()),
        ParamValue::Float(value) if value.abs() < 1e21 && value.fract() == 0.0 => {
            Node::plain(json_number(*value))
        }
        ParamValue::Float(value) => Node::plain(go_float_text(*value)),
        ParamValue::Text(text) => Node::scalar(text.clone(), Tag::Str, new_string_style(text)),
        ParamValue::Unknown(name) => Node::string(name.clone()),
        ParamValue::List(items) if items.is_empty() => {
            crate::yaml::Value::Sequence(std::sync::Arc::default(), Style::Flow).into()
        }
        ParamValue::List(items) => Node::sequence(items.iter().map(node).collect()),
        ParamValue::Map(map) => {
            let mut pairs: Vec<_> = map.iter().collect();
            pairs.sort_by_key(|(key, _)| *key);
            let mut out = Node::mapping();
            if let Some(mapping) = out.as_mapping_mut() {
                for (key, value) in pairs {
                    mapping
                        .push(MappingEntry { key: Node::string(key.as_str()), value: node(value) });
                }
            }
            out
        }
    };
    node.marked(param.mark)
}
