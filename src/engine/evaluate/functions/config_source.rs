//! The line of a function's configuration from which a value of its output comes.

use crate::plugin::ConfigurationScalar;
use crate::resource::ResMap;
use crate::yaml::{Mark, Node};

/// The length in characters from which a value is also traced to a field with another name. A
/// shorter text, such as a number, is often equal by accident.
const MIN_DISTINCTIVE_LETTERS: usize = 4;

/// The scalars of a function's configuration that have a location in a file.
pub(super) fn configuration_scalars(config: &Node) -> Vec<ConfigurationScalar> {
    let mut scalars = Vec::new();
    for entry in config.entries() {
        let key = entry.key.text().unwrap_or_default();
        match key {
            "apiVersion" | "kind" | "runtime" => {}
            "metadata" => {
                if let Some(name) = entry.value.entry("name") {
                    collect("name", &name.value, &mut scalars);
                }
            }
            _ => collect(key, &entry.value, &mut scalars),
        }
    }
    scalars
}

/// Gives the values that a step wrote, and that equal exactly one scalar of the function's
/// configuration, the location of that scalar. With overrides it is in the file of the override.
/// Equality alone is no proof: answers call such a location not verified until they have tried it.
pub(super) fn trace_to_config(resources: &mut ResMap, scalars: &[ConfigurationScalar], step: Mark) {
    if scalars.is_empty() {
        return;
    }
    let written: Vec<_> = resources
        .peek_changes()
        .into_iter()
        .filter_map(|change| Some((change.slot, change.after?)))
        .collect();
    for (slot, resource) in written {
        let mut node = resource.node.clone();
        if mark("", &mut node, scalars, step) {
            drop(resource);
            resources.update(slot, |resource| resource.node = node);
        }
    }
}

fn collect(key: &str, node: &Node, scalars: &mut Vec<ConfigurationScalar>) {
    if let Some(text) = node.text() {
        if node.mark.line > 0 && !text.is_empty() {
            let (key, text) = (key.to_owned(), text.to_owned());
            scalars.push(ConfigurationScalar { key, text, mark: node.mark });
        }
        return;
    }
    for item in node.items().unwrap_or_default() {
        collect(key, item, scalars);
    }
    for entry in node.entries() {
        collect(entry.key.text().unwrap_or_default(), &entry.value, scalars);
    }
}

/// Gives each value in a tree that the step wrote the location of its scalar in the configuration.
/// Returns true if a location was set.
fn mark(key: &str, node: &mut Node, scalars: &[ConfigurationScalar], step: Mark) -> bool {
    if let Some(text) = node.text() {
        let source = (node.mark == step).then(|| source(key, text, scalars)).flatten();
        if let Some(source) = source {
            node.mark = source.written_by(step);
        }
        return source.is_some();
    }
    let mut is_marked = false;
    if let Some(items) = node.items_mut() {
        for item in items {
            is_marked |= mark(key, item, scalars, step);
        }
    } else if let Some(mapping) = node.as_mapping_mut() {
        for entry in &mut mapping.entries {
            let key = entry.key.text().unwrap_or_default();
            is_marked |= mark(key, &mut entry.value, scalars, step);
        }
    }
    is_marked
}

fn source(key: &str, text: &str, scalars: &[ConfigurationScalar]) -> Option<Mark> {
    let equal: Vec<&ConfigurationScalar> = scalars.iter().filter(|it| it.text == text).collect();
    let same_key: Vec<&&ConfigurationScalar> = equal.iter().filter(|it| it.key == key).collect();
    match (equal.as_slice(), same_key.as_slice()) {
        (_, [one]) => Some(one.mark),
        ([one], []) if text.chars().count() >= MIN_DISTINCTIVE_LETTERS => Some(one.mark),
        _ => None,
    }
}
