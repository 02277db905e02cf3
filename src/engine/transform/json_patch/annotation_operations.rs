//! Finds out whether a patch changes or reads annotations, which include Kustomize's internal ones.

use crate::transform::bookkeeping_annotations::is_reserved_annotation;

use super::JsonPatch;
use super::pointer::decode;

impl JsonPatch {
    /// True if an operation may replace all annotations: its pointer is that of the annotations or
    /// of a node that contains them.
    pub fn rewrites_annotations(&self) -> bool {
        let holds = |path: &str| matches!(path, "" | "/metadata" | "/metadata/annotations");
        self.operations.iter().any(|operation| {
            let path = operation.path.as_deref().filter(|_| operation.op != "test");
            let from = operation.from.as_deref().filter(|_| operation.op == "move");
            path.is_some_and(holds) || from.is_some_and(holds)
        })
    }

    /// True if an operation moves, copies or compares the annotations or a node that contains them,
    /// or if its pointer is that of an internal annotation of Kustomize.
    pub fn reads_annotations(&self) -> bool {
        let names_a_kept = |path: &str| {
            let key = path.strip_prefix("/metadata/annotations/");
            key.is_some_and(|key| is_reserved_annotation(&decode(key)))
        };
        let holds = |path: &str| {
            matches!(path, "" | "/metadata" | "/metadata/annotations") || names_a_kept(path)
        };
        self.operations.iter().any(|operation| match &*operation.op {
            "move" | "copy" => operation.from.as_deref().is_some_and(holds),
            "test" => operation.path.as_deref().is_some_and(holds),
            "add" | "remove" | "replace" => operation.path.as_deref().is_some_and(names_a_kept),
            _ => false,
        })
    }
}
