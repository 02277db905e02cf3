//! How many values of a resource a step wrote: counted once, as long as the resource is the very same one.

use std::sync::Arc;

use crate::resource::{QuickMap, Resource};
use crate::yaml::{Node, WriterId};

/// What was counted in the resources of earlier builds.
#[derive(Debug, Default)]
pub struct Leaves {
    /// By the address of the resource, which is held and so stays the address of nothing else.
    known: QuickMap<(usize, WriterId), Counted>,
    generation: u64,
}

#[derive(Debug)]
struct Counted {
    leaves: usize,
    generation: u64,
    _resource: Arc<Resource>,
}

impl Leaves {
    /// How many values of a resource a step wrote.
    pub(super) fn of(&mut self, resource: &Arc<Resource>, writer: WriterId) -> usize {
        let generation = self.generation;
        let key = (Arc::as_ptr(resource) as usize, writer);
        let counted = self.known.entry(key).or_insert_with(|| Counted {
            leaves: leaves(&resource.node, writer),
            generation,
            _resource: resource.clone(),
        });
        counted.generation = generation;
        counted.leaves
    }

    /// A build was gone through: what it did not ask for, and the one before did not ask for, is forgotten.
    pub(super) fn end(&mut self) {
        let generation = self.generation;
        self.known.retain(|_, counted| counted.generation + 1 >= generation);
        self.generation += 1;
    }
}

/// How many values of a node a step wrote.
pub(super) fn leaves(node: &Node, writer: WriterId) -> usize {
    if let Some(items) = node.items().filter(|items| !items.is_empty()) {
        return items.iter().map(|item| leaves(item, writer)).sum();
    }
    if !node.entries().is_empty() {
        return node.entries().iter().map(|entry| leaves(&entry.value, writer)).sum();
    }
    usize::from(node.mark.writer == writer)
}

/// The paths of the values of a node that a step wrote.
pub(super) fn written_paths(node: &Node, writer: WriterId) -> Vec<String> {
    let mut paths = Vec::new();
    gather(node, writer, &mut Vec::new(), &mut paths);
    paths
}

fn gather(node: &Node, writer: WriterId, path: &mut Vec<String>, paths: &mut Vec<String>) {
    let items = node.items().unwrap_or_default();
    for (index, item) in items.iter().enumerate() {
        let name = item.get("name").and_then(Node::text).map(str::to_owned);
        path.push(format!("[{}]", name.unwrap_or_else(|| index.to_string())));
        gather(item, writer, path, paths);
        path.pop();
    }
    for entry in node.entries() {
        path.push(entry.key.text().unwrap_or_default().to_owned());
        gather(&entry.value, writer, path, paths);
        path.pop();
    }
    if items.is_empty() && node.entries().is_empty() && node.mark.writer == writer {
        paths.push(path.join("."));
    }
}
