//! Checks schema documents: those for which Kustomize panics are errors here.

use serde_json::{Map, Value};

use super::SchemaError;

/// Checks a Swagger document, and the types of all of its definitions.
pub(super) fn check_swagger(document: &Value) -> Result<(), SchemaError> {
    shape(document)?;
    for (name, definition) in members(document, "definitions")? {
        types(definition).map_err(|cause| SchemaError(format!("definition '{name}': {cause}")))?;
    }
    Ok(())
}

pub(super) fn shape(document: &Value) -> Result<(), SchemaError> {
    object(document, "the document")?;
    for (name, definition) in members(document, "definitions")? {
        object(definition, name)?;
    }
    for (path, methods) in members(document, "paths")? {
        let get = object(methods, path)?.and_then(|methods| methods.get("get"));
        let get = get.map_or(Ok(None), |get| object(get, path))?;
        if let Some(gvk) = get.and_then(|get| get.get("x-kubernetes-group-version-kind")) {
            complete(gvk).map_err(|cause| SchemaError(format!("path '{path}': {cause}")))?;
        }
    }
    Ok(())
}

/// Checks that the types of a definition (`x-kubernetes-group-version-kind`) are complete.
pub(super) fn types(definition: &Value) -> Result<(), String> {
    let types = definition.get("x-kubernetes-group-version-kind").and_then(Value::as_array);
    types.into_iter().flatten().try_for_each(complete)
}

/// Checks that a type has the fields that Kustomize requires. A value that is not a mapping is
/// skipped; a type without a group belongs to the core group.
fn complete(gvk: &Value) -> Result<(), String> {
    if !gvk.is_object() {
        return Ok(());
    }
    let is_missing = |word: &&str| gvk.get(*word).and_then(Value::as_str).is_none();
    let missing = ["version", "kind"].into_iter().find(is_missing);
    missing.map_or(Ok(()), |word| Err(format!("x-kubernetes-group-version-kind without {word}")))
}

fn members<'v>(
    value: &'v Value,
    field: &str,
) -> Result<impl Iterator<Item = (&'v String, &'v Value)> + use<'v>, SchemaError> {
    let members = value.get(field).map(|value| object(value, field)).transpose()?;
    Ok(members.flatten().into_iter().flatten())
}

/// The members of a JSON object; `None` for null, and an error for any other value.
fn object<'v>(value: &'v Value, name: &str) -> Result<Option<&'v Map<String, Value>>, SchemaError> {
    let found = match value {
        Value::Object(members) => return Ok(Some(members)),
        Value::Null => return Ok(None),
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
    };
    Err(SchemaError(format!("{name} is {found}; an object is expected")))
}
