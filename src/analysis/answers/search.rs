//! Searches for a value in a build: in all resources and steps, removed resources included.

use std::sync::Arc;

use indexmap::IndexMap;
use regex::Regex;

use crate::answers::compare::{FieldPath, FieldSegment};
use crate::engine::evaluate::Trace;
use crate::engine::resource::{Resource, Slot};
use crate::engine::yaml::{Mark, Node};

#[derive(Clone, Debug)]
pub struct FieldMatch {
    pub slot: Slot,
    /// The resource at the first step with the value.
    pub resource: Arc<Resource>,
    pub path: FieldPath,
    pub value: String,
    pub mark: Mark,
    /// The first step with the value, from 1.
    pub first: usize,
    /// The last step with the value; `None` if the value is in the output.
    pub last: Option<usize>,
}

type Key = (Slot, String, String);

/// The fields with a pattern in their path or value, in the order in which the build creates them:
/// `kzui grep`, and the search of the workbench. A value that disappears and returns is one match,
/// with its first and its last step.
pub fn grep(trace: &Trace, pattern: &Regex) -> Vec<FieldMatch> {
    let mut hits: IndexMap<Key, FieldMatch> = IndexMap::new();
    let mut there: IndexMap<Slot, Vec<Key>> = IndexMap::new();
    for (at, step) in trace.steps.iter().enumerate() {
        for change in &step.changes {
            let mut now: Vec<Key> = Vec::new();
            if let Some(resource) = &change.after {
                leaves(&FieldPath::default(), &resource.node, &mut |path, value, mark| {
                    let shown = path.to_string();
                    if !pattern.is_match(value) && !pattern.is_match(&shown) {
                        return;
                    }
                    let key = (change.slot, shown, value.to_owned());
                    let hit = hits.entry(key.clone()).or_insert_with(|| FieldMatch {
                        slot: change.slot,
                        resource: resource.clone(),
                        path: path.clone(),
                        value: value.to_owned(),
                        mark,
                        first: at + 1,
                        last: None,
                    });
                    hit.last = None;
                    now.push(key);
                });
            }
            for gone in there.insert(change.slot, now.clone()).unwrap_or_default() {
                if !now.contains(&gone)
                    && let Some(hit) = hits.get_mut(&gone)
                {
                    hit.last = Some(at);
                }
            }
        }
    }
    hits.into_values().collect()
}

pub(super) fn leaves(path: &FieldPath, node: &Node, found: &mut dyn FnMut(&FieldPath, &str, Mark)) {
    if let Some(text) = node.text() {
        return found(path, text, node.mark);
    }
    for entry in node.entries() {
        let key = FieldSegment::Key(entry.key.text().unwrap_or_default().to_owned());
        leaves(&path.with(key), &entry.value, found);
    }
    for (at, item) in node.items().unwrap_or_default().iter().enumerate() {
        let name = item.text_of("name");
        let step = match name {
            Some(name) => FieldSegment::Element("name".to_owned(), name.to_owned()),
            None => FieldSegment::Index(at),
        };
        leaves(&path.with(step), item, found);
    }
}
