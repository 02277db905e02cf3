//! Values of Secrets in the fields of a resource.

use std::sync::Arc;

use super::index::{MaskedRanges, replaced};
use super::mark::{plain_value, secret_mark};
use super::positions::{NAME_KEYS, secret_comments};
use super::{LAST_APPLIED_ANNOTATION, Secrets};
use crate::engine::yaml::{Comments, Mark, Node};

pub(super) struct Masker<'s> {
    pub secrets: &'s Secrets,
    pub salt: [u8; 16],
    pub is_secret: bool,
}

impl Masker<'_> {
    /// A copy of the node with values masked; `None` if it has no such value, so that it stays shared.
    pub(super) fn masked(&self, node: &Node, keys: &mut Vec<String>) -> Option<Node> {
        if let Some(text) = node.text()
            && let Some(masked) = self.masked_scalar(text, node.mark, keys)
        {
            return Some(Node::string(masked).marked(node.mark));
        }
        let mut masked = self.with_masked_comments(node);
        for (at, item) in node.items().unwrap_or_default().iter().enumerate() {
            let Some(item) = self.masked(item, keys) else { continue };
            let items = masked.get_or_insert_with(|| node.clone()).items_mut();
            if let Some(own) = items.and_then(|items| items.get_mut(at)) {
                *own = item;
            }
        }
        for (at, entry) in node.entries().iter().enumerate() {
            keys.push(entry.key.text().unwrap_or_default().to_owned());
            let (key, value) =
                (self.with_masked_comments(&entry.key), self.masked(&entry.value, keys));
            keys.pop();
            if key.is_none() && value.is_none() {
                continue;
            }
            let mapping = masked.get_or_insert_with(|| node.clone()).as_mapping_mut();
            if let Some(own) = mapping.and_then(|mapping| mapping.entries.get_mut(at)) {
                own.key = key.unwrap_or_else(|| entry.key.clone());
                own.value = value.unwrap_or_else(|| entry.value.clone());
            }
        }
        masked
    }

    fn with_masked_comments(&self, node: &Node) -> Option<Node> {
        let comments = Some(Arc::new(self.masked_comments(node)?));
        Some(Node { comments, ..node.clone() })
    }

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
