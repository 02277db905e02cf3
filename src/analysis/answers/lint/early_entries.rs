//! A build that fails because one of its entries comes too early: verified by moving entries below
//! others of their lists.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::draft::{Draft, Edit, EntryRef};
use crate::engine::diagnostic::{EntryMove, Fix, Hint};
use crate::engine::evaluate::{LayerId, Step, StepError, StepOutcome, Trace};
use crate::engine::load::Files;
use crate::engine::manifest::{Outline, OutlineEntry};

use crate::answers::recording::build::{Rebuild, nth_active, printed_output};

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

#[derive(Clone, Debug)]
pub(in crate::answers) struct EntryMoveTrial {
    step: usize,
    error: Arc<StepError>,
    moves: Vec<EntryMove>,
}

impl EntryMoveTrial {
    /// The step that failed and the moves to try, first the moves in the innermost list; `None` if
    /// no step failed.
    pub(in crate::answers) fn from_trace(trace: &Trace, files: &dyn Files) -> Option<Self> {
        let failed = |(index, step): (usize, &Step)| match &step.outcome {
            StepOutcome::Failed(error) => Some((index, error.clone())),
            _ => None,
        };
        let (step, error) = trace.steps.iter().enumerate().rev().find_map(failed)?;
        let mut moves = Vec::new();
        for (layer, field, entry) in enclosing_lists(trace, step) {
            moves.extend(
                moves_below_later_entries(trace, layer, field, entry, files).unwrap_or_default(),
            );
        }
        moves.truncate(MAX_MOVES_TRIED);
        (!moves.is_empty()).then_some(Self { step, error, moves })
    }

    /// Tries the moves. Returns the failed step, and its error with a fix: the first move with
    /// which the build succeeds.
    pub(in crate::answers) fn run(
        self,
        files: &Arc<dyn Files>,
        rebuild: &mut Rebuild<'_>,
    ) -> Option<(usize, Arc<StepError>)> {
        for moved in self.moves {
            let path = PathBuf::from(&*moved.file);
            let text = files.read(&path).ok()?;
            let outline = Outline::parse(&text);
            let number = |entry| nth_active(&outline, moved.field, entry);
            let Some((from, to)) = number(moved.entry).zip(number(moved.below)) else { continue };
            let Ok(by) = isize::try_from(to - from) else { continue };
            let entry = EntryRef { file: path, field: moved.field.to_owned(), index: from };
            let mut draft = Draft::default();
            if draft.apply(&Edit::MoveEntry { entry, by }, &**files).is_err()
                || printed_output(&rebuild(draft.files(files.clone()))?).is_none()
            {
                continue;
            }
            let before = self.error.hint.clone().map(Box::new);
            let hint = Hint::Order { moved: Box::new(moved.clone()), before };
            let (hint, fix) = (Some(hint), Some(Fix::MoveEntry(moved)));
            let mended = StepError { hint, fix, ..StepError::clone(&self.error) };
            return Some((self.step, Arc::new(mended)));
        }
        None
    }
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

/// The moves of an entry below each later entry of its list.
fn moves_below_later_entries(
    trace: &Trace,
    layer: LayerId,
    field: &'static str,
    entry: usize,
    files: &dyn Files,
) -> Option<Vec<EntryMove>> {
    let file = trace.layer(layer)?.file.clone();
    let outline = Outline::parse(&files.read(Path::new(&*file)).ok()?);
    let active: Vec<&OutlineEntry> =
        outline.field(field)?.entries.iter().filter(|entry| !entry.disabled).collect();
    let own = entry_name(active.get(entry)?);
    let others = active.iter().enumerate().skip(entry + 1);
    let moves = others.map(|(below, other)| EntryMove {
        file: file.clone(),
        field,
        entry,
        below,
        called: (own.clone(), entry_name(other)),
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
