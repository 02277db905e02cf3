//! Sorts as Go's `sort.Sort` does: a pattern-defeating quicksort. An order that is none comes out as it does there.

/// Ranges up to this length are sorted by insertion.
const SHORT: usize = 12;
/// From this length on a pivot is the median of three medians.
const LONG: usize = 50;
/// So many pairs are set right in a range that is nearly sorted.
const FEW_STEPS: usize = 5;

/// Sorts by a comparison that may contradict itself.
pub fn go_sort<T>(items: &mut [T], less: impl Fn(&T, &T) -> bool) {
    let limit = bits(items.len());
    let mut sort = Sort { items, less };
    let end = sort.items.len();
    sort.quick(0, end, limit);
}

/// How many bits a number has.
fn bits(number: usize) -> u32 {
    usize::BITS - number.leading_zeros()
}

/// What the choice of a pivot tells of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hint {
    Unknown,
    Increasing,
    Decreasing,
}

struct Sort<'i, T, L> {
    items: &'i mut [T],
    less: L,
}

impl<T, L: Fn(&T, &T) -> bool> Sort<'_, T, L> {
    fn less(&self, one: usize, other: usize) -> bool {
        match (self.items.get(one), self.items.get(other)) {
            (Some(one), Some(other)) => (self.less)(one, other),
            _ => false,
        }
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.items.swap(one, other);
    }

    /// Sorts a range; `limit`: so many pivots may be bad.
    fn quick(&mut self, mut start: usize, mut end: usize, mut limit: u32) {
        let (mut balanced, mut partitioned) = (true, true);
        loop {
            let length = end - start;
            if length <= SHORT {
                return self.insertion(start, end);
            }
            if limit == 0 {
                return self.heap(start, end);
            }
            if !balanced {
                self.break_patterns(start, length);
                limit -= 1;
            }
            let (mut pivot, mut hint) = self.pivot(start, length);
            if hint == Hint::Decreasing {
                self.items[start..end].reverse();
                pivot = (end - 1) - (pivot - start);
                hint = Hint::Increasing;
            }
            let looks_sorted = balanced && partitioned && hint == Hint::Increasing;
            if looks_sorted && self.nearly_sorted(start, end) {
                return;
            }
            if start > 0 && !self.less(start - 1, pivot) {
                start = self.partition_equal(start, end, pivot);
                continue;
            }
            let (middle, was_partitioned) = self.partition(start, end, pivot);
            partitioned = was_partitioned;
            let (left, right) = (middle - start, end - middle);
            balanced = left.min(right) >= length / 8;
            if left < right {
                self.quick(start, middle, limit);
                start = middle + 1;
            } else {
                self.quick(middle + 1, end, limit);
                end = middle;
            }
        }
    }

    fn insertion(&mut self, start: usize, end: usize) {
        for index in start + 1..end {
            let mut at = index;
            while at > start && self.less(at, at - 1) {
                self.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    fn heap(&mut self, start: usize, end: usize) {
        let length = end - start;
        for root in (0..=(length - 1) / 2).rev() {
            self.sift_down(root, length, start);
        }
        for last in (0..length).rev() {
            self.swap(start, start + last);
            self.sift_down(0, last, start);
        }
    }

    fn sift_down(&mut self, mut root: usize, end: usize, first: usize) {
        loop {
            let mut child = 2 * root + 1;
            if child >= end {
                return;
            }
            if child + 1 < end && self.less(first + child, first + child + 1) {
                child += 1;
            }
            if !self.less(first + root, first + child) {
                return;
            }
            self.swap(first + root, first + child);
            root = child;
        }
    }

    /// Puts what is less than the pivot before it: the pivot's place, and whether nothing had to move.
    fn partition(&mut self, start: usize, end: usize, pivot: usize) -> (usize, bool) {
        self.swap(start, pivot);
        let (mut left, mut right) = (start + 1, end - 1);
        let mut nothing_moved = true;
        loop {
            while left <= right && self.less(left, start) {
                left += 1;
            }
            while left <= right && !self.less(right, start) {
                right -= 1;
            }
            if left > right {
                break;
            }
            self.swap(left, right);
            nothing_moved = false;
            left += 1;
            right -= 1;
        }
        self.swap(right, start);
        (right, nothing_moved)
    }

    /// Puts what equals the pivot before what is greater: where that begins.
    fn partition_equal(&mut self, start: usize, end: usize, pivot: usize) -> usize {
        self.swap(start, pivot);
        let (mut left, mut right) = (start + 1, end - 1);
        loop {
            while left <= right && !self.less(start, left) {
                left += 1;
            }
            while left <= right && self.less(start, right) {
                right -= 1;
            }
            if left > right {
                return left;
            }
            self.swap(left, right);
            left += 1;
            right -= 1;
        }
    }

    /// Sets a few pairs right; true when the range is sorted then.
    fn nearly_sorted(&mut self, start: usize, end: usize) -> bool {
        let mut at = start + 1;
        for _ in 0..FEW_STEPS {
            while at < end && !self.less(at, at - 1) {
                at += 1;
            }
            if at == end {
                return true;
            }
            if end - start < LONG {
                return false;
            }
            self.swap(at, at - 1);
            if at - start >= 2 {
                let mut back = at - 1;
                while back >= 1 && self.less(back, back - 1) {
                    self.swap(back, back - 1);
                    back -= 1;
                }
            }
            if end - at >= 2 {
                let mut on = at + 1;
                while on < end && self.less(on, on - 1) {
                    self.swap(on, on - 1);
                    on += 1;
                }
            }
        }
        false
    }

    /// Scatters three items; what is random comes from the length.
    fn break_patterns(&mut self, start: usize, length: usize) {
        let mut random = length as u64;
        let mask = (1_usize << bits(length)) - 1;
        let middle = start + (length / 4) * 2;
        for index in middle - 1..=middle + 1 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let other = usize::try_from(random & mask as u64).unwrap_or(0);
            self.swap(index, start + if other >= length { other - length } else { other });
        }
    }

    fn pivot(&self, start: usize, length: usize) -> (usize, Hint) {
        let mut swaps = 0;
        let quarter = length / 4;
        let at = [start + quarter, start + quarter * 2, start + quarter * 3];
        let medians = if length >= LONG {
            at.map(|at| self.median([at - 1, at, at + 1], &mut swaps))
        } else {
            at
        };
        let pivot = self.median(medians, &mut swaps);
        let hint = match swaps {
            0 => Hint::Increasing,
            12 => Hint::Decreasing,
            _ => Hint::Unknown,
        };
        (pivot, hint)
    }

    fn median(&self, [mut one, mut two, mut three]: [usize; 3], swaps: &mut usize) -> usize {
        let mut order = |first: &mut usize, second: &mut usize| {
            if self.less(*second, *first) {
                *swaps += 1;
                std::mem::swap(first, second);
            }
        };
        order(&mut one, &mut two);
        order(&mut two, &mut three);
        order(&mut one, &mut two);
        two
    }
}
