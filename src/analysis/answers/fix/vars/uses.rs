//! The uses of vars in a build: the texts in which vars were replaced.

use std::collections::BTreeSet;

use crate::answers::recording::field::value_at;
use crate::engine::evaluate::{StepKind, Trace};
use crate::engine::resource::{PathStep, Resource};
use crate::engine::yaml::Node;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::answers) struct VarUse {
    pub(super) group: String,
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) path: String,
    pub(super) text: String,
}

/// The texts in which a build replaced vars.
pub(in crate::answers) fn uses(trace: &Trace) -> BTreeSet<VarUse> {
    let steps = trace.steps.iter().filter(|step| step.kind == StepKind::ReplaceVars);
    let mut found = BTreeSet::new();
    for change in steps.flat_map(|step| &step.changes) {
        let (Some(before), Some(after)) = (&change.before, &change.after) else { continue };
        let mut path = Vec::new();
        collect_uses(before, after, &before.node, &mut path, &mut found);
    }
    found
}

/// Collects the texts at or below a node in which a step replaced vars.
fn collect_uses(
    before: &Resource,
    after: &Resource,
    node: &Node,
    path: &mut Vec<PathStep>,
    found: &mut BTreeSet<VarUse>,
) {
    for entry in node.entries() {
        let Some(key) = entry.key.text() else { continue };
        path.push(PathStep::Key(key.into()));
        collect_uses(before, after, &entry.value, path, found);
        path.pop();
    }
    for (index, item) in node.items().unwrap_or_default().iter().enumerate() {
        path.push(PathStep::Index(index));
        collect_uses(before, after, item, path, found);
        path.pop();
    }
    let Some(text) = node.text().filter(|text| text.contains("$(")) else { return };
    let now = value_at(&after.node, path).and_then(|(node, _)| node.text().map(str::to_owned));
    if now.as_deref() == Some(text) {
        return;
    }
    let Some(path) = field_path(&before.node, path) else { return };
    let first = before.names.previous().first().map_or(&before.id.name, |previous| &previous.name);
    let gvk = &before.id.gvk;
    found.insert(VarUse {
        group: gvk.group.to_string(),
        kind: gvk.kind.to_string(),
        name: first.to_string(),
        path,
        text: text.to_owned(),
    });
}

/// A path in the form of `fieldPaths`: `spec.template.spec.containers.[name=web].args.0`
fn field_path(root: &Node, path: &[PathStep]) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut node = root;
    for step in path {
        match step {
            PathStep::Key(key) => {
                parts.push(key.replace('\\', "\\\\").replace('.', "\\."));
                node = node.get(key)?;
            }
            PathStep::Index(index) => {
                let items = node.items()?;
                let item = items.get(*index)?;
                let name = item.get("name").and_then(Node::text);
                let same = |other: &&Node| other.get("name").and_then(Node::text) == name;
                let is_plain = |name: &&str| {
                    !name.is_empty()
                        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
                };
                parts.push(match name.filter(is_plain) {
                    Some(name) if items.iter().filter(same).count() == 1 => {
                        format!("[name={name}]")
                    }
                    _ => index.to_string(),
                });
                node = item;
            }
        }
    }
    Some(parts.join("."))
}
