//! Local config (section 3.9).

use indexmap::IndexSet;

use crate::diagnostic::ResourceFault;
use crate::resource::{ResMap, ResMapError, Resource, Slot, go_map_text};
use crate::yaml::Node;

use super::bookkeeping_annotations::program_input_tree;
use super::{Context, TransformError, TransformResult, Transformer};

/// Removes the resources that are meant for tools only, and checks that all others have a kind and
/// a name.
#[derive(Clone, Copy, Debug, Default)]
pub struct DropLocalConfig;

impl Transformer for DropLocalConfig {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        let mut gone: Vec<Slot> = Vec::new();
        for (slot, resource) in resources.iter() {
            if resource.is_empty() {
                gone.push(slot);
                continue;
            }
            check(resource)?;
            // Kustomize: any word but `false` counts as true.
            let key = "config.kubernetes.io/local-config";
            if resource.annotation(key).is_some_and(|word| word != "false") {
                gone.push(slot);
                cx.matched += 1;
            }
        }
        check_unique(resources, &gone)?;
        // As in Kustomize, local configuration whose id is exactly that of a resource to keep is
        // kept as well.
        let is_gone: IndexSet<Slot> = gone.iter().copied().collect();
        gone.retain(|slot| {
            slots_with_exact_id(*slot, resources).into_iter().all(|other| is_gone.contains(&other))
        });
        // Kustomize: each id is removed once, so that a second resource with the same id causes an
        // error.
        for slot in &gone {
            let Some(resource) = resources.get(*slot).filter(|resource| !resource.is_empty())
            else {
                continue;
            };
            if slots_with_exact_id(*slot, resources).len() > 1 {
                let fault = ResourceFault::LocalConfigTwice(resource.id.to_string());
                let hint = "two resources of this id are local config: rename one";
                return Err(TransformError::fault(fault, resource.node.mark).with_hint(hint));
            }
        }
        resources.remove_all(&gone);
        Ok(())
    }
}

/// Fails if two remaining resources have the same id: Kustomize adds them to an empty map, and
/// panics.
fn check_unique(resources: &ResMap, gone: &[Slot]) -> TransformResult {
    if !resources.has_duplicate_ids() {
        return Ok(());
    }
    for (slot, resource) in resources.iter().filter(|(slot, _)| !gone.contains(slot)) {
        let others = resources.find_current(&resource.id).into_iter();
        let first = others.filter(|other| !gone.contains(other)).find(|other| *other != slot);
        if let Some(existing) = first {
            return Err(ResMapError::Duplicate { id: resource.id.clone(), existing }.into());
        }
    }
    Ok(())
}

/// The resources with exactly the id of this one, including itself.
fn slots_with_exact_id(slot: Slot, resources: &ResMap) -> Vec<Slot> {
    let Some(resource) = resources.get(slot) else { return Vec::new() };
    let is_it = |other: &Slot| {
        resources.get(*other).is_some_and(|other| other.id.is_spelled_as(&resource.id))
    };
    resources.find_current(&resource.id).into_iter().filter(is_it).collect()
}

fn check(resource: &Resource) -> TransformResult {
    // Kustomize: a null is no kind, although the id has its text.
    let is_null = resource.node.get("kind").is_some_and(Node::is_null);
    let kind = if is_null { "" } else { &*resource.id.gvk.kind };
    let missing = match (kind, &*resource.id.name) {
        ("", _) => "kind",
        (kind, "") if !kind.ends_with("List") => "metadata.name",
        _ => return Ok(()),
    };
    // The annotations in the message include Kustomize's internal ones, which exist until the build
    // ends.
    let shown = program_input_tree(resource);
    let metadata = |key: &str| go_map_text(shown.at(&["metadata", key]));
    let object = format!(
        "{{{{{} {}}} {{{{{} {}}} {} {}}}}}",
        resource.id.gvk.api_version(),
        kind,
        resource.id.name,
        resource.id.namespace,
        metadata("labels"),
        metadata("annotations"),
    );
    let fault = ResourceFault::MissingField { missing, object };
    Err(TransformError::fault(fault, resource.node.mark))
}
