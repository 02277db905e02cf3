//! The orders in which go-yaml prints keys: by letters, and numbers by value.

use std::cmp::Ordering;

use crate::yaml::MappingEntry;

use super::keys::Key;

/// Sorts keys into go-yaml v2's natural order; they must be sorted bytewise.
pub(super) fn sort_naturally(keys: &mut Vec<Key<'_>>) {
    sort(keys, &|one, other| compare_naturally(&one.0, &other.0));
}

/// Sorts the entries of a mapping as go-yaml prints a map of Go.
pub fn sort_entries(entries: &mut Vec<MappingEntry>) {
    entries.sort_by(|one, other| one.key.text().cmp(&other.key.text()));
    sort(entries, &|one, other| {
        let (one, other) = (one.key.text(), other.key.text());
        compare_naturally(one.unwrap_or_default(), other.unwrap_or_default())
    });
}

/// Sorts by an order that may have cycles (`v12`, `v1beta1`, `v2`), for which Kustomize's own
/// output is random. Here equal sets of keys always have the same order.
fn sort<T>(keys: &mut Vec<T>, order: &dyn Fn(&T, &T) -> Ordering) {
    if keys.windows(2).all(|pair| order(&pair[0], &pair[1]) != Ordering::Greater) {
        return;
    }
    // The standard sort may panic on an order with cycles; this merge sort cannot.
    let mut width = 1;
    let mut spare = Vec::with_capacity(keys.len());
    while width < keys.len() {
        let mut runs = std::mem::take(keys).into_iter();
        while runs.len() > 0 {
            let mut left = take(&mut runs, width).peekable();
            let mut right = take(&mut runs, width).peekable();
            while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
                let right_first = order(a, b) == Ordering::Greater;
                spare.extend(if right_first { right.next() } else { left.next() });
            }
            spare.extend(left);
            spare.extend(right);
        }
        *keys = std::mem::take(&mut spare);
        width *= 2;
    }
}

fn take<T>(from: &mut impl Iterator<Item = T>, count: usize) -> std::vec::IntoIter<T> {
    from.by_ref().take(count).collect::<Vec<_>>().into_iter()
}

/// go-yaml v2's order of two keys.
pub(super) fn compare_naturally(a: &str, b: &str) -> Ordering {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let start = (0..=same).rev().find(|&at| a.is_char_boundary(at)).unwrap_or(0);
    let (rest_a, rest_b) = (&a[start..], &b[start..]);
    let (Some(x), Some(y)) = (rest_a.chars().next(), rest_b.chars().next()) else {
        return a.len().cmp(&b.len());
    };
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => return x.cmp(&y),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let after_digit = (x == '0' || y == '0')
        && a[..start].chars().rev().take_while(|c| is_digit(*c)).any(|c| c != '0');
    let (number_a, length_a) = number(rest_a, after_digit);
    let (number_b, length_b) = number(rest_b, after_digit);
    number_a.cmp(&number_b).then(length_a.cmp(&length_b)).then(x.cmp(&y))
}

/// The number at the start of a text, in Go's wrapping arithmetic, and its count of digits.
fn number(text: &str, after_digit: bool) -> (i64, usize) {
    let digits = text.chars().take_while(|c| is_digit(*c));
    digits.fold((i64::from(after_digit), 0), |(value, length), c| {
        let digit = i64::from(u32::from(c)) - i64::from(b'0');
        (value.wrapping_mul(10).wrapping_add(digit), length + 1)
    })
}

/// Limitation: outside ASCII, Unicode's number forms count as digits, too.
fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || !c.is_ascii() && c.is_numeric()
}
