//! The smallest part of a list for which a condition holds.

/// Delta debugging: leaves out unnecessary items, halves first, then one by one. `holds` must be
/// true for all items; it is true for the items that are left, and false without any single one of
/// them. `None` if `holds` returns `None`, because no trials remain.
pub fn minimize<T: Clone>(
    all: &mut Vec<T>,
    holds: &mut dyn FnMut(&[T]) -> Option<bool>,
) -> Option<()> {
    let mut size = all.len().div_ceil(2);
    while size > 0 {
        let (mut at, mut is_smaller) = (0, false);
        while at < all.len() {
            let end = (at + size).min(all.len());
            let rest = [&all[..at], &all[end..]].concat();
            if !rest.is_empty() && holds(&rest)? {
                (*all, is_smaller) = (rest, true);
            } else {
                at = end;
            }
        }
        size = match (size, is_smaller) {
            (1, false) => 0,
            (1, true) => 1,
            _ => size.div_ceil(2),
        };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use crate::answers::compare::minimize::*;

    #[test]
    fn result_is_minimal() {
        let mut tried = 0;
        let mut all: Vec<u32> = (0..40).collect();
        minimize(&mut all, &mut |kept: &[u32]| {
            tried += 1;
            Some(kept.contains(&3) && kept.contains(&17))
        });
        assert_eq!(all, [3, 17]);
        assert!(tried < 60, "{tried}");
        assert_eq!(minimize(&mut vec![1], &mut |_| Some(true)), Some(()));
        assert_eq!(minimize(&mut vec![1, 2], &mut |_| None), None);
    }
}
