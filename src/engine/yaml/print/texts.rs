//! The texts that a tree has after Kustomize printed it and read it again.

use super::super::{Node, Style, Tag, YamlError};
use super::value::{Decoded, ScalarPosition, decode};

/// The tree with the printed texts of its scalars: a date in RFC 3339, a decoded `!!binary`, a
/// folded text as read back. Numbers, booleans and nulls are kept as written.
///
/// # Errors
/// Scalars that Kustomize cannot print: infinite numbers, scalars that do not have the type of
/// their tag.
pub fn with_printed_texts(node: &Node) -> Result<Node, YamlError> {
    let mut out = node.clone();
    set_printed_text(&mut out, ScalarPosition::Block)?;
    Ok(out)
}

fn set_printed_text(node: &mut Node, place: ScalarPosition) -> Result<(), YamlError> {
    if let Some(scalar) = node.as_scalar() {
        let Decoded::Str(text) = decode(node, scalar, place)? else { return Ok(()) };
        if scalar.tag != Tag::Str || *text != *scalar.text {
            let text = text.into_owned();
            *node = Node::scalar(text, Tag::Str, Style::DoubleQuoted).marked(node.mark);
        }
        return Ok(());
    }
    let is_flow = node.collection_style() == Some(Style::Flow);
    let place = if is_flow { ScalarPosition::Flow } else { place };
    node.children_mut().try_for_each(|child| set_printed_text(child, place))
}
