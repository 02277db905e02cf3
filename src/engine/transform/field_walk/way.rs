//! Ways through a tree by number: what one walk found, the next goes to without looking for it.

use crate::diagnostic::Around;
use crate::resource::ResId;
use crate::yaml::{Node, NodeKind};

use super::super::TransformError;
use super::super::set_field::FieldError;
use super::{FieldPath, Segment, Setter, shown};

/// On each level which item it is, or the value of which entry.
pub(in crate::transform) type Way = [usize];

/// What a way leads to.
pub(in crate::transform) fn at_way<'n>(node: &'n Node, way: &Way) -> Option<&'n Node> {
    way.iter().try_fold(node, |node, number| match node.items() {
        Some(items) => items.get(*number),
        None => node.entries().get(*number).map(|entry| &entry.value),
    })
}

/// What a way leads to, to write to; shared collections on it are copied.
pub(in crate::transform) fn at_way_mut<'n>(node: &'n mut Node, way: &Way) -> Option<&'n mut Node> {
    way.iter().try_fold(node, |node, number| child_mut(node, *number))
}

fn child_mut(node: &mut Node, number: usize) -> Option<&mut Node> {
    match node.kind() {
        NodeKind::Sequence => node.items_mut()?.get_mut(number),
        _ => node.as_mapping_mut()?.value_mut(number),
    }
}

impl FieldPath {
    /// As [`FieldPath::apply_found`], to the one node that a way leads to. Every part of the path names a field.
    pub(in crate::transform) fn apply_at(
        &self,
        node: &mut Node,
        way: &Way,
        id: &ResId,
        setter: &mut impl Setter,
    ) -> Result<(), TransformError> {
        let written = write_at(node, way, self.segments(), setter);
        written.map_err(|error| self.error_for(error, id))
    }
}

fn write_at(
    node: &mut Node,
    way: &Way,
    path: &[Segment],
    setter: &mut impl Setter,
) -> Result<(), FieldError> {
    let Some((number, below)) = way.split_first() else { return setter.set(node) };
    let is_list = node.kind() == NodeKind::Sequence;
    let Some(child) = child_mut(node, *number) else { return Ok(()) };
    if is_list {
        write_at(child, below, path, setter)
            .map_err(|error| error.within(Around::Elements(shown(path))))
    } else {
        write_at(child, below, path.get(1..).unwrap_or_default(), setter)
    }
}
