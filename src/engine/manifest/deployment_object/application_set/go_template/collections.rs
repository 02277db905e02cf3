//! Functions of lists and mappings, and conversions to and from JSON and YAML.

use crate::yaml::{
    Limits, MappingEntry, Mark, Node, SourceId, Style, Tag, Value, from_json, go_float_text,
    json_number, new_string_style, parse_config, print_preserving_style, to_json,
};

use super::super::value::ParamValue::{Bool, Float, Int, List, Map, Null, Text, Unknown};
use super::super::value::{Param, ParamValue, Params};
use super::{CallResult, TemplateError};

pub(super) fn call(name: &str, values: &[&ParamValue]) -> CallResult {
    if let Some(found) = of_list(name, values).or_else(|| of_map(name, values)) {
        return Ok(Some(found));
    }
    convert(name, values)
}

fn of_list(name: &str, values: &[&ParamValue]) -> Option<ParamValue> {
    let params = || values.iter().map(|it| Param::computed((*it).clone()));
    Some(match (name, values) {
        ("list", _) => params().collect::<Vec<_>>().into(),
        ("join", [Text(separator), List(items)]) => {
            let present = items.iter().filter(|it| !it.value.is_nil());
            present.map(|it| it.value.printed()).collect::<Vec<_>>().join(separator).into()
        }
        ("join", [Text(_), it]) if it.is_nil() => "".into(),
        ("join", [Text(_), it]) => it.printed().into(),
        ("toStrings", [List(items)]) => texts(items.iter().map(|it| it.value.printed())),
        ("sortAlpha", [List(items)]) => {
            let mut sorted: Vec<String> = items.iter().map(|it| it.value.printed()).collect();
            sorted.sort();
            texts(sorted)
        }
        ("len", [List(items)]) => count(items.len()),
        ("rest", [List(items)]) => items.get(1..).unwrap_or_default().to_vec().into(),
        ("initial", [List(items)]) => {
            items.split_last().map_or(Vec::new(), |(_, items)| items.to_vec()).into()
        }
        ("reverse", [List(items)]) => items.iter().rev().cloned().collect::<Vec<_>>().into(),
        ("compact", [List(items)]) => filtered(items, |it| it.value.is_true()),
        ("uniq", [List(items)]) => {
            let mut unique: Vec<Param> = Vec::new();
            for item in items {
                if !contains(&unique, &item.value) {
                    unique.push(item.clone());
                }
            }
            unique.into()
        }
        ("has", [item, List(items)]) => Bool(contains(items, item)),
        ("has", [_, it]) if it.is_nil() => Bool(false),
        ("without", [List(items), omitted @ ..]) => {
            filtered(items, |it| !omitted.iter().any(|other| is_deeply_equal(&it.value, other)))
        }
        ("append" | "push", [List(items), item]) => items
            .iter()
            .cloned()
            .chain([Param::computed((*item).clone())])
            .collect::<Vec<_>>()
            .into(),
        ("prepend", [List(items), item]) => {
            let first = Param::computed((*item).clone());
            std::iter::once(first).chain(items.iter().cloned()).collect::<Vec<_>>().into()
        }
        ("concat", lists) => {
            let lists = lists.iter().map(|it| if let List(it) = it { Some(&**it) } else { None });
            lists.collect::<Option<Vec<&[Param]>>>()?.concat().into()
        }
        _ => return None,
    })
}

fn of_map(name: &str, values: &[&ParamValue]) -> Option<ParamValue> {
    Some(match (name, values) {
        ("dict", _) => {
            let mut pairs = Params::new();
            for pair in values.chunks(2) {
                let [key, rest @ ..] = pair else { continue };
                let value = rest.first().map_or_else(|| "".into(), |it| (*it).clone());
                pairs.insert(key.printed(), Param::computed(value));
            }
            Map(pairs)
        }
        ("len", [Map(map)]) => count(map.len()),
        ("len", [Text(text)]) => count(text.len()),
        ("hasKey", [Map(map), Text(key)]) => Bool(map.contains_key(&**key)),
        ("set", [Map(map), Text(key), value]) => {
            let mut changed = map.clone();
            changed.insert(key.to_string(), Param::computed((*value).clone()));
            Map(changed)
        }
        ("pick", [Map(map), keys @ ..]) => pick(map, keys, true)?,
        ("omit" | "unset", [Map(map), keys @ ..]) => pick(map, keys, false)?,
        // Go does not define the order of keys.
        ("keys", [Map(map)]) => texts(sorted(map).into_iter().map(|(key, _)| key.clone())),
        ("values", [Map(map)]) => {
            sorted(map).into_iter().map(|(_, value)| value.clone()).collect::<Vec<_>>().into()
        }
        _ => return None,
    })
}

fn convert(name: &str, values: &[&ParamValue]) -> CallResult {
    Ok(Some(match (name, values) {
        ("toJson", [value]) => to_json(&node(value)).unwrap_or_default().into(),
        ("toYaml", [value]) => {
            let printed = print_preserving_style(&node(value));
            printed.strip_suffix('\n').unwrap_or(&printed).into()
        }
        ("fromJson", [Text(text)]) => from_json(text).map_or(Null, read),
        ("fromYaml", [Text(text)]) => match from_yaml(text)? {
            value if value.is_nil() => Map(Params::new()),
            value @ Map(_) => value,
            _ => return Err("fromYaml: no mapping".into()),
        },
        ("fromYamlArray", [Text(text)]) => match from_yaml(text)? {
            value if value.is_nil() => List(Vec::new()),
            value @ List(_) => value,
            _ => return Err("fromYamlArray: no list".into()),
        },
        _ => return Ok(None),
    }))
}

fn texts(texts: impl IntoIterator<Item = String>) -> ParamValue {
    texts.into_iter().map(Param::computed).collect::<Vec<_>>().into()
}

fn count(count: usize) -> ParamValue {
    Int(i64::try_from(count).unwrap_or(i64::MAX))
}

fn filtered(items: &[Param], is_kept: impl Fn(&Param) -> bool) -> ParamValue {
    items.iter().filter(|it| is_kept(it)).cloned().collect::<Vec<_>>().into()
}

fn contains(items: &[Param], item: &ParamValue) -> bool {
    items.iter().any(|known| is_deeply_equal(&known.value, item))
}

fn sorted(map: &Params) -> Vec<(&String, &Param)> {
    let mut pairs: Vec<_> = map.iter().collect();
    pairs.sort_by_key(|(key, _)| *key);
    pairs
}

/// True if Go's `reflect.DeepEqual` is true for the values.
fn is_deeply_equal(one: &ParamValue, other: &ParamValue) -> bool {
    let is_same = |a: &Param, b: &Param| is_deeply_equal(&a.value, &b.value);
    match (one, other) {
        (List(a), List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        (Map(a), Map(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_same(a, b)))
        }
        (a, b) => a == b || a.is_nil() && b.is_nil(),
    }
}

fn pick(map: &Params, keys: &[&ParamValue], picks: bool) -> Option<ParamValue> {
    let keys = keys.iter().map(|key| if let Text(key) = key { Some(&**key) } else { None });
    let keys = keys.collect::<Option<Vec<&str>>>()?;
    let mut map = map.clone();
    map.retain(|key, _| keys.contains(&key.as_str()) == picks);
    Some(Map(map))
}

fn from_yaml(text: &str) -> Result<ParamValue, TemplateError> {
    match parse_config(text.as_bytes(), SourceId::NONE, Limits::default()) {
        Ok(node) => Ok(node.map_or(Null, read)),
        Err(error) => Err(format!("fromYaml: {error}").into()),
    }
}

/// A value without locations, because a text in memory is not in a file.
fn read(mut node: Node) -> ParamValue {
    node.mark_all(Mark::default());
    Param::from_node(&node).value
}

/// A tree of a value, with sorted keys.
fn node(value: &ParamValue) -> Node {
    match value {
        Null => Node::null(),
        Bool(value) => Node::plain(value.to_string()),
        Int(value) => Node::plain(value.to_string()),
        Float(value) if value.abs() < 1e21 && value.fract() == 0.0 => {
            Node::plain(json_number(*value))
        }
        Float(value) => Node::plain(go_float_text(*value)),
        Text(text) => Node::scalar(text.clone(), Tag::Str, new_string_style(text)),
        Unknown(name) => Node::string(name.clone()),
        List(items) if items.is_empty() => {
            Value::Sequence(std::sync::Arc::default(), Style::Flow).into()
        }
        List(items) => Node::sequence(items.iter().map(|item| node(&item.value)).collect()),
        Map(map) => {
            let mut out = Node::mapping();
            for (key, value) in sorted(map) {
                if let Some(mapping) = out.as_mapping_mut() {
                    let key = Node::string(key.as_str());
                    mapping.push(MappingEntry { key, value: node(&value.value) });
                }
            }
            out
        }
    }
}
