//! Kustomize's bookkeeping as annotations, for programs and messages that show it.

use crate::resource::{Resource, set_annotation, take_annotation, write_internal_annotations};
use crate::transform::build_metadata::{ORIGIN, origin_annotations};
use crate::yaml::Node;

/// The tree that Kustomize passes to a program: with its bookkeeping and the annotations about the
/// origin of the resource.
pub fn program_input_tree(resource: &Resource) -> Node {
    let mut node = write_internal_annotations(resource);
    for (name, text) in origin_annotations(resource, |_| true) {
        set_annotation(&mut node, name, &text);
    }
    node
}

/// Moves the origin annotations of a returned resource back into its fields, if they equal those of
/// `old`. An annotation that the program changed stays an ordinary annotation; one that it removed
/// is dropped.
pub fn take_origin_annotations(new: &mut Resource, old: &Resource) {
    for (name, text) in origin_annotations(old, |_| true) {
        if new.annotation(name) != Some(&*text) {
            continue;
        }
        take_annotation(&mut new.node, name);
        if name == ORIGIN {
            new.origin.clone_from(&old.origin);
        } else {
            new.transformations.clone_from(&old.transformations);
        }
    }
}
