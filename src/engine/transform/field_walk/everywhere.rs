//! Writing to the fields of all resources.

use std::rc::Rc;
use std::sync::Arc;

use crate::resource::{Gvk, ResMap, Resource, Slot};
use crate::yaml::Node;

use super::super::by_type::ByType;
use super::super::set_field::Reach;
use super::super::{Context, TransformError};
use super::{Chosen, FieldPath, MANY, Setter, claim_each};

/// Field paths, chosen by type once per type and not once per resource.
#[derive(Debug)]
pub(in crate::transform) struct Selected<'a> {
    paths: &'a [FieldPath],
    /// How often those of a type were asked for, and what they are.
    by_type: ByType<(usize, Rc<Chosen<'a>>)>,
}

impl<'a> Selected<'a> {
    pub(in crate::transform) fn new(paths: &'a [FieldPath]) -> Self {
        Self { paths, by_type: ByType::default() }
    }

    /// The paths for a type, in their order.
    pub(in crate::transform) fn of(&mut self, gvk: &Gvk) -> Rc<Chosen<'a>> {
        if let Some((asked, known)) = self.by_type.get_mut(gvk) {
            *asked += 1;
            if *asked == MANY {
                *known = Rc::new(known.together());
            }
            return known.clone();
        }
        let chosen = self.paths.iter().filter(|path| gvk.is_selected_by(&path.spec.gvk));
        let chosen = Rc::new(Chosen::new(chosen.collect()));
        self.by_type.insert(gvk, (0, chosen.clone()));
        chosen
    }
}

/// Lets a setter write to all fields of all resources that it is for; counts those in `cx.matched`.
pub(in crate::transform) fn write_fields(
    paths: &[FieldPath],
    resources: &mut ResMap,
    cx: &mut Context<'_>,
    setter: &mut impl Setter,
    is_for: impl Fn(&Resource) -> bool,
) -> Result<(), TransformError> {
    let mut selected = Selected::new(paths);
    for slot in resources.slots() {
        let Some(resource) = resources.get(slot) else { continue };
        if !is_for(resource) {
            continue;
        }
        let chosen = selected.of(&resource.id.gvk);
        cx.alone(resources, slot, |resources, cx| {
            write_one(&chosen, slot, resources, cx, setter)?;
            Ok(Some(true))
        })?;
    }
    Ok(())
}

fn write_one(
    chosen: &Chosen<'_>,
    slot: Slot,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
    setter: &mut impl Setter,
) -> Result<(), TransformError> {
    let Some(resource) = resources.get(slot) else { return Ok(()) };
    // Where no node stands in several places, what is written is this step's anyway, and what is claimed is there already.
    let is_apart = resource.shared.is_empty();
    let (reached, has_equal) = chosen.look(&resource.node, setter);
    let found = reached.iter().copied().max();
    let paths = chosen.paths();
    if let Some(unplaced) = &mut cx.unplaced {
        for path in paths {
            let has_place = |node: &&Node| match &*path.spec().path {
                "metadata/annotations" => !resource.is_annotation_made_anew(node),
                "metadata/labels" => !resource.is_label_made_anew(node),
                _ => true,
            };
            let equal = path.equal(&resource.node, setter).into_iter().filter(has_place);
            unplaced.extend(equal.map(|node| resource.place_of(node)));
        }
    }
    match found {
        None | Some(Reach::No) => return Ok(()),
        Some(Reach::Same) => {}
        Some(Reach::Write) => {
            let id = resource.id.clone();
            let is_known = |path: usize, found: Reach| {
                is_apart && found == Reach::Write && chosen.is_apart(path)
            };
            let write = |resource: &mut Resource| {
                let mut each = paths.iter().zip(&reached).enumerate();
                let written = each.try_for_each(|(number, (path, found))| {
                    if is_known(number, *found) {
                        return path.apply_found(&mut resource.node, &id, setter);
                    }
                    path.apply_to(resource, &id, setter).map(drop)
                });
                setter.finish(resource, paths);
                written
            };
            let written = if is_apart {
                resources.update_apart(slot, write)
            } else {
                resources.update(slot, write)
            };
            written.unwrap_or(Ok(()))?;
        }
    }
    let has_claims = |resource: &Arc<Resource>| {
        if is_apart { has_equal } else { chosen.has_claims(&resource.node, setter) }
    };
    if cx.unplaced.is_none() && resources.get(slot).is_some_and(has_claims) {
        claim_each(paths.iter().copied(), slot, resources, cx, setter);
    }
    cx.matched += 1;
    Ok(())
}
