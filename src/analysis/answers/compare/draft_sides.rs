//! Stored drafts as sides of a comparison.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::side_sources::{ComparedSide, SideSources, Tree, disk_tree, is_target, words};
use crate::answers::relative;
use crate::draft::{FileChange, ListedDraft};
use crate::engine::evaluate::target_file_names;
use crate::engine::load::clean;

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
