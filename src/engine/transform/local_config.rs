//! Local config (section 3.9).

use indexmap::IndexSet;

use crate::engine::resource::{ResMap, Resource, Slot, go_map};

use super::{Context, TransformError, Transformer};

/// Drops the resources that are meant for tools only, and checks that all others have a kind and a name.
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
            // Kustomize: any word but `false` counts as yes.
            let key = "config.kubernetes.io/local-config";
            if resource.annotation(key).is_some_and(|word| word != "false") {
                gone.push(slot);
                cx.matched += 1;
            }
        }
        // Kustomize: what has the id of a resource that stays, stays with it.
        let is_gone: IndexSet<Slot> = gone.iter().copied().collect();
        gone.retain(|slot| {
            let id = resources.get(*slot).map(|resource| resource.id.clone());
            id.is_none_or(|id| {
                resources.find_current(&id).iter().all(|same| is_gone.contains(same))
            })
        });
        resources.remove_all(&gone);
        Ok(())
    }
}

fn check(resource: &Resource) -> Result<(), TransformError> {
    let missing = match (&*resource.id.gvk.kind, &*resource.id.name) {
        ("", _) => "kind",
        (kind, "") if !kind.ends_with("List") => "metadata.name",
        _ => return Ok(()),
    };
    let metadata = |key: &str| go_map(resource.node.at(&["metadata", key]));
    let phrase = format!(
        "missing {missing} in object {{{{{} {}}} {{{{{} {}}} {} {}}}}}",
        resource.id.gvk.api_version(),
        resource.id.gvk.kind,
        resource.id.name,
        resource.id.namespace,
        metadata("labels"),
        metadata("annotations"),
    );
    Err(TransformError::phrase(phrase, resource.node.mark))
}
