//! The images of each resource, listed once for all entries of `images`: most entries match no
//! image of most resources, which need no further search then.

use std::sync::Arc;

use crate::resource::{QuickMap, Resource, Slot};
use crate::yaml::{Mark, Node, NodeKind};

use super::super::field_walk::{FieldSpecPath, Setter};
use super::super::set_field::{FieldError, Rewrite};
use super::containers::visit_images;
use super::names::ImageNames;

/// The images of all resources; those of a resource are valid until it is written.
#[derive(Debug, Default)]
pub(super) struct ImageTexts {
    by_slot: QuickMap<Slot, (Arc<Resource>, ResourceImages)>,
    /// The names of images, for entries without a match.
    pub(super) names: ImageNames,
}

/// The images of one resource; `None` if a field for images contains another kind of node, so that
/// every entry has to search the resource.
type ResourceImages = Option<Box<[Arc<str>]>>;

impl ImageTexts {
    /// False if no image of the resource meets the condition.
    pub(super) fn may_have(
        &mut self,
        slot: Slot,
        resource: &Arc<Resource>,
        paths: &[&FieldSpecPath],
        is_so: impl Fn(&str) -> bool,
    ) -> bool {
        let known = self.by_slot.get(&slot).filter(|(seen, _)| Arc::ptr_eq(seen, resource));
        if let Some((_, images)) = known {
            return may_contain(images, is_so);
        }
        let images = images_of(&resource.node, paths);
        let may_have = may_contain(&images, is_so);
        self.by_slot.insert(slot, (resource.clone(), images));
        may_have
    }

    /// Drops the images of a resource before it is written: its tree would be copied otherwise.
    pub(super) fn forget(&mut self, slot: Slot) {
        self.by_slot.swap_remove(&slot);
    }
}

fn may_contain(images: &ResourceImages, is_so: impl Fn(&str) -> bool) -> bool {
    images.as_ref().is_none_or(|images| images.iter().any(|image| is_so(image)))
}

/// The images in containers and in the fields of field specs.
fn images_of(node: &Node, paths: &[&FieldSpecPath]) -> ResourceImages {
    let mut images = Vec::new();
    if !visit_images(node, &mut |image| images.push(image.clone())) {
        return None;
    }
    for path in paths {
        path.rewrite(node, &mut ImageFinder).ok()?;
        let values = path.values(node).into_iter();
        images.extend(values.filter_map(|image| Some(image.as_scalar()?.text.clone())));
    }
    Some(images.into())
}

/// Fails for a field without a text.
struct ImageFinder;

impl Setter for ImageFinder {
    fn mark(&self) -> Mark {
        Mark::default()
    }

    fn rewrite(&mut self, node: &Node) -> Result<Rewrite, FieldError> {
        match node.as_scalar() {
            Some(_) => Ok(Rewrite::NO),
            None => Err(FieldError::wrong_kind(NodeKind::Scalar, node)),
        }
    }
}
