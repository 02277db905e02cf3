//! Which images stand in which resources: looked for once, not by every entry of `images` again.

use std::sync::{Arc, Mutex, PoisonError};

use crate::resource::{QuickMap, Resource};
use crate::yaml::{Mark, Node};

use super::super::field_walk::{Selected, Setter};
use super::super::set_field::{FieldError, Reach};
use super::containers::containers_reach;
use super::names::ImageNames;

/// What was seen, as long as nobody writes to it.
#[derive(Debug, Default)]
pub(super) struct Sightings {
    /// Every text that stands where an image may, each once.
    images: QuickMap<Arc<str>, ()>,
    /// By place in the order of the resources.
    seen: Vec<Option<(Arc<Resource>, Sighting)>>,
    /// What images are called, for entries that are for none.
    pub(super) names: ImageNames,
}

#[derive(Debug)]
pub(super) enum Sighting {
    /// By number.
    Images(Box<[usize]>),
    /// Something that is no image stands where one should: whoever comes has to look for himself.
    Odd,
}

impl Sightings {
    /// True when the resource in a place has an image that counts, or something is odd in it. What was asked about an image
    /// is kept, by its number.
    pub(super) fn concerns(
        &mut self,
        place: usize,
        resource: &Arc<Resource>,
        selected: &mut Selected<'_>,
        known: &mut Vec<bool>,
        counts: impl FnMut(&Arc<str>) -> bool,
    ) -> bool {
        let seen = self.seen.get(place).and_then(Option::as_ref);
        if seen.is_none_or(|(seen, _)| !Arc::ptr_eq(seen, resource)) {
            self.see(place, resource, selected);
        }
        known.extend(self.images.keys().skip(known.len()).map(counts));
        match self.seen.get(place).and_then(Option::as_ref) {
            Some((_, Sighting::Images(images))) => {
                images.iter().any(|image| known.get(*image).copied().unwrap_or(true))
            }
            _ => true,
        }
    }

    /// Lets go of the resource in a place, which is about to be written to, and gives what was seen in it.
    pub(super) fn let_go(&mut self, place: usize) -> Option<Sighting> {
        self.seen.get_mut(place).and_then(Option::take).map(|(_, sighting)| sighting)
    }

    /// What was seen in a place is there still, with other images in the place of some. Where one of them is left, in a field
    /// that is no container's, the second pass writes to it, and everything is looked at again.
    pub(super) fn was_written(
        &mut self,
        place: usize,
        resource: &Arc<Resource>,
        sighting: Option<Sighting>,
        rewritten: impl Fn(&Arc<str>) -> Option<Arc<str>>,
    ) {
        let Some(mut sighting) = sighting else { return };
        if let Sighting::Images(images) = &mut sighting {
            for image in images.iter_mut() {
                let old = self.images.get_index(*image);
                if let Some(new) = old.and_then(|(old, ())| rewritten(old)) {
                    *image = match self.images.get_index_of(&*new) {
                        Some(known) => known,
                        None => self.images.insert_full(new, ()).0,
                    };
                }
            }
        }
        self.keep(place, resource, sighting);
    }

    fn keep(&mut self, place: usize, resource: &Arc<Resource>, sighting: Sighting) {
        if self.seen.len() <= place {
            self.seen.resize_with(place + 1, || None);
        }
        if let Some(seen) = self.seen.get_mut(place) {
            *seen = Some((resource.clone(), sighting));
        }
    }

    /// Looks at the resource in a place.
    fn see(&mut self, place: usize, resource: &Arc<Resource>, selected: &mut Selected<'_>) {
        let sighting = self.look(resource, selected);
        self.keep(place, resource, sighting);
    }

    fn look(&mut self, resource: &Resource, selected: &mut Selected<'_>) -> Sighting {
        if &*resource.id.gvk.kind == "CustomResourceDefinition" {
            return Sighting::Images(Box::default());
        }
        let finder = Finder::default();
        let chosen = selected.of(&resource.id.gvk);
        if containers_reach(&resource.node, &finder) != Reach::No
            || chosen.reach(&resource.node, &finder).iter().any(|reach| *reach != Reach::No)
        {
            return Sighting::Odd;
        }
        let images = finder.0.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter();
        Sighting::Images(images.map(|image| self.images.insert_full(image, ()).0).collect())
    }
}

/// Gathers what the walks reach, and writes nothing.
#[derive(Default)]
struct Finder(Mutex<Vec<Arc<str>>>);

impl Setter for Finder {
    fn mark(&self) -> Mark {
        Mark::default()
    }

    fn reach(&self, node: &Node) -> Reach {
        let Some(image) = node.as_scalar() else { return Reach::Write };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(image.text.clone());
        Reach::No
    }

    fn set(&mut self, _: &mut Node) -> Result<(), FieldError> {
        Ok(())
    }
}
