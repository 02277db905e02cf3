//! Values of Secrets in the fields of a resource.

use super::mark::{mark, plain_value};
use super::positions::STRUCTURE;
use super::{LAST_APPLIED, Secrets, place};
use crate::engine::yaml::{Mark, Node};

/// Masks the nodes of one resource.
pub(super) struct Masker<'s> {
    pub secrets: &'s Secrets,
    pub salt: [u8; 16],
    pub is_secret: bool,
}

impl Masker<'_> {
    pub(super) fn mask(&self, node: &mut Node, keys: &mut Vec<String>) {
        if let Some(text) = node.text() {
            if let Some(masked) = self.masked(text, node.mark, keys) {
                *node = Node::string(masked).marked(node.mark);
            }
        } else if node.items().is_some() {
            let needed = node.items().unwrap_or_default().iter().any(|it| self.is_needed(it, keys));
            for item in node.items_mut().into_iter().flatten().filter(|_| needed) {
                self.mask(item, keys);
            }
        } else if self.is_needed(node, keys) {
            for entry in node.as_mapping_mut().into_iter().flat_map(|it| &mut it.entries) {
                keys.push(entry.key.text().unwrap_or_default().to_owned());
                self.mask(&mut entry.value, keys);
                keys.pop();
            }
        }
    }

    /// True if a node or one below it is masked: others stay shared.
    fn is_needed(&self, node: &Node, keys: &mut Vec<String>) -> bool {
        if let Some(text) = node.text() {
            return self.masked(text, node.mark, keys).is_some();
        }
        let items = node.items().unwrap_or_default();
        items.iter().any(|item| self.is_needed(item, keys))
            || node.entries().iter().any(|entry| {
                keys.push(entry.key.text().unwrap_or_default().to_owned());
                let is_needed = self.is_needed(&entry.value, keys);
                keys.pop();
                is_needed
            })
    }

    /// The masked text of a scalar; `None` if it stays.
    fn masked(&self, text: &str, at: Mark, keys: &[String]) -> Option<String> {
        let first = keys.first().map_or("", String::as_str);
        let last = keys.last().map_or("", String::as_str);
        if self.is_secret {
            match first {
                "data" => return Some(mark(self.salt, &plain_value(text, true))),
                "stringData" => return Some(mark(self.salt, text.as_bytes())),
                // kubectl keeps a copy of all of it there.
                "metadata" if last == LAST_APPLIED => {
                    return Some(mark(self.salt, text.as_bytes()));
                }
                _ => {}
            }
        }
        if STRUCTURE.contains(&last) {
            return None;
        }
        if self.secrets.copies.contains(&place(at)) && !text.is_empty() {
            return Some(mark(self.salt, text.as_bytes()));
        }
        self.secrets.scalar(text)
    }
}
