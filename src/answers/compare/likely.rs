//! The edits that the places of a difference lie in: what a search for its reason begins with.

use std::collections::BTreeMap;
use std::path::Path;

use super::{EditId, FieldChange, FileEdits};
use crate::engine::evaluate::Trace;
use crate::engine::yaml::{Mark, Node, SourceId};

/// Lines of a file, from 1.
struct Lines<'a> {
    /// In the file of the second side.
    is_new: bool,
    path: &'a Path,
    first: u32,
    last: u32,
}

/// Where a value is written, and the number of the step that wrote it, from 1.
pub type Written = (Mark, Option<usize>);

/// The edits in the likeliest order: those of the lines that the value and its key stand in, of the step that wrote it and of the
/// layers above it, then those of the blocks that begin there.
pub(super) fn likely(
    change: &FieldChange,
    written: [Option<Written>; 2],
    edits: &[FileEdits],
    ids: &[EditId],
    traces: (&Trace, &Trace),
) -> Vec<EditId> {
    let mut lines: Vec<Lines<'_>> = Vec::new();
    let mut blocks: Vec<Lines<'_>> = Vec::new();
    let both = [
        (false, written[0], change.before.as_ref(), traces.0),
        (true, written[1], change.after.as_ref(), traces.1),
    ];
    for (is_new, at, value, trace) in both {
        let line = |mark: Mark| {
            let path = trace.sources.path(mark.source).map(Path::new)?;
            Some(Lines { is_new, path, first: mark.line, last: mark.line })
        };
        let key = change.key.filter(|_| value.is_some());
        let own = at.map(|(mark, _)| mark).into_iter().chain(key).filter_map(line);
        for own in own {
            blocks.extend(block(&own, edits));
            lines.push(own);
        }
        let mut spans = BTreeMap::new();
        if let Some(value) = value {
            span(value, &mut spans);
        }
        let spans = spans.into_values().filter_map(|(first, last)| {
            let first = line(first)?;
            Some(Lines { last, ..first })
        });
        blocks.extend(spans);
        let step = at.and_then(|(_, step)| trace.steps.get(step? - 1));
        let Some(step) = step else { continue };
        lines.extend(line(step.mark));
        let mut layer = trace.layer(step.layer);
        while let Some(current) = layer {
            lines.extend(line(current.mark));
            layer = current.parent.and_then(|parent| trace.layer(parent));
        }
    }
    let mut likely: Vec<EditId> = Vec::new();
    for lines in lines.iter().chain(&blocks) {
        let is_it = |id: &&EditId| !likely.contains(id) && lines.meets(&edits[id.0], id.1);
        let found: Vec<EditId> = ids.iter().filter(is_it).copied().collect();
        likely.extend(found);
    }
    likely
}

impl Lines<'_> {
    fn meets(&self, file: &FileEdits, edit: usize) -> bool {
        let edit = &file.edits[edit];
        if self.is_new {
            file.path == self.path && edit.wrote(self.first, self.last)
        } else {
            file.before_path == self.path && edit.took(self.first, self.last)
        }
    }
}

/// The line with all below it that is further in: a text of several lines, a mapping, an element.
fn block<'a>(line: &Lines<'a>, edits: &[FileEdits]) -> Option<Lines<'a>> {
    let path =
        |file: &&FileEdits| line.path == if line.is_new { &file.path } else { &file.before_path };
    let text = edits.iter().find(path)?.text(line.is_new)?;
    let mut rest = text.lines().skip(usize::try_from(line.first).ok()?.checked_sub(1)?);
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let own = indent(rest.next()?);
    let is_in = |line: &&str| line.trim().is_empty() || indent(line) > own;
    let below = u32::try_from(rest.take_while(is_in).count()).ok()?;
    (below > 0).then(|| Lines { last: line.first + below, ..*line })
}

/// From where to which line the values in a value stand, in each of their files.
fn span(node: &Node, found: &mut BTreeMap<SourceId, (Mark, u32)>) {
    let mark = node.mark;
    if mark != Mark::default() {
        let (first, last) = found.entry(mark.source).or_insert((mark, mark.line));
        if mark.line < first.line {
            *first = mark;
        }
        *last = mark.line.max(*last);
    }
    node.items().unwrap_or_default().iter().for_each(|item| span(item, found));
    node.entries().iter().for_each(|entry| span(&entry.value, found));
}
