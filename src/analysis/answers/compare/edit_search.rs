//! The search for the edits that cause a difference.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::edit_lines::EditLines;
use super::group_trials::{EditGroups, MIN_GROUPED_EDITS};
use super::likely_edits::EditCandidates;
use super::minimize::minimize;
use super::remaining_differences::{DifferenceKey, RemainingDifferences};
use super::resource_pairs::{SameRole, new_names, pair_differences, pair_up_by_role};
use super::{DifferenceCause, FileEdits, NoEdit, Trials};
use crate::engine::resource::Resource;

type EditSet = BTreeSet<usize>;
/// The differences that remain without some edits; `None` if the build fails.
type Trial = Option<RemainingDifferences>;

/// The search for the edits that cause differences, with the results of all trials so far. Edits
/// are identified by their numbers among the candidates.
pub(super) struct EditSearch<'a, 'b> {
    before: &'a [Arc<Resource>],
    roles: &'a [SameRole],
    edits: &'a [FileEdits],
    lines: &'a EditLines<'a>,
    all: Arc<EditSet>,
    differences: RemainingDifferences,
    trials: &'a mut Trials<'b>,
    /// The number of remaining trials for the present difference.
    few: usize,
    ran_out: bool,
    without_all: Option<Trial>,
    /// The trials without other sets of edits.
    tried: BTreeMap<EditSet, Trial>,
    /// The edits that were reverted alone, and whether the build succeeded.
    alone: BTreeMap<usize, bool>,
    groups: Option<Vec<EditGroups>>,
}

/// The limit on edits that are tried one by one. It applies to the edits at the locations of the
/// difference, and once more to all edits.
const MAX_SINGLE_TRIALS: usize = 16;
/// The limit on edits that are named together: with more, each difference would name them all.
const MAX_EDITS_NAMED: usize = 256;

impl<'a, 'b> EditSearch<'a, 'b> {
    pub(super) fn new(
        (before, roles): (&'a [Arc<Resource>], &'a [SameRole]),
        edits: &'a [FileEdits],
        lines: &'a EditLines<'a>,
        differences: RemainingDifferences,
        trials: &'a mut Trials<'b>,
    ) -> Self {
        let all: EditSet = (0..lines.ids.len()).collect();
        // Without all edits, the second side is the first side, which is built already.
        let without_all = trials.edits_are_all.then(|| Some(RemainingDifferences::default()));
        let is_single = trials.edits_are_all && all.len() == 1;
        let alone = is_single.then_some((0, true)).into_iter().collect();
        Self {
            before,
            roles,
            edits,
            lines,
            all: Arc::new(all),
            differences,
            trials,
            few: 0,
            ran_out: false,
            without_all,
            tried: BTreeMap::new(),
            alone,
            groups: None,
        }
    }

    /// The smallest set of edits that reverts the difference `wanted`, and whether a trial verified
    /// it. The edits in `likely` are tried first. Also true if the `few` trials were used up.
    pub(super) fn find_cause(
        &mut self,
        wanted: &DifferenceKey,
        candidates: &EditCandidates,
        few: usize,
    ) -> (DifferenceCause, bool) {
        (self.few, self.ran_out) = (few, false);
        (self.search(wanted, candidates), self.ran_out)
    }

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
        let known = likely.iter().filter(|number| self.alone.contains_key(*number)).copied();
        let known: Vec<usize> = known.chain(self.alone.keys().copied()).collect();
        for number in known {
            if self.reverts_difference(&single_edit(number), wanted) == Some(true) {
                return self.cause(&single_edit(number), true);
            }
        }
        // Edits that are named without a trial: the only edit, else the likeliest one that no trial
        // refutes.
        let is_only = self.trials.edits_are_all && self.all.len() == 1;
        let only = is_only.then_some(0);
        // A text of many changed lines is the effect of all of them.
        if at_value.len() > MAX_SINGLE_TRIALS && at_value.len() <= MAX_EDITS_NAMED {
            return self.cause(&at_value, false);
        }
        let mut first = only.iter().chain(likely);
        if let Some(first) = first.find(|number| !self.alone.contains_key(*number)) {
            return self.cause(&single_edit(*first), false);
        }
        let together: EditSet = likely.iter().copied().collect();
        if (2..=MAX_EDITS_NAMED).contains(&together.len()) && self.trial(&together).is_none() {
            return self.cause(&together, false);
        }
        DifferenceCause {
            unnamed_edit_reason: self.missing_edit_reason(wanted),
            ..DifferenceCause::default()
        }
    }

    fn cause(&self, edits: &EditSet, is_tried: bool) -> DifferenceCause {
        let edits = edits.iter().filter_map(|number| self.lines.ids.get(*number).copied());
        DifferenceCause { edits: edits.collect(), is_tried, ..DifferenceCause::default() }
    }

    /// Why no edit can be named as the cause of `wanted`; `None` if both sides have the same
    /// profile and no edits.
    fn missing_edit_reason(&self, wanted: &DifferenceKey) -> Option<NoEdit> {
        let count = self.all.len();
        let without_all = self.without_all.as_ref().and_then(Option::as_ref);
        Some(match without_all.map(|left| self.is_gone(left, wanted)) {
            _ if count == 0 && self.trials.is_alike => return None,
            _ if count == 0 => NoEdit::OtherKustomize,
            Some(false) => NoEdit::AllTakenBack,
            _ if self.alone.len() < count => NoEdit::NotAllTried,
            _ if self.alone.values().any(|is_built| !is_built) => NoEdit::NotBuilt,
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
        for number in likely.iter().take(MAX_SINGLE_TRIALS) {
            if self.reverts_difference(&single_edit(*number), wanted)? {
                return Some(single_edit(*number));
            }
        }
        let together: EditSet = likely.iter().copied().collect();
        if likely.len() > 1 && self.reverts_difference(&together, wanted)? {
            return self.minimize_edits(likely.to_vec(), wanted);
        }
        for window in self.growing_edit_windows(likely) {
            let some: EditSet = window.collect();
            if some.len() > 1 && self.reverts_difference(&some, wanted)? {
                return self.minimize_edits(with_last(&some, &together), wanted);
            }
        }
        if self.all.len() <= MAX_SINGLE_TRIALS {
            for number in 0..self.all.len() {
                if !together.contains(&number)
                    && self.reverts_difference(&single_edit(number), wanted)?
                {
                    return Some(single_edit(number));
                }
            }
        }
        let all = self.all.clone();
        if all.is_empty() || !self.reverts_difference(&all, wanted)? {
            return None;
        }
        self.minimize_edits(with_last(&all, &together), wanted)
    }

    /// Growing ranges of edits around those at the locations of the difference, up to all edits of
    /// the file.
    fn growing_edit_windows(&self, likely: &[usize]) -> Vec<RangeInclusive<usize>> {
        let Some(first) = likely.first().copied() else { return Vec::new() };
        let file = self.lines.edits_of_same_file(first);
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
            (self.few, self.trials.left) = (self.few - 1, self.trials.left - 1);
            let left = self.differences_without(edits);
            if edits.len() == 1 {
                self.alone.extend(edits.iter().map(|number| (*number, left.is_some())));
            }
            if edits.len() == self.all.len() {
                self.without_all = Some(left);
            } else {
                self.tried.insert(edits.clone(), left);
            }
        }
        Some(self.trial(edits)?.as_ref().is_some_and(|left| self.is_gone(left, wanted)))
    }

    fn trial(&self, edits: &EditSet) -> Option<&Trial> {
        let is_all = edits.len() == self.all.len();
        if is_all { self.without_all.as_ref() } else { self.tried.get(edits) }
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
            self.trials.left -= 1;
            self.without_all = Some(self.differences_without(&all));
        }
        if self.without_all.as_ref().is_none_or(Option::is_none) {
            return Vec::new();
        }
        // The other half of the trials is reserved for differences that several edits cause
        // together.
        let left = self.trials.left;
        let mut few = left / 2;
        let groups = EditGroups::build(0..all.len(), &mut |edits| {
            few = few.checked_sub(1)?;
            self.trials.left -= 1;
            self.differences_without(edits)
        });
        self.trials.in_groups += left - self.trials.left;
        groups
    }

    /// Builds the second side without these edits, and returns the differences that remain; `None`
    /// if the build fails.
    fn differences_without(&mut self, edits: &EditSet) -> Option<RemainingDifferences> {
        let mut texts = Vec::new();
        let mut number = edits.first().copied();
        while let Some(first) = number {
            let file = self.lines.edits_of_same_file(first);
            let edited = &self.edits[self.lines.ids.get(first)?.0];
            let taken = edited.with_edits_reverted(&|edit| edits.contains(&(file.start + edit)));
            if !edited.is_sound(taken.as_deref()) {
                return None;
            }
            texts.push((edited.path.clone(), taken));
            number = edits.range(file.end..).next().copied();
        }
        let built = (self.trials.build)(texts)?;
        let pairs = pair_up_by_role(self.before, &built, self.roles);
        let names = new_names(&pairs);
        let keys = pairs.iter().flat_map(|pair| {
            pair_differences(pair, &names)
                .into_iter()
                .map(|change| DifferenceKey::from_change(pair, &change))
                .collect::<Vec<_>>()
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
