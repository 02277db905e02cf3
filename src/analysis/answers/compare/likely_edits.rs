//! The edits at the locations of a difference: the first candidates in the search for its cause.

use std::collections::BTreeMap;
use std::path::Path;

use super::FieldChange;
use super::edit_lines::{EditLines, SideLineRange};
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

/// Finds likely edits for differences, with lookup tables from both recordings.
pub(super) struct LikelyEdits<'a> {
    edits: &'a EditLines<'a>,
    sides: [TraceSide<'a>; 2],
}

struct TraceSide<'a> {
    is_new: bool,
    trace: &'a Trace,
    steps: QuickMap<WriterId, usize>,
}

impl<'a> LikelyEdits<'a> {
    pub(super) fn new(edits: &'a EditLines<'a>, traces: (&'a Trace, &'a Trace)) -> Self {
        Self { edits, sides: [TraceSide::new(false, traces.0), TraceSide::new(true, traces.1)] }
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
        let mut blocks: Vec<SideLineRange<'_>> = Vec::new();
        let values = [change.before.as_ref(), change.after.as_ref()];
        let sides = || self.sides.iter().zip(written.into_iter().zip(values));
        for (side, (at, value)) in sides() {
            let key = change.key.filter(|_| value.is_some());
            let own = at.map(|(mark, _)| mark).into_iter().chain(key);
            let is_text = value.is_some_and(|value| value.as_scalar().is_some());
            for own in own.filter_map(|mark| side.line_range(mark)) {
                likely.extend(self.edits.edits_in(&own));
                match self.edits.block_at(&own) {
                    // A text of several lines.
                    Some(block) if is_text => likely.extend(self.edits.edits_in(&block)),
                    block => blocks.extend(block),
                }
            }
        }
        let at_value = likely.len();
        for (side, (at, value)) in sides() {
            let spans = line_ranges(value).into_values().filter_map(|(first, last)| {
                let first = side.line_range(first)?;
                Some(SideLineRange { last, ..first })
            });
            blocks.extend(spans);
            if let Some((_, Some(step))) = at {
                likely.extend(side.edits_around_step(step - 1, self.edits));
            }
        }
        likely.extend(blocks.iter().flat_map(|lines| self.edits.edits_in(lines)));
        EditCandidates { numbers: likely.into_iter().collect(), at_value }
    }
}

impl<'a> TraceSide<'a> {
    fn new(is_new: bool, trace: &'a Trace) -> Self {
        let mut steps = QuickMap::default();
        for (at, step) in trace.steps.iter().enumerate() {
            steps.entry(step.writer).or_insert(at);
        }
        Self { is_new, trace, steps }
    }

    fn line_range(&self, mark: Mark) -> Option<SideLineRange<'a>> {
        let path = self.trace.sources.path(mark.source).map(Path::new)?;
        Some(SideLineRange { is_new: self.is_new, path, first: mark.line, last: mark.line })
    }

    /// The edits in the lines of a step and in the entries of the layers that lead to it.
    fn edits_around_step(&self, step: usize, edits: &EditLines<'_>) -> QuickSet<usize> {
        let mut found = QuickSet::default();
        let Some(step) = self.trace.steps.get(step) else { return found };
        let mut add = |mark| {
            found.extend(self.line_range(mark).iter().flat_map(|line| edits.edits_in(line)));
        };
        add(step.mark);
        layer_and_parents(self.trace, step.layer).for_each(|layer| add(layer.mark));
        found
    }
}

/// The mark of a value, or of the first value in it with a mark.
fn first_mark(node: &Node) -> Option<Mark> {
    if node.as_scalar().is_some() {
        return (node.mark != Mark::default()).then_some(node.mark);
    }
    let mut below = node.children().filter_map(first_mark);
    below.next().or_else(|| (node.mark != Mark::default()).then_some(node.mark))
}

/// The range of lines of a value and of all values in it, for each file that contains a part of it.
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
