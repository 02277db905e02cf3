//! A build that fails because one of its entries stands too early: found out by moving entries below others of their lists.

use std::path::PathBuf;
use std::sync::Arc;

use crate::draft::{Draft, Edit, EntryRef};
use crate::engine::diagnostic::{Code, Diagnostic, Fix};
use crate::engine::evaluate::{LayerId, Outcome, Step, StepError, Trace};
use crate::engine::load::Files;
use crate::engine::manifest::{Outline, OutlineEntry};

use super::rebuilt::{Rebuild, nth_active, printed};

/// Lists whose entries work one after the other on the same resources.
const IN_ORDER: [&str; 9] = [
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

/// So many moves of a failing build are tried.
const TRIED: usize = 8;

/// A step that failed, and the moves that may be all that it takes.
#[derive(Clone, Debug)]
pub(super) struct TooEarly {
    step: usize,
    error: Arc<StepError>,
    moves: Vec<Move>,
}

/// An entry goes below another of its list; places count the active ones.
#[derive(Clone, Debug)]
struct Move {
    file: PathBuf,
    field: &'static str,
    entry: usize,
    below: usize,
    words: String,
}

impl TooEarly {
    /// The step at which a build failed and the moves that are worth a try, those of the innermost list first.
    pub(super) fn of(trace: &Trace, files: &dyn Files) -> Option<Self> {
        let failed = |(index, step): (usize, &Step)| match &step.outcome {
            Outcome::Failed(error) => Some((index, error.clone())),
            _ => None,
        };
        let (step, error) = trace.steps.iter().enumerate().rev().find_map(failed)?;
        let mut moves = Vec::new();
        for (layer, field, entry) in lists(trace, step) {
            moves.extend(below_others(trace, layer, field, entry, files).unwrap_or_default());
        }
        moves.truncate(TRIED);
        (!moves.is_empty()).then_some(Self { step, error, moves })
    }

    /// The first move with which the build succeeds, told of the step that failed.
    pub(super) fn run(
        self,
        files: &Arc<dyn Files>,
        rebuild: &mut Rebuild<'_>,
    ) -> Option<(usize, Diagnostic)> {
        for Move { file, field, entry, below, words } in self.moves {
            let text = files.read(&file).ok()?;
            let outline = Outline::parse(&text);
            let (Some(from), Some(to)) =
                (nth_active(&outline, field, entry), nth_active(&outline, field, below))
            else {
                continue;
            };
            let Ok(by) = isize::try_from(to - from) else { continue };
            let moved = EntryRef { file: file.clone(), field: field.to_owned(), index: from };
            let mut draft = Draft::default();
            if draft.apply(&Edit::MoveEntry { entry: moved, by }, &**files).is_err() {
                continue;
            }
            if printed(&rebuild(draft.files(files.clone()))?).is_none() {
                continue;
            }
            let fix = Fix::MoveEntry {
                file: file.to_string_lossy().into(),
                field: field.to_owned(),
                entry,
                below,
                words: words.clone(),
            };
            let order = format!("it is the order: {words}, and the build succeeds");
            let hint = match &self.error.hint {
                Some(hint) => format!("{order}; as it is, {hint}"),
                None => order,
            };
            let said = Diagnostic::new(Code::KZ000, self.error.message.clone(), self.error.mark);
            return Some((self.step, said.hint(hint).fix(Some(fix))));
        }
        None
    }
}

/// The lists that a step and the components around it stand in, with the places in them.
fn lists(trace: &Trace, step: usize) -> Vec<(LayerId, &'static str, usize)> {
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
    found.retain(|(_, field, _)| IN_ORDER.contains(field));
    found
}

fn below_others(
    trace: &Trace,
    layer: LayerId,
    field: &'static str,
    entry: usize,
    files: &dyn Files,
) -> Option<Vec<Move>> {
    let file = PathBuf::from(&*trace.layer(layer)?.file);
    let outline = Outline::parse(&files.read(&file).ok()?);
    let active: Vec<&OutlineEntry> =
        outline.field(field)?.entries.iter().filter(|entry| !entry.disabled).collect();
    let own = called(active.get(entry)?);
    let others = active.iter().enumerate().skip(entry + 1);
    let moves = others.map(|(below, other)| Move {
        file: file.clone(),
        field,
        entry,
        below,
        words: format!("move {own} below {}, entry {} of `{field}`", called(other), below + 1),
    });
    Some(moves.collect())
}

/// What a person calls an entry: its text when that is a word, else its place.
fn called(entry: &OutlineEntry) -> String {
    match &entry.scalar {
        Some(word) if !word.contains('\n') => word.clone(),
        _ => format!("the entry of line {}", entry.line),
    }
}
