//! Vars that were not used by any field.

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::{Diagnostic, NameRemark, Object, Relation};
use crate::resource::{ResMap, Resource, Slot};
use crate::yaml::{Mark, Node};

pub(super) struct PlaceholderText<'r> {
    slot: Slot,
    resource: &'r Resource,
    /// The keys from the root, separated by `/`.
    path: String,
    text: &'r str,
    mark: Mark,
}

pub(super) fn placeholder_texts(resources: &ResMap) -> Vec<PlaceholderText<'_>> {
    let mut found = Vec::new();
    for (slot, resource) in resources.iter() {
        let mut visit = |text, mark, path: &[&str]| {
            found.push(PlaceholderText { slot, resource, path: path.join("/"), text, mark });
        };
        visit_placeholders(&resource.node, &mut Vec::new(), &mut visit);
    }
    found
}

/// The warning for a var that was never replaced: no field contains its placeholder, or only a
/// field in which Kustomize does not expand vars.
pub(super) fn unreplaced_var_warning(
    name: &str,
    mark: Mark,
    texts: &[PlaceholderText<'_>],
) -> Diagnostic {
    let wanted = format!("$({name})");
    let found = texts.iter().find(|it| it.text.contains(&wanted));
    let name = name.to_owned();
    let Some(found) = found else {
        return Diagnostic::new(NameRemark::VarUnused(name.clone()), mark)
            .hint(format!("no field contains $({name}): the var is unused in this target"));
    };
    let (path, object) = (found.path.clone(), Object::from(&found.resource.id));
    let remark = NameRemark::VarLeftOver { name: name.clone(), path, object };
    found.diagnostic(remark, mark).related(found.mark, Relation::Placeholder(name))
}

impl PlaceholderText<'_> {
    fn diagnostic(&self, remark: NameRemark, mark: Mark) -> Diagnostic {
        let (id, path) = (&self.resource.id, &self.path);
        Diagnostic::new(remark, mark)
            .hint(format!(
                "add to a file listed under `configurations`: varReference: [{{path: {path}, kind: {}}}]",
                id.gvk.kind
            ))
            .with_subject(Some(self.slot), &id.gvk.kind, &id.name)
            .field(self.path.replace('/', "."))
    }
}

/// The warnings for vars that were replaced in some fields and whose placeholder remains in others:
/// one for each var, at the first field with the placeholder.
pub(super) fn remaining_placeholder_warnings(
    names: &IndexSet<String>,
    texts: &[PlaceholderText<'_>],
) -> Vec<Diagnostic> {
    let mut left: IndexMap<&str, Diagnostic> = IndexMap::new();
    for found in texts {
        for name in names.iter().filter(|name| found.text.contains(&format!("$({name})"))) {
            let (name, path) = (name.as_str(), found.path.clone());
            left.entry(name).or_insert_with(|| {
                let (name, object) = (name.to_owned(), Object::from(&found.resource.id));
                let remark = NameRemark::VarReplacedElsewhere { name, path, object };
                found.diagnostic(remark, found.mark)
            });
        }
    }
    left.into_values().collect()
}

fn visit_placeholders<'n>(
    node: &'n Node,
    path: &mut Vec<&'n str>,
    visit: &mut dyn FnMut(&'n str, Mark, &[&str]),
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
