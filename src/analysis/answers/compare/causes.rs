//! The edits that cause differences: candidates from the recordings of both builds, verified by
//! building the second side without them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use super::group_trials::{EditGroups, MIN_GROUPED_EDITS};
use super::likely_edits::{EditCandidates, LikelyEdits, WriteLocation};
use super::minimize::minimize;
use super::remaining_differences::{DifferenceKey, RemainingDifferences};
use super::resource_pairs::{SameRole, new_names, pair_differences, pair_up_by_role};
use super::{EditId, FieldChange, FileEdits, NoEdit, PendingStep, ResourcePair};
use crate::engine::evaluate::Trace;
use crate::engine::resource::Resource;

/// The cause of a difference: the edits, or the locations of the values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DifferenceCause {
    /// The edits; several if only all of them together revert the difference.
    pub edits: Vec<EditId>,
    /// True if the second side was built without the edits and had no difference. An edit that was
    /// reverted only in groups with other edits counts as tried if it also contains a line that the
    /// recording names as a writer.
    pub is_tried: bool,
    pub unnamed_edit_reason: Option<NoEdit>,
    /// The location of the value on the second side.
    pub at: Option<WriteLocation>,
    /// The location of the value on the first side.
    pub was_at: Option<WriteLocation>,
    /// The pending step that may still write the field: the difference is not known.
    pub pending: Option<PendingStep>,
}

/// The files that a trial replaces on the second side, each with its text; `None` if the trial has
/// no such file.
type TrialTexts = Vec<(PathBuf, Option<Arc<[u8]>>)>;

/// Builds of the second side with some edits reverted.
pub(super) struct Trials<'a> {
    /// Builds with these texts; `None` if the build fails.
    pub build: &'a mut dyn FnMut(TrialTexts) -> Option<Vec<Arc<Resource>>>,
    pub left: usize,
    pub in_groups: usize,
    /// True if both sides are built with the same profile.
    pub is_alike: bool,
    /// True if the profile of both sides is the same, and their files differ only by the edits.
    pub edits_are_all: bool,
}

/// The number of trials for each difference before the search for it is postponed: differences that
/// need many trials come last, so that they do not use up the trials of other differences.
const TRIALS_BEFORE_POSTPONING: usize = 6;

/// The cause of each difference of each pair, in the order of `pairs`. `relevant` contains the
/// indices of the files in `edits` that may be the cause. `first` has the resources of the first side
/// and the roles of the pairs.
pub(super) fn find_causes(
    first: (&[Arc<Resource>], &[SameRole]),
    pairs: &[(ResourcePair, Vec<FieldChange>)],
    edits: &[FileEdits],
    relevant: &[usize],
    traces: [&Trace; 2],
    trials: &mut Trials<'_>,
) -> Vec<Vec<DifferenceCause>> {
    let places = LikelyEdits::new(edits, relevant, traces);
    let keys = pairs.iter().flat_map(|(pair, changes)| {
        changes.iter().map(|change| DifferenceKey::from_change(pair, change))
    });
    let mut search = EditSearch::new(first, edits, &places, keys.collect(), trials);
    let unknown =
        |(_, changes): &(_, Vec<FieldChange>)| vec![DifferenceCause::default(); changes.len()];
    let mut found: Vec<Vec<DifferenceCause>> = pairs.iter().map(unknown).collect();
    let numbers = found.iter().enumerate();
    let mut open: Vec<(usize, usize)> =
        numbers.flat_map(|(pair, of_pair)| (0..of_pair.len()).map(move |it| (pair, it))).collect();
    for few in [TRIALS_BEFORE_POSTPONING, usize::MAX] {
        open.retain(|&(number, change_at)| {
            let (pair, changes) = &pairs[number];
            let change = &changes[change_at];
            let at = places.write_location(true, change.after.as_ref());
            let was_at = places.write_location(false, change.before.as_ref());
            let likely = places.edits_for(change, [was_at, at]);
            (search.few, search.ran_out) = (few, false);
            let cause = search.search(&DifferenceKey::from_change(pair, change), &likely);
            found[number][change_at] = DifferenceCause { at, was_at, ..cause };
            search.ran_out
        });
    }
    found
}

type EditSet = BTreeSet<usize>;
/// The differences that remain without some edits; `None` if the build fails.
type Trial = Option<RemainingDifferences>;

/// The search for the edits that cause differences, with the results of all trials so far. Edits
/// are identified by their numbers among the candidates.
struct EditSearch<'a, 'b> {
    first: (&'a [Arc<Resource>], &'a [SameRole]),
    edits: &'a [FileEdits],
    places: &'a LikelyEdits<'a>,
    all: Arc<EditSet>,
    differences: RemainingDifferences,
    trials: &'a mut Trials<'b>,
    /// The number of remaining trials for the present difference.
    few: usize,
    /// True if the `few` trials were used up.
    ran_out: bool,
    /// The trials without a single edit.
    alone: BTreeMap<usize, Trial>,
    /// The trial without all of several edits.
    without_all: Option<Trial>,
    /// The trials without other sets of edits.
    tried: BTreeMap<EditSet, Trial>,
    groups: Option<Vec<EditGroups>>,
}

/// The limit on edits that are tried one by one. It applies to the edits at the locations of the
/// difference, and once more to all edits.
const MAX_SINGLE_TRIALS: usize = 16;
/// The limit on edits that are named together: with more, each difference would name them all.
const MAX_EDITS_NAMED: usize = 256;

impl<'a, 'b> EditSearch<'a, 'b> {
    fn new(
        first: (&'a [Arc<Resource>], &'a [SameRole]),
        edits: &'a [FileEdits],
        places: &'a LikelyEdits<'a>,
        differences: RemainingDifferences,
        trials: &'a mut Trials<'b>,
    ) -> Self {
        let all: Arc<EditSet> = Arc::new((0..places.ids.len()).collect());
        // Without all edits, the second side is the first side, which is built already.
        let is_only = trials.edits_are_all && all.len() == 1;
        let alone = is_only.then(|| (0, Some(RemainingDifferences::default())));
        let without_all = trials.edits_are_all.then(|| Some(RemainingDifferences::default()));
        let alone = alone.into_iter().collect();
        let (few, ran_out, tried, groups) = (0, false, BTreeMap::new(), None);
        Self {
            first,
            edits,
            places,
            all,
            differences,
            trials,
            few,
            ran_out,
            alone,
            without_all,
            tried,
            groups,
        }
    }

    /// The smallest set of edits that reverts the difference `wanted`, and whether a trial verified
    /// it. The candidates are tried first.
    fn search(&mut self, wanted: &DifferenceKey, candidates: &EditCandidates) -> DifferenceCause {
        let likely = candidates.numbers.as_slice();
        let at_value: EditSet = likely.iter().take(candidates.at_value).copied().collect();
        if let Some(number) = self.find_edit_by_groups(wanted) {
            // The groups identify the edit, but do not show that reverting this edit alone is
            // enough: the recording shows that, or another trial.
            let alone = single_edit(number);
            let has_value = at_value.contains(&number);
            match has_value.then_some(true).or_else(|| self.reverts_difference(&alone, wanted)) {
                Some(true) => return self.cause(&alone, true),
                Some(false) => {}
                None => return self.cause(&alone, false),
            }
        }
        if let Some(fewest) = self.find_edits(wanted, likely, &at_value) {
            return self.cause(&fewest, true);
        }
        // An edit that was tried for another difference may revert this one as well.
        let is_known = |number: &&usize| {
            let left = self.alone.get(*number).and_then(Option::as_ref);
            left.is_some_and(|left| self.is_gone(left, wanted))
        };
        if let Some(number) = likely.iter().chain(self.alone.keys()).find(is_known) {
            return self.cause(&single_edit(*number), true);
        }
        // Edits that are named without a trial: a text of many changed lines is the effect of all of
        // them; else the likeliest edit that no trial refutes.
        if at_value.len() > MAX_SINGLE_TRIALS && at_value.len() <= MAX_EDITS_NAMED {
            return self.cause(&at_value, false);
        }
        if let Some(first) = likely.iter().find(|number| !self.alone.contains_key(*number)) {
            return self.cause(&single_edit(*first), false);
        }
        let together: EditSet = likely.iter().copied().collect();
        if (2..=MAX_EDITS_NAMED).contains(&together.len()) && self.trial(&together).is_none() {
            return self.cause(&together, false);
        }
        let unnamed_edit_reason = self.missing_edit_reason(wanted);
        DifferenceCause { unnamed_edit_reason, ..DifferenceCause::default() }
    }

    fn cause(&self, edits: &EditSet, is_tried: bool) -> DifferenceCause {
        let edits = edits.iter().filter_map(|number| self.places.ids.get(*number).copied());
        DifferenceCause { edits: edits.collect(), is_tried, ..DifferenceCause::default() }
    }

    /// Why no edit can be named as the cause of `wanted`; `None` if both sides have the same
    /// profile and no edits.
    fn missing_edit_reason(&self, wanted: &DifferenceKey) -> Option<NoEdit> {
        let count = self.all.len();
        let without_all = self.trial(&self.all).and_then(Option::as_ref);
        Some(match without_all.map(|left| self.is_gone(left, wanted)) {
            _ if count == 0 && self.trials.is_alike => return None,
            _ if count == 0 => NoEdit::OtherKustomize,
            Some(false) => NoEdit::AllTakenBack,
            _ if self.alone.len() < count => NoEdit::NotAllTried,
            _ if self.alone.values().any(Option::is_none) => NoEdit::NotBuilt,
            _ => NoEdit::NoneAlone,
        })
    }

    /// Tries single edits, then all edits at the locations of the difference together, then growing
    /// ranges around these edits, then all edits. If many edits have lines of the value, they are
    /// tried together first.
    fn find_edits(
        &mut self,
        wanted: &DifferenceKey,
        likely: &[usize],
        at_value: &EditSet,
    ) -> Option<EditSet> {
        if at_value.len() > MAX_SINGLE_TRIALS && self.reverts_difference(at_value, wanted)? {
            return self.minimize_edits(at_value.iter().copied().collect(), wanted);
        }
        let together: EditSet = likely.iter().copied().collect();
        if let Some(number) =
            self.find_single(likely.iter().take(MAX_SINGLE_TRIALS), wanted).ok()?
        {
            return Some(single_edit(number));
        }
        if likely.len() > 1 && self.reverts_difference(&together, wanted)? {
            return self.minimize_edits(likely.to_vec(), wanted);
        }
        for window in self.growing_edit_windows(likely) {
            let some: EditSet = window.collect();
            if some.len() > 1 && self.reverts_difference(&some, wanted)? {
                return self.minimize_edits(with_last(&some, &together), wanted);
            }
        }
        let all = self.all.clone();
        if all.len() <= MAX_SINGLE_TRIALS
            && let Some(number) = self.find_single(all.difference(&together), wanted).ok()?
        {
            return Some(single_edit(number));
        }
        if all.is_empty() || !self.reverts_difference(&all, wanted)? {
            return None;
        }
        self.minimize_edits(with_last(&all, &together), wanted)
    }

    /// The first of these edits that reverts the difference alone; `Err` if no trials remain.
    fn find_single<'n>(
        &mut self,
        numbers: impl Iterator<Item = &'n usize>,
        wanted: &DifferenceKey,
    ) -> Result<Option<usize>, ()> {
        for number in numbers {
            if self.reverts_difference(&single_edit(*number), wanted).ok_or(())? {
                return Ok(Some(*number));
            }
        }
        Ok(None)
    }

    /// Growing ranges of edits around those at the locations of the difference, up to all edits of
    /// the file.
    fn growing_edit_windows(&self, likely: &[usize]) -> Vec<RangeInclusive<usize>> {
        let Some(first) = likely.first().copied() else { return Vec::new() };
        let file = self.places.edits_of_same_file(first);
        let named = likely.iter().copied().filter(|number| file.contains(number));
        let (low, high) = named.fold((first, first), |(low, high), at| (low.min(at), high.max(at)));
        let mut found: Vec<RangeInclusive<usize>> = Vec::new();
        let (mut last, mut around) = (likely.len(), 0);
        while last < file.len() {
            let from = low.saturating_sub(around).max(file.start);
            let to = high.saturating_add(around).min(file.end - 1);
            // A range may end between two related edits, so it also grows at one end alone.
            for (from, to) in [(low, to), (from, high), (from, to)] {
                if !found.contains(&(from..=to)) {
                    last = to + 1 - from;
                    found.push(from..=to);
                }
            }
            around = if around == 0 { 1 } else { around * 2 };
        }
        found
    }

    /// The fewest of these edits that revert the difference; the last ones are left out last. `None`
    /// if no trials remain while too many are left to be named.
    fn minimize_edits(&mut self, mut left: Vec<usize>, wanted: &DifferenceKey) -> Option<EditSet> {
        let mut reverts =
            |rest: &[usize]| self.reverts_difference(&rest.iter().copied().collect(), wanted);
        let is_minimal = minimize(&mut left, &mut reverts).is_some();
        (is_minimal || left.len() <= MAX_EDITS_NAMED).then(|| left.into_iter().collect())
    }

    /// True if the difference is gone without these edits; `None` if no trials remain.
    fn reverts_difference(&mut self, edits: &EditSet, wanted: &DifferenceKey) -> Option<bool> {
        if self.trial(edits).is_none() {
            if self.few == 0 || self.trials.left == 0 {
                self.ran_out = true;
                return None;
            }
            self.few -= 1;
            let left = self.differences_without(edits);
            match edits.first() {
                Some(only) if edits.len() == 1 => drop(self.alone.insert(*only, left)),
                _ if edits.len() == self.all.len() => self.without_all = Some(left),
                _ => drop(self.tried.insert(edits.clone(), left)),
            }
        }
        Some(self.trial(edits)?.as_ref().is_some_and(|left| self.is_gone(left, wanted)))
    }

    fn trial(&self, edits: &EditSet) -> Option<&Trial> {
        match edits.first() {
            Some(only) if edits.len() == 1 => self.alone.get(only),
            _ if edits.len() == self.all.len() => self.without_all.as_ref(),
            _ => self.tried.get(edits),
        }
    }

    fn is_gone(&self, left: &RemainingDifferences, wanted: &DifferenceKey) -> bool {
        // If the number of added elements in the list is unchanged, another element, or the same
        // one with other values, replaces the added element.
        let is_fewer = wanted.added.is_none()
            || left.count_added_elements(wanted) < self.differences.count_added_elements(wanted);
        is_fewer && !left.has(wanted)
    }

    /// The single edit that reverts a difference, if builds of many edits in groups show it.
    fn find_edit_by_groups(&mut self, wanted: &DifferenceKey) -> Option<usize> {
        if self.groups.is_none() {
            self.groups = Some(self.build_groups());
        }
        let edit_of = |group: &EditGroups| group.find_edit(|left| self.is_gone(left, wanted));
        let found: Result<Vec<_>, ()> = self.groups.iter().flatten().map(edit_of).collect();
        let found: Vec<usize> = found.ok()?.into_iter().flatten().collect();
        if let [number] = found.as_slice() { Some(*number) } else { None }
    }

    /// Builds the second side without groups of edits. No groups are built for few edits or
    /// differences.
    fn build_groups(&mut self) -> Vec<EditGroups> {
        let all = self.all.clone();
        if all.len().min(self.differences.len()) < MIN_GROUPED_EDITS || self.trials.left == 0 {
            return Vec::new();
        }
        if self.without_all.is_none() {
            self.without_all = Some(self.differences_without(&all));
        }
        if self.without_all.as_ref().is_none_or(Option::is_none) {
            return Vec::new();
        }
        // The other half of the trials is reserved for differences that several edits cause
        // together.
        let left = self.trials.left;
        let groups = EditGroups::build(0..all.len(), &mut |edits| {
            if self.trials.left <= left - left / 2 {
                return None;
            }
            self.differences_without(edits)
        });
        self.trials.in_groups += left - self.trials.left;
        groups
    }

    fn differences_without(&mut self, edits: &EditSet) -> Trial {
        self.trials.left -= 1;
        let mut texts = Vec::new();
        let mut number = edits.first().copied();
        while let Some(first) = number {
            let file = self.places.edits_of_same_file(first);
            let edited = &self.edits[self.places.ids.get(first)?.0];
            let taken = edited.with_edits_reverted(&|edit| edits.contains(&(file.start + edit)));
            if !edited.is_sound(taken.as_deref()) {
                return None;
            }
            texts.push((edited.path.clone(), taken));
            number = edits.range(file.end..).next().copied();
        }
        let built = (self.trials.build)(texts)?;
        let pairs = pair_up_by_role(self.first.0, &built, self.first.1);
        let names = new_names(&pairs);
        let keys = pairs.iter().flat_map(|pair| {
            let changes = pair_differences(pair, &names).into_iter();
            changes.map(|change| DifferenceKey::from_change(pair, &change))
        });
        Some(keys.collect())
    }
}

fn single_edit(number: usize) -> EditSet {
    EditSet::from([number])
}

/// All of these edits, those in `last` at the end.
fn with_last(edits: &EditSet, last: &EditSet) -> Vec<usize> {
    edits.difference(last).chain(edits.intersection(last)).copied().collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::fields::NewNames;
    use super::super::{file_edits, pair_up};
    use super::*;
    use crate::engine::resource::Scopes;
    use crate::engine::yaml::{Limits, SourceId, parse_documents};

    /// With this number of differences, a linear search for each difference would take minutes.
    #[test]
    fn many_differences_and_edits_need_no_linear_search() {
        let count = 20_000;
        let text = |value: &str| {
            let head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n".to_owned();
            (0..count).fold(head, |text, at| text + &format!("  k{at}: {value}\n"))
        };
        let (old, new) = (text("a"), text("b"));
        let built = |text: &str| {
            let read = parse_documents(text.as_bytes(), SourceId(1), Limits::default()).unwrap();
            let node = read.documents[0].node.clone();
            vec![Arc::new(Resource::new(node, &Scopes::default()))]
        };
        let (before, after) = (built(&old), built(&new));
        let pairs = pair_up(&before, &after).into_iter().map(|pair| {
            let changes = pair_differences(&pair, &NewNames::default());
            (pair, changes)
        });
        let pairs: Vec<_> = pairs.collect();
        let bytes = |text: &str| Some(Arc::from(text.as_bytes()));
        let edits = [file_edits(Path::new("/a"), Path::new("/a"), bytes(&old), bytes(&new))];
        assert_eq!((pairs[0].1.len(), edits[0].edits.len()), (count, count));
        let trace = Trace::default();
        let mut build = |_| None;
        let mut trials = Trials {
            build: &mut build,
            left: 400,
            in_groups: 0,
            is_alike: true,
            edits_are_all: false,
        };
        let found =
            find_causes((&before, &[]), &pairs, &edits, &[0], [&trace, &trace], &mut trials);
        assert!(
            found[0].iter().all(|reason| reason.unnamed_edit_reason == Some(NoEdit::NotAllTried))
        );
        assert_eq!(trials.left, 399, "all of them are taken back once");
    }
}
