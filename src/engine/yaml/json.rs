//! JSON as Go's `encoding/json` writes it: compact, keys sorted bytewise, HTML characters escaped.

use super::{Node, YamlError};

/// The node as Go's JSON, after the decoding of steps 1 to 3 of the build reference's section 0.
pub fn to_json(_node: &Node) -> Result<String, YamlError> {
    todo!()
}

/// Reads JSON into a tree: double-quoted strings, numbers as Go's decoder keeps them.
pub fn from_json(_text: &str) -> Result<Node, YamlError> {
    todo!()
}
