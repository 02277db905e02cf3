//! Which edit made a difference: named by the places that both builds remember, and proved by building without it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::likely::{Written, likely};
use super::pairs::changes_of;
use super::settled::settled;
use super::{ChangeKind, EditId, FieldChange, FileEdits, NoEdit, Pair, Segment, pair_up};
use crate::engine::evaluate::Trace;
use crate::engine::resource::Resource;
use crate::engine::yaml::{Mark, Node};

/// Why a field differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// The edits; more than one when only all of them together take the difference back.
    pub edits: Vec<EditId>,
    /// The second side was built without them, and the difference was gone.
    pub is_tried: bool,
    /// Why none is named, where there are some.
    pub no_edit: Option<NoEdit>,
    /// The place that says the value on the second side, and the number of the step that wrote it, from 1.
    pub at: Option<Written>,
    /// The same on the first side.
    pub was_at: Option<Written>,
}

impl Reason {
    /// True when neither an edit nor a place is known.
    pub fn is_unknown(&self) -> bool {
        self.edits.is_empty() && self.at.is_none() && self.was_at.is_none()
    }

    /// The same with the places of another.
    fn at(self, places: &Self) -> Self {
        Self { at: places.at, was_at: places.was_at, ..self }
    }

    fn tried(edits: Vec<EditId>) -> Self {
        Self { edits, is_tried: true, ..Self::default() }
    }

    fn untried(edits: Vec<EditId>) -> Self {
        Self { edits, ..Self::default() }
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
    /// Both sides are built like the same Kustomize.
    pub is_alike: bool,
    /// Both sides are built alike, from files that are the same but for the edits.
    pub edits_are_all: bool,
}

/// What identifies a difference in any build that is compared with the first side.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// The resource of the first side, or for one that is new its first name.
    resource: String,
    /// The field, by the places of the first side.
    path: String,
    /// What an element is that was added to the list at this path.
    added: Option<String>,
}

/// The reason of each difference of each pair.
pub fn reasons(
    before: &[Arc<Resource>],
    pairs: &[(Pair, Vec<FieldChange>)],
    edits: &[FileEdits],
    relevant: &[usize],
    traces: (&Trace, &Trace),
    trials: &mut Trials<'_>,
) -> Vec<Vec<Reason>> {
    let all = pairs.iter().flat_map(|(pair, changes)| changes.iter().map(|it| key(pair, it)));
    let all = all.collect();
    let mut search =
        Search { before, edits, all, trials, few: 0, ran_out: false, tried: BTreeMap::new() };
    let ids: Vec<EditId> = relevant
        .iter()
        .flat_map(|file| (0..edits[*file].edits.len()).map(move |edit| (*file, edit)))
        .collect();
    let mut found: Vec<Vec<Reason>> = Vec::with_capacity(pairs.len());
    let mut open: Vec<Open> = Vec::new();
    for (pair, changes) in pairs {
        let reason = |change: &FieldChange| {
            let at = place(change.after.as_ref(), traces.1);
            let was_at = place(change.before.as_ref(), traces.0);
            Reason { at, was_at, ..Reason::default() }
        };
        let mut of_pair: Vec<Reason> = changes.iter().map(reason).collect();
        for (at, (change, reason)) in changes.iter().zip(&mut of_pair).enumerate() {
            let wanted = key(pair, change);
            let likely = likely(change, [reason.was_at, reason.at], edits, &ids, traces);
            search.begin(FEW);
            *reason = search.of(&wanted, &likely, &ids).at(reason);
            if search.ran_out {
                open.push(Open { at: (found.len(), at), wanted, likely });
            }
        }
        found.push(of_pair);
    }
    // What takes many trials takes none from what takes a few.
    for Open { at: (pair, at), wanted, likely } in open {
        search.begin(usize::MAX);
        let reason = &mut found[pair][at];
        *reason = search.of(&wanted, &likely, &ids).at(reason);
    }
    found
}

/// How many trials each difference has before those that need more are gone on with.
const FEW: usize = 6;

/// A difference whose search is not at its end.
struct Open {
    /// Its pair, and where it is among the changes of that.
    at: (usize, usize),
    wanted: Key,
    likely: Vec<EditId>,
}

/// Where a value is written, when the side has it.
fn place(node: Option<&Node>, trace: &Trace) -> Option<Written> {
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

/// How a difference is called in every build that is compared with the first side.
fn key(pair: &Pair, change: &FieldChange) -> Key {
    let resource = match (&pair.before, &pair.after) {
        (Some(before), _) => format!("={}", before.id),
        (None, Some(after)) => format!("+{}", after.original_id()),
        (None, None) => String::new(),
    };
    let is_nameless = matches!(change.path.0.last(), Some(Segment::Index(_)));
    let added = change.after.as_ref().filter(|_| is_nameless && change.kind == ChangeKind::Added);
    let order = if change.kind == ChangeKind::Reordered { "#order" } else { "" };
    let path = format!("{}{order}", change.first_path);
    Key { resource, path, added: added.map(settled) }
}

/// True when one of two paths is the other, or leads to it.
fn overlap(one: &str, other: &str) -> bool {
    leads_to(one, other) || leads_to(other, one)
}

/// True when the second path is the first one, or goes on from it.
fn leads_to(short: &str, long: &str) -> bool {
    let rest = long.strip_prefix(short);
    rest.is_some_and(|rest| short.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The edits that places name, and those of the same file beside them: more each time, up to all of the file.
fn windows(likely: &[EditId], all: &[EditId]) -> Vec<Vec<EditId>> {
    let Some((file, first)) = likely.first().copied() else { return Vec::new() };
    let of_file: Vec<EditId> = all.iter().filter(|id| id.0 == file).copied().collect();
    let named = likely.iter().filter(|id| id.0 == file).map(|id| id.1);
    let (low, high) = named.fold((first, first), |(low, high), at| (low.min(at), high.max(at)));
    let mut found = vec![likely.to_vec()];
    let mut around = 0;
    while found.last().is_some_and(|last| last.len() < of_file.len()) {
        let (from, to) = (low.saturating_sub(around), high + around);
        // Two that belong together may be torn apart at either end.
        for (from, to) in [(low, to), (from, high), (from, to)] {
            let some = of_file.iter().filter(|id| (from..=to).contains(&id.1));
            let some: Vec<EditId> = some.copied().collect();
            if !found.contains(&some) {
                found.push(some);
            }
        }
        around = if around == 0 { 1 } else { around * 2 };
    }
    found
}

fn sorted(ids: &[EditId]) -> Vec<EditId> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids
}

struct Search<'a, 'b> {
    before: &'a [Arc<Resource>],
    edits: &'a [FileEdits],
    /// All differences.
    all: BTreeSet<Key>,
    trials: &'a mut Trials<'b>,
    /// How many more may be done for the difference that is looked at.
    few: usize,
    /// One more was wanted for it, and might not be done.
    ran_out: bool,
    /// What is left of the differences without these edits; nothing when that cannot be built.
    tried: BTreeMap<Vec<EditId>, Option<BTreeSet<Key>>>,
}

/// How many edits are tried one by one, of those that places name and of all.
const ONE_BY_ONE: usize = 16;

impl Search<'_, '_> {
    /// Another difference, for which so many trials may be done.
    fn begin(&mut self, few: usize) {
        (self.few, self.ran_out) = (few, false);
    }

    /// The fewest edits that take a difference back, and whether that was tried.
    fn of(&mut self, wanted: &Key, likely: &[EditId], all: &[EditId]) -> Reason {
        if let Some(fewest) = self.found(wanted, likely, all) {
            return Reason::tried(fewest);
        }
        // One that was tried for another difference may take this one back as well.
        for id in likely.iter().chain(all) {
            if self.is_known(&[*id]) && self.takes_back(&[*id], wanted) == Some(true) {
                return Reason::tried(vec![*id]);
            }
        }
        // What is named without having been tried: the only edit there is, else the likeliest that no trial speaks against.
        let only = if self.trials.edits_are_all && all.len() == 1 { all } else { &[] };
        if let Some(first) = only.iter().chain(likely).find(|id| !self.is_known(&[**id])) {
            return Reason::untried(vec![*first]);
        }
        let together = sorted(likely);
        if together.len() > 1 && !self.is_known(&together) {
            return Reason::untried(together);
        }
        Reason { no_edit: self.in_vain(all), ..Reason::default() }
    }

    /// True for edits without which the second side was built, or could not be built.
    fn is_known(&self, ids: &[EditId]) -> bool {
        self.tried.contains_key(ids)
    }

    /// What is known where no edit can be named; nothing where there is none.
    fn in_vain(&self, all: &[EditId]) -> Option<NoEdit> {
        let built = |ids: &[EditId]| Some(self.tried.get(ids)?.is_some());
        let alone: Vec<Option<bool>> = all.iter().map(|id| built(&[*id])).collect();
        Some(match built(&sorted(all)) {
            _ if all.is_empty() && self.trials.is_alike => return None,
            _ if all.is_empty() => NoEdit::OtherKustomize,
            Some(true) => NoEdit::AllTakenBack,
            _ if alone.contains(&None) => NoEdit::NotAllTried,
            _ if alone.contains(&Some(false)) => NoEdit::NotBuilt,
            _ => NoEdit::NoneAlone,
        })
    }

    /// One edit, then those that the places name together, then more and more of those beside them, then all.
    fn found(&mut self, wanted: &Key, likely: &[EditId], all: &[EditId]) -> Option<Vec<EditId>> {
        for id in likely.iter().take(ONE_BY_ONE) {
            if self.takes_back(&[*id], wanted)? {
                return Some(vec![*id]);
            }
        }
        let beside = windows(likely, all);
        for some in beside.iter().filter(|some| some.len() > 1) {
            if self.takes_back(some, wanted)? {
                return Some(self.narrow(some.clone(), likely, wanted));
            }
        }
        if all.len() <= ONE_BY_ONE {
            for id in all.iter().filter(|id| !likely.contains(id)) {
                if self.takes_back(&[*id], wanted)? {
                    return Some(vec![*id]);
                }
            }
        }
        if all.is_empty() || !self.takes_back(all, wanted)? {
            return None;
        }
        Some(self.narrow(all.to_vec(), likely, wanted))
    }

    /// Delta debugging: leaves out what is not needed, halves first, then one by one, for as long as may be tried.
    fn narrow(&mut self, mut all: Vec<EditId>, likely: &[EditId], wanted: &Key) -> Vec<EditId> {
        // What the places name is left out last.
        all.sort_by_key(|id| likely.contains(id));
        let mut size = all.len().div_ceil(2);
        loop {
            let mut at = 0;
            let mut is_smaller = false;
            while at < all.len() {
                let end = (at + size).min(all.len());
                let rest: Vec<EditId> = all[..at].iter().chain(&all[end..]).copied().collect();
                if !rest.is_empty() && self.takes_back(&rest, wanted) == Some(true) {
                    (all, is_smaller) = (rest, true);
                } else {
                    at = end;
                }
            }
            if size == 1 && !is_smaller || self.ran_out {
                all.sort_unstable();
                return all;
            }
            size = if size == 1 { 1 } else { size.div_ceil(2) };
        }
    }

    /// True when the difference is gone without these edits; nothing when no more may be tried.
    fn takes_back(&mut self, ids: &[EditId], wanted: &Key) -> Option<bool> {
        let ids = sorted(ids);
        if !self.is_known(&ids) {
            if self.few == 0 || self.trials.left == 0 {
                self.ran_out = true;
                return None;
            }
            (self.few, self.trials.left) = (self.few - 1, self.trials.left - 1);
            let left = self.differences_without(&ids);
            self.tried.insert(ids.clone(), left);
        }
        let Some(left) = self.tried.get(&ids)? else { return Some(false) };
        let beside = |key: &&Key| key.resource == wanted.resource && key.path == wanted.path;
        let added = |keys: &BTreeSet<Key>| {
            keys.iter().filter(beside).filter(|key| key.added.is_some()).count()
        };
        if wanted.added.is_some() && added(left) >= added(&self.all) {
            // Another element, or the same with other values, stands in its place.
            return Some(false);
        }
        let is_left = |key: &Key| {
            key.resource == wanted.resource
                && match (&key.added, &wanted.added) {
                    (None, None) => overlap(&key.path, &wanted.path),
                    (one, other) if one == other => key.path == wanted.path,
                    // The list of an element that was added, or what that list is in.
                    (None, Some(_)) => leads_to(&key.path, &wanted.path),
                    (Some(_), None) => leads_to(&wanted.path, &key.path),
                    (Some(_), Some(_)) => false,
                }
        };
        Some(!left.iter().any(is_left))
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
