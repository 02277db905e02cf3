//! Checks of a complete configuration, and Kustomize's own plugins in a Composition: their fields,
//! their default field specs, their former names (section A.10).

use crate::diagnostic::CompositionRemark;
use crate::manifest::Builtin;
use crate::resource::nearest_name;
use crate::yaml::{Limits, Node, SourceId, parse_documents};

use super::super::function_spec::{SpecError, read_function_spec};
use super::problem::{EntryProblem, Problems, did_you_mean, is_text};
use super::{CanonicalConfig, EntryId, KUSTOMIZE_GROUP};

/// Checks a configuration with its overrides merged in.
pub fn check_entry(config: &CanonicalConfig, name: &str) -> Vec<EntryProblem> {
    let mut problems = Problems::default();
    problems.enter(name, "");
    check_complete(&config.node, &config.id, &mut problems);
    problems.all
}

pub(super) fn check_complete(node: &Node, id: &EntryId, problems: &mut Problems) {
    if &*id.gvk.group == KUSTOMIZE_GROUP && &*id.gvk.kind == "Component" {
        let cause = "inline Components are not supported; use an inline Kustomization with a components field";
        problems.add(node.mark, &[], format!("{id}: {cause}"));
    }
    if &*id.gvk.group == KUSTOMIZE_GROUP && &*id.gvk.kind == "Composition" {
        let cause = format!("{id}: import a Composition with transformersFrom");
        problems.add(node.mark, &[], cause);
    }
    let runtime = node.get("runtime").filter(|runtime| !runtime.is_null());
    if id.is_builtin() {
        check_builtin(node, id, problems);
        if let Some(runtime) = runtime {
            let cause = format!("{id} is built in; remove 'runtime'");
            problems.add(runtime.mark, &["runtime"], cause);
        }
    } else if let Some(runtime) = runtime {
        check_runtime(runtime, problems);
    }
}

fn check_builtin(node: &Node, id: &EntryId, problems: &mut Problems) {
    let kind = &*id.gvk.kind;
    if !is_known(kind) {
        let remedy = match kind {
            // The names in the proposal's drafts of 2021.
            "StaticResources" => did_you_mean(Some(Builtin::ResourceAccumulator.kind()), ""),
            "Kustomize" => {
                "; write kind Kustomization with apiVersion kustomize.config.k8s.io/v1beta1"
                    .to_owned()
            }
            _ => did_you_mean(nearest_name(kind, Builtin::ALL.iter().map(|it| it.kind())), ""),
        };
        problems.add(node.mark, &[], format!("unable to load builtin {}{remedy}", id.gvk));
    }
    if Builtin::from_kind(kind) == Some(Builtin::ResourceAccumulator) {
        let paths = node.get("paths").filter(|paths| !paths.is_null());
        let mark = paths.map_or(node.mark, |paths| paths.mark);
        let items = paths.and_then(Node::items);
        let wrong = match (paths, items) {
            (None, _) | (_, Some([])) => Some("is empty"),
            (Some(_), None) => Some("must be a list"),
            _ => None,
        };
        if let Some(wrong) = wrong {
            problems.add(mark, &["paths"], format!("{id}: paths {wrong}"));
        }
        for (index, item) in items.unwrap_or_default().iter().enumerate() {
            if !is_text(item) || item.text() == Some("") {
                let cause = format!("{id}: paths[{index}] is not a path");
                problems.add(item.mark, &["paths", &index.to_string()], cause);
            }
        }
    }
}

/// Warns of unknown fields of a built-in plugin, which Kustomize ignores (section A.10).
pub(super) fn warn_unknown_fields(node: &Node, id: &EntryId, problems: &mut Problems) {
    if !id.is_builtin() || !is_known(&id.gvk.kind) {
        return;
    }
    let known = Builtin::from_kind(&id.gvk.kind).map_or(&[][..], Builtin::fields);
    for entry in node.entries() {
        let key = entry.key.text().unwrap_or_default();
        let common = matches!(key, "apiVersion" | "kind" | "metadata" | "runtime" | "$patch");
        if common || known.contains(&key) {
            continue;
        }
        let near = nearest_name(key, known.iter().copied());
        let remark = CompositionRemark::UnknownField {
            entry: problems.part.clone(),
            kind: id.gvk.kind.to_string(),
            key: key.to_owned(),
            near: near.map(str::to_owned),
        };
        problems.warn(entry.key.mark, remark);
    }
}

const BUILTIN_SCHEMAS: &str = include_str!("../../assets/composition/builtin-schemas.yaml");

/// The prototype's name of `ResourceAccumulator`, the entry that loads resources (D-A26).
pub(super) const RESOURCE_GENERATOR: &str = "ResourceGenerator";

/// True for a kind that needs no apiVersion (D-A6).
pub(super) fn is_known(kind: &str) -> bool {
    kind == RESOURCE_GENERATOR || Builtin::from_kind(kind).is_some()
}

/// The schema of the configuration of a built-in kind, without `apiVersion` and `kind`.
pub fn builtin_schema(kind: &str) -> Option<Node> {
    let file =
        parse_documents(BUILTIN_SCHEMAS.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    file.documents.first()?.node.get(kind).cloned()
}

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

pub(super) fn check_runtime(runtime: &Node, problems: &mut Problems) {
    let Err(SpecError { text, mark }) = read_function_spec(runtime, "runtime") else { return };
    match text.split_once(": ") {
        Some((place, cause)) => {
            let keys: Vec<&str> = place.split('.').collect();
            problems.add_in(place, mark, &keys, cause);
        }
        None => problems.add(mark, &["runtime"], text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_every_kind_has_a_schema() {
        for builtin in Builtin::ALL.iter().filter(|builtin| !builtin.fields().is_empty()) {
            let kind = builtin.kind();
            let schema = builtin_schema(kind).expect(kind);
            let properties = schema.get("properties").expect(kind).entries();
            let known = properties.iter().filter_map(|entry| entry.key.text());
            let mut known: Vec<&str> = known.filter(|name| *name != "metadata").collect();
            let mut named = builtin.fields().to_vec();
            known.sort_unstable();
            named.sort_unstable();
            assert_eq!(known, named, "{kind}");
        }
    }
}
