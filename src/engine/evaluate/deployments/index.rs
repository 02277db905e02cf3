//! The deployment objects of a repository, their sources, and the files that each deploys: read
//! once for all builds of the same files.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::load::{FileKind, Files, SourceNumbers, clean};
use crate::manifest::{DeploymentObject, GeneratorView};
use crate::yaml::{Limits, Node, parse_documents, parse_nodes};

use super::super::FILE_NAMES;
use super::argo_settings::ArgoFile;
use super::controller::Controller;
use super::graph::{KustomizationGraph, has_kustomization, is_kustomization_file, is_yaml};
use super::output::{TargetOutput, data_names};
use super::remotes::{GitFacts, SourceIdentity, normal_url};

const MAX_FOLDERS: usize = 20_000;
/// Texts in the files with deployment objects, sources and Flux's own installation.
const GROUPS: [&str; 4] =
    ["argoproj.io/", "toolkit.fluxcd.io/", "fluxcd.controlplane.io/", "instance:\n"];
/// The file with the patterns that a source of Flux ignores.
pub(in crate::evaluate) const IGNORE_FILE: &str = ".sourceignore";
/// Folders that other programs write; they are not searched.
const SKIPPED_FOLDERS: [&str; 2] = [".git", "node_modules"];
/// Extensions of files that are not manifests and are not read.
const OTHER_EXTENSIONS: [&str; 22] = [
    "md", "png", "jpg", "svg", "json", "json5", "sh", "py", "go", "js", "ts", "tf", "txt", "toml",
    "lock", "tpl", "j2", "tgz", "gz", "html", "css", "pdf",
];

#[derive(Clone, Debug, PartialEq)]
pub(in crate::evaluate) struct IndexedObject {
    pub(in crate::evaluate) file: PathBuf,
    pub(in crate::evaluate) consumer: DeploymentObject,
    pub(in crate::evaluate) elements: KnownElements,
}

/// The Applications of an `ApplicationSet` that are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::evaluate) enum KnownElements {
    #[default]
    None,
    Some,
    All,
}

impl IndexedObject {
    fn new(file: &Path, consumer: DeploymentObject) -> Self {
        Self { file: file.to_owned(), consumer, elements: KnownElements::None }
    }
}

/// The Applications that an `ApplicationSet` generates.
type GeneratedObjects = (Vec<IndexedObject>, KnownElements);

#[derive(Clone, Debug)]
pub(in crate::evaluate) struct IndexedSource {
    pub(in crate::evaluate) file: PathBuf,
    pub(in crate::evaluate) node: Node,
}

/// The index of one repository. Clones share the cached outputs of targets.
#[derive(Clone, Default)]
pub(in crate::evaluate) struct DeploymentIndex {
    pub(in crate::evaluate) root: PathBuf,
    /// The YAML files, sorted.
    pub(in crate::evaluate) texts: Arc<Vec<(PathBuf, Arc<[u8]>)>>,
    /// The objects in files, followed by the Applications that `ApplicationSets` generate.
    pub(in crate::evaluate) objects: Arc<Vec<IndexedObject>>,
    /// The number of objects in files: the first ones in `objects`.
    in_files: usize,
    pub(in crate::evaluate) sources: Arc<Vec<IndexedSource>>,
    /// Kind and name of the sources that the bootstrap of Flux makes from this repository.
    pub(in crate::evaluate) bootstrap: BTreeSet<(String, String)>,
    pub(in crate::evaluate) bootstrap_urls: BTreeSet<String>,
    pub(in crate::evaluate) controllers: Vec<Controller>,
    pub(super) argo: Vec<ArgoFile>,
    pub(in crate::evaluate) git: GitFacts,
    /// The file names for the file numbers of all marks.
    pub(in crate::evaluate) names: SourceNumbers,
    /// The source that is assumed to be this repository if neither a remote nor the bootstrap
    /// identifies it.
    pub(in crate::evaluate) assumed: Option<SourceIdentity>,
    pub(super) parents: Arc<BTreeMap<PathBuf, Vec<String>>>,
    /// The files that are patches only.
    patches: Arc<BTreeSet<PathBuf>>,
    outputs: Arc<Mutex<BTreeMap<String, Arc<TargetOutput>>>>,
}

impl DeploymentIndex {
    pub(in crate::evaluate) fn read(root: &Path, files: &dyn Files) -> Self {
        let git = GitFacts::read(root, files);
        let mut index = Self { root: root.to_owned(), git, ..Self::default() };
        index.texts = Arc::new(yaml_files(root, files));
        let texts = index.texts.clone();
        for (file, bytes) in &*texts {
            index.add(file, bytes);
        }
        // A FluxInstance here may be that of another repository.
        let remotes = &index.git.remotes;
        if index.bootstrap_urls.iter().any(|url| remotes.contains(url)) {
            index.bootstrap_urls.retain(|url| remotes.contains(url));
        }
        index.assumed = index.guess_repository_url(files);
        index.in_files = index.objects.len();
        let (generated, names) = index.generated_here(files);
        index.names = names;
        let objects = Arc::make_mut(&mut index.objects);
        let sets = objects.iter_mut().filter(|object| object.consumer.is_set());
        for (set, (_, known)) in sets.zip(&generated) {
            set.elements = *known;
        }
        objects.extend(generated.into_iter().flat_map(|(applications, _)| applications));
        index.read_parents(files);
        index
    }

    pub(super) fn without_outputs(&self) -> Self {
        Self { outputs: Arc::default(), ..self.clone() }
    }

    /// The index for edited files, with the outputs that do not depend on the edited paths, if the
    /// edits change no object and no source (as in a trial that changes one patch); otherwise `None`.
    pub(super) fn with_edits(
        &self,
        edited: &[PathBuf],
        before: &dyn Files,
        files: &dyn Files,
    ) -> Option<Self> {
        let mut old = KustomizationGraph::new(before, self.object_files());
        let mut new = KustomizationGraph::new(files, self.object_files());
        let mut texts: Vec<(usize, Arc<[u8]>)> = Vec::new();
        let (mut has_data, mut has_other_entries) = (false, false);
        for path in edited.iter().filter(|path| path.starts_with(&self.root)) {
            let is_there = |files: &dyn Files| files.resolve(path).is_ok();
            if is_there(before) != is_there(files) || path.starts_with(self.root.join(".git")) {
                return None;
            }
            let Ok(at) = self.texts.binary_search_by(|(file, _)| file.cmp(path)) else { continue };
            let (Some((file, was)), Ok(is)) = (self.texts.get(at), files.read(path)) else {
                return None;
            };
            if *was == is {
                continue;
            }
            if path.ends_with(IGNORE_FILE)
                || self.is_indexed(file, was)
                || self.is_indexed(file, &is)
            {
                return None;
            }
            let folder = file.parent().filter(|_| is_kustomization_file(file));
            has_other_entries |=
                folder.is_some_and(|folder| old.entries(folder) != new.entries(folder));
            has_data |= [was, &is].iter().any(|bytes| !data_names(file, bytes).is_empty());
            texts.push((at, is));
        }
        if self.has_file_generators() && !self.generates_the_same(files) {
            return None;
        }
        let mut edition = self.without_outputs();
        if !texts.is_empty() {
            let all = Arc::make_mut(&mut edition.texts);
            for (at, is) in texts {
                all.get_mut(at)?.1 = is;
            }
        }
        if has_other_entries {
            edition.parents = Arc::default();
            edition.read_parents(files);
        }
        edition.outputs =
            Arc::new(Mutex::new(self.outputs_without(edited, has_data || has_other_entries)));
        Some(edition)
    }

    /// The outputs that do not depend on edited paths. The output of an object also depends on
    /// other outputs and on variables: it is kept only if the edits affect no output and no variable.
    fn outputs_without(
        &self,
        edited: &[PathBuf],
        has_data: bool,
    ) -> BTreeMap<String, Arc<TargetOutput>> {
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let count = outputs.len();
        outputs.retain(|_, output| edited.iter().all(|path| !output.watched.contains(path)));
        if has_data || outputs.len() < count {
            outputs.retain(|target, _| !target.contains('#'));
        }
        outputs
    }

    /// True if generators read the contents of files, which may be of any kind.
    fn has_file_generators(&self) -> bool {
        self.objects.iter().any(|it| it.consumer.is_set() && it.consumer.reads_files())
    }

    /// True if the generators give the same Applications for other files.
    fn generates_the_same(&self, files: &dyn Files) -> bool {
        let (generated, _) = self.generated_here(files);
        let generated = generated.iter().flat_map(|(applications, _)| applications);
        self.objects.iter().skip(self.in_files).eq(generated)
    }

    /// True if a file with these contents contributes an object, a source or another fact to the
    /// index.
    fn is_indexed(&self, file: &Path, bytes: &Arc<[u8]>) -> bool {
        let mut alone = Self { root: self.root.clone(), ..Self::default() };
        alone.add(file, bytes);
        !(alone.objects.is_empty()
            && alone.sources.is_empty()
            && alone.bootstrap.is_empty()
            && alone.controllers.is_empty()
            && alone.argo.is_empty())
    }

    /// The Applications that generators give for this repository, and the file names with those of
    /// the files that they read.
    fn generated_here(&self, files: &dyn Files) -> (Vec<GeneratedObjects>, SourceNumbers) {
        let mut names = self.names.clone();
        let is_here = |url: &str, revision: &str| self.is_repository(url, revision);
        (self.generated(files, &mut names, &is_here), names)
    }

    /// The Applications that each `ApplicationSet` generates. Generators may read a repository that
    /// `is_here` accepts.
    pub(in crate::evaluate) fn generated(
        &self,
        files: &dyn Files,
        sources: &mut SourceNumbers,
        is_here: &dyn Fn(&str, &str) -> Result<(), String>,
    ) -> Vec<GeneratedObjects> {
        let sets = self.objects.iter().filter(|object| object.consumer.is_set());
        let generated = sets.map(|set| {
            let mut view = GeneratorView { files, root: &self.root, sources, is_here };
            let all = set.consumer.applications(&mut view);
            let elements = match (all.known.is_empty(), all.not_known.is_empty()) {
                (true, _) => KnownElements::None,
                (false, false) => KnownElements::Some,
                (false, true) => KnownElements::All,
            };
            let known = all.known.into_iter().map(|it| IndexedObject::new(&set.file, it));
            (known.collect(), elements)
        });
        generated.collect()
    }

    fn add(&mut self, file: &Path, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        self.controllers.extend(Controller::find(file, &text));
        let is_argo = ArgoFile::is_candidate(&self.root, file, &text);
        if !is_argo && !GROUPS.iter().any(|group| text.contains(group)) {
            return;
        }
        let number = self.names.intern(&file.to_string_lossy());
        let Ok(parsed) = parse_documents(bytes, number, Limits::default()) else { return };
        if is_argo {
            self.argo.extend(ArgoFile::read(file, &parsed.documents));
        }
        for document in parsed.documents {
            let node = document.node;
            let word = |key: &str| node.text_of(key).unwrap_or_default();
            let group = word("apiVersion").split('/').next().unwrap_or_default();
            if group == "source.toolkit.fluxcd.io" {
                if file.ends_with("gotk-sync.yaml") {
                    self.add_bootstrap(word("kind"), &node, node.at(&["spec", "url"]));
                }
                let sources = Arc::make_mut(&mut self.sources);
                sources.push(IndexedSource { file: file.to_owned(), node });
            } else if word("kind") == "FluxInstance" {
                self.add_instance(file, node.get("spec"));
            } else if word("kind") == "HelmRelease" && text.contains("flux-instance") {
                self.add_instance(file, node.at(&["spec", "values", "instance"]));
            } else if let Some(consumer) = DeploymentObject::from_object(node) {
                let objects = Arc::make_mut(&mut self.objects);
                objects.push(IndexedObject::new(file, consumer));
            } else if file.to_string_lossy().ends_with("values.yaml") {
                self.add_instance(file, parsed_instance(bytes).as_ref());
            }
        }
    }

    /// Records the name and URL of a source or Kustomization that `flux bootstrap` wrote.
    fn add_bootstrap(&mut self, kind: &str, node: &Node, url: Option<&Node>) {
        let name = node.text_at(&["metadata", "name"]).unwrap_or_default();
        self.bootstrap.insert((kind.to_owned(), name.to_owned()));
        self.bootstrap_urls.extend(url.and_then(Node::text).map(normal_url));
    }

    /// Adds the source that a `FluxInstance` creates from `sync`, and the release that it installs.
    fn add_instance(&mut self, file: &Path, spec: Option<&Node>) {
        let Some(spec) = spec else { return };
        let text = |path: &[&str]| spec.text_at(path);
        if spec.get("sync").is_some() {
            let kind = text(&["sync", "kind"]).unwrap_or("GitRepository");
            let name = text(&["sync", "name"]).unwrap_or("flux-system");
            self.bootstrap.insert((kind.to_owned(), name.to_owned()));
            if kind == "GitRepository" {
                let url = text(&["sync", "url"]).filter(|url| !url.contains("${"));
                self.bootstrap_urls.extend(url.map(normal_url));
            }
        }
        if let Some(version) = spec.at(&["distribution", "version"]) {
            let (artifact, line) = (text(&["distribution", "artifact"]), version.mark.line);
            let version = version.text().unwrap_or_default();
            self.controllers.extend(Controller::from_flux_instance(file, version, artifact, line));
        }
    }

    /// The target name of an object: its file relative to the root, and its name.
    pub(in crate::evaluate) fn name_of(&self, file: &Path, name: &str) -> String {
        format!("{}#{name}", self.shown(file))
    }

    pub(in crate::evaluate) fn object(&self, target: &str) -> Option<&IndexedObject> {
        let (file, name) = target.split_once('#')?;
        let file = self.root.join(file);
        self.objects.iter().find(|object| object.file == file && object.consumer.name == name)
    }

    /// The target name of an object in its file: the target itself, or the
    /// `ApplicationSet` that generates the target.
    pub(in crate::evaluate) fn name_in_file(&self, target: &str) -> String {
        let object = self.object(target);
        object.map_or_else(
            || target.to_owned(),
            |object| self.name_of(&object.file, object.consumer.name_in_file()),
        )
    }

    pub(in crate::evaluate) fn shown(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        if below.as_os_str().is_empty() { ".".to_owned() } else { below.display().to_string() }
    }

    /// The names of the targets whose builds read a file, sorted.
    pub(in crate::evaluate) fn parents_of(&self, file: &Path) -> &[String] {
        self.parents.get(file).map_or(&[], Vec::as_slice)
    }

    /// The targets without a parent from which a target is deployed.
    pub(in crate::evaluate) fn roots_of(&self, target: &str) -> BTreeSet<String> {
        let mut above = self.ancestors_of(target);
        above.retain(|name| self.parents_of_target(name).all(|parent| parent == name));
        above
    }

    /// The target itself and all its ancestors: targets whose output directly or indirectly
    /// contains it.
    pub(in crate::evaluate) fn ancestors_of(&self, target: &str) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let mut queue = vec![target.to_owned()];
        while let Some(name) = queue.pop() {
            if seen.insert(name.clone()) {
                queue.extend(self.parents_of_target(&name).cloned());
            }
        }
        seen
    }

    fn parents_of_target(&self, target: &str) -> impl Iterator<Item = &String> {
        let file = target.split_once('#').map(|(file, _)| self.root.join(file));
        file.map_or(&[][..], |file| self.parents_of(&file)).iter()
    }

    /// The output of a target, from an earlier build of it or from `build`.
    pub(in crate::evaluate) fn output(
        &self,
        target: &str,
        build: impl FnOnce() -> TargetOutput,
    ) -> Arc<TargetOutput> {
        let lock = || self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(target).cloned() {
            return known;
        }
        // The lock is not held during the build: two threads may both build it, with one result.
        let built = Arc::new(build());
        lock().entry(target.to_owned()).or_insert(built).clone()
    }

    /// Fills in the parents, and the files that are patches only.
    fn read_parents(&mut self, files: &dyn Files) {
        let unread = self.clone();
        let mut graph = KustomizationGraph::new(files, unread.object_files());
        let folders = self.kustomization_folders();
        self.patches = Arc::new(graph.patch_files(&folders));
        loop {
            let parents = self.parents_from(&folders, &mut graph, files);
            let is_last = parents == *self.parents || !self.needs_parents();
            self.parents = Arc::new(parents);
            // A path of an object with variables needs the objects above it, and so does an object
            // without a source.
            if is_last {
                break;
            }
        }
        let parents = self.parents.clone();
        Arc::make_mut(&mut self.patches).retain(|file| !parents.contains_key(file));
    }

    fn parents_from(
        &self,
        folders: &BTreeSet<PathBuf>,
        graph: &mut KustomizationGraph<'_>,
        files: &dyn Files,
    ) -> BTreeMap<PathBuf, Vec<String>> {
        let mut deployed = BTreeSet::new();
        let mut targets = Vec::new();
        for object in &*self.objects {
            let name = self.name_of(&object.file, &object.consumer.name);
            for (folder, components) in self.static_folders(object, files) {
                targets.push((name.clone(), graph.reachable_paths(&folder, &components)));
                deployed.insert(folder);
            }
        }
        for (_, reach) in &targets {
            deployed.extend(reach.folders.iter().cloned());
        }
        for folder in graph.unused_folders(folders, &deployed) {
            let name = self.shown(&folder);
            targets.push((name, graph.reachable_paths(&folder, &[])));
        }
        let mut parents: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
        for (name, reach) in targets {
            for file in reach.files {
                let known = parents.entry(file).or_default();
                if !known.contains(&name) {
                    known.push(name.clone());
                }
            }
        }
        parents
    }

    fn object_files(&self) -> BTreeSet<&Path> {
        self.objects.iter().map(|object| &*object.file).collect()
    }

    fn kustomization_folders(&self) -> BTreeSet<PathBuf> {
        let all = self.texts.iter().filter(|(file, _)| is_kustomization_file(file));
        all.filter_map(|(file, _)| file.parent().map(Path::to_owned)).collect()
    }

    /// True if a file is used as a patch only: its objects are no targets.
    pub(in crate::evaluate) fn is_patch(&self, file: &Path) -> bool {
        self.patches.contains(file)
    }

    /// True for an object of Flux with a path and without a source, to which the target that deploys
    /// it may add the source by a patch.
    pub(in crate::evaluate) fn is_completed(&self, object: &IndexedObject) -> bool {
        object.consumer.is_without_source() && self.parents.contains_key(&object.file)
    }

    /// The folders in this repository that an object builds according to its own file (without
    /// changes by its parents), each with the components that the object adds.
    fn static_folders(
        &self,
        object: &IndexedObject,
        files: &dyn Files,
    ) -> Vec<(PathBuf, Vec<String>)> {
        let has_source = object.consumer.has_source() || self.is_completed(object);
        if !has_source || self.patches.contains(&object.file) {
            return Vec::new();
        }
        let is_flux = object.consumer.is_flux();
        let folders = object.consumer.each_source().into_iter().filter_map(|source| {
            let folder = self.folder_of(&source, &object.file, files)?;
            (is_flux || has_kustomization(&folder, files)).then(|| (folder, source.components()))
        });
        folders.collect()
    }

    /// The folder in this repository that an object, or one source of it, deploys; `None` if the
    /// source is another one or the folder is not known.
    pub(in crate::evaluate) fn folder_of(
        &self,
        consumer: &DeploymentObject,
        file: &Path,
        files: &dyn Files,
    ) -> Option<PathBuf> {
        let (path, _) = consumer.directory().ok()?;
        let path = if path.contains("${") { self.substituted(&path, file)? } else { path };
        // A source that the parent adds is taken for this repository, if the folder is in it.
        if consumer.has_source() && !self.is_in_repository(consumer, file) {
            return None;
        }
        let of_artifact = || {
            let root = self.artifact_folder(&path, consumer)?;
            self.folder_at(&format!("{root}/{path}"), consumer, files)
        };
        self.folder_at(&path, consumer, files).or_else(of_artifact)
    }

    /// The folder of this repository at a path of an object; `None` if it does not exist. A path
    /// through links does not count for Flux, whose sources have no links.
    pub(in crate::evaluate) fn folder_at(
        &self,
        path: &str,
        consumer: &DeploymentObject,
        files: &dyn Files,
    ) -> Option<PathBuf> {
        let folder = below(&self.root, path);
        let (real, kind) = files.resolve(&folder).ok()?;
        let is_there = kind == FileKind::Directory
            && real.starts_with(&self.root)
            && (!consumer.is_flux() || real == folder);
        is_there.then_some(real)
    }

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

/// Joins a path to a root. The path cannot leave the root: a leading `/` is the root, and `..`
/// stops there.
pub(in crate::evaluate) fn below(root: &Path, path: &str) -> PathBuf {
    let path = clean(&Path::new("/").join(path));
    root.join(path.strip_prefix("/").unwrap_or(&path))
}

pub(in crate::evaluate) fn is_folder(path: &Path, files: &dyn Files) -> bool {
    matches!(files.resolve(path), Ok((_, FileKind::Directory)))
}

fn parsed_instance(bytes: &[u8]) -> Option<Node> {
    parse_nodes(bytes).ok()?.first()?.get("instance").cloned()
}

/// The YAML files, kustomization files and ignore files below a folder with their contents, sorted.
/// Links are not followed.
fn yaml_files(root: &Path, files: &dyn Files) -> Vec<(PathBuf, Arc<[u8]>)> {
    let mut found = Vec::new();
    let mut folders = VecDeque::from([root.to_owned()]);
    let mut looked_at = 0;
    while let Some(folder) = folders.pop_front().filter(|_| looked_at < MAX_FOLDERS) {
        looked_at += 1;
        for name in files.list(&folder).unwrap_or_default() {
            let path = folder.join(&name);
            let is_read =
                name == IGNORE_FILE || FILE_NAMES.contains(&name.as_str()) || is_yaml(&path);
            // A folder may have the name of a file, as `Kustomization`: it cannot be read.
            let bytes = if is_read { files.read(&path).ok() } else { None };
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if SKIPPED_FOLDERS.contains(&name.as_str()) => {}
                _ if bytes.is_some() => found.extend(bytes.map(|bytes| (path, bytes))),
                Some(word) if !is_read && OTHER_EXTENSIONS.contains(&word) => {}
                _ => {
                    if let Ok((real, FileKind::Directory)) = files.resolve(&path)
                        && real == path
                    {
                        folders.push_back(path);
                    }
                }
            }
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found
}
