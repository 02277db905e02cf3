//! That a part of what an entry writes is written again by later steps, and that a patch is used again for other objects.

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::Field;
use crate::resource::{QuickMap, Resource, Slot};
use crate::yaml::{Mark, WriterId};

use super::leaves::{Leaves, Taken, leaves, taken};
use super::{Step, StepKind, Trace};

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
        // What fills in a placeholder, or a part of a text, is meant to come after it.
        let later = self.steps.iter().enumerate().skip(index + 1);
        let later = later.filter(|(_, other)| {
            other.kind == StepKind::Transform
                && other.configured_by().is_some_and(Field::writes_for_good)
        });
        let takers: Vec<Taker<'_>> =
            later.filter_map(|(number, other)| Taker::of(number, other, step.writer)).collect();
        let first = takers.first()?;
        let gone: usize = takers.iter().map(|taker| taker.count).sum();
        let (by, label) = (first.number + 1, label(first.step));
        let are = if gone == 1 { "is" } else { "are" };
        let more = match takers.len() - 1 {
            0 => String::new(),
            1 => " and by 1 more step".to_owned(),
            others => format!(" and by {others} more steps"),
        };
        let which = which_are_gone(&takers, gone);
        let message = format!(
            "{gone} of {all} fields that it wrote {are} written over or taken away by step {by}, {label}{more}{which}"
        );
        let hint = match gone {
            1 => "change the value there",
            _ => "change the values where they are written last: the first of them there",
        };
        let said = Diagnostic::new(Code::KZ124, message, step.mark)
            .hint(hint)
            .related(first.place(), label);
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

/// A later step that writes over what an earlier one wrote, or takes it away.
struct Taker<'s> {
    number: usize,
    step: &'s Step,
    /// How many values it takes.
    count: usize,
    /// Which, and of which resource, as far as that can be told.
    fields: Vec<(Taken, &'s Resource)>,
}

impl<'s> Taker<'s> {
    fn of(number: usize, step: &'s Step, writer: WriterId) -> Option<Self> {
        let mut taker = Taker { number, step, count: 0, fields: Vec::new() };
        for change in &step.changes {
            let (Some(before), Some(after)) = (&change.before, &change.after) else { continue };
            let left = leaves(&after.node, writer);
            let count = leaves(&before.node, writer).saturating_sub(left);
            if count > 0 {
                taker.count += count;
                let found = taken(&before.node, &after.node, writer);
                taker.fields.extend(found.into_iter().map(|field| (field, &**after)));
            }
        }
        (taker.count > 0).then_some(taker)
    }

    /// Where the first of the values is written that are there now; else the entry.
    fn place(&self) -> Mark {
        let is_told = self.fields.len() == self.count;
        let first = self.fields.first().filter(|_| is_told).and_then(|(field, _)| field.by);
        first.filter(|mark| mark.line > 0).unwrap_or(self.step.mark)
    }
}

/// So many fields are named.
const NAMED: usize = 3;

/// `: spec.replicas of Deployment web and 2 more`: which fields are left no more of those that a step wrote. Nothing where the elements of
/// a list have other numbers by now, so that nobody can tell.
fn which_are_gone(takers: &[Taker<'_>], gone: usize) -> String {
    let fields = takers.iter().flat_map(|taker| &taker.fields);
    let named = fields.map(|(field, resource)| {
        format!("{} of {} {}", field.path, resource.id.gvk.kind, resource.id.name)
    });
    let mut named: Vec<String> = named.collect();
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
