//! The fields of an imported Composition entry that overrides change.

use super::compare::{FieldPath, FieldSegment, differences};
use super::provenance::blame::value_text;
use super::recording::field::value_at;
use super::secrets::Secrets;
use crate::engine::evaluate::{CompositionLocation, ConsolidatedEntry};
use crate::engine::yaml::{Mark, Node, print_flow};

/// A field of an imported entry with its values: the imported one, then one for each override that
/// changes the field. The last one is final.
#[derive(Clone, Debug)]
pub struct OverriddenField {
    pub path: FieldPath,
    pub values: Vec<OverrideValue>,
}

#[derive(Clone, Debug)]
pub struct OverrideValue {
    /// `None` if the field is not set.
    pub value: Option<Node>,
    /// The location of the value; of a value that is not set, the location of the entry or of the
    /// override.
    pub mark: Mark,
}

/// The fields that overrides change, in the order of the overrides. An override of several fields
/// that sets one of them to the imported value does not change that one.
pub fn overridden_fields(entry: &ConsolidatedEntry) -> Vec<OverriddenField> {
    let mut fields: Vec<OverriddenField> = Vec::new();
    let states = entry.overridden_by.iter().map(|applied| &applied.before);
    let after = states.skip(1).chain([&entry.config]);
    for (applied, after) in entry.overridden_by.iter().zip(after) {
        let mut changed: Vec<FieldPath> = Vec::new();
        for change in differences(&applied.before, after) {
            let path = without_texts(&change.path);
            if changed.contains(&path) {
                continue;
            }
            let (before, after) = if path == change.path {
                (change.before, change.after)
            } else {
                (value_of(&path, &applied.before), value_of(&path, after))
            };
            let last = OverrideValue::new(after, &applied.place);
            match fields.iter_mut().find(|field| field.path == path) {
                Some(field) => field.values.push(last),
                None => fields.push(OverriddenField {
                    values: vec![OverrideValue::new(before, &entry.origin), last],
                    path: path.clone(),
                }),
            }
            changed.push(path);
        }
    }
    fields
}

/// The path up to a list of texts: an override replaces such a list as a whole.
fn without_texts(path: &FieldPath) -> FieldPath {
    let is_text = |segment: &&FieldSegment| matches!(segment, FieldSegment::Element(key, _) if key.is_empty());
    FieldPath(path.0.iter().take_while(|segment| !is_text(segment)).cloned().collect())
}

fn value_of(path: &FieldPath, config: &Node) -> Option<Node> {
    value_at(config, &path.find(config)?).map(|(value, _)| value.clone())
}

impl OverrideValue {
    fn new(value: Option<Node>, place: &CompositionLocation) -> Self {
        let mark = value.as_ref().map_or(place.mark, |value| value.mark);
        Self { value, mark }
    }
}

impl OverriddenField {
    /// The values as texts of one line, with values of Secrets masked, each with its location.
    pub fn texts(&self, kind: &str, secrets: &Secrets) -> Vec<(String, Mark)> {
        let text = |it: &OverrideValue| match &it.value {
            Some(value) => (self.masked(kind, value, secrets), it.mark),
            None => ("not set".to_owned(), it.mark),
        };
        self.values.iter().map(text).collect()
    }

    /// The text of a value. No build contains an imported value, so it is masked by its position in
    /// an entry of this kind, too.
    fn masked(&self, kind: &str, value: &Node, secrets: &Secrets) -> String {
        let mut document = format!("kind: {kind}\n");
        let mut indent = String::new();
        for segment in &self.path.0 {
            match segment {
                FieldSegment::Key(key) => {
                    document.push_str(&format!("{indent}{}:\n", print_flow(&Node::string(&**key))));
                }
                _ => document.push_str(&format!("{indent}-\n")),
            }
            indent.push_str("  ");
        }
        let written = print_flow(value);
        let masked = secrets.mask_yaml(&format!("{document}{indent}{written}"));
        match masked.strip_prefix(&*document) {
            Some(masked) if masked.trim_start() == written => value_text(value),
            masked => masked.unwrap_or_default().trim_start().to_owned(),
        }
    }
}
