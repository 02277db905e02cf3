//! Warnings about entries that later steps override in part, and about patch files that are reused
//! for other objects.

use std::sync::Arc;

use crate::diagnostic::{
    Code, Diagnostic, EntryRemark, Object, OverriddenFields, OverrideAdvice, Relation, StepName,
};
use crate::manifest::KustomizationField;
use crate::resource::{QuickMap, Resource, Slot};
use crate::yaml::{Mark, WriterId};

use super::value_counts::{OverriddenValue, WrittenValueCounts, leaves, overridden_values};
use super::{Step, StepKind, Trace};

impl Trace {
    pub(super) fn partly_overridden_diagnostic(
        &self,
        index: usize,
        step: &Step,
        last: &QuickMap<Slot, Option<Arc<Resource>>>,
        known: &mut WrittenValueCounts,
    ) -> Option<Diagnostic> {
        let (mut all, mut left) = (0, 0);
        for change in &step.changes {
            let after = change.after.as_ref()?;
            all += known.count(after, step.writer);
            let now = last.get(&change.slot).and_then(Option::as_ref)?;
            left += known.count(now, step.writer);
        }
        if left == 0 || left >= all {
            return None;
        }
        // Steps that fill in placeholders or parts of texts are meant to run later.
        let later = self.steps.iter().enumerate().skip(index + 1);
        let later = later.filter(|(_, other)| {
            other.kind == StepKind::Transform
                && other.configured_by().is_some_and(KustomizationField::writes_for_good)
        });
        let takers: Vec<OverridingStep<'_>> = later
            .filter_map(|(number, other)| OverridingStep::from_step(number, other, step.writer))
            .collect();
        let first = takers.first()?;
        let gone: usize = takers.iter().map(|taker| taker.count).sum();
        let by = called(first.number, first.step);
        let (others, which) = (takers.len() - 1, overridden_fields(&takers, gone));
        let remark = EntryRemark::PartlyOverwritten { gone, all, by: by.clone(), others, which };
        let hint = if gone == 1 { OverrideAdvice::One } else { OverrideAdvice::Several };
        let said = Diagnostic::new(remark, step.mark)
            .hint(hint)
            .related(first.place(), Relation::OverriddenBy(by));
        Some(said)
    }

    /// If one entry applies a patch file to the object that the file names, removes the warnings of
    /// other entries that use the file for other objects: the reuse is intended.
    pub(super) fn drop_reuse_warnings(&mut self) {
        let is_other = |step: &Step| step.warnings.iter().any(|it| it.code() == Code::KZ221);
        let is_reused = |step: &Step| {
            let same = |one: &&Step| {
                (one.layer, one.field, &one.argument) == (step.layer, step.field, &step.argument)
            };
            let mut same = self.steps.iter().filter(same);
            is_other(step)
                && !step.argument.starts_with("inline ")
                && same.any(|one| one.matched > 0 && !is_other(one))
        };
        let numbers = self.steps.iter().enumerate();
        let reused: Vec<usize> =
            numbers.filter(|(_, step)| is_reused(step)).map(|(index, _)| index).collect();
        for index in reused {
            if let Some(step) = self.steps.get_mut(index) {
                step.warnings.retain(|it| it.code() != Code::KZ221);
            }
        }
    }
}

struct OverridingStep<'s> {
    number: usize,
    step: &'s Step,
    count: usize,
    fields: Vec<(OverriddenValue, &'s Resource)>,
}

impl<'s> OverridingStep<'s> {
    fn from_step(number: usize, step: &'s Step, writer: WriterId) -> Option<Self> {
        let mut taker = OverridingStep { number, step, count: 0, fields: Vec::new() };
        for change in &step.changes {
            let (Some(before), Some(after)) = (&change.before, &change.after) else { continue };
            let left = leaves(&after.node, writer);
            let count = leaves(&before.node, writer).saturating_sub(left);
            if count > 0 {
                taker.count += count;
                let found = overridden_values(&before.node, Some(&after.node), writer);
                taker.fields.extend(found.into_iter().map(|field| (field, &**after)));
            }
        }
        (taker.count > 0).then_some(taker)
    }

    /// The location of the first new value, or of the step's entry if that is not known.
    fn place(&self) -> Mark {
        let is_told = self.fields.len() == self.count;
        let first = self.fields.first().filter(|_| is_told).and_then(|(field, _)| field.by);
        first.filter(|mark| mark.line > 0).unwrap_or(self.step.mark)
    }
}

const MAX_FIELDS_NAMED: usize = 3;

/// The overridden fields of a step; `None` if list elements have moved: they are not known.
fn overridden_fields(takers: &[OverridingStep<'_>], gone: usize) -> Option<OverriddenFields> {
    let fields = || takers.iter().flat_map(|taker| &taker.fields);
    let count = fields().count();
    let named = fields().take(MAX_FIELDS_NAMED);
    let named = named.map(|(field, resource)| (field.path.clone(), Object::from(&resource.id)));
    let more = count.saturating_sub(MAX_FIELDS_NAMED);
    (count == gone).then(|| OverriddenFields { named: named.collect(), more })
}

pub(super) fn called(index: usize, step: &Step) -> StepName {
    let what = if step.field.is_empty() { step.name.clone() } else { step.field.into() };
    StepName { number: index + 1, field: what, argument: step.argument.clone() }
}
