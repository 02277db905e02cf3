//! The new texts of the images that an entry matches.

use crate::yaml::{Mark, Node, NodeKind, Tag};

use super::super::field_walk::Setter;
use super::super::set_field::{FieldError, Rewrite, rewrite_scalar};
use super::entry::ImageEntry;
use super::pattern::{ImagePattern, split};

/// Writes the new texts of images, as far as the entry matches.
pub(super) struct ImageSetter<'a> {
    pub(super) image: &'a ImageEntry,
    pub(super) pattern: &'a ImagePattern,
    pub(super) mark: Mark,
    /// True if the step becomes the writer of images that it does not change.
    pub(super) claims: bool,
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

    fn appends_to_current(&self) -> bool {
        true
    }

    /// As in Kustomize, a null counts as the text with which it is written.
    fn rewrite(&mut self, node: &Node) -> Result<Rewrite, FieldError> {
        let Some(scalar) = node.as_scalar() else {
            return Err(FieldError::wrong_kind(NodeKind::Scalar, node));
        };
        let Some(image) = self.new_image(&scalar.text) else { return Ok(Rewrite::NO) };
        self.again |= node.mark == self.mark && *scalar.text != *image;
        let written = rewrite_scalar(node, image, Tag::None, self.mark)?;
        Ok(if self.claims { written.claimed(node, self.mark) } else { written })
    }
}
