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
        let (slot, node) = self.source_resource(source, resources)?;
        let path = ReplacementPath::of_source(default_path(&source.field_path));
        let found = path.get(node);
        let found =
            found.map_err(|fault| self.fault(fault).within(FailedOperation::ReplacementSource))?;
        let found = found.filter(|node| !node.is_null() && !node.is_empty_collection());
        let Some(found) = found else {
            let field = default_path(&source.field_path).to_owned();
            let fault = ReplacementFault::NoField(field, shown(&source.id).to_string());
            return Err(self.fault(fault).with_hint_if(path.why_missing(node)));
        };
        let mut value = found.clone();
        if let Some(options) = source.options.as_ref().filter(|it| !it.delimiter.is_empty()) {
            let Some(scalar) = value.as_scalar_mut() else {
                return Err(self.fault(ReplacementFault::DelimiterWithoutText));
            };
            let index = usize::try_from(options.index).ok();
            let part = index.and_then(|index| scalar.text.split(&*options.delimiter).nth(index));
            let part = part.ok_or_else(|| {
                let (index, value) = (options.index, scalar.text.to_string());
                self.fault(ReplacementFault::IndexOutOfBounds { index, value })
            })?;
            scalar.text = part.into();
        }
        Ok((value, slot))
    }

    /// The only resource that the source selects, and its tree.
    fn source_resource<'r>(
        &self,
        source: &ReplacementSource,
        resources: &'r ResMap,
    ) -> Result<(Slot, &'r Node), TransformError> {
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
        let found = candidates.into_iter().filter_map(|slot| {
            let resource = resources.get(slot)?;
            resource.all_ids().any(fits).then_some((slot, &resource.node))
        });
        match found.collect::<Vec<_>>()[..] {
            [only] => Ok(only),
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
