//! An index of the images in each resource, so that each resource is searched once and not again
//! for every entry of `images`.

use std::sync::Arc;

use crate::resource::{QuickMap, QuickSet, Resource};
use crate::yaml::{Mark, Node, NodeKind};

use super::super::field_walk::{
    ChildPath, FieldSpecPath, FieldWriter, PathsByType, WriteField, at_child_path,
    at_child_path_mut,
};
use super::super::set_field::{FieldError, Rewrite, WalkResult};
use super::containers::visit_images;
use super::names::ImageNames;

/// The images of all resources; the entry of a resource is valid until the resource is written.
#[derive(Debug, Default)]
pub(super) struct ImageIndex {
    /// Every text in a field for images, each once; its index is its number.
    images: QuickMap<Arc<str>, ()>,
    /// The images of each resource, in the order of the resources.
    seen: Vec<Option<(Arc<Resource>, IndexedImages)>>,
    /// The names of images, for entries without a match.
    pub(super) names: ImageNames,
}

/// The images of one resource. `None` if they cannot be indexed: a field for images contains
/// another kind of node, so that every entry has to search the resource itself.
pub(super) type IndexedImages = Option<ResourceImages>;

/// The images of one resource, as indices into the list of all image texts.
#[derive(Debug, Default)]
pub(super) struct ResourceImages {
    /// Images of containers, with their paths.
    in_containers: Vec<(usize, Box<ChildPath>)>,
    /// Images in fields that only a field spec finds.
    elsewhere: Vec<usize>,
}

impl ResourceImages {
    fn numbers(&self) -> impl Iterator<Item = usize> {
        let in_containers = self.in_containers.iter().map(|(image, _)| *image);
        in_containers.chain(self.elsewhere.iter().copied())
    }

    /// The tree with the images of the containers written; `node` is the indexed tree.
    pub(super) fn rewrite(
        &self,
        node: &Node,
        write: &mut WriteField<'_>,
    ) -> Result<Rewrite, FieldError> {
        let mut result = Rewrite::NO;
        for (_, way) in &self.in_containers {
            let now = result.node.as_ref().unwrap_or(node);
            let Some(image) = at_child_path(now, way) else { continue };
            let written = write(image)?;
            result.effect = result.effect.max(written.effect);
            if let Some(image) = written.node
                && let Some(slot) =
                    at_child_path_mut(result.node.get_or_insert_with(|| node.clone()), way)
            {
                *slot = image;
            }
        }
        Ok(result)
    }
}

impl ImageIndex {
    /// The images of the resource at an index, if it is unchanged since it was indexed and can be
    /// indexed.
    pub(super) fn images_of(
        &self,
        place: usize,
        resource: &Arc<Resource>,
    ) -> Option<&ResourceImages> {
        let (seen, indexed) = self.seen.get(place)?.as_ref()?;
        indexed.as_ref().filter(|_| Arc::ptr_eq(seen, resource))
    }

    /// True if all images are in containers and meet the condition.
    pub(super) fn are_all_in_containers(
        &self,
        images: &ResourceImages,
        is_so: impl Fn(&Arc<str>) -> bool,
    ) -> bool {
        let is_so = |number: usize| self.images.get_index(number).is_some_and(|it| is_so(it.0));
        images.elsewhere.is_empty() && images.numbers().all(is_so)
    }

    /// True if the resource at an index has an image that meets the condition, or cannot be
    /// indexed. The result for each image is cached by its number.
    pub(super) fn has_matching_image(
        &mut self,
        place: usize,
        resource: &Arc<Resource>,
        selected: &mut PathsByType<'_>,
        known: &mut Vec<bool>,
        counts: impl FnMut(&Arc<str>) -> bool,
    ) -> bool {
        let seen = self.seen.get(place).and_then(Option::as_ref);
        if seen.is_none_or(|(seen, _)| !Arc::ptr_eq(seen, resource)) {
            let indexed = self.index_resource(resource, selected);
            self.keep(place, resource, indexed);
        }
        known.extend(self.images.keys().skip(known.len()).map(counts));
        let is_match = |image: usize| known.get(image).copied().unwrap_or(true);
        self.images_of(place, resource).is_none_or(|images| images.numbers().any(is_match))
    }

    /// Removes and returns the images of the resource at an index, before the resource is written.
    pub(super) fn take(&mut self, place: usize) -> Option<IndexedImages> {
        self.seen.get_mut(place).and_then(Option::take).map(|(_, indexed)| indexed)
    }

    /// Stores the images of a resource again after a write, with the rewritten images replaced. If
    /// a rewritten image also occurs outside containers, the resource has to be indexed again,
    /// because the second pass writes to it.
    pub(super) fn reindex(
        &mut self,
        place: usize,
        resource: &Arc<Resource>,
        indexed: Option<IndexedImages>,
        rewritten: impl Fn(&Arc<str>) -> Option<Arc<str>>,
    ) {
        let Some(mut indexed) = indexed else { return };
        if let Some(images) = &mut indexed {
            let in_containers = images.in_containers.iter_mut().map(|(image, _)| image);
            for image in in_containers.chain(&mut images.elsewhere) {
                let old = self.images.get_index(*image);
                if let Some(new) = old.and_then(|(old, ())| rewritten(old)) {
                    *image = self.number(&new);
                }
            }
        }
        self.keep(place, resource, indexed);
    }

    fn keep(&mut self, place: usize, resource: &Arc<Resource>, indexed: IndexedImages) {
        if self.seen.len() <= place {
            self.seen.resize_with(place + 1, || None);
        }
        if let Some(seen) = self.seen.get_mut(place) {
            *seen = Some((resource.clone(), indexed));
        }
    }

    fn index_resource(
        &mut self,
        resource: &Resource,
        selected: &mut PathsByType<'_>,
    ) -> IndexedImages {
        if &*resource.id.gvk.kind == "CustomResourceDefinition" {
            return Some(ResourceImages::default());
        }
        let mut known = QuickSet::default();
        let mut images = ResourceImages::default();
        let is_sane =
            visit_images(&resource.node, &mut Vec::with_capacity(16), &mut |image, text, way| {
                known.insert(std::ptr::from_ref(image));
                images.in_containers.push((self.number(text), way.into()));
            });
        let mut found = Vec::new();
        let mut collect = |node: &Node| {
            let Some(image) = node.as_scalar() else {
                return Err(FieldError::wrong_kind(NodeKind::Scalar, node));
            };
            found.push((std::ptr::from_ref(node), image.text.clone()));
            Ok(Rewrite::NO)
        };
        let mut finder = FieldWriter::of_existing(Mark::default(), &mut collect);
        let chosen = selected.paths_for(&resource.id.gvk);
        let mut is_odd = |path: &&FieldSpecPath| {
            let walked = path.rewrite(&resource.node, &mut finder);
            walked.is_err() || walked.is_ok_and(|it| it.effect != WalkResult::No)
        };
        if !is_sane || chosen.iter().filter(|path| is_odd(path)).count() > 0 {
            return None;
        }
        for (image, text) in found {
            if !known.contains(&image) {
                images.elsewhere.push(self.number(&text));
            }
        }
        Some(images)
    }

    fn number(&mut self, image: &Arc<str>) -> usize {
        let known = self.images.get_index_of(image);
        known.unwrap_or_else(|| self.images.insert_full(image.clone(), ()).0)
    }
}
