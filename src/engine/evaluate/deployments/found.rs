//! The deployment objects of a repository for a listing, with the files and targets whose changes
//! change an object.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::load::Files;
use crate::manifest::{DeploymentObject, GeneratorView};

use super::index::{DeploymentIndex, IGNORE_FILE, IndexedObject};
use super::output::data_names;

/// A deployment object of a repository, without a build of its parents.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundObject {
    pub file: PathBuf,
    pub object: DeploymentObject,
    /// The folders in this repository that the object deploys, in the order of its sources; none
    /// for another source.
    pub folders: Vec<PathBuf>,
    /// False for an incomplete object, such as a patch, that only completes another object, and for
    /// an `ApplicationSet` all of whose Applications are known.
    pub is_target: bool,
    /// True for an `ApplicationSet` with Applications that are known.
    pub has_elements: bool,
    /// The names of the targets that deploy the object, relative to the root of the repository.
    pub parents: Vec<String>,
    /// The files with values of the object, without its folders: its own file, the elements of
    /// generators, settings of the controller and its sources, variables.
    pub inputs: BTreeSet<PathBuf>,
    /// The names of the targets that build the variables of the object.
    pub carriers: BTreeSet<String>,
}

/// The deployment objects below a root.
pub fn deployment_objects(root: &Path, files: &dyn Files) -> Vec<FoundObject> {
    let index = DeploymentIndex::read(root, files);
    let settings = index.settings_files();
    let variables = index.variable_files();
    let carriers: BTreeSet<String> =
        variables.iter().flat_map(|file| index.parents_of(file)).cloned().collect();
    let mut generator_files = index.names.clone();
    let is_here = |url: &str, revision: &str| index.is_repository(url, revision);
    let objects = index.objects.iter().map(|object| {
        let consumer = &object.consumer;
        let is_flux = consumer.is_flux();
        let own = index.name_of(&object.file, &consumer.name);
        let sources = consumer.each_source();
        let folders = sources.iter().filter_map(|it| index.folder_of(it, &object.file, files));
        let others = index.parents_of(&object.file).iter().filter(|parent| **parent != own);
        let mut inputs = index.own_files(object);
        inputs.extend(settings.iter().cloned());
        inputs.extend(variables.iter().filter(|_| is_flux).cloned());
        let is_completed = index.is_completed(object) && others.clone().next().is_some();
        let is_fragment = !consumer.is_target() && !is_completed || index.is_patch(&object.file);
        let sources = &mut generator_files;
        let mut view = GeneratorView { files, root, sources, is_here: &is_here };
        let generated = consumer.applications(&mut view);
        let has_elements = !generated.known.is_empty();
        FoundObject {
            file: object.file.clone(),
            object: consumer.clone(),
            folders: folders.collect(),
            is_target: !(is_fragment || has_elements && generated.not_known.is_empty()),
            has_elements,
            parents: others.cloned().collect(),
            inputs,
            carriers: carriers.iter().filter(|it| is_flux && **it != own).cloned().collect(),
        }
    });
    objects.collect()
}

impl DeploymentIndex {
    fn own_files(&self, object: &IndexedObject) -> BTreeSet<PathBuf> {
        let sources = object.consumer.sources().into_iter();
        let files = sources.filter_map(|source| self.names.path(source)).map(PathBuf::from);
        files.chain([object.file.clone()]).collect()
    }

    /// The files that may affect every object: sources, installed controllers and their settings.
    fn settings_files(&self) -> BTreeSet<PathBuf> {
        let sources = self.sources.iter().map(|source| &source.file);
        let controllers = self.controllers.iter().map(|controller| &controller.file);
        let ignored = self.texts.iter().map(|(file, _)| file);
        let ignored = ignored.filter(|file| file.ends_with(IGNORE_FILE));
        let argo = self.argo.iter().map(|file| &file.path);
        sources.chain(controllers).chain(argo).chain(ignored).cloned().collect()
    }

    /// The files that create a `ConfigMap` or Secret whose name occurs in a file with
    /// `substituteFrom`: a parent may add the reference.
    fn variable_files(&self) -> BTreeSet<PathBuf> {
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
