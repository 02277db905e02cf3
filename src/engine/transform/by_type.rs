//! What is known of each type of resource.

use crate::resource::{Gvk, QuickMap};

/// So many types are compared with one by one, which costs less than to hash one. Most builds have no more.
const FEW: usize = 12;

/// Values by type.
#[derive(Debug)]
pub(super) struct ByType<T> {
    known: Vec<(Gvk, T)>,
    /// Where each of them stands, when they are more than a few.
    places: QuickMap<Gvk, usize>,
}

impl<T> Default for ByType<T> {
    fn default() -> Self {
        Self { known: Vec::new(), places: QuickMap::default() }
    }
}

impl<T> ByType<T> {
    /// What is known of a type.
    pub(super) fn get_mut(&mut self, gvk: &Gvk) -> Option<&mut T> {
        let is_it = |(known, _): &(Gvk, T)| {
            known.kind == gvk.kind && known.version == gvk.version && known.group == gvk.group
        };
        let place = if self.known.len() <= FEW {
            self.known.iter().position(is_it)
        } else {
            self.places.get(gvk).copied()
        };
        self.known.get_mut(place?).map(|(_, value)| value)
    }

    /// Adds a type of which nothing is known yet.
    pub(super) fn insert(&mut self, gvk: &Gvk, value: T) {
        self.known.push((gvk.clone(), value));
        let unplaced = self.known.iter().enumerate().skip(self.places.len());
        if self.known.len() > FEW {
            self.places.extend(unplaced.map(|(place, (gvk, _))| (gvk.clone(), place)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_types_are_found() {
        let mut by_type = ByType::default();
        let gvk = |number: usize| Gvk::new("a/v1", &format!("K{number}"));
        for number in 0..3 * FEW {
            assert_eq!(by_type.get_mut(&gvk(number)), None);
            by_type.insert(&gvk(number), number);
            for known in 0..=number {
                assert_eq!(by_type.get_mut(&gvk(known)), Some(&mut { known }));
            }
        }
        assert_eq!(by_type.get_mut(&Gvk::new("b/v1", "K0")), None);
        assert_eq!(by_type.get_mut(&Gvk::new("a/v2", "K0")), None);
    }
}
