//! Writing to the fields of a resource.

use std::rc::Rc;

use crate::resource::{Gvk, QuickMap, Resource};

use super::super::TransformError;
use super::super::set_field::Rewrite;
use super::{FieldSpecPath, FieldWriter};

/// Field paths selected by type, cached so that the selection is made once for each type and not
/// for each resource. `T` is a path, or contains one.
#[derive(Debug)]
pub(in crate::transform) struct PathsByType<'a, T = FieldSpecPath> {
    paths: &'a [T],
    by_type: QuickMap<Gvk, Rc<[&'a T]>>,
}

impl<'a, T: AsRef<FieldSpecPath>> PathsByType<'a, T> {
    pub(in crate::transform) fn new(paths: &'a [T]) -> Self {
        Self { paths, by_type: QuickMap::default() }
    }

    pub(in crate::transform) fn paths_for(&mut self, gvk: &Gvk) -> Rc<[&'a T]> {
        if let Some(known) = self.by_type.get(gvk) {
            return Rc::clone(known);
        }
        let is_for = |path: &&T| gvk.is_selected_by(&(*path).as_ref().spec.gvk);
        let chosen: Rc<[&'a T]> = self.paths.iter().filter(is_for).collect();
        self.by_type.insert(gvk.clone(), Rc::clone(&chosen));
        chosen
    }
}

impl AsRef<Self> for FieldSpecPath {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// The tree of a resource with the fields at these paths written, one path after the other. Errors
/// contain the field and the id.
pub(in crate::transform) fn rewrite_fields(
    resource: &Resource,
    paths: &[&FieldSpecPath],
    writer: &mut FieldWriter<'_>,
) -> Result<Rewrite, TransformError> {
    // A write to a shared node must be visible at its other positions before these are visited.
    let shared = &resource.shared;
    let mut shared = (writer.appends && !shared.is_empty()).then(|| shared.clone());
    let mut result = Rewrite::NO;
    for path in paths {
        let before = result.node.as_ref().unwrap_or(&resource.node);
        let written = match &mut shared {
            Some(shared) => path.rewrite_one_by_one(before, shared, writer),
            None => path.rewrite(before, writer),
        };
        result.then(written.map_err(|error| path.error_for(error, &resource.id))?);
    }
    Ok(result)
}
