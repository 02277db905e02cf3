//! Sets of edits by number: a run of neighbours is stored as a range.

use std::ops::Range;

/// Edit numbers as disjoint ranges in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EditSet(Vec<(usize, usize)>);

impl EditSet {
    pub(super) fn contains(&self, number: usize) -> bool {
        let behind = self.0.partition_point(|(_, end)| *end <= number);
        self.0.get(behind).is_some_and(|(start, _)| *start <= number)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|(start, end)| end - start).sum()
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        self.0.iter().flat_map(|(start, end)| *start..*end)
    }

    /// The first edit of the set with this number or a higher one.
    pub(super) fn next_from(&self, number: usize) -> Option<usize> {
        let behind = self.0.partition_point(|(_, end)| *end <= number);
        self.0.get(behind).map(|(start, _)| number.max(*start))
    }

    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.0.iter().map(|(start, end)| *start..*end)
    }
}

impl FromIterator<Range<usize>> for EditSet {
    fn from_iter<R: IntoIterator<Item = Range<usize>>>(ranges: R) -> Self {
        let ranges = ranges.into_iter().filter(|range| !range.is_empty());
        let mut ranges: Vec<_> = ranges.map(|range| (range.start, range.end)).collect();
        ranges.sort_unstable();
        ranges.dedup_by(|next, last| {
            let meets = next.0 <= last.1;
            if meets {
                last.1 = last.1.max(next.1);
            }
            meets
        });
        Self(ranges)
    }
}

impl FromIterator<usize> for EditSet {
    fn from_iter<N: IntoIterator<Item = usize>>(numbers: N) -> Self {
        numbers.into_iter().map(|number| number..number + 1).collect()
    }
}

/// A sequence of edits in any order, from which edits can be left out by position.
#[derive(Clone, Debug)]
pub(super) struct EditSequence(Vec<Range<usize>>);

impl EditSequence {
    pub(super) fn from_numbers(numbers: &[usize]) -> Self {
        Self(numbers.iter().map(|number| *number..*number + 1).collect())
    }

    /// All edits in ascending order, except that those of `last` are at the end.
    pub(super) fn with_last(all: &EditSet, last: &EditSet) -> Self {
        let (mut first, mut behind) = (Vec::new(), Vec::new());
        for range in all.ranges() {
            let mut at = range.start;
            let from = last.0.partition_point(|(_, end)| *end <= range.start);
            for (start, end) in last.0[from..].iter().take_while(|(start, _)| *start < range.end) {
                let (start, end) = (*start.max(&range.start), *end.min(&range.end));
                first.push(at..start);
                behind.push(start..end);
                at = end;
            }
            first.push(at..range.end);
        }
        first.retain(|range| !range.is_empty());
        first.extend(behind);
        Self(first)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(ExactSizeIterator::len).sum()
    }

    /// The sequence without the edits at these positions.
    pub(super) fn without(&self, places: &Range<usize>) -> Self {
        let mut rest = Vec::with_capacity(self.0.len() + 1);
        let mut at = 0;
        for range in &self.0 {
            let (start, end) = (at, at + range.len());
            let from = places.start.clamp(start, end) - start;
            let to = places.end.clamp(start, end) - start;
            rest.push(range.start..range.start + from);
            rest.push(range.start + to..range.end);
            at = end;
        }
        rest.retain(|range| !range.is_empty());
        Self(rest)
    }

    pub(super) fn to_set(&self) -> EditSet {
        self.0.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_edits_become_one_range() {
        let set: EditSet = [7, 3, 4, 5, 3].into_iter().collect();
        assert_eq!(set, EditSet(vec![(3, 6), (7, 8)]));
        assert_eq!(set, [3..5, 4..6, 7..8, 9..9].into_iter().collect());
        assert_eq!((set.len(), set.numbers().collect::<Vec<_>>()), (4, vec![3, 4, 5, 7]));
        assert_eq!(
            [2, 3, 5, 6, 7, 8].map(|it| set.contains(it)),
            [false, true, true, false, true, false]
        );
    }

    #[test]
    fn edits_are_left_out_by_position() {
        let all: EditSet = [0..10, 20..24].into_iter().collect();
        let last: EditSet = [4, 5, 21].into_iter().collect();
        let row = EditSequence::with_last(&all, &last);
        let mut numbers: Vec<usize> = all.numbers().collect();
        numbers.sort_by_key(|number| last.contains(*number));
        assert_eq!(row.0.iter().cloned().flatten().collect::<Vec<_>>(), numbers);
        for places in [0..7, 3..4, 10..14, 13..14, 2..2] {
            let mut rest = numbers.clone();
            rest.drain(places.clone());
            let row = row.without(&places);
            assert_eq!(row.0.iter().cloned().flatten().collect::<Vec<_>>(), rest, "{places:?}");
            assert_eq!((row.len(), row.to_set()), (rest.len(), rest.into_iter().collect()));
        }
    }
}
