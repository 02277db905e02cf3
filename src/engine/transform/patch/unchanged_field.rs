//! Explains why a patch left a matched resource unchanged: its values are already set.

use crate::diagnostic::{AlreadySet, Diagnostic, EntryRemark, Hint, Object, Relation, dotted_path};
use crate::load::SourceNumbers;
use crate::resource::Resource;
use crate::yaml::{Mark, Node};

/// The first change in a patch that the resource already has, with the location of the existing
/// value.
pub(super) type UnchangedField = (AlreadySet, Mark);

pub(super) fn already_set(path: String, node: &Node) -> UnchangedField {
    (AlreadySet::Is(path, node.text().map(str::to_owned)), node.mark)
}

/// The note about a step that changed no field; the values of a Secret are masked.
pub(super) fn no_change_note(
    already: Option<UnchangedField>,
    resource: &Resource,
    mark: Mark,
    sources: &SourceNumbers,
) -> Diagnostic {
    let id = &resource.id;
    let (mut already, from) = already.unzip();
    if &*id.gvk.kind == "Secret"
        && let Some(AlreadySet::Is(_, value)) = &mut already
    {
        *value = None;
    }
    let remark = EntryRemark::PatchChangesNothing { object: Object::from(id), already };
    let note = Diagnostic::new(remark, mark);
    let Some(from) = from.filter(|from| from.line > 0) else { return note };
    let Some(file) = sources.path(from.source) else { return note };
    let parts: Vec<&str> = file.rsplit('/').take(2).collect();
    let short = parts.into_iter().rev().collect::<Vec<_>>().join("/");
    note.hint(Hint::ComesFrom(short, from.line)).related(from, Relation::Origin)
}

/// The first change of a strategic merge patch that the resource already has; `path` is that of the
/// keys to both nodes.
pub(super) fn first_unchanged_field(
    patch: &Node,
    target: Option<&Node>,
    path: &mut Vec<String>,
) -> Option<UnchangedField> {
    if patch.is_null() {
        let gone = || (AlreadySet::Gone(dotted_path(path)), Mark::default());
        return target.is_none().then(gone);
    }
    let target = target?;
    if let Some(items) =
        patch.items().filter(|items| items.iter().all(|item| item.as_mapping().is_some()))
    {
        return items.iter().find_map(|item| {
            let (key, name) = ["name", "key", "containerPort", "port", "mountPath", "ip"]
                .into_iter()
                .find_map(|key| Some((key, item.get(key)?.text()?)))?;
            let same = |other: &&Node| other.text_of(key) == Some(name);
            let other = target.items()?.iter().find(same);
            path.push(format!("[{name}]"));
            let mut rest = item.clone();
            rest.remove(key);
            let found = first_unchanged_field(&rest, other, path);
            path.pop();
            found
        });
    }
    if patch.as_mapping().is_none() {
        return Some(already_set(dotted_path(path), target));
    }
    let is_root = path.is_empty();
    let mut said = patch.entries().iter().filter(|entry| {
        let key = entry.key.text().unwrap_or_default();
        !(is_root && matches!(key, "apiVersion" | "kind") || key.starts_with('$'))
    });
    said.find_map(|entry| {
        let key = entry.key.text()?;
        path.push(key.to_owned());
        let found = first_unchanged_field(&entry.value, target.get(key), path);
        path.pop();
        found
    })
}
