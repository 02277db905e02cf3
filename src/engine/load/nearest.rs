//! Slips of the pen: which name was probably meant.

/// The name that is nearest to a wanted one by edit distance, if any is near enough to be a slip of the pen.
pub fn nearest_name<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (wanted.chars().count() / 3).max(1);
    names
        .map(|name| (slips(wanted, name), name))
        .filter(|(slips, _)| *slips <= limit)
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, name)| name)
}

/// How many slips of the pen lie between two words, case ignored: letters that are missing, too many, other ones, or
/// two that changed places.
pub fn slips(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (row[j] + usize::from(x != y)).min(row[j + 1] + 1).min(next[j] + 1);
            let swapped = i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y;
            if swapped {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_changed_places_are_one_slip() {
        for (wanted, there) in [("wbe", "web"), ("ngnix", "nginx"), ("Deploymnet", "Deployment")] {
            assert_eq!(slips(wanted, there), 1);
            assert_eq!(nearest_name(wanted, [there].into_iter()), Some(there));
        }
        assert_eq!(slips("kitten", "sitting"), 3);
    }
}
