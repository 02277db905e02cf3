//! The edits that turn the build of a folder into the build of an object that deploys it: the
//! additions of the object, of the targets that deploy the object, and of the files that override
//! its source.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::FileEdits;
use super::entry_edits::{line_index, text_length};
use super::side_sources::Tree;
use super::sides::SideBuild;
use crate::engine::evaluate::{Trace, target_file_names};
use crate::engine::load::FileKind;
use crate::engine::manifest::{Outline, may_contain_object};
use crate::engine::yaml::{Mark, Node, parse_nodes};

/// True if a build is the deployment of the folder that another build builds.
pub(super) fn is_deployment_of(deployed: (&Tree, &SideBuild), folder: (&Tree, &SideBuild)) -> bool {
    let root = |trace: &Trace| trace.layers.first().map(|layer| layer.path.clone());
    let is_folder = |tree: &Tree| {
        let target = tree.target().and_then(|target| tree.files.resolve(&target).ok());
        target.is_some_and(|(_, kind)| kind == FileKind::Directory)
    };
    is_folder(folder.0)
        && !is_folder(deployed.0)
        && root(&deployed.1.trace).is_some()
        && root(&deployed.1.trace) == root(&folder.1.trace)
}

/// The files of two deployment objects in different files.
pub(super) fn object_files(one: &Tree, other: &Tree) -> Option<(PathBuf, PathBuf)> {
    let file = |tree: &Tree| {
        let target = tree.target()?;
        let text = target.to_str()?;
        let file = text.rsplit_once('#').map_or(&*target, |(file, _)| Path::new(file));
        let (file, kind) = tree.files.resolve(file).ok()?;
        (kind == FileKind::File).then_some(file)
    };
    let files = (file(one)?, file(other)?);
    (files.0 != files.1).then_some(files)
}

/// The edits of the files that only the deployment reads, an edit for each entry that writes a
/// field or is a step of the build.
pub(super) fn addition_edits(
    folder: &SideBuild,
    (tree, deployed): (&Tree, &SideBuild),
) -> Vec<FileEdits> {
    let mut lines: BTreeMap<PathBuf, BTreeSet<u32>> = BTreeMap::new();
    let mut add = |mark: Mark| {
        let path = deployed.trace.sources.path(mark.source).map(Path::new);
        if let Some(path) = path.filter(|path| !folder.watched.contains(*path)) {
            lines.entry(path.to_owned()).or_default().insert(mark.line);
        }
    };
    deployed.trace.steps.iter().for_each(|step| add(step.mark));
    let nodes = deployed.outcome.iter().flatten().flat_map(|resource| resource.node.nodes());
    nodes.filter(|node| node.as_scalar().is_some()).for_each(|node| add(node.mark));
    let edits = lines.into_iter().filter_map(|(path, lines)| {
        let text = tree.files.read(&path).ok()?;
        let entries = entry_ranges(&path, std::str::from_utf8(&text).ok()?, &lines);
        FileEdits::with_added_lines(&path, &text, &entries)
    });
    edits.collect()
}

/// The ranges of the entries at these lines (from 1), as lines from 0, without those around others.
/// Further additions of the same deployment object are included: they may be overridden.
fn entry_ranges(path: &Path, text: &str, lines: &BTreeSet<u32>) -> Vec<Range<usize>> {
    let wanted: Vec<usize> =
        lines.iter().filter_map(|line| usize::try_from(*line).ok()?.checked_sub(1)).collect();
    let is_object = may_contain_object(text.as_bytes());
    let is_outlined = is_object || target_file_names().any(|name| path.ends_with(name));
    let outlined = if is_outlined { outlined_entries(text) } else { Vec::new() };
    let has_line = |range: &Range<usize>| wanted.iter().any(|line| range.contains(line));
    let objects: BTreeSet<&str> =
        outlined.iter().filter(|(_, range)| has_line(range)).map(|(object, _)| &**object).collect();
    let added = outlined.iter().filter(|(object, _)| objects.contains(&**object));
    let mut found: Vec<Range<usize>> = added.map(|(_, range)| range.clone()).collect();
    // Within an object, only its additions are entries that the build can do without.
    if !is_object {
        let documents = parse_nodes(text.as_bytes()).unwrap_or_default();
        let ends = documents.iter().skip(1).map(line_index);
        let all: Vec<_> = documents.iter().zip(ends.chain([text.lines().count()])).collect();
        let left: Vec<usize> = wanted
            .iter()
            .filter(|line| !found.iter().any(|it| it.contains(line)))
            .copied()
            .collect();
        let entry_at =
            |line: usize| all.iter().find_map(|(it, end)| innermost_entry(it, line, *end));
        found.extend(left.into_iter().filter_map(entry_at));
    }
    // A separator after an entry is like a blank line.
    let all = text.lines().map(|line| if line.trim() == "---" { "" } else { line });
    let all: Vec<&str> = all.collect();
    for range in &mut found {
        range.end = range.start + text_length(range, &all);
    }
    found.sort_by_key(|range| (range.start, range.end));
    found.dedup();
    let all = found.clone();
    let is_around = |range: &Range<usize>, inner: &Range<usize>| {
        range != inner && range.start <= inner.start && inner.end <= range.end
    };
    found.retain(|range| !range.is_empty() && !all.iter().any(|inner| is_around(range, inner)));
    found
}

/// The ranges of the entries of a kustomization file, or of the additions of deployment objects,
/// each with the name of the object in a file with several: the elements of lists with several
/// elements, and all other fields.
fn outlined_entries(text: &str) -> Vec<(String, Range<usize>)> {
    let line_at = |at: usize| text.get(..at).map_or(0, |before| before.matches('\n').count());
    let outline = Outline::parse(text.as_bytes());
    let mut found = Vec::new();
    for field in outline.fields.iter().filter(|field| !field.disabled) {
        let object = field.name.split_once('#').map_or("", |(object, _)| object);
        let entries: Vec<_> = field.entries.iter().filter(|entry| !entry.disabled).collect();
        let bytes: Vec<&Range<usize>> = match entries.as_slice() {
            [] | [_] => vec![&field.bytes],
            several => several.iter().map(|entry| &entry.bytes).collect(),
        };
        found.extend(bytes.into_iter().map(|bytes| {
            let last = bytes.end.saturating_sub(1).max(bytes.start);
            (object.to_owned(), line_at(bytes.start)..line_at(last) + 1)
        }));
    }
    found
}

/// The innermost entry of a mapping or a list with this line; of several that begin on the line, the
/// outermost.
/// `end` is the end of the node's lines.
fn innermost_entry(node: &Node, line: usize, end: usize) -> Option<Range<usize>> {
    let entries = node.entries().iter().map(|entry| (line_index(&entry.key), &entry.value));
    let items = node.items().unwrap_or_default().iter().map(|item| (line_index(item), item));
    let children: Vec<(usize, &Node)> = entries.chain(items).collect();
    let at = children.iter().rposition(|(start, _)| *start <= line)?;
    let (start, value) = children[at];
    let end = children.get(at + 1).map_or(end, |(next, _)| *next);
    if line >= end {
        return None;
    }
    let inner = (start < line).then(|| innermost_entry(value, line, end)).flatten();
    // Without its only element, a list is left out.
    let inner =
        inner.filter(|inner| inner.start > start && value.items().is_none_or(|it| it.len() > 1));
    Some(inner.unwrap_or(start..end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and the last line of each entry, from 1.
    fn entries(text: &str, lines: &[u32]) -> Vec<(usize, usize)> {
        entry_ranges(Path::new("a.yaml"), text, &lines.iter().copied().collect())
            .into_iter()
            .map(|range| (range.start + 1, range.end))
            .collect()
    }

    #[test]
    fn entry_of_another_file_is_the_innermost_one() {
        let text = "kind: ConfigMap\ndata:\n  A: b\n  C: |\n    d\n    e\n---\nkind: Secret\n\
                    data: {A: b, C: d}\n";
        assert_eq!(entries(text, &[3]), [(3, 3)]);
        assert_eq!(entries(text, &[5]), [(4, 6)]);
        assert_eq!(entries(text, &[9]), [(9, 9)]);
        assert_eq!(entries("kustomize:\n  images:\n  - a:1\n  - b:2\n", &[1, 4]), [(4, 4)]);
        // A list without elements may differ from no list.
        assert_eq!(entries("kustomize:\n  images:\n  - a:1\n", &[3]), [(2, 3)]);
    }
}
