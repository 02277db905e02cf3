//! Which images stand in which resources: looked for once, not by every entry of `images` again.

use std::sync::{Arc, Mutex, PoisonError};

use crate::resource::{QuickMap, Resource};
use crate::yaml::{Mark, Node, Scalar};

use super::super::field_walk::{Selected, Setter};
use super::super::set_field::{FieldError, Reach};
use super::containers::containers_reach;

/// What was seen, as long as nobody writes to it.
#[derive(Debug, Default)]
pub(super) struct Sightings {
    /// Everything that stands where an image may, each once.
    images: QuickMap<Scalar, ()>,
    /// By place in the order of the resources.
    seen: Vec<Option<(Arc<Resource>, Sighting)>>,
}

#[derive(Debug)]
enum Sighting {
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
        counts: impl Fn(&Scalar) -> bool,
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

    /// Looks at the resource in a place: best at once when it was written to, while it is at hand.
    pub(super) fn see(
        &mut self,
        place: usize,
        resource: &Arc<Resource>,
        selected: &mut Selected<'_>,
    ) {
        let sighting = (resource.clone(), self.look(resource, selected));
        if self.seen.len() <= place {
            self.seen.resize_with(place + 1, || None);
        }
        if let Some(seen) = self.seen.get_mut(place) {
            *seen = Some(sighting);
        }
    }

    fn look(&mut self, resource: &Resource, selected: &mut Selected<'_>) -> Sighting {
        if &*resource.id.gvk.kind == "CustomResourceDefinition" {
            return Sighting::Images(Box::default());
        }
        let finder = Finder::default();
        let chosen = selected.of(&resource.id.gvk);
        if containers_reach(&resource.node, &finder) != Reach::No
            || chosen.iter().any(|path| path.reach(&resource.node, &finder) != Reach::No)
        {
            return Sighting::Odd;
        }
        let images = finder.0.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter();
        Sighting::Images(images.map(|image| self.images.insert_full(image, ()).0).collect())
    }
}

/// Gathers what the walks reach, and writes nothing.
#[derive(Default)]
struct Finder(Mutex<Vec<Scalar>>);

impl Setter for Finder {
    fn mark(&self) -> Mark {
        Mark::default()
    }

    fn reach(&self, node: &Node) -> Reach {
        let Some(image) = node.as_scalar() else { return Reach::Write };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(image.clone());
        Reach::No
    }

    fn set(&mut self, _: &mut Node) -> Result<(), FieldError> {
        Ok(())
    }
}
