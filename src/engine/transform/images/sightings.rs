//! Which images stand in which resources: looked for once, not by every entry of `images` again.

use std::sync::{Arc, Mutex, PoisonError};

use crate::resource::{QuickMap, ResMap, Resource, Slot};
use crate::yaml::{Mark, Node, Scalar};

use super::super::field_walk::{FieldPath, Selected, Setter};
use super::super::set_field::{FieldError, Reach};
use super::containers::containers_reach;

/// What was seen, as long as nobody writes to it.
#[derive(Debug, Default)]
pub(super) struct Sightings {
    /// Everything that stands where an image may, each once.
    images: QuickMap<Scalar, ()>,
    /// By place in the order of the resources.
    seen: Vec<(Arc<Resource>, Sighting)>,
}

#[derive(Debug)]
enum Sighting {
    /// By number.
    Images(Box<[usize]>),
    /// Something that is no image stands where one should: whoever comes has to look for himself.
    Odd,
}

impl Sightings {
    /// The places and slots of the resources with an image that counts, in order, and of those in which something is odd.
    pub(super) fn concerned(
        &mut self,
        resources: &ResMap,
        paths: &[FieldPath],
        counts: impl Fn(&Scalar) -> bool,
    ) -> Vec<(usize, Slot)> {
        let mut selected = Selected::new(paths);
        for (place, (_, resource)) in resources.iter().enumerate() {
            let known = self.seen.get(place);
            if known.is_none_or(|(known, _)| !Arc::ptr_eq(known, resource)) {
                self.see(place, resource, &mut selected);
            }
        }
        let counts: Vec<bool> = self.images.keys().map(counts).collect();
        let counts = |image: &usize| counts.get(*image).copied().unwrap_or(true);
        let concerns = |sighting: &Sighting| match sighting {
            Sighting::Images(images) => images.iter().any(counts),
            Sighting::Odd => true,
        };
        let places = resources.iter().zip(&self.seen).enumerate();
        let concerned = places.filter(|(_, (_, (_, sighting)))| concerns(sighting));
        concerned.map(|(place, ((slot, _), _))| (place, slot)).collect()
    }

    /// Looks at the resource in a place: best at once when it was written to, while it is at hand.
    pub(super) fn see(
        &mut self,
        place: usize,
        resource: &Arc<Resource>,
        selected: &mut Selected<'_>,
    ) {
        let sighting = (resource.clone(), self.look(resource, selected));
        match self.seen.get_mut(place) {
            Some(old) => *old = sighting,
            None => self.seen.push(sighting),
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
