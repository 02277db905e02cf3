//! Prints documents byte for byte as Kustomize does (section 6 of the build reference).
//!
//! Kustomize prints a tree with go-yaml v3, reads that text, turns it into JSON, reads the JSON
//! with go-yaml v2 and prints it again. Here one pass over the tree computes the result for each
//! scalar.

mod block;
mod check;
mod folded;
mod keys;
mod plain_text;
mod quote;
mod scalar_analysis;
#[cfg(test)]
mod tests;
mod value;

use super::{Node, YamlError};

pub use check::check_document;
pub(super) use folded::{fold_lines, read_back};
pub use keys::sort_entries;
pub(super) use keys::{MappingLevel, decode_keys};
pub(super) use quote::{escape, must_escape};
pub(super) use scalar_analysis::ScalarAnalysis;
pub(crate) use value::tag_name;
pub use value::with_printed_texts;
pub(super) use value::{Decoded, ScalarPosition, decode, tag_is_written, written_style};
pub(super) use value::{go_general, go_json};

/// Prints one resource: keys sorted, go-yaml v2's layout and quoting, with the changes that
/// Kustomize's four steps cause.
///
/// # Errors
/// Kustomize cannot print the resource: duplicate keys, non-string keys, control characters,
/// unreadable literals.
pub fn print_output(node: &Node) -> Result<String, YamlError> {
    block::print_into(node, String::new())
}

/// Prints resources joined by `---`.
pub fn print_documents<'a>(nodes: impl Iterator<Item = &'a Node>) -> Result<String, YamlError> {
    nodes.into_iter().try_fold(String::new(), |out, node| append_document(node, out))
}

/// Appends a printed resource to the text of the resources before it.
///
/// # Errors
/// As [`print_output`].
pub fn append_document(node: &Node, mut out: String) -> Result<String, YamlError> {
    if !out.is_empty() {
        out.push_str("---\n");
    }
    block::print_into(node, out)
}
