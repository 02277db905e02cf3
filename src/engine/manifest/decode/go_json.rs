//! Go's rules for decoding JSON into structs, applied to the document tree: keys match in any case
//! and are read in sorted order (so that the first error is that of the first key), null leaves the
//! zero value, and type errors have Go's text.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::Hint;
use crate::load::nearest_name;
use crate::manifest::{Marked, Pairs};
use crate::profile::{Profile, Switch};
use crate::yaml::{
    Mapping, MappingEntry, Mark, Node, ScalarType, Style, Tag, Value, json_number, resolve_v1_1,
    resolve_v3,
};

use super::error::{ManifestError, ManifestFault, WrongType};

pub(super) type Result<T> = std::result::Result<T, ManifestError>;

/// The rules for reading a text, and Kustomize's prefix of errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecodeRules {
    pub(super) strict: bool,
    /// True if numbers and booleans are converted to texts for text fields, as `sigs.k8s.io/yaml`
    /// does if the Go type is known.
    pub(super) coerce: bool,
    pub(super) prefix: &'static str,
    profile: Profile,
}

impl DecodeRules {
    pub(super) const fn like(self, profile: Profile) -> Self {
        Self { profile, ..self }
    }
}

/// Fields that were added in later releases, by Go type and name, with the switch of the releases
/// without them.
const FIELDS_ADDED_LATER: &[(Switch, &[(&str, &str)])] = &[
    (
        Switch::TemplatesIncludeClaims,
        &[
            ("types.Label", "includeVolumeClaimTemplates"),
            ("builtinconfig.TransformerConfig", "volumeClaimTemplateLabels"),
        ],
    ),
    (
        Switch::NoSourceValue,
        &[("types.ReplacementField", "sourceValue"), ("types.Replacement", "sourceValue")],
    ),
    (Switch::NoDevel, &[("types.HelmChart", "devel")]),
    (Switch::NoLabelsConfiguration, &[("builtinconfig.TransformerConfig", "labels")]),
    (Switch::NoSortOptions, &[("types.Kustomization", "sortOptions")]),
    (
        Switch::FewerChartOptions,
        &[
            ("types.HelmChart", "additionalValuesFiles"),
            ("types.HelmChart", "apiVersions"),
            ("types.HelmChart", "nameTemplate"),
            ("types.HelmChart", "skipHooks"),
            ("types.HelmChart", "skipTests"),
        ],
    ),
];

fn is_missing_in_release(go_type: &str, field: &str, profile: Profile) -> bool {
    let is_one = |fields: &[(&str, &str)]| fields.contains(&(go_type, field));
    FIELDS_ADDED_LATER.iter().any(|(switch, fields)| is_one(fields) && profile.has(*switch))
}

/// The rules for a kustomization file. It is converted to JSON before the Go type is known, so that
/// numbers and booleans are not converted to texts.
pub(super) const KUSTOMIZATION: DecodeRules =
    DecodeRules { strict: true, coerce: false, prefix: "invalid Kustomization: ", ..LENIENT };
/// The rules for a kustomization file that Flux reads and writes anew.
pub(super) const LENIENT_KUSTOMIZATION: DecodeRules =
    DecodeRules { strict: false, coerce: true, ..KUSTOMIZATION };
/// The rules for a `configurations` file.
pub(super) const CONFIGURATION: DecodeRules = DecodeRules { strict: true, ..LENIENT };
/// The rules for a plugin configuration or a replacement file.
pub(super) const LENIENT: DecodeRules =
    DecodeRules { strict: false, coerce: true, prefix: WHILE_DECODING, profile: Profile::MASTER };

/// The beginning of the errors of Kustomize's strict decoder.
const WHILE_DECODING: &str = "error unmarshaling JSON: while decoding JSON: ";

/// The position in the Go value that is decoded: the innermost struct and the field path in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoPosition<'p> {
    rules: DecodeRules,
    owner: &'static str,
    field: &'static str,
    parent: Option<&'p GoPosition<'p>>,
}

pub(super) struct PresentField<'p, 'n> {
    pub(super) name: &'static str,
    pub(super) key: &'n Node,
    pub(super) value: &'n Node,
    pub(super) place: GoPosition<'p>,
}

impl GoPosition<'_> {
    pub(super) const fn profile(&self) -> Profile {
        self.rules.profile
    }

    pub(super) const fn top(rules: DecodeRules) -> Self {
        Self { rules, owner: "", field: "", parent: None }
    }

    /// Reads a struct: calls `each` for every known field that is not null, in the order of the
    /// sorted keys. `go_type` is the type's name in Go (`types.Patch`); a null node has no fields.
    pub(super) fn fields<'n>(
        &self,
        node: &'n Node,
        go_type: &'static str,
        names: &[&'static str],
        mut each: impl FnMut(PresentField<'_, 'n>) -> Result<()>,
    ) -> Result<()> {
        if node.is_null() {
            return Ok(());
        }
        if node.as_mapping().is_none() {
            return Err(self.wrong_type(node, go_type));
        }
        let owner = go_type.rsplit('.').next().unwrap_or(go_type);
        for entry in sorted(node) {
            let key = entry.key.text().unwrap_or_default();
            let is_field =
                |name: &&'static str| !is_missing_in_release(go_type, name, self.rules.profile);
            let Some(name) = known(key, names).filter(is_field) else {
                if self.rules.strict {
                    return Err(self.unknown(entry, go_type, names));
                }
                continue;
            };
            if entry.value.is_null() {
                continue;
            }
            let place = GoPosition { rules: self.rules, owner, field: name, parent: Some(self) };
            each(PresentField { name, key: &entry.key, value: &entry.value, place })?;
        }
        Ok(())
    }

    /// Decodes a list; `go_type` is the Go type of the list (`[]string`), and a function decodes
    /// each item.
    pub(super) fn list<T>(
        &self,
        node: &Node,
        go_type: &'static str,
        mut each: impl FnMut(&Self, &Node) -> Result<T>,
    ) -> Result<Vec<Marked<T>>> {
        let Some(items) = node.items() else {
            return if node.is_null() {
                Ok(Vec::new())
            } else {
                Err(self.wrong_type(node, go_type))
            };
        };
        let each = |item: &Node| Ok(Marked { value: each(self, item)?, mark: item.mark });
        items.iter().map(each).collect()
    }

    pub(super) fn strings(&self, node: &Node) -> Result<Vec<Marked<String>>> {
        self.list(node, "[]string", Self::string)
    }

    pub(super) fn plain_strings(&self, node: &Node) -> Result<Vec<String>> {
        Ok(self.strings(node)?.into_iter().map(|placed| placed.value).collect())
    }

    /// Decodes a map of strings, sorted by key as Go serializes maps.
    pub(super) fn string_map(&self, node: &Node) -> Result<IndexMap<String, String>> {
        self.string_map_with(node, |_, _| Ok(None))
    }

    /// As [`GoPosition::string_map`], each value with its location.
    pub(super) fn pairs(&self, node: &Node) -> Result<Pairs> {
        let placed = |(key, value): (String, String)| {
            let mark = node.get(&key).map_or(node.mark, |value| value.mark);
            (key, Marked { value, mark })
        };
        Ok(self.string_map(node)?.into_iter().map(placed).collect())
    }

    /// As [`GoPosition::string_map`]; a value for which `special` returns a text is not decoded as
    /// a string.
    pub(super) fn string_map_with(
        &self,
        node: &Node,
        mut special: impl FnMut(&str, &Node) -> Result<Option<String>>,
    ) -> Result<IndexMap<String, String>> {
        if node.as_mapping().is_none() && !node.is_null() {
            return Err(self.wrong_type(node, "map[string]string"));
        }
        let mut map = IndexMap::new();
        for entry in sorted(node) {
            let key = entry.key.text().unwrap_or_default();
            let value = match special(key, &entry.value)? {
                Some(value) => value,
                None => self.string(&entry.value)?,
            };
            map.insert(key.to_owned(), value);
        }
        Ok(map)
    }

    pub(super) fn string(&self, node: &Node) -> Result<String> {
        self.string_of_type(node, "string")
    }

    /// Decodes a text; `go_type` is the name of its type in Go, for the error.
    pub(super) fn string_of_type(&self, node: &Node, go_type: &'static str) -> Result<String> {
        let text = node.text().unwrap_or_default();
        match json(node) {
            Some(Json::Null) => Ok(String::new()),
            Some(Json::Text) => Ok(text.to_owned()),
            Some(Json::Bool(value)) if self.rules.coerce => Ok(value.to_string()),
            Some(Json::Int(value)) if self.rules.coerce => Ok(value.to_string()),
            Some(Json::Float(value)) if self.rules.coerce => Ok(value.to_string()),
            _ => Err(self.wrong_type(node, go_type)),
        }
    }

    pub(super) fn located_string(&self, node: &Node) -> Result<Marked<String>> {
        Ok(Marked { value: self.string(node)?, mark: node.mark })
    }

    /// Decodes a boolean; null is false.
    pub(super) fn bool(&self, node: &Node) -> Result<bool> {
        match json(node) {
            Some(Json::Null) => Ok(false),
            Some(Json::Bool(value)) => Ok(value),
            _ => Err(self.wrong_type(node, "bool")),
        }
    }

    /// Decodes an integer; `go_type` is `int` or `int64`.
    pub(super) fn int(&self, node: &Node, go_type: &'static str) -> Result<i64> {
        let number = match json(node) {
            Some(Json::Null) => return Ok(0),
            Some(Json::Int(value)) => value.to_string(),
            // JSON has no separate floats: 1e3 is written 1000 and read as an integer.
            Some(Json::Float(value)) => value.to_string(),
            _ => return Err(self.wrong_type(node, go_type)),
        };
        number.parse().map_err(|_| self.mismatch("number", Some(number), node, go_type))
    }

    pub(super) fn wrong_type(&self, node: &Node, go_type: &'static str) -> ManifestError {
        self.mismatch(json_name(node), None, node, go_type)
    }

    fn mismatch(
        &self,
        found: &'static str,
        number: Option<String>,
        node: &Node,
        go_type: &'static str,
    ) -> ManifestError {
        let field = self.parent.map(|_| format!("{}.{}", self.owner, self.path()));
        let wrong = Box::new(WrongType { found, number, field, go_type });
        let fault = ManifestFault::WrongType { prefix: self.rules.prefix, wrong };
        let hint = type_hint(node, go_type);
        ManifestError { hint, ..ManifestError::fault_at(fault, node.mark) }
    }

    fn path(&self) -> String {
        match self.parent {
            Some(parent) if parent.parent.is_some() => format!("{}.{}", parent.path(), self.field),
            _ => self.field.to_owned(),
        }
    }

    fn unknown(
        &self,
        entry: &MappingEntry,
        go_type: &str,
        names: &[&'static str],
    ) -> ManifestError {
        let field = entry.key.text().unwrap_or_default().to_owned();
        let profile = self.rules.profile;
        let is_there = |name: &&'static str| !is_missing_in_release(go_type, name, profile);
        let there: Vec<&'static str> = names.iter().copied().filter(is_there).collect();
        let hint = if names.contains(&&*field) && !there.contains(&&*field) {
            let own = profile.release().map_or(profile.name(), |release| release.version);
            let hint = format!("Kustomize {own} does not have this field; a later release has it");
            Some(hint.into())
        } else {
            nearest_field_hint(&field, &there)
        };
        let (prefix, known) = (self.rules.prefix, there.into_boxed_slice());
        let fault = ManifestFault::UnknownField { prefix, field, known };
        ManifestError { hint, ..ManifestError::fault_at(fault, entry.key.mark) }
    }
}

/// The entries sorted by key, bytewise, as `encoding/json` does; equal keys keep their order.
pub(super) fn sorted(node: &Node) -> Vec<&MappingEntry> {
    let mut entries: Vec<&MappingEntry> = node.entries().iter().collect();
    entries.sort_by(|a, b| a.key.text().cmp(&b.key.text()));
    entries
}

/// The field for a key in any case.
pub(super) fn known(key: &str, names: &[&'static str]) -> Option<&'static str> {
    let exact = names.iter().find(|name| **name == key);
    exact.or_else(|| names.iter().find(|name| name.eq_ignore_ascii_case(key))).copied()
}

pub(super) enum Json {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text,
}

pub(super) fn json(node: &Node) -> Option<Json> {
    let scalar = node.as_scalar()?;
    if scalar.is_null() {
        return Some(Json::Null);
    }
    let resolved = || match resolve_v1_1(&scalar.text) {
        // Resources may also contain numbers that only YAML 1.2 defines.
        ScalarType::Str => resolve_v3(&scalar.text),
        other => other,
    };
    let resolved = match scalar.tag {
        Tag::Int | Tag::Float | Tag::Bool => resolved(),
        Tag::None if scalar.style == Style::Plain => resolve_v1_1(&scalar.text),
        _ => ScalarType::Str,
    };
    Some(match resolved {
        ScalarType::Null => Json::Null,
        ScalarType::Bool(value) => Json::Bool(value),
        ScalarType::Int(value) => Json::Int(value),
        ScalarType::Float(value) => Json::Float(value),
        _ => Json::Text,
    })
}

/// A node's type in Go's JSON errors.
pub fn json_name(node: &Node) -> &'static str {
    match &node.value {
        Value::Mapping(_) => "object",
        Value::Sequence(..) => "array",
        Value::Scalar(_) => match json(node) {
            Some(Json::Bool(_)) => "bool",
            Some(Json::Int(_) | Json::Float(_)) => "number",
            _ => "string",
        },
    }
}

fn nearest_field_hint(field: &str, names: &[&str]) -> Option<Box<Hint>> {
    if let Some(near) = nearest_name(field, names.iter().copied()) {
        return Some(Box::new(Hint::Field(near.to_owned())));
    }
    if TYPE_FIELDS.contains(&field) {
        return Some("remove `apiVersion` and `kind`: this object has a fixed type".into());
    }
    (1..=MAX_FIELDS_LISTED)
        .contains(&names.len())
        .then(|| format!("fields: {}", names.join(", ")).into())
}

const TYPE_FIELDS: [&str; 2] = ["apiVersion", "kind"];

/// The number of fields up to which a help lists them all.
const MAX_FIELDS_LISTED: usize = 12;

fn type_hint(node: &Node, go_type: &str) -> Option<Box<Hint>> {
    let text = node.text().unwrap_or_default();
    let hint: Hint = match (json_name(node), go_type) {
        ("bool", "string") if !matches!(text, "true" | "false") => Hint::Boolean(text.to_owned()),
        ("number" | "bool", "string") => Hint::Quote(text.to_owned()),
        ("string", "int" | "int64" | "bool") => "write it without quotes".into(),
        ("string", list) if list.starts_with("[]string") => {
            Hint::List(text.lines().next().unwrap_or_default().to_owned())
        }
        ("string", "types.Patch") if !text.contains('\n') => Hint::PathEntry(text.to_owned()),
        ("object", list) if list.starts_with("[]") => {
            "write a list: put `- ` before the first line".into()
        }
        ("array" | "object", "string") => "write a single string".into(),
        _ => return None,
    };
    Some(Box::new(hint))
}

/// A number that JSON cannot represent; Go reports it before any type error.
pub(super) fn unsupported_number(node: &Node) -> Option<(&'static str, Mark)> {
    match (&node.value, json(node)) {
        (Value::Scalar(_), Some(Json::Float(value))) if value.is_nan() => Some(("NaN", node.mark)),
        (Value::Scalar(_), Some(Json::Float(value))) if value.is_infinite() => {
            Some((if value > 0.0 { "+Inf" } else { "-Inf" }, node.mark))
        }
        (Value::Scalar(_), _) => None,
        (Value::Sequence(items, _), _) => items.iter().find_map(unsupported_number),
        (Value::Mapping(_), _) => {
            sorted(node).iter().find_map(|entry| unsupported_number(&entry.value))
        }
    }
}

/// The first field that is set under two spellings of its key, such as `Images` and `images`, and
/// the second of these keys.
pub(super) fn repeated_spelling<'n>(
    root: &'n Node,
    names: &'static [&'static str],
) -> Option<(&'static str, &'n Node)> {
    let mut seen = IndexSet::new();
    let mut spelled = root.entries().iter().filter_map(|entry| {
        let name = known(entry.key.text()?, names)?;
        Some((name, &entry.key))
    });
    spelled.find(|(name, _)| !seen.insert(*name))
}

/// The tree as Go reads it from JSON into untyped values: scalars are converted as JSON contains
/// them, and all numbers become doubles.
#[expect(clippy::cast_precision_loss, reason = "Go reads every number as a double")]
pub(super) fn through_json(node: &Node) -> Node {
    let value = match &node.value {
        Value::Scalar(scalar) => {
            let plain = |text: String, tag| Node::scalar(text, tag, Style::Plain).value;
            match json(node) {
                Some(Json::Null) => Node::null().value,
                Some(Json::Bool(value)) => plain(value.to_string(), Tag::Bool),
                Some(Json::Int(value)) => number(value as f64),
                Some(Json::Float(value)) => number(value),
                _ => Node::scalar(Arc::clone(&scalar.text), Tag::Str, Style::DoubleQuoted).value,
            }
        }
        Value::Sequence(items, style) => {
            Value::Sequence(Arc::new(items.iter().map(through_json).collect()), *style)
        }
        Value::Mapping(mapping) => {
            let entries = mapping.entries.iter().map(|entry| {
                let key = entry.key.text().unwrap_or_default();
                let key = Node::scalar(key, Tag::Str, Style::DoubleQuoted).marked(entry.key.mark);
                MappingEntry { key, value: through_json(&entry.value) }
            });
            Value::Mapping(Arc::new(Mapping { entries: entries.collect(), style: mapping.style }))
        }
    };
    Node { value, ..Node::null().marked(node.mark) }
}

fn number(value: f64) -> Value {
    let text = json_number(value);
    let tag = if text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) {
        Tag::Int
    } else {
        Tag::Float
    };
    Node::scalar(text, tag, Style::Plain).value
}
