//! The search for the commit that introduced a change, among the commits between a good one and a
//! bad one.

use std::collections::{BTreeMap, BTreeSet};

use crate::repository::Lineage;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommitVerdict {
    Good,
    Bad,
    NotKnown(String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bisection {
    /// The first bad commit; several if commits between could not be judged.
    pub suspects: Vec<String>,
    /// The parents of the only suspect, a merge, that are bad too: the change is in a branch that
    /// forked before the good commit.
    pub bad_parents: Vec<String>,
    pub verdicts: BTreeMap<String, CommitVerdict>,
}

/// The limit on commits for which the best one to judge next is computed; with more, the middle of
/// the list is judged.
const MAX_RANKED_COMMITS: usize = 512;

/// Finds the first bad commit. `range` has the commits that lead to the bad one and not to the good
/// one, every commit before its parents, the bad one first.
///
/// The search follows ancestry, as `git bisect` does: a bad commit leaves its ancestors under
/// suspicion, a good one clears its ancestors. At the end the parents of the last suspect are
/// judged as well, so that the answer does not depend on commits that were not built: if a parent
/// is bad, the search continues from it.
pub fn bisect(range: &[Lineage], judge: &mut dyn FnMut(&str) -> CommitVerdict) -> Bisection {
    let places = range.iter().enumerate().map(|(at, it)| (it.id.as_str(), at)).collect();
    let verdicts = range.first().map(|bad| (bad.id.clone(), CommitVerdict::Bad));
    let mut search = Search { range, places, judge, verdicts: verdicts.into_iter().collect() };
    let mut bad = 0;
    while !range.is_empty() {
        let suspects = search.narrow_suspects(bad);
        let mut bad_parents = Vec::new();
        if let [only] = *suspects {
            bad_parents.clone_from(&range[only].parents);
            bad_parents.retain(|id| search.verdict(id) == CommitVerdict::Bad);
            if let Some(older) = bad_parents.iter().find_map(|id| search.places.get(id.as_str())) {
                bad = *older;
                continue;
            }
        }
        let suspects = suspects.iter().map(|at| range[*at].id.clone()).collect();
        return Bisection { suspects, bad_parents, verdicts: search.verdicts };
    }
    Bisection::default()
}

/// A search with the verdicts about commits, each of which is built once.
struct Search<'a> {
    range: &'a [Lineage],
    places: BTreeMap<&'a str, usize>,
    judge: &'a mut dyn FnMut(&str) -> CommitVerdict,
    verdicts: BTreeMap<String, CommitVerdict>,
}

impl Search<'_> {
    fn verdict(&mut self, id: &str) -> CommitVerdict {
        self.verdicts.entry(id.to_owned()).or_insert_with(|| (self.judge)(id)).clone()
    }

    /// The indices of a commit and of its ancestors among some commits.
    fn ancestors(&self, of: usize, among: &BTreeSet<usize>) -> BTreeSet<usize> {
        let (mut found, mut next) = (BTreeSet::new(), vec![of]);
        while let Some(at) = next.pop() {
            if among.contains(&at) && found.insert(at) {
                let parents = self.range[at].parents.iter();
                next.extend(parents.filter_map(|id| self.places.get(id.as_str())));
            }
        }
        found
    }

    /// Judges ancestors of a bad commit as far as possible, and returns the commits that may still
    /// be the first bad one.
    fn narrow_suspects(&mut self, bad: usize) -> Vec<usize> {
        let all = (0..self.range.len()).collect();
        let mut left = self.ancestors(bad, &all);
        let mut bad = bad;
        while let Some(next) = self.best_candidate(&left, bad) {
            match self.verdict(&self.range[next].id) {
                CommitVerdict::Bad => {
                    let below = self.ancestors(next, &left);
                    left.retain(|at| below.contains(at));
                    bad = next;
                }
                CommitVerdict::Good => {
                    let below = self.ancestors(next, &left);
                    left.retain(|at| !below.contains(at));
                }
                CommitVerdict::NotKnown(_) => {}
            }
        }
        left.into_iter().collect()
    }

    /// The commit to judge next: with either verdict, as many suspects as possible are excluded.
    fn best_candidate(&self, left: &BTreeSet<usize>, bad: usize) -> Option<usize> {
        let not_known = |at: &usize| {
            matches!(self.verdicts.get(&self.range[*at].id), Some(CommitVerdict::NotKnown(_)))
        };
        let open: Vec<usize> =
            left.iter().filter(|at| **at != bad && !not_known(at)).copied().collect();
        if left.len() > MAX_RANKED_COMMITS {
            return open.get(open.len() / 2).copied();
        }
        let worth = |at: &usize| {
            let size = self.ancestors(*at, left).len();
            size.min(left.len() - size)
        };
        // Of several equally good commits, the newest one is judged. It is the first in the list.
        open.iter().copied().rev().max_by_key(worth)
    }
}

#[cfg(test)]
mod tests {
    use crate::answers::experiments::bisect::*;

    /// Commits from a text such as `c: b a, b: a`: each with its parents, the newest commit first.
    fn range(text: &str) -> Vec<Lineage> {
        let commit = |line: &str| {
            let (id, parents) = line.split_once(':').unwrap_or((line, ""));
            let parents = parents.split_whitespace().map(str::to_owned).collect();
            Lineage { id: id.trim().to_owned(), parents }
        };
        text.split(',').map(commit).collect()
    }

    fn find_suspects(history: &str, bad: &[&str], not_known: &[&str]) -> Vec<String> {
        let found = bisect(&range(history), &mut |id| match id {
            _ if not_known.contains(&id) => CommitVerdict::NotKnown("no".to_owned()),
            _ if bad.contains(&id) => CommitVerdict::Bad,
            _ => CommitVerdict::Good,
        });
        found.suspects
    }

    #[test]
    fn first_bad_commit_and_unknown_commits_before_it_are_suspects() {
        let merged = "m: b2 a2,b2: b1,b1: r,a2: a1,a1: r";
        let line = "d: c,c: b,b: a,a: r";
        // Bad, good again, bad: a good commit clears its ancestors, and one of them is a parent of
        // the answer.
        let again = "m: g x,g: p,x: p,p: a,a: r";
        for (history, bad, not_known, suspects) in [
            (merged, &["m", "a2"][..], &[][..], &["a2"][..]),
            (merged, &["m", "b1", "b2"], &[], &["b1"]),
            (merged, &["m"], &[], &["m"]),
            (line, &["d", "c"], &["b"], &["c", "b"]),
            (line, &["d"], &["a", "b", "c"], &["d", "c", "b", "a"]),
            (line, &["d", "c"], &["a"], &["c"]),
            (again, &["m", "x", "p"], &[], &["p"]),
        ] {
            assert_eq!(find_suspects(history, bad, not_known), suspects);
        }
        let outside = bisect(&range("a: old"), &mut |_| CommitVerdict::Bad);
        assert_eq!((outside.suspects, outside.bad_parents), (vec!["a".into()], vec!["old".into()]));
    }
}
