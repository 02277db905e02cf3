//! The `selector` of a generator, which selects elements.

use crate::yaml::Node;

use super::render::Element;
use super::value::{Param, ParamValue, flattened};

/// True if a selector matches the parameters; a parameter that is not known is assumed to match.
pub(super) fn matches(selector: &Node, element: &Element) -> bool {
    let flat = flattened(&element.params);
    let labels = selector.get("matchLabels").map(Node::entries).unwrap_or_default();
    let equal = labels.iter().all(|entry| {
        let key = entry.key.text().unwrap_or_default();
        match flat.get(key).map(|param| &param.value) {
            None => is_unknown_metadata(element, key),
            Some(ParamValue::Text(text)) => Some(&**text) == entry.value.text(),
            Some(_) => true,
        }
    });
    let expressions = selector.get("matchExpressions").and_then(Node::items).unwrap_or_default();
    equal
        && expressions.iter().all(|expression| {
            let key = expression.get("key").and_then(Node::text).unwrap_or_default();
            let operator = expression.get("operator").and_then(Node::text).unwrap_or_default();
            let values = expression.get("values").and_then(Node::items).unwrap_or_default();
            expression_matches(operator, values, flat.get(key), is_unknown_metadata(element, key))
        })
}

/// True if a selector wants values of a parameter that `element` does not know, and each of them is
/// the value of another element: then the clusters that `element` represents are not selected.
pub(super) fn wants_others(selector: &Node, element: &Element, all: &[Element]) -> bool {
    let flat = flattened(&element.params);
    let is_unknown = |key: &str| {
        let value = flat.get(key).map(|param| &param.value);
        matches!(value, Some(ParamValue::Unknown(_)))
    };
    let labels = selector.get("matchLabels").map(Node::entries).unwrap_or_default();
    let labels = labels.iter().map(|entry| (entry.key.text(), std::slice::from_ref(&entry.value)));
    let expressions = selector.get("matchExpressions").and_then(Node::items).unwrap_or_default();
    let expressions =
        expressions.iter().filter(|it| it.get("operator").and_then(Node::text) == Some("In"));
    let expressions = expressions.map(|it| {
        let values = it.get("values").and_then(Node::items).unwrap_or_default();
        (it.get("key").and_then(Node::text), values)
    });
    labels.chain(expressions).any(|(key, values)| {
        let Some(key) = key.filter(|key| is_unknown(key)) else { return false };
        let known: Vec<String> = all
            .iter()
            .filter_map(|other| match &flattened(&other.params).get(key)?.value {
                ParamValue::Text(text) => Some(text.to_string()),
                _ => None,
            })
            .collect();
        values
            .iter()
            .all(|value| value.text().is_some_and(|text| known.iter().any(|known| known == text)))
    })
}

/// True for a label or annotation of a cluster whose metadata are not known.
fn is_unknown_metadata(element: &Element, key: &str) -> bool {
    element.cluster.is_unknown() && key.starts_with("metadata.")
}

/// True if a label with the value `found` meets an expression; an unknown label always does.
fn expression_matches(
    operator: &str,
    values: &[Node],
    found: Option<&Param>,
    is_assumed: bool,
) -> bool {
    let text = match found.map(|param| &param.value) {
        None if is_assumed => return true,
        None => None,
        Some(ParamValue::Text(text)) => Some(&**text),
        Some(_) => return true,
    };
    let is_listed = text.is_some_and(|text| values.iter().any(|value| value.text() == Some(text)));
    match operator {
        "In" => is_listed,
        "NotIn" => !is_listed,
        "Exists" => text.is_some(),
        "DoesNotExist" => text.is_none(),
        _ => false,
    }
}
