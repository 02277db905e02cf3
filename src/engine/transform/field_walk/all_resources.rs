//! Writing to the fields of all resources.

use std::rc::Rc;

use crate::resource::{Gvk, QuickMap, ResMap, Resource, Slot};
use crate::yaml::Node;

use super::super::set_field::{Rewrite, WalkResult};
use super::super::{Context, TransformError};
use super::{FieldSpecPath, Setter};

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

/// Writes to the fields of all resources that `is_for` accepts, with a setter; counts the resources
/// in `cx.matched`.
pub(in crate::transform) fn write_fields(
    paths: &[FieldSpecPath],
    resources: &mut ResMap,
    cx: &mut Context<'_>,
    setter: &mut impl Setter,
    is_for: impl Fn(&Resource) -> bool,
) -> Result<(), TransformError> {
    let mut selected = PathsByType::new(paths);
    for slot in resources.slots() {
        let Some(resource) = resources.get(slot) else { continue };
        if !is_for(resource) {
            continue;
        }
        let chosen = selected.paths_for(&resource.id.gvk);
        cx.apply_or_reuse(resources, slot, |resources, cx| {
            let is_met = write_resource_fields(&chosen, slot, resources, cx, setter)?;
            cx.matched += usize::from(is_met);
            Ok(Some(true))
        })?;
    }
    Ok(())
}

/// Writes to the fields of one resource; true if it has one of them, or gets it.
pub(in crate::transform) fn write_resource_fields(
    paths: &[&FieldSpecPath],
    slot: Slot,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
    setter: &mut impl Setter,
) -> Result<bool, TransformError> {
    let Some(resource) = resources.get(slot) else { return Ok(false) };
    let is_apart = resource.shared.is_empty();
    let written = rewrite_fields(resource, paths, setter)?;
    if let Some(unplaced) = &mut cx.unplaced {
        for path in paths {
            let has_place = |node: &&Node| match &*path.spec().path {
                "metadata/annotations" => !resource.annotation_lacks_position(node),
                "metadata/labels" => !resource.label_lacks_position(node),
                _ => true,
            };
            let equal = path.equal(&resource.node, setter).into_iter().filter(has_place);
            unplaced.extend(equal.map(|node| resource.place_of(node)));
        }
    }
    if let Some(node) = written.node {
        let write = |resource: &mut Resource| {
            resource.node = node;
            setter.finish(resource, paths);
        };
        if is_apart {
            resources.update_unshared(slot, write);
        } else {
            resources.update(slot, write);
        }
    }
    Ok(written.effect != WalkResult::No)
}

/// The tree of a resource with the fields at these paths written, one path after the other. Errors
/// contain the field and the id.
pub(in crate::transform) fn rewrite_fields(
    resource: &Resource,
    paths: &[&FieldSpecPath],
    setter: &mut impl Setter,
) -> Result<Rewrite, TransformError> {
    // A write to a shared node must be visible at its other positions before these are visited.
    let shared = &resource.shared;
    let mut shared = (setter.appends_to_current() && !shared.is_empty()).then(|| shared.clone());
    let mut result = Rewrite::NO;
    for path in paths {
        let before = result.node.as_ref().unwrap_or(&resource.node);
        let written = match &mut shared {
            Some(shared) => path.rewrite_one_by_one(before, shared, setter),
            None => path.rewrite(before, setter),
        };
        result.then(written.map_err(|error| path.error_for(error, &resource.id))?);
    }
    Ok(result)
}
