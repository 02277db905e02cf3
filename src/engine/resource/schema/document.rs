//! Custom schemas: `OpenAPI` documents with definitions and paths.

use std::borrow::Cow;

use serde_json::Value;

use super::super::{Gvk, Scope};
use super::{Schema, SchemaError, Shape, ShapeId, Text, Type, crd};
use crate::engine::yaml::{Limits, SourceId, parse_config, to_json};

pub(super) fn parse(text: &[u8]) -> Result<Schema, SchemaError> {
    let invalid = |reason: String| SchemaError(format!("invalid schema file: {reason}"));
    let value: Value = match serde_json::from_slice(text) {
        Ok(value) => value,
        Err(json) => {
            let node = parse_config(text, SourceId::NONE, Limits::default())
                .map_err(|yaml| invalid(yaml.to_string()))?
                .ok_or_else(|| invalid(json.to_string()))?;
            let text = to_json(&node).map_err(|yaml| invalid(yaml.to_string()))?;
            serde_json::from_str(&text).map_err(|json| invalid(json.to_string()))?
        }
    };
    if !value.is_object() {
        return Err(invalid("it is not an object".to_owned()));
    }
    let mut schema = Schema::default();
    if !crd::add(&mut schema, &value) {
        add_document(&mut schema, &value);
    }
    Ok(schema)
}

fn add_document(schema: &mut Schema, document: &Value) {
    let definitions =
        document.get("definitions").or_else(|| document.pointer("/components/schemas"));
    for (name, definition) in definitions.and_then(Value::as_object).into_iter().flatten() {
        add_definition(schema, name, definition, Associative::ByStrategy);
    }
    for (path, methods) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        let Some(gvk) = methods.pointer("/get/x-kubernetes-group-version-kind") else { continue };
        let (api_version, kind) = type_of(gvk);
        let gvk = Gvk::new(&api_version, &kind);
        if path.contains("namespaces/{namespace}") {
            schema.scopes.insert(gvk, Scope::Namespaced);
        } else {
            // A namespaced type also has a path over all namespaces.
            schema.scopes.entry(gvk).or_insert(Scope::Cluster);
        }
    }
}

/// What makes a list associative.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Associative {
    /// `x-kubernetes-patch-strategy`, as in Kustomize.
    ByStrategy,
    /// Also `x-kubernetes-list-type`, which is all that a `CustomResourceDefinition` can say.
    ByListType,
}

pub(super) fn add_definition(
    schema: &mut Schema,
    name: &str,
    definition: &Value,
    associative: Associative,
) -> ShapeId {
    let id = add_shape(schema, definition, associative);
    schema.definitions.insert(Cow::Owned(name.to_owned()), id);
    let types = definition.get("x-kubernetes-group-version-kind").and_then(Value::as_array);
    for gvk in types.into_iter().flatten() {
        let (api_version, kind) = type_of(gvk);
        schema.types.insert((Cow::Owned(api_version), Cow::Owned(kind)), id);
    }
    id
}

/// Adds a schema whose root is the first shape.
pub(super) fn add_root(schema: &mut Schema, value: &Value) {
    // The root's place is taken before its children come.
    schema.push(Shape::default());
    let id = add_shape(schema, value, Associative::ByStrategy);
    schema.shapes[0] = schema.shapes[id.0].clone();
}

fn add_shape(schema: &mut Schema, value: &Value, associative: Associative) -> ShapeId {
    if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
        let name = reference
            .trim_start_matches("#/definitions/")
            .trim_start_matches("#/components/schemas/");
        let reference = Some(Cow::Owned(name.to_owned()));
        return schema.push(Shape { reference, ..Shape::default() });
    }
    let kind = type_word(value);
    let mut fields: Vec<_> = value
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(name, field)| (Text::Owned(name.clone()), add_shape(schema, field, associative)))
        .collect();
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    let inner = if kind == Type::Array { "items" } else { "additionalProperties" };
    let inner = value.get(inner).filter(|inner| inner.is_object());
    let inner = inner.map(|inner| add_shape(schema, inner, associative));
    let merge = merge_keys(value, associative);
    schema.push(Shape { kind, reference: None, fields, inner, merge })
}

fn type_word(value: &Value) -> Type {
    // OpenAPI v3.1 and some generators write a list of one.
    let word = value.get("type").and_then(|kind| kind.as_str().or_else(|| kind.get(0)?.as_str()));
    match word {
        Some("string") => Type::String,
        Some("integer") => Type::Integer,
        Some("number") => Type::Number,
        Some("boolean") => Type::Boolean,
        Some("object") => Type::Object,
        Some("array") => Type::Array,
        _ => Type::Any,
    }
}

fn merge_keys(value: &Value, associative: Associative) -> Option<Vec<Cow<'static, str>>> {
    let word = |name: &str| value.get(name).and_then(Value::as_str);
    let by_strategy = word("x-kubernetes-patch-strategy")
        .is_some_and(|text| text.split(',').any(|s| s == "merge"));
    let by_type = associative == Associative::ByListType
        && matches!(word("x-kubernetes-list-type"), Some("map" | "set"));
    if !by_strategy && !by_type {
        return None;
    }
    if let Some(keys) = value.get("x-kubernetes-list-map-keys").and_then(Value::as_array) {
        let keys = keys.iter().filter_map(Value::as_str);
        return Some(keys.map(|key| Cow::Owned(key.to_owned())).collect());
    }
    let key = word("x-kubernetes-patch-merge-key");
    Some(key.into_iter().map(|key| Cow::Owned(key.to_owned())).collect())
}

fn type_of(gvk: &Value) -> (String, String) {
    let word = |name: &str| gvk.get(name).and_then(Value::as_str).unwrap_or_default();
    let (group, version) = (word("group"), word("version"));
    let api_version =
        if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    (api_version, word("kind").to_owned())
}
