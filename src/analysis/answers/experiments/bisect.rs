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
    let graph = CommitGraph::new(range);
    let mut asked = VerdictCache { judge, verdicts: BTreeMap::new() };
    let Some(first) = range.first() else { return Bisection::default() };
    asked.verdicts.insert(first.id.clone(), CommitVerdict::Bad);
    let mut bad = 0;
    loop {
        let suspects = graph.narrow_suspects(bad, &mut asked);
        let ids: Vec<String> = suspects.iter().map(|at| range[*at].id.clone()).collect();
        let mut bad_parents = Vec::new();
        if let [only] = *suspects {
            let parents = range[only].parents.iter();
            bad_parents =
                parents.filter(|id| asked.verdict(id) == CommitVerdict::Bad).cloned().collect();
            if let Some(older) = bad_parents.iter().find_map(|id| graph.places.get(id.as_str())) {
                bad = *older;
                continue;
            }
        }
        return Bisection { suspects: ids, bad_parents, verdicts: asked.verdicts };
    }
}

/// The verdicts about commits, each of which is built once.
struct VerdictCache<'a> {
    judge: &'a mut dyn FnMut(&str) -> CommitVerdict,
    verdicts: BTreeMap<String, CommitVerdict>,
}

impl VerdictCache<'_> {
    fn verdict(&mut self, id: &str) -> CommitVerdict {
        self.verdicts.entry(id.to_owned()).or_insert_with(|| (self.judge)(id)).clone()
    }
}

struct CommitGraph<'r> {
    range: &'r [Lineage],
    places: BTreeMap<&'r str, usize>,
}

impl<'r> CommitGraph<'r> {
    fn new(range: &'r [Lineage]) -> Self {
        let places = range.iter().enumerate().map(|(at, it)| (it.id.as_str(), at)).collect();
        Self { range, places }
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
    fn narrow_suspects(&self, bad: usize, asked: &mut VerdictCache<'_>) -> Vec<usize> {
        let all = (0..self.range.len()).collect();
        let mut left = self.ancestors(bad, &all);
        let mut bad = bad;
        while let Some(next) = self.best_candidate(&left, bad, &asked.verdicts) {
            match asked.verdict(&self.range[next].id) {
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
    fn best_candidate(
        &self,
        left: &BTreeSet<usize>,
        bad: usize,
        verdicts: &BTreeMap<String, CommitVerdict>,
    ) -> Option<usize> {
        let not_known = |at: &usize| {
            matches!(verdicts.get(&self.range[*at].id), Some(CommitVerdict::NotKnown(_)))
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
