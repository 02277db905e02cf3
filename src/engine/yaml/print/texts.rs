//! The texts that a tree has after Kustomize printed it and read it again.

use super::super::{Node, Style, Tag, Value, YamlError};
use super::value::{Decoded, Place, decode};

/// The tree with the texts of its scalars as print has them: a date in RFC 3339, a `!!binary` decoded, a folded text as it
/// comes back. Numbers, booleans and nulls stay as they are written.
///
/// # Errors
/// Where Kustomize cannot print: infinite numbers, scalars that are not of their tag.
pub fn printed_texts(node: &Node) -> Result<Node, YamlError> {
    let mut out = node.clone();
    settle(&mut out, Place::Block)?;
    Ok(out)
}

fn settle(node: &mut Node, place: Place) -> Result<(), YamlError> {
    let within = |style: Style| if style == Style::Flow { Place::Flow } else { place };
    let place = match &node.value {
        Value::Scalar(scalar) => {
            let Decoded::Str(text) = decode(node, scalar, place)? else { return Ok(()) };
            if scalar.tag != Tag::Str || *text != *scalar.text {
                let text = text.into_owned();
                *node = Node::scalar(text, Tag::Str, Style::DoubleQuoted).marked(node.mark);
            }
            return Ok(());
        }
        Value::Sequence(_, style) => within(*style),
        Value::Mapping(mapping) => within(mapping.style),
    };
    if let Some(items) = node.items_mut() {
        return items.iter_mut().try_for_each(|item| settle(item, place));
    }
    let entries = node.as_mapping_mut().map(|mapping| &mut mapping.entries);
    entries.into_iter().flatten().try_for_each(|entry| settle(&mut entry.value, place))
}
