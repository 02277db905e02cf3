//! Values of Secrets in the fields of a resource.

use std::sync::Arc;

use super::index::{MaskedRanges, replaced};
use super::mark::{plain_value, secret_mark};
use super::positions::{NAME_KEYS, secret_comments};
use super::{LAST_APPLIED_ANNOTATION, Secrets};
use crate::engine::yaml::{Comments, Mark, Node};

/// Masks the nodes of one resource.
pub(super) struct Masker<'s> {
    pub secrets: &'s Secrets,
    pub salt: [u8; 16],
    pub is_secret: bool,
}

impl Masker<'_> {
    pub(super) fn mask(&self, node: &mut Node, keys: &mut Vec<String>) {
        self.mask_comments(node);
        if let Some(text) = node.text() {
            if let Some(masked) = self.masked_scalar(text, node.mark, keys) {
                *node = Node::string(masked).marked(node.mark);
            }
        } else if node.items().is_some() {
            let needed =
                node.items().unwrap_or_default().iter().any(|it| self.needs_masking(it, keys));
            for item in node.items_mut().into_iter().flatten().filter(|_| needed) {
                self.mask(item, keys);
            }
        } else if self.needs_masking(node, keys) {
            for entry in node.as_mapping_mut().into_iter().flat_map(|it| &mut it.entries) {
                self.mask_comments(&mut entry.key);
                keys.push(entry.key.text().unwrap_or_default().to_owned());
                self.mask(&mut entry.value, keys);
                keys.pop();
            }
        }
    }

    fn mask_comments(&self, node: &mut Node) {
        if let Some(comments) = self.masked_comments(node) {
            node.comments = Some(Arc::new(comments));
        }
    }

    /// The masked comments of a node; `None` if no comment is masked.
    fn masked_comments(&self, node: &Node) -> Option<Comments> {
        let comments = node.comments.as_deref()?;
        let masked = |text: &str| {
            let found = if self.is_secret { secret_comments(text) } else { Vec::new() };
            let marks =
                found.into_iter().map(|(range, it)| (range, secret_mark(self.salt, &it).into()));
            let mut places: MaskedRanges<'_> = marks.collect();
            places.extend(self.secrets.index().ranges_in_field(text));
            replaced(text, places)
        };
        let (head, line) = (masked(&comments.head), masked(&comments.line));
        let new = Comments { head, line, foot: masked(&comments.foot), ..comments.clone() };
        (new != *comments).then_some(new)
    }

    /// True if this node, or a node below it, is masked. Other nodes are shared and not copied.
    fn needs_masking(&self, node: &Node, keys: &mut Vec<String>) -> bool {
        if self.masked_comments(node).is_some() {
            return true;
        }
        if let Some(text) = node.text() {
            return self.masked_scalar(text, node.mark, keys).is_some();
        }
        let items = node.items().unwrap_or_default();
        items.iter().any(|item| self.needs_masking(item, keys))
            || node.entries().iter().any(|entry| {
                keys.push(entry.key.text().unwrap_or_default().to_owned());
                let is_needed = self.needs_masking(&entry.value, keys);
                keys.pop();
                is_needed || self.masked_comments(&entry.key).is_some()
            })
    }

    /// The masked text of a scalar; `None` if it contains no value of a Secret.
    fn masked_scalar(&self, text: &str, at: Mark, keys: &[String]) -> Option<String> {
        let first = keys.first().map_or("", String::as_str);
        let last = keys.last().map_or("", String::as_str);
        if self.is_secret {
            match first {
                "data" => return Some(secret_mark(self.salt, &plain_value(text, true))),
                "stringData" => return Some(secret_mark(self.salt, text.as_bytes())),
                // kubectl keeps a copy of the complete resource in this annotation.
                "metadata" if last == LAST_APPLIED_ANNOTATION => {
                    return Some(secret_mark(self.salt, text.as_bytes()));
                }
                _ => {}
            }
        }
        if self.secrets.is_copy(at) && !text.is_empty() {
            return Some(secret_mark(self.salt, text.as_bytes()));
        }
        let is_in_data = keys.len() == 2 && ["data", "stringData"].contains(&first);
        if NAME_KEYS.contains(&last) && !is_in_data {
            return None;
        }
        self.secrets.masked_text(text)
    }
}
