//! An ordered map of all resources of a build. Many copies of it exist at the same time.

use super::Slot;

/// Values in a separate order, found by slot. Since slots are numbered consecutively, their
/// positions are stored in a list: no hashing is needed, and a copy costs half as much as that of a
/// hash table.
#[derive(Clone, Debug)]
pub(super) struct BySlot<V> {
    entries: Vec<(Slot, V)>,
    /// The position of each slot in `entries`, for slots from `first` on.
    places: Vec<u32>,
    first: u32,
}

/// The entry in `places` of a slot without a value.
const NOWHERE: u32 = u32::MAX;

impl<V> Default for BySlot<V> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: Vec::new(), first: 0 }
    }
}

impl<V> BySlot<V> {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (Slot, &V)> + ExactSizeIterator {
        self.entries.iter().map(|(slot, value)| (*slot, value))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (Slot, &mut V)> {
        self.entries.iter_mut().map(|(slot, value)| (*slot, value))
    }

    pub(super) fn place(&self, slot: Slot) -> Option<usize> {
        let place = *self.places.get(slot.0.checked_sub(self.first)? as usize)?;
        (place != NOWHERE).then_some(place as usize)
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&V> {
        self.entries.get(self.place(slot)?).map(|(_, value)| value)
    }

    pub(super) fn get_mut(&mut self, slot: Slot) -> Option<&mut V> {
        let place = self.place(slot)?;
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    /// Sets the value of a slot; a new slot is added at the end.
    pub(super) fn insert(&mut self, slot: Slot, value: V) {
        if let Some(known) = self.get_mut(slot) {
            *known = value;
            return;
        }
        self.make_room(slot);
        self.entries.push((slot, value));
        self.set_places(self.entries.len() - 1);
    }

    /// Removes a value; later ones move up.
    pub(super) fn remove(&mut self, slot: Slot) -> Option<V> {
        let place = self.place(slot)?;
        let (_, value) = self.entries.remove(place);
        self.places[(slot.0 - self.first) as usize] = NOWHERE;
        self.set_places(place);
        Some(value)
    }

    pub(super) fn retain(&mut self, stays: impl Fn(Slot) -> bool) {
        self.places.fill(NOWHERE);
        self.entries.retain(|(slot, _)| stays(*slot));
        self.set_places(0);
    }

    /// Moves the values into the order of these slots. All other values follow in their present
    /// order.
    pub(super) fn reorder(&mut self, order: &[Slot]) {
        let entries = std::mem::take(&mut self.entries);
        let mut left: Vec<Option<(Slot, V)>> = entries.into_iter().map(Some).collect();
        self.entries.reserve_exact(left.len());
        for slot in order {
            let place = self.place(*slot);
            self.entries.extend(place.and_then(|place| left[place].take()));
        }
        self.entries.extend(left.into_iter().flatten());
        self.set_places(0);
    }

    /// Extends the list of positions to a slot. At the front, the list grows by its own length, so
    /// that slots in descending order do not move all positions each time.
    fn make_room(&mut self, slot: Slot) {
        if self.places.is_empty() {
            self.first = slot.0;
        }
        if let Some(missing) = self.first.checked_sub(slot.0).filter(|missing| *missing > 0) {
            let grown = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
            let more = missing.max(grown.min(self.first));
            self.places.splice(0..0, std::iter::repeat_n(NOWHERE, more as usize));
            self.first -= more;
        }
        let reach = (slot.0 - self.first) as usize + 1;
        if self.places.len() < reach {
            self.places.resize(reach, NOWHERE);
        }
    }

    fn set_places(&mut self, from: usize) {
        for (place, (slot, _)) in self.entries.iter().enumerate().skip(from) {
            let at = slot.0.checked_sub(self.first).map(|at| at as usize);
            if let Some(known) = at.and_then(|at| self.places.get_mut(at)) {
                *known = u32::try_from(place).unwrap_or(NOWHERE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;

    use super::*;

    /// Behaves like any ordered map, regardless of the order in which slots are added.
    #[test]
    fn values_are_found_by_slot_in_an_order_of_their_own() {
        let (mut map, mut plain) = (BySlot::default(), IndexMap::<Slot, u32>::new());
        let mut number = 7_u32;
        let mut next = move |below: u32| {
            number = number.wrapping_mul(1_103_515_245).wrapping_add(12345);
            (number >> 8) % below
        };
        for turn in 0..4000_u32 {
            let slot = Slot(1000 - turn / 4 + next(60));
            match next(12) {
                0 => assert_eq!(map.remove(slot), plain.shift_remove(&slot)),
                1 if turn % 50 == 0 => {
                    map.retain(|slot| slot.0 % 3 > 0);
                    plain.retain(|slot, _| slot.0 % 3 > 0);
                }
                2 if turn % 50 == 0 => {
                    // Some slots are not in the list, one slot in it is absent, and one is listed
                    // twice.
                    let rank = |slot: &Slot| (slot.0 % 7).min(5);
                    let named = |slot: &&Slot| rank(slot) < 5;
                    let mut order: Vec<Slot> = plain.keys().filter(named).copied().collect();
                    order.sort_by_key(rank);
                    order.extend([Slot(100_000), slot]);
                    let last = plain.contains_key(&slot) && rank(&slot) == 5;
                    map.reorder(&order);
                    plain.sort_by_cached_key(|it, _| (rank(it), last && *it != slot));
                }
                _ => {
                    map.insert(slot, turn);
                    plain.insert(slot, turn);
                }
            }
            if let Some(value) = map.get_mut(slot) {
                *value += 1;
            }
            plain.entry(slot).and_modify(|value| *value += 1);
            assert_eq!(map.get(slot), plain.get(&slot));
            assert_eq!(map.place(slot), plain.get_index_of(&slot));
            assert_eq!(map.len(), plain.len());
        }
        assert!(map.iter().eq(plain.iter().map(|(slot, value)| (*slot, value))));
        assert_eq!(map.place(Slot(100_000)), None);
    }
}
