//! `runtime`: how to run a function (section A.9).

use crate::yaml::Node;

use super::super::function_spec::{SpecError, read_function_spec};
use super::problem::Problems;

/// The annotations that define the runtime of a function without `runtime`.
pub const FUNCTION_ANNOTATIONS: [&str; 3] =
    ["config.kubernetes.io/function", "config.k8s.io/function", "config.kubernetes.io/container"];

/// The way in which a configuration sets the runtime of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuntimeKind {
    Container,
    Exec,
    Starlark,
    Annotation,
    /// Not in the configuration: a catalog has to define it.
    Catalog,
}

/// The runtime set in a configuration; irrelevant for built-ins.
pub fn runtime_kind(config: &Node) -> RuntimeKind {
    let has = |key: &str| config.at(&["runtime", key]).is_some_and(|node| !node.is_null());
    if has("container") {
        RuntimeKind::Container
    } else if has("exec") {
        RuntimeKind::Exec
    } else if has("starlark") {
        RuntimeKind::Starlark
    } else if has_runtime_annotation(config) {
        RuntimeKind::Annotation
    } else {
        RuntimeKind::Catalog
    }
}

pub(super) fn has_runtime_annotation(config: &Node) -> bool {
    let annotated = |key| config.at(&["metadata", "annotations", key]).is_some();
    FUNCTION_ANNOTATIONS.into_iter().any(annotated)
        || config.at(&["metadata", "configFn"]).is_some()
}

/// Checks `runtime` as the function reads it.
pub(super) fn check(runtime: &Node, problems: &mut Problems) {
    let Err(SpecError { text, mark }) = read_function_spec(runtime, "runtime") else { return };
    match text.split_once(": ") {
        Some((place, cause)) => {
            let keys: Vec<&str> = place.split('.').collect();
            problems.add_in(place, mark, &keys, cause);
        }
        None => problems.add(mark, &["runtime"], text),
    }
}
