//! Resolves paths of Flux Kustomizations with variables that the `postBuild` of a parent
//! substitutes, without a build of the parent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::manifest::{AfterBuild, DeploymentObject, PlacedPair};
use crate::transform::expand_known;
use crate::yaml::{Limits, SourceId, parse_documents};

use super::index::DeploymentIndex;
use super::output::DataObject;
use super::source::count_common_folders;

impl DeploymentIndex {
    /// True if the path of some object has a variable, or some object has its source from a parent.
    pub(super) fn needs_parents(&self) -> bool {
        self.objects.iter().any(|object| {
            object.consumer.is_without_source()
                || object.consumer.source_path().is_some_and(|(path, _)| path.contains("${"))
        })
    }

    /// A path with the variables of the objects that deploy its file; `None` if these are not known
    /// or differ.
    pub(super) fn substituted(
        &self,
        path: &str,
        file: &Path,
        parents: &BTreeMap<PathBuf, Vec<String>>,
    ) -> Option<String> {
        let parents = parents.get(file)?.iter().filter_map(|parent| self.object(parent));
        let mut paths = parents.filter_map(|parent| {
            let variables = self.plain_variables(&parent.consumer, &parent.file);
            expand_known(path, &variables)
        });
        let first = paths.next()?;
        paths.all(|other| other == first).then_some(first)
    }

    /// The variables of an object that are written in it, or in plain `ConfigMaps` of the
    /// repository; of several `ConfigMaps` with the same name, the nearest to the file is used.
    fn plain_variables(&self, consumer: &DeploymentObject, file: &Path) -> Vec<PlacedPair> {
        let own = consumer.after_build().into_iter().find_map(|after| match after {
            AfterBuild::Substitute { variables, .. } => Some(variables),
            AfterBuild::Metadata { .. } => None,
        });
        let mut all = own.unwrap_or_default();
        for (kind, name, _) in consumer.variable_objects().into_iter().rev() {
            let found = self.texts.iter().filter_map(|(path, bytes)| {
                let text = std::str::from_utf8(bytes).ok()?;
                let may_be = text.contains(&*name) && text.contains(&*kind);
                let file = may_be
                    .then(|| parse_documents(bytes, SourceId::NONE, Limits::default()).ok())??;
                let nodes = file.documents.iter().map(|document| &document.node);
                let mut objects = nodes.filter_map(DataObject::from_object);
                let object = objects.find(|it| it.kind == kind && it.name == name)?;
                Some((path, object))
            });
            let nearest = found.max_by_key(|(path, _)| count_common_folders(path, file));
            let pairs = nearest.filter(|(_, it)| !it.is_encrypted).map(|(_, object)| object.pairs);
            for pair in pairs.into_iter().flatten() {
                if all.iter().all(|(known, ..)| *known != pair.0) {
                    all.push(pair);
                }
            }
        }
        all
    }
}
