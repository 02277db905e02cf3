//! The sides of a comparison: files and targets on disk, in a commit or under a draft.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::draft::{DraftedFiles, FileChange, ListedDraft};
use crate::engine::evaluate::target_file_names;
use crate::engine::load::{FileError, FileKind, Files, clean};
use crate::engine::resource::{Resource, Scopes, read_resources};
use crate::engine::yaml::{Limits, SourceId, parse_documents};
use crate::repository::{
    CommitTree, Commits, KeptFiles, ListedFiles, Listing, RepositoryCache, named_object,
    object_with_name,
};

/// Opens the commits of the repository around a folder.
type OpenCommits = dyn Fn(&Path) -> Result<Arc<dyn Commits>, String>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenDraft {
    pub name: Option<String>,
    pub changes: Vec<FileChange>,
}

/// The files, commits, drafts and standard input that the words on the command line can name.
pub struct SideSources<'a> {
    pub files: Arc<dyn Files>,
    /// The folder to which paths in words are relative.
    pub current: PathBuf,
    /// The folder of the open workbench: a draft is looked for here first.
    pub opened: Option<PathBuf>,
    /// The draft of the open workbench, which may differ from its stored form.
    pub open_draft: Option<OpenDraft>,
    pub listing: Arc<dyn Listing>,
    pub indexes: RepositoryCache,
    pub commits: &'a OpenCommits,
    /// Lists the stored drafts of a target: a folder, or a deployment object as `FILE#NAME`.
    pub drafts: &'a dyn Fn(&Path) -> Vec<ListedDraft>,
    pub input: &'a dyn Fn() -> std::io::Result<Vec<u8>>,
}

impl SideSources<'_> {
    /// The top of the repository around a folder.
    pub(super) fn top(&self, folder: &Path) -> Option<PathBuf> {
        Some((self.commits)(folder).ok()?.work_tree_root().to_owned())
    }
}

#[derive(Clone)]
pub enum ComparedSide {
    Tree(Tree),
    /// The resources of a rendered output, and the name of this side.
    Rendered(String, Vec<Arc<Resource>>),
}

/// A tree of files with targets: from the disk, a draft or a commit.
#[derive(Clone)]
pub struct Tree {
    /// The word for this side on the command line.
    pub(super) label: String,
    pub(super) files: Arc<dyn Files>,
    pub(super) listing: Arc<dyn Listing>,
    pub(super) indexes: RepositoryCache,
    pub(super) root: PathBuf,
    /// The folder with the targets; a folder that is a target itself is the only target.
    pub(super) scope: PathBuf,
    /// The name of the deployment object that is the only target.
    pub(super) object: Option<PathBuf>,
    pub(super) commit: Option<CommitSide>,
    pub(super) drafted: Vec<PathBuf>,
}

/// The commit whose files a side reads.
#[derive(Clone)]
pub(super) struct CommitSide {
    pub(super) commits: Arc<dyn Commits>,
    pub(super) tree: Arc<dyn CommitTree>,
    pub(super) id: String,
    pub(super) ignored: Arc<CommitWithIgnoredFiles>,
}

impl Tree {
    /// The only target: a deployment object, or the scope if it has a kustomization file. `None` if
    /// all targets below the scope belong to the side.
    pub(super) fn target(&self) -> Option<PathBuf> {
        let is_target = || is_target(&self.scope, &*self.files);
        self.object.clone().or_else(|| is_target().then(|| self.scope.clone()))
    }

    /// The same target, with paths relative to the repository.
    pub(super) fn with_repository_scope(&self) -> Self {
        Self { object: self.target(), scope: self.root.clone(), ..self.clone() }
    }

    /// The same files with the target of another tree of the same repository.
    pub(super) fn with_object_of(self, other: &Self) -> Self {
        let root = if self.scope.starts_with(&other.root) { other.root.clone() } else { self.root };
        Self { root, object: other.object.clone(), ..self }
    }
}

pub(super) fn is_target(folder: &Path, files: &dyn Files) -> bool {
    let is_file = |name| matches!(files.resolve(&folder.join(name)), Ok((_, FileKind::File)));
    target_file_names().any(is_file)
}

/// Names of the default branch, the one from the remote first.
const DEFAULT_BRANCHES: [&str; 5] =
    ["origin/HEAD", "origin/main", "origin/master", "main", "master"];

/// The changes of the branch: the commit at which it left the default branch, and the files on
/// disk.
///
/// # Errors
/// No repository around the current folder, or no default branch in it.
pub fn branch_sides(from: &SideSources<'_>) -> Result<(ComparedSide, ComparedSide), String> {
    let commits = (from.commits)(&from.current)?;
    let known =
        DEFAULT_BRANCHES.iter().find_map(|name| Some((name, commits.resolve_commit(name).ok()?)));
    let (name, tip) = known.ok_or_else(|| {
        format!("no default branch in this repository (looked for {})", DEFAULT_BRANCHES.join(", "))
    })?;
    let head = commits.resolve_commit("HEAD")?;
    let base = commits.merge_base(&tip, &head)?;
    let label = format!("{} (merge base with {name})", short_commit_id(&base));
    let first = commit_tree(&commits, &base, label, None, from)?;
    let second = disk_tree("the files", &from.current, &[], from)?;
    Ok((ComparedSide::Tree(first), ComparedSide::Tree(second)))
}

pub fn short_commit_id(id: &str) -> &str {
    id.get(..9).unwrap_or(id)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn words(error: impl ToString) -> String {
    error.to_string()
}

/// The files of a commit as a side, limited to `path` if one is given.
pub(super) fn commit_tree(
    commits: &Arc<dyn Commits>,
    id: &str,
    label: String,
    path: Option<&str>,
    from: &SideSources<'_>,
) -> Result<Tree, String> {
    let tree = commits.tree(id)?;
    let top = commits.work_tree_root().to_owned();
    let current = from.files.resolve(&from.current).map(|(path, _)| path);
    let current = current.unwrap_or_else(|_| from.current.clone());
    let wanted = match path {
        // As in git, a path in a commit is relative to the top of the repository unless it begins
        // with `./` or `../`.
        Some(path) if path.starts_with("./") || path.starts_with("../") => current.join(path),
        Some(path) => top.join(path),
        None if current.starts_with(&top) => current,
        None => top.clone(),
    };
    let ignored = Arc::new(CommitWithIgnoredFiles {
        commit: tree.clone(),
        disk: from.files.clone(),
        listing: from.listing.clone(),
        top: top.clone(),
        read: Mutex::default(),
        listed: Mutex::default(),
    });
    let files: Arc<dyn Files> = Arc::new(KeptFiles::new(ignored.clone()));
    let listing: Arc<dyn Listing> = tree.clone();
    let object = path.and_then(|_| named_object(&clean(&wanted), &*files));
    let object = match path.filter(|_| object.is_none() && files.resolve(&wanted).is_err()) {
        Some(name) => object_with_name(name, (&top, &top), &*listing, &files)?,
        None => object,
    };
    let scope = match (&object, tree.resolve(&clean(&wanted))) {
        (Some(object), _) => object.parent().map_or(top.clone(), Path::to_owned),
        (None, Ok((folder, FileKind::Directory))) => folder,
        (None, Ok((file, FileKind::File))) => file.parent().map_or(top.clone(), Path::to_owned),
        (None, Err(_)) if path.is_none() => top.clone(),
        (None, Err(_)) => {
            return Err(format!("there is no '{}' in {label}", path.unwrap_or_default()));
        }
    };
    let commit = Some(CommitSide { commits: commits.clone(), tree, id: id.to_owned(), ignored });
    let (indexes, root, drafted) = (from.indexes.clone(), top, Vec::new());
    Ok(Tree { label, files, listing, indexes, root, scope, object, commit, drafted })
}

/// A folder on disk with changed files over it; `label` is its name in the report. Paths are shown
/// relative to the top of its repository.
pub fn disk_tree(
    label: &str,
    folder: &Path,
    changes: &[FileChange],
    from: &SideSources<'_>,
) -> Result<Tree, String> {
    let (scope, _) = from.files.resolve(folder).map_err(words)?;
    let top = from.top(&scope).filter(|top| scope.starts_with(top));
    let root = top.unwrap_or_else(|| scope.clone());
    let (mut files, mut listing) = (KeptFiles::over(from.files.clone()), from.listing.clone());
    if !changes.is_empty() {
        let listed = listing.files_below(&root).map_err(words)?;
        let mut listed: BTreeSet<PathBuf> = listed.into_iter().collect();
        for FileChange { path, draft, .. } in changes {
            let _ = if draft.is_some() { listed.insert(path.clone()) } else { listed.remove(path) };
        }
        listing = Arc::new(ListedFiles(listed.into_iter().collect()));
        let texts = changes.iter().map(|change| (change.path.clone(), change.draft.clone()));
        files = Arc::new(DraftedFiles::new(texts, files));
    }
    let drafted = changes.iter().map(|change| change.path.clone()).collect();
    let (label, indexes) = (label.to_owned(), from.indexes.clone());
    let (object, commit) = (None, None);
    Ok(Tree { label, files, listing, indexes, root, scope, object, commit, drafted })
}

/// The side with the resources of a printed output; `label` is its name in the report.
pub(super) fn rendered_side(label: &str, bytes: &[u8]) -> Result<ComparedSide, String> {
    let wrong = |why: String| format!("{label} holds no rendered resources: {why}");
    let parsed = parse_documents(bytes, SourceId::NONE, Limits::default())
        .map_err(|error| wrong(error.to_string()))?;
    let resources = read_resources(&parsed, &Scopes::default())
        .map_err(|error| wrong(format!("{}: line {}", error.oddity, error.mark.line)))?;
    Ok(ComparedSide::Rendered(label.to_owned(), resources.into_iter().map(Arc::new).collect()))
}

pub fn commit_files(tree: Arc<dyn CommitTree>) -> Arc<dyn Files> {
    Arc::new(KeptFiles::new(tree))
}

pub(super) struct CommitWithIgnoredFiles {
    commit: Arc<dyn CommitTree>,
    disk: Arc<dyn Files>,
    listing: Arc<dyn Listing>,
    top: PathBuf,
    read: Mutex<BTreeSet<PathBuf>>,
    /// For each listed folder, its files that git does not ignore.
    listed: Mutex<BTreeMap<PathBuf, BTreeSet<PathBuf>>>,
}

impl CommitWithIgnoredFiles {
    pub(super) fn files_read(&self) -> Vec<PathBuf> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The path on disk of a file that git ignores; `None` for a file that git does not ignore,
    /// that does not exist or that is outside of the repository.
    fn ignored_file(&self, path: &Path) -> Option<PathBuf> {
        let is_git = |path: &Path| path.components().any(|part| part.as_os_str() == ".git");
        let below = path.strip_prefix(&self.top).ok().filter(|below| !is_git(below))?;
        let (found, kind) = self.disk.resolve(path).ok()?;
        // A link may lead out of the repository, to a file that does not belong to it.
        if kind != FileKind::File || found != self.top.join(below) {
            return None;
        }
        let folder = path.parent()?;
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = listed.entry(folder.to_owned()).or_insert_with(|| {
            let files = self.listing.files_below(folder).unwrap_or_default();
            files.into_iter().collect()
        });
        (!known.contains(path)).then_some(found)
    }
}

impl Files for CommitWithIgnoredFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        self.commit.resolve(path).or_else(|error| {
            self.ignored_file(path).map(|found| (found, FileKind::File)).ok_or(error)
        })
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        self.commit.read(path).or_else(|error| {
            let Some(found) = self.ignored_file(path) else { return Err(error) };
            let bytes = self.disk.read(&found)?;
            self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(found);
            Ok(bytes)
        })
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        self.commit.list(path)
    }
}
