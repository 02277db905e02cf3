//! The edits of Argo CD and Flux to a kustomization file, as made by `kustomize edit`.

use crate::diagnostic::{DeployedRemark, Diagnostic};
use crate::yaml::{Mark, Node};

use super::{AdditionContext, PlacedPair};

/// Sets a text field to a value of the deployment object, unless that value is absent or empty.
pub(super) fn set_text(root: &mut Node, field: &str, value: Option<&Node>) {
    if let Some(value) = value
        && let Some(text) = value.text().filter(|text| !text.is_empty())
    {
        root.set(field, Node::string(text).marked(value.mark));
    }
}

pub(super) fn list(root: &Node, field: &str) -> Vec<Node> {
    root.items_of(field).to_vec()
}

pub(super) fn append(root: &mut Node, field: &str, items: Vec<Node>) {
    let Some(mark) = items.first().map(|item| item.mark) else { return };
    let mark = root.get(field).filter(|node| node.items().is_some()).map_or(mark, |node| node.mark);
    let mut all = list(root, field);
    all.extend(items);
    root.set(field, Node::sequence(all).marked(mark));
}

/// Appends the components of a deployment object that are not `listed`; with
/// `ignoreMissingComponents`, those that do not exist are left out and reported.
pub(super) fn add_components(
    options: &Node,
    root: &mut Node,
    listed: &[Node],
    around: &AdditionContext<'_>,
    remarks: &mut Vec<Diagnostic>,
) {
    let lenient = is_true(options, "ignoreMissingComponents");
    let mut added = Vec::new();
    for item in list(options, "components") {
        let path = item.text().unwrap_or_default();
        if lenient && !(around.exists)(path) {
            let left_out = DeployedRemark::ComponentLeftOut(path.to_owned());
            remarks.push(Diagnostic::new(left_out, item.mark));
        } else if listed.iter().all(|known| known.text() != Some(path)) {
            added.push(item);
        }
    }
    append(root, "components", added);
}

/// Replaces items with the same name and adds new ones; the list is then sorted by name, as after
/// `kustomize edit set`.
pub(super) fn set_by_name(root: &mut Node, field: &str, items: Vec<Node>) {
    let Some(mark) = items.first().map(|item| item.mark) else { return };
    let mut all: Vec<(String, Node)> = Vec::new();
    for item in list(root, field).into_iter().chain(items) {
        let name = item.text_of("name").unwrap_or_default().to_owned();
        match all.iter_mut().find(|(other, _)| *other == name) {
            Some((_, known)) => *known = item,
            None => all.push((name, item)),
        }
    }
    all.sort_by(|(one, _), (other, _)| one.cmp(other));
    let all = all.into_iter().map(|(_, item)| item).collect();
    root.set(field, Node::sequence(all).marked(mark));
}

pub(super) fn pairs_of(node: Option<&Node>) -> Vec<PlacedPair> {
    let pairs = node.map(Node::entries).unwrap_or_default().iter().filter_map(|entry| {
        let (key, value) = (entry.key.text()?, entry.value.text()?);
        Some((key.to_owned(), value.to_owned(), entry.value.mark))
    });
    pairs.collect()
}

pub(super) const IMAGE_FIELDS: [&str; 4] = ["name", "newName", "newTag", "digest"];

/// An entry of `images` with the texts that are not empty; all nodes get the same mark.
pub(super) fn image_node(values: [&str; 4], mark: Mark) -> Node {
    let mut node = Node::mapping();
    for (key, value) in IMAGE_FIELDS.iter().zip(values).filter(|(_, value)| !value.is_empty()) {
        node.set(key, Node::string(value));
    }
    node.mark_all(mark);
    node
}

pub(super) fn is_true(node: &Node, field: &str) -> bool {
    node.text_of(field) == Some("true")
}
