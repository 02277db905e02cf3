//! What Kustomize prints of an object that a function made, and reads again: a hash of it holds the places in that text.

use crate::resource::{FilePlace, Resource, Scopes, read_resources, take_annotation};
use crate::yaml::{Limits, Node, SequenceIndent, SourceId, parse_documents, print_v3_with};

use super::wire::{INDEX, PATH, set_quoted};

/// How a function says that sequences stand further in.
const SEQUENCES: &str = "internal.config.kubernetes.io/seqindent";

/// An object as Kustomize reads it again: with the path of its file in both spellings, and without its index
/// (Kustomize: `DefaultPathAnnotation`, `kio.ByteWriter`). Nothing where the text is no object.
pub(super) fn read_again(written: &Node, place: &FilePlace, scopes: &Scopes) -> Option<Resource> {
    let mut node = written.clone();
    for key in PATH {
        if node.at(&["metadata", "annotations", key]).is_none() {
            set_quoted(&mut node, key, &place.path);
        }
    }
    for key in INDEX {
        take_annotation(&mut node, key);
    }
    let indent = match take_annotation(&mut node, SEQUENCES).as_deref() {
        Some("wide") => SequenceIndent::Wide,
        _ => SequenceIndent::Compact,
    };
    let text = print_v3_with(&node, indent);
    let file = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    let mut read = read_resources(&file, scopes).ok()?;
    read.pop().filter(|_| read.is_empty())
}
