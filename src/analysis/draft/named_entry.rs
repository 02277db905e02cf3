//! Entries of a kustomization file that have a name, such as those of `images` and `replicas`.

use crate::engine::manifest::{Outline, OutlineError, ValueChange};
use crate::engine::yaml::{Node, parse_nodes, print_preserving_style};

/// The text with these values in the entry with this name; the entry is added if it is missing.
///
/// # Errors
/// The list or the entry is written in a style that cannot be edited.
pub fn set_named_entry(
    text: &[u8],
    field: &str,
    name: &str,
    values: &[ValueChange],
) -> Result<Vec<u8>, OutlineError> {
    if let Some(index) = entry_number(text, field, |entry| word(entry, "name") == Some(name)) {
        return Outline::set_values(text, field, index, values);
    }
    let mut entry = Node::mapping();
    if let Some(mapping) = entry.as_mapping_mut() {
        mapping.set("name", Node::string(name));
        for ValueChange { path, value } in values {
            if let ([key], Some(value)) = (path.as_slice(), value) {
                mapping.set(key, value.clone());
            }
        }
    }
    Outline::add_entry(text, field, print_preserving_style(&entry).trim_end())
}

/// A change of the value at one key of an entry; `None` removes the key.
pub fn entry_value(key: &str, value: Option<Node>) -> ValueChange {
    ValueChange { path: vec![key.to_owned()], value }
}

/// The index of the first entry that satisfies `is_it`, not counting entries that are commented
/// out.
pub fn entry_number(text: &[u8], field: &str, is_it: impl Fn(&Node) -> bool) -> Option<usize> {
    let read = parse_nodes(text).ok()?;
    read.first()?.get(field)?.items()?.iter().position(is_it)
}

pub fn word<'n>(entry: &'n Node, key: &str) -> Option<&'n str> {
    entry.text_of(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_set_by_name_and_else_added() {
        let set = |text: &str| {
            let values =
                [entry_value("newName", None), entry_value("newTag", Some(Node::string("1.2")))];
            let text = set_named_entry(text.as_bytes(), "images", "a", &values).unwrap();
            String::from_utf8(text).unwrap()
        };
        assert_eq!(set("x: y\n"), "x: y\nimages:\n- name: a\n  newTag: \"1.2\"\n");
        assert_eq!(
            set("images: # i\n- name: b\n- name: a # it\n  newName: c\n  newTag: v1 # t\n"),
            "images: # i\n- name: b\n- name: a # it\n  newTag: \"1.2\" # t\n"
        );
    }
}
