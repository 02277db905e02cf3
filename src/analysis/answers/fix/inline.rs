//! A base or component that a target lists, as entries of the target.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::answers::span::indent_width;
use crate::display::counted;
use crate::engine::manifest::Outline;
use crate::engine::yaml::parse_nodes;
use crate::repository::{ReferenceDestination, ReferenceEntry, UseKind};

use super::apply_fix::{comment, replace_scalars, with_entry};
use super::layer_entries::{LayerEntry, LayerFile};
use super::proof::{NewTexts, PlannedEdit, Prover};

/// Moves the entries of a base or component that a target lists into the target. If no other
/// kustomization uses it, its kustomization file is removed, and its files move to the folder of
/// the target.
pub fn plan_inline(
    (folder, target): (&Path, &str),
    (word, path): (&str, &Path),
    prover: &Prover<'_, '_>,
) -> Result<PlannedEdit, String> {
    let into = LayerFile::read(folder, prover)?;
    let (listed, reference) = listed_entry(&into, (word, path), prover)?;
    let from = match &reference.to {
        ReferenceDestination::Folder(from) => from,
        ReferenceDestination::Remote(_) => return Err(format!("{word} is remote")),
        ReferenceDestination::Missing(_) => return Err(format!("{word} does not exist")),
        ReferenceDestination::File(_) => return Err(format!("{word} is a file, not a folder")),
    };
    let layer = LayerFile::read(from, prover)?;
    if let Some((entry, reason)) =
        layer.entries.iter().find_map(|it| Some((it, it.obstacle.as_ref()?)))
    {
        let file = prover.shown(&layer.target.file);
        return Err(format!("{file}:{}: {}: {reason}", entry.line, entry.field));
    }
    let other = other_user(&layer, &into, prover);
    let moved_files = match &other {
        None if !from.starts_with(folder) => moved_files(&layer, folder, prover)?,
        _ => BTreeMap::new(),
    };
    let text = merged(&into, listed, &layer, &moved_files, prover)?;
    let mut texts = NewTexts::from([(into.target.file.clone(), Some(text.into()))]);
    if other.is_none() {
        texts.insert(layer.target.file.clone(), None);
    }
    for (old, new) in &moved_files {
        texts.insert(new.clone(), Some(prover.read(old)?));
        texts.insert(old.clone(), None);
    }
    let proved = prover.prove_known((texts, "the file"), [folder]);
    let (changes, proof) = proved.map_err(|reason| match &other {
        Some(user) => format!("{reason} ({} stays, because {user} uses it)", prover.shown(from)),
        None => reason,
    })?;
    let shown = prover.shown_here(from);
    let (entries, files) =
        (counted(layer.entries.len(), "entry"), counted(moved_files.len(), "file"));
    Ok(PlannedEdit {
        changes,
        proof,
        moved: moved_files.into_iter().map(|(old, new)| (vec![old], new)).collect(),
        words: format!("{shown} in {target}: {entries}, {files}"),
        log: format!("inline {target} {shown}"),
        ..PlannedEdit::default()
    })
}

fn listed_entry<'l>(
    into: &'l LayerFile<'_>,
    (word, path): (&str, &Path),
    prover: &Prover<'_, '_>,
) -> Result<(&'l LayerEntry, &'l ReferenceEntry), String> {
    let name = word.trim_end_matches('/');
    let is_named = |reference: &&ReferenceEntry| {
        matches!(reference.kind, UseKind::Base | UseKind::Component | UseKind::Resource)
            && (reference.text.trim_end_matches('/') == name || reference.to.path() == Some(path))
    };
    let mut found = into
        .entries
        .iter()
        .filter_map(|entry| Some((entry, entry.references.iter().find(is_named)?)));
    let file = prover.shown(&into.target.file);
    let first = found.next().ok_or_else(|| format!("{file} does not list {word}"))?;
    match found.next() {
        Some(_) => Err(format!("{file} lists {word} several times")),
        None => Ok(first),
    }
}

/// Another user of the base or component than the target, in words: a kustomization or a deployment
/// object.
fn other_user(
    layer: &LayerFile<'_>,
    into: &LayerFile<'_>,
    prover: &Prover<'_, '_>,
) -> Option<String> {
    let folder = &layer.target.folder;
    let mut users = prover.repository.users_of_target(folder);
    let user = users.find(|(user, _)| user.folder != into.target.folder);
    let user = user.map(|(user, _)| prover.shown(&user.file));
    user.or_else(|| {
        let deploys = |object: &&crate::repository::LocatedDeploymentObject| {
            object.folders().any(|it| it == folder) || object.components.contains(folder)
        };
        let object = prover.repository.objects.iter().find(deploys)?;
        Some(object.definition.kind.word().to_owned())
    })
}

/// The new path of each file of a base that moves to the folder of a target: with the same path
/// below the folder, or below a folder with the name of the base if one of the paths exists.
fn moved_files(
    layer: &LayerFile<'_>,
    folder: &Path,
    prover: &Prover<'_, '_>,
) -> Result<BTreeMap<PathBuf, PathBuf>, String> {
    let from = &layer.target.folder;
    let mut files: BTreeSet<&PathBuf> = BTreeSet::new();
    for (path, _) in layer.entries.iter().flat_map(|entry| entry.files_below(from)) {
        let mut users = prover.repository.users(path);
        if let Some((user, _)) = users.find(|(user, _)| user.folder != *from) {
            let (path, user) = (prover.shown(path), prover.shown(&user.file));
            return Err(format!("{path} is used by {user} too"));
        }
        files.insert(path);
    }
    let below = |to: &Path| -> BTreeMap<PathBuf, PathBuf> {
        let new = |path: &Path| to.join(path.strip_prefix(from).unwrap_or(path));
        files.iter().map(|path| ((*path).clone(), new(path))).collect()
    };
    let name = from.file_name().unwrap_or_default();
    let mut exists = None;
    for to in [folder.to_owned(), folder.join(name)] {
        let moved = below(&to);
        match moved.values().find(|new| prover.files.resolve(new).is_ok()) {
            None => return Ok(moved),
            Some(new) => exists = Some(prover.shown(new)),
        }
    }
    Err(format!("{} exists", exists.unwrap_or_default()))
}

fn merged(
    into: &LayerFile<'_>,
    listed: &LayerEntry,
    layer: &LayerFile<'_>,
    moved_files: &BTreeMap<PathBuf, PathBuf>,
    prover: &Prover<'_, '_>,
) -> Result<Vec<u8>, String> {
    let file = prover.shown(&layer.target.file);
    let moved = |old: &Path| moved_files.get(old).map_or(old, |new| new).to_owned();
    let base = layer.with_paths(0..layer.entries.len(), &into.target.folder, moved);
    let base = base.map_err(|reason| format!("{file}: {reason}"))?;
    let outline = Outline::parse(&base);
    let base = String::from_utf8_lossy(&base);
    let words = |field: &str, reason: String| {
        format!("{}: `{field}`: {reason}", prover.shown(&into.target.file))
    };
    let mut text = into.text.to_vec();
    let mut inserted: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in &layer.entries {
        let Some(index) = entry.index else {
            text = with_field(&text, into, entry, &base)
                .map_err(|reason| words(&entry.field, reason))?;
            continue;
        };
        let field = if entry.field == "bases" { "resources" } else { &entry.field };
        let found = outline.field(&entry.field).and_then(|it| it.entries.get(index));
        let found = found.ok_or_else(|| words(field, "the entry cannot be read".to_owned()))?;
        let head = base.get(found.head.clone()).unwrap_or_default();
        let done = inserted.entry(field).or_default();
        let position = first_position(field, listed, &text).map(|first| first + *done);
        text = with_entry(&text, field, (&found.text, head), position)
            .map_err(|reason| words(field, reason))?;
        *done += 1;
    }
    let own = listed.index.ok_or_else(|| words(&listed.field, "no list".to_owned()))?;
    let is_before = first_position(&listed.field, listed, &text).is_some();
    let shift = inserted.get(listed.field.as_str()).copied().filter(|_| is_before);
    let text = Outline::remove_entry(&text, &listed.field, own + shift.unwrap_or_default())
        .ok_or_else(|| words(&listed.field, "the entry cannot be removed alone".to_owned()))?;
    Ok(with_other_comments(text, &base))
}

/// The index in a list of the target at which the first entry of the base is inserted; none for the
/// end of the list. Kustomize loads the resources, generates, runs the components, and then runs
/// the other fields; the entries of a base come first.
fn first_position(field: &str, listed: &LayerEntry, text: &[u8]) -> Option<usize> {
    let is_component = listed.field == "components";
    let is_loaded = matches!(
        field,
        "resources" | "configMapGenerator" | "secretGenerator" | "helmCharts" | "generators"
    );
    if field == listed.field {
        listed.index
    } else if is_loaded && (is_component || field == "resources") {
        None
    } else {
        let outline = Outline::parse(text);
        let field = outline.field(field)?;
        field.entries.iter().position(|entry| !entry.disabled)
    }
}

fn with_field(
    text: &[u8],
    into: &LayerFile<'_>,
    entry: &LayerEntry,
    base: &str,
) -> Result<Vec<u8>, String> {
    let outline = Outline::parse(base.as_bytes());
    let lines = outline.field(&entry.field).and_then(|it| base.get(it.bytes.clone()));
    let lines = lines.ok_or("the field cannot be read")?;
    let Some(own) = into.entries.iter().find(|it| it.field == entry.field) else {
        let end = Outline::parse(text).end;
        let (before, after) = text.split_at(end);
        let open = if before.ends_with(b"\n") || before.is_empty() { "" } else { "\n" };
        let close = if lines.ends_with('\n') { "" } else { "\n" };
        return Ok([before, open.as_bytes(), lines.as_bytes(), close.as_bytes(), after].concat());
    };
    let (was, of_base) =
        (own.node.text().unwrap_or_default(), entry.node.text().unwrap_or_default());
    let joined = match entry.field.as_str() {
        // The transformer of the target runs last.
        "namespace" => return Ok(text.to_vec()),
        "namePrefix" => format!("{was}{of_base}"),
        "nameSuffix" => format!("{of_base}{was}"),
        "commonLabels" | "commonAnnotations" => return with_pairs(text, own, entry, lines),
        _ if own.node == entry.node => return Ok(text.to_vec()),
        _ => return Err("set in both files".to_owned()),
    };
    let read = parse_nodes(text).unwrap_or_default();
    let value = read.first().and_then(|root| root.get(&entry.field));
    value
        .and_then(|value| replace_scalars(text, vec![(value, joined)]).ok())
        .ok_or_else(|| "not written as one value".to_owned())
}

fn with_pairs(
    text: &[u8],
    own: &LayerEntry,
    entry: &LayerEntry,
    lines: &str,
) -> Result<Vec<u8>, String> {
    let keys: Vec<&str> = entry.node.entries().iter().filter_map(|it| it.key.text()).collect();
    let Some(first) = own.node.entries().first() else {
        return Err("set in both files".to_owned());
    };
    let outline = Outline::parse(text);
    let field = outline.field(&entry.field).ok_or("the field cannot be read")?;
    let whole = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    let rows: Vec<&str> = lines.split_inclusive('\n').collect();
    let is_block = first.key.mark.line > own.line && rows.len() == keys.len() + 1;
    let key = whole.get(field.bytes.clone()).and_then(|it| it.find('\n'));
    let (true, Some(key)) = (is_block, key) else {
        return Err("set in both files, and not written with a line for each pair".to_owned());
    };
    let at = field.bytes.start + key + 1;
    let indent = whole.get(at..).map_or(0, indent_width);
    let mut new = String::new();
    for (row, key) in rows.iter().skip(1).zip(&keys) {
        if own.node.get(key).is_none() {
            new.push_str(&" ".repeat(indent));
            new.push_str(row.trim());
            new.push('\n');
        }
    }
    let (before, after) = text.split_at(at);
    Ok([before, new.as_bytes(), after].concat())
}

/// The text with the comments of the base that it does not contain, at its end.
fn with_other_comments(mut text: Vec<u8>, base: &str) -> Vec<u8> {
    let whole = String::from_utf8_lossy(&text).into_owned();
    for comment in base.lines().filter_map(comment).filter(|it| !whole.contains(it)) {
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        text.extend_from_slice(format!("{comment}\n").as_bytes());
    }
    text
}
