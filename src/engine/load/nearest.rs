//! Similar names, by edit distance.

/// Size limit for words whose edit distance is computed, which takes time in proportion to the
/// product of both lengths. Names of Kubernetes objects are shorter (at most 253 letters).
const MAX_WORD_BYTES: usize = 256;

/// The name with the smallest edit distance, if that is a typing error; of several, the first.
pub fn nearest_name<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut limit = (wanted.chars().count() / 3).max(1);
    let mut nearest = None;
    for name in names {
        let Some(distance) = name_distance(wanted, name, limit) else { continue };
        nearest = Some(name);
        // From now on, only a strictly nearer name is accepted.
        let Some(less) = distance.checked_sub(1) else { break };
        limit = less;
    }
    nearest
}

/// The edit distance of two names, if it is not above the limit and their words are similar.
pub fn name_distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    edit_distance_within(a, b, limit).filter(|_| are_words_similar(a, b))
}

/// False for two names of as many words, with words that are not similar: `redis-patch` is no
/// misspelled `nginx-patch`.
fn are_words_similar(a: &str, b: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        let words = name.split(|it: char| !it.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let (a, b) = (words(a), words(b));
    a.len() != b.len()
        || a.iter().zip(&b).all(|(one, other)| {
            let limit = (one.chars().count().max(other.chars().count()) * 2 / 5).max(1);
            edit_distance_within(one, other, limit).is_some()
        })
}

/// The edit distance, if not above the limit; for most names comparing the letters is enough.
pub fn edit_distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.is_ascii() && b.is_ascii() {
        let (x, y) = (letters(a), letters(b));
        let is_far = || {
            // Each letter that only one word contains needs at least one edit.
            let missing = (x & !y).count_ones().max((y & !x).count_ones());
            missing as usize > limit
        };
        if a.len().abs_diff(b.len()) > limit || is_far() {
            return None;
        }
    }
    Some(edit_distance(a, b)).filter(|distance| *distance <= limit)
}

/// The set of letters in a word as a bit mask; case is ignored.
fn letters(word: &str) -> u128 {
    word.bytes().fold(0, |all, letter| all | 1 << (letter.to_ascii_lowercase() & 127))
}

/// The edit distance of two words, case ignored: letters that are missing, added, replaced, or
/// swapped. For words of more than 256 letters, the length of the longer one.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let longer = a.len().max(b.len());
    if longer > MAX_WORD_BYTES {
        return if a == b { 0 } else { longer };
    }
    strsim::osa_distance(&a.to_lowercase(), &b.to_lowercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn swapped_letters_count_as_one_edit() {
        for (wanted, there) in [("wbe", "web"), ("ngnix", "nginx"), ("Deploymnet", "Deployment")] {
            assert_eq!(edit_distance(wanted, there), 1);
            assert_eq!(nearest_name(wanted, [there].into_iter()), Some(there));
        }
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }

    #[test]
    fn names_of_as_many_words_are_compared_by_word() {
        let near = |wanted: &str, there: &str| nearest_name(wanted, [there].into_iter()).is_some();
        assert!(
            near("cert-manger", "cert-manager")
                && near("catalog-servce.yaml", "catalog-service.yaml")
        );
        assert!(!near("redis-production-patch.yaml", "nginx-production-patch.yaml"));
        assert!(!near("SECRET_GRAFANA_PASSWORD", "SECRET_OPENVPN_PASSWORD"));
    }

    #[test]
    fn words_longer_than_any_name_are_not_compared() {
        let (a, b) = ("a".repeat(400_000), "a".repeat(399_999));
        assert_eq!(nearest_name(&a, [&*b].into_iter()), None);
        assert_eq!(edit_distance(&a, &b), 400_000);
        assert_eq!((edit_distance(&a, &a), edit_distance(&a[..256], &b[..255])), (0, 1));
    }

    proptest! {
        #[test]
        fn bounded_distance_equals_full_distance(a in "[abAB1é]{0,7}", b in "[abAB1é]{0,7}", limit in 0..5_usize) {
            let all = edit_distance(&a, &b);
            prop_assert_eq!(edit_distance_within(&a, &b, limit), Some(all).filter(|distance| *distance <= limit));
        }

        #[test]
        fn nearest_name_is_first_with_least_distance(wanted in "[ab]{0,7}", names in prop::collection::vec("[ab]{0,7}", 0..8)) {
            let limit = (wanted.len() / 3).max(1);
            let near = names.iter().filter(|name| edit_distance(&wanted, name) <= limit);
            let least = near.min_by_key(|name| edit_distance(&wanted, name));
            prop_assert_eq!(nearest_name(&wanted, names.iter().map(String::as_str)), least.map(String::as_str));
        }
    }
}
