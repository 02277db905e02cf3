//! The edits that turn the build of a folder into the build of an object that deploys it: the
//! additions of the object, of the targets that deploy the object, and of the files that override
//! its source; and the edits that turn the build of a base into that of an overlay.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::entry_lines::{EntryLines, text_length};
use super::flow_edits::split_flow_edits;
use super::side_sources::Tree;
use super::sides::SideBuild;
use super::text_parts::{PartKind, TextPart};
use super::{FileEdit, FileEdits};
use crate::engine::evaluate::{Trace, target_file_names};
use crate::engine::load::FileKind;
use crate::engine::manifest::{Outline, may_contain_object};
use crate::engine::yaml::Mark;

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
        FileEdits::with_additions(&path, &text, entries.into_iter().map(added_lines).collect())
    });
    edits.collect()
}

/// Edits that each add an entry of the kustomization file of a layer, except for the entry at `line`.
/// `None` without further entries.
pub(super) fn layer_edits(path: &Path, text: &Arc<[u8]>, line: u32) -> Option<FileEdits> {
    let read = std::str::from_utf8(text).ok()?;
    let line = usize::try_from(line).ok()?.checked_sub(1)?;
    let entries = outlined_entries(read, 1).into_iter().filter(|(field, range)| {
        !matches!(&**field, "apiVersion" | "kind" | "metadata") && !range.contains(&line)
    });
    let ranges = innermost_ranges(entries.map(|(_, range)| range).collect(), read);
    let mut edits: Vec<FileEdit> = ranges.into_iter().map(added_lines).collect();
    edits.extend(entries_beside_first(read, line));
    edits.sort_by_key(|edit| edit.new.start);
    FileEdits::with_additions(path, text, edits)
}

/// An edit that adds lines to a file that both sides have: it has one location on both.
fn added_lines(lines: Range<usize>) -> FileEdit {
    FileEdit::of_lines(lines.start..lines.start, lines)
}

/// Edits that each add an entry to the first one of a list in brackets on this line.
fn entries_beside_first(text: &str, line: usize) -> Vec<FileEdit> {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = lines.get(line).and_then(|own| {
        let (comma, end) = own.find(',').zip(own.rfind(']'))?;
        Some(format!("{}{}", &own[..comma], own.get(end.max(comma)..)?))
    });
    let Some(first) = first else { return Vec::new() };
    lines[line] = &first;
    let (first, all) = (lines.concat(), EntryLines::read(text));
    let edit = FileEdit::of_lines(line..line + 1, line..line + 1);
    let mut edits = split_flow_edits(vec![edit], &EntryLines::read(&first), &all);
    edits.retain(|edit| edit.part.is_some());
    edits
}

/// The ranges of the entries at these lines (from 1), as lines from 0, without those around others.
/// Further additions of the same deployment object are included: they may be overridden.
fn entry_ranges(path: &Path, text: &str, lines: &BTreeSet<u32>) -> Vec<Range<usize>> {
    let wanted: Vec<usize> =
        lines.iter().filter_map(|line| usize::try_from(*line).ok()?.checked_sub(1)).collect();
    let is_object = may_contain_object(text.as_bytes());
    let is_outlined = is_object || target_file_names().any(|name| path.ends_with(name));
    let outlined = if is_outlined { outlined_entries(text, 2) } else { Vec::new() };
    let has_line = |range: &Range<usize>| wanted.iter().any(|line| range.contains(line));
    let objects: BTreeSet<&str> = outlined
        .iter()
        .filter(|(_, range)| has_line(range))
        .map(|(name, _)| object(name))
        .collect();
    let added = outlined.iter().filter(|(name, _)| objects.contains(object(name)));
    let mut found: Vec<Range<usize>> = added.map(|(_, range)| range.clone()).collect();
    // Within an object, only its additions are entries that the build can do without.
    if !is_object {
        let lines = EntryLines::read(text);
        let documents = TextPart::documents(&lines);
        let is_left = |line: &&usize| !found.iter().any(|it| it.contains(line));
        let left = wanted.iter().filter(is_left).filter_map(|line| {
            let document = documents.iter().find(|it| it.lines.contains(line))?;
            innermost_entry(document, *line, &lines)
        });
        let left: Vec<Range<usize>> = left.collect();
        found.extend(left);
    }
    innermost_ranges(found, text)
}

/// The name of the object in the name of an outlined field; empty in a kustomization file.
fn object(field: &str) -> &str {
    field.split_once('#').map_or("", |(object, _)| object)
}

/// The ranges in order, without blank lines at their ends, and without those around others.
fn innermost_ranges(mut found: Vec<Range<usize>>, text: &str) -> Vec<Range<usize>> {
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
/// each with the name of its field: the elements of lists with at least so many elements, and all
/// other fields.
fn outlined_entries(text: &str, least: usize) -> Vec<(String, Range<usize>)> {
    let line_at = |at: usize| text.get(..at).map_or(0, |before| before.matches('\n').count());
    let outline = Outline::parse(text.as_bytes());
    let mut found = Vec::new();
    for field in outline.fields.iter().filter(|field| !field.disabled) {
        let entries: Vec<_> = field.entries.iter().filter(|entry| !entry.disabled).collect();
        let bytes: Vec<&Range<usize>> = if entries.len() < least {
            vec![&field.bytes]
        } else {
            entries.iter().map(|entry| &entry.bytes).collect()
        };
        found.extend(bytes.into_iter().map(|bytes| {
            let last = bytes.end.saturating_sub(1).max(bytes.start);
            (field.name.clone(), line_at(bytes.start)..line_at(last) + 1)
        }));
    }
    found
}

/// The lines of the innermost entry of a mapping or a list with this line; of several that begin on
/// the line, the outermost.
fn innermost_entry(
    part: &TextPart<'_>,
    line: usize,
    text: &EntryLines<'_>,
) -> Option<Range<usize>> {
    let children = part.children(text);
    let child = children.iter().find(|it| it.lines.contains(&line))?;
    // Without its only element, a list is left out.
    let is_all = part.kind != PartKind::Document && child.kind == PartKind::Element;
    if part.begins_with(child) || is_all && children.len() == 1 {
        return None;
    }
    Some(innermost_entry(child, line, text).unwrap_or_else(|| child.lines.clone()))
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
    fn additions_of_an_object_are_list_elements_and_fields() {
        let text = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n\
                    metadata: {name: a}\nspec:\n  path: ./a\n  sourceRef: {kind: GitRepository}\n  \
                    patches:\n  - patch: |\n      a: 1\n      b: 2\n  - patch: |\n      c: 3\n  \
                    postBuild:\n    substitute:\n      A: b\n\n  # the end\n  prune: true\n";
        assert_eq!(entries(text, &[9]), [(8, 10), (11, 12), (13, 15)]);
        // The path is no addition.
        assert!(entries(text, &[5]).is_empty());
        let two = [text, "---\n", &text.replace("name: a", "name: b")].concat();
        assert_eq!(entries(&two, &[15]), [(8, 10), (11, 12), (13, 15)]);
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
