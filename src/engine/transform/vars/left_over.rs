//! Vars that no field took.

use crate::diagnostic::{Code, Diagnostic};
use crate::resource::ResMap;
use crate::yaml::{Mark, Node};

/// Why a var was never replaced: no field says its name, or one does that Kustomize does not look at.
pub(super) fn never_replaced(name: &str, mark: Mark, resources: &ResMap) -> Diagnostic {
    let wanted = format!("$({name})");
    let found = resources.iter().find_map(|(slot, resource)| {
        let mut path = Vec::new();
        let mark = find(&resource.node, &wanted, &mut path)?;
        path.reverse();
        Some((slot, resource, path.join("/"), mark))
    });
    let never = format!("well-defined vars that were never replaced: {name}");
    let Some((slot, resource, path, place)) = found else {
        return Diagnostic::new(Code::KZ115, never, mark)
            .hint(format!("no field says {wanted}: the var is unused in this target"));
    };
    let id = &resource.id;
    let message = format!("{never}; {path} of {} {} still says {wanted}", id.gvk.kind, id.name);
    Diagnostic::new(Code::KZ123, message, mark)
        .hint(format!(
            "name the field in a file of `configurations`: varReference, path {path}, kind {}",
            id.gvk.kind
        ))
        .about(Some(slot), &id.gvk.kind, &id.name)
        .field(path.replace('/', "."))
        .related(place, format!("{wanted} stands here"))
}

/// The first text that holds the placeholder; the path is made backwards.
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
