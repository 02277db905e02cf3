//! Warnings of a step that depend on other steps of the recording: its values were overridden, the
//! resource that it should match comes later, or an earlier pending step makes the result unknown.

use std::sync::Arc;

use crate::diagnostic::{
    Diagnostic, EntryEffect, EntryMove, EntryRemark, Fix, Hint, Object, OverrideAdvice, Relation,
    Remark, StepName, ValueReplacement,
};
use crate::load::{ImageReference, edit_distance_within};
use crate::manifest::KustomizationField;
use crate::resource::{Change, CompiledSelector, Narrowing, QuickMap, Resource, Slot};
use crate::yaml::Node;

use super::partly_overridden::called;
use super::value_counts::{WrittenValueCounts, leaves, overridden_values};
use super::{LayerId, Step, StepKind, StepOutcome, Trace};

/// The number of edits up to which a name is a slip of another one.
const MAX_SLIPS: usize = 2;

impl Trace {
    /// Adds the warnings that depend on other steps: a resource matches only after a later step, a
    /// missing resource may come from a pending step, or written fields were overridden.
    pub fn add_late_warnings(&mut self) {
        self.add_late_warnings_with(&mut WrittenValueCounts::default());
    }

    /// As [`Self::add_late_warnings`], with the value counts of earlier builds of the tree.
    pub fn add_late_warnings_with(&mut self, known: &mut WrittenValueCounts) {
        let last = self.last_states();
        let inputs = self.pending_inputs();
        let mut found = Vec::new();
        for (index, (step, pending)) in self.steps.iter().zip(inputs).enumerate() {
            let Some(field) = writing_field(step) else {
                // A plugin without a match may also be listed before the step that creates its
                // target.
                let plugin = step.configured_by() == Some(KustomizationField::Transformers);
                let later = plugin.then(|| self.find_later_match(index, step)).flatten();
                found.extend(later.map(|it| (index, it)));
                continue;
            };
            if field.writes_for_good() && matches!(step.outcome, StepOutcome::Applied) {
                let partly = self.partly_overridden_diagnostic(index, step, &last, known);
                found.extend(partly.map(|it| (index, WarningChange::Diagnostic(Box::new(it)))));
            }
            let has_no_match = step.warnings.iter().any(is_no_match);
            let pending = pending.filter(|_| has_no_match);
            found.extend(pending.map(|it| (index, WarningChange::Unknown(it.to_owned()))));
            let advice =
                self.find_later_match(index, step).or_else(|| self.earlier_rename(index, step));
            let advice = advice.or_else(|| self.name_of_another_entry(step));
            found.extend(advice.map(|it| (index, it)));
        }
        known.end();
        self.drop_reuse_warnings();
        for (index, said) in found {
            let Some(step) = self.steps.get_mut(index) else { continue };
            match said {
                WarningChange::Diagnostic(diagnostic) => step.warnings.push(*diagnostic),
                WarningChange::Unknown(awaited) => {
                    for warning in step.warnings.iter_mut().filter(|it| is_no_match(it)) {
                        let (awaited, remark) = (awaited.clone(), warning.remark.clone().into());
                        warning.remark = Remark::Unknown { awaited, remark };
                        (warning.hint, warning.fix) = (None, None);
                    }
                }
                WarningChange::Advice(hint, fix) => {
                    if let Some(warning) = step.warnings.iter_mut().find(|it| is_no_match(it)) {
                        warning.hint = hint.map(|hint| *hint);
                        warning.fix = fix;
                    }
                }
            }
        }
    }

    /// Entries that seem to be overridden completely, with the diagnostic for each. Writer marks
    /// alone are no proof: the caller has to build without the entry first.
    pub fn overridden_candidates(&self) -> Vec<(usize, Diagnostic)> {
        let last = self.last_states();
        let steps = self.steps.iter().enumerate().filter(|(_, step)| {
            writing_field(step).is_some() && matches!(step.outcome, StepOutcome::Applied)
        });
        steps
            .filter_map(|(index, step)| {
                Some((index, self.overridden_diagnostic(index, step, &last)?))
            })
            .collect()
    }

    fn last_states(&self) -> QuickMap<Slot, Option<Arc<Resource>>> {
        let steps = self.steps.iter().filter(|step| step.kind != StepKind::Merge);
        let changes = steps.flat_map(|step| &step.changes);
        changes.map(|change| (change.slot, change.after.clone())).collect()
    }

    /// The diagnostic of a step whose values are all overridden, with the step that did it first.
    fn overridden_diagnostic(
        &self,
        index: usize,
        step: &Step,
        last: &QuickMap<Slot, Option<Arc<Resource>>>,
    ) -> Option<Diagnostic> {
        let mut first = None;
        for change in &step.changes {
            let after = change.after.as_ref()?;
            if leaves(&after.node, step.writer) == 0 {
                continue;
            }
            let left = last.get(&change.slot).and_then(Option::as_ref);
            if left.is_some_and(|left| leaves(&left.node, step.writer) > 0) {
                return None;
            }
            first = first.or(Some((change.slot, after)));
        }
        let (slot, resource) = first?;
        let path = overridden_values(&resource.node, None, step.writer).into_iter().next()?.path;
        let later = self.steps.iter().enumerate().skip(index + 1);
        let (by, taker, gone, now) = later.into_iter().find_map(|(number, other)| {
            let change = other.changes.iter().find(|change| change.slot == slot)?;
            let Some(after) = &change.after else { return Some((number, other, true, None)) };
            let is_left = leaves(&after.node, step.writer) > 0;
            let before = change.before.as_ref().map(|it| &it.node);
            let found = before.map(|it| overridden_values(it, Some(&after.node), step.writer));
            let first = found.unwrap_or_default().into_iter().find(|it| it.path == path);
            let now = first.and_then(|it| it.by).filter(|mark| mark.line > 0);
            (!is_left).then_some((number, other, false, now))
        })?;
        let (kind, name) = (&resource.id.gvk.kind, &resource.id.name);
        // Steps that fill in placeholders or parts of texts are meant to run later.
        if taker.kind != StepKind::Transform
            || taker.configured_by() == Some(KustomizationField::Replacements)
        {
            return None;
        }
        let (by, object) = (called(by, taker), Object::from(&resource.id));
        let is_repeated = step.changes.iter().all(|change| {
            let last = last.get(&change.slot).and_then(Option::as_ref);
            change.after.as_ref().zip(last).is_some_and(|(after, last)| {
                let gone = overridden_values(&after.node, Some(&last.node), step.writer);
                gone.iter().all(|value| value.is_equal)
            })
        });
        // Inline patches of one object have the same argument.
        let is_listed_twice = is_repeated
            && !step.argument.starts_with("inline ")
            && (taker.layer, taker.field, &taker.argument)
                == (step.layer, step.field, &step.argument);
        let remark = EntryRemark::Overwritten {
            path: (!gone).then_some(path),
            object,
            by: by.clone(),
            is_repeated: is_repeated && !is_listed_twice,
        };
        // The diagnostic points at the new value, so that it can be edited; for a removed value, at
        // the step that removed it.
        let (hint, place) = match now {
            Some(mark) if is_listed_twice => (OverrideAdvice::ListedTwice, mark),
            Some(mark) => (OverrideAdvice::All, mark),
            None => (OverrideAdvice::Gone, taker.mark),
        };
        let said = Diagnostic::new(remark, step.mark)
            .hint(hint)
            .with_subject(Some(slot), kind, name)
            .related(place, Relation::OverriddenBy(by))
            .fix(Some(Fix::RemoveEntry));
        Some(said)
    }

    /// The change of a warning that no resource matches, if the entry would match the result of a
    /// later step: it names that step, and how to change or move the entry so that it matches.
    fn find_later_match(&self, index: usize, step: &Step) -> Option<WarningChange> {
        let warning = step.warnings.iter().find(|warning| is_no_match(warning))?;
        let image = step.argument.split(" → ").next().filter(|_| step.field == "images");
        let narrowing = warning.remark.narrowing();
        let selector = narrowing.and_then(|narrowing| narrowing.selector.compile().ok());
        if image.is_none() && selector.as_ref().is_none_or(CompiledSelector::is_any) {
            return None;
        }
        let fits = |resource: &Resource| {
            selector.as_ref().is_some_and(|it| it.matches(resource).unwrap_or(false))
                || image.is_some_and(|name| has_image(&resource.node, name))
        };
        let later = self.steps.iter().enumerate().skip(index + 1);
        let mut later = later.filter(|(_, other)| other.kind != StepKind::Merge);
        let (by, taker, change) = later.find_map(|(by, other)| {
            // A resource that matches before the step as well comes from another layer.
            let is_new = |change: &&Change| {
                change.after.as_ref().is_some_and(|it| fits(it))
                    && !change.before.as_ref().is_some_and(|it| fits(it))
            };
            Some((by, other, other.changes.iter().find(is_new)?))
        })?;
        let by = called(by, taker);
        let renamed = change.before.as_ref().zip(change.after.as_ref());
        if let Some((before, after)) =
            renamed.filter(|(before, after)| before.id.name != after.id.name)
        {
            let (now, then) = (before.id.name.to_string(), after.id.name.to_string());
            let was = narrowing.map(|it| it.selector.name.clone()).unwrap_or_default();
            let path = vec!["target".to_owned(), "name".to_owned()];
            // A name in a selector is a regular expression, in which a variable means something else.
            let is_variable = taker.kind == StepKind::AfterBuild && now.contains("${");
            let with = (!is_variable).then(|| now.clone());
            let change = ValueReplacement { path, was, with };
            let kind = &after.id.gvk.kind;
            let hint = rename_hint(&now, &then, kind, (!is_variable).then_some(&by));
            let fix = match step.field {
                "patches" => Fix::SetValues(vec![change]),
                _ => Fix::ByHand,
            };
            return Some(WarningChange::later(hint, fix));
        }
        if let Some(later) = later_namespace_change(change, warning, &by) {
            return Some(later);
        }
        if taker.layer == step.layer
            && taker.field == step.field
            && let Some(entry) = taker.entry
        {
            let hint = format!(
                "{by}, entry {} of the same list, creates the resource: move this entry below that entry",
                entry + 1
            );
            return Some(WarningChange::later(hint, Fix::MoveBelow(entry)));
        }
        if let Some((hint, fix)) = self.move_below_component(step.layer, taker.layer, &by) {
            return Some(WarningChange::later(hint, fix));
        }
        // Without a name, the target of a patch whose kind no resource has yet may be meant for the
        // resources of the layer.
        let is_by_kind = |it: &Narrowing| it.is_without_candidate() && it.selector.name.is_empty();
        if step.field == "patches" && narrowing.is_some_and(is_by_kind) {
            return None;
        }
        self.move_after(step, taker, &by)
    }

    /// A hint to move the entry of a step after another step, or into its layer. An entry cannot be
    /// moved into a layer beside or below its own one, which has other resources.
    fn move_after(&self, step: &Step, taker: &Step, by: &StepName) -> Option<WarningChange> {
        if !self.is_inside(step.layer, taker.layer) {
            return None;
        }
        let later = if taker.layer == step.layer {
            format!("{by}, adds the resource later: move this entry after that step")
        } else {
            let path = self.layer(taker.layer)?.path.clone();
            let folder = path.rsplit('/').next().unwrap_or_default();
            format!(
                "{by}, adds the resource later: move this entry into the kustomization of {folder}"
            )
        };
        Some(WarningChange::later(later, Fix::ByHand))
    }

    /// The present name of an image that an entry of a layer below has renamed, for an entry of
    /// `images` that names it as before.
    fn earlier_rename(&self, index: usize, step: &Step) -> Option<WarningChange> {
        step.warnings.iter().find(|warning| is_no_match(warning))?;
        let was = step.argument.split(" → ").next().filter(|_| step.field == "images")?;
        let before = self.steps.iter().enumerate().take(index).rev();
        let mut before = before.filter(|(_, other)| {
            other.field == "images" && self.is_inside(other.layer, step.layer)
        });
        let (by, to) = before.find_map(|(by, other)| {
            let (name, new) = other.argument.split_once(" → ")?;
            let to = ImageReference::parse(new.split(' ').next()?).name;
            let is_rename = name == was && !to.is_empty() && to != was && !other.changes.is_empty();
            is_rename.then(|| (called(by, other), to))
        })?;
        let change = ValueReplacement {
            path: vec!["name".to_owned()],
            was: was.to_owned(),
            with: Some(to.clone()),
        };
        let hint = format!("{by}, has renamed the image before: did you mean {to}?").into();
        Some(WarningChange::Advice(Some(hint), Some(Fix::SetValues(vec![change]))))
    }

    /// Withdraws a proposed name for a patch without a match if another patch of the list has that
    /// resource, and the names differ in more than a few characters: another one is meant.
    fn name_of_another_entry(&self, step: &Step) -> Option<WarningChange> {
        let change = step.warnings.iter().find_map(|warning| match &warning.remark {
            Remark::Entry(EntryRemark::PatchTarget(why)) => why.change.first(),
            _ => None,
        })?;
        let with = change.with.as_deref().filter(|_| change.part == "name")?;
        let has_it = |change: &Change| change.after.as_ref().is_some_and(|it| *it.id.name == *with);
        let mut others = self.steps.iter().filter(|other| {
            other.layer == step.layer
                && other.field == step.field
                && other.changes.iter().any(has_it)
        });
        (others.next().is_some() && edit_distance_within(&change.was, with, MAX_SLIPS).is_none())
            .then_some(WarningChange::Advice(None, None))
    }

    fn is_inside(&self, layer: LayerId, outer: LayerId) -> bool {
        let up = |layer: &LayerId| self.layer(*layer)?.parent;
        std::iter::successors(Some(layer), up).any(|layer| layer == outer)
    }

    /// How to move the component of the layer `one` after the component of the layer `other`, which
    /// creates its target. Both components are in the same list, or nested in components of it.
    fn move_below_component(
        &self,
        one: LayerId,
        other: LayerId,
        by: &StepName,
    ) -> Option<(String, Fix)> {
        let ways = |mut layer: LayerId| {
            let mut ways = Vec::new();
            while let Some((outer, entry)) = self.listed_as_component(layer) {
                ways.push((outer, entry, layer));
                layer = outer;
            }
            ways
        };
        let others = ways(other);
        let both = ways(one).into_iter().find_map(|(outer, entry, own)| {
            let is_below = |other: &&(LayerId, usize, LayerId)| other.0 == outer && other.1 > entry;
            let (_, below, other) = others.iter().find(is_below)?;
            Some((outer, (own, entry), (*other, *below)))
        });
        let (outer, (own, entry), (other, below)) = both?;
        let called = |layer: LayerId| self.layer(layer).map_or("", |layer| &*layer.name).to_owned();
        let (own, other) = (called(own), called(other));
        let file = self.layer(outer)?.file.clone();
        let called = (own.clone(), other.clone());
        let fix = EntryMove { file, field: "components", entry, below, called };
        let hint = format!(
            "{by}, in the component {other}, creates the resource: move the component {own} below {other}"
        );
        Some((hint, Fix::MoveEntry(fix)))
    }
}

/// The hint for a resource with another name later; without `by`, Flux replaces a variable in it.
fn rename_hint(now: &str, then: &str, kind: &str, by: Option<&StepName>) -> String {
    let change = match by {
        Some(by) => format!("{by}, renames the {kind} to {then:?} later"),
        None => format!("Flux replaces the variable by {then:?} later; leave `name` out"),
    };
    format!("{now:?} is the name at this step: {change}")
}

fn writing_field(step: &Step) -> Option<KustomizationField> {
    step.configured_by().filter(|field| field.writes() && step.kind == StepKind::Transform)
}

/// A hint to select the namespace in which the resource is now, if a later step moves the resource
/// into the namespace that the selector names.
fn later_namespace_change(
    change: &Change,
    warning: &Diagnostic,
    by: &StepName,
) -> Option<WarningChange> {
    let narrowing = warning.remark.narrowing()?;
    let was = narrowing.selector.namespace.clone();
    let (before, after) = (change.before.as_ref()?, change.after.as_ref()?);
    let (now, then) = (before.id.effective_namespace(), after.id.effective_namespace());
    if was.is_empty() || now == then {
        return None;
    }
    let path = vec!["target".to_owned(), "namespace".to_owned()];
    let change = ValueReplacement { path, was, with: Some(now.to_owned()) };
    let hint = format!(
        "{now:?} is the namespace at this step: {by}, moves the {} to {then:?} later; select {now:?}, or leave the namespace out",
        after.id.gvk.kind
    );
    Some(WarningChange::later(hint, Fix::SetValues(vec![change])))
}

fn is_no_match(diagnostic: &Diagnostic) -> bool {
    diagnostic.code().effect() == Some(EntryEffect::NoMatch)
}

enum WarningChange {
    Diagnostic(Box<Diagnostic>),
    /// The pending item on which the warning depends.
    Unknown(String),
    /// A hint for the warning, and a fix; none withdraws those that it has.
    Advice(Option<Box<Hint>>, Option<Fix>),
}

impl WarningChange {
    fn later(hint: String, fix: Fix) -> Self {
        Self::Advice(Some(Box::new(Hint::Later(hint))), Some(fix))
    }
}

fn has_image(node: &Node, name: &str) -> bool {
    let is_it = |image: &str| {
        image.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '@']))
    };
    node.items().unwrap_or_default().iter().any(|item| has_image(item, name))
        || node.entries().iter().any(|entry| {
            let image = entry.key.text() == Some("image");
            image && entry.value.text().is_some_and(is_it) || has_image(&entry.value, name)
        })
}

impl Trace {
    /// For each step, the name of the earlier pending item that makes its input unknown.
    pub fn pending_inputs(&self) -> Vec<Option<&str>> {
        // The first pending step of each layer, nested layers included.
        let mut first: QuickMap<LayerId, &Step> = QuickMap::default();
        let inputs = self.steps.iter().map(|step| {
            let waits = first.get(&self.accumulator_of(step.layer)).copied();
            let mut layer =
                Some(step.layer).filter(|_| matches!(step.outcome, StepOutcome::Waiting(_)));
            // If a layer already has a first pending step, then so do its enclosing layers.
            while let Some(id) = layer.filter(|id| !first.contains_key(id)) {
                first.insert(id, step);
                layer = self.layer(id).and_then(|layer| layer.parent);
            }
            waits.map(|it| &**if it.argument.is_empty() { &it.name } else { &it.argument })
        });
        inputs.collect()
    }

    /// Marks the steps without effect after a pending step on the same resources.
    pub(super) fn mark_steps_after_pending(&mut self) {
        let is_after = self.pending_inputs().into_iter().zip(&self.steps).map(|(input, step)| {
            let is_silent =
                matches!(step.outcome, StepOutcome::NoChange | StepOutcome::MatchedNothing);
            is_silent && !step.field.is_empty() && input.is_some()
        });
        let is_after: Vec<bool> = is_after.collect();
        for (step, is_after) in self.steps.iter_mut().zip(is_after) {
            step.is_after_pending = is_after;
        }
    }
}
