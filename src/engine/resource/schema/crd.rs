//! `CustomResourceDefinitions` as schema sources (ruling 6).

use std::borrow::Cow;

use serde_json::Value;

use super::super::{Gvk, Scope};
use super::Schema;
use super::document::{Associative, add_definition};

/// Adds the types of a `CustomResourceDefinition`, or of a `List` of them; false when it is something else.
pub(super) fn add(schema: &mut Schema, document: &Value) -> bool {
    let kind = document.get("kind").and_then(Value::as_str).unwrap_or_default();
    if kind == "CustomResourceDefinition" {
        add_one(schema, document);
        return true;
    }
    if !kind.ends_with("List") {
        return false;
    }
    let items = document.get("items").and_then(Value::as_array);
    items.is_some_and(|items| items.iter().filter(|item| add(schema, item)).count() > 0)
}

fn add_one(schema: &mut Schema, crd: &Value) {
    let word = |path: &str| crd.pointer(path).and_then(Value::as_str).unwrap_or_default();
    let (group, kind) = (word("/spec/group"), word("/spec/names/kind"));
    let scope = if word("/spec/scope") == "Cluster" { Scope::Cluster } else { Scope::Namespaced };
    // v1beta1 may have one schema for all versions.
    let shared = crd.pointer("/spec/validation/openAPIV3Schema");
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    for version in versions.into_iter().flatten() {
        let name = version.get("name").and_then(Value::as_str).unwrap_or_default();
        let Some(open_api) = version.pointer("/schema/openAPIV3Schema").or(shared) else {
            continue;
        };
        let reversed: Vec<&str> = group.split('.').rev().collect();
        let definition = format!("{}.{name}.{kind}", reversed.join("."));
        let id = add_definition(schema, &definition, open_api, Associative::ByListType);
        let api_version = format!("{group}/{name}");
        schema.scopes.insert(Gvk::new(&api_version, kind), scope);
        schema.types.insert((Cow::Owned(api_version), Cow::Owned(kind.to_owned())), id);
    }
}
