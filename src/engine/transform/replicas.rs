//! `replicas` (section 4.7).

use std::sync::Arc;

use crate::diagnostic::{Hint, ResourceFault, UnwrittenCause};
use crate::manifest::{FieldSpec, PlainEntry};
use crate::resource::{ResMap, Resource, nearest_name};
use crate::yaml::{Mark, Node, Style, Tag};

use super::field_walk::{FieldSpecPath, FieldWriter, compile, rewrite_fields, rewrite_scalar};
use super::{
    Context, NamedTransformer, TransformError, TransformResult, Transformer, UnwrittenField,
};

/// The transformer of an entry of `replicas`, with a name such as `web → 3`.
pub(super) fn transformer(entry: &PlainEntry, specs: &[FieldSpec]) -> NamedTransformer {
    let [name, count] = entry.values();
    let number = count.value.parse().unwrap_or_default();
    let shown = format!("{} → {number}", name.value);
    let paths = compile(specs.to_vec());
    let (name, mark) = (name.value, count.mark);
    (shown, Box::new(ReplicaCountTransformer { name, count: number, mark, paths }))
}

/// Sets the replica count of workloads with this name, current or earlier.
#[derive(Clone, Debug)]
struct ReplicaCountTransformer {
    name: String,
    count: i64,
    /// The location of `count` in the kustomization.
    mark: Mark,
    paths: Vec<FieldSpecPath>,
}

impl Transformer for ReplicaCountTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        let mark = self.mark.written_by(cx.mark);
        let text = self.count.to_string();
        let mut write = |node: &Node| {
            Ok(rewrite_scalar(node, text.as_str(), Tag::Int, mark)?.claimed(node, mark))
        };
        let leaf = Some(Node::scalar("", Tag::Int, Style::Plain));
        let mut writer = FieldWriter { mark, leaf, write: &mut write };
        let named = resources.find_any_name(&self.name);
        for slot in named {
            let Some(resource) = resources.get(slot) else { continue };
            let ids: Vec<_> = resource.all_ids().filter(|id| *id.name == *self.name).collect();
            let is_chosen = |path: &&FieldSpecPath| {
                ids.iter().any(|id| id.gvk.is_selected_by(&path.spec().gvk))
            };
            let mut chosen: Vec<&FieldSpecPath> = self.paths.iter().filter(is_chosen).collect();
            if chosen.is_empty() {
                continue;
            }
            cx.matched += 1;
            // In Kustomize, the walk through the resource checks its current type once more.
            chosen.retain(|path| resource.id.gvk.is_selected_by(&path.spec().gvk));
            let written = rewrite_fields(resource, &chosen, &mut writer)?;
            if let Some(node) = written.node {
                resources.update(slot, |resource| resource.node = node);
            }
        }
        if cx.matched == 0 {
            let types: Vec<String> =
                self.paths.iter().map(|path| path.spec().gvk.to_string()).collect();
            let fault = ResourceFault::NoReplicas { name: self.name.clone(), types };
            let is_scaled = |it: &&Arc<Resource>| {
                self.paths.iter().any(|path| it.id.gvk.is_selected_by(&path.spec().gvk))
            };
            let all = resources.iter().map(|(_, resource)| resource).filter(is_scaled);
            let near = nearest_name(&self.name, all.map(|it| &*it.id.name));
            let hint = near.map(|near| Hint::DidYouMean(near.to_owned()));
            return Err(TransformError::fault(fault, cx.mark).with_hint_if(hint));
        }
        Ok(())
    }

    fn why_unwritten(&self, asked: &UnwrittenField<'_>) -> Option<UnwrittenCause> {
        let is_count = asked.keys().last() == Some(&"replicas");
        let resource = asked.resource.filter(|_| is_count)?;
        if resource.all_ids().any(|id| *id.name == *self.name) {
            let is_missed = !asked.is_specified(&self.paths, resource);
            return is_missed.then(|| asked.not_specified("replicas", resource));
        }
        nearest_name(&self.name, std::iter::once(&*resource.id.name))?;
        Some(UnwrittenCause::OtherName(self.name.clone()))
    }
}
