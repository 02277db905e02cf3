//! The source of a replacement: its place and its value.

use crate::diagnostic::{FailedOperation, Hint, ReplacementFault};
use crate::manifest::ReplacementSource;
use crate::resource::{ResId, ResMap, Scope, Slot, explain_no_match};
use crate::transform::TransformError;
use crate::yaml::Node;

use super::path::ReplacementPath;
use super::target::{described, gvk_of, shown};
use super::{ReplacementTransformer, default_path};

impl ReplacementTransformer {
    /// The field of the source, and its value or the requested part of it.
    pub(super) fn read_source(
        &self,
        source: &ReplacementSource,
        resources: &ResMap,
    ) -> Result<(Node, Slot), TransformError> {
        let slot = self.source_slot(source, resources)?;
        let path = ReplacementPath::of_source(default_path(&source.field_path));
        let node = resources.get(slot).map(|resource| &resource.node);
        Ok((self.value_in(source, &path, node)?, slot))
    }

    /// The value of the source field in the tree `node`.
    fn value_in(
        &self,
        source: &ReplacementSource,
        path: &ReplacementPath,
        node: Option<&Node>,
    ) -> Result<Node, TransformError> {
        let found = node.map_or(Ok(None), |node| path.get(node));
        let found =
            found.map_err(|fault| self.fault(fault).within(FailedOperation::ReplacementSource))?;
        let found = found.filter(|node| !node.is_null() && !node.is_empty_collection());
        let Some(found) = found else {
            let field = default_path(&source.field_path).to_owned();
            let fault = ReplacementFault::NoField(field, shown(&source.id).to_string());
            let hint = node.and_then(|node| path.why_missing(node));
            return Err(self.fault(fault).with_hint_if(hint));
        };
        let Some(options) = source.options.as_ref().filter(|o| !o.delimiter.is_empty()) else {
            return Ok(found.clone());
        };
        let text =
            found.text().ok_or_else(|| self.fault(ReplacementFault::DelimiterWithoutText))?;
        let part = usize::try_from(options.index)
            .ok()
            .and_then(|index| text.split(&*options.delimiter).nth(index));
        let part = part.ok_or_else(|| {
            let (index, value) = (options.index, text.to_owned());
            self.fault(ReplacementFault::IndexOutOfBounds { index, value })
        })?;
        let mut node = found.clone();
        if let Some(scalar) = node.as_scalar_mut() {
            scalar.text = part.into();
        }
        Ok(node)
    }

    /// The only resource that the source selects.
    fn source_slot(
        &self,
        source: &ReplacementSource,
        resources: &ResMap,
    ) -> Result<Slot, TransformError> {
        let id = &source.id;
        let gvk = gvk_of(id);
        // Kustomize: the current id counts as namespaced here, whatever its type; a previous id
        // keeps its scope.
        let fits = |candidate: ResId| {
            let candidate = ResId { scope: Scope::Namespaced, ..candidate };
            candidate.gvk.is_selected_by(&gvk)
                && (id.name.is_empty() || *candidate.name == *id.name)
                && (id.namespace.is_empty() || candidate.effective_namespace() == id.namespace)
        };
        let candidates =
            if id.name.is_empty() { resources.slots() } else { resources.find_any_name(&id.name) };
        let found: Vec<Slot> = candidates
            .into_iter()
            .filter(|slot| {
                let resource = resources.get(*slot);
                resource.is_some_and(|resource| resource.all_ids().any(fits))
            })
            .collect();
        match found[..] {
            [slot] => Ok(slot),
            [] => {
                let compiled = id.compile().ok();
                let why = compiled.and_then(|compiled| explain_no_match(id, &compiled, resources));
                let hint = why.map(|why| Hint::NothingSelected(Box::new(why)));
                let fault = ReplacementFault::NothingSelected(described(source));
                Err(self.fault(fault).with_hint_if(hint))
            }
            _ => Err(self.fault(ReplacementFault::SeveralSelected(described(source)))),
        }
    }
}
