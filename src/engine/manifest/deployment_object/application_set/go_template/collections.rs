//! Functions of lists and mappings, and conversions to and from JSON and YAML.

use std::slice::from_ref;

use crate::yaml::{
    Limits, MappingEntry, Node, SourceId, Style, Tag, from_json, go_float_text, json_number,
    new_string_style, parse_config, print_preserving_style, to_json,
};

use super::super::value::{Param, ParamValue, Params};
use super::TemplateError;
use super::arguments::{CallResult, Called, FunctionArguments, Returned, text, without_mark};
use super::text_functions::strval;

pub(super) fn call(all: &FunctionArguments<'_>) -> CallResult {
    lists(all)
        .or_else(|| call_set_function(all))
        .or_else(|| call_map_function(all))
        .or_else(|| call_conversion_function(all))
}

/// Functions that return parts of a list or reorder it.
fn lists(all: &FunctionArguments<'_>) -> CallResult {
    Some(match all.name {
        "list" => all.values.clone().returned(),
        "dict" => dict(&all.values).returned(),
        "join" => all.two(|separator: &str, it: &Param| {
            let parts: Vec<String> = match &it.value {
                ParamValue::List(items) => {
                    items.iter().filter(|it| !it.value.is_nil()).map(strval).collect()
                }
                value if value.is_nil() => Vec::new(),
                _ => vec![strval(it)],
            };
            parts.join(separator)
        }),
        "toStrings" => all.one(|it: &[Param]| texts(it.iter().map(strval))),
        "sortAlpha" => all.one(|it: &[Param]| {
            let mut sorted: Vec<String> = it.iter().map(strval).collect();
            sorted.sort();
            texts(sorted)
        }),
        "first" => all.one(|it: &[Param]| it.first().cloned().unwrap_or_default()),
        "last" => all.one(|it: &[Param]| it.last().cloned().unwrap_or_default()),
        "rest" => all.one(|it: &[Param]| it.get(1..).unwrap_or_default().to_vec()),
        "initial" => {
            all.one(|it: &[Param]| it.split_last().map_or(Vec::new(), |(_, it)| it.to_vec()))
        }
        "reverse" => all.one(|it: &[Param]| it.iter().rev().cloned().collect::<Vec<_>>()),
        "compact" => all.one(|it: &[Param]| kept(it, |it| it.value.is_true())),
        _ => return None,
    })
}

/// Calls a function that tests or adds members of a list.
fn call_set_function(all: &FunctionArguments<'_>) -> CallResult {
    Some(match all.name {
        "uniq" => all.one(|it: &[Param]| {
            let mut unique: Vec<Param> = Vec::new();
            for item in it {
                if !contains(&unique, item) {
                    unique.push(item.clone());
                }
            }
            unique
        }),
        "has" => all.two(|it: &Param, list: &Param| -> Result<bool, TemplateError> {
            Ok(!list.value.is_nil() && contains(all.read(list)?, it))
        }),
        "without" => all.at_least_one().and_then(|(list, omitted)| {
            kept(all.read(list)?, |it| !contains(omitted, it)).returned()
        }),
        "append" | "push" => all.two(|list, it| [list, from_ref(it)].concat()),
        "prepend" => all.two(|list, it| [from_ref(it), list].concat()),
        "concat" => {
            let lists = all.values.iter().map(|it| all.read::<&[Param]>(it));
            lists.collect::<Result<Vec<_>, _>>().map(|lists| lists.concat()).returned()
        }
        _ => return None,
    })
}

fn call_map_function(all: &FunctionArguments<'_>) -> CallResult {
    Some(match all.name {
        "get" => all.two(|map: &Params, key: &str| map.get(key).cloned().unwrap_or(text(""))),
        "hasKey" => all.two(|map: &Params, key: &str| map.contains_key(key)),
        "dig" => dig(all),
        "set" => all.three(|map: &Params, key: &str, value: &Param| {
            let mut new = map.clone();
            new.insert(key.to_owned(), value.clone());
            new
        }),
        "unset" => all.two(|map: &Params, key: &str| {
            let mut new = map.clone();
            new.shift_remove(key);
            new
        }),
        "pick" => pick_or_omit(all, true),
        "omit" => pick_or_omit(all, false),
        // Go does not define the order of keys.
        "keys" => {
            all.one(|map: &Params| texts(sorted(map).into_iter().map(|(key, _)| key.clone())))
        }
        "values" => all.one(|map: &Params| {
            sorted(map).into_iter().map(|(_, value)| value.clone()).collect::<Vec<_>>()
        }),
        _ => return None,
    })
}

fn call_conversion_function(all: &FunctionArguments<'_>) -> CallResult {
    Some(match all.name {
        "toJson" => all.one(|it: &Param| to_json(&node(it)).unwrap_or_default()),
        "fromJson" => {
            all.one(|it: &str| from_json(it).map_or(without_mark(ParamValue::Null), |it| read(&it)))
        }
        "toYaml" => all.one(|it: &Param| {
            let printed = print_preserving_style(&node(it));
            printed.strip_suffix('\n').unwrap_or(&printed).to_owned()
        }),
        "fromYaml" => all.one(|it: &str| match from_yaml(all, it)?.value {
            ParamValue::Map(map) => Ok(map),
            value if value.is_nil() => Ok(Params::new()),
            _ => Err(all.error("no mapping")),
        }),
        "fromYamlArray" => all.one(|it: &str| match from_yaml(all, it)?.value {
            ParamValue::List(items) => Ok(items),
            value if value.is_nil() => Ok(Vec::new()),
            _ => Err(all.error("no list")),
        }),
        _ => return None,
    })
}

fn texts(texts: impl IntoIterator<Item = String>) -> Vec<Param> {
    texts.into_iter().map(text).collect()
}

fn kept(items: &[Param], is_kept: impl Fn(&Param) -> bool) -> Vec<Param> {
    items.iter().filter(|it| is_kept(it)).cloned().collect()
}

fn contains(items: &[Param], item: &Param) -> bool {
    items.iter().any(|known| is_deeply_equal(known, item))
}

fn sorted(map: &Params) -> Vec<(&String, &Param)> {
    let mut pairs: Vec<_> = map.iter().collect();
    pairs.sort_by_key(|(key, _)| *key);
    pairs
}

fn dict(values: &[Param]) -> Params {
    let mut pairs = Params::new();
    for pair in values.chunks(2) {
        let [key, rest @ ..] = pair else { continue };
        pairs.insert(strval(key), rest.first().cloned().unwrap_or_else(|| text("")));
    }
    pairs
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
        (a, b) => a == b || a.is_nil() && b.is_nil(),
    }
}

/// Sprig's `pick` and `omit`: the mapping with only the given keys, or without them.
fn pick_or_omit(all: &FunctionArguments<'_>, picks: bool) -> Called {
    let (map, keys) = all.at_least_one()?;
    let keys = keys.iter().map(|key| all.read(key)).collect::<Result<Vec<&str>, _>>()?;
    let mut map = all.read::<&Params>(map)?.clone();
    map.retain(|key, _| keys.contains(&key.as_str()) == picks);
    map.returned()
}

/// Sprig's `dig`: the value at a path of keys, or the default.
fn dig(all: &FunctionArguments<'_>) -> Called {
    let [keys @ .., default, map] = all.values.as_slice() else {
        return Err(all.error("needs at least three arguments"));
    };
    let mut value = map;
    for key in keys {
        match all.read::<&Params>(value)?.get(all.read::<&str>(key)?) {
            Some(found) => value = found,
            None => return Ok(default.clone()),
        }
    }
    Ok(value.clone())
}

fn from_yaml(all: &FunctionArguments<'_>, text: &str) -> Called {
    match parse_config(text.as_bytes(), SourceId::NONE, Limits::default()) {
        Ok(node) => Ok(node.map_or_else(Param::default, |node| read(&node))),
        Err(error) => Err(all.error(&error.to_string())),
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
            let mut out = Node::mapping();
            if let Some(mapping) = out.as_mapping_mut() {
                for (key, value) in sorted(map) {
                    mapping
                        .push(MappingEntry { key: Node::string(key.as_str()), value: node(value) });
                }
            }
            out
        }
    };
    node.marked(param.mark)
}
