//! The source of a deployment object: this repository, or another one that is never built from the
//! files here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::load::{Files, SourceNumbers, clean};
use crate::manifest::{DeploymentObject, PlacedPair};
use crate::transform::expand_known;
use crate::yaml::{Mark, Node, SourceId};

use super::argo_settings::ArgoSettings;
use super::index::{DeploymentIndex, IndexedSource, below, is_folder};
use super::output::{DataObject, first_variables, renumbered_mark};
use super::remotes::{SourceIdentity, normal_url};

#[derive(Clone, Debug, PartialEq)]
pub(in crate::evaluate) enum SourcePlace {
    /// This repository: `ignore` contains the patterns of `spec.ignore` of the source, and
    /// `is_assumed` is true if the URL is only assumed to be that of this repository.
    ThisRepository { ignore: Option<String>, is_assumed: bool },
    /// Another git repository, which can be fetched.
    Git { title: String, url: String, reference: String },
    /// A source that is not fetched, and why.
    Other(String),
}

/// The reference of a deployment object to its source, or to an object with variables.
pub(in crate::evaluate) struct ObjectRef<'c> {
    pub(in crate::evaluate) kind: &'c str,
    pub(in crate::evaluate) name: &'c str,
    /// Empty if not known.
    pub(in crate::evaluate) namespace: &'c str,
}

impl DeploymentIndex {
    /// True if an object deploys from this repository, according to its own file.
    pub(in crate::evaluate) fn is_in_repository(
        &self,
        consumer: &DeploymentObject,
        file: &Path,
    ) -> bool {
        matches!(self.place_of(consumer, file, None), SourcePlace::ThisRepository { .. })
    }

    /// The settings of the repository's Argo CD. If several files contain settings, the file
    /// nearest to the object is used.
    pub(in crate::evaluate) fn argo_settings(
        &self,
        object: &Path,
        sources: &mut SourceNumbers,
    ) -> ArgoSettings {
        let renumber = &mut |mark| renumbered_mark(mark, &self.names, sources);
        ArgoSettings::nearest(&self.argo, &|file| count_common_folders(file, object), renumber)
    }

    /// The source of an object. If several sources have the same name, the one nearest to the file
    /// `near` is used; `parent` is the object that deploys this one from this repository.
    pub(in crate::evaluate) fn place_of(
        &self,
        consumer: &DeploymentObject,
        near: &Path,
        parent: Option<&DeploymentObject>,
    ) -> SourcePlace {
        if consumer.is_flux() {
            self.place_of_flux(consumer, near, parent)
        } else {
            self.place_of_url(consumer)
        }
    }

    /// The error for a URL at a revision that is not the checked-out repository.
    pub(in crate::evaluate) fn is_repository(
        &self,
        url: &str,
        revision: &str,
    ) -> Result<(), String> {
        if url.is_empty() {
            return Ok(());
        }
        let Some(is_assumed) = self.is_own_url(&normal_url(url)) else {
            return Err(format!("{url} is another repository"));
        };
        match self.require_checked_out(url, revision, this_repository(None, is_assumed)) {
            SourcePlace::Other(reason) => Err(reason),
            SourcePlace::ThisRepository { .. } | SourcePlace::Git { .. } => Ok(()),
        }
    }

    fn place_of_url(&self, consumer: &DeploymentObject) -> SourcePlace {
        let Some((url, reference, _)) = consumer.repository() else {
            return this_repository(None, false);
        };
        let normal = normal_url(&url);
        match self.is_own_url(&normal) {
            Some(is_assumed) => {
                self.require_checked_out(&url, &reference, this_repository(None, is_assumed))
            }
            None => SourcePlace::Git { title: url.clone(), url, reference },
        }
    }

    /// The source to which an object of Flux refers, nearest to the file `near`.
    fn place_of_flux(
        &self,
        consumer: &DeploymentObject,
        near: &Path,
        parent: Option<&DeploymentObject>,
    ) -> SourcePlace {
        let Some(wanted) = source_ref(consumer) else { return this_repository(None, false) };
        let ObjectRef { kind, name, .. } = wanted;
        let title = format!("{kind} {name}");
        let own = self.bootstrap.contains(&(kind.to_owned(), name.to_owned()));
        let is_of_parent = parent
            .and_then(source_ref)
            .is_some_and(|it| wanted.is_to(it.kind, it.name, it.namespace));
        let found = match self.nearest_source(&wanted, near) {
            Ok(found) => found,
            Err(_) if own || is_of_parent => None,
            Err(files) => return SourcePlace::Other(format!("{title} is not known: {files}")),
        };
        let elsewhere = format!("the source of {title} is not in this repository");
        let Some(found) = found else {
            let undefined = SourceIdentity::Undefined(kind.to_owned(), name.to_owned());
            return match self.assumed.as_ref() == Some(&undefined) {
                _ if own || is_of_parent => this_repository(None, false),
                true => this_repository(None, true),
                false => SourcePlace::Other(elsewhere),
            };
        };
        let text = |path: &[&str]| found.node.text_at(path);
        let ignore = text(&["spec", "ignore"]).map(str::to_owned);
        if own || found.file.ends_with("gotk-sync.yaml") {
            return this_repository(ignore, false);
        }
        let url = text(&["spec", "url"]).unwrap_or_default();
        if kind != "GitRepository" || url.is_empty() {
            return SourcePlace::Other(elsewhere);
        }
        let (reference, is_fixed) = revision(&found.node);
        match self.is_own_url(&normal_url(url)) {
            Some(_) if is_fixed => not_checked_out(reference, &title),
            Some(is_assumed) => {
                let here = this_repository(ignore, is_assumed);
                self.require_checked_out(&title, reference, here)
            }
            None if is_of_parent => this_repository(ignore, false),
            None if is_fixed && text(&["spec", "ref", "semver"]).is_some() => {
                SourcePlace::Other(format!("{elsewhere}, at the newest tag of {reference}"))
            }
            None => {
                let (url, reference) = (url.to_owned(), reference.to_owned());
                SourcePlace::Git { title, url, reference }
            }
        }
    }

    /// The only folder of the repository below which the path of an object exists, if the source of
    /// the object may be an artifact of this folder.
    pub(in crate::evaluate) fn artifact_folder(
        &self,
        path: &str,
        consumer: &DeploymentObject,
    ) -> Option<String> {
        let kind = consumer.text(&["spec", "sourceRef", "kind"]);
        let is_artifact =
            consumer.is_flux() && matches!(kind, "OCIRepository" | "Bucket" | "ExternalArtifact");
        let wanted = below(Path::new(""), path);
        if !is_artifact || wanted.as_os_str().is_empty() {
            return None;
        }
        let mut roots: BTreeSet<&Path> = BTreeSet::new();
        for (file, _) in self.texts.iter() {
            let below_root = file.strip_prefix(&self.root).unwrap_or(file);
            let folders = below_root.ancestors().skip(1);
            let folder = folders.into_iter().find(|folder| folder.ends_with(&wanted));
            let depth = wanted.components().count();
            roots.extend(folder.and_then(|folder| folder.ancestors().nth(depth)));
        }
        let [root] = Vec::from_iter(roots)[..] else { return None };
        Some(root.display().to_string())
    }

    /// The only folder of the repository with the last parts of a missing path, as many as one has:
    /// at least two, or one of several words.
    pub(in crate::evaluate) fn moved_folder(&self, path: &str) -> Option<String> {
        let wanted = below(Path::new(""), path);
        let mut end = wanted.components();
        while end.next().is_some() {
            let end = end.as_path();
            let is_distinct = end.components().count() > 1 || end.to_str()?.contains('-');
            let folder_of = |file: &Path| {
                let below = file.strip_prefix(&self.root).unwrap_or(file).ancestors().skip(1);
                below.into_iter().find(|folder| folder.ends_with(end)).map(Path::to_owned)
            };
            let (mut found, mut own) = (BTreeSet::new(), BTreeSet::new());
            for (file, text) in self.texts.iter().filter(|_| is_distinct) {
                let Some(folder) = folder_of(file) else { continue };
                // An object should not deploy its own folder.
                if String::from_utf8_lossy(text).contains(path) {
                    own.insert(folder.clone());
                }
                found.insert(folder);
            }
            let mut found = found.difference(&own);
            if let Some(first) = found.next() {
                let start = if path.starts_with("./") { "./" } else { "" };
                return found.next().is_none().then(|| format!("{start}{}", first.display()));
            }
        }
        None
    }

    /// `place` if the revision is checked out; otherwise a source that is not fetched.
    fn require_checked_out(&self, title: &str, reference: &str, place: SourcePlace) -> SourcePlace {
        let git = &self.git;
        let is_one = |branch: &Option<String>| branch.as_deref() == Some(reference);
        let is_checked_out = reference.is_empty()
            || reference == "HEAD"
            || git.branch.is_none()
            || is_one(&git.branch)
            || is_one(&git.default_branch);
        if is_checked_out { place } else { not_checked_out(reference, title) }
    }

    /// The source to which a reference points, nearest to the file `near`. Fails with the list of
    /// files if several different sources are equally near.
    fn nearest_source(
        &self,
        wanted: &ObjectRef<'_>,
        near: &Path,
    ) -> Result<Option<&IndexedSource>, String> {
        fn text<'s>(source: &'s IndexedSource, path: &[&str]) -> &'s str {
            source.node.text_at(path).unwrap_or_default()
        }
        let is_one = |source: &&IndexedSource| {
            let [name, namespace] = ["name", "namespace"].map(|it| text(source, &["metadata", it]));
            wanted.is_to(text(source, &["kind"]), name, namespace)
        };
        let all: Vec<&IndexedSource> = self.sources.iter().filter(is_one).collect();
        // Patches of a source, which have no URL, are left out if a complete source exists.
        let whole = |source: &&IndexedSource| source.node.at(&["spec", "url"]).is_some();
        let has_whole = all.iter().copied().any(|source| whole(&source));
        let all: Vec<&IndexedSource> =
            all.into_iter().filter(|source| !has_whole || whole(source)).collect();
        let is_same = |one: &IndexedSource, other: &IndexedSource| {
            [["spec", "url"], ["spec", "ref"], ["spec", "ignore"]]
                .iter()
                .all(|path| is_same_json(one.node.at(path), other.node.at(path)))
        };
        match nearest(all, |source| count_common_folders(&source.file, near)).as_slice() {
            [] => Ok(None),
            [first, rest @ ..] if rest.iter().all(|other| is_same(first, other)) => Ok(Some(first)),
            several => {
                let files: Vec<String> =
                    several.iter().map(|source| self.shown(&source.file)).collect();
                Err(files.join(" and "))
            }
        }
    }

    /// Whether a normalized URL is that of this repository: `None` if it is not, `Some(true)` if
    /// this is only assumed, and `Some(false)` if it is certain.
    fn is_own_url(&self, url: &str) -> Option<bool> {
        if self.is_known_url(url) {
            return Some(false);
        }
        let is_assumed =
            matches!(&self.assumed, Some(SourceIdentity::Url(assumed)) if assumed == url);
        is_assumed.then_some(true)
    }

    fn is_known_url(&self, url: &str) -> bool {
        self.git.remotes.iter().any(|remote| remote == url) || self.bootstrap_urls.contains(url)
    }

    /// The source that most objects with an existing path use; assumed to be this repository.
    /// `None` if a URL in the repository is known to be its own. Applications of sets are included
    /// if they can be generated without reading a repository.
    pub(in crate::evaluate) fn guess_repository_url(
        &self,
        files: &dyn Files,
    ) -> Option<SourceIdentity> {
        let urls = self.sources.iter().filter_map(|source| source.node.text_at(&["spec", "url"]));
        let no_repository = |_: &str, _: &str| Err::<(), _>(String::new());
        let generated = self.generated(files, &mut SourceNumbers::default(), &no_repository);
        let generated = || generated.iter().flat_map(|(applications, _)| applications);
        let objects = || self.objects.iter().chain(generated());
        let of_objects = objects().filter_map(|object| object.consumer.repository());
        let read = objects().flat_map(|object| object.consumer.generator_repositories());
        let of_objects = of_objects.map(|(url, ..)| normal_url(&url));
        let mut urls = urls.chain(read).map(normal_url).chain(of_objects);
        if urls.any(|url| self.is_known_url(&url)) {
            return None;
        }
        let mut counts: BTreeMap<SourceIdentity, (usize, usize)> = BTreeMap::new();
        // An `ApplicationSet` that names an existing folder counts once, instead of its
        // Applications.
        let mut counted: Vec<(&Path, SourceIdentity)> = Vec::new();
        for object in objects() {
            let Some(identity) = self.identity(&object.consumer, &object.file) else { continue };
            let folders = object.consumer.known_folders();
            let folders = folders.iter().map(|path| clean(Path::new(path.trim_start_matches('/'))));
            let folders: Vec<PathBuf> = folders.collect();
            let is_whole = folders.iter().all(|path| path == Path::new("."));
            let has = |path: &PathBuf| is_folder(&clean(&self.root.join(path)), files);
            let is_there = folders.iter().any(has);
            if counted.iter().any(|(file, known)| *file == object.file && *known == identity) {
                continue;
            }
            if is_there && object.consumer.is_set() {
                counted.push((&object.file, identity.clone()));
            }
            let count = counts.entry(identity).or_default();
            count.0 += usize::from(is_there && !is_whole);
            count.1 += usize::from(is_there);
        }
        let is_url = |identity: &SourceIdentity| matches!(identity, SourceIdentity::Url(_));
        let best = counts.into_iter().filter(|(_, (_, count))| *count > 0);
        let best = best.max_by_key(|(identity, counts)| {
            (*counts, is_url(identity), std::cmp::Reverse(identity.clone()))
        });
        best.map(|(identity, _)| identity)
    }

    fn identity(&self, consumer: &DeploymentObject, file: &Path) -> Option<SourceIdentity> {
        if !consumer.is_flux() {
            return consumer.repository().map(|(url, ..)| SourceIdentity::Url(normal_url(&url)));
        }
        let wanted = source_ref(consumer)?;
        let ObjectRef { kind, name, .. } = wanted;
        if kind != "GitRepository" || self.bootstrap.contains(&(kind.to_owned(), name.to_owned())) {
            return None;
        }
        match self.nearest_source(&wanted, file) {
            Ok(Some(found)) => {
                let url = found.node.text_at(&["spec", "url"])?;
                Some(SourceIdentity::Url(normal_url(url)))
            }
            Ok(None) => Some(SourceIdentity::Undefined(kind.to_owned(), name.to_owned())),
            Err(_) => None,
        }
    }
}

/// Paths of Flux Kustomizations with variables that the `postBuild` of a parent substitutes, without
/// a build of the parent.
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
    pub(super) fn substituted(&self, path: &str, file: &Path) -> Option<String> {
        let parents = self.parents_of(file).iter().filter_map(|parent| self.object(parent));
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
        let own = consumer.substitution().map(|it| it.variables).unwrap_or_default();
        let own = own.into_iter().map(|(name, value, mark)| (name, Some(value), mark));
        let objects = consumer.variable_objects().into_iter().rev();
        let of_objects = objects.filter_map(|(kind, name, _)| {
            let found = self.texts.iter().filter_map(|(path, bytes)| {
                let text = std::str::from_utf8(bytes).ok()?;
                let may_be = text.contains(&*name) && text.contains(&*kind);
                let objects = may_be.then(|| DataObject::all_in(bytes, SourceId::NONE))?;
                let is_one = |it: &DataObject| it.kind == kind && it.name == name;
                Some((path, objects.into_iter().find(is_one)?))
            });
            let nearest = found.max_by_key(|(path, _)| count_common_folders(path, file));
            nearest.map(|(_, object)| object.variables)
        });
        let all = own.chain(of_objects.flatten().filter(|(_, value, _)| value.is_some()));
        let known = first_variables(all).into_iter();
        known.filter_map(|(name, value, mark)| Some((name, value?, mark))).collect()
    }
}

impl ObjectRef<'_> {
    /// True for a reference to this object; a namespace that is not known may be the same.
    pub(in crate::evaluate) fn is_to(&self, kind: &str, name: &str, namespace: &str) -> bool {
        (kind, name) == (self.kind, self.name)
            && (namespace.is_empty() || self.namespace.is_empty() || namespace == self.namespace)
    }
}

fn not_checked_out(reference: &str, title: &str) -> SourcePlace {
    SourcePlace::Other(format!("revision {reference} of {title} is not checked out"))
}

fn this_repository(ignore: Option<String>, is_assumed: bool) -> SourcePlace {
    SourcePlace::ThisRepository { ignore, is_assumed }
}

fn source_ref(consumer: &DeploymentObject) -> Option<ObjectRef<'_>> {
    let text = |path: &[&str]| consumer.text(path);
    let name = text(&["spec", "sourceRef", "name"]);
    let namespace = match text(&["spec", "sourceRef", "namespace"]) {
        "" => text(&["metadata", "namespace"]),
        namespace => namespace,
    };
    let kind = text(&["spec", "sourceRef", "kind"]);
    (!name.is_empty()).then_some(ObjectRef { kind, name, namespace })
}

/// The revision of a `GitRepository`: a branch, which is empty for the default branch, or (true) a
/// commit, a tag or a version range.
fn revision(source: &Node) -> (&str, bool) {
    let text = |field: &str| source.text_at(&["spec", "ref", field]);
    let name = text("name").map(|name| name.strip_prefix("refs/heads/").unwrap_or(name));
    // The order of precedence of source-controller.
    match ["commit", "semver", "tag"].into_iter().find_map(text) {
        Some(fixed) if text("commit").is_some() || name.is_none() => (fixed, true),
        _ => (name.or_else(|| text("branch")).unwrap_or_default(), false),
    }
}

fn is_same_json(one: Option<&Node>, other: Option<&Node>) -> bool {
    let printed = |node: Option<&Node>| node.and_then(|node| crate::yaml::to_json(node).ok());
    printed(one) == printed(other)
}

pub(in crate::evaluate) fn count_common_folders(one: &Path, other: &Path) -> usize {
    one.components().zip(other.components()).take_while(|(a, b)| a == b).count()
}

pub(in crate::evaluate) fn nearest<T>(
    items: impl IntoIterator<Item = T>,
    common: impl Fn(&T) -> usize,
) -> Vec<T> {
    let items: Vec<T> = items.into_iter().collect();
    let most = items.iter().map(&common).max();
    items.into_iter().filter(|item| Some(common(item)) == most).collect()
}

pub(in crate::evaluate) fn source_mark(consumer: &DeploymentObject) -> Mark {
    if let Some((_, _, mark)) = consumer.repository() {
        return mark;
    }
    consumer.node(&["spec", "sourceRef", "name"]).map_or(consumer.mark, |node| node.mark)
}
