//! The edits at the locations of a difference: the first candidates in the search for its cause.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use super::edit::line_number;
use super::entry_lines::indent;
use super::{EditId, FieldChange, FileEdits};
use crate::answers::recording::identity::layer_and_parents;
use crate::engine::evaluate::Trace;
use crate::engine::resource::{QuickMap, QuickSet};
use crate::engine::yaml::{Mark, Node, SourceId, WriterId};

/// The location of a value, and the number of the step that wrote it, from 1.
pub type WriteLocation = (Mark, Option<usize>);

/// The edits that may cause a difference, the likeliest first.
#[derive(Debug, Default)]
pub(super) struct EditCandidates {
    pub(super) numbers: Vec<usize>,
    /// The number of edits, at the start of `numbers`, with the line of the value or of its key.
    pub(super) at_value: usize,
}

/// Finds likely edits for differences, with lookup tables from both recordings. The edits that may
/// cause a difference have consecutive numbers, in the order of their ids.
pub(super) struct LikelyEdits<'a> {
    pub(super) ids: Vec<EditId>,
    sides: [EditSide<'a>; 2],
}

/// The recording of one side, and the lines of its files with edits.
struct EditSide<'a> {
    trace: &'a Trace,
    steps: QuickMap<WriterId, usize>,
    files: QuickMap<&'a Path, Vec<EditedFile<'a>>>,
}

struct EditedFile<'a> {
    lines: Vec<&'a str>,
    /// First line, last line and number of each edit with lines on this side, in order.
    edits: Vec<(u32, u32, usize)>,
}

/// The path of a file, and its first and last line in question, from 1.
type FileLines<'p> = (&'p Path, u32, u32);

impl<'a> LikelyEdits<'a> {
    /// Only edits of the `relevant` files may be the cause of a difference; they are in order.
    pub(super) fn new(files: &'a [FileEdits], relevant: &[usize], traces: [&'a Trace; 2]) -> Self {
        let mut found = Self { ids: Vec::new(), sides: traces.map(EditSide::new) };
        for (at, file) in relevant.iter().filter_map(|at| Some((*at, files.get(*at)?))) {
            for (side, is_new) in found.sides.iter_mut().zip([false, true]) {
                side.add(file, is_new, found.ids.len());
            }
            found.ids.extend((0..file.edits.len()).map(|edit| (at, edit)));
        }
        found
    }

    /// The numbers of the edits in the file of an edit.
    pub(super) fn edits_of_same_file(&self, number: usize) -> Range<usize> {
        let Some((file, edit)) = self.ids.get(number) else { return 0..0 };
        number - edit..self.ids.partition_point(|(other, _)| other <= file)
    }

    /// The location of the value on one side; `None` if the side does not have the value.
    pub(super) fn write_location(
        &self,
        is_new: bool,
        node: Option<&Node>,
    ) -> Option<WriteLocation> {
        let mark = first_mark(node?)?;
        let step = self.sides[usize::from(is_new)].steps.get(&mark.writer);
        Some((mark, step.map(|step| step + 1)))
    }

    /// The numbers of the edits that probably cause a change, the likeliest first: edits in the
    /// lines of the value and its key, of the step that wrote the value and of the layers above the
    /// step, then edits in the blocks that begin at these lines.
    pub(super) fn edits_for(
        &self,
        change: &FieldChange,
        written: [Option<WriteLocation>; 2],
    ) -> EditCandidates {
        let mut likely = QuickSet::default();
        let mut blocks: Vec<(&EditSide<'_>, FileLines<'_>)> = Vec::new();
        let values = [change.before.as_ref(), change.after.as_ref()];
        let sides = || self.sides.iter().zip(written.into_iter().zip(values));
        for (side, (at, value)) in sides() {
            let key = change.key.filter(|_| value.is_some());
            let own = at.map(|(mark, _)| mark).into_iter().chain(key);
            let is_text = value.is_some_and(|value| value.as_scalar().is_some());
            for own in own.filter_map(|mark| side.lines_at(mark, mark.line)) {
                likely.extend(side.edits_in(own));
                match side.block_at(own) {
                    // A text of several lines.
                    Some(block) if is_text => likely.extend(side.edits_in(block)),
                    block => blocks.extend(block.map(|block| (side, block))),
                }
            }
        }
        let at_value = likely.len();
        for (side, (at, value)) in sides() {
            let spans = line_ranges(value).into_values();
            let spans = spans.filter_map(|(first, last)| side.lines_at(first, last));
            blocks.extend(spans.map(|span| (side, span)));
            if let Some((_, Some(step))) = at {
                likely.extend(side.edits_around_step(step - 1));
            }
        }
        likely.extend(blocks.into_iter().flat_map(|(side, lines)| side.edits_in(lines)));
        EditCandidates { numbers: likely.into_iter().collect(), at_value }
    }
}

impl<'a> EditSide<'a> {
    fn new(trace: &'a Trace) -> Self {
        let mut steps = QuickMap::default();
        for (at, step) in trace.steps.iter().enumerate() {
            steps.entry(step.writer).or_insert(at);
        }
        Self { trace, steps, files: QuickMap::default() }
    }

    /// Adds a file whose edits have numbers from `first` on.
    fn add(&mut self, file: &'a FileEdits, is_new: bool, first: usize) {
        let lines = file.edits.iter().map(|edit| if is_new { &edit.new } else { &edit.old });
        let lines = (first..).zip(lines).filter(|(_, lines)| !lines.is_empty());
        let edits = lines
            .map(|(number, lines)| (line_number(lines.start), line_number(lines.end - 1), number));
        let mut edits: Vec<(u32, u32, usize)> = edits.collect();
        edits.sort_unstable();
        let lines = file.text(is_new).unwrap_or_default().lines().collect();
        let path = if is_new { &file.path } else { &file.before_path };
        self.files.entry(path).or_default().push(EditedFile { lines, edits });
    }

    /// The lines from a mark to `last`.
    fn lines_at(&self, mark: Mark, last: u32) -> Option<FileLines<'a>> {
        Some((self.trace.sources.path(mark.source).map(Path::new)?, mark.line, last))
    }

    /// The numbers of the edits that wrote or removed one of these lines, in order.
    fn edits_in(&self, (path, first, last): FileLines<'_>) -> Vec<usize> {
        let mut found = Vec::new();
        for EditedFile { edits, .. } in self.files.get(path).into_iter().flatten() {
            let from = edits.partition_point(|(_, end, _)| *end < first);
            let meeting = edits[from..].iter().take_while(|(start, ..)| *start <= last);
            found.extend(meeting.map(|(.., number)| *number));
        }
        found.sort_unstable();
        found
    }

    /// The block that begins at a line: the line with all deeper lines below it (a text of several
    /// lines, a mapping, an element).
    fn block_at<'p>(&self, (path, first, _): FileLines<'p>) -> Option<FileLines<'p>> {
        let file = self.files.get(path)?.first()?;
        let mut lines = file.lines.iter().skip(usize::try_from(first).ok()?.checked_sub(1)?);
        let own = indent(lines.next()?);
        let is_in = |below: &&&str| below.trim().is_empty() || indent(below) > own;
        let count = u32::try_from(lines.take_while(is_in).count()).unwrap_or(u32::MAX);
        (count > 0).then(|| (path, first, first.saturating_add(count)))
    }

    /// The edits in the lines of a step and in the entries of the layers that lead to it.
    fn edits_around_step(&self, step: usize) -> QuickSet<usize> {
        let Some(step) = self.trace.steps.get(step) else { return QuickSet::default() };
        let layers = layer_and_parents(self.trace, step.layer).map(|layer| layer.mark);
        let lines = [step.mark].into_iter().chain(layers);
        let lines = lines.filter_map(|mark| self.lines_at(mark, mark.line));
        lines.flat_map(|lines| self.edits_in(lines)).collect()
    }
}

/// The mark of a value, or of the first value in it with a mark.
fn first_mark(node: &Node) -> Option<Mark> {
    let mut below = node.children().filter_map(first_mark);
    below.next().or_else(|| (node.mark != Mark::default()).then_some(node.mark))
}

/// The first mark and the last line of a value and of all values in it, for each file that contains a
/// part of it.
fn line_ranges(value: Option<&Node>) -> BTreeMap<SourceId, (Mark, u32)> {
    let mut found: BTreeMap<SourceId, (Mark, u32)> = BTreeMap::new();
    let marks = value.into_iter().flat_map(Node::nodes).map(|node| node.mark);
    for mark in marks.filter(|mark| *mark != Mark::default()) {
        let (first, last) = found.entry(mark.source).or_insert((mark, mark.line));
        if mark.line < first.line {
            *first = mark;
        }
        *last = mark.line.max(*last);
    }
    found
}
