//! The sides of a comparison: from the words of the command line to files and targets.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ignored::{CommitWithIgnoredFiles, IgnoredFiles};
use crate::answers::{displayed_path, relative};
use crate::draft::{DraftedFiles, ListedDraft};
use crate::engine::evaluate::target_file_names;
use crate::engine::load::{FileError, FileKind, Files, clean, relative_path};
use crate::engine::resource::{Resource, Scopes, read_resources};
use crate::engine::yaml::{Limits, SourceId, parse_documents};
use crate::repository::{
    CommitTree, Commits, CommitsError, KeptFiles, ListedFiles, Listing, named_object,
    object_with_name,
};

/// Opens the commits of the repository around a folder.
type OpenCommits = dyn Fn(&Path) -> Result<Arc<dyn Commits>, CommitsError>;
/// Texts by file, `None` for a deleted file.
pub type FileTexts = Vec<(PathBuf, Option<Arc<[u8]>>)>;

/// The files, commits, drafts and standard input that the words on the command line can name.
pub struct SideSources<'a> {
    pub files: Arc<dyn Files>,
    /// The folder to which paths in words are relative.
    pub current: PathBuf,
    /// The list of the files below a folder on disk.
    pub listing: Arc<dyn Listing>,
    /// The commits of the repository around a folder.
    pub commits: &'a OpenCommits,
    /// Lists the stored drafts of a target: a folder, or a deployment object as `FILE#NAME`.
    pub drafts: &'a dyn Fn(&Path) -> Vec<ListedDraft>,
    pub input: &'a dyn Fn() -> std::io::Result<Vec<u8>>,
}

/// One side of a comparison.
pub enum ComparedSide {
    /// A tree of files with the targets to build.
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
    pub(super) ignored: Arc<IgnoredFiles>,
}

impl Tree {
    /// The only target: a deployment object, or the scope if it has a kustomization file. `None` if
    /// all targets below the scope belong to the side.
    pub(super) fn target(&self) -> Option<PathBuf> {
        let has_file = || {
            target_file_names().any(|name| {
                let found = self.files.resolve(&self.scope.join(name));
                matches!(found, Ok((_, FileKind::File)))
            })
        };
        self.object.clone().or_else(|| has_file().then(|| self.scope.clone()))
    }

    /// The same target, with paths relative to the repository.
    pub(super) fn with_repository_scope(&self) -> Self {
        Self { object: self.target(), scope: self.root.clone(), ..self.clone() }
    }

    /// The same files with a deployment object as the only target.
    fn with_object(self, object: PathBuf) -> Self {
        Self { object: Some(object), ..self }
    }
}

/// Both sides of a comparison, by their words on the command line.
///
/// # Errors
///
/// A word names no side.
pub fn parse_sides(
    before: &str,
    after: Option<&str>,
    from: &SideSources<'_>,
) -> Result<(ComparedSide, ComparedSide), String> {
    let before = &*with_file_of_object(before, from)?;
    let after = after.map(|word| with_file_of_object(word, from)).transpose()?;
    let after = after.as_deref();
    let path = clean(&from.current.join(before));
    let object = named_object(&path, &*from.files);
    let is_there = object.is_some() || from.files.resolve(&path).is_ok();
    if let (None, false) = (after, is_there) {
        if let Some((one, other)) = before.split_once("...") {
            let (one, other) = (name_or_head(one), name_or_head(other));
            let commits = open_commits(from)?;
            let ids = (commits.resolve_commit(one), commits.resolve_commit(other));
            let (old, new) = (ids.0.map_err(words)?, ids.1.map_err(words)?);
            let base = commits.merge_base(&old, &new).map_err(words)?;
            let label = format!("{} ({one}...{other})", short_commit_id(&base));
            let first = commit_side(&commits, &base, label, None, from)?;
            let second = commit_side(&commits, &new, other.to_owned(), None, from)?;
            return Ok((first, second));
        }
        if let Some((one, other)) = before.split_once("..") {
            return parse_sides(name_or_head(one), Some(name_or_head(other)), from);
        }
    }
    match after {
        Some(after) => Ok((place_beside(before, after, from)?, place_beside(after, before, from)?)),
        // A folder or the draft alone is compared with its state without the changes.
        None if is_draft(before, from) => {
            Ok((disk_side(".", &from.current, from)?, place(before, from)?))
        }
        None if is_there => Ok((last_commit_side(before, from)?, place(before, from)?)),
        None => {
            let first = place(before, from)?;
            let ComparedSide::Tree(tree) = &first else {
                return Err(format!(
                    "{before} is a rendered file: name a second side to compare with it"
                ));
            };
            let mut second = disk_side("the work tree", &tree.scope, from)?;
            if let ComparedSide::Tree(second) = &mut second {
                second.root.clone_from(&tree.root);
                second.object.clone_from(&tree.object);
            }
            Ok((first, second))
        }
    }
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
    let commits = open_commits(from)?;
    let known =
        DEFAULT_BRANCHES.iter().find_map(|name| Some((name, commits.resolve_commit(name).ok()?)));
    let (name, tip) = known.ok_or_else(|| {
        format!("no default branch in this repository (looked for {})", DEFAULT_BRANCHES.join(", "))
    })?;
    let head = commits.resolve_commit("HEAD").map_err(words)?;
    let base = commits.merge_base(&tip, &head).map_err(words)?;
    let label = format!("{} (merge base with {name})", short_commit_id(&base));
    let first = commit_side(&commits, &base, label, None, from)?;
    Ok((first, disk_side("the files", &from.current, from)?))
}

/// The state of a folder on disk in the last commit.
fn last_commit_side(word: &str, from: &SideSources<'_>) -> Result<ComparedSide, String> {
    let path = clean(&from.current.join(word));
    let (path, is_file) = if let Some(object) = named_object(&path, &*from.files) {
        (object, true)
    } else {
        let (path, kind) = from.files.resolve(&path).map_err(words)?;
        (path, kind == FileKind::File)
    };
    let folder = match path.parent() {
        Some(folder) if is_file => folder,
        _ => &path,
    };
    let commits = (from.commits)(folder).map_err(|error| {
        format!("{word} without a second side is compared with the last commit, but {error}: name a second side")
    })?;
    let id = commits.resolve_commit("HEAD").map_err(words)?;
    let top = commits.work_tree_root().to_owned();
    let label = format!("HEAD:{}", relative(&path, &top));
    commit_side(&commits, &id, label, Some(&path.to_string_lossy()), from)
}

/// The name of a commit; `HEAD` for an empty name.
fn name_or_head(name: &str) -> &str {
    if name.is_empty() { "HEAD" } else { name }
}

/// A commit id, shortened for display.
pub fn short_commit_id(id: &str) -> &str {
    id.get(..9).unwrap_or(id)
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn words(error: impl ToString) -> String {
    error.to_string()
}

/// The word with `FILE#NAME` in place of the name of a deployment object. A file, a folder, a draft
/// and a git reference precede an object.
///
/// # Errors
/// Several objects have the name.
fn with_file_of_object<'w>(word: &'w str, from: &SideSources<'_>) -> Result<Cow<'w, str>, String> {
    let commits = (from.commits)(&from.current).ok();
    let is_reference = || commits.as_ref().is_some_and(|it| it.resolve_commit(word).is_ok());
    let is_there = from.files.resolve(&from.current.join(word)).is_ok();
    if is_there || is_draft(word, from) || is_reference() {
        return Ok(Cow::Borrowed(word));
    }
    let Ok((current, _)) = from.files.resolve(&from.current) else {
        return Ok(Cow::Borrowed(word));
    };
    let top = commits.as_ref().map(|commits| commits.work_tree_root());
    let root = top.filter(|top| current.starts_with(top)).unwrap_or(&current);
    let object = object_with_name(word, (root, &current), &*from.listing, &*from.files)?;
    Ok(object.map_or(Cow::Borrowed(word), |object| relative_path(&current, &object).into()))
}

/// The side that a word names. A draft that the current folder does not have is the draft of the
/// target on the other side.
fn place_beside(word: &str, other: &str, from: &SideSources<'_>) -> Result<ComparedSide, String> {
    let is_draft_word = |word: &str| word == "draft" || word.starts_with("draft:");
    let name = word.strip_prefix("draft:").filter(|name| !name.is_empty());
    let is_here = || stored_draft_texts(name, &from.current, from).is_ok();
    if !is_draft_word(word) || is_draft_word(other) || is_here() {
        return place(word, from);
    }
    let target = match place(other, from) {
        Ok(ComparedSide::Tree(tree)) if tree.commit.is_none() => tree.target(),
        _ => None,
    };
    match target.map(|target| draft_side(name, &target, from)) {
        Some(Err(_)) if !is_draft(word, from) => place(word, from),
        Some(side) => side,
        None => place(word, from),
    }
}

/// The side that a word of the command line names.
fn place(word: &str, from: &SideSources<'_>) -> Result<ComparedSide, String> {
    if word == "-" {
        let bytes = (from.input)().map_err(words)?;
        return rendered_side("standard input", &bytes);
    }
    let path = clean(&from.current.join(word));
    let top =
        |path: &Path| (from.commits)(path).ok().map(|commits| commits.work_tree_root().to_owned());
    let label = displayed_path(word, &from.current, &top);
    if let Some(object) = named_object(&path, &*from.files) {
        let folder = object.parent().unwrap_or(&object).to_owned();
        let ComparedSide::Tree(tree) = disk_side(&label, &folder, from)? else {
            return Err(String::new());
        };
        return Ok(ComparedSide::Tree(tree.with_object(object)));
    }
    match from.files.resolve(&path) {
        Ok((folder, FileKind::Directory)) => return disk_side(&label, &folder, from),
        Ok((file, FileKind::File)) => {
            let name = file.file_name().unwrap_or_default();
            if target_file_names().any(|target| name == target) {
                return disk_side(&label, file.parent().unwrap_or(&file), from);
            }
            return rendered_side(&label, &from.files.read(&file).map_err(words)?);
        }
        Err(_) => {}
    }
    if is_draft(word, from) {
        let name = word.strip_prefix("draft:").filter(|name| !name.is_empty());
        return draft_side(name, &from.current, from);
    }
    let commits = open_commits(from).map_err(|error| unknown_side_message(word, &error, from))?;
    let (name, path) = match word.split_once(':') {
        Some((name, path)) => (name_or_head(name), Some(path)),
        None => (word, None),
    };
    let id = commits
        .resolve_commit(name)
        .map_err(|error| unknown_side_message(word, &error.to_string(), from))?;
    commit_side(&commits, &id, word.to_owned(), path, from)
}

/// The limit on folders that are suggested for a word.
const MAX_SUGGESTED: usize = 3;

/// The message for a word that names no side. It suggests the targets below the current folder
/// whose paths end with the word.
fn unknown_side_message(word: &str, error: &str, from: &SideSources<'_>) -> String {
    let files = from.listing.files_below(&from.current).unwrap_or_default();
    let is_target = |file: &&PathBuf| target_file_names().any(|name| file.ends_with(name));
    let folders = files.iter().filter(is_target).filter_map(|file| file.parent());
    let folders = folders.filter(|folder| !word.is_empty() && folder.ends_with(word));
    let mut named: Vec<String> =
        folders.map(|folder| relative(folder, &from.current)).take(MAX_SUGGESTED).collect();
    named.dedup();
    let help = match named.as_slice() {
        [] => String::new(),
        _ => format!("; name the folder: {}", named.join(", ")),
    };
    format!("{word} is not a folder, a file or a git reference: {error}{help}")
}

/// Opens the commits of the repository around the current folder.
fn open_commits(from: &SideSources<'_>) -> Result<Arc<dyn Commits>, String> {
    (from.commits)(&from.current).map_err(words)
}

/// The files of a commit as a side, limited to `path` if one is given.
fn commit_side(
    commits: &Arc<dyn Commits>,
    id: &str,
    label: String,
    path: Option<&str>,
    from: &SideSources<'_>,
) -> Result<ComparedSide, String> {
    let tree = commits.tree(id).map_err(words)?;
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
    let ignored = Arc::new(IgnoredFiles::default());
    let files: Arc<dyn Files> = Arc::new(KeptFiles::new(Arc::new(CommitWithIgnoredFiles {
        commit: tree.clone(),
        disk: from.files.clone(),
        listing: from.listing.clone(),
        top: top.clone(),
        used: ignored.clone(),
    })));
    let listing: Arc<dyn Listing> = Arc::new(SharedFiles(tree.clone()));
    let object = path.and_then(|_| named_object(&clean(&wanted), &*files));
    let object = match path.filter(|_| object.is_none() && files.resolve(&wanted).is_err()) {
        Some(name) => object_with_name(name, (&top, &top), &*listing, &*files)?,
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
    Ok(ComparedSide::Tree(Tree {
        label,
        files,
        listing,
        root: top,
        scope,
        object,
        commit,
        drafted: Vec::new(),
    }))
}

/// The side that reads a folder on disk; `label` is its name in the report. Paths are shown
/// relative to the top of its repository.
///
/// # Errors
///
/// The folder does not exist.
pub fn disk_side(
    label: &str,
    folder: &Path,
    from: &SideSources<'_>,
) -> Result<ComparedSide, String> {
    let (scope, _) = from.files.resolve(folder).map_err(words)?;
    let top = (from.commits)(&scope).map(|commits| commits.work_tree_root().to_owned());
    let root = top.ok().filter(|top| scope.starts_with(top)).unwrap_or_else(|| scope.clone());
    let files: Arc<dyn Files> = Arc::new(KeptFiles::new(from.files.clone()));
    let listing = from.listing.clone();
    let label = label.to_owned();
    let (object, commit, drafted) = (None, None, Vec::new());
    Ok(ComparedSide::Tree(Tree { label, files, listing, root, scope, object, commit, drafted }))
}

/// True for a word that names a draft: `draft` and `draft:` always, `draft:NAME` if it exists.
fn is_draft(word: &str, from: &SideSources<'_>) -> bool {
    matches!(word, "draft" | "draft:")
        || word
            .strip_prefix("draft:")
            .is_some_and(|name| stored_draft_texts(Some(name), &from.current, from).is_ok())
}

/// The side with the stored draft of a target, a folder or a deployment object: its texts replace
/// files on disk.
fn draft_side(
    name: Option<&str>,
    target: &Path,
    from: &SideSources<'_>,
) -> Result<ComparedSide, String> {
    let (target, texts) = stored_draft_texts(name, target, from)?;
    let label = name.map_or_else(|| "draft".to_owned(), |name| format!("draft:{name}"));
    let Some(object) = named_object(&target, &*from.files) else {
        return disk_side_with_texts(&label, &target, texts, from);
    };
    let folder = object.parent().unwrap_or(&object);
    let side = disk_side_with_texts(&label, folder, texts, from)?;
    Ok(match side {
        ComparedSide::Tree(tree) => ComparedSide::Tree(tree.with_object(object)),
        rendered @ ComparedSide::Rendered(..) => rendered,
    })
}

/// The target and the texts of its draft: the draft with this name, or the latest unnamed draft.
fn stored_draft_texts(
    name: Option<&str>,
    target: &Path,
    from: &SideSources<'_>,
) -> Result<(PathBuf, FileTexts), String> {
    let resolved = from.files.resolve(target).map(|(target, _)| target);
    let folder = resolved.unwrap_or_else(|_| target.to_owned());
    let drafts = (from.drafts)(&folder);
    let called = drafts.iter().filter(|kept| kept.draft.name.as_deref() == name);
    let found = called.filter(|kept| name.is_some() || !kept.draft.files.is_empty());
    let Some(found) = found.max_by(|one, other| one.at.cmp(&other.at)) else {
        let names = drafts.iter().filter_map(|kept| kept.draft.name.as_deref());
        let names: Vec<String> = names.map(|name| format!("draft:{name}")).collect();
        let others = match names.as_slice() {
            [] => String::new(),
            names => format!("; there is {}", names.join(", ")),
        };
        let called = name.map_or_else(String::new, |name| format!(" `{name}`"));
        let here = if target == from.current {
            "the target in this folder".to_owned()
        } else {
            relative(&folder, &from.current)
        };
        return Err(format!("no draft{called} is kept for {here}{others}"));
    };
    let files = found.draft.files.iter();
    Ok((folder, files.map(|file| (file.path.clone(), file.draft.clone())).collect()))
}

/// The side that reads a folder on disk, with `texts` in place of some files.
///
/// # Errors
///
/// The folder cannot be listed.
pub fn disk_side_with_texts(
    label: &str,
    folder: &Path,
    texts: FileTexts,
    from: &SideSources<'_>,
) -> Result<ComparedSide, String> {
    let ComparedSide::Tree(tree) = disk_side(label, folder, from)? else {
        return Err(String::new());
    };
    let mut listed = tree.listing.files_below(&tree.root).map_err(words)?;
    listed.extend(texts.iter().filter(|(_, text)| text.is_some()).map(|(path, _)| path.clone()));
    listed.retain(|path| !texts.iter().any(|(gone, text)| text.is_none() && gone == path));
    listed.sort();
    listed.dedup();
    let drafted = texts.iter().map(|(path, _)| path.clone()).collect();
    let files: Arc<dyn Files> = Arc::new(DraftedFiles::new(
        texts.into_iter(),
        Arc::new(KeptFiles::new(from.files.clone())),
    ));
    Ok(ComparedSide::Tree(Tree { files, listing: Arc::new(ListedFiles(listed)), drafted, ..tree }))
}

/// The side with the resources of a printed output; `label` is its name in the report.
fn rendered_side(label: &str, bytes: &[u8]) -> Result<ComparedSide, String> {
    let wrong = |why: String| format!("{label} holds no rendered resources: {why}");
    let parsed = parse_documents(bytes, SourceId::NONE, Limits::default())
        .map_err(|error| wrong(error.to_string()))?;
    let resources = read_resources(&parsed, &Scopes::default())
        .map_err(|error| wrong(format!("{}: line {}", error.oddity, error.mark.line)))?;
    Ok(ComparedSide::Rendered(label.to_owned(), resources.into_iter().map(Arc::new).collect()))
}

/// The files of a commit, each read once.
pub fn commit_files(tree: Arc<dyn CommitTree>) -> Arc<dyn Files> {
    Arc::new(KeptFiles::new(Arc::new(SharedFiles(tree))))
}

/// The files of a commit as a port for builds.
struct SharedFiles(Arc<dyn CommitTree>);

impl Files for SharedFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        self.0.resolve(path)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        self.0.read(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        self.0.list(path)
    }
}

impl Listing for SharedFiles {
    fn files_below(&self, folder: &Path) -> Result<Vec<PathBuf>, FileError> {
        self.0.files_below(folder)
    }
}
