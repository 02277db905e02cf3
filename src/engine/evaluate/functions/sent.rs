//! What a function is given: the resources with their places in the files, or its own configuration.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::plugin::Outgoing;
use crate::resource::{FilePlace, Resource};
use crate::yaml::{Node, ParsedFile, SourceId};

use super::super::FILE_NAMES;
use super::super::accumulator::{Accumulator, place};
use super::super::build::{Build, Level};
use super::{Function, FunctionUse};
use crate::load::relative_path;

impl Build<'_> {
    /// The objects that the function gets. A generator gets its own configuration, and so does a transformer of a
    /// Kustomization that has no resources yet (D-C11).
    pub(super) fn sent(
        &self,
        level: &Level<'_>,
        function: &Function,
        usage: FunctionUse,
        acc: &Accumulator,
    ) -> Vec<Outgoing> {
        let alone = match usage {
            FunctionUse::Generator => true,
            FunctionUse::Transformer => acc.resources.is_empty(),
            FunctionUse::Validator | FunctionUse::Composition => false,
        };
        if alone {
            let resource = Resource::new(function.config.clone(), &self.carried.scopes);
            return vec![Outgoing { resource: Arc::new(resource), place: None }];
        }
        let mut starts: IndexMap<SourceId, Vec<(u32, u32)>> = IndexMap::new();
        for (_, resource) in acc.resources.iter() {
            let source = place(resource).source;
            starts
                .entry(source)
                .or_insert_with(|| self.memory.parsed(source).map(starts_of).unwrap_or_default());
        }
        let sent = acc.resources.iter().map(|(_, resource)| {
            let place = match &resource.place {
                Some(place) => Some(FilePlace::clone(place)),
                None => self.place_in_files(level, resource, &starts),
            };
            Outgoing { resource: resource.clone(), place }
        });
        sent.collect()
    }

    /// D-C1: the file that a resource was read from, relative to the build root, and its place in it.
    fn place_in_files(
        &self,
        level: &Level<'_>,
        resource: &Resource,
        starts: &IndexMap<SourceId, Vec<(u32, u32)>>,
    ) -> Option<FilePlace> {
        let mark = place(resource);
        let path = Path::new(self.memory.sources.path(mark.source)?);
        let name = path.file_name()?.to_str()?;
        let is_local = path.is_absolute() && level.root.clone_of().is_none();
        if !is_local || FILE_NAMES.contains(&name) {
            return None;
        }
        let at = (mark.line, mark.column);
        let begun = starts.get(&mark.source)?.iter().filter(|start| **start <= at).count();
        Some(FilePlace {
            path: relative_path(&self.start, path).into(),
            index: u64::try_from(begun.saturating_sub(1)).unwrap_or(0),
        })
    }
}

/// Where each object of a file begins, whether it is still in the build or not. The items of a list count one by one,
/// as they do for kyaml.
fn starts_of(file: &ParsedFile) -> Vec<(u32, u32)> {
    let mut starts = Vec::with_capacity(file.documents.len());
    for document in &file.documents {
        add_starts(&document.node, &mut starts);
    }
    starts
}

fn add_starts(node: &Node, starts: &mut Vec<(u32, u32)>) {
    let kind = node.get("kind").and_then(Node::text).unwrap_or_default();
    let items = node.get("items").and_then(Node::items).filter(|_| kind.ends_with("List"));
    match (items, node.entries().first()) {
        (Some(items), _) => items.iter().for_each(|item| add_starts(item, starts)),
        (None, Some(first)) => starts.push((first.key.mark.line, first.key.mark.column)),
        // An empty document is no object.
        (None, None) => {}
    }
}
