//! A kustomization root: the directory to which relative paths refer, the files that may be read
//! from there, and the rules for opening another root (section 1.7).

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use crate::profile::{Profile, Switch};

use super::paths::{clean, is_absolute};
use super::{Checkout, FileKind, Files, GitTarget, LoadError, Remote, RemoteError};

/// The rule for files outside the root (`--load-restrictor`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadRestrictions {
    #[default]
    RootOnly,
    None,
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    pub path: String,
    /// The joined path of all entries that led to the file, as in an origin.
    pub seen_as: PathBuf,
    /// The repository in an origin: Kustomize treats every URL that could be a repository as one.
    pub taken_for: Option<Arc<GitTarget>>,
    pub bytes: Arc<[u8]>,
}

/// A kustomization root (Kustomize: `ifc.Loader`). Cheap to clone.
#[derive(Clone)]
pub struct Root {
    path: PathBuf,
    /// The joined path of the entries that led to this root, starting at the target of the build or
    /// at the clone.
    seen_as: PathBuf,
    restrictions: LoadRestrictions,
    profile: Profile,
    files: Arc<dyn Files>,
    remote: Arc<dyn Remote>,
    /// The directories of the roots that led to this one, ending with its own.
    chain: Arc<Vec<PathBuf>>,
    clone: Option<Arc<Checkout>>,
    /// The git targets that led to this root, as written.
    fetched: Arc<Vec<String>>,
    /// The entries that are resolved relative to another root: that root, and the entry there.
    borrowed: Arc<IndexMap<String, (Root, String)>>,
}

impl std::fmt::Debug for Root {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Root").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Root {
    /// The root that a build starts at: a directory, or a git target.
    pub fn start(
        target: &str,
        current: &Path,
        restrictions: LoadRestrictions,
        profile: Profile,
        files: Arc<dyn Files>,
        remote: Arc<dyn Remote>,
    ) -> Result<Self, LoadError> {
        let nowhere = Self {
            path: current.to_owned(),
            seen_as: PathBuf::new(),
            restrictions,
            profile,
            files,
            remote,
            chain: Arc::default(),
            clone: None,
            fetched: Arc::default(),
            borrowed: Arc::default(),
        };
        if target.is_empty() {
            return Err(LoadError::NoDirectory);
        }
        if let Some(git) = GitTarget::parse(target) {
            return nowhere.open_clone(target, &git);
        }
        let path = nowhere.directory(&current.join(target))?;
        Ok(Self { chain: Arc::new(vec![path.clone()]), path, ..nowhere })
    }

    /// The version profile of the build.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The directory, absolute, links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of an entry as shown in an origin: Kustomize joins the entries that led to a file
    /// without resolving links (`Origin.Append`).
    pub fn seen_as(&self, entry: &str) -> PathBuf {
        if self.seen_as.as_os_str().is_empty() {
            return clean(Path::new(entry));
        }
        let mut joined = OsString::with_capacity(self.seen_as.as_os_str().len() + 1 + entry.len());
        joined.push(&self.seen_as);
        joined.push("/");
        joined.push(entry);
        clean(Path::new(&joined))
    }

    /// The clone that contains this root: its work tree and its git target.
    pub fn clone_of(&self) -> Option<(&Path, &GitTarget)> {
        self.clone.as_deref().map(|clone| (clone.tree.as_path(), &clone.target))
    }

    /// The clone that contains this root, shared.
    pub fn checkout(&self) -> Option<&Arc<Checkout>> {
        self.clone.as_ref()
    }

    /// The files without the restrictions of this root.
    pub fn files(&self) -> &Arc<dyn Files> {
        &self.files
    }

    /// The same root with one entry that is resolved relative to another root. An override keeps
    /// the paths and the restrictions of the root in which it is written (KEP-2299, section A.8 of
    /// the composition reference).
    #[must_use]
    pub fn with_entry_of(&self, entry: &str, root: &Self, theirs: &str) -> Self {
        let mut borrowed = IndexMap::clone(&self.borrowed);
        borrowed.insert(entry.to_owned(), (root.clone(), theirs.to_owned()));
        Self { borrowed: Arc::new(borrowed), ..self.clone() }
    }

    /// Reads a file entry: a path relative to the root, an absolute one, or an HTTP URL.
    pub fn load(&self, entry: &str) -> Result<LoadedFile, LoadError> {
        self.read(entry).map_err(|error| error.with_similar_name(&*self.files))
    }

    /// Reads a file that may be missing, without a search for similar names.
    pub fn find(&self, entry: &str) -> Option<LoadedFile> {
        self.read(entry).ok()
    }

    fn read(&self, entry: &str) -> Result<LoadedFile, LoadError> {
        if let Some((root, theirs)) = self.borrowed.get(entry) {
            return root.read(theirs);
        }
        if is_http(entry) {
            return self.load_url(entry);
        }
        let path = clean(&self.path.join(entry));
        let read = |path: &Path| {
            self.files
                .read(path)
                .map_err(|source| LoadError::Read { path: path.to_owned(), source })
        };
        if self.restrictions == LoadRestrictions::None {
            return Ok(self.loaded_file(entry, &path, read(&path)?));
        }
        let (resolved, kind) = self
            .files
            .resolve_below(&self.path, &path)
            .map_err(|source| LoadError::Resolve { clue: None, path: path.clone(), source })?;
        if kind == FileKind::Directory {
            return Err(LoadError::NotFile { path });
        }
        // Only files below this directory are allowed, not the directory itself and no path beside
        // it.
        if resolved == self.path || !resolved.starts_with(&self.path) {
            return Err(LoadError::OutsideRoot { path, root: self.path.clone() });
        }
        Ok(self.loaded_file(entry, &path, read(&resolved)?))
    }

    fn loaded_file(&self, entry: &str, path: &Path, bytes: Arc<[u8]>) -> LoadedFile {
        let (path, seen_as) = (path.to_string_lossy().into_owned(), self.seen_as(entry));
        LoadedFile { path, seen_as, taken_for: None, bytes }
    }

    /// Opens a directory entry or git target as a new root (Kustomize: `Loader.New`).
    pub fn open(&self, entry: &str) -> Result<Self, LoadError> {
        if entry.is_empty() {
            return Err(LoadError::EmptyRoot);
        }
        if let Some((root, theirs)) = self.borrowed.get(entry) {
            return root.open(theirs);
        }
        if let Some(git) = GitTarget::parse(entry) {
            if let Some(visited) = self.fetched.iter().rev().find(|one| one.starts_with(entry)) {
                let (candidate, visited) = (entry.to_owned(), visited.clone());
                return Err(LoadError::RemoteCycle { candidate, visited });
            }
            return self.open_clone(entry, &git);
        }
        if is_absolute(Path::new(entry)) {
            return Err(LoadError::AbsoluteRoot(entry.to_owned()));
        }
        if !self.profile.has(Switch::DotsInsideParts)
            && entry.split('/').any(|segment| segment.contains("..") && segment != "..")
        {
            let cleaned = clean(Path::new(entry)).to_string_lossy().into_owned();
            return Err(LoadError::Ambiguous { path: entry.to_owned(), cleaned });
        }
        let path = self.directory(&self.path.join(entry))?;
        if let Some((repo, _)) = self.clone_of()
            && !path.starts_with(repo)
        {
            return Err(LoadError::OutsideClone { base: path, repo: repo.to_owned() });
        }
        if let Some(visited) = self.chain.iter().find(|visited| visited.starts_with(&path)) {
            return Err(LoadError::Cycle { candidate: path, visited: visited.clone() });
        }
        Ok(self.child_root(path, self.seen_as(entry), self.clone.clone(), self.restrictions))
    }

    fn child_root(
        &self,
        path: PathBuf,
        seen_as: PathBuf,
        clone: Option<Arc<Checkout>>,
        restrictions: LoadRestrictions,
    ) -> Self {
        let mut chain = Vec::clone(&self.chain);
        chain.push(path.clone());
        let (chain, borrowed) = (Arc::new(chain), Arc::default());
        Self { path, seen_as, restrictions, chain, clone, borrowed, ..self.clone() }
    }

    fn open_clone(&self, entry: &str, target: &GitTarget) -> Result<Self, LoadError> {
        let tree = self.remote.fetch_git(target)?;
        let path = self.directory(&tree.join(&target.path)).map_err(|error| match error {
            LoadError::FileNotDirectory { path } => {
                let name = path.file_name().unwrap_or_default().display();
                let reason =
                    format!("'{}' refers to file '{name}'; expecting directory", path.display());
                LoadError::Remote(RemoteError::Git(reason))
            }
            other => other,
        })?;
        if !path.starts_with(&tree) {
            let reason = format!(
                "\"{}\" refers to directory outside of repo \"{}\"",
                path.display(),
                tree.display()
            );
            return Err(LoadError::Remote(RemoteError::Git(reason)));
        }
        let mut fetched = Vec::clone(&self.fetched);
        fetched.push(entry.to_owned());
        // Kustomize clones every target separately, so that no outer root can contain one in the
        // clone.
        let nowhere = Self { chain: Arc::default(), fetched: Arc::new(fetched), ..self.clone() };
        let seen_as = target.seen_as();
        let clone = Some(Arc::new(Checkout { tree, target: target.clone() }));
        Ok(nowhere.child_root(path, seen_as, clone, LoadRestrictions::RootOnly))
    }

    fn directory(&self, path: &Path) -> Result<PathBuf, LoadError> {
        let path = clean(path);
        match self.files.resolve(&path) {
            Ok((resolved, FileKind::Directory)) => Ok(resolved),
            Ok((_, FileKind::File)) => Err(LoadError::FileNotDirectory { path }),
            Err(source) => Err(LoadError::NotDirectory {
                source: Box::new(LoadError::unresolved(&path, source, &*self.files)),
            }),
        }
    }

    fn load_url(&self, url: &str) -> Result<LoadedFile, LoadError> {
        let answer = self.remote.get(url)?;
        if (200..300).contains(&answer.status) {
            let path = Path::new(url);
            let counted = self.files.count(path, answer.body.len());
            counted.map_err(|source| LoadError::Read { path: path.to_owned(), source })?;
            let taken_for = GitTarget::parse(url).map(Arc::new);
            let seen_as = match &taken_for {
                Some(target) => target.seen_as(),
                None => self.seen_as(url),
            };
            return Ok(LoadedFile { path: url.to_owned(), seen_as, taken_for, bytes: answer.body });
        }
        if GitTarget::parse(url).is_some() {
            return Err(LoadError::IsRepository);
        }
        Err(LoadError::HttpStatus { status: answer.status, reason: answer.reason })
    }
}

fn is_http(entry: &str) -> bool {
    let scheme = entry.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https"))
}
