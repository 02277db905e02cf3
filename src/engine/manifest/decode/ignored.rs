//! Fields that Kustomize ignores in the configuration of a built-in plugin.

use crate::manifest::Builtin;
use crate::yaml::{Mark, Node};

use super::ManifestError;
use super::go_json::{CONFIGURATION, GoPosition};
use super::transformers::decode_replacement;

/// A field that Kustomize ignores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredField {
    pub key: String,
    pub mark: Mark,
    /// The fields of the mapping with it; empty if they are not known.
    pub known: &'static [&'static str],
}

/// The fields of every configuration.
const COMMON_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The fields of a built-in plugin's configuration that Kustomize ignores; none for another
/// document.
pub fn ignored_fields(config: &Node) -> Vec<IgnoredField> {
    let text = |key: &str| config.get(key).and_then(Node::text);
    let builtin = text("kind").filter(|_| text("apiVersion") == Some("builtin"));
    let Some(builtin) = builtin.and_then(Builtin::from_kind) else { return Vec::new() };
    let known = builtin.fields();
    let mut ignored = Vec::new();
    for entry in config.entries() {
        if let Some(key) = entry.key.text()
            && !known.contains(&key)
            && !COMMON_FIELDS.contains(&key)
        {
            let (key, mark) = (key.to_owned(), entry.key.mark);
            ignored.push(IgnoredField { key, mark, known });
        }
    }
    let place = GoPosition::top(CONFIGURATION);
    let replacements = config.get("replacements").and_then(Node::items).unwrap_or_default();
    for entry in replacements.iter().filter(|_| builtin == Builtin::ReplacementTransformer) {
        let read = decode_replacement(&place, entry, "types.ReplacementField");
        if let Err(ManifestError::UnknownField { field, mark, .. }) = read {
            ignored.push(IgnoredField { key: field, mark, known: &[] });
        }
    }
    ignored
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Limits, SourceId, parse_documents};

    fn ignored(text: &str) -> Vec<(String, u32)> {
        let read = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).unwrap();
        let found = ignored_fields(&read.documents[0].node);
        found.into_iter().map(|field| (field.key, field.mark.line)).collect()
    }

    #[test]
    fn fields_of_no_plugin_are_ignored() {
        let labels =
            "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: a}\nlabel: {}\n";
        assert_eq!(ignored(labels), [("label".to_owned(), 4)]);
        let good = labels.replace("label:", "labels:");
        assert_eq!(ignored(&good), []);
        assert_eq!(ignored(&labels.replace("builtin", "v1")), []);
    }

    #[test]
    fn nested_fields_of_replacements_are_ignored() {
        let text = "apiVersion: builtin\nkind: ReplacementTransformer\nmetadata: {name: a}\n\
                    replacements:\n- source: {kind: A}\n  targets: []\n- source:\n    value: x\n";
        assert_eq!(ignored(text), [("value".to_owned(), 8)]);
    }
}
