//! Containers that a patch adds by a misspelt name.

use crate::engine::diagnostic::{Diagnostic, Object, SilentRemark};
use crate::engine::load::nearest_name;
use crate::engine::resource::{QuickMap, Slot};
use crate::engine::yaml::{Mark, Node};

use super::{Scan, changes_by_fields};

const PATCH_FIELDS: &[&str] = &["patches", "patchesStrategicMerge", "patchesJson6902"];
const CONTAINER_LISTS: [&str; 3] = ["containers", "initContainers", "ephemeralContainers"];

/// Finds containers without an image in the output, each with the step that added the container.
pub(super) fn missing_images(scan: &mut Scan<'_, '_>) {
    // Few resources have a container without an image, and many steps write to one resource: check
    // each resource once.
    let mut known: QuickMap<Slot, bool> = QuickMap::default();
    for (index, _, slot, [before, after]) in changes_by_fields(scan.trace, PATCH_FIELDS) {
        let Some(now) = scan.last.get(&slot) else { continue };
        if !*known.entry(slot).or_insert_with(|| !containers_without_image(&now.node).is_empty()) {
            continue;
        }
        for (list, name, mark) in containers_without_image(&after.node) {
            // If the container existed before, the patch replaced the complete list, which is a
            // separate finding.
            let names = names(&before.node, list);
            let stays = containers_without_image(&now.node)
                .iter()
                .any(|left| left.0 == list && left.1 == name);
            if names.contains(&name) || !stays {
                continue;
            }
            let object = Object::from(&now.id);
            let remark = SilentRemark::NoImage { name: name.to_owned(), list, object };
            let hint = match nearest_name(name, names.iter().copied()) {
                Some(near) => format!("did you mean {near:?}?"),
                None if names.is_empty() => "set an image for the container".to_owned(),
                None => format!(
                    "set an image, or write the name of an existing container: {}",
                    names.join(", ")
                ),
            };
            let diagnostic = Diagnostic::new(remark, mark).hint(hint).about(slot, &now.id);
            scan.found.push((index, diagnostic));
        }
    }
}

/// The pod specification of a Pod, a workload or a `CronJob`, with its path.
pub(in crate::answers) fn pod_spec(node: &Node) -> Option<(&'static [&'static str], &Node)> {
    const POD_SPEC_PATHS: [&[&str]; 3] = [
        &["spec", "template", "spec"],
        &["spec", "jobTemplate", "spec", "template", "spec"],
        &["spec"],
    ];
    POD_SPEC_PATHS
        .iter()
        .filter_map(|path| Some((*path, node.at(path)?)))
        .find(|(_, pod)| pod.get("containers").is_some())
}

pub(in crate::answers) fn containers(pod: &Node) -> impl Iterator<Item = (&'static str, &Node)> {
    CONTAINER_LISTS.into_iter().flat_map(|list| pod.items_of(list).iter().map(move |it| (list, it)))
}

fn containers_without_image(node: &Node) -> Vec<(&'static str, &str, Mark)> {
    let Some((_, pod)) = pod_spec(node) else { return Vec::new() };
    let bare =
        containers(pod).filter(|(_, it)| it.as_mapping().is_some() && it.get("image").is_none());
    bare.filter_map(|(list, item)| {
        let name = item.get("name")?;
        Some((list, name.text().unwrap_or_default(), name.mark))
    })
    .collect()
}

fn names<'n>(node: &'n Node, list: &str) -> Vec<&'n str> {
    let items = pod_spec(node).and_then(|(_, pod)| pod.get(list)).and_then(Node::items);
    let name = |item: &'n Node| item.text_of("name");
    items.unwrap_or_default().iter().filter_map(name).collect()
}
