//! Checks of a complete configuration.

use crate::diagnostic::{CompositionRemark, EntryCause};
use crate::manifest::Builtin;
use crate::resource::nearest_name;
use crate::yaml::Node;

use super::problem::{EntryProblem, Problems, is_text, join_pointer};
use super::{CanonicalConfig, EntryId, KUSTOMIZE_GROUP, builtin, runtime};

/// Checks a configuration with its overrides merged in.
pub fn check_entry(config: &CanonicalConfig, name: &str) -> Vec<EntryProblem> {
    let mut problems = Problems::default();
    check_complete(&config.node, &config.id, (name, ""), &mut problems);
    problems.all
}

/// Checks a complete configuration.
pub(super) fn check_complete(
    node: &Node,
    id: &EntryId,
    (name, at): (&str, &str),
    problems: &mut Problems,
) {
    if &*id.gvk.group == KUSTOMIZE_GROUP && &*id.gvk.kind == "Component" {
        problems.add(node.mark, at, name, EntryCause::InlineComponent(id.to_string()));
    }
    if &*id.gvk.group == KUSTOMIZE_GROUP && &*id.gvk.kind == "Composition" {
        problems.add(node.mark, at, name, EntryCause::InlineComposition(id.to_string()));
    }
    let runtime = node.get("runtime").filter(|runtime| !runtime.is_null());
    if id.is_builtin() {
        check_builtin(node, id, (name, at), problems);
        if let Some(runtime) = runtime {
            let cause = EntryCause::RuntimeOfBuiltin(id.to_string());
            problems.add(runtime.mark, join_pointer(at, "runtime"), name, cause);
        }
    } else if let Some(runtime) = runtime {
        runtime::check(runtime, (name, at), problems);
    }
}

fn check_builtin(node: &Node, id: &EntryId, (name, at): (&str, &str), problems: &mut Problems) {
    let kind = &*id.gvk.kind;
    if !builtin::is_known(kind) {
        let near = match kind {
            // The names in the proposal's drafts of 2021.
            "StaticResources" => Some(Builtin::ResourceAccumulator.kind()),
            "Kustomize" => {
                let cause = EntryCause::FormerKustomization(id.gvk.to_string());
                problems.add(node.mark, at, name, cause);
                return;
            }
            _ => nearest_name(kind, builtin::kinds()),
        };
        let near = near.map(str::to_owned);
        let cause = EntryCause::UnknownBuiltin { kind: id.gvk.to_string(), near };
        problems.add(node.mark, at, name, cause);
    }
    if Builtin::from_kind(kind) == Some(Builtin::ResourceAccumulator) {
        let paths = node.get("paths").filter(|paths| !paths.is_null());
        let mark = paths.map_or(node.mark, |paths| paths.mark);
        let items = paths.and_then(Node::items);
        let wrong = match (paths, items) {
            (None, _) | (_, Some([])) => Some(EntryCause::NoPaths(id.to_string())),
            (Some(_), None) => Some(EntryCause::PathsNotList(id.to_string())),
            _ => None,
        };
        if let Some(wrong) = wrong {
            problems.add(mark, join_pointer(at, "paths"), name, wrong);
        }
        for (index, item) in items.unwrap_or_default().iter().enumerate() {
            if !is_text(item) || item.text() == Some("") {
                let cause = EntryCause::NoPath(id.to_string(), index);
                problems.add(
                    item.mark,
                    format!("{}/{index}", join_pointer(at, "paths")),
                    name,
                    cause,
                );
            }
        }
    }
}

/// Warns of unknown fields of a built-in plugin, which Kustomize ignores (section A.10).
pub(super) fn warn_unknown_fields(node: &Node, id: &EntryId, name: &str, problems: &mut Problems) {
    if !id.is_builtin() || !builtin::is_known(&id.gvk.kind) {
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
            entry: name.to_owned(),
            kind: id.gvk.kind.to_string(),
            key: key.to_owned(),
            near: near.map(str::to_owned),
        };
        problems.warn(entry.key.mark, remark);
    }
}
