//! The source of a replacement: its place and its value.

use std::sync::Arc;

use crate::diagnostic::{ErrorHint, FailedOperation, ReplacementFault};
use crate::manifest::ReplacementSource;
use crate::resource::{ResId, ResMap, Scope, Slot, explain_no_match};
use crate::transform::TransformError;
use crate::transform::bookkeeping_annotations::tree_of;
use crate::yaml::{Node, NodeKind, Style, Value};

use super::path::{PathRules, ReplacementPath};
use super::target::{described, gvk_of, shown};
use super::{PreparedSource, ReplacementTransformer, default_path};

impl ReplacementTransformer {
    /// The value of the source's field, or the requested part of it.
    pub(super) fn value(
        &self,
        source: &ReplacementSource,
        resources: &ResMap,
    ) -> Result<Node, TransformError> {
        let slot = self.source_slot(source, resources)?;
        let path = ReplacementPath::of_source(default_path(&source.field_path));
        let exposed =
            resources.get(slot).map(|resource| tree_of(resource, path.reaches_bookkeeping()));
        self.value_in(source, exposed.as_ref())
    }

    /// The value of the source field in the tree `node`.
    pub(super) fn value_in(
        &self,
        source: &ReplacementSource,
        node: Option<&Node>,
    ) -> Result<Node, TransformError> {
        let field = default_path(&source.field_path);
        let path = ReplacementPath::of_source(field);
        let found = node.map_or(Ok(None), |node| path.get(node));
        let found =
            found.map_err(|fault| self.fault(fault).within(FailedOperation::ReplacementSource))?;
        let found = found.filter(|node| !node.is_null() && !node.is_empty_collection());
        let Some(found) = found else {
            let fault = ReplacementFault::NoField(field.to_owned(), shown(&source.id).to_string());
            let hint = node.and_then(|node| path.why_missing(node));
            return Err(self.fault(fault).with_hint_if(hint.map(ErrorHint::PartMissed)));
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

    /// The location of the source. In Kustomize the value is the node of the source itself, so that
    /// later reads see a target's changes to it; a part of a text is a copy.
    pub(super) fn live(&self, resources: &ResMap) -> Result<Option<LiveSource>, TransformError> {
        let PreparedSource::Field(source) = &self.source else { return Ok(None) };
        if source.options.as_ref().is_some_and(|options| !options.delimiter.is_empty()) {
            return Ok(None);
        }
        let path = ReplacementPath::of_source(default_path(&source.field_path));
        Ok(Some(LiveSource { slot: self.source_slot(source, resources)?, path }))
    }

    /// The only resource that the source selects.
    pub(super) fn source_slot(
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
                let hint = why.map(|why| ErrorHint::NothingSelected(Box::new(why)));
                let fault = ReplacementFault::NothingSelected(described(source));
                Err(self.fault(fault).with_hint_if(hint))
            }
            _ => Err(self.fault(ReplacementFault::SeveralSelected(described(source)))),
        }
    }
}

impl ReplacementTransformer {
    /// True if the value comes from a Secret.
    pub(super) fn is_from_secret(&self, resources: &ResMap) -> bool {
        let PreparedSource::Field(source) = &self.source else { return false };
        let slot = self.source_slot(source, resources).ok();
        let found = slot.and_then(|slot| resources.get(slot));
        found.is_some_and(|resource| &*resource.id.gvk.kind == "Secret")
    }
}

/// The location of a source; its value is read again before each write to its own resource.
pub(super) struct LiveSource {
    pub(super) slot: Slot,
    pub(super) path: ReplacementPath,
}

impl LiveSource {
    pub(super) fn read(&self, node: &Node, value: &mut Node) {
        if let Ok(Some(found)) = self.path.get(node)
            && !found.same_content(value)
        {
            *value = found.clone();
        }
    }

    /// Creates missing fields before the value is read, since the source may contain them.
    pub(super) fn create_missing_fields(
        node: &mut Node,
        path: &ReplacementPath,
        walk: PathRules,
        value: &Node,
    ) {
        if value.as_scalar().is_some() || !walk.create {
            return;
        }
        // An error here occurs again when the field is written.
        let _ = path.visit(node, walk, &mut |leaf, is_new| {
            if is_new {
                *leaf = match value.kind() {
                    NodeKind::Sequence => Value::Sequence(Arc::default(), Style::Plain).into(),
                    _ => Node::mapping(),
                };
            }
            Ok(())
        });
    }
}
