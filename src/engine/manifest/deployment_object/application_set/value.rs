//! Parameters of an `ApplicationSet`: values as Go has them after reading JSON, each with the
//! location that it was read from.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::yaml::{MappingEntry, Mark, Node, ScalarType, Style, Tag, go_float_text, resolve_v1_1};

pub(super) type Params = IndexMap<String, Param>;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Param {
    pub(super) value: ParamValue,
    pub(super) mark: Mark,
}

/// A value in a template, with the types of Go.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum ParamValue {
    /// Also the value of a key that a mapping does not have.
    #[default]
    Null,
    Bool(bool),
    /// A number of a template or a function: numbers of files are doubles.
    Int(i64),
    Float(f64),
    Text(Arc<str>),
    List(Vec<Param>),
    Map(Params),
    /// The name of a parameter whose value is known only in the cluster.
    Unknown(Arc<str>),
}

pub(super) fn to_float(number: i128) -> f64 {
    number.to_string().parse().unwrap_or_default()
}

impl Param {
    pub(super) fn text(text: impl Into<Arc<str>>, mark: Mark) -> Self {
        Self { value: ParamValue::Text(text.into()), mark }
    }

    /// A computed value, which has no location.
    pub(super) fn computed(value: impl Into<ParamValue>) -> Self {
        Self { value: value.into(), mark: Mark::default() }
    }

    pub(super) fn unknown(name: &str) -> Self {
        Self { value: ParamValue::Unknown(name.into()), mark: Mark::default() }
    }

    /// A value from a file or object, decoded as by `sigs.k8s.io/yaml`.
    pub(super) fn from_node(node: &Node) -> Self {
        let value = match node.as_scalar() {
            None if node.items().is_some() => ParamValue::List(
                node.items().unwrap_or_default().iter().map(Self::from_node).collect(),
            ),
            None => {
                let pairs = node.entries().iter().map(|MappingEntry { key, value }| {
                    (key.text().unwrap_or_default().to_owned(), Self::from_node(value))
                });
                ParamValue::Map(pairs.collect())
            }
            Some(scalar) if scalar.tagged && scalar.tag == Tag::Str => {
                ParamValue::Text(scalar.text.clone())
            }
            Some(scalar) if scalar.style != Style::Plain => ParamValue::Text(scalar.text.clone()),
            Some(scalar) => match resolve_v1_1(&scalar.text) {
                ScalarType::Null => ParamValue::Null,
                ScalarType::Bool(value) => ParamValue::Bool(value),
                ScalarType::Int(number) => ParamValue::Float(to_float(number)),
                ScalarType::Float(number) => ParamValue::Float(number),
                _ => ParamValue::Text(scalar.text.clone()),
            },
        };
        Self { value, mark: node.mark }
    }

    pub(super) fn map(&self) -> Option<&Params> {
        match &self.value {
            ParamValue::Map(map) => Some(map),
            _ => None,
        }
    }

    pub(super) fn unknown_in(&self) -> Option<&Arc<str>> {
        match &self.value {
            ParamValue::Unknown(name) => Some(name),
            ParamValue::List(items) => items.iter().find_map(Self::unknown_in),
            ParamValue::Map(map) => map.values().find_map(Self::unknown_in),
            _ => None,
        }
    }
}

impl From<&str> for ParamValue {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for ParamValue {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Vec<Param>> for ParamValue {
    fn from(items: Vec<Param>) -> Self {
        Self::List(items)
    }
}

impl ParamValue {
    pub(super) fn is_nil(&self) -> bool {
        *self == Self::Null
    }

    /// The value as Go's `%v` prints it.
    pub(super) fn printed(&self) -> String {
        match self {
            Self::Null => "<nil>".into(),
            Self::Bool(value) => value.to_string(),
            Self::Int(value) => value.to_string(),
            Self::Float(value) => go_float_text(*value),
            Self::Text(text) => text.to_string(),
            Self::List(items) => {
                let items: Vec<_> = items.iter().map(|item| item.value.printed()).collect();
                format!("[{}]", items.join(" "))
            }
            Self::Map(map) => {
                let mut pairs: Vec<_> = map.iter().collect();
                pairs.sort_by_key(|(key, _)| *key);
                let pairs =
                    pairs.iter().map(|(key, item)| format!("{key}:{}", item.value.printed()));
                format!("map[{}]", pairs.collect::<Vec<_>>().join(" "))
            }
            Self::Unknown(name) => format!("{{{{{name}}}}}"),
        }
    }

    pub(super) fn go_type(&self) -> &'static str {
        match self {
            Self::Null => "nil",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float64",
            Self::Text(_) => "string",
            Self::List(_) => "[]interface {}",
            Self::Map(_) => "map[string]interface {}",
            Self::Unknown(_) => "unknown",
        }
    }

    /// True if the value is no zero value, as a condition of a template requires.
    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Bool(value) => *value,
            Self::Int(value) => *value != 0,
            Self::Float(value) => *value != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
            Self::Map(map) => !map.is_empty(),
            Self::Unknown(_) => true,
        }
    }
}

/// A mapping as texts by path (`github.com/jeremywohl/flatten`): empty lists and mappings vanish.
pub(super) fn flattened(params: &Params) -> Params {
    let mut flat = Params::new();
    for (key, param) in params {
        flatten(key, param, &mut flat);
    }
    flat
}

fn flatten(path: &str, param: &Param, flat: &mut Params) {
    match &param.value {
        ParamValue::Map(map) => {
            for (key, item) in map {
                flatten(&format!("{path}.{key}"), item, flat);
            }
        }
        ParamValue::List(items) => {
            for (index, item) in items.iter().enumerate() {
                flatten(&format!("{path}.{index}"), item, flat);
            }
        }
        ParamValue::Unknown(_) => drop(flat.insert(path.to_owned(), param.clone())),
        value => drop(flat.insert(path.to_owned(), Param::text(value.printed(), param.mark))),
    }
}
