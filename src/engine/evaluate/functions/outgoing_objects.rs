//! The input of a function: the resources with their file locations, or its own configuration.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::load::{Files, is_absolute};
use crate::plugin::{OutgoingObject, function_config};
use crate::resource::{FilePlace, Resource, ResourceOrigin};
use crate::transform::{origin_annotations, origin_text};
use crate::yaml::{Limits, Node, ParsedFile, SourceId, parse_documents};

use super::super::FILE_NAMES;
use super::super::accumulator::place;
use super::super::build::Build;
use super::super::configured::{PluginConfig, PluginUse};
use super::super::level::ActiveLayer;
use super::Function;
use crate::load::relative_path;

impl Build<'_> {
    /// The input objects of the function. A generator receives its own configuration, and so does a
    /// transformer of a Kustomization without resources (D-C11).
    pub(super) fn input_objects(
        &self,
        level: &ActiveLayer<'_>,
        function: &Function,
        usage: PluginUse,
    ) -> Vec<OutgoingObject> {
        let alone = match usage {
            PluginUse::Generator => true,
            PluginUse::Transformer => self.acc.resources.is_empty(),
            PluginUse::Validator | PluginUse::Composition => false,
        };
        if alone {
            let resource = Resource::new(function.config.clone(), &self.carried.schemas.scopes);
            let resource = Arc::new(resource);
            return vec![OutgoingObject { resource, place: None, metadata: Vec::new() }];
        }
        let mut starts: IndexMap<SourceId, Vec<(u32, u32)>> = IndexMap::new();
        for (_, resource) in
            self.acc.resources.iter().filter(|(_, resource)| resource.place.is_none())
        {
            let source = place(resource).source;
            starts.entry(source).or_insert_with(|| self.read_object_starts(source));
        }
        let sent = self.acc.resources.iter().map(|(_, resource)| {
            let place = match &resource.place {
                Some(place) => Some(FilePlace::clone(place)),
                None => self.place_in_files(level, resource, &starts),
            };
            let metadata = if self.root.tracks_origins() {
                let annotations = origin_annotations(resource).collect::<Vec<_>>();
                annotations.into_iter().rev().collect()
            } else {
                Vec::new()
            };
            OutgoingObject { resource: resource.clone(), place, metadata }
        });
        sent.collect()
    }

    /// The `functionConfig` as sent: as to any resource that it reads, Kustomize adds the origin.
    pub(super) fn outgoing_config(
        &self,
        configured: &PluginConfig<'_>,
        runtime_in_field: bool,
    ) -> Node {
        let by = self.root.plugin_origin(configured, &self.memory.sources);
        let origin = by.map(|by| {
            let path = by.configured_in;
            origin_text(&ResourceOrigin {
                path,
                configured_in: String::new(),
                configured_by: None,
                ..by
            })
        });
        function_config(&configured.config.node, runtime_in_field, origin.as_deref())
    }

    /// The positions of the objects of a file, which is read again if the build keeps none.
    fn read_object_starts(&self, source: SourceId) -> Vec<(u32, u32)> {
        if let Some(file) = self.memory.parsed(source) {
            return object_starts(file);
        }
        let path = self.memory.sources.path(source).map(Path::new);
        let bytes = path.filter(|path| is_absolute(path)).map(|path| self.setup.files.read(path));
        let Some(Ok(bytes)) = bytes else { return Vec::new() };
        parse_documents(&bytes, source, Limits::default())
            .map_or_else(|_| Vec::new(), |file| object_starts(&file))
    }

    /// D-C1: the file of a resource, relative to the build root, and its index in it. `None` for a
    /// resource that is generated or comes from a remote.
    fn place_in_files(
        &self,
        level: &ActiveLayer<'_>,
        resource: &Resource,
        starts: &IndexMap<SourceId, Vec<(u32, u32)>>,
    ) -> Option<FilePlace> {
        let mark = place(resource);
        let path = Path::new(self.memory.sources.path(mark.source)?);
        let name = path.file_name()?.to_str()?;
        let is_local = is_absolute(path) && level.root.clone_of().is_none();
        if !is_local || FILE_NAMES.contains(&name) {
            return None;
        }
        let at = (mark.line, mark.column);
        let begun = starts.get(&mark.source)?.iter().filter(|start| **start <= at).count();
        Some(FilePlace {
            path: relative_path(&self.root.path, path).into(),
            index: u64::try_from(begun.saturating_sub(1)).unwrap_or(0),
        })
    }
}

/// The start of each object in a file, removed objects included. The items of a list count one by
/// one, as in kyaml.
fn object_starts(file: &ParsedFile) -> Vec<(u32, u32)> {
    let mut starts = Vec::with_capacity(file.documents.len());
    for document in &file.documents {
        add_starts(&document.node, &mut starts);
    }
    starts
}

fn add_starts(node: &Node, starts: &mut Vec<(u32, u32)>) {
    let kind = node.text_of("kind").unwrap_or_default();
    let items = node.get("items").and_then(Node::items).filter(|_| kind.ends_with("List"));
    match (items, node.entries().first()) {
        (Some(items), _) => items.iter().for_each(|item| add_starts(item, starts)),
        (None, Some(first)) => starts.push((first.key.mark.line, first.key.mark.column)),
        // An empty document is no object.
        (None, None) => {}
    }
}
