//! The annotation with the transformations of a resource (Kustomize: `resource.Transformations`).

use crate::yaml::{Limits, Node, SourceId, parse_config};

use super::ManifestError;
use super::go_json::{GoPosition, LENIENT, Result};

/// One transformation in the annotation: the fields that Kustomize reads, in Kustomize's order; an
/// empty field counts as absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredOrigin {
    /// `path`, `repo`, `ref` and `configuredIn`.
    pub texts: [String; 4],
    /// The fields of `configuredBy`: `apiVersion`, `kind`, `name` and `namespace`.
    pub configured_by: [String; 4],
}

impl DeclaredOrigin {
    /// The names of [`DeclaredOrigin::texts`].
    pub const TEXTS: &[&str] = &["path", "repo", "ref", "configuredIn"];
    /// The names of [`DeclaredOrigin::configured_by`].
    pub const CONFIGURED_BY: &[&str] = &["apiVersion", "kind", "name", "namespace"];
    const FIELDS: &[&str] = &["path", "repo", "ref", "configuredIn", "configuredBy"];

    fn read(&mut self, place: &GoPosition<'_>, node: &Node) -> Result<()> {
        place.fields(node, "resource.Origin", Self::FIELDS, |field| {
            if field.name != "configuredBy" {
                let text = field.place.string(field.value)?;
                put(&mut self.texts, Self::TEXTS, field.name, text);
                return Ok(());
            }
            let by = field.place;
            by.fields(field.value, "yaml.ResourceIdentifier", Self::CONFIGURED_BY, |field| {
                let text = field.place.embedded().string(field.value)?;
                put(&mut self.configured_by, Self::CONFIGURED_BY, field.name, text);
                Ok(())
            })
        })
    }
}

fn put(texts: &mut [String; 4], names: &[&str], name: &str, text: String) {
    let named = names.iter().zip(texts).find(|(known, _)| **known == name);
    if let Some((_, slot)) = named {
        *slot = text;
    }
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
        let mut told = DeclaredOrigin::default();
        told.read(place, node)?;
        Ok((!node.is_null()).then_some(told))
    };
    let list = place.list(&root.unwrap_or_default(), "resource.Transformations", read)?;
    Ok(list.into_iter().map(|told| told.value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<Vec<Option<DeclaredOrigin>>, String> {
        decode_transformations(text).map_err(|error| error.to_string())
    }

    #[test]
    fn keys_of_any_case_are_read_and_texts_are_coerced() {
        let told = read(
            "- {PATH: 1.0, path: x, ref: 0x10}\n- null\n- {configuredby: {kind: a}, configuredBy: {name: b}}\n",
        );
        let [Some(one), None, Some(by)] = &told.unwrap()[..] else { panic!("other items") };
        assert_eq!(one.texts, ["x", "", "16", ""]);
        assert_eq!(by.configured_by, ["", "a", "b", ""]);
        assert_eq!(read("").unwrap(), []);
    }

    #[test]
    fn wrong_types_fail_with_go_messages() {
        let json = "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ";
        for (text, told) in [
            ("text", "string into Go value of type resource.Transformations"),
            ("- [a]", "array into Go value of type resource.Origin"),
            ("- path: {a: b}", "object into Go struct field Origin.path of type string"),
            (
                "- CONFIGUREDBY: x",
                "string into Go struct field Origin.configuredBy of type yaml.ResourceIdentifier",
            ),
            (
                "- configuredBy: {name: 5}",
                "number into Go struct field ResourceIdentifier.configuredBy.name of type string",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), format!("{json}{told}"), "{text}");
        }
        assert!(read("- a: [").unwrap_err().starts_with("error converting YAML to JSON: yaml: "));
    }
}
