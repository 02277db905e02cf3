//! The source of a deployment object: this repository, or another one that is never built from the
//! files here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::load::{FileKind, Files, SourceNumbers, clean};
use crate::manifest::{DeploymentObject, DeploymentObjectKind};
use crate::yaml::{Mark, Node};

use super::argo_settings::ArgoSettings;
use super::index::{DeploymentIndex, IndexedSource};
use super::renumbered::renumbered_mark;
use super::url::{SourceIdentity, normal_url};

/// The repository from which the files of a deployment object come.
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

/// The reference of a deployment object to its source.
struct SourceRef<'c> {
    kind: &'c str,
    name: &'c str,
    /// Empty if not known.
    namespace: &'c str,
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
        match consumer.kind {
            DeploymentObjectKind::FluxKustomization => self.place_of_flux(consumer, near, parent),
            _ => self.place_of_url(consumer),
        }
    }

    /// Whether a URL at a revision is the checked-out repository.
    ///
    /// # Errors
    /// The other source or revision.
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

    /// The source of an object that contains the URL of its repository.
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
    #[expect(clippy::too_many_lines, reason = "one arm for each kind of source")]
    fn place_of_flux(
        &self,
        consumer: &DeploymentObject,
        near: &Path,
        parent: Option<&DeploymentObject>,
    ) -> SourcePlace {
        let Some(wanted) = source_ref(consumer) else { return this_repository(None, false) };
        let SourceRef { kind, name, .. } = wanted;
        let title = format!("{kind} {name}");
        let own = self.bootstrap.contains(&(kind.to_owned(), name.to_owned()));
        let is_of_parent = parent.and_then(source_ref).is_some_and(|other| {
            (other.kind, other.name) == (kind, name)
                && (other.namespace.is_empty()
                    || wanted.namespace.is_empty()
                    || other.namespace == wanted.namespace)
        });
        let found = match self.nearest_source(&wanted, near) {
            Ok(found) => found,
            Err(files) if own || is_of_parent => {
                let _ = files;
                None
            }
            Err(files) => {
                return SourcePlace::Other(format!("{title} is not known: {files}"));
            }
        };
        let Some(found) = found else {
            let undefined = SourceIdentity::Undefined(kind.to_owned(), name.to_owned());
            if own || is_of_parent {
                return this_repository(None, false);
            }
            if self.assumed.as_ref() == Some(&undefined) {
                return this_repository(None, true);
            }
            return SourcePlace::Other(format!("the source of {title} is not in this repository"));
        };
        let text = |path: &[&str]| found.node.at(path).and_then(Node::text);
        let ignore = text(&["spec", "ignore"]).map(str::to_owned);
        if own || found.file.ends_with("gotk-sync.yaml") {
            return this_repository(ignore, false);
        }
        let url = text(&["spec", "url"]).unwrap_or_default();
        if kind != "GitRepository" || url.is_empty() {
            return SourcePlace::Other(format!("the source of {title} is not in this repository"));
        }
        if let Some(is_assumed) = self.is_own_url(&normal_url(url)) {
            return match revision(&found.node) {
                GitRevision::Branch(branch) => self.require_checked_out(
                    &title,
                    branch.unwrap_or_default(),
                    this_repository(ignore, is_assumed),
                ),
                GitRevision::Fixed(reference) => SourcePlace::Other(format!(
                    "revision {reference} of {title} is not checked out"
                )),
            };
        }
        if is_of_parent {
            return this_repository(ignore, false);
        }
        match revision(&found.node) {
            GitRevision::Branch(reference) => SourcePlace::Git {
                title,
                url: url.to_owned(),
                reference: reference.unwrap_or_default().to_owned(),
            },
            GitRevision::Fixed(reference) => match found.node.at(&["spec", "ref", "semver"]) {
                Some(_) => SourcePlace::Other(format!(
                    "the source of {title} is not in this repository, at the newest tag of {reference}"
                )),
                None => {
                    SourcePlace::Git { title, url: url.to_owned(), reference: reference.to_owned() }
                }
            },
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
        let is_artifact = consumer.kind == DeploymentObjectKind::FluxKustomization
            && matches!(kind, "OCIRepository" | "Bucket" | "ExternalArtifact");
        let wanted = clean(&Path::new("/").join(path));
        let wanted = wanted.strip_prefix("/").ok()?;
        if !is_artifact || wanted.as_os_str().is_empty() {
            return None;
        }
        let mut roots: BTreeSet<&Path> = BTreeSet::new();
        for (file, _) in self.texts.iter() {
            let below_root = file.strip_prefix(&self.root).unwrap_or(file);
            let folders = below_root.ancestors().skip(1);
            let folder = folders.into_iter().find(|folder| folder.ends_with(wanted));
            let depth = wanted.components().count();
            roots.extend(folder.and_then(|folder| folder.ancestors().nth(depth)));
        }
        let [root] = Vec::from_iter(roots)[..] else { return None };
        Some(root.display().to_string())
    }

    /// The only folder of the repository with the last parts of a missing path, as many as one has:
    /// at least two, or one of several words.
    pub(in crate::evaluate) fn moved_folder(&self, path: &str) -> Option<String> {
        let wanted = clean(&Path::new("/").join(path));
        let mut end = wanted.strip_prefix("/").ok()?.components();
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
        if is_checked_out {
            return place;
        }
        SourcePlace::Other(format!("revision {reference} of {title} is not checked out"))
    }

    /// The source to which a reference points, nearest to the file `near`. Fails with the list of
    /// files if several different sources are equally near.
    fn nearest_source(
        &self,
        wanted: &SourceRef<'_>,
        near: &Path,
    ) -> Result<Option<&IndexedSource>, String> {
        let text = |source: &'_ IndexedSource, path: &[&str]| {
            source.node.at(path).and_then(Node::text).unwrap_or_default().to_owned()
        };
        let is_one = |source: &&IndexedSource| {
            let namespace = text(source, &["metadata", "namespace"]);
            text(source, &["kind"]) == wanted.kind
                && text(source, &["metadata", "name"]) == wanted.name
                && (namespace.is_empty()
                    || wanted.namespace.is_empty()
                    || namespace == wanted.namespace)
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
        let distance = |source: &&IndexedSource| count_common_folders(&source.file, near);
        let nearest = all.iter().map(distance).max().unwrap_or_default();
        let nearest: Vec<&IndexedSource> =
            all.into_iter().filter(|source| distance(source) == nearest).collect();
        match nearest.as_slice() {
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
        if self.git.remotes.iter().any(|remote| remote == url) || self.bootstrap_urls.contains(url)
        {
            return Some(false);
        }
        let is_assumed =
            matches!(&self.assumed, Some(SourceIdentity::Url(assumed)) if assumed == url);
        is_assumed.then_some(true)
    }

    /// The source that most objects with an existing path use; assumed to be this repository.
    /// `None` if a URL in the repository is known to be its own. Applications of sets are included
    /// if they can be generated without reading a repository.
    pub(in crate::evaluate) fn guess_repository_url(
        &self,
        files: &dyn Files,
    ) -> Option<SourceIdentity> {
        let urls =
            self.sources.iter().filter_map(|source| source.node.at(&["spec", "url"])?.text());
        let no_repository = |_: &str, _: &str| Err::<(), _>(String::new());
        let generated = self.generated(files, &mut SourceNumbers::default(), &no_repository);
        let objects = || self.objects.iter().chain(&generated);
        let of_objects = objects().filter_map(|object| object.consumer.repository());
        let read = objects().flat_map(|object| object.consumer.generator_repositories());
        let of_objects = of_objects.map(|(url, ..)| normal_url(&url));
        let mut urls = urls.chain(read).map(normal_url).chain(of_objects);
        let is_known =
            |url: &String| self.git.remotes.contains(url) || self.bootstrap_urls.contains(url);
        if urls.any(|url| is_known(&url)) {
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
            let is_there = folders.iter().any(|path| self.has_folder(path, files));
            if counted.iter().any(|(file, known)| *file == object.file && *known == identity) {
                continue;
            }
            if is_there && object.consumer.kind == DeploymentObjectKind::ApplicationSet {
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
        if consumer.kind != DeploymentObjectKind::FluxKustomization {
            return consumer.repository().map(|(url, ..)| SourceIdentity::Url(normal_url(&url)));
        }
        let wanted = source_ref(consumer)?;
        let SourceRef { kind, name, .. } = wanted;
        if kind != "GitRepository" || self.bootstrap.contains(&(kind.to_owned(), name.to_owned())) {
            return None;
        }
        match self.nearest_source(&wanted, file) {
            Ok(Some(found)) => {
                let url = found.node.at(&["spec", "url"]).and_then(Node::text)?;
                Some(SourceIdentity::Url(normal_url(url)))
            }
            Ok(None) => Some(SourceIdentity::Undefined(kind.to_owned(), name.to_owned())),
            Err(_) => None,
        }
    }

    fn has_folder(&self, path: &Path, files: &dyn Files) -> bool {
        matches!(files.resolve(&clean(&self.root.join(path))), Ok((_, FileKind::Directory)))
    }
}

fn this_repository(ignore: Option<String>, is_assumed: bool) -> SourcePlace {
    SourcePlace::ThisRepository { ignore, is_assumed }
}

fn source_ref(consumer: &DeploymentObject) -> Option<SourceRef<'_>> {
    let text = |path: &[&str]| consumer.text(path);
    let name = text(&["spec", "sourceRef", "name"]);
    let namespace = match text(&["spec", "sourceRef", "namespace"]) {
        "" => text(&["metadata", "namespace"]),
        namespace => namespace,
    };
    let kind = text(&["spec", "sourceRef", "kind"]);
    (!name.is_empty()).then_some(SourceRef { kind, name, namespace })
}

/// The revision of a `GitRepository`.
enum GitRevision<'n> {
    /// A branch; `None` for the default branch.
    Branch(Option<&'n str>),
    /// A commit, a tag or a version range.
    Fixed(&'n str),
}

fn revision(source: &Node) -> GitRevision<'_> {
    let text = |field: &str| source.at(&["spec", "ref", field]).and_then(Node::text);
    let name = text("name").map(|name| name.strip_prefix("refs/heads/").unwrap_or(name));
    // The order of precedence of source-controller.
    match ["commit", "semver", "tag"].into_iter().find_map(text) {
        Some(fixed) if text("commit").is_some() || name.is_none() => GitRevision::Fixed(fixed),
        _ => GitRevision::Branch(name.or_else(|| text("branch"))),
    }
}

fn is_same_json(one: Option<&Node>, other: Option<&Node>) -> bool {
    let printed = |node: Option<&Node>| node.and_then(|node| crate::yaml::to_json(node).ok());
    printed(one) == printed(other)
}

/// The number of folders that two paths have in common.
pub(in crate::evaluate) fn count_common_folders(one: &Path, other: &Path) -> usize {
    one.components().zip(other.components()).take_while(|(a, b)| a == b).count()
}

/// The mark of the reference to a source, for messages.
pub(in crate::evaluate) fn source_mark(consumer: &DeploymentObject) -> Mark {
    if let Some((_, _, mark)) = consumer.repository() {
        return mark;
    }
    consumer.node(&["spec", "sourceRef", "name"]).map_or(consumer.mark, |node| node.mark)
}
