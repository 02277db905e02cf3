//! Name references (section 4.12): a reference to an earlier name of a resource is changed to its
//! current name.

mod candidates;
mod diagnosis;
mod referrer;

use std::sync::{Arc, LazyLock};

use crate::diagnostic::{FailedOperation, ResourceFault};
use crate::manifest::{FieldSpec, NameReference, gvk_order};
use crate::resource::{Gvk, QuickSet, ResMap, Resource, Slot};
use crate::yaml::{Mark, Node, Tag, Value};

use super::field_walk::{FieldSpecPath, FieldWriter, PathsByType, Rewrite, set_entry, set_value};
use super::{
    Context, DerivedValue, StepInputs, TransformError, TransformResult, Transformer, ValueSource,
};

use candidates::{Candidates, ChoiceInputs, ResourceNames};
use referrer::{ReferenceText, Referrer};

/// The fields of the referenced resource from which a reference gets its name and namespace.
static NAME: LazyLock<Arc<str>> = LazyLock::new(|| "metadata.name".into());
static NAMESPACE: LazyLock<Arc<str>> = LazyLock::new(|| "metadata.namespace".into());

/// Rewrites every reference to a renamed resource (Kustomize: `nameReferenceTransformer`).
#[derive(Clone, Debug, PartialEq)]
pub struct NameReferences {
    /// The fields that contain references, sorted by the type that they refer to.
    fields: Vec<ReferringPath>,
}

/// A field that refers by name to resources of the target type.
#[derive(Clone, Debug, PartialEq)]
struct ReferringPath {
    target: Gvk,
    path: FieldSpecPath,
}

impl AsRef<FieldSpecPath> for ReferringPath {
    fn as_ref(&self) -> &FieldSpecPath {
        &self.path
    }
}

impl NameReferences {
    /// Creates the transformer from the `nameReference` table of the root.
    pub fn new(mut table: Vec<NameReference>) -> Self {
        table.sort_by(|one, other| gvk_order(&one.gvk, &other.gvk));
        let fields = table.into_iter().flat_map(|NameReference { gvk, referrers }| {
            referrers.into_iter().map(move |spec| ReferringPath {
                target: gvk.clone(),
                path: FieldSpecPath::new(FieldSpec { create: false, ..spec }),
            })
        });
        Self { fields: fields.collect() }
    }
}

impl Transformer for NameReferences {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        let candidates = Candidates::from_resources(resources);
        let mut by_type = PathsByType::new(&self.fields);
        cx.depends_on(|| ChoiceInputs::new(resources));
        for slot in resources.slots() {
            let Some(resource) = resources.get(slot) else { continue };
            let chosen = by_type.paths_for(&resource.original_gvk());
            if !chosen.is_empty() {
                cx.apply_or_reuse(resources, slot, |resources, cx| {
                    rewrite_references(slot, &chosen, &candidates, resources, cx)?;
                    Ok(Some(true))
                })?;
            }
        }
        Ok(())
    }

    fn step_inputs(&self) -> Option<Arc<dyn StepInputs>> {
        Some(Arc::new(self.clone()))
    }

    fn referring_names<'r>(&self, referrer: &'r Resource, referred: &Gvk) -> Vec<&'r Node> {
        let own = referrer.original_gvk();
        let fields = self.fields.iter().filter(|field| {
            own.is_selected_by(&field.path.spec().gvk) && referred.is_selected_by(&field.target)
        });
        let values = fields.flat_map(|field| field.path.places(&referrer.node));
        let single = |node: &'r Node| node.get("name").unwrap_or(node);
        let names = values.flat_map(|(_, node)| match node.items() {
            Some(items) => items.iter().map(single).collect(),
            None => vec![single(node)],
        });
        names.filter(|node| node.as_scalar().is_some()).collect()
    }
}

/// Rewrites the references of one resource. The resource is copied only if one of its fields
/// contains a name to look up.
fn rewrite_references(
    slot: Slot,
    chosen: &[&ReferringPath],
    candidates: &Candidates,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> TransformResult {
    let Some((resource, named)) = resources.get(slot).zip(candidates.get(slot)) else {
        return Ok(());
    };
    let mut setter = ReferenceSetter {
        referrer: Referrer::new(resource, named, cx.profile)?,
        candidates,
        mark: cx.mark,
        skips_notes: resources.skips_changes(),
        derived: Vec::new(),
        resolved: QuickSet::default(),
        unresolved: Vec::new(),
    };
    let mut result = Rewrite::NO;
    for field in chosen.iter().copied() {
        let before = result.node.as_ref().unwrap_or(&resource.node);
        let mut write = |node: &Node| setter.rewrite(node, field);
        let mut writer = FieldWriter::of_existing(cx.mark, &mut write);
        let written = field.path.rewrite(before, &mut writer).map_err(|error| {
            let (path, id) = (field.path.spec().path.clone(), &named.id);
            let operation = FailedOperation::Reference(path, id.to_string());
            field.path.error_for(error, id).within(operation)
        })?;
        result.then(written);
    }
    if let Some(node) = result.node.filter(|node| !node.same_content(&resource.node)) {
        resources.update(slot, |resource| resource.node = node);
    }
    let ReferenceSetter { referrer, derived, resolved, unresolved, .. } = setter;
    cx.matched += usize::from(!resolved.is_empty());
    cx.derived.extend(derived);
    for reference in unresolved {
        let path = reference.field.path.spec().path.as_str();
        // Field specs of several kinds have the same path.
        if resolved.contains(&(path, reference.name.clone())) {
            continue;
        }
        let now = resources.get(slot);
        if now.is_some_and(|now| diagnosis::still_contains_reference(&reference, &now.node)) {
            cx.warnings.extend(diagnosis::warning(&reference, &referrer, candidates, resources));
        }
    }
    Ok(())
}

pub(super) struct UnresolvedReference<'a> {
    field: &'a ReferringPath,
    name: Arc<str>,
    /// The namespace next to the name, for a reference that is a mapping.
    namespace: Option<String>,
    mark: Mark,
}

struct ReferenceSetter<'a, 'c> {
    referrer: Referrer<'c>,
    candidates: &'c Candidates,
    mark: Mark,
    /// True if the sources of the names need not be recorded.
    skips_notes: bool,
    derived: Vec<DerivedValue>,
    resolved: QuickSet<(&'a str, Arc<str>)>,
    unresolved: Vec<UnresolvedReference<'a>>,
}

impl<'a, 'c> ReferenceSetter<'a, 'c> {
    fn select(
        &mut self,
        field: &'a ReferringPath,
        reference: ReferenceText<'_>,
        mark: Mark,
    ) -> Result<Option<&'c ResourceNames>, TransformError> {
        let path = &field.path.spec().path;
        let found = self.referrer.select(self.candidates, reference, (&field.target, path));
        let ReferenceText { name, namespace, is_mapping } = reference;
        let found = found.map_err(|ids| {
            let (name, has_namespace) = (name.to_string(), is_mapping);
            TransformError::fault(
                ResourceFault::SeveralReferrals { ids, name, has_namespace },
                mark,
            )
        })?;
        if found.is_some() {
            self.resolved.insert((path, name.clone()));
        } else {
            let (name, namespace) = (name.clone(), namespace.map(str::to_owned));
            self.unresolved.push(UnresolvedReference { field, name, namespace, mark });
        }
        Ok(found)
    }

    /// The mark of a rewritten reference: its location. Records the resource that it refers to.
    fn refer(&mut self, at: Mark, found: &ResourceNames, key: &'static str) -> Mark {
        let mark = at.written_by(self.mark);
        let path = if key == "name" { &NAME } else { &NAMESPACE };
        if !self.skips_notes {
            let from = vec![ValueSource::Field { slot: found.slot, path: Arc::clone(path) }];
            let slot = Some(self.referrer.named.slot);
            self.derived.push(DerivedValue { slot, key: Some(key), mark, from });
        }
        mark
    }

    /// Updates a reference: a name, or a mapping with a name and perhaps a namespace.
    fn set_reference(&mut self, node: &mut Node, field: &'a ReferringPath) -> TransformResult {
        let is_mapping = node.as_scalar().is_none();
        let named = if is_mapping { node.get("name") } else { Some(&*node) };
        let Some(named) = named else {
            return Err(TransformError::fault(ResourceFault::ReferenceWithoutName, node.mark));
        };
        let at = named.mark;
        let name = &named.as_scalar().map_or_else(Arc::default, |scalar| scalar.text.clone());
        let beside = node.get("namespace").filter(|_| is_mapping);
        let place = beside.map_or(at, |namespace| namespace.mark);
        let namespace = beside.map(|namespace| namespace.text().unwrap_or_default());
        let reference = ReferenceText { name, namespace, is_mapping };
        let Some(found) = self.select(field, reference, at)? else { return Ok(()) };
        let id = &found.id;
        if id.name != *name {
            let mark = self.refer(at, found, "name");
            if is_mapping {
                set_entry(node, "name", &id.name, Tag::None, mark);
            } else {
                set_value(node, id.name.clone(), Tag::None, mark);
            }
        }
        if is_mapping && !id.namespace.is_empty() {
            let mark = self.refer(place, found, "namespace");
            set_entry(node, "namespace", &id.namespace, Tag::None, mark);
        }
        Ok(())
    }

    /// True if the node, a name or a mapping with a name, needs a lookup: some resource had that
    /// name.
    fn is_known(&self, node: &Node) -> bool {
        match &node.value {
            Value::Mapping(mapping) => mapping
                .get("name")
                .is_none_or(|name| name.text().is_none_or(|text| self.candidates.has(text))),
            Value::Scalar(scalar) => self.candidates.has(&scalar.text),
            Value::Sequence(..) => true,
        }
    }

    fn rewrite(
        &mut self,
        node: &Node,
        field: &'a ReferringPath,
    ) -> Result<Rewrite, TransformError> {
        let known = match node.items() {
            _ if node.is_null() => false,
            Some(items) => items.iter().any(|item| !item.is_null() && self.is_known(item)),
            None => self.is_known(node),
        };
        if !known {
            return Ok(Rewrite::NO);
        }
        let mut node = node.clone();
        let Some(items) = node.items_mut() else {
            self.set_reference(&mut node, field)?;
            return Ok(Rewrite::written(node));
        };
        for item in items.iter_mut().filter(|item| !item.is_null()) {
            if item.items().is_some() {
                return Err(TransformError::fault(ResourceFault::ListOfLists, item.mark));
            }
            self.set_reference(item, field)?;
        }
        Ok(Rewrite::written(node))
    }
}
