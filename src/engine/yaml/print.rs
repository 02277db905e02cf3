//! Documents to text, byte for byte as Kustomize prints them (section 6 of the build reference).

use super::{Node, YamlError};

/// Prints one resource: keys sorted, go-yaml v2's layout and quoting, with the damage that Kustomize's four
/// steps do on the way.
///
/// # Errors
/// Where Kustomize fails to print: duplicate keys, non-string keys, control characters, unreadable literals.
pub fn print_document(_node: &Node) -> Result<String, YamlError> {
    todo!()
}

/// Prints resources joined by `---`.
pub fn print_documents<'a>(nodes: impl Iterator<Item = &'a Node>) -> Result<String, YamlError> {
    let mut out = String::new();
    for node in nodes {
        if !out.is_empty() {
            out.push_str("---\n");
        }
        out.push_str(&print_document(node)?);
    }
    Ok(out)
}
