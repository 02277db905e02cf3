//! The new texts of the images that an entry matches.

use std::sync::Arc;

use crate::resource::QuickMap;
use crate::yaml::{Mark, Node, NodeKind, Tag};

use super::super::set_field::{FieldError, Rewrite, rewrite_scalar};
use super::entry::{ImageEntry, joined};
use super::pattern::{ImagePattern, split};

/// The new texts of the images that the entry matches, computed once for each image that was seen.
pub(super) struct Rewrites<'a> {
    image: &'a ImageEntry,
    pattern: &'a ImagePattern,
    seen: QuickMap<Arc<str>, Arc<str>>,
}

impl<'a> Rewrites<'a> {
    pub(super) fn new(image: &'a ImageEntry, pattern: &'a ImagePattern) -> Self {
        Self { image, pattern, seen: QuickMap::default() }
    }

    /// The new image; `None` if the entry does not match.
    fn rewritten(&self, old: &str) -> Option<String> {
        if !self.pattern.matches(old) {
            return None;
        }
        let ImageEntry { new_name, tag_suffix, new_tag, digest: new_digest, .. } = self.image;
        let (name, mut tag, mut digest) = split(old);
        if !new_tag.value.is_empty() || !new_digest.value.is_empty() {
            (tag, digest) = (new_tag.value.clone(), new_digest.value.clone());
        } else if !tag_suffix.value.is_empty() {
            tag.push_str(&tag_suffix.value);
            digest.clear();
        }
        let name = if new_name.value.is_empty() { &name } else { &new_name.value };
        Some(joined(name, [(":", &tag), ("@", &digest)]))
    }

    /// Computes and stores the new text of an image; true if the entry matches it.
    pub(super) fn add_image(&mut self, image: &Arc<str>) -> bool {
        let Some(new) = self.rewritten(image) else { return false };
        self.seen.insert(image.clone(), new.into());
        true
    }

    /// The new image; `None` if the entry does not match.
    pub(super) fn new_image(&self, old: &Arc<str>) -> Option<Arc<str>> {
        let seen = self.seen.get(old).cloned();
        seen.or_else(|| self.rewritten(old).map(Into::into))
    }

    /// True if the entry does not match an image, or changes it and would not change it again.
    pub(super) fn is_done_after_pass(&self, image: &Arc<str>) -> bool {
        let ImageEntry { new_name, tag_suffix, new_tag, digest, .. } = self.image;
        // Only signs in the new parts move the end of the name.
        let has_signs = new_name.value.contains([':', '@'])
            || new_tag.value.contains([':', '@', '/'])
            || digest.value.contains('/');
        let may_add_up = !tag_suffix.value.is_empty() || has_signs;
        let adds_up = |new: &str| may_add_up && self.rewritten(new).is_some_and(|it| it != *new);
        self.seen.get(image).is_none_or(|new| new != image && !adds_up(new))
    }

    /// A scalar with its image rewritten. As in Kustomize, a null counts as the text with which it is
    /// written.
    pub(super) fn rewrite(&self, node: &Node, mark: Mark) -> Result<Rewrite, FieldError> {
        let Some(scalar) = node.as_scalar() else {
            return Err(FieldError::wrong_kind(NodeKind::Scalar, node));
        };
        let Some(image) = self.new_image(&scalar.text) else { return Ok(Rewrite::NO) };
        rewrite_scalar(node, image, Tag::None, mark)
    }
}
