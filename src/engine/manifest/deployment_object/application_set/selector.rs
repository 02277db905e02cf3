//! The `selector` of a generator, which selects elements.

use std::sync::Arc;

use crate::yaml::Node;

use super::render::Element;
use super::value::{ParamValue, flattened};

const IN: &str = "In";

/// One condition of a selector: a key, an operator, and values.
type Condition<'s> = (&'s str, &'s str, &'s [Node]);

/// The conditions of a selector; a pair of `matchLabels` is one with a single value.
fn conditions(selector: &Node) -> impl Iterator<Item = Condition<'_>> {
    let labels = selector.get("matchLabels").map(Node::entries).unwrap_or_default().iter();
    let labels = labels.map(|entry| {
        (entry.key.text().unwrap_or_default(), IN, std::slice::from_ref(&entry.value))
    });
    labels.chain(selector.items_of("matchExpressions").iter().map(|it| {
        let text = |key: &str| it.text_of(key).unwrap_or_default();
        (text("key"), text("operator"), it.items_of("values"))
    }))
}

/// True if a selector matches the parameters; a parameter that is not known is assumed to match.
pub(super) fn matches(selector: &Node, element: &Element) -> bool {
    let flat = flattened(&element.params);
    conditions(selector).all(|(key, operator, values)| {
        // The metadata of some clusters are not known.
        let is_assumed = element.cluster.is_unknown() && key.starts_with("metadata.");
        let text = match flat.get(key).map(|param| &param.value) {
            None if is_assumed => return true,
            None => None,
            Some(ParamValue::Text(text)) => Some(&**text),
            Some(_) => return true,
        };
        let is_listed = text.is_some() && values.iter().any(|value| value.text() == text);
        match operator {
            IN => is_listed,
            "NotIn" => !is_listed,
            "Exists" => text.is_some(),
            "DoesNotExist" => text.is_none(),
            _ => false,
        }
    })
}

/// True if a selector wants values of a parameter that `element` does not know, and each of them is
/// the value of another element: then the clusters that `element` represents are not selected.
pub(super) fn wants_others(selector: &Node, element: &Element, all: &[Element]) -> bool {
    let flat = flattened(&element.params);
    conditions(selector).filter(|(_, operator, _)| *operator == IN).any(|(key, _, values)| {
        let Some(ParamValue::Unknown(_)) = flat.get(key).map(|param| &param.value) else {
            return false;
        };
        let known: Vec<Arc<str>> = all
            .iter()
            .filter_map(|other| match &flattened(&other.params).get(key)?.value {
                ParamValue::Text(text) => Some(text.clone()),
                _ => None,
            })
            .collect();
        values.iter().all(|value| {
            value.text().is_some_and(|text| known.iter().any(|known| **known == *text))
        })
    })
}
