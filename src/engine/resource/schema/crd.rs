//! `CustomResourceDefinitions` as schema sources (ruling 6, D-E4).

use std::borrow::Cow;

use serde_json::Value;

use super::super::{Gvk, Scope};
use super::document::{SchemaDialect, add_definition, add_metadata};
use super::{PropertyShapes, Schema, SchemaShape, SchemaType};

/// Adds the types of a `CustomResourceDefinition`, or of a `List` of them; false when it is
/// something else.
pub(super) fn add(schema: &mut Schema, document: &Value) -> bool {
    let kind = document.get("kind").and_then(Value::as_str).unwrap_or_default();
    if kind == "CustomResourceDefinition" {
        add_crd(schema, document);
        return true;
    }
    if !kind.ends_with("List") {
        return false;
    }
    let items = document.get("items").and_then(Value::as_array);
    items.is_some_and(|items| items.iter().filter(|item| add(schema, item)).count() > 0)
}

fn add_crd(schema: &mut Schema, crd: &Value) {
    // v1beta1 may have one schema for all versions, and one version outside the list.
    let shared = crd.pointer("/spec/validation/openAPIV3Schema");
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    for version in versions.into_iter().flatten() {
        let is_served = version.get("served").and_then(Value::as_bool).unwrap_or(true);
        let open_api = version.pointer("/schema/openAPIV3Schema").or(shared);
        let name = version.get("name").and_then(Value::as_str).unwrap_or_default();
        if is_served {
            add_version(schema, crd, name, open_api);
        }
    }
    if let (None, Some(name)) = (versions, crd.pointer("/spec/version").and_then(Value::as_str)) {
        add_version(schema, crd, name, shared);
    }
}

/// Adds the type of one version; `open_api` is its schema, if any.
fn add_version(schema: &mut Schema, crd: &Value, name: &str, open_api: Option<&Value>) {
    let word = |path: &str| crd.pointer(path).and_then(Value::as_str).unwrap_or_default();
    let (group, kind) = (word("/spec/group"), word("/spec/names/kind"));
    let scope = if word("/spec/scope") == "Cluster" { Scope::Cluster } else { Scope::Namespaced };
    let api_version = format!("{group}/{name}");
    schema.scopes.insert(Gvk::new(&api_version, kind), scope);
    let Some(open_api) = open_api else { return };
    let reversed: Vec<&str> = group.split('.').rev().collect();
    let definition = format!("{}.{name}.{kind}", reversed.join("."));
    let first = schema.shapes.len();
    let id = add_definition(schema, &definition, open_api, SchemaDialect::Crd);
    let mut fields = schema.shapes[id.0].fields.listed().to_vec();
    add_metadata(schema, &mut fields);
    for name in ["apiVersion", "kind"] {
        if !fields.iter().any(|(field, _)| field == name) {
            let text = SchemaShape { kind: SchemaType::String, ..SchemaShape::default() };
            fields.push((Cow::Borrowed(name), schema.push(text)));
        }
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    schema.shapes[id.0].fields = PropertyShapes::Parsed(fields);
    if !removes_unknown_fields(crd) {
        schema.shapes[first..].iter_mut().for_each(|shape| shape.is_closed = false);
    }
    schema.types.insert((Cow::Owned(api_version), Cow::Owned(kind.to_owned())), id);
}

/// True if the API server removes the fields that the schemas do not name: always in v1, in which
/// schemas are structural, unless the definition keeps them from an earlier version.
fn removes_unknown_fields(crd: &Value) -> bool {
    let is_v1 = crd.get("apiVersion").and_then(Value::as_str) == Some("apiextensions.k8s.io/v1");
    match crd.pointer("/spec/preserveUnknownFields").and_then(Value::as_bool) {
        Some(keeps) => !keeps,
        None => is_v1,
    }
}
