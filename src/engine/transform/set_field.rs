//! Writing scalars and entries as Kustomize does: an existing scalar keeps its style (section 4.1,
//! point 6).

use std::sync::Arc;

use crate::yaml::{
    Mark, Node, NodeKind, Scalar, ScalarType, Style, Tag, new_string_style, resolve_v3,
};

use super::TransformError;

/// The effect that a setter would have on a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WalkResult {
    /// The field is missing, or the setter does not match its value.
    No,
    /// The field exists and has the value that would be written.
    Same,
    /// A value has to be written, or causes an error.
    Write,
}

/// The result of a setter for a field, or of a walk for a tree.
#[derive(Debug)]
pub(super) struct Rewrite {
    pub(super) effect: WalkResult,
    /// The new tree; `None` if it is the same as before.
    pub(super) node: Option<Node>,
}

impl Rewrite {
    /// The result for a field that is missing or does not match.
    pub(super) const NO: Self = Self { effect: WalkResult::No, node: None };

    pub(super) fn written(node: Node) -> Self {
        Self { effect: WalkResult::Write, node: Some(node) }
    }

    /// The result with the step as the writer of the scalar also if its value is the same as before.
    pub(super) fn claimed(mut self, before: &Node, mark: Mark) -> Self {
        let node = self.node.as_ref().unwrap_or(before);
        let is_other = node.mark != mark || node.comments.is_some();
        if self.effect != WalkResult::No && node.as_scalar().is_some() && is_other {
            self.node = Some(Node { mark, comments: None, ..node.clone() });
        }
        self
    }

    /// Adds the result of the next walk through the same tree.
    pub(super) fn then(&mut self, next: Self) {
        self.effect = self.effect.max(next.effect);
        self.node = next.node.or(self.node.take());
    }

    pub(super) fn add_item(&mut self, list: &Node, index: usize, item: Self) {
        self.effect = self.effect.max(item.effect);
        if let Some(item) = item.node
            && let Some(items) = self.node.get_or_insert_with(|| list.clone()).items_mut()
        {
            items[index] = item;
        }
    }

    pub(super) fn add_value(&mut self, mapping: &Node, index: usize, value: Self) {
        self.effect = self.effect.max(value.effect);
        if let Some(value) = value.node
            && let Some(mapping) = self.node.get_or_insert_with(|| mapping.clone()).as_mapping_mut()
            && let Some(slot) = mapping.value_mut(index)
        {
            *slot = value;
        }
    }
}

/// The effect of writing this text and tag over the scalar. Losing only the tag changes the printed
/// output only if another text is written there later.
pub(super) fn scalar_reach(scalar: &Scalar, text: &str, tag: &Tag) -> WalkResult {
    let same = *scalar.text == *text && scalar.tag == *tag;
    if same { WalkResult::Same } else { WalkResult::Write }
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
    let Some(scalar) = node.as_scalar() else {
        return Err(TransformError::wrong_kind(NodeKind::Scalar, node));
    };
    if scalar_reach(scalar, text.as_ref(), &tag) == WalkResult::Same {
        return Ok(Rewrite { effect: WalkResult::Same, node: None });
    }
    let mut node = node.clone();
    set_scalar(&mut node, text, tag, mark)?;
    Ok(Rewrite::written(node))
}

/// Writes text and tag over a scalar, which keeps only its style: Kustomize replaces it by a new
/// node, without the comments of the old one. A shared text is not copied.
pub(super) fn set_scalar(
    node: &mut Node,
    text: impl AsRef<str> + Into<Arc<str>>,
    tag: Tag,
    mark: Mark,
) -> Result<(), TransformError> {
    let Some(scalar) = node.as_scalar_mut() else {
        return Err(TransformError::wrong_kind(NodeKind::Scalar, node));
    };
    if scalar_reach(scalar, text.as_ref(), &tag) == WalkResult::Write {
        let is_seen = !prints_the_same(scalar, text.as_ref(), &tag);
        scalar.text = text.into();
        scalar.tagged &= tag != Tag::None;
        scalar.set_tag(tag);
        node.comments = None;
        if is_seen {
            node.mark = mark;
        }
    }
    Ok(())
}

/// Whether writing an entry of a mapping would change it; `found` is its current value.
pub(super) fn entry_reach(found: Option<&Node>, text: &str, tag: &Tag) -> WalkResult {
    let scalar = found.and_then(Node::as_scalar);
    scalar.map_or(WalkResult::Write, |scalar| scalar_reach(scalar, text, tag))
}

/// Writes an entry of a mapping: an existing scalar keeps its style; a new string that YAML 1.1
/// would read as another type is double-quoted.
pub(super) fn set_entry(
    node: &mut Node,
    key: &str,
    text: &str,
    tag: Tag,
    mark: Mark,
) -> Result<(), TransformError> {
    if node.as_mapping().is_none() {
        return Err(TransformError::wrong_kind(NodeKind::Mapping, node));
    }
    if entry_reach(node.get(key), text, &tag) == WalkResult::Same {
        return Ok(());
    }
    if let Some(value) = node.get_mut(key) {
        return set_value(value, text, tag, mark);
    }
    node.set(key, new_scalar(text, tag).marked(mark));
    Ok(())
}

/// Writes over the value of an entry: an existing scalar keeps its style.
pub(super) fn set_value(
    value: &mut Node,
    text: &str,
    tag: Tag,
    mark: Mark,
) -> Result<(), TransformError> {
    if value.as_scalar().is_some() {
        return set_scalar(value, text, tag, mark);
    }
    *value = new_scalar(text, tag).marked(mark);
    Ok(())
}

/// A scalar for a new field: a string that YAML 1.1 would misread is double-quoted.
pub(super) fn new_scalar(text: &str, tag: Tag) -> Node {
    let is_string = matches!(tag, Tag::Str | Tag::None);
    let style = if is_string { new_string_style(text) } else { Style::Plain };
    Node::scalar(text, tag, style)
}
