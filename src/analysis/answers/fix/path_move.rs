//! A file or folder at another path: every reference to it is rewritten, and every target keeps its
//! output.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::relative;
use crate::display::counted;
use crate::draft::FileChange;
use crate::engine::evaluate::target_file_names;
use crate::engine::load::{FileKind, Files, clean, relative_path};
use crate::engine::yaml::{Node, parse_nodes};

use super::apply_fix::replace_scalars;
use super::layer_entries::{is_field, path_values, with_path_style};
use super::proof::{NewTexts, PlannedEdit, Prover};

const MAX_LEVELS: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct MovedReference {
    /// The file, at its path before the move.
    file: PathBuf,
    line: u32,
    /// The field of a kustomization file, or the key of a deployment object; none for any value.
    field: Option<&'static str>,
    was: String,
    now: String,
}

/// The files whose text changes in a move, each at its new path, with the text before.
fn edited_files(changes: &[FileChange], (from, to): (&Path, &Path)) -> Vec<FileChange> {
    let text_of = |path: &Path| changes.iter().find(|it| it.path == path);
    let edited = changes.iter().filter(|change| change.draft.is_some()).filter_map(|change| {
        let old = path_after_move(&change.path, to, from);
        let base = text_of(&old).and_then(|old| old.base.clone());
        let edited = FileChange { base, ..change.clone() };
        (edited.base != edited.draft).then_some(edited)
    });
    edited.collect()
}

fn path_after_move(path: &Path, from: &Path, to: &Path) -> PathBuf {
    match path.strip_prefix(from) {
        Ok(rest) if rest.as_os_str().is_empty() => to.to_owned(),
        Ok(rest) => to.join(rest),
        Err(_) => path.to_owned(),
    }
}

/// Moves `from` to `to` in a repository, and builds every target that reads a changed file before
/// and after the move.
pub fn plan_move(
    (from, to): (&Path, &Path),
    prover: &Prover<'_, '_>,
) -> Result<PlannedEdit, String> {
    let Prover { repository, files, .. } = prover;
    let shown = |path: &Path| relative(path, &repository.root);
    if files.resolve(to).is_ok() {
        return Err(format!("{} exists", shown(to)));
    }
    if to.starts_with(from) {
        return Err(format!("{} is inside of {}", shown(to), shown(from)));
    }
    let is_file = matches!(files.resolve(from), Ok((_, FileKind::File)));
    if is_file && target_file_names().any(|name| from.file_name().is_some_and(|it| it == name)) {
        return Err(format!("{} is a kustomization file: move its folder", shown(from)));
    }
    let mut texts: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    let mut references = 0;
    for edit in reference_edits(prover, (from, to))? {
        let text = match texts.remove(&edit.file) {
            Some(text) => text,
            None => prover.read(&edit.file)?.to_vec(),
        };
        let at = format!("{}:{}", shown(&edit.file), edit.line);
        let text = replace_reference(&text, &edit).ok_or_else(|| {
            format!("{at}: `{}` is not written as one value: change it by hand first", edit.was)
        })?;
        texts.insert(edit.file, text);
        references += 1;
    }
    let mut moved = NewTexts::new();
    for path in files_in(from, &***files, MAX_LEVELS)? {
        let edited = texts.remove(&path).map(Arc::from);
        let text = edited.map_or_else(|| prover.read(&path), Ok)?;
        moved.insert(path_after_move(&path, from, to), Some(text));
        moved.insert(path, None);
    }
    moved.extend(texts.into_iter().map(|(path, text)| (path, Some(text.into()))));
    let changes = prover.changes_to(moved)?;
    let name_after = |name: &Path| {
        let text = name.to_string_lossy();
        let Some((file, object)) = text.split_once('#') else {
            return path_after_move(name, from, to);
        };
        let file = path_after_move(Path::new(file), from, to);
        PathBuf::from(format!("{}#{object}", file.display()))
    };
    let proof = prover.prove(&changes, &name_after)?;
    let files = changes.iter().filter(|change| change.draft.is_none()).count();
    let (files, references) = (counted(files, "file"), counted(references, "reference"));
    let edited = Some(edited_files(&changes, (from, to)));
    let (from, to) = (prover.shown_here(from), prover.shown_here(to));
    Ok(PlannedEdit {
        changes,
        proof,
        edited,
        words: format!("{from} to {to}: {files}, {references}"),
        log: format!("mv {from} {to}"),
        ..PlannedEdit::default()
    })
}

fn files_in(path: &Path, files: &dyn Files, levels: usize) -> Result<Vec<PathBuf>, String> {
    let (_, kind) = files.resolve(path).map_err(|error| error.to_string())?;
    if kind == FileKind::File {
        return Ok(vec![path.to_owned()]);
    }
    let levels = levels.checked_sub(1).ok_or("too many folder levels")?;
    let mut found = Vec::new();
    for name in files.list(path).map_err(|error| error.to_string())? {
        if name == ".git" {
            return Err(format!("{} is another repository", path.display()));
        }
        found.extend(files_in(&path.join(name), files, levels)?);
    }
    Ok(found)
}

fn reference_edits(
    Prover { repository, files, .. }: &Prover<'_, '_>,
    (from, to): (&Path, &Path),
) -> Result<Vec<MovedReference>, String> {
    let mut edits = BTreeSet::new();
    for target in repository.targets() {
        let old_folder = &target.folder;
        let new_folder = path_after_move(old_folder, from, to);
        for entry in &target.uses {
            let Some(old) = entry.to.path() else { continue };
            let new = path_after_move(old, from, to);
            let was = relative_path(old_folder, old);
            let now = relative_path(&new_folder, &new);
            if was != now {
                let field = (entry.file == target.file).then_some(entry.field);
                let (file, line, was) = (entry.file.clone(), entry.line, entry.text.clone());
                let now = with_path_style(&was, &now);
                edits.insert(MovedReference { file, line, field, was, now });
            }
        }
    }
    for object in &*repository.objects {
        let folder = object.builds.as_deref().filter(|folder| folder.starts_with(from));
        let Some(folder) = folder.filter(|_| object.parent.is_none()) else { continue };
        let root =
            files.resolve(&repository.root).map_or_else(|_| repository.root.clone(), |it| it.0);
        let now = relative_path(&root, &path_after_move(folder, from, to));
        edits.insert(MovedReference {
            file: object.at.file.clone(),
            line: object.at.line,
            field: Some("path"),
            now: with_path_style(&object.path, &now),
            was: object.path.clone(),
        });
        if object.added_components().iter().any(|path| clean(&folder.join(path)).starts_with(from))
        {
            return Err(format!(
                "{} adds components of the folder: change it by hand first",
                object.definition.kind.word()
            ));
        }
    }
    Ok(edits.into_iter().filter(|edit| edit.was != edit.now).collect())
}

fn replace_reference(text: &[u8], edit: &MovedReference) -> Option<Vec<u8>> {
    let read = parse_nodes(text).ok()?;
    let mut values: Vec<(&Node, String)> = Vec::new();
    for root in &read {
        let entries = root.nodes().flat_map(Node::entries);
        let of_field = entries.filter(|entry| {
            let key = entry.key.text().unwrap_or_default();
            edit.field.is_some_and(|field| is_field(field, key))
        });
        let all = edit.field.is_none().then_some(root);
        for node in of_field.map(|entry| &entry.value).chain(all) {
            values.extend(path_values(node, (edit.was.as_str(), edit.now.as_str())));
        }
    }
    values.retain(|(node, _)| node.mark.line >= edit.line);
    replace_scalars(text, values).ok().filter(|moved| moved != text)
}
