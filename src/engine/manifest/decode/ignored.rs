//! Fields that Kustomize ignores in the configuration of a built-in plugin.

use crate::diagnostic::Hint;
use crate::load::nearest_name;
use crate::manifest::{Builtin, Replacement};
use crate::yaml::{Mark, Node};

use super::go_json::{CONFIGURATION, GoPosition};
use super::{ManifestError, ManifestFault};

/// A field that Kustomize ignores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredField {
    pub key: String,
    pub mark: Mark,
    pub hint: Option<Hint>,
}

const SOURCE_VALUE: &str = "write a fixed value as `sourceValue: VALUE` in place of `source`";

/// The fields of every configuration.
const COMMON_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The fields of a built-in plugin's configuration that Kustomize ignores; none for another
/// document.
pub fn ignored_fields(config: &Node) -> Vec<IgnoredField> {
    let text = |key: &str| config.text_of(key);
    let builtin = text("kind").filter(|_| text("apiVersion") == Some("builtin"));
    let Some(builtin) = builtin.and_then(Builtin::from_kind) else { return Vec::new() };
    let known = builtin.fields();
    let mut ignored = Vec::new();
    for entry in config.entries() {
        if let Some(key) = entry.key.text()
            && !known.contains(&key)
            && !COMMON_FIELDS.contains(&key)
        {
            let near = nearest_name(key, known.iter().copied());
            let hint = near.map(|near| Hint::DidYouMean(near.to_owned()));
            ignored.push(IgnoredField { key: key.to_owned(), mark: entry.key.mark, hint });
        }
    }
    let place = GoPosition::top(CONFIGURATION);
    let replacements = config.items_of("replacements");
    for entry in replacements.iter().filter(|_| builtin == Builtin::ReplacementTransformer) {
        if let Err(ManifestError { fault, hint, mark, .. }) = place.read::<Replacement>(entry)
            && let ManifestFault::UnknownField { field, .. } = fault
        {
            let is_fixed_value = field == "value" && entry.get("source").is_some_and(has_value);
            let hint = if is_fixed_value { Some(SOURCE_VALUE.into()) } else { hint.map(|it| *it) };
            ignored.push(IgnoredField { key: field, mark, hint });
        }
    }
    ignored
}

fn has_value(source: &Node) -> bool {
    source.get("value").is_some()
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
