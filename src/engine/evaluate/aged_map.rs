//! A map of cached values that forgets those without a recent use.

use std::borrow::Borrow;
use std::hash::Hash;

use crate::resource::QuickMap;

/// Values, each with the number of the evaluation that last used it.
#[derive(Clone, Debug)]
pub(super) struct AgedMap<K, V> {
    entries: QuickMap<K, (V, u64)>,
    evaluation: u64,
}

impl<K, V> Default for AgedMap<K, V> {
    fn default() -> Self {
        Self { entries: QuickMap::default(), evaluation: 0 }
    }
}

impl<K: Hash + Eq, V> AgedMap<K, V> {
    pub(super) fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key).map(|(value, _)| value)
    }

    pub(super) fn insert(&mut self, key: K, value: V) {
        self.entries.insert(key, (value, self.evaluation));
    }

    pub(super) fn touch(&mut self, is_used: impl Fn(&K) -> bool) {
        let used = self.entries.iter_mut().filter(|(key, _)| is_used(key));
        used.for_each(|(_, (_, last))| *last = self.evaluation);
    }

    pub(super) fn touch_key<Q: Hash + Eq + ?Sized>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
    {
        if let Some((_, last)) = self.entries.get_mut(key) {
            *last = self.evaluation;
        }
    }

    /// The value with this key, which counts as used; a new one if there is none.
    pub(super) fn get_or_insert_with(&mut self, key: K, value: impl FnOnce() -> V) -> &V {
        let evaluation = self.evaluation;
        let (value, last) = self.entries.entry(key).or_insert_with(|| (value(), evaluation));
        *last = evaluation;
        value
    }

    /// The keys and values, oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, (value, _))| (key, value))
    }

    pub(super) fn retain(&mut self, is_kept: impl Fn(&V) -> bool) {
        self.entries.retain(|_, (value, _)| is_kept(value));
    }

    /// Ends an evaluation: drops the values used neither by it nor by the previous one.
    pub(super) fn end_evaluation(&mut self) {
        self.entries.retain(|_, (_, last)| *last + 1 >= self.evaluation);
        self.evaluation += 1;
    }
}
