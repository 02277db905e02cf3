//! Which edit made a difference: named by the places that both builds remember, and proved by building without it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::pairs::changes_of;
use super::{FieldChange, FileEdits, Pair, pair_up};
use crate::engine::evaluate::Trace;
use crate::engine::resource::Resource;
use crate::engine::yaml::{Mark, Node};

/// An edit: the place of its file among all, and its own place in it.
pub type EditId = (usize, usize);

/// Why a field differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// The edits; more than one when only all of them together take the difference back.
    pub edits: Vec<EditId>,
    /// The second side was built without them, and the difference was gone.
    pub is_tried: bool,
    /// The place that says the value on the second side, and the number of the step that wrote it, from 1.
    pub at: Option<(Mark, Option<usize>)>,
    /// The same on the first side.
    pub was_at: Option<(Mark, Option<usize>)>,
}

impl Reason {
    /// True when neither an edit nor a place is known.
    pub fn is_unknown(&self) -> bool {
        self.edits.is_empty() && self.at.is_none() && self.was_at.is_none()
    }
}

/// Texts of files, in place of those that the second side reads.
type Texts = Vec<(PathBuf, Option<Arc<[u8]>>)>;

/// Builds of the second side with some edits taken back.
pub struct Trials<'a> {
    /// Builds with these texts; nothing when that fails.
    pub build: &'a mut dyn FnMut(Texts) -> Option<Vec<Arc<Resource>>>,
    /// How many more may be done.
    pub left: usize,
    /// Both sides are built alike, from files that are the same but for the edits.
    pub edits_are_all: bool,
}

/// What identifies a difference in any build: the resource of the first side, or for one that is new its first name.
type Key = (String, String);

/// The reason of each difference of each pair.
pub fn reasons(
    before: &[Arc<Resource>],
    pairs: &[(Pair, Vec<FieldChange>)],
    edits: &[FileEdits],
    relevant: &[usize],
    traces: (&Trace, &Trace),
    trials: &mut Trials<'_>,
) -> Vec<Vec<Reason>> {
    let mut search = Search { before, edits, trials, tried: BTreeMap::new() };
    let ids: Vec<EditId> = relevant
        .iter()
        .flat_map(|file| (0..edits[*file].edits.len()).map(move |edit| (*file, edit)))
        .collect();
    let mut found: Vec<Vec<Reason>> = Vec::with_capacity(pairs.len());
    for (pair, changes) in pairs {
        let reason = |change: &FieldChange| {
            let at = place(change.after.as_ref(), traces.1);
            let was_at = place(change.before.as_ref(), traces.0);
            Reason { at, was_at, ..Reason::default() }
        };
        let mut of_pair: Vec<Reason> = changes.iter().map(reason).collect();
        for (change, reason) in changes.iter().zip(&mut of_pair) {
            let wanted = key(pair, change);
            let likely = likely(reason, edits, &ids, traces);
            (reason.edits, reason.is_tried) = search.of(&wanted, &likely, &ids);
        }
        found.push(of_pair);
    }
    found
}

/// Where a value is written, when the side has it.
fn place(node: Option<&Node>, trace: &Trace) -> Option<(Mark, Option<usize>)> {
    let mark = mark_of(node?)?;
    let step = trace.steps.iter().position(|step| step.writer == mark.writer);
    Some((mark, step.map(|step| step + 1)))
}

/// The mark of a value, or of the first value in it that has one.
fn mark_of(node: &Node) -> Option<Mark> {
    if node.as_scalar().is_some() {
        return (node.mark != Mark::default()).then_some(node.mark);
    }
    let items = node.items().unwrap_or_default().iter();
    let below = items.chain(node.entries().iter().map(|entry| &entry.value));
    let mut below = below.filter_map(mark_of);
    below.next().or_else(|| (node.mark != Mark::default()).then_some(node.mark))
}

/// The edits that the places of a difference lie in, or the places of the steps that wrote it, or of the layers of these.
fn likely(
    reason: &Reason,
    edits: &[FileEdits],
    ids: &[EditId],
    traces: (&Trace, &Trace),
) -> Vec<EditId> {
    let mut places: Vec<(bool, &Path, u32)> = Vec::new();
    let both = [(false, &reason.was_at, traces.0), (true, &reason.at, traces.1)];
    for (is_new, at, trace) in both {
        let Some((mark, step)) = at else { continue };
        let mut add = |mark: Mark| {
            let path = trace.sources.path(mark.source).map(Path::new);
            places.extend(path.map(|path| (is_new, path, mark.line)));
        };
        add(*mark);
        let Some(step) = step.and_then(|step| trace.steps.get(step - 1)) else { continue };
        add(step.mark);
        let mut layer = trace.layer(step.layer);
        while let Some(current) = layer {
            add(current.mark);
            layer = current.parent.and_then(|parent| trace.layer(parent));
        }
    }
    let mut likely: Vec<EditId> = Vec::new();
    for (is_new, path, line) in places {
        for id in ids {
            let file = &edits[id.0];
            let edit = &file.edits[id.1];
            let is_it = if is_new {
                file.path == path && edit.wrote(line)
            } else {
                file.before_path == path && edit.took(line)
            };
            if is_it && !likely.contains(id) {
                likely.push(*id);
            }
        }
    }
    likely
}

/// How a difference is called in every build that is compared with the first side.
fn key(pair: &Pair, change: &FieldChange) -> Key {
    let resource = match (&pair.before, &pair.after) {
        (Some(before), _) => format!("={}", before.id),
        (None, Some(after)) => format!("+{}", after.original_id()),
        (None, None) => String::new(),
    };
    let order = if change.kind == super::ChangeKind::Reordered { "#order" } else { "" };
    (resource, format!("{}{order}", change.path))
}

/// True when one of two paths is the other, or leads to it.
fn overlap(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let rest = long.strip_prefix(short);
    short.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

struct Search<'a, 'b> {
    before: &'a [Arc<Resource>],
    edits: &'a [FileEdits],
    trials: &'a mut Trials<'b>,
    /// What is left of the differences without these edits; nothing when that cannot be built.
    tried: BTreeMap<Vec<EditId>, Option<BTreeSet<Key>>>,
}

impl Search<'_, '_> {
    /// The fewest edits that take a difference back, and whether that was tried.
    fn of(&mut self, wanted: &Key, likely: &[EditId], all: &[EditId]) -> (Vec<EditId>, bool) {
        // What is named without having been tried: the only edit there is, else the likeliest.
        let untried = match all {
            [only] if self.trials.edits_are_all => vec![*only],
            _ => likely.iter().take(1).copied().collect(),
        };
        let others = all.iter().filter(|id| !likely.contains(id));
        for id in likely.iter().chain(others) {
            match self.takes_back(&[*id], wanted) {
                Some(true) => return (vec![*id], true),
                Some(false) => {}
                None => return (untried, false),
            }
        }
        if all.is_empty() || self.takes_back(all, wanted) != Some(true) {
            return (untried, false);
        }
        match self.narrow(all.to_vec(), likely, wanted) {
            Some(fewest) => (fewest, true),
            None => (untried, false),
        }
    }

    /// Delta debugging: leaves out what is not needed, halves first, then one by one.
    fn narrow(
        &mut self,
        mut all: Vec<EditId>,
        likely: &[EditId],
        wanted: &Key,
    ) -> Option<Vec<EditId>> {
        // What the places name is left out last.
        all.sort_by_key(|id| likely.contains(id));
        let mut size = all.len().div_ceil(2);
        loop {
            let mut at = 0;
            let mut is_smaller = false;
            while at < all.len() {
                let end = (at + size).min(all.len());
                let rest: Vec<EditId> = all[..at].iter().chain(&all[end..]).copied().collect();
                if !rest.is_empty() && self.takes_back(&rest, wanted)? {
                    (all, is_smaller) = (rest, true);
                } else {
                    at = end;
                }
            }
            if size == 1 && !is_smaller {
                all.sort_unstable();
                return Some(all);
            }
            size = if size == 1 { 1 } else { size.div_ceil(2) };
        }
    }

    /// True when the difference is gone without these edits; nothing when no more may be tried.
    fn takes_back(&mut self, ids: &[EditId], wanted: &Key) -> Option<bool> {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        if !self.tried.contains_key(&ids) {
            self.trials.left = self.trials.left.checked_sub(1)?;
            let left = self.differences_without(&ids);
            self.tried.insert(ids.clone(), left);
        }
        let left = self.tried.get(&ids)?;
        let is_left = |key: &Key| key.0 == wanted.0 && overlap(&key.1, &wanted.1);
        Some(left.as_ref().is_some_and(|left| !left.iter().any(is_left)))
    }

    fn differences_without(&mut self, ids: &[EditId]) -> Option<BTreeSet<Key>> {
        let files: BTreeSet<usize> = ids.iter().map(|(file, _)| *file).collect();
        let text = |file: usize| {
            let edits = &self.edits[file];
            let taken = edits.taken_back(&|edit| ids.contains(&(file, edit)));
            (edits.path.clone(), taken)
        };
        let built = (self.trials.build)(files.into_iter().map(text).collect())?;
        let pairs = pair_up(self.before, &built);
        let keys = pairs.iter().flat_map(|pair| {
            changes_of(pair).into_iter().map(|change| key(pair, &change)).collect::<Vec<_>>()
        });
        Some(keys.collect())
    }
}
