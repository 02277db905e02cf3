//! A build that fails because one of its entries comes too early: verified by moving entries below
//! others of their lists.

use std::path::PathBuf;
use std::sync::Arc;

use crate::draft::{Edit, EntryRef};
use crate::engine::diagnostic::{EntryMove, Fix, Hint};
use crate::engine::evaluate::{LayerId, Step, StepError, StepOutcome, Trace};
use crate::engine::load::Files;
use crate::engine::manifest::{Outline, OutlineEntry};

/// Lists with entries that apply in order to the same resources.
const ORDERED_LISTS: [&str; 9] = [
    "components",
    "configMapGenerator",
    "generators",
    "patches",
    "patchesJson6902",
    "patchesStrategicMerge",
    "replacements",
    "secretGenerator",
    "transformers",
];

const MAX_MOVES_TRIED: usize = 8;

/// The moves to try for a step that failed, first those in the innermost list: each with the step, and
/// its error with the move as the fix.
pub(super) fn moves_for_failed_step(
    trace: &Trace,
    files: &dyn Files,
) -> Vec<(usize, Edit, Arc<StepError>)> {
    let failed = |(index, step): (usize, &Step)| match &step.outcome {
        StepOutcome::Failed(error) => Some((index, error.clone())),
        _ => None,
    };
    let failed = trace.steps.iter().enumerate().rev().find_map(failed);
    let Some((step, error)) = failed else { return Vec::new() };
    let lists = enclosing_lists(trace, step).into_iter();
    let moves = lists.filter_map(|list| moves_below_later_entries(trace, list, files));
    let with_fix = |(edit, moved): (Edit, EntryMove)| {
        let before = error.hint.clone().map(Box::new);
        let hint = Some(Hint::Order { moved: Box::new(moved.clone()), before });
        let fix = Some(Fix::MoveEntry(moved));
        (step, edit, Arc::new(StepError { hint, fix, ..StepError::clone(&error) }))
    };
    moves.flatten().take(MAX_MOVES_TRIED).map(with_fix).collect()
}

/// The lists whose order affects a step: the list with its entry, and the lists of components above
/// it. Each list has the index of its entry that leads to the step.
fn enclosing_lists(trace: &Trace, step: usize) -> Vec<(LayerId, &'static str, usize)> {
    let mut found = Vec::new();
    let Some(failed) = trace.steps.get(step) else { return found };
    if let Some(entry) = failed.entry {
        found.push((failed.layer, failed.field, entry));
    }
    let mut inner = failed.layer;
    while let Some((layer, entry)) = trace.listed_as_component(inner) {
        found.push((layer, "components", entry));
        inner = layer;
    }
    found.retain(|(_, field, _)| ORDERED_LISTS.contains(field));
    found
}

fn moves_below_later_entries(
    trace: &Trace,
    (layer, field, entry): (LayerId, &'static str, usize),
    files: &dyn Files,
) -> Option<Vec<(Edit, EntryMove)>> {
    let file = trace.layer(layer)?.file.clone();
    let path = PathBuf::from(&*file);
    let outline = Outline::parse(&files.read(&path).ok()?);
    let entries = outline.field(field).filter(|field| !field.disabled)?.entries.iter();
    let active: Vec<(usize, &OutlineEntry)> =
        entries.enumerate().filter(|(_, entry)| !entry.disabled).collect();
    let (index, own) = *active.get(entry)?;
    let others = active.iter().enumerate().skip(entry + 1);
    let moves = others.map(|(below, (to, other))| {
        let entry_ref = EntryRef { file: path.clone(), field: field.to_owned(), index };
        let by = isize::try_from(to - index).unwrap_or(isize::MAX);
        let called = (entry_name(own), entry_name(other));
        let moved = EntryMove { file: file.clone(), field, entry, below, called };
        (Edit::MoveEntry { entry: entry_ref, by }, moved)
    });
    Some(moves.collect())
}

/// The name of an entry: its text if it is a scalar of one line, else its line number.
fn entry_name(entry: &OutlineEntry) -> String {
    match &entry.scalar {
        Some(word) if !word.contains('\n') => word.clone(),
        _ => format!("the entry on line {}", entry.line),
    }
}
