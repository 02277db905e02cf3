//! Explains why a patch left a matched resource unchanged: its values are already set.

use crate::diagnostic::{AlreadySet, Diagnostic, EntryRemark, Hint, Object, Relation, dotted_path};
use crate::load::SourceNumbers;
use crate::resource::Resource;
use crate::yaml::{Mark, Node, Value};

/// The first change in a patch that the resource already has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnchangedPatchField {
    what: AlreadySet,
    /// The location of the existing value.
    mark: Mark,
}

impl UnchangedPatchField {
    pub(super) fn already_set(path: &str, node: &Node) -> Self {
        let value = match &node.value {
            Value::Scalar(scalar) => Some(scalar.text.to_string()),
            Value::Sequence(..) | Value::Mapping(_) => None,
        };
        Self { what: AlreadySet::Is(path.to_owned(), value), mark: node.mark }
    }

    /// A field that the patch removes is already missing.
    pub(super) fn already_missing(path: &str) -> Self {
        Self::without_location(AlreadySet::Gone(path.to_owned()))
    }

    /// The case of a JSON patch whose operations are all tests.
    pub(super) fn only_tests() -> Self {
        Self::without_location(AlreadySet::OnlyTests)
    }

    /// A change without a location in the patch.
    fn without_location(what: AlreadySet) -> Self {
        Self { what, mark: Mark::default() }
    }

    /// The fact for a message; the values of a Secret are masked.
    fn masked(self, is_secret: bool) -> AlreadySet {
        match self.what {
            AlreadySet::Is(path, _) if is_secret => AlreadySet::Is(path, None),
            what @ (AlreadySet::Is(..) | AlreadySet::Gone(_) | AlreadySet::OnlyTests) => what,
        }
    }

    /// The note about a step that changed no field.
    pub(super) fn note(
        already: Option<Self>,
        resource: &Resource,
        mark: Mark,
        sources: &SourceNumbers,
    ) -> Diagnostic {
        let id = &resource.id;
        let from = already.as_ref().map_or_else(Mark::default, |already| already.mark);
        let is_secret = &*id.gvk.kind == "Secret";
        let already = already.map(|already| already.masked(is_secret));
        let remark = EntryRemark::PatchChangesNothing { object: Object::from(id), already };
        let note = Diagnostic::new(remark, mark);
        let Some(file) = sources.path(from.source).filter(|_| from.line > 0) else { return note };
        let parts: Vec<&str> = file.rsplit('/').take(2).collect();
        let short = parts.into_iter().rev().collect::<Vec<_>>().join("/");
        note.hint(Hint::ComesFrom(short, from.line)).related(from, Relation::Origin)
    }
}

/// The first change of a strategic merge patch that the resource already has.
pub(super) fn first_unchanged_field(patch: &Node, target: &Node) -> Option<UnchangedPatchField> {
    first(patch, Some(target), &mut Vec::new())
}

fn first(
    patch: &Node,
    target: Option<&Node>,
    path: &mut Vec<String>,
) -> Option<UnchangedPatchField> {
    if patch.is_null() {
        return target.is_none().then(|| UnchangedPatchField::already_missing(&dotted_path(path)));
    }
    let target = target?;
    if let Some(items) =
        patch.items().filter(|items| items.iter().all(|item| item.as_mapping().is_some()))
    {
        return items.iter().find_map(|item| {
            let (key, name) = ["name", "key", "containerPort", "port", "mountPath", "ip"]
                .into_iter()
                .find_map(|key| Some((key, item.get(key)?.text()?)))?;
            let same = |other: &&Node| other.get(key).and_then(Node::text) == Some(name);
            let other = target.items()?.iter().find(same);
            path.push(format!("[{name}]"));
            let mut rest = item.clone();
            if let Some(mapping) = rest.as_mapping_mut() {
                mapping.remove(key);
            }
            let found = first(&rest, other, path);
            path.pop();
            found
        });
    }
    if patch.as_mapping().is_none() {
        return Some(UnchangedPatchField::already_set(&dotted_path(path), target));
    }
    let is_root = path.is_empty();
    let mut said = patch.entries().iter().filter(|entry| {
        let key = entry.key.text().unwrap_or_default();
        !(is_root && matches!(key, "apiVersion" | "kind") || key.starts_with('$'))
    });
    said.find_map(|entry| {
        let key = entry.key.text()?;
        path.push(key.to_owned());
        let found = first(&entry.value, target.get(key), path);
        path.pop();
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Limits, SourceId, parse_documents};

    fn node(text: &str) -> Node {
        let mut read = parse_documents(text.as_bytes(), SourceId(1), Limits::default()).unwrap();
        read.documents.remove(0).node
    }

    #[test]
    fn first_field_that_is_already_set_is_found() {
        let target = node("kind: A\nspec:\n  replicas: 3\n  list:\n  - name: x\n    image: i\n");
        for (patch, said) in [
            ("kind: A\nspec: {replicas: 3}\n", "spec.replicas is 3 already"),
            ("spec: {list: [{name: x, image: i}]}\n", "spec.list[x].image is i already"),
            ("spec: {gone: null}\n", "spec.gone, which it removes, does not exist"),
        ] {
            let already =
                first_unchanged_field(&node(patch), &target).map(|it| it.what.to_string());
            assert_eq!(already.as_deref(), Some(said));
        }
    }
}
