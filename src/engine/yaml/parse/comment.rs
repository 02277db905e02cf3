//! Attaches comments, tags and aliases to nodes.

use std::sync::Arc;

use crate::yaml::{Comments, Node};

pub(super) fn comments_mut(node: &mut Node) -> &mut Comments {
    Arc::make_mut(node.comments.get_or_insert_default())
}

/// Gives a collection its written tag; a tag that YAML defines is stored in its short form.
pub(super) fn set_collection_tag(node: &mut Node, tag: String) {
    comments_mut(node).tag = match tag.strip_prefix("tag:yaml.org,2002:") {
        Some(name) => format!("!!{name}"),
        None => tag,
    };
}

/// Turns a copy of an anchored node into an alias of this anchor, with separate comments.
pub(super) fn alias(node: &mut Node, name: &str, comments: Option<Box<Comments>>) {
    let comments = comments.map(|comments| *comments).unwrap_or_default();
    node.comments = Some(Arc::new(Comments { alias: name.to_owned(), ..comments }));
}

pub(super) fn set(node: &mut Node, texts: Comments) {
    if texts.has_texts() {
        node.comments = Some(Arc::new(texts));
    }
}
