//! The images of each resource: searched once, not again by every entry of `images`.

use std::sync::{Arc, Mutex, PoisonError};

use crate::resource::{QuickMap, QuickSet, Resource};
use crate::yaml::{Mark, Node};

use super::super::field_walk::{FieldPath, Selected, Setter, Way, at_way, at_way_mut};
use super::super::set_field::{FieldError, Reach};
use super::containers::each_image;
use super::names::ImageNames;

/// The images that were seen; valid until a resource is written to.
#[derive(Debug, Default)]
pub(super) struct Sightings {
    /// Every text in a field that may contain an image, each once.
    images: QuickMap<Arc<str>, ()>,
    /// By index in the order of the resources.
    seen: Vec<Option<(Arc<Resource>, Sighting)>>,
    /// The names of images, for entries without a match.
    pub(super) names: ImageNames,
}

#[derive(Debug)]
pub(super) enum Sighting {
    Images(SeenImages),
    /// A field for images contains another kind of node: every entry has to search the resource
    /// itself.
    Odd,
}

/// The images of a resource.
#[derive(Debug, Default)]
pub(super) struct SeenImages {
    /// Images of containers, with the ways to them.
    in_containers: Vec<(usize, Box<Way>)>,
    /// Images that only a field spec reaches.
    elsewhere: Vec<usize>,
}

impl Sighting {
    pub(super) fn images(&self) -> Option<&SeenImages> {
        match self {
            Self::Images(images) => Some(images),
            Self::Odd => None,
        }
    }
}

impl SeenImages {
    /// By number.
    fn numbers(&self) -> impl Iterator<Item = usize> {
        let in_containers = self.in_containers.iter().map(|(image, _)| *image);
        in_containers.chain(self.elsewhere.iter().copied())
    }

    /// The effect on the images of the containers in the tree that they were seen in.
    pub(super) fn reach(&self, node: &Node, setter: &impl Setter) -> Reach {
        let images = self.in_containers.iter().filter_map(|(_, way)| at_way(node, way));
        images.map(|image| setter.reach(image)).max().unwrap_or(Reach::No)
    }

    /// Writes the images of the containers.
    pub(super) fn write(
        &self,
        node: &mut Node,
        setter: &mut impl Setter,
    ) -> Result<(), FieldError> {
        for (_, way) in &self.in_containers {
            if at_way(node, way).is_some_and(|image| setter.reach(image) == Reach::Write)
                && let Some(image) = at_way_mut(node, way)
            {
                setter.set(image)?;
            }
        }
        Ok(())
    }
}

impl Sightings {
    /// The images that were seen in the resource at an index, if it is unchanged and has no odd
    /// field.
    pub(super) fn images_of(&self, place: usize, resource: &Arc<Resource>) -> Option<&SeenImages> {
        let (_, sighting) =
            self.seen.get(place)?.as_ref().filter(|(seen, _)| Arc::ptr_eq(seen, resource))?;
        sighting.images()
    }

    /// True if each of these images occurs in containers and in no other field.
    pub(super) fn are_all_in_containers(
        &self,
        images: &SeenImages,
        is_so: impl Fn(&Arc<str>) -> bool,
    ) -> bool {
        let is_so = |number: usize| self.images.get_index(number).is_some_and(|it| is_so(it.0));
        images.elsewhere.is_empty() && images.numbers().all(is_so)
    }

    /// True if the resource at an index has an image that counts, or an odd field. The answer for
    /// an image is kept, by its number.
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
                images.numbers().any(|image| known.get(image).copied().unwrap_or(true))
            }
            _ => true,
        }
    }

    /// Releases the resource at an index, which is about to be written to, and returns its
    /// sighting.
    pub(super) fn let_go(&mut self, place: usize) -> Option<Sighting> {
        self.seen.get_mut(place).and_then(Option::take).map(|(_, sighting)| sighting)
    }

    /// Keeps the sighting at an index, with some images replaced by others. If a replaced image
    /// remains in a field outside containers, the second pass writes to it, and the resource is
    /// searched again.
    pub(super) fn was_written(
        &mut self,
        place: usize,
        resource: &Arc<Resource>,
        sighting: Option<Sighting>,
        rewritten: impl Fn(&Arc<str>) -> Option<Arc<str>>,
    ) {
        let Some(mut sighting) = sighting else { return };
        if let Sighting::Images(images) = &mut sighting {
            let in_containers = images.in_containers.iter_mut().map(|(image, _)| image);
            for image in in_containers.chain(&mut images.elsewhere) {
                let old = self.images.get_index(*image);
                if let Some(new) = old.and_then(|(old, ())| rewritten(old)) {
                    *image = self.number(&new);
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

    /// Searches the resource at an index.
    fn see(&mut self, place: usize, resource: &Arc<Resource>, selected: &mut Selected<'_>) {
        let sighting = self.look(resource, selected);
        self.keep(place, resource, sighting);
    }

    fn look(&mut self, resource: &Resource, selected: &mut Selected<'_>) -> Sighting {
        if &*resource.id.gvk.kind == "CustomResourceDefinition" {
            return Sighting::Images(SeenImages::default());
        }
        let mut known = QuickSet::default();
        let mut images = SeenImages::default();
        let is_sane =
            each_image(&resource.node, &mut Vec::with_capacity(16), &mut |image, text, way| {
                known.insert(std::ptr::from_ref(image));
                images.in_containers.push((self.number(text), way.into()));
            });
        let finder = Finder::default();
        let chosen = selected.of(&resource.id.gvk);
        let is_odd = |path: &&FieldPath| path.reach(&resource.node, &finder) != Reach::No;
        if !is_sane || chosen.iter().filter(|path| is_odd(path)).count() > 0 {
            return Sighting::Odd;
        }
        for (image, text) in finder.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            if !known.contains(&image) {
                images.elsewhere.push(self.number(&text));
            }
        }
        Sighting::Images(images)
    }

    fn number(&mut self, image: &Arc<str>) -> usize {
        match self.images.get_index_of(image) {
            Some(known) => known,
            None => self.images.insert_full(image.clone(), ()).0,
        }
    }
}

/// Collects the nodes that the walks reach, without writing.
#[derive(Default)]
struct Finder(Mutex<Vec<(*const Node, Arc<str>)>>);

impl Setter for Finder {
    fn mark(&self) -> Mark {
        Mark::default()
    }

    fn reach(&self, node: &Node) -> Reach {
        let Some(image) = node.as_scalar() else { return Reach::Write };
        let found = (std::ptr::from_ref(node), image.text.clone());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(found);
        Reach::No
    }

    fn set(&mut self, _: &mut Node) -> Result<(), FieldError> {
        Ok(())
    }
}
