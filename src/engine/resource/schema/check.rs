//! Checks schema documents: those for which Kustomize panics are errors here.

use serde_json::{Map, Value};

use super::{SchemaCause, SchemaPart};

/// Checks a Swagger document as strictly as Kustomize does.
pub(super) fn check_swagger(document: &Value) -> Result<(), SchemaCause> {
    shape(document)?;
    let Some(document) = object(document, "the document")? else { return Ok(()) };
    for (name, definition) in members(document, "definitions")? {
        types(definition).map_err(|cause| within(SchemaPart::Definition(name.clone()), cause))?;
    }
    Ok(())
}

pub(super) fn shape(document: &Value) -> Result<(), SchemaCause> {
    let Some(document) = object(document, "the document")? else { return Ok(()) };
    for (name, definition) in members(document, "definitions")? {
        schema(definition, name)?;
    }
    for (path, methods) in members(document, "paths")? {
        let Some(methods) = object(methods, path)? else { continue };
        let get = methods.get("get").unwrap_or(&Value::Null);
        let Some(get) = object(get, path)? else { continue };
        if let Some(gvk) = get.get("x-kubernetes-group-version-kind") {
            complete(gvk).map_err(|cause| within(SchemaPart::Path(path.clone()), cause))?;
        }
    }
    Ok(())
}

fn within(part: SchemaPart, cause: SchemaCause) -> SchemaCause {
    SchemaCause::Within(part, Box::new(cause))
}

/// Checks that the types of a definition (`x-kubernetes-group-version-kind`) are complete.
pub(super) fn types(definition: &Value) -> Result<(), SchemaCause> {
    let types = definition.get("x-kubernetes-group-version-kind").and_then(Value::as_array);
    types.into_iter().flatten().try_for_each(complete)
}

/// Checks that a type has the fields that Kustomize requires. A value that is not a mapping is
/// skipped; a type without a group belongs to the core group.
fn complete(gvk: &Value) -> Result<(), SchemaCause> {
    if !gvk.is_object() {
        return Ok(());
    }
    let is_missing = |word: &&str| gvk.get(*word).and_then(Value::as_str).is_none();
    let missing = ["version", "kind"].into_iter().find(is_missing);
    missing.map_or(Ok(()), |word| Err(SchemaCause::IncompleteType(word)))
}

fn schema(value: &Value, name: &str) -> Result<(), SchemaCause> {
    let Some(value) = object(value, name)? else { return Ok(()) };
    for field in ["$ref", "description", "format", "title", "pattern", "type", "required"] {
        let allows_list = matches!(field, "type" | "required");
        let fits = match value.get(field) {
            None | Some(Value::Null) => true,
            Some(Value::String(_)) => field != "required",
            Some(Value::Array(items)) => allows_list && items.iter().all(Value::is_string),
            _ => false,
        };
        if !fits {
            let expected = if allows_list { "strings" } else { "a string" };
            return Err(wrong_type_cause(value.get(field), &format!("{name}.{field}"), expected));
        }
    }
    for (property, inner) in members(value, "properties")? {
        schema(inner, &format!("{name}.{property}"))?;
    }
    match value.get("items") {
        Some(Value::Array(items)) => {
            items.iter().try_for_each(|item| schema(item, &format!("{name}[]")))?;
        }
        Some(items @ Value::Object(_)) => schema(items, &format!("{name}[]"))?,
        // Kustomize skips all other values.
        _ => {}
    }
    match value.get("additionalProperties") {
        None | Some(Value::Bool(_)) => Ok(()),
        Some(inner) => schema(inner, &format!("{name}.*")),
    }
}

fn members<'v>(
    value: &'v Map<String, Value>,
    field: &str,
) -> Result<impl Iterator<Item = (&'v String, &'v Value)> + use<'v>, SchemaCause> {
    let members = value.get(field).map(|value| object(value, field)).transpose()?;
    Ok(members.flatten().into_iter().flatten())
}

/// The members of a JSON object; `None` for null, and an error for any other value.
fn object<'v>(value: &'v Value, name: &str) -> Result<Option<&'v Map<String, Value>>, SchemaCause> {
    match value {
        Value::Object(members) => Ok(Some(members)),
        Value::Null => Ok(None),
        other => Err(wrong_type_cause(Some(other), name, "an object")),
    }
}

fn wrong_type_cause(value: Option<&Value>, place: &str, expected: &'static str) -> SchemaCause {
    let found = match value {
        None | Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "a boolean",
        Some(Value::Number(_)) => "a number",
        Some(Value::String(_)) => "a string",
        Some(Value::Array(_)) => "an array",
        Some(Value::Object(_)) => "an object",
    };
    SchemaCause::WrongType { place: place.to_owned(), found, expected }
}
