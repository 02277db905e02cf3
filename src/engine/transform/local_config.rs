//! Local config (section 3.9).

use crate::diagnostic::ResourceFault;
use crate::resource::{ResMap, Resource, Slot, go_object_text};
use crate::yaml::Node;

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
        resources.remove_all(&gone);
        Ok(resources.check_unique_ids()?)
    }
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
    let object = go_object_text(&resource.node);
    let fault = ResourceFault::MissingField { missing, object };
    Err(TransformError::fault(fault, resource.node.mark))
}
