//! That a part of what an entry writes is written again by later steps, and that a patch is used again for other objects.

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::Field;
use crate::resource::{QuickMap, Resource, Slot};

use super::leaves::{Leaves, leaves, written_paths};
use super::{Step, StepKind, Trace};

/// Fields that write a value for good, not a part of one.
pub(super) const FINAL: [Field; 4] =
    [Field::Patches, Field::PatchesStrategicMerge, Field::PatchesJson6902, Field::Replicas];

impl Trace {
    /// That a part of what a step wrote was written again.
    pub(super) fn partly(
        &self,
        index: usize,
        step: &Step,
        last: &QuickMap<Slot, Option<Arc<Resource>>>,
        known: &mut Leaves,
    ) -> Option<Diagnostic> {
        let (mut all, mut left) = (0, 0);
        for change in &step.changes {
            let after = change.after.as_ref()?;
            all += known.of(after, step.writer);
            let now = last.get(&change.slot).and_then(Option::as_ref)?;
            left += known.of(now, step.writer);
        }
        if left == 0 || left >= all {
            return None;
        }
        let takes = |other: &&Step| {
            other.kind == StepKind::Transform
                && other.changes.iter().any(|change| {
                    let (Some(before), Some(after)) = (&change.before, &change.after) else {
                        return false;
                    };
                    leaves(&after.node, step.writer) < leaves(&before.node, step.writer)
                })
        };
        let is_final = |other: &Step| other.configured_by().is_some_and(|it| FINAL.contains(&it));
        let mut later = self.steps.iter().enumerate().skip(index + 1);
        let (by, taker) = later.find(|(_, other)| is_final(other) && takes(other))?;
        let others = self.steps.iter().enumerate().skip(index + 1);
        let others = others.filter(|(number, other)| *number != by && takes(other)).count();
        let (gone, by, label) = (all - left, by + 1, label(taker));
        let are = if gone == 1 { "is" } else { "are" };
        let more = match others {
            0 => String::new(),
            1 => " and by 1 more step".to_owned(),
            others => format!(" and by {others} more steps"),
        };
        let which = which_are_gone(step, last, gone);
        let message = format!(
            "{gone} of {all} fields that it wrote {are} written over or taken away by step {by}, {label}{more}{which}"
        );
        let said = Diagnostic::new(Code::KZ124, message, step.mark)
            .hint("change the value there, or take it out of this entry")
            .related(taker.mark, label);
        Some(said)
    }

    /// A patch file that has an entry for the object that it names may be used for others as well: that its name does not count
    /// there is meant.
    pub(super) fn forgive_reuse(&mut self) {
        let is_other = |step: &Step| step.warnings.iter().any(|it| it.code == Code::KZ221);
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
                step.warnings.retain(|it| it.code != Code::KZ221);
            }
        }
    }
}

/// So many fields are named.
const NAMED: usize = 3;

/// `: spec.replicas of Deployment web and 2 more`: which fields are left no more of those that a step wrote. Nothing where the elements of
/// a list have other numbers by now, so that nobody can tell.
fn which_are_gone(
    step: &Step,
    last: &QuickMap<Slot, Option<Arc<Resource>>>,
    gone: usize,
) -> String {
    let mut named = Vec::new();
    for change in &step.changes {
        let now = last.get(&change.slot).and_then(Option::as_ref);
        let (Some(after), Some(now)) = (&change.after, now) else { continue };
        let left = written_paths(&now.node, step.writer);
        let paths = written_paths(&after.node, step.writer);
        let paths = paths.into_iter().filter(|path| !left.contains(path));
        let (kind, name) = (&after.id.gvk.kind, &after.id.name);
        named.extend(paths.map(|path| format!("{path} of {kind} {name}")));
    }
    if named.len() != gone {
        return String::new();
    }
    let more = match named.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    named.truncate(NAMED);
    format!(": {}{more}", named.join(", "))
}

/// A step by its field or name, and what it works with.
pub(super) fn label(step: &Step) -> String {
    let what = if step.field.is_empty() { &*step.name } else { step.field };
    if step.argument.is_empty() { what.to_owned() } else { format!("{what} {}", step.argument) }
}
