//! The smallest part of a list for which a condition holds.

/// Delta debugging: leaves out unnecessary items, halves first, then one by one. `holds` must be
/// true for all items; it is true for the result, and false without any single item of it. `None`
/// if `holds` returns `None`, because no trials remain.
pub fn minimize<T: Clone>(
    mut all: Vec<T>,
    holds: &mut dyn FnMut(&[T]) -> Option<bool>,
) -> Option<Vec<T>> {
    let mut size = all.len().div_ceil(2);
    while size > 0 {
        let (mut at, mut is_smaller) = (0, false);
        while at < all.len() {
            let end = (at + size).min(all.len());
            let rest: Vec<T> = all[..at].iter().chain(&all[end..]).cloned().collect();
            if !rest.is_empty() && holds(&rest)? {
                (all, is_smaller) = (rest, true);
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
    Some(all)
}

#[cfg(test)]
mod tests {
    use crate::answers::experiments::minimize::*;

    #[test]
    fn result_is_minimal() {
        let holds = |kept: &[u32]| Some(kept.contains(&3) && kept.contains(&17));
        let mut tried = 0;
        let found = minimize((0..40).collect(), &mut |kept: &[u32]| {
            tried += 1;
            holds(kept)
        });
        assert_eq!(found, Some(vec![3, 17]));
        assert!(tried < 60, "{tried}");
        assert_eq!(minimize(vec![1], &mut |_| Some(true)), Some(vec![1]));
        assert_eq!(minimize(vec![1, 2], &mut |_| None), None);
    }
}
