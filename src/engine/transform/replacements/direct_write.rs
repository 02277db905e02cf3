//! Fast path for a replacement whose only path leads straight to a field: the field is written in
//! place, and the nodes around it are not compared.

use crate::diagnostic::Fault;
use crate::resource::{ResMap, Resource, Slot};

use super::path::ReplacementPath;
use super::set::ValueWrite;
use super::target::CompiledTarget;
use super::{Context, ReplacementRun};

/// The effect of a write on a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldWriteEffect {
    /// The field and its writer are unchanged.
    Nothing,
    /// The value is unchanged, and has another writer.
    WriterChanged,
    Another,
}

/// The only path of the target, if the write affects just the field at its end: no options that
/// split or create, no shared nodes, and `unplaced` is not collected.
fn only_path<'t>(
    target: &'t CompiledTarget,
    resource: &Resource,
    cx: &Context<'_>,
) -> Option<&'t ReplacementPath> {
    let options = target.config.options.as_ref();
    let [(_, path)] = &target.paths[..] else { return None };
    let is_plain = options.is_none_or(|options| options.delimiter.is_empty() && !options.create)
        && cx.unplaced.is_none()
        && resource.shared.is_empty();
    is_plain.then_some(path)
}

/// Writes the field of a resource in place; `None` if the target has no path that leads straight to
/// one field.
pub(super) fn write(
    target: &CompiledTarget,
    slot: Slot,
    run: &mut ReplacementRun,
    resources: &mut ResMap,
    cx: &Context<'_>,
) -> Option<Result<FieldWriteEffect, Fault>> {
    let resource = resources.get(slot)?;
    let path = only_path(target, resource, cx)?;
    let old = path.straight(&resource.node)?;
    let (value, depth) = (&run.value, path.depth());
    let setting = ValueWrite::new(&target.config, value, value.mark.written_by(cx.mark), depth, cx);
    let mut new = old.clone();
    if let Err(fault) = setting.set(&mut new, false, &mut run.copies) {
        return Some(Err(fault));
    }
    if new == *old {
        return Some(Ok(FieldWriteEffect::Nothing));
    }
    let wrote = if new.same_content(old) {
        FieldWriteEffect::WriterChanged
    } else {
        FieldWriteEffect::Another
    };
    resources.update(slot, |resource| path.put(&mut resource.node, new));
    Some(Ok(wrote))
}
