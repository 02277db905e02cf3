//! Writing scalars and entries as Kustomize does: an existing scalar keeps its style (section 4.1,
//! point 6).

use std::sync::Arc;

use crate::yaml::{
    Mark, Node, NodeKind, Scalar, ScalarType, Style, Tag, new_string_style, resolve_v3,
};

use super::TransformError;

/// The result of a setter for a field, or of a walk for a tree.
#[derive(Debug)]
pub(super) struct Rewrite {
    /// False if the field is missing, or the setter does not match its value.
    pub(super) is_met: bool,
    /// The new tree; `None` if it is the same as before.
    pub(super) node: Option<Node>,
}

impl Rewrite {
    /// The result for a field that is missing or does not match.
    pub(super) const NO: Self = Self { is_met: false, node: None };

    /// The result for a field that has the value that would be written.
    pub(super) const SAME: Self = Self { is_met: true, node: None };

    pub(super) fn written(node: Node) -> Self {
        Self { is_met: true, node: Some(node) }
    }

    /// The result with the step as the writer of the scalar also if its value is the same as before.
    pub(super) fn claimed(mut self, before: &Node, mark: Mark) -> Self {
        let node = self.node.as_ref().unwrap_or(before);
        let is_other = node.mark != mark || node.comments.is_some();
        if self.is_met && node.as_scalar().is_some() && is_other {
            self.node = Some(Node { mark, comments: None, ..node.clone() });
        }
        self
    }

    /// Adds the result of the next walk through the same tree.
    pub(super) fn then(&mut self, next: Self) {
        self.is_met |= next.is_met;
        self.node = next.node.or(self.node.take());
    }

    pub(super) fn add_item(&mut self, list: &Node, index: usize, item: Self) {
        self.is_met |= item.is_met;
        if let Some(item) = item.node
            && let Some(items) = self.node.get_or_insert_with(|| list.clone()).items_mut()
        {
            items[index] = item;
        }
    }

    pub(super) fn add_value(&mut self, mapping: &Node, index: usize, value: Self) {
        self.is_met |= value.is_met;
        if let Some(value) = value.node
            && let Some(mapping) = self.node.get_or_insert_with(|| mapping.clone()).as_mapping_mut()
            && let Some(slot) = mapping.value_mut(index)
        {
            *slot = value;
        }
    }
}

/// True for a scalar with this text and tag. Losing only the tag changes the printed output only if
/// another text is written there later.
pub(super) fn is_set(node: &Node, text: &str, tag: &Tag) -> bool {
    node.as_scalar().is_some_and(|scalar| *scalar.text == *text && scalar.tag == *tag)
}

/// Whether a scalar is printed as before with this text and tag.
fn prints_the_same(scalar: &Scalar, text: &str, tag: &Tag) -> bool {
    let reads_as_string = scalar.style != Style::Plain || resolve_v3(text) == ScalarType::Str;
    *scalar.text == *text
        && (scalar.tag == *tag || *tag == Tag::None && scalar.tag == Tag::Str && reads_as_string)
}

pub(super) fn rewrite_scalar(
    node: &Node,
    text: impl AsRef<str> + Into<Arc<str>>,
    tag: Tag,
    mark: Mark,
) -> Result<Rewrite, TransformError> {
    if node.as_scalar().is_none() {
        return Err(TransformError::wrong_kind(NodeKind::Scalar, node));
    }
    if is_set(node, text.as_ref(), &tag) {
        return Ok(Rewrite::SAME);
    }
    let mut node = node.clone();
    set_value(&mut node, text, tag, mark);
    Ok(Rewrite::written(node))
}

/// Writes text and tag over a node. A scalar keeps only its style: Kustomize replaces it by a new
/// node, without the comments of the old one. A shared text is not copied.
pub(super) fn set_value(
    node: &mut Node,
    text: impl AsRef<str> + Into<Arc<str>>,
    tag: Tag,
    mark: Mark,
) {
    if is_set(node, text.as_ref(), &tag) {
        return;
    }
    let Some(scalar) = node.as_scalar_mut() else {
        *node = new_scalar(text.as_ref(), tag).marked(mark);
        return;
    };
    let is_seen = !prints_the_same(scalar, text.as_ref(), &tag);
    scalar.text = text.into();
    scalar.tagged &= tag != Tag::None;
    scalar.set_tag(tag);
    node.comments = None;
    if is_seen {
        node.mark = mark;
    }
}

/// Writes an entry of a mapping: an existing scalar keeps its style; a new string that YAML 1.1
/// would read as another type is double-quoted.
pub(super) fn set_entry(node: &mut Node, key: &str, text: &Arc<str>, tag: Tag, mark: Mark) {
    match node.get_mut(key) {
        Some(value) => set_value(value, text.clone(), tag, mark),
        None => node.set(key, new_scalar(text, tag).marked(mark)),
    }
}

/// A scalar for a new field: a string that YAML 1.1 would misread is double-quoted.
pub(super) fn new_scalar(text: &str, tag: Tag) -> Node {
    let is_string = matches!(tag, Tag::Str | Tag::None);
    let style = if is_string { new_string_style(text) } else { Style::Plain };
    Node::scalar(text, tag, style)
}
