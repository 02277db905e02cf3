//! The files whose changes change a deployment object.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::index::{DeploymentIndex, IGNORE_FILE, IndexedObject};
use super::output::data_names;

impl DeploymentIndex {
    pub(in crate::evaluate) fn own_files(&self, object: &IndexedObject) -> BTreeSet<PathBuf> {
        let sources = object.consumer.sources().into_iter();
        let files = sources.filter_map(|source| self.names.path(source)).map(PathBuf::from);
        files.chain([object.file.clone()]).collect()
    }

    /// The files that may affect every object: sources, installed controllers and their settings.
    pub(in crate::evaluate) fn settings_files(&self) -> BTreeSet<PathBuf> {
        let sources = self.sources.iter().map(|source| &source.file);
        let controllers = self.controllers.iter().map(|controller| &controller.file);
        let ignored = self.texts.iter().map(|(file, _)| file);
        let ignored = ignored.filter(|file| file.ends_with(IGNORE_FILE));
        let argo = self.argo.iter().map(|file| &file.path);
        sources.chain(controllers).chain(argo).chain(ignored).cloned().collect()
    }

    /// The files that create a `ConfigMap` or Secret whose name occurs in a file with
    /// `substituteFrom`: a parent may add the reference.
    pub(in crate::evaluate) fn variable_files(&self) -> BTreeSet<PathBuf> {
        let texts = self.texts.iter().filter_map(|(_, bytes)| std::str::from_utf8(bytes).ok());
        let users: Vec<&str> = texts.filter(|text| text.contains("substituteFrom")).collect();
        if users.is_empty() {
            return BTreeSet::new();
        }
        let is_used = |(_, name): &(String, String)| {
            !name.is_empty() && users.iter().any(|it| it.contains(name))
        };
        let carries =
            |(file, bytes): &&(PathBuf, Arc<[u8]>)| data_names(file, bytes).iter().any(is_used);
        self.texts.iter().filter(carries).map(|(file, _)| file.clone()).collect()
    }
}
