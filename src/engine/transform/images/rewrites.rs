//! The new texts of the images that an entry matches.

use crate::yaml::{Mark, Node, NodeKind, Tag};

use super::super::field_walk::Setter;
use super::super::set_field::{FieldError, WalkResult, scalar_reach, set_scalar, with_writer};
use super::entry::ImageEntry;
use super::pattern::{ImagePattern, split};

/// Writes the new texts of images, as far as the entry matches.
pub(super) struct ImageSetter<'a> {
    pub(super) image: &'a ImageEntry,
    pub(super) pattern: &'a ImagePattern,
    pub(super) mark: Mark,
    /// True if an image that this step had already written was written again.
    pub(super) again: bool,
}

impl ImageSetter<'_> {
    /// The new image; `None` if the entry does not match.
    fn new_image(&self, old: &str) -> Option<String> {
        if !self.pattern.matches(old) {
            return None;
        }
        let want = self.image;
        let (name, mut tag, mut digest) = split(old);
        if !want.new_tag.is_empty() {
            tag.clone_from(&want.new_tag);
            digest.clone_from(&want.digest);
        } else if !want.digest.is_empty() {
            tag.clear();
            digest.clone_from(&want.digest);
        } else if !want.tag_suffix.is_empty() {
            tag.push_str(&want.tag_suffix);
            digest.clear();
        }
        let mut image = if want.new_name.is_empty() { name } else { want.new_name.clone() };
        for (separator, part) in [(':', tag), ('@', digest)] {
            if !part.is_empty() {
                image.push(separator);
                image.push_str(&part);
            }
        }
        Some(image)
    }
}

impl Setter for ImageSetter<'_> {
    fn mark(&self) -> Mark {
        self.mark
    }

    /// As in Kustomize, a null counts as the text with which it is written.
    fn reach(&self, node: &Node) -> WalkResult {
        let Some(image) = node.as_scalar() else { return WalkResult::Write };
        let new = self.new_image(&image.text);
        new.map_or(WalkResult::No, |new| scalar_reach(image, &new, &Tag::None))
    }

    fn appends_to_current(&self) -> bool {
        true
    }

    fn mark_unchanged_as_written(&self, node: &Node) -> Option<Node> {
        if self.reach(node) == WalkResult::Same { with_writer(node, self.mark) } else { None }
    }

    fn set(&mut self, node: &mut Node) -> Result<(), FieldError> {
        let Some(scalar) = node.as_scalar() else {
            return Err(FieldError::wrong_kind(NodeKind::Scalar, node));
        };
        match self.new_image(&scalar.text) {
            Some(image) => {
                self.again |= node.mark == self.mark && *scalar.text != *image;
                set_scalar(node, image, Tag::None, self.mark)
            }
            None => Ok(()),
        }
    }
}
