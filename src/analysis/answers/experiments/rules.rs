//! The shortest conditions under which a result holds, derived from cases. A case is a state of all
//! switches, one bit each.

/// A state of all switches, one bit each.
pub(in crate::answers) type SwitchSet = u128;

/// A condition: some switches, each of which must be on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::answers) struct Literals {
    named: SwitchSet,
    on: SwitchSet,
}

impl Literals {
    pub(in crate::answers) fn matches(&self, case: SwitchSet) -> bool {
        case & self.named == self.on
    }

    /// The switches that must be on, and those that must be off.
    pub(in crate::answers) fn split(&self) -> (SwitchSet, SwitchSet) {
        (self.on, self.named & !self.on)
    }

    /// True if the condition contains every switch of another, in the same state.
    fn includes(&self, other: &Self) -> bool {
        self.named & other.named == other.named && self.on & other.named == other.on
    }
}

/// Every condition on at most `most` of the first `count` switches that holds in at least one case,
/// fails in no case, and contains no shorter condition of this kind. Unknown cases count as
/// neither. The shortest conditions come first.
pub(in crate::answers) fn implicants(
    cases: &[(SwitchSet, Option<bool>)],
    count: usize,
    most: usize,
) -> Vec<Literals> {
    let mut found: Vec<Literals> = Vec::new();
    if cases.iter().all(|(_, holds)| *holds != Some(true)) {
        return found;
    }
    let mut level = vec![Literals { named: 0, on: 0 }];
    for size in 0..=most.min(count) {
        let mut next = Vec::new();
        for literals in level {
            if found.iter().any(|shorter| literals.includes(shorter)) {
                continue;
            }
            let (mut holds, mut fails) = (false, false);
            for (_, known) in cases.iter().filter(|(case, _)| literals.matches(*case)) {
                holds |= *known == Some(true);
                fails |= *known == Some(false);
            }
            match (holds, fails) {
                (true, false) => found.push(literals),
                (true, true) if size < most => next.extend(extend_by_one(&literals, count)),
                // Longer conditions match fewer cases: one that holds in no case never will.
                _ => {}
            }
        }
        level = next;
    }
    found
}

/// The conditions with one more switch, of a higher number than the present switches, so that each
/// set of switches is created once.
fn extend_by_one(literals: &Literals, count: usize) -> impl Iterator<Item = Literals> {
    let first = SwitchSet::BITS as usize - literals.named.leading_zeros() as usize;
    let literals = *literals;
    (first..count).flat_map(move |at| {
        let named = literals.named | 1 << at;
        [Literals { named, on: literals.on | 1 << at }, Literals { named, on: literals.on }]
    })
}

/// Conditions that together cover every case in which any condition holds, the shortest first. Of
/// several equally short conditions, the one that covers most of the open cases is chosen.
pub(in crate::answers) fn minimal_cover(
    found: Vec<Literals>,
    cases: &[(SwitchSet, Option<bool>)],
) -> Vec<Literals> {
    let mut open: Vec<SwitchSet> =
        cases.iter().filter(|(_, holds)| *holds == Some(true)).map(|(case, _)| *case).collect();
    let mut rest = found;
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let worth =
            |literals: &Literals| open.iter().filter(|case| literals.matches(**case)).count();
        let best = rest.iter().enumerate().map(|(at, it)| (at, it.named.count_ones(), worth(it)));
        let best = best.filter(|(.., worth)| *worth > 0);
        let best = best.min_by_key(|(at, size, worth)| (*size, std::cmp::Reverse(*worth), *at));
        let Some((at, ..)) = best else { break };
        let literals = rest.remove(at);
        open.retain(|case| !literals.matches(*case));
        chosen.push(literals);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use crate::answers::experiments::rules::*;

    /// The conditions of a result; each consists of the switches that are on and those that are
    /// off, one bit each.
    fn learn_conditions(
        count: usize,
        most: usize,
        holds: impl Fn(SwitchSet) -> Option<bool>,
    ) -> Vec<(SwitchSet, SwitchSet)> {
        let cases: Vec<(SwitchSet, Option<bool>)> =
            (0..1 << count).map(|case| (case, holds(case))).collect();
        minimal_cover(implicants(&cases, count, most), &cases).iter().map(Literals::split).collect()
    }

    #[test]
    fn the_shortest_conditions_are_learned() {
        let bit = |case: SwitchSet, at: u32| case >> at & 1 == 1;
        assert_eq!(
            learn_conditions(4, 4, |case| Some(bit(case, 2) && !bit(case, 0))),
            [(0b100, 0b1)]
        );
        assert_eq!(
            learn_conditions(4, 4, |case| Some(bit(case, 0) && bit(case, 1) || bit(case, 3))),
            [(0b1000, 0), (0b11, 0)]
        );
        assert_eq!(learn_conditions(3, 3, |_| Some(true)), [(0, 0)]);
        assert_eq!(learn_conditions(3, 3, |_| Some(false)), []);
        let three = |case: SwitchSet| Some(bit(case, 0) && bit(case, 1) && !bit(case, 2));
        assert_eq!(learn_conditions(3, 3, three), [(0b11, 0b100)]);
        assert_eq!(learn_conditions(3, 2, three), []);
    }

    #[test]
    fn unknown_cases_are_ignored() {
        let cases = |case: SwitchSet| (case & 1 == 0).then_some(case & 2 == 2);
        assert_eq!(learn_conditions(2, 2, cases), [(0b10, 0)]);
        assert_eq!(learn_conditions(2, 2, |_| None), []);
    }
}
