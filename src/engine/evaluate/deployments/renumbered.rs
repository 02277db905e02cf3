//! Nodes and marks of one build in another build, whose files have other numbers.

use crate::load::SourceNumbers;
use crate::yaml::{Mark, Node, SourceId};

/// A node with its file numbers converted from those of another build.
pub(in crate::evaluate) fn renumbered(
    node: &Node,
    from: &SourceNumbers,
    to: &mut SourceNumbers,
) -> Node {
    let mut node = node.clone();
    renumber(&mut node, from, to);
    node
}

/// A mark with its file number converted from that of another build.
pub(in crate::evaluate) fn renumbered_mark(
    mark: Mark,
    from: &SourceNumbers,
    to: &mut SourceNumbers,
) -> Mark {
    let source = from.path(mark.source).map_or(SourceId::NONE, |path| to.intern(path));
    Mark { source, line: mark.line, column: mark.column, ..Mark::default() }
}

fn renumber(node: &mut Node, from: &SourceNumbers, to: &mut SourceNumbers) {
    node.mark = renumbered_mark(node.mark, from, to);
    if let Some(items) = node.items_mut() {
        for item in items.iter_mut() {
            renumber(item, from, to);
        }
    } else if let Some(mapping) = node.as_mapping_mut() {
        for entry in &mut mapping.entries {
            renumber(&mut entry.key, from, to);
            renumber(&mut entry.value, from, to);
        }
    }
}
