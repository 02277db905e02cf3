//! `runtime`: how to run a function (section A.9).

use crate::yaml::Node;

use super::problem::{Problems, is_text, wrong_type};

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

/// The members of `runtime`: name, known fields, and the fields of which one must be set.
const RUNTIME_MEMBERS: [(&str, &[&str], &[&str]); 3] = [
    ("container", &["image", "network", "mounts", "envs", "sha256"], &["image"]),
    ("exec", &["path", "args", "envs", "sha256"], &["path"]),
    ("starlark", &["path", "url", "uri", "name", "sha256"], &["path", "url", "uri"]),
];

/// Checks `runtime`: exactly one member, known fields, required values not empty.
pub(super) fn check(runtime: &Node, problems: &mut Problems) {
    if runtime.as_mapping().is_none() {
        let cause = wrong_type("a mapping", runtime);
        problems.add_in("runtime", runtime.mark, &["runtime"], cause);
        return;
    }
    let known = |key: &str| RUNTIME_MEMBERS.iter().find(|(member, ..)| *member == key);
    let mut members = 0;
    for entry in runtime.entries() {
        let key = entry.key.text().unwrap_or_default();
        match known(key) {
            Some((_, fields, one_of)) if !entry.value.is_null() => {
                members += 1;
                check_member(key, &entry.value, (fields, one_of), problems);
            }
            Some(_) => {}
            None if key == "deferFailure" => {}
            None => {
                let cause = format!("unknown field \"{key}\"");
                problems.add_in("runtime", entry.key.mark, &["runtime", key], cause);
            }
        }
    }
    if members != 1 {
        let cause = "runtime must set exactly one of container, exec, starlark";
        problems.add(runtime.mark, &["runtime"], cause);
    }
}

/// Checks that the fields of a member are known, and that one of `one_of` is set.
fn check_member(
    member: &str,
    node: &Node,
    (fields, one_of): (&[&str], &[&'static str]),
    problems: &mut Problems,
) {
    if node.as_mapping().is_none() {
        let section = format!("runtime.{member}");
        problems.add_in(&section, node.mark, &["runtime", member], wrong_type("a mapping", node));
        return;
    }
    for entry in node.entries() {
        let key = entry.key.text().unwrap_or_default();
        if !fields.contains(&key) {
            let cause = format!("unknown field \"{member}.{key}\"");
            problems.add_in("runtime", entry.key.mark, &["runtime", member, key], cause);
        }
    }
    let given =
        |key: &&str| node.get(key).is_some_and(|value| is_text(value) && value.text() != Some(""));
    if !one_of.iter().any(given) {
        // An empty value is an error here. Kustomize skips such a function silently and passes the
        // resources through.
        let field = one_of.first().copied().unwrap_or_default();
        let cause = format!("runtime.{member}.{field} is empty");
        problems.add(node.mark, &["runtime", member, field], cause);
    }
}
