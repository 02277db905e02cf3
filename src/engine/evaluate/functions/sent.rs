//! What a function is given: the resources with their places in the files, or its own configuration.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::engine::function::Outgoing;
use crate::engine::resource::{FilePlace, Resource};
use crate::engine::yaml::SourceId;

use super::super::FILE_NAMES;
use super::super::accumulator::{Accumulator, place};
use super::super::build::{Build, Level};
use super::super::finish::relative;
use super::{Function, FunctionUse};

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
            let resource = Resource::new(function.config.clone(), &self.scopes);
            return vec![Outgoing { resource: Arc::new(resource), place: None }];
        }
        let mut lines: IndexMap<SourceId, Vec<u32>> = IndexMap::new();
        for (_, resource) in acc.resources.iter() {
            let mark = place(resource);
            lines.entry(mark.source).or_default().push(mark.line);
        }
        lines.values_mut().for_each(|lines| lines.sort_unstable());
        let sent = acc.resources.iter().map(|(_, resource)| {
            let place = match &resource.place {
                Some(place) => Some(FilePlace::clone(place)),
                None => self.place_in_files(level, resource, &lines),
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
        lines: &IndexMap<SourceId, Vec<u32>>,
    ) -> Option<FilePlace> {
        let mark = place(resource);
        let path = Path::new(self.memory.sources.path(mark.source)?);
        let name = path.file_name()?.to_str()?;
        let is_local = path.is_absolute() && level.root.clone_of().is_none();
        if !is_local || FILE_NAMES.contains(&name) {
            return None;
        }
        let index = lines.get(&mark.source)?.iter().position(|line| *line == mark.line)?;
        Some(FilePlace {
            path: relative(&self.start, path).into(),
            index: u64::try_from(index).unwrap_or(0),
        })
    }
}
