//! The deployment objects of a repository: Applications of Argo CD and Kustomizations of Flux.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::load::{Files, clean};
use crate::manifest::DeploymentObject;
use crate::yaml::Node;

use super::super::deployments::{IndexedObject, KnownElements};
use super::find::{DeployedRequest, SourceSearch};

/// A line of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileLocation {
    /// The file, absolute.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u32,
}

/// A deployment object of a repository, as one of the targets that contain it deploys it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedDeploymentObject {
    /// The object as written in its file, or as generated.
    pub definition: DeploymentObject,
    /// The name that the target gives it.
    pub name: String,
    /// The line of its path, or of its element in a generator.
    pub at: FileLocation,
    /// The folder, absolute. `None` for a path that is known only in the cluster, or that does not
    /// exist here.
    pub builds: Option<PathBuf>,
    /// The folders of its further sources.
    pub further: Vec<PathBuf>,
    /// The path of the folder as the target gives it.
    pub path: String,
    /// True for an `ApplicationSet` with Applications that are known.
    pub has_elements: bool,
    /// The folders of the components that it adds, absolute.
    pub components: Vec<PathBuf>,
    /// The target that deploys the object, relative to the root of the repository; only if several
    /// targets deploy it.
    pub parent: Option<String>,
    /// What changes the object.
    pub origin: Arc<ObjectOrigin>,
}

/// The files and targets, besides the folders of an object, whose changes change the object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectOrigin {
    /// Its own file, elements of generators, settings of the controller, variables.
    pub files: BTreeSet<PathBuf>,
    /// The targets that deploy the object.
    pub parents: BTreeSet<PathBuf>,
    /// The targets that build the variables of the object.
    pub carriers: BTreeSet<PathBuf>,
}

impl LocatedDeploymentObject {
    /// The name by which the object is listed and built: `FILE#NAME`, or `FILE#NAME@PARENT` if
    /// several targets deploy it.
    pub fn target(&self) -> PathBuf {
        let mut target = self.object_name().into_os_string();
        if let Some(parent) = &self.parent {
            target.push(format!("@{parent}"));
        }
        target.into()
    }

    /// `FILE#NAME`, without the target that deploys the object.
    pub fn object_name(&self) -> PathBuf {
        let mut name = self.at.file.clone().into_os_string();
        name.push(format!("#{}", self.name));
        name.into()
    }

    /// False for an `ApplicationSet` whose Applications are listed in its place, and for an
    /// Application of a cluster that may not exist, without a folder in the repository.
    pub fn is_listed(&self) -> bool {
        let may_not_exist = self.definition.is_for_assumed_cluster() && self.builds.is_none();
        !self.has_elements && !may_not_exist
    }

    /// The paths of the components that it adds, relative to its folder.
    pub fn added_components(&self) -> Vec<String> {
        if self.definition.is_set() { Vec::new() } else { self.definition.components() }
    }

    /// The folders that it builds, in the order of its sources.
    pub fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        self.builds.iter().chain(&self.further)
    }

    /// The object as written in its file, with unresolved folders.
    fn new(file: &Path, object: &DeploymentObject) -> Self {
        let (path, mark) = if object.is_flux() {
            // An absent path is the root of the source. A patch of a parent may add the source.
            let path = object.node(&["spec", "path"]);
            let mark = path.or_else(|| object.node(&["spec", "sourceRef"])).map(|it| it.mark);
            let path = path.and_then(Node::text).filter(|text| !text.is_empty()).unwrap_or(".");
            (path.to_owned(), mark.unwrap_or(object.mark))
        } else {
            // The chart of a chart repository has no path.
            object.source_path().unwrap_or((String::new(), object.mark))
        };
        // An Application that is generated from an element of another file has the location of its
        // `ApplicationSet`.
        let place = object.place();
        let mark = match place.source == object.mark.source {
            _ if object.is_set() => object.mark,
            _ if place == object.mark => mark,
            true => place,
            false => object.mark,
        };
        Self {
            name: object.name.clone(),
            at: FileLocation { file: file.to_owned(), line: mark.line },
            builds: None,
            further: Vec::new(),
            path,
            has_elements: false,
            components: Vec::new(),
            parent: None,
            origin: Arc::default(),
            definition: object.clone(),
        }
    }

    /// The objects that a target deploys for this one, from the forms that it gives the object: the
    /// Applications of an `ApplicationSet`, otherwise the object with the folder that the target gives
    /// it, and with its new name if the target adds it several times. If its file has no source, the
    /// target has to add one.
    fn deployed_as(&self, forms: &[DeploymentObject], root: &Path, files: &dyn Files) -> Vec<Self> {
        if forms.is_empty() {
            return vec![self.clone()];
        }
        let is_complete = !self.definition.is_flux() || self.definition.is_target();
        let forms = forms.iter().filter(|form| is_complete || form.has_source());
        let count = forms.clone().count();
        let located = forms.map(|form| {
            let mut located = if self.definition.is_set() {
                Self::new(&self.at.file, form)
            } else {
                let is_moved = |path: &String| !is_same_path(path, &self.path);
                let path = form.source_path().map(|(path, _)| path).filter(is_moved);
                let name = Some(&form.name).filter(|_| count > 1).cloned();
                if path.is_none() && name.is_none() {
                    return self.clone();
                }
                Self {
                    path: path.unwrap_or_else(|| self.path.clone()),
                    name: name.unwrap_or_else(|| self.name.clone()),
                    ..self.clone()
                }
            };
            located.find_folder(root, files);
            Self { parent: self.parent.clone(), origin: self.origin.clone(), ..located }
        });
        located.collect()
    }

    /// Sets the folder that the object builds, if it has one, and the folders of its components.
    fn find_folder(&mut self, root: &Path, files: &dyn Files) {
        // The chart of a chart repository has no path.
        if self.path.is_empty() {
            return;
        }
        let folder = clean(&root.join(self.path.trim_start_matches('/')));
        let builds = files.resolve(&folder).ok().map(|(folder, _)| folder);
        self.builds = builds.filter(|folder| folder.starts_with(root) && !self.path.contains("{{"));
        let added = self.added_components().into_iter().filter_map(|path| {
            let folder = clean(&self.builds.as_ref()?.join(path));
            files.resolve(&folder).ok().map(|(folder, _)| folder)
        });
        self.components = added.collect();
    }
}

fn is_same_path(one: &str, other: &str) -> bool {
    clean(&Path::new("/").join(one)) == clean(&Path::new("/").join(other))
}

/// The deployment objects of a repository in the files that `is_own` accepts, without incomplete
/// objects, such as patches, and `ApplicationSets` all of whose Applications are known. An object that
/// several targets deploy is listed once for each of them.
pub(in crate::evaluate) fn deployment_objects(
    request: &DeployedRequest<'_>,
    is_own: &dyn Fn(&Path) -> bool,
) -> Vec<LocatedDeploymentObject> {
    let (root, files) = (request.current, &*request.ports.files);
    let index = request.ports.deployments.index(root, request.options, &request.ports.files);
    let target_at = |name: &String| if name == "." { root.to_owned() } else { root.join(name) };
    let settings = index.settings_files();
    let variables = index.variable_files();
    let carriers: BTreeSet<&String> =
        variables.iter().flat_map(|file| index.parents_of(file)).collect();
    let mut all = Vec::new();
    for indexed in index.objects.iter().filter(|object| is_own(&object.file)) {
        let IndexedObject { file, consumer: object, elements } = indexed;
        let (is_flux, own) = (object.is_flux(), index.name_of(file, &object.name));
        let mut parents = index.parents_of(file).to_vec();
        parents.retain(|parent| *parent != own);
        let is_completed = index.is_completed(indexed) && !parents.is_empty();
        let is_fragment = !object.is_target() && !is_completed || index.is_patch(file);
        if is_fragment || *elements == KnownElements::All {
            continue;
        }
        let mut located = LocatedDeploymentObject::new(file, object);
        located.find_folder(root, files);
        located.has_elements = *elements != KnownElements::None;
        if !object.is_set() {
            let sources = object.each_source();
            let mut folders = sources.iter().filter_map(|it| index.folder_of(it, file, files));
            located.builds = folders.next();
            located.further = folders.collect();
        }
        let carriers = carriers.iter().filter(|it| is_flux && ***it != own);
        let variables = variables.iter().filter(|_| is_flux);
        let mut origin = ObjectOrigin {
            files: index.own_files(indexed),
            parents: parents.iter().map(target_at).collect(),
            carriers: carriers.map(|it| target_at(it)).collect(),
        };
        origin.files.extend(settings.iter().chain(variables).cloned());
        if parents.is_empty() {
            all.push(LocatedDeploymentObject { origin: Arc::new(origin), ..located });
            continue;
        }
        // An Application for the local cluster is left out if a target deploys its set, because
        // that target may select other clusters.
        for parent in parents.iter().filter(|_| !object.is_for_local_cluster()) {
            let mut located = located.clone();
            if parents.len() > 1 {
                located.parent = Some(parent.clone());
                origin.parents = BTreeSet::from([target_at(parent)]);
            }
            located.origin = Arc::new(origin.clone());
            if located.has_elements || object.is_generated() {
                all.push(located);
                continue;
            }
            let (index, own, sources) = (index.clone(), own.clone(), &mut index.names.clone());
            let mut search =
                SourceSearch { request, index, file: file.clone(), own, has_git: true, sources };
            let forms = search.forms_of_parent(object, parent);
            all.extend(located.deployed_as(&forms, root, files));
        }
    }
    all
}
