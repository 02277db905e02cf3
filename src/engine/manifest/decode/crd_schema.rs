//! The types of an `OpenAPI` schema's fields, as Go checks them in a file of `crds`.

use crate::yaml::{Node, NodeKind, Tag};

use super::go_json::json_name;

/// The type of a field of `spec.Schema`; other fields accept any type.
#[derive(Clone, Copy)]
enum CrdFieldType {
    Text,
    Bool,
    Number,
    Integer,
    Texts,
    TextOrTexts,
    Values,
    Schema,
    Schemas,
    NamedSchemas,
    SchemaOrSchemas,
}

const FIELDS: [(&str, CrdFieldType); 31] = [
    ("additionalItems", CrdFieldType::SchemaOrSchemas),
    ("additionalProperties", CrdFieldType::SchemaOrSchemas),
    ("allOf", CrdFieldType::Schemas),
    ("anyOf", CrdFieldType::Schemas),
    ("definitions", CrdFieldType::NamedSchemas),
    ("description", CrdFieldType::Text),
    ("discriminator", CrdFieldType::Text),
    ("enum", CrdFieldType::Values),
    ("exclusiveMaximum", CrdFieldType::Bool),
    ("exclusiveMinimum", CrdFieldType::Bool),
    ("format", CrdFieldType::Text),
    ("id", CrdFieldType::Text),
    ("items", CrdFieldType::SchemaOrSchemas),
    ("maxItems", CrdFieldType::Integer),
    ("maxLength", CrdFieldType::Integer),
    ("maxProperties", CrdFieldType::Integer),
    ("maximum", CrdFieldType::Number),
    ("minItems", CrdFieldType::Integer),
    ("minLength", CrdFieldType::Integer),
    ("minProperties", CrdFieldType::Integer),
    ("minimum", CrdFieldType::Number),
    ("multipleOf", CrdFieldType::Number),
    ("not", CrdFieldType::Schema),
    ("nullable", CrdFieldType::Bool),
    ("oneOf", CrdFieldType::Schemas),
    ("pattern", CrdFieldType::Text),
    ("patternProperties", CrdFieldType::NamedSchemas),
    ("properties", CrdFieldType::NamedSchemas),
    ("required", CrdFieldType::Texts),
    ("title", CrdFieldType::Text),
    ("type", CrdFieldType::TextOrTexts),
];

/// The first value in a schema with a type that Go cannot read, and the expected type.
pub(super) fn first_type_mismatch(schema: &Node) -> Option<(&Node, &'static str)> {
    if schema.is_null() {
        return None;
    }
    if schema.as_mapping().is_none() {
        return Some((schema, "spec.Schema"));
    }
    schema.entries().iter().find_map(|entry| {
        let name = entry.key.text()?;
        let (_, holds) = FIELDS.iter().find(|(field, _)| *field == name)?;
        if entry.value.is_null() { None } else { holds.misfit(&entry.value) }
    })
}

impl CrdFieldType {
    fn misfit(self, value: &Node) -> Option<(&Node, &'static str)> {
        let unless = |fits: bool, go_type| (!fits).then_some((value, go_type));
        let items = || value.items().unwrap_or_default().iter();
        let is = |name| json_name(value) == name;
        match self {
            Self::Text => unless(is("string"), "string"),
            Self::Bool => unless(is("bool"), "bool"),
            Self::Number => unless(is("number"), "float64"),
            Self::Integer => {
                let whole = value.as_scalar().is_some_and(|scalar| scalar.tag == Tag::Int);
                unless(whole, "int64")
            }
            Self::Texts => unless(is("array"), "[]string")
                .or_else(|| items().find_map(|item| Self::Text.misfit(item))),
            Self::TextOrTexts => {
                let texts = items().all(|item| json_name(item) == "string");
                unless(is("string") || is("array") && texts, "spec.StringOrArray")
            }
            Self::Values => unless(is("array"), "[]interface {}"),
            Self::Schema => first_type_mismatch(value),
            Self::Schemas => unless(is("array"), "[]spec.Schema")
                .or_else(|| items().find_map(first_type_mismatch)),
            Self::NamedSchemas => unless(is("object"), "map[string]spec.Schema").or_else(|| {
                value.entries().iter().find_map(|entry| first_type_mismatch(&entry.value))
            }),
            // Kustomize ignores values that are neither a mapping nor a list.
            Self::SchemaOrSchemas => match value.kind() {
                NodeKind::Mapping => first_type_mismatch(value),
                NodeKind::Sequence => items().find_map(first_type_mismatch),
                NodeKind::Scalar => None,
            },
        }
    }
}
