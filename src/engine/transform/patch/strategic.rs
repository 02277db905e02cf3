//! Strategic merge patches on resources.

use crate::diagnostic::{Diagnostic, ErrorHint, PatchFault, PatchRemark};
use crate::manifest::PatchOptions;
use crate::profile::Switch;
use crate::resource::{
    Place, ResMap, ResMapError, Resource, Slot, believe_bookkeeping, has_unfit_annotations,
    nearest_name,
};
use crate::transform::shown::{is_reached_by, take_back, with_bookkeeping, writes_bookkeeping};
use crate::transform::{Gone, Merged, Removed, Trail, merge_resource};
use crate::yaml::{Mark, Node, Style, Tag};

use super::already::{Already, already};
use super::identity::{
    API_VERSION, KIND, NAME, check_namespace, prepare, restore, untag, without_comments,
};
use super::missed::no_match;
use super::{Body, Context, Field, PatchTransformer, TransformError, metadata};

/// What became of a resource that a patch met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    /// It stays as it was.
    Same,
    /// It is another now.
    Changed,
    /// Nothing is left of it.
    Gone,
}

/// A patch on its way to a resource.
struct Ready<'p> {
    /// As it is written.
    written: &'p Node,
    /// In the name of the step, without what it may not change.
    prepared: Node,
    options: PatchOptions,
    /// Kustomize makes a copy of it for each resource, with the resource's own apiVersion.
    is_copied: bool,
}

/// Says of a patch that changed nothing what was there already, in a resource as it was before.
fn left_alone(patch: &Node, before: Option<&Resource>, mark: Mark, cx: &mut Context<'_>) {
    if let Some(resource) = before {
        let found = already(patch, &resource.node);
        cx.warnings.push(Already::note(found, resource, mark, cx.sources));
    }
}

impl PatchTransformer {
    /// Each document is for the one resource that has or had its id.
    pub(super) fn by_id(
        &self,
        documents: &[Node],
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        let mut is_one_gone = false;
        for document in documents {
            cx.next_part();
            if is_one_gone && cx.profile.has(Switch::DeletesFail) {
                return Err(self.deleted_before());
            }
            let patch = Resource::new(document.clone(), resources.scopes());
            let found = resources.find_any(&patch.id);
            let [slot] = found[..] else {
                return Err(self.not_one(&patch, &found, resources));
            };
            cx.matched += 1;
            let options = self.options_of(document);
            let mut prepared = prepare(document, options, cx);
            // Kustomize: options are annotations of the patch, which a null cannot hold.
            let has_options = self.options.allow_name_change || self.options.allow_kind_change;
            if self.field == Field::StrategicMerge {
                as_copied(&mut prepared, cx);
                drop_empty_version(&mut prepared);
            } else if has_options {
                metadata::as_strings(&mut prepared, metadata::ANNOTATIONS);
            }
            let is_copied = self.field == Field::StrategicMerge;
            let ready = Ready { written: document, prepared, options, is_copied };
            let style = version_style(slot, resources);
            let before = resources.get(slot).cloned();
            let met = merge(&ready, slot, resources, cx)?;
            let met = if is_copied && met != Met::Gone {
                with_api_version((met, style), &ready, slot, resources, cx)?
            } else {
                met
            };
            match met {
                Met::Same => {
                    // Of several documents, each is for a resource of its own: the others may change theirs.
                    let is_own = documents.len() > 1 && document.mark.line > 0;
                    let mark = if is_own { document.mark } else { self.mark };
                    left_alone(&ready.prepared, before.as_deref(), mark, cx);
                }
                Met::Changed => {}
                Met::Gone => {
                    is_one_gone = self.field == Field::Patches;
                    resources.remove(slot);
                }
            }
            if is_copied {
                refuse_twins(resources)?;
            }
        }
        Ok(())
    }

    /// Kustomize panics.
    fn deleted_before(&self) -> TransformError {
        let hint = "Kustomize crashes here up to v5.6.0: make an entry of each";
        TransformError::fault(PatchFault::DeletedBefore, self.mark).with_hint(hint)
    }

    /// One patch for all selected resources.
    pub(super) fn selected(
        &self,
        patch: &Node,
        slots: &[Slot],
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        let options = self.options_of(patch);
        let mut prepared = prepare(patch, options, cx);
        as_copied(&mut prepared, cx);
        drop_versions(&mut prepared);
        // Kustomize writes the name and the kind into a copy of the patch, without a tag.
        for path in [KIND, NAME] {
            untag(&mut prepared, path);
        }
        let ready = Ready { written: patch, prepared, options, is_copied: true };
        let mut gone = Vec::new();
        let mut all_same = true;
        let first = slots.first().and_then(|slot| resources.get(*slot)).cloned();
        for slot in slots {
            let style = version_style(*slot, resources);
            let mut met = merge(&ready, *slot, resources, cx)?;
            if met != Met::Gone {
                met = with_api_version((met, style), &ready, *slot, resources, cx)?;
            }
            all_same &= met == Met::Same;
            if met == Met::Gone {
                gone.push(*slot);
            }
        }
        if all_same {
            left_alone(&ready.prepared, first.as_deref(), self.mark, cx);
        }
        self.note_names(patch, slots, &gone, resources, cx);
        resources.remove_all(&gone);
        refuse_twins(resources)
    }

    /// Says of a patch with a target what its own name does not do.
    fn note_names(
        &self,
        patch: &Node,
        slots: &[Slot],
        gone: &[Slot],
        resources: &ResMap,
        cx: &mut Context<'_>,
    ) {
        let said = patch.at(NAME).and_then(Node::text).unwrap_or_default();
        let has_empty_target =
            matches!(&self.body, Body::Strategic(_, Some(it)) if it.selector.is_empty());
        if has_empty_target && gone.len() > 1 && !said.is_empty() {
            let said = Diagnostic::new(PatchRemark::DeletesMore(gone.len()), self.mark);
            cx.warnings.push(said.hint("leave the target out, or say in it what is meant"));
        }
        let selected = || slots.iter().filter_map(|slot| resources.get(*slot));
        let counts = said.is_empty()
            || self.options_of(patch).allow_name_change
            || selected().any(|resource| resource.all_ids().any(|id| *id.name == *said));
        let Some(first) = selected().next().filter(|_| !counts) else { return };
        // Many write whatever in its place; a name that is or nearly is that of an object is meant.
        let kind = patch.at(KIND).and_then(Node::text).unwrap_or_default();
        let of_kind = |slot: &Slot| resources.get(*slot).is_some_and(|it| *it.id.gvk.kind == *kind);
        let is_there = resources.with_any_name(said).iter().any(of_kind);
        if !is_there && nearest_name(said, selected().map(|it| &*it.id.name)).is_none() {
            return;
        }
        let (says, goes_to) = (said.to_owned(), first.id.name.to_string());
        let more = slots.len().saturating_sub(1);
        let remark = PatchRemark::NameBesideTarget { says, goes_to, more };
        cx.warnings.push(Diagnostic::new(remark, self.mark));
    }

    /// What a document may change: its own annotations say so too, as Kustomize's options are annotations of it.
    fn options_of(&self, document: &Node) -> PatchOptions {
        let mut patch = Resource { node: document.clone(), ..Resource::default() };
        believe_bookkeeping(&mut patch);
        PatchOptions {
            allow_name_change: self.options.allow_name_change || patch.allow_name_change,
            allow_kind_change: self.options.allow_kind_change || patch.allow_kind_change,
        }
    }

    fn not_one(&self, patch: &Resource, found: &[Slot], resources: &ResMap) -> TransformError {
        let fault = PatchFault::NotOneTarget {
            id: patch.id.to_string(),
            several: !found.is_empty(),
            of_patches: self.field == Field::Patches,
        };
        let hint = found.is_empty().then(|| ErrorHint::PatchMissed(no_match(patch, resources)));
        TransformError::fault(fault, patch.node.mark).with_hint_if(hint)
    }
}

/// A null would take the field away; in the copy of a patch the target's apiVersion stands in its place.
fn drop_empty_version(prepared: &mut Node) {
    if prepared.get("apiVersion").is_some_and(Node::is_null) {
        drop_versions(prepared);
    }
}

/// Kustomize looks at the first apiVersion, where the key is there more than once.
fn drop_versions(prepared: &mut Node) {
    if let Some(mapping) = prepared.as_mapping_mut() {
        mapping.entries.retain(|entry| entry.key.text() != Some("apiVersion"));
    }
}

/// The style that a resource's apiVersion is written in, which it keeps.
fn version_style(slot: Slot, resources: &ResMap) -> Option<Style> {
    Some(resources.get(slot)?.node.get("apiVersion")?.as_scalar()?.style)
}

/// Kustomize writes the target's apiVersion, as its group and version say it, into the copy of a patch, without a tag:
/// where there is none, it becomes a field without a text, and where it is no text, the two do not fit.
fn with_api_version(
    (met, kept): (Met, Option<Style>),
    ready: &Ready<'_>,
    slot: Slot,
    resources: &mut ResMap,
    cx: &Context<'_>,
) -> Result<Met, TransformError> {
    let Some(resource) = resources.get(slot) else { return Ok(met) };
    let version = resource.id.gvk.api_version();
    let own = resource.node.get("apiVersion");
    let (style, mark, is_same) = match own.map(|own| (own, own.as_scalar())) {
        // The resource stays what it was then.
        None if ready.prepared.get("$patch").and_then(Node::text) == Some("replace") => {
            return Ok(met);
        }
        None => (Style::Plain, cx.mark, false),
        Some((own, Some(scalar))) => {
            let style = kept.unwrap_or(scalar.style);
            let is_same = *scalar.text == *version;
            if is_same && !own.is_null() && scalar.style == style {
                return Ok(met);
            }
            (style, own.mark, is_same)
        }
        Some((own, None)) => {
            let kind = own.kind();
            return Err(TransformError::wrong_kind(kind, &Node::default().marked(own.mark)));
        }
    };
    resources.update(slot, |resource| {
        if let Some(mapping) = resource.node.as_mapping_mut() {
            mapping.set("apiVersion", Node::scalar(version, Tag::None, style).marked(mark));
        }
    });
    Ok(if is_same { met } else { Met::Changed })
}

/// Merges a patch into a resource, or takes what came of it before.
fn merge(
    ready: &Ready<'_>,
    slot: Slot,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<Met, TransformError> {
    let is_same = cx.alone(resources, slot, |resources, cx| {
        Ok(match merge_now(ready, slot, resources, cx)? {
            Met::Same => Some(true),
            Met::Changed => Some(false),
            Met::Gone => None,
        })
    })?;
    Ok(is_same.map_or(Met::Gone, |is_same| if is_same { Met::Same } else { Met::Changed }))
}

fn merge_now(
    ready: &Ready<'_>,
    slot: Slot,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<Met, TransformError> {
    let Ready { written, prepared: patch, options, is_copied } = ready;
    let renames = options.allow_name_change || options.allow_kind_change;
    let Some(resource) = resources.get(slot) else { return Ok(Met::Same) };
    let writes = writes_bookkeeping(patch);
    let is_reached = is_reached_by(patch) || has_unfit_annotations(&resource.node);
    let reaches = is_reached && (renames || resource.has_bookkeeping() || writes);
    let shown = reaches.then(|| with_bookkeeping(resource, renames));
    let target = shown.as_ref().unwrap_or(&resource.node);
    let kind = written.get("kind").and_then(Node::text).unwrap_or_default();
    check_namespace(&resource.node, written, *is_copied)?;
    let repeated = resource.repeated_elements();
    let mut trail = Trail { repeated, claims: cx.unplaced.is_none(), ..Trail::default() };
    let schema = (cx.schema.ask(), cx.profile);
    let merged = merge_resource(target, patch, kind, schema, &mut cx.warnings, &mut trail)?;
    let Trail { repeated, removed, .. } = trail;
    note_removed(removed, slot, cx);
    let mut node = match merged {
        Merged::Gone => return Ok(Met::Gone),
        Merged::Same => target.clone(),
        Merged::Changed(node) => node,
    };
    node = node.without_below_null().unwrap_or(node);
    restore(&mut node, &resource.node, written, *options);
    if *is_copied {
        without_comments(&mut node, API_VERSION);
        note_unplaced(resource, patch, cx);
    }
    if node.is_null() || node.is_empty_collection() {
        return Ok(Met::Gone);
    }
    let met = if node.same_reading(target) { Met::Same } else { Met::Changed };
    resources.update(slot, |resource| {
        if resource.keeps_below_null() {
            resource.forget_bookkeeping();
        }
        if metadata::writes_equal_annotation(&resource.node, patch) {
            resource.annotations_have_places();
        }
        if renames {
            resource.store_previous_id();
        }
        let before = resource.node.clone();
        if reaches {
            take_back(resource, node);
        } else {
            resource.node = node;
        }
        resource.unshare_replaced(&before);
        resource.share_elements(&repeated);
        allow(resource, *options);
    });
    Ok(met)
}

/// The options of a patch are annotations of it, which are merged into those of the resource.
fn allow(resource: &mut Resource, options: PatchOptions) {
    if options.allow_kind_change || options.allow_name_change {
        resource.drop_unfit_annotations();
    }
    resource.allow_kind_change |= options.allow_kind_change;
    resource.allow_name_change |= options.allow_name_change;
}

/// Notes where the patch says that something goes.
fn note_removed(removed: Vec<Gone>, slot: Slot, cx: &mut Context<'_>) {
    let removed = removed.into_iter();
    cx.removed.extend(removed.map(|(path, names, mark)| Removed { slot, path, names, mark }));
}

/// Notes the labels and annotations that the copy of a patch writes alike: they have no place from then on.
fn note_unplaced(resource: &Resource, patch: &Node, cx: &mut Context<'_>) {
    if let Some(unplaced) = &mut cx.unplaced {
        let equal = metadata::equal(&resource.node, patch);
        unplaced.extend(equal.into_iter().map(|node| resource.place_of(node)));
    }
}

/// Labels and annotations as they are in Kustomize's copy of a patch.
fn as_copied(prepared: &mut Node, cx: &mut Context<'_>) {
    metadata::as_strings(prepared, metadata::BOTH);
    if let Some(unplaced) = &mut cx.unplaced {
        unplaced.extend(metadata::all(prepared).into_iter().map(Place::of));
    }
}

/// Kustomize adds all resources anew once a patch went over those selected, whatever had given two of them one id.
fn refuse_twins(resources: &ResMap) -> Result<(), TransformError> {
    let Some((existing, slot)) = resources.first_twins() else { return Ok(()) };
    let id = resources.get(slot).map(|resource| resource.id.clone()).unwrap_or_default();
    Err(ResMapError::Duplicate { id, existing }.into())
}
