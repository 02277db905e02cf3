//! The field managers of an object in a cluster (`metadata.managedFields`, format `FieldsV1`).

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::engine::resource::PathStep;
use crate::engine::yaml::Node;

/// The names under which kubectl, Flux and Argo CD apply objects. `before-first-apply` is the API
/// server's name for the fields of an object that is older than their tracking.
const DEPLOYING_MANAGERS: [&str; 9] = [
    "kubectl",
    CLIENT_SIDE_APPLY,
    "kubectl-create",
    "kubectl-replace",
    "kubectl-last-applied",
    "before-first-apply",
    "kustomize-controller",
    "argocd-controller",
    "argocd-application-controller",
];
/// The field manager of `kubectl apply` without `--server-side`.
const CLIENT_SIDE_APPLY: &str = "kubectl-client-side-apply";

struct OwnedField {
    manager: String,
    /// True if the manager applied the field on the server, false if it updated the object.
    is_applied: bool,
    path: Vec<PathStep>,
}

pub(super) struct Ownership<'a> {
    fields: Vec<OwnedField>,
    /// The manager that the user names in place of the known ones.
    deploying: Option<&'a str>,
    /// True if one of the known managers owns a field. Otherwise it is not known which manager
    /// deploys the object, and no difference is attributed to another one.
    has_known_manager: bool,
}

impl<'a> Ownership<'a> {
    /// The managers in the `metadata.managedFields` of `object`. Changes of a subresource are not
    /// changes of the deployed object, except for `scale`.
    pub(super) fn of_object(object: &Node, deploying: Option<&'a str>) -> Self {
        let mut fields = Vec::new();
        let managed = object.at(&["metadata", "managedFields"]).and_then(Node::items);
        for entry in managed.unwrap_or_default() {
            let text = |key: &str| entry.text_of(key).unwrap_or_default();
            if !matches!(text("subresource"), "" | "scale") {
                continue;
            }
            let Some(owned) = entry.get("fieldsV1") else { continue };
            let mut paths = Vec::new();
            add_owned_paths(owned, object, &mut Vec::new(), &mut paths);
            fields.extend(paths.into_iter().map(|path| OwnedField {
                manager: text("manager").to_owned(),
                is_applied: text("operation") == "Apply",
                path,
            }));
        }
        let is_known = |field: &OwnedField| DEPLOYING_MANAGERS.contains(&&*field.manager);
        let has_known_manager = fields.iter().any(is_known);
        Self { fields, deploying, has_known_manager }
    }

    /// The manager under which the object was applied on the server; `None` if it was not.
    pub(super) fn applying_manager(&self) -> Option<&str> {
        let mut applied = self.fields.iter().filter(|field| field.is_applied);
        applied.find(|field| self.is_deploying(&field.manager)).map(|field| &*field.manager)
    }

    /// The managers of the object, if no manager deploys it: which fields an apply would set back
    /// is not known then.
    pub(super) fn unknown_managers(&self) -> Option<Vec<&str>> {
        let managers: BTreeSet<&str> = self.fields.iter().map(|field| &*field.manager).collect();
        let is_unknown = !managers.is_empty() && !managers.iter().any(|it| self.is_deploying(it));
        is_unknown.then(|| managers.into_iter().collect())
    }

    fn is_deploying(&self, manager: &str) -> bool {
        match self.deploying {
            Some(own) => own == manager,
            None => !self.has_known_manager || DEPLOYING_MANAGERS.contains(&manager),
        }
    }

    /// The managers of a field, of a part of it, or of a field that contains it.
    fn owners(&self, path: &[PathStep]) -> impl Iterator<Item = &OwnedField> {
        let is_related =
            |one: &[PathStep], other: &[PathStep]| one.starts_with(other) || other.starts_with(one);
        self.fields.iter().filter(move |field| is_related(&field.path, path))
    }

    /// The managers of a field; empty if one of them deploys the object.
    pub(super) fn other_managers(&self, path: &[PathStep]) -> Vec<String> {
        let owners: BTreeSet<&str> = self.owners(path).map(|field| &*field.manager).collect();
        if owners.iter().any(|owner| self.is_deploying(owner)) {
            return Vec::new();
        }
        owners.into_iter().map(str::to_owned).collect()
    }

    /// True if only `kubectl apply` without `--server-side` owns a field: the next apply removes a
    /// field that it applied before and that the objects no longer have.
    pub(super) fn is_only_client_side(&self, path: &[PathStep]) -> bool {
        let mut owners = self.owners(path).peekable();
        owners.peek().is_some() && owners.all(|field| field.manager == CLIENT_SIDE_APPLY)
    }

    /// The fields that only other managers own, each once.
    pub(super) fn fields_of_other_managers(&self) -> BTreeSet<Vec<PathStep>> {
        let others = self.fields.iter().filter(|field| !self.is_deploying(&field.manager));
        let others = others.filter(|field| !self.other_managers(&field.path).is_empty());
        others.map(|field| field.path.clone()).collect()
    }
}

/// Adds the paths of the fields in `fields` (`FieldsV1`) that `node` has. `path` is the path of
/// `node`.
fn add_owned_paths(
    fields: &Node,
    node: &Node,
    path: &mut Vec<PathStep>,
    found: &mut Vec<Vec<PathStep>>,
) {
    for entry in fields.entries() {
        let name = entry.key.text().unwrap_or_default();
        let Some((step, child)) = owned_child(name, node) else { continue };
        path.push(step);
        let has_parts = entry.value.entries().iter().any(|it| it.key.text() != Some("."));
        if has_parts {
            add_owned_paths(&entry.value, child, path, found);
        } else {
            found.push(path.clone());
        }
        path.pop();
    }
}

/// The child of `node` that a key of `FieldsV1` names: `f:KEY`, `k:{"name":"web"}`, `v:VALUE` or
/// `i:INDEX`.
fn owned_child<'n>(name: &str, node: &'n Node) -> Option<(PathStep, &'n Node)> {
    let (kind, rest) = name.split_once(':')?;
    if kind == "f" {
        return Some((PathStep::Key(rest.into()), node.get(rest)?));
    }
    let items = node.items()?;
    let index = match kind {
        "i" => rest.parse().ok()?,
        "k" => {
            let Ok(Json::Object(keys)) = serde_json::from_str(rest) else { return None };
            let has_key = |item: &Node, (key, value): (&String, &Json)| {
                item.get(key).is_some_and(|own| has_value(own, value))
            };
            items.iter().position(|item| keys.iter().all(|key| has_key(item, key)))?
        }
        "v" => {
            let value: Json = serde_json::from_str(rest).ok()?;
            items.iter().position(|item| has_value(item, &value))?
        }
        _ => return None,
    };
    Some((PathStep::Index(index), items.get(index)?))
}

fn has_value(node: &Node, value: &Json) -> bool {
    match value {
        Json::String(text) => node.text() == Some(text),
        other => node.text() == Some(&*other.to_string()),
    }
}
