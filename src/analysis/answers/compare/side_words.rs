//! The sides of a comparison that words on the command line name, stored drafts among them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::side_sources::{
    ComparedSide, SideSources, Tree, commit_tree, disk_tree, is_target, rendered_side,
    short_commit_id, words,
};
use crate::answers::{displayed_path, relative};
use crate::draft::{FileChange, ListedDraft};
use crate::engine::evaluate::target_file_names;
use crate::engine::load::{FileKind, clean, relative_path};
use crate::repository::{may_be_object_name, named_object, object_with_name};

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
            let commits = (from.commits)(&from.current)?;
            let ids = (commits.resolve_commit(one), commits.resolve_commit(other));
            let (old, new) = (ids.0.map_err(words)?, ids.1.map_err(words)?);
            let base = commits.merge_base(&old, &new)?;
            let label = format!("{} ({one}...{other})", short_commit_id(&base));
            let first = commit_tree(&commits, &base, label, None, from)?;
            let second = commit_tree(&commits, &new, other.to_owned(), None, from)?;
            return Ok((ComparedSide::Tree(first), ComparedSide::Tree(second)));
        }
        if let Some((one, other)) = before.split_once("..") {
            return parse_sides(name_or_head(one), Some(name_or_head(other)), from);
        }
    }
    let draft = |name: DraftName<'_>, other| name.side(other, from).map(ComparedSide::Tree);
    let [one, other] = [Some(before), after].map(|word| draft_name(word?, from));
    match (one, after) {
        // A draft alone is compared with the files.
        (Some(name), None) => {
            let second = name.side(None, from)?;
            let first = disk_tree("the files", &second.scope, &[], from)?;
            Ok((ComparedSide::Tree(first), ComparedSide::Tree(second)))
        }
        (Some(name), Some(after)) if other.is_none() => {
            let second = place(after, from)?;
            Ok((draft(name, Some(&second))?, second))
        }
        (one, Some(after)) => {
            let first = one.map_or_else(|| place(before, from), |name| draft(name, None))?;
            let second = other.map_or_else(|| place(after, from), |it| draft(it, Some(&first)))?;
            Ok((first, second))
        }
        // A folder alone is compared with its state in the last commit.
        (None, None) if is_there => Ok((last_commit_side(before, from)?, place(before, from)?)),
        (None, None) => {
            let first = place(before, from)?;
            let ComparedSide::Tree(tree) = &first else {
                return Err(format!(
                    "{before} is a rendered file: name a second side to compare with it"
                ));
            };
            let second = disk_tree("the work tree", &tree.scope, &[], from)?.with_object_of(tree);
            Ok((first, ComparedSide::Tree(second)))
        }
    }
}

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
    let id = commits.resolve_commit("HEAD")?;
    let top = commits.work_tree_root().to_owned();
    let label = format!("HEAD:{}", relative(&path, &top));
    commit_tree(&commits, &id, label, Some(&path.to_string_lossy()), from).map(ComparedSide::Tree)
}

fn name_or_head(name: &str) -> &str {
    if name.is_empty() { "HEAD" } else { name }
}

/// The word with `FILE#NAME` in place of the name of a deployment object. A file, a folder, a draft
/// and a git reference precede an object.
fn with_file_of_object<'w>(word: &'w str, from: &SideSources<'_>) -> Result<Cow<'w, str>, String> {
    let is_there = from.files.resolve(&from.current.join(word)).is_ok();
    if is_there || !may_be_object_name(word) || draft_name(word, from).is_some() {
        return Ok(Cow::Borrowed(word));
    }
    let commits = (from.commits)(&from.current).ok();
    if commits.as_ref().is_some_and(|it| it.resolve_commit(word).is_ok()) {
        return Ok(Cow::Borrowed(word));
    }
    let Ok((current, _)) = from.files.resolve(&from.current) else {
        return Ok(Cow::Borrowed(word));
    };
    let top = commits.as_ref().map(|commits| commits.work_tree_root());
    let root = top.filter(|top| current.starts_with(top)).unwrap_or(&current);
    let object = object_with_name(word, (root, &current), &*from.listing, &from.files)?;
    Ok(object.map_or(Cow::Borrowed(word), |object| relative_path(&current, &object).into()))
}

/// The side that a word names, without a second one: as in [`parse_sides`], but a draft has no
/// files to be compared with.
pub fn parse_side(word: &str, from: &SideSources<'_>) -> Result<ComparedSide, String> {
    place(&with_file_of_object(word, from)?, from)
}

fn place(word: &str, from: &SideSources<'_>) -> Result<ComparedSide, String> {
    if word == "-" {
        let bytes = (from.input)().map_err(words)?;
        return rendered_side("standard input", &bytes);
    }
    let path = clean(&from.current.join(word));
    let label = displayed_path(word, &from.current, &|path| from.top(path));
    let folder_side = |folder: &Path| disk_tree(&label, folder, &[], from).map(ComparedSide::Tree);
    if let Some(object) = named_object(&path, &*from.files) {
        let folder = object.parent().unwrap_or(&object).to_owned();
        let tree = disk_tree(&label, &folder, &[], from)?;
        return Ok(ComparedSide::Tree(Tree { object: Some(object), ..tree }));
    }
    match from.files.resolve(&path) {
        Ok((folder, FileKind::Directory)) => return folder_side(&folder),
        Ok((file, FileKind::File)) => {
            let name = file.file_name().unwrap_or_default();
            if target_file_names().any(|target| name == target) {
                return folder_side(file.parent().unwrap_or(&file));
            }
            return rendered_side(&label, &from.files.read(&file).map_err(words)?);
        }
        Err(_) => {}
    }
    let unknown = |error: String| unknown_side_message(word, &error, from);
    let commits = (from.commits)(&from.current).map_err(unknown)?;
    let (name, path) = match word.split_once(':') {
        Some((name, path)) => (name_or_head(name), Some(path)),
        None => (word, None),
    };
    let id = commits.resolve_commit(name).map_err(unknown)?;
    commit_tree(&commits, &id, word.to_owned(), path, from).map(ComparedSide::Tree)
}

const MAX_SUGGESTED: usize = 3;

/// The message for a word that names no side. It suggests the targets below the current folder
/// whose paths end with the word.
fn unknown_side_message(word: &str, error: &str, from: &SideSources<'_>) -> String {
    let folders = target_folders(&from.current, from).into_iter();
    let folders = folders.filter(|folder| !word.is_empty() && folder.ends_with(word));
    let named: Vec<String> =
        folders.map(|folder| relative(&folder, &from.current)).take(MAX_SUGGESTED).collect();
    let help = match named.as_slice() {
        [] => String::new(),
        _ => format!("; name the folder: {}", named.join(", ")),
    };
    format!("{word} is not a folder, a file or a git reference: {error}{help}")
}

struct FoundDraft {
    label: String,
    folder: PathBuf,
    changes: Vec<FileChange>,
}

/// The name of a draft; `None` for the newest draft without a name.
#[derive(Clone, Copy)]
pub(super) struct DraftName<'w>(Option<&'w str>);

/// The draft that a word names. `draft` and `draft:` always name one. `draft:NAME` may also be a
/// path in a branch with the name `draft`, and any word may be a file.
pub(super) fn draft_name<'w>(word: &'w str, from: &SideSources<'_>) -> Option<DraftName<'w>> {
    let name = match word {
        "draft" => "",
        _ => word.strip_prefix("draft:")?,
    };
    if from.files.resolve(&clean(&from.current.join(word))).is_ok() {
        return None;
    }
    let name = DraftName(Some(name).filter(|name| !name.is_empty()));
    let is_branch = || {
        let commits = (from.commits)(&from.current);
        commits.is_ok_and(|commits| commits.resolve_commit("draft").is_ok())
    };
    let is_commit = name.0.is_some() && name.find(&[], from).is_err() && is_branch();
    (!is_commit).then_some(name)
}

impl DraftName<'_> {
    /// The draft over the files: beside another side for its targets, else for all targets that the
    /// draft may affect.
    pub(super) fn side(
        self,
        other: Option<&ComparedSide>,
        from: &SideSources<'_>,
    ) -> Result<Tree, String> {
        let Some(ComparedSide::Tree(beside)) = other else {
            let found = self.find(&[], from)?;
            let scope = if other.is_some() { found.folder.clone() } else { found.scope(from) };
            return disk_tree(&found.label, &scope, &found.changes, from);
        };
        let target = beside.target();
        let mut targets: Vec<&Path> =
            target.iter().chain([&beside.scope]).map(PathBuf::as_path).collect();
        // Two drafts are looked for at the same places.
        targets.retain(|_| beside.drafted.is_empty());
        let found = self.find(&targets, from)?;
        let tree = disk_tree(&found.label, &beside.scope, &found.changes, from)?;
        Ok(tree.with_object_of(beside))
    }

    /// The open draft, if it has this name; else the stored one of the open target, of one of `targets`
    /// or of the target in the current folder; else of the only target below the current folder with
    /// such a draft.
    fn find(self, targets: &[&Path], from: &SideSources<'_>) -> Result<FoundDraft, String> {
        let (current, _) = from.files.resolve(&from.current).map_err(words)?;
        let named = self.0.map(|name| format!("draft:{name}"));
        let label = named.clone().unwrap_or_else(|| "the draft".to_owned());
        if let Some(open) = from.open_draft.as_ref().filter(|open| open.name.as_deref() == self.0) {
            if open.changes.is_empty() {
                return Err("no draft: edit a target first".to_owned());
            }
            let folder = from.opened.as_deref().unwrap_or(&current).to_owned();
            return Ok(FoundDraft { label, folder, changes: open.changes.clone() });
        }
        let first = from.opened.iter().map(PathBuf::as_path).chain(targets.iter().copied());
        for folder in first.chain([&*current]) {
            if let Some(changes) = self.newest(&(from.drafts)(folder)) {
                return Ok(FoundDraft { label, folder: folder.to_owned(), changes });
            }
        }
        let (mut found, mut others) = (Vec::new(), Vec::new());
        for folder in target_folders(&current, from) {
            let drafts = (from.drafts)(&folder);
            others.extend(drafts.iter().filter_map(|kept| {
                let name = kept.draft.name.as_deref()?;
                let place = relative(&folder, &current);
                let place = if place == "." { String::new() } else { format!(" of {place}") };
                Some(format!("draft:{name}{place}"))
            }));
            found.extend(self.newest(&drafts).map(|changes| (folder, changes)));
        }
        let word = named.unwrap_or_else(|| "draft".to_owned());
        let folders: Vec<String> =
            found.iter().map(|(folder, _)| relative(folder, &current)).collect();
        match (found.pop(), folders.as_slice()) {
            (Some((folder, changes)), [_]) => Ok(FoundDraft { label, folder, changes }),
            (Some(_), _) => Err(format!(
                "{word} is a draft of several targets: {}; run the command in the folder of one",
                folders.join(", ")
            )),
            (None, _) => {
                let others = match others.as_slice() {
                    [] => "`kzui drafts DIR` lists those of a target".to_owned(),
                    names => format!("there is {}", names.join(", ")),
                };
                Err(format!("{word}: no such draft of a target in or below this folder; {others}"))
            }
        }
    }

    fn newest(self, drafts: &[ListedDraft]) -> Option<Vec<FileChange>> {
        let called = drafts.iter().filter(|kept| kept.draft.name.as_deref() == self.0);
        let found = called.filter(|kept| self.0.is_some() || !kept.draft.files.is_empty());
        Some(found.max_by_key(|kept| &kept.at)?.draft.files.clone())
    }
}

impl FoundDraft {
    /// The folder with the targets that the draft may affect: for a draft of a target, or with a
    /// file outside of its folder, the repository; else the folder.
    fn scope(&self, from: &SideSources<'_>) -> PathBuf {
        let is_inside = self.changes.iter().all(|it| it.path.starts_with(&self.folder));
        if is_inside && !is_target(&self.folder, &*from.files) {
            return self.folder.clone();
        }
        from.top(&self.folder).unwrap_or_else(|| {
            let paths = self.changes.iter().filter_map(|it| it.path.parent());
            let is_above = |above: &&Path| paths.clone().all(|path| path.starts_with(above));
            self.folder.ancestors().find(is_above).unwrap_or(&self.folder).to_owned()
        })
    }
}

/// The folders with a kustomization file below a folder, in order.
pub(super) fn target_folders(folder: &Path, from: &SideSources<'_>) -> Vec<PathBuf> {
    let files = from.listing.files_below(folder).unwrap_or_default();
    let is_target = |file: &&PathBuf| target_file_names().any(|name| file.ends_with(name));
    let folders = files.iter().filter(is_target).filter_map(|file| file.parent());
    folders.collect::<BTreeSet<_>>().into_iter().map(Path::to_owned).collect()
}
