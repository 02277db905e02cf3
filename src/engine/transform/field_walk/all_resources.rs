//! Writing to the fields of a resource.

use std::rc::Rc;

use crate::resource::{Gvk, QuickMap, Resource};
use crate::yaml::Node;

use super::super::set_field::Rewrite;
use super::super::{Context, TransformError};
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

/// Records the values at these paths that a step overwrites with equal ones, where validators compare
/// file positions; `equal` returns those of a field.
pub(in crate::transform) fn note_equal_values(
    resource: &Resource,
    paths: &[&FieldSpecPath],
    cx: &mut Context<'_>,
    equal: impl for<'n> Fn(&'n Node) -> Vec<&'n Node>,
) {
    let Some(unplaced) = &mut cx.unplaced else { return };
    for path in paths {
        let has_place = |node: &&Node| match &*path.spec().path {
            "metadata/annotations" => !resource.annotation_lacks_position(node),
            "metadata/labels" => !resource.label_lacks_position(node),
            _ => true,
        };
        let values = path.values(&resource.node).into_iter().flat_map(&equal).filter(has_place);
        unplaced.extend(values.map(|node| resource.place_of(node)));
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
