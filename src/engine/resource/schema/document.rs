//! Custom schemas, and the sources that may be merged over the built-in schema (D-E4): Swagger 2,
//! `OpenAPI` v3, `CustomResourceDefinitions`.

use std::borrow::Cow;

use serde_json::Value;

use super::super::{Gvk, Scope};
use super::{
    PropertyShapes, Schema, SchemaError, SchemaNote, SchemaShape, SchemaType, ShapeId, Text,
};
use crate::yaml::{Limits, Node, SourceId, parse_config, parse_documents, to_json};

const EMPTY_FILE: &str = "the file is empty";

/// The content of a file that is merged over the built-in schema.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaSource {
    pub schema: Schema,
    pub notes: Vec<SchemaNote>,
}

impl Schema {
    /// Parses the first document of a file (JSON or YAML) as Kustomize does: only `definitions` and
    /// `paths` of Swagger 2 are used, and a document without them is empty.
    ///
    /// # Errors
    /// Documents for which Kustomize panics, with the message `invalid schema file`.
    pub fn parse(text: &[u8]) -> Result<Self, SchemaError> {
        if text.is_empty() {
            return Err(SchemaError(EMPTY_FILE.to_owned()));
        }
        // As in Kustomize, a file with only comments is a null without types. YAML is parsed by
        // go-yaml v2, like a kustomization file: the last of several equal keys is used.
        let value = if text.first() == Some(&b'{') {
            serde_json::from_slice(text)?
        } else {
            let node = parse_config(text, SourceId::NONE, Limits::default())?;
            node.map_or(Ok(Value::Null), |node| value_of(&node))?
        };
        check_object(&value)?;
        let mut schema = Self::default();
        let mut notes = Vec::new();
        add_document(&mut schema, &value, SchemaDialect::Swagger, &mut notes);
        if let Some(SchemaNote::BadType { definition, cause }) = notes.first() {
            return Err(SchemaError(format!("definition '{definition}': {cause}")));
        }
        Ok(schema)
    }

    /// Reads any source that may be merged over the built-in schema: `OpenAPI` documents of both
    /// versions and `CustomResourceDefinitions`, several to a file (ruling 6, D-E4).
    ///
    /// # Errors
    /// The text has another form, with Kustomize's `invalid schema file`.
    pub fn parse_source(text: &[u8]) -> Result<SchemaSource, SchemaError> {
        let documents = values(text)?;
        if documents.is_empty() {
            return Err(SchemaError(EMPTY_FILE.to_owned()));
        }
        let mut source = SchemaSource::default();
        documents.iter().try_for_each(|document| add(&mut source, document))?;
        if source.schema.definitions.is_empty() && source.schema.scopes.is_empty() {
            source.notes.insert(0, SchemaNote::NoDefinitions);
        }
        Ok(source)
    }

    /// The types of the `CustomResourceDefinitions` among resources (D-E5).
    pub fn of_resources<'n>(nodes: impl Iterator<Item = &'n Node>) -> Self {
        let mut schema = Self::default();
        let crds = nodes.filter(|node| node.text_of("kind") == Some("CustomResourceDefinition"));
        for value in crds.filter_map(|node| value_of(node).ok()) {
            add_crds(&mut schema, &value);
        }
        schema
    }
}

fn add(source: &mut SchemaSource, document: &Value) -> Result<(), SchemaError> {
    if document.is_null() || add_crds(&mut source.schema, document) {
        return Ok(());
    }
    check_object(document)?;
    let dialect = if document.get("components").is_some() {
        SchemaDialect::V3
    } else {
        SchemaDialect::Swagger
    };
    add_document(&mut source.schema, document, dialect, &mut source.notes);
    Ok(())
}

/// Checks that a document and its parts are objects, or null.
///
/// # Errors
/// Kustomize panics for another document.
fn check_object(document: &Value) -> Result<(), SchemaError> {
    let [definitions, paths] = ["definitions", "paths"].map(|name| (name, document.get(name)));
    for (name, value) in [("the document", Some(document)), definitions, paths] {
        let found = match value {
            None | Some(Value::Object(_) | Value::Null) => continue,
            Some(Value::Bool(_)) => "a boolean",
            Some(Value::Number(_)) => "a number",
            Some(Value::String(_)) => "a string",
            Some(Value::Array(_)) => "an array",
        };
        return Err(SchemaError(format!("{name} is {found}; an object is expected")));
    }
    Ok(())
}

fn values(text: &[u8]) -> Result<Vec<Value>, SchemaError> {
    if let Ok(value) = serde_json::from_slice(text) {
        return Ok(vec![value]);
    }
    let file = parse_documents(text, SourceId::NONE, Limits::default())?;
    file.documents.iter().map(|document| value_of(&document.node)).collect()
}

fn value_of(node: &Node) -> Result<Value, SchemaError> {
    let text = to_json(node)?;
    Ok(serde_json::from_str(&text)?)
}

/// The format of a schema, which determines the meaning of its keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SchemaDialect {
    /// Swagger 2, as Kustomize reads it: a list is merged if `x-kubernetes-patch-strategy` contains
    /// `merge` (D-E6).
    Swagger,
    /// `OpenAPI` v3: a reference with additional keywords is written within `allOf`.
    V3,
    /// A `CustomResourceDefinition`, which can only set `x-kubernetes-list-type`.
    Crd,
}

/// Adds the definitions, types and scopes of a document to a schema. A definition with a fault is
/// skipped and reported in `notes`.
fn add_document(
    schema: &mut Schema,
    document: &Value,
    dialect: SchemaDialect,
    notes: &mut Vec<SchemaNote>,
) {
    let members = |value: Option<&Value>| value.and_then(Value::as_object).cloned();
    let definitions = match dialect {
        SchemaDialect::V3 => document.pointer("/components/schemas"),
        SchemaDialect::Swagger | SchemaDialect::Crd => document.get("definitions"),
    };
    for (name, definition) in members(definitions).unwrap_or_default() {
        if let Some(word) = missing_type_field(&definition) {
            let cause = format!("x-kubernetes-group-version-kind without {word}");
            notes.push(SchemaNote::BadType { definition: name, cause });
        } else {
            add_definition(schema, &name, &definition, dialect);
        }
    }
    for (path, methods) in members(document.get("paths")).unwrap_or_default() {
        let Some(gvk) = methods.pointer("/get/x-kubernetes-group-version-kind") else { continue };
        let (api_version, kind) = type_of(gvk);
        let gvk = Gvk::new(&api_version, &kind);
        if path.contains("namespaces/{namespace}") {
            schema.scopes.insert(gvk, Scope::Namespaced);
        } else {
            // A namespaced type may also have a path without a namespace, which lists all
            // namespaces: do not override its scope.
            schema.scopes.entry(gvk).or_insert(Scope::Cluster);
        }
    }
}

fn add_definition(
    schema: &mut Schema,
    name: &str,
    definition: &Value,
    dialect: SchemaDialect,
) -> ShapeId {
    let id = add_shape(schema, definition, dialect);
    if name.ends_with(".resource.Quantity") {
        // The documents of Kubernetes call it a string, and the API server accepts numbers as well.
        schema.shapes[id.0].kind = SchemaType::StringOrNumber;
    }
    schema.definitions.insert(Cow::Owned(name.to_owned()), id);
    let types = definition.get("x-kubernetes-group-version-kind").and_then(Value::as_array);
    for gvk in types.into_iter().flatten() {
        let (api_version, kind) = type_of(gvk);
        schema.types.insert((Cow::Owned(api_version), Cow::Owned(kind)), id);
    }
    id
}

fn add_shape(schema: &mut Schema, value: &Value, dialect: SchemaDialect) -> ShapeId {
    let alone = match value.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
        Some([one]) if dialect == SchemaDialect::V3 => one,
        _ => value,
    };
    if let Some(reference) = alone.get("$ref").and_then(Value::as_str) {
        let name = reference
            .trim_start_matches("#/definitions/")
            .trim_start_matches("#/components/schemas/");
        let reference = Some(Cow::Owned(name.to_owned()));
        return schema.push(SchemaShape { reference, ..SchemaShape::default() });
    }
    let kind = schema_type(value);
    let is_closed = is_closed(value, kind, dialect);
    let properties = value.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut fields: Vec<_> = properties
        .map(|(name, field)| (Text::Owned(name.clone()), add_shape(schema, field, dialect)))
        .collect();
    if dialect == SchemaDialect::Crd && is_true(value, "x-kubernetes-embedded-resource") {
        add_metadata(schema, &mut fields);
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    let inner = if kind == SchemaType::Array { "items" } else { "additionalProperties" };
    let inner = value.get(inner);
    let inner =
        inner.filter(|inner| inner.is_object()).map(|inner| add_shape(schema, inner, dialect));
    let merge = merge_keys(value, dialect);
    schema.push(SchemaShape {
        kind,
        reference: None,
        fields: PropertyShapes::Parsed(fields),
        inner,
        merge,
        is_closed,
        values: enum_values(value),
    })
}

/// True if an object has only the fields that its schema names. The API server removes all others
/// from a custom resource with a structural schema; a schema of another document is closed if it
/// names fields.
fn is_closed(value: &Value, kind: SchemaType, dialect: SchemaDialect) -> bool {
    let names_fields =
        value.get("properties").and_then(Value::as_object).is_some_and(|all| !all.is_empty());
    let has_others = value.get("additionalProperties").is_some_and(|it| *it != Value::Bool(false))
        || is_true(value, "x-kubernetes-preserve-unknown-fields")
        || is_true(value, "x-kubernetes-embedded-resource");
    let is_object = kind == SchemaType::Object || kind == SchemaType::Any && names_fields;
    is_object && !has_others && (names_fields || dialect == SchemaDialect::Crd)
}

fn enum_values(value: &Value) -> Vec<Text> {
    let values = value.get("enum").and_then(Value::as_array).into_iter().flatten();
    let text = |value: &Value| match value {
        Value::String(text) => Some(Text::Owned(text.clone())),
        Value::Number(_) | Value::Bool(_) => Some(Text::Owned(value.to_string())),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    };
    values.filter_map(text).collect()
}

fn is_true(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool).unwrap_or_default()
}

/// Gives an object the metadata of every Kubernetes object, as the API server does when it
/// publishes a type.
fn add_metadata(schema: &mut Schema, fields: &mut Vec<(Text, ShapeId)>) {
    let reference = Some(Cow::Borrowed("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"));
    let id = schema.push(SchemaShape { reference, ..SchemaShape::default() });
    match fields.iter_mut().find(|(name, _)| name == "metadata") {
        Some((_, field)) => *field = id,
        None => fields.push((Cow::Borrowed("metadata"), id)),
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
}

/// The `type` of a part of a schema. A list with a single type counts as that type.
fn schema_type(value: &Value) -> SchemaType {
    // OpenAPI v3.1 and some generators write a list of one.
    let of_one = |kind: &Value| kind.as_array().is_some_and(|kinds| kinds.len() == 1);
    if is_true(value, "x-kubernetes-int-or-string")
        || value.get("format").and_then(Value::as_str) == Some("int-or-string")
    {
        return SchemaType::StringOrNumber;
    }
    let kind = value.get("type");
    let word = kind.and_then(|kind| if of_one(kind) { kind.get(0) } else { Some(kind) }?.as_str());
    match word {
        Some("string") => SchemaType::String,
        Some("integer") => SchemaType::Integer,
        Some("number") => SchemaType::Number,
        Some("boolean") => SchemaType::Boolean,
        Some("object") => SchemaType::Object,
        Some("array") => SchemaType::Array,
        _ => SchemaType::Any,
    }
}

/// The keys that identify the elements of a list that is merged; `None` for a list that is
/// replaced.
fn merge_keys(value: &Value, dialect: SchemaDialect) -> Option<Vec<Cow<'static, str>>> {
    let word = |name: &str| value.get(name).and_then(Value::as_str);
    let strategy = word("x-kubernetes-patch-strategy").unwrap_or_default();
    let by_strategy = strategy.split(',').any(|one| one == "merge");
    let by_type = dialect == SchemaDialect::Crd
        && matches!(word("x-kubernetes-list-type"), Some("map" | "set"));
    if !by_strategy && !by_type {
        return None;
    }
    if let Some(keys) = value.get("x-kubernetes-list-map-keys").and_then(Value::as_array) {
        let keys = keys.iter().filter_map(Value::as_str);
        return Some(keys.map(|key| Cow::Owned(key.to_owned())).collect());
    }
    let key = word("x-kubernetes-patch-merge-key").into_iter();
    Some(key.map(|key| Cow::Owned(key.to_owned())).collect())
}

fn type_of(gvk: &Value) -> (String, String) {
    let word = |name: &str| gvk.get(name).and_then(Value::as_str).unwrap_or_default();
    let (group, version) = (word("group"), word("version"));
    let api_version =
        if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    (api_version, word("kind").to_owned())
}

/// The field that Kustomize requires in the types of a definition and does not find. A type without
/// a group belongs to the core group, and a value that is not a mapping is skipped.
fn missing_type_field(definition: &Value) -> Option<&'static str> {
    let types = definition.get("x-kubernetes-group-version-kind").and_then(Value::as_array);
    types.into_iter().flatten().filter(|gvk| gvk.is_object()).find_map(|gvk| {
        let mut required = ["version", "kind"].into_iter();
        required.find(|word| gvk.get(word).and_then(Value::as_str).is_none())
    })
}

/// Adds the types of a `CustomResourceDefinition`, or of a `List` of them; false when it is
/// something else.
fn add_crds(schema: &mut Schema, document: &Value) -> bool {
    let kind = document.get("kind").and_then(Value::as_str).unwrap_or_default();
    if kind == "CustomResourceDefinition" {
        add_crd(schema, document);
        return true;
    }
    if !kind.ends_with("List") {
        return false;
    }
    let items = document.get("items").and_then(Value::as_array);
    items.is_some_and(|items| items.iter().filter(|item| add_crds(schema, item)).count() > 0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openapi_v3_is_empty_for_kustomize() {
        let v3 = br##"{"components": {"schemas": {"b": {"type": "object"},
            "a": {"x-kubernetes-group-version-kind": [{"group": "a.io", "version": "v1", "kind": "Foo"}],
              "properties": {"b": {"allOf": [{"$ref": "#/components/schemas/b"}]}}}}}}"##;
        assert!(Schema::parse(v3).unwrap().is_empty());
        let source = Schema::parse_source(v3).unwrap();
        let b = source.schema.of_type("a.io/v1", "Foo").unwrap().field("b").unwrap();
        assert_eq!(b.kind(), SchemaType::Object);
    }
}
