//! Which targets are checked, and what each has to say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::answers::{Recording, Report, findings, line_of};
use crate::engine::evaluate::{BuildOptions, Memory, evaluate, target_file_names};
use crate::engine::load::{FileKind, Files};
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};

use super::super::{Outside, tried};

/// Folders that are looked into, one inside the other.
const DEEPEST: usize = 64;

/// The directories at a path and below it that have a kustomization of their own; components are built where they are
/// used.
pub(super) fn below(path: &Path, files: &dyn Files) -> Vec<PathBuf> {
    let mut found = Vec::new();
    match files.resolve(path) {
        Ok((directory, FileKind::Directory)) => walk(&directory, files, DEEPEST, &mut found),
        Ok((file, FileKind::File)) => {
            found.extend(
                file.parent().filter(|parent| is_target(parent, files)).map(Path::to_owned),
            );
        }
        Err(_) => {}
    }
    found
}

fn walk(directory: &Path, files: &dyn Files, depth: usize, found: &mut Vec<PathBuf>) {
    if is_target(directory, files) {
        found.push(directory.to_owned());
    }
    let Some(depth) = depth.checked_sub(1) else { return };
    for name in files.list(directory).unwrap_or_default() {
        if name.starts_with('.') || name == "node_modules" {
            continue;
        }
        let below = directory.join(&name);
        // A link that leads elsewhere is looked at where it leads to, if that is below the path as well.
        if let Ok((resolved, FileKind::Directory)) = files.resolve(&below)
            && resolved == below
        {
            walk(&below, files, depth, found);
        }
    }
}

fn is_target(directory: &Path, files: &dyn Files) -> bool {
    let mut texts = target_file_names().filter_map(|name| files.read(&directory.join(name)).ok());
    texts.next().is_some_and(|bytes| !is_component(&bytes))
}

fn is_component(bytes: &[u8]) -> bool {
    let read = parse_documents(bytes, SourceId::NONE, Limits::default()).ok();
    let kind = |read: &crate::engine::yaml::ParsedFile| {
        let kind = read.documents.first()?.node.get("kind").and_then(Node::text)?.to_owned();
        Some(kind)
    };
    read.as_ref().and_then(kind).as_deref() == Some("Component")
}

/// `K/N`
pub(super) fn shard(text: &str) -> Result<(usize, usize), String> {
    let pair = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    pair.filter(|(k, n): &(usize, usize)| (1..=*n).contains(k))
        .ok_or_else(|| format!("--shard takes K/N, as in 1/4; this is `{text}`"))
}

/// The targets of one part.
pub(super) fn part_of(all: BTreeSet<PathBuf>, shard: Option<(usize, usize)>) -> Vec<PathBuf> {
    let (part, parts) = shard.unwrap_or((1, 1));
    let mine = |(index, _): &(usize, PathBuf)| index % parts == part - 1;
    all.into_iter().enumerate().filter(mine).map(|(_, target)| target).collect()
}

/// How targets are built.
pub(super) struct Work<'a, 'o> {
    pub(super) options: &'a BuildOptions,
    pub(super) outside: &'a Outside<'o>,
    /// The files that count as changed; nothing when all targets are wanted.
    pub(super) changed: Option<&'a [PathBuf]>,
}

impl Work<'_, '_> {
    /// Builds a target and adds what there is to say about it.
    pub(super) fn add(&self, target: &Path, report: &mut Report) {
        let Self { options, outside, changed } = self;
        let dir = target.to_string_lossy();
        let mut memory = Memory::default();
        let mut built = evaluate(&dir, &outside.current, options, &outside.ports, &mut memory);
        let is_changed = |changed: &&[PathBuf]| {
            changed.iter().any(|file| built.watched.iter().any(|watched| watched == file))
        };
        if changed.is_some_and(|changed| !is_changed(&changed)) {
            return;
        }
        tried::complete(&mut built, &dir, options, outside);
        let files = &*outside.ports.files;
        let recording = Recording::new(built, target);
        let found = findings(&recording, &|file, field| line_of(files, file, field));
        report.add(target, &recording, found, files);
    }
}
