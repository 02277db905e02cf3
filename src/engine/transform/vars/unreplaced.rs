//! Vars that were not used by any field.

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::{Diagnostic, Hint, NameRemark, Object, Relation};
use crate::resource::ResMap;
use crate::yaml::{Mark, Node};

/// The warning for a var that was never replaced: no field contains its placeholder, or only a
/// field in which Kustomize does not expand vars.
pub(super) fn unreplaced_var_warning(name: &str, mark: Mark, resources: &ResMap) -> Diagnostic {
    let wanted = format!("$({name})");
    let found = resources.iter().find_map(|(slot, resource)| {
        let mut path = Vec::new();
        let mark = find(&resource.node, &wanted, &mut path)?;
        path.reverse();
        Some((slot, resource, path.join("/"), mark))
    });
    let name = name.to_owned();
    let Some((slot, resource, path, place)) = found else {
        return Diagnostic::new(NameRemark::VarUnused(name.clone()), mark)
            .hint(Hint::VarUnused(name));
    };
    let id = &resource.id;
    let (field, object) = (path.replace('/', "."), Object::from(id));
    let remark = NameRemark::VarLeftOver { name: name.clone(), path: path.clone(), object };
    Diagnostic::new(remark, mark)
        .hint(Hint::VarReference(path, id.gvk.kind.to_string()))
        .with_subject(Some(slot), &id.gvk.kind, &id.name)
        .field(field)
        .related(place, Relation::Placeholder(name))
}

/// The warnings for vars that were replaced in some fields and whose placeholder remains in others:
/// one for each var, at the first field with the placeholder.
pub(super) fn remaining_placeholder_warnings(
    names: &IndexSet<String>,
    resources: &ResMap,
) -> Vec<Diagnostic> {
    let mut left: IndexMap<&str, Diagnostic> = IndexMap::new();
    for (slot, resource) in resources.iter() {
        let mut visit = |text: &str, mark: Mark, path: &[&str]| {
            for name in names.iter().filter(|name| text.contains(&format!("$({name})"))) {
                let (id, path) = (&resource.id, path.join("/"));
                let (field, object) = (path.replace('/', "."), Object::from(id));
                let remark = NameRemark::VarReplacedElsewhere {
                    name: name.clone(),
                    path: path.clone(),
                    object,
                };
                left.entry(name).or_insert_with(|| {
                    Diagnostic::new(remark, mark)
                        .hint(Hint::VarReference(path, id.gvk.kind.to_string()))
                        .with_subject(Some(slot), &id.gvk.kind, &id.name)
                        .field(field)
                });
            }
        };
        visit_placeholders(&resource.node, &mut Vec::new(), &mut visit);
    }
    left.into_values().collect()
}

/// Visits the texts with the beginning of a placeholder, each with its keys from the root.
fn visit_placeholders<'n>(
    node: &'n Node,
    path: &mut Vec<&'n str>,
    visit: &mut dyn FnMut(&str, Mark, &[&str]),
) {
    if let Some(text) = node.text().filter(|text| text.contains("$(")) {
        visit(text, node.mark, path);
    }
    for item in node.items().unwrap_or_default() {
        visit_placeholders(item, path, visit);
    }
    for entry in node.entries() {
        path.push(entry.key.text().unwrap_or_default());
        visit_placeholders(&entry.value, path, visit);
        path.pop();
    }
}

/// Finds the first text with the placeholder; pushes the keys to `path` in reverse.
fn find(node: &Node, wanted: &str, path: &mut Vec<String>) -> Option<Mark> {
    if let Some(text) = node.text() {
        return text.contains(wanted).then_some(node.mark);
    }
    if let Some(found) =
        node.items().unwrap_or_default().iter().find_map(|item| find(item, wanted, path))
    {
        return Some(found);
    }
    node.entries().iter().find_map(|entry| {
        let found = find(&entry.value, wanted, path)?;
        path.push(entry.key.text().unwrap_or_default().to_owned());
        Some(found)
    })
}
