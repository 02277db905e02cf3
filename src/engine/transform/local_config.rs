//! Local config (section 3.9).

use crate::diagnostic::ResourceFault;
use crate::resource::{ResMap, ResMapError, Resource, Slot, go_map_text};
use crate::yaml::Node;

use super::bookkeeping_annotations::with_bookkeeping;
use super::{Context, TransformError, Transformer};

/// Removes the resources that are meant for tools only, and checks that all others have a kind and
/// a name.
#[derive(Clone, Copy, Debug, Default)]
pub struct DropLocalConfig;

impl Transformer for DropLocalConfig {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
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
        resources.remove_all(&gone);
        Ok(())
    }
}

/// Fails if two remaining resources have the same id: Kustomize adds them to an empty map, and
/// panics.
fn check_unique(resources: &ResMap, gone: &[Slot]) -> Result<(), TransformError> {
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

fn check(resource: &Resource) -> Result<(), TransformError> {
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
    let shown = with_bookkeeping(resource, false);
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
