//! Patches: `patches`, `patchesStrategicMerge`, `patchesJson6902` (sections 4.8 and 4.9).
//!
//! The stages of a strategic merge patch:
//! 1. plan (`evaluate/plan/patches`): an entry of a kustomization file becomes a transformer;
//! 2. parse (`load`): its text becomes documents;
//! 3. select (`PatchSelector::select`, `strategic::by_id`): the resources that a document is for;
//! 4. prepare (`prepare`): the document in the name of the step, without fields that it may not
//!    change;
//! 5. merge (`strategic::merge`, by `strategic_merge`): the new tree, or none for a deletion;
//! 6. write (`strategic::write`): the resource gets the tree.

mod json;
mod load;
mod prepare;
mod strategic;
mod unchanged_field;

pub use load::PatchText;

use std::sync::Arc;

use indexmap::IndexSet;

use crate::diagnostic::{
    Diagnostic, EntryRemark, Fix, Hint, PatchFault, UnwrittenCause, ValueReplacement,
};
use crate::manifest::PatchOptions;
use crate::resource::{
    CompiledSelector, Narrowing, PartChange, ResMap, Selector, SelectorPart, SelectorSuggestion,
    Slot, explain_no_match,
};
use crate::yaml::{Mark, Node};

use self::prepare::{KIND_PATH, NAME_PATH};
use super::json_patch::JsonPatch;
use super::unwritten::{leaf_paths, pointer_parts};
use super::{Context, StepInputs, TransformError, TransformResult, Transformer, UnwrittenField};

/// One patch, from any of the three fields (Kustomize: `PatchTransformer`,
/// `PatchStrategicMergeTransformer`, `PatchJson6902Transformer`).
#[derive(Clone, Debug, PartialEq)]
pub struct PatchTransformer {
    field: PatchField,
    body: Body,
    options: PatchOptions,
    mark: Mark,
}

/// The field that configures the patch; the three differ in details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatchField {
    Patches,
    StrategicMerge,
    Json6902,
}

/// The content of a patch in one of its two languages.
#[derive(Clone, Debug, PartialEq)]
enum Body {
    /// Documents with kind and name; for the resources that a target selects, or else those with
    /// the ids of the documents.
    Strategic(Vec<Node>, Option<PatchSelector>),
    Json(JsonPatch, PatchSelector),
    /// The patch is not valid with its target: the build fails when the patch is applied.
    Refused(PatchFault),
    Empty,
}

/// The target of a patch, with its expressions compiled.
#[derive(Clone, Debug)]
struct PatchSelector {
    selector: Selector,
    compiled: CompiledSelector,
}

impl PartialEq for PatchSelector {
    fn eq(&self, other: &Self) -> bool {
        self.selector == other.selector
    }
}

impl PatchTransformer {
    /// True if the patch is empty.
    pub fn is_empty(&self) -> bool {
        matches!(self.body, Body::Empty)
    }
}

impl Transformer for PatchTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        match &self.body {
            Body::Refused(fault) => Err(TransformError::fault(fault.clone(), self.mark)),
            Body::Empty => {
                cx.warnings.push(Diagnostic::new(EntryRemark::EmptyPatch, self.mark));
                Ok(())
            }
            Body::Strategic(documents, None) => self.patch_by_id(documents, resources, cx),
            Body::Strategic(documents, Some(target)) => {
                let slots = target.select(documents, resources, self.mark, cx)?;
                let slots = with_same_ids(slots, resources);
                documents.iter().try_for_each(|patch| {
                    self.patch_resources(patch, &slots, (true, self.mark), resources, cx).map(drop)
                })
            }
            Body::Json(patch, target) => {
                let slots = target.select(&[], resources, self.mark, cx)?;
                self.apply_json_patch(patch, &slots, resources, cx)
            }
        }
    }

    fn step_inputs(&self) -> Option<Arc<dyn StepInputs>> {
        Some(Arc::new(self.clone()))
    }

    fn why_unwritten(&self, asked: &UnwrittenField<'_>) -> Option<UnwrittenCause> {
        let missed = |target: &PatchSelector, written: &[Vec<String>]| {
            asked.selector_miss_cause(&target.selector, &target.compiled, written)
        };
        match &self.body {
            Body::Json(patch, target) => {
                let written: Vec<_> = patch.written_pointers().map(pointer_parts).collect();
                missed(target, &written)
            }
            Body::Strategic(documents, Some(target)) => documents.iter().find_map(|document| {
                let is_selected = target.compiled.matches(asked.state()).unwrap_or(false);
                let is_name = asked.has_keys(NAME_PATH);
                let is_kind = asked.has_keys(KIND_PATH) || asked.has_keys(&["apiVersion"]);
                if is_selected && asked.resource.is_some() && (is_name || is_kind) {
                    let said = document.text_at(if is_name { NAME_PATH } else { KIND_PATH })?;
                    let word = if is_name { "the name" } else { "the kind" };
                    let is_other = asked.state().all_ids().all(|id| {
                        let own = if is_name { &id.name } else { &id.gvk.kind };
                        **own != *said
                    });
                    return is_other.then_some(UnwrittenCause::IdentityIgnored(word));
                }
                missed(target, &leaf_paths(document))
            }),
            Body::Strategic(_, None) | Body::Refused(_) | Body::Empty => None,
        }
    }
}

/// Adds the resources with the id of a selected one: Kustomize patches them too.
fn with_same_ids(selected: Vec<Slot>, resources: &ResMap) -> Vec<Slot> {
    if !resources.has_duplicate_ids() {
        return selected;
    }
    let twins = |slot: &Slot| resources.get(*slot).map(|found| resources.find_current(&found.id));
    let all: IndexSet<Slot> = selected.iter().filter_map(twins).flatten().collect();
    resources.slots().into_iter().filter(|slot| all.contains(slot)).collect()
}

impl PatchSelector {
    fn new(selector: &Selector) -> Result<Self, TransformError> {
        Ok(Self { compiled: selector.compile()?, selector: selector.clone() })
    }

    /// The resources that match the target of a patch with these documents; adds a warning with
    /// the reason if no resource matches.
    fn select(
        &self,
        documents: &[Node],
        resources: &ResMap,
        mark: Mark,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Slot>, TransformError> {
        let slots = self.compiled.select(resources)?;
        cx.matched += slots.len();
        if slots.is_empty()
            && let Some(mut why) = explain_no_match(&self.selector, &self.compiled, resources)
        {
            let document = if let [document] = documents { Some(document) } else { None };
            let document = document.filter(|_| why.change.is_empty());
            if let Some(document) = document {
                self.propose_own_name(document, resources, &mut why);
            }
            if document.is_some_and(|it| it.text_of("$patch") == Some("delete"))
                && why.change.is_empty()
                && matches!(why.excluding_part(), Some(SelectorPart::Name(_)))
            {
                let Selector { kind, name, .. } = self.selector.clone();
                let kind = if kind.is_empty() { "resource".to_owned() } else { kind };
                let remark = EntryRemark::NothingToDelete { kind, name };
                cx.warnings.push(Diagnostic::new(remark, mark));
                return Ok(slots);
            }
            let fix = renamed_parts(&why);
            let hint = why.hint.clone().map(Hint::Selector);
            let warning = Diagnostic::new(EntryRemark::PatchTarget(Box::new(why)), mark).fix(fix);
            cx.warnings.push(Diagnostic { hint, ..warning });
        }
        Ok(slots)
    }

    /// Proposes the name that the document itself has, if a resource of the target's type has it.
    fn propose_own_name(&self, document: &Node, resources: &ResMap, why: &mut Narrowing) {
        let name = document.text_at(NAME_PATH).filter(|_| !self.selector.name.is_empty());
        let is_kind = document.text_of("kind") == Some(&*self.selector.kind);
        let Some(name) = name.filter(|_| is_kind) else { return };
        let renamed = Selector { name: name.to_owned(), ..self.selector.clone() };
        let found = renamed.compile().and_then(|compiled| compiled.select(resources));
        if found.is_ok_and(|slots| !slots.is_empty()) {
            let was = self.selector.name.clone();
            why.change = vec![PartChange { part: "name", was, with: Some(name.to_owned()) }];
            why.hint = SelectorSuggestion::new(&why.change, None, false);
        }
    }
}

/// A fix that changes those parts of the target that keep the selector from matching.
fn renamed_parts(why: &Narrowing) -> Option<Fix> {
    let change = |part: &PartChange| ValueReplacement {
        path: vec!["target".to_owned(), part.part.to_owned()],
        was: part.was.clone(),
        with: part.with.clone(),
    };
    let changes: Vec<ValueReplacement> = why.change.iter().map(change).collect();
    let is_part = |part: &str| why.change.iter().any(|change| change.part == part);
    // A resource of another type with the same name may not be the intended one.
    let is_other_type = is_part("group") && is_part("kind");
    let fix = if is_other_type { Fix::ByHand } else { Fix::SetValues(changes) };
    (!why.change.is_empty()).then_some(fix)
}
