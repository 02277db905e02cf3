//! The annotation with the transformations of a resource (Kustomize: `resource.Transformations`).

use crate::yaml::{Limits, Node, SourceId, parse_config};

use super::ManifestError;
use super::go_json::{GoPosition, LENIENT, Result};
use super::go_struct::{GoField, GoStruct, embedded, field};

/// One transformation in the annotation; an empty field counts as absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredOrigin {
    /// `path`, `repo`, `ref` and `configuredIn`.
    pub texts: [String; 4],
    pub configured_by: DeclaredConfig,
}

/// The fields of `configuredBy`: `apiVersion`, `kind`, `name` and `namespace`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredConfig(pub [String; 4]);

impl GoStruct for DeclaredOrigin {
    const GO_TYPE: &'static str = "resource.Origin";
    const FIELDS: &'static [GoField<Self>] = &[
        field("path", |it| &mut it.texts[0]),
        field("repo", |it| &mut it.texts[1]),
        field("ref", |it| &mut it.texts[2]),
        field("configuredIn", |it| &mut it.texts[3]),
        field("configuredBy", |it| &mut it.configured_by),
    ];
}

impl GoStruct for DeclaredConfig {
    const GO_TYPE: &'static str = "yaml.ResourceIdentifier";
    const FIELDS: &'static [GoField<Self>] = &[
        embedded("apiVersion", |it| &mut it.0[0]),
        embedded("kind", |it| &mut it.0[1]),
        embedded("name", |it| &mut it.0[2]),
        embedded("namespace", |it| &mut it.0[3]),
    ];
}

/// Decodes the annotation; a null item is `None`. Errors have locations in the text.
///
/// # Errors
/// The text is no YAML, no list, or a field has a wrong type.
pub fn decode_transformations(text: &str) -> Result<Vec<Option<DeclaredOrigin>>> {
    let place = GoPosition::top(LENIENT);
    let root =
        parse_config(text.as_bytes(), SourceId::NONE, Limits::default()).map_err(|error| {
            ManifestError::yaml("error converting YAML to JSON: ", error, SourceId::NONE)
        })?;
    let read = |place: &GoPosition<'_>, node: &Node| {
        if node.is_null() { Ok(None) } else { place.read(node).map(Some) }
    };
    let list = place.list(&root.unwrap_or_default(), "resource.Transformations", read)?;
    Ok(list.into_iter().map(|told| told.value).collect())
}
