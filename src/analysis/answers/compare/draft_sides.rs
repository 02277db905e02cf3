//! Stored drafts as sides of a comparison.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::side_sources::{
    ComparedSide, FileTexts, SideSources, disk_side, disk_side_with_texts, is_target, words,
};
use crate::answers::relative;
use crate::draft::{FileChange, ListedDraft};
use crate::engine::evaluate::target_file_names;
use crate::engine::load::clean;

struct FoundDraft {
    label: String,
    folder: PathBuf,
    texts: FileTexts,
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

/// The files, and the files with the draft over them: all targets that the draft may affect.
pub(super) fn draft_with_files(
    name: DraftName<'_>,
    from: &SideSources<'_>,
) -> Result<(ComparedSide, ComparedSide), String> {
    let found = name.find(&[], from)?;
    let scope = found.scope(from);
    let before = disk_side("the files", &scope, from)?;
    Ok((before, disk_side_with_texts(&found.label, &scope, found.texts, from)?))
}

pub(super) fn two_drafts(
    one: DraftName<'_>,
    other: DraftName<'_>,
    from: &SideSources<'_>,
) -> Result<(ComparedSide, ComparedSide), String> {
    let (one, other) = (one.find(&[], from)?, other.find(&[], from)?);
    let scope = one.scope(from);
    let before = disk_side_with_texts(&one.label, &scope, one.texts, from)?;
    Ok((before, disk_side_with_texts(&other.label, &scope, other.texts, from)?))
}

/// The draft as the counterpart of another side: the same targets with the draft over the files.
pub(super) fn draft_for_side(
    name: DraftName<'_>,
    other: &ComparedSide,
    from: &SideSources<'_>,
) -> Result<ComparedSide, String> {
    let ComparedSide::Tree(other) = other else {
        let found = name.find(&[], from)?;
        return disk_side_with_texts(&found.label, &found.folder, found.texts, from);
    };
    let target = other.target();
    let places: Vec<&Path> = target.iter().chain([&other.scope]).map(PathBuf::as_path).collect();
    let found = name.find(&places, from)?;
    let side = disk_side_with_texts(&found.label, &other.scope, found.texts, from)?;
    Ok(match side {
        ComparedSide::Tree(tree) => ComparedSide::Tree(tree.with_object_of(other)),
        rendered @ ComparedSide::Rendered(..) => rendered,
    })
}

impl DraftName<'_> {
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
            return Ok(FoundDraft { label, folder, texts: texts(&open.changes) });
        }
        let first = from.opened.iter().map(PathBuf::as_path).chain(targets.iter().copied());
        for folder in first.chain([&*current]) {
            if let Some(texts) = self.newest(&(from.drafts)(folder)) {
                return Ok(FoundDraft { label, folder: folder.to_owned(), texts });
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
            found.extend(self.newest(&drafts).map(|texts| (folder, texts)));
        }
        let word = named.unwrap_or_else(|| "draft".to_owned());
        let folders: Vec<String> =
            found.iter().map(|(folder, _)| relative(folder, &current)).collect();
        match (found.pop(), folders.as_slice()) {
            (Some((folder, texts)), [_]) => Ok(FoundDraft { label, folder, texts }),
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

    fn newest(self, drafts: &[ListedDraft]) -> Option<FileTexts> {
        let called = drafts.iter().filter(|kept| kept.draft.name.as_deref() == self.0);
        let found = called.filter(|kept| self.0.is_some() || !kept.draft.files.is_empty());
        let newest = found.max_by(|one, other| one.at.cmp(&other.at))?;
        Some(texts(&newest.draft.files))
    }
}

fn texts(files: &[FileChange]) -> FileTexts {
    files.iter().map(|file| (file.path.clone(), file.draft.clone())).collect()
}

impl FoundDraft {
    /// The folder with the targets that the draft may affect: for a draft of a target, or with a
    /// file outside of its folder, the repository; else the folder.
    fn scope(&self, from: &SideSources<'_>) -> PathBuf {
        let is_inside = self.texts.iter().all(|(path, _)| path.starts_with(&self.folder));
        if is_inside && !is_target(&self.folder, &*from.files) {
            return self.folder.clone();
        }
        let top = (from.commits)(&self.folder).map(|commits| commits.work_tree_root().to_owned());
        top.unwrap_or_else(|_| {
            let paths = self.texts.iter().filter_map(|(path, _)| path.parent());
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
