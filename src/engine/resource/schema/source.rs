//! The sources that may be merged over the built-in schema (D-E4): Swagger 2, `OpenAPI` v3,
//! `CustomResourceDefinitions`.

use serde_json::Value;

use super::document::{EMPTY_FILE, SchemaDialect, add_document, check_object, value_of, values};
use super::{Schema, SchemaError, SchemaNote, crd};
use crate::yaml::Node;

/// The content of a file that is merged over the built-in schema.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaSource {
    pub schema: Schema,
    pub notes: Vec<SchemaNote>,
}

impl Schema {
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
            crd::add(&mut schema, &value);
        }
        schema
    }
}

fn add(source: &mut SchemaSource, document: &Value) -> Result<(), SchemaError> {
    if document.is_null() || crd::add(&mut source.schema, document) {
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
