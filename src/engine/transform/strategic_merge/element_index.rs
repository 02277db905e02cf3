//! An index of the elements of a list by the values of their merge keys. Elements that lack a value
//! for a key are searched for in the lists, as in Kustomize.

use crate::resource::{QuickMap, QuickSet};
use crate::yaml::Node;

use super::elements::{
    ELEMENT_TEXT_KEY, ElementKeyTexts, ElementPositions, ListPool, is_no_element,
};

/// The recorded position of an element.
enum RecordedPosition {
    At(usize),
    Nowhere,
    /// The index does not contain the answer: search the lists.
    Unknown,
}

/// True if every key has a value.
fn has_all_texts(values: &[String]) -> bool {
    values.iter().all(|value| !value.is_empty())
}

impl ListPool {
    /// Records the positions of elements.
    pub(super) fn record_positions(&mut self, keys: &[&str]) {
        let places = |list: &[usize]| {
            let mut places: QuickMap<ElementKeyTexts, usize> = QuickMap::default();
            for index in list {
                let texts = self.texts(*index, keys);
                if has_all_texts(&texts) {
                    places.entry(texts).or_insert(*index);
                }
            }
            places
        };
        let (target, patch) = (places(&self.target), places(self.patch()));
        self.places = ElementPositions {
            target,
            patch,
            is_complete: true,
            out: Some(QuickMap::default()),
            ..ElementPositions::default()
        };
    }

    /// Finds an element of the target like [`ListPool::find`], by the index if possible.
    pub(super) fn find_in_target(&mut self, keys: &[&str], values: &[String]) -> Option<usize> {
        match self.indexed_position(&self.places.target, keys, values) {
            RecordedPosition::At(index) => Some(index),
            RecordedPosition::Nowhere => None,
            RecordedPosition::Unknown => {
                self.apply_postponed_deletes(keys);
                self.find(&self.target, keys, values)
            }
        }
    }

    /// Finds an element of the patch like [`ListPool::find`], by the index if possible.
    pub(super) fn find_in_patch(&mut self, keys: &[&str], values: &[String]) -> Option<usize> {
        match self.indexed_position(&self.places.patch, keys, values) {
            RecordedPosition::At(index) => Some(index),
            RecordedPosition::Nowhere => None,
            RecordedPosition::Unknown => {
                self.apply_postponed_deletes(keys);
                self.find(self.patch(), keys, values)
            }
        }
    }

    /// The indexed position of the element with these key values, if it still has them.
    fn indexed_position(
        &self,
        places: &QuickMap<ElementKeyTexts, usize>,
        keys: &[&str],
        values: &[String],
    ) -> RecordedPosition {
        match places.get(values) {
            _ if !has_all_texts(values) => RecordedPosition::Unknown,
            Some(index) if self.has_texts(*index, keys, values) => RecordedPosition::At(*index),
            None if self.places.is_complete => RecordedPosition::Nowhere,
            _ => RecordedPosition::Unknown,
        }
    }

    /// The values of an element's keys.
    fn texts(&self, index: usize, keys: &[&str]) -> ElementKeyTexts {
        keys.iter().map(|key| self.text(index, key).to_owned()).collect()
    }

    /// True if the keys of an element have these values.
    fn has_texts(&self, index: usize, keys: &[&str], values: &[String]) -> bool {
        keys.len() == values.len()
            && keys.iter().zip(values).all(|(key, value)| self.text(index, key) == value)
    }

    fn text(&self, index: usize, key: &str) -> &str {
        let element = &self.pool[index];
        let field = if self.of_scalars { Some(element) } else { element.get(key) };
        field.and_then(Node::text).unwrap_or_default()
    }

    /// Replaces an element; the index is marked incomplete if the key values change.
    pub(super) fn change(&mut self, index: usize, keys: &[&str], node: Node) {
        let before = self.texts(index, keys);
        let old = std::mem::replace(&mut self.pool[index], node);
        if !self.has_texts(index, keys, &before) {
            let node = std::mem::replace(&mut self.pool[index], old);
            self.apply_postponed_deletes(keys);
            self.places.is_complete = false;
            self.pool[index] = node;
        }
    }

    /// Adds the missing keys of an element; the index is marked incomplete if the key values
    /// change.
    pub(super) fn complete(&mut self, index: usize, keys: &[&str], values: &[String]) {
        let element = &self.pool[index];
        let mut pairs = keys.iter().zip(values);
        if pairs.any(|(key, value)| {
            *key != ELEMENT_TEXT_KEY && !value.is_empty() && element.get(key).is_none()
        }) {
            self.apply_postponed_deletes(keys);
            self.places.is_complete = false;
        }
        super::elements::add_missing_keys(&mut self.pool[index], keys, values);
    }

    /// Puts an element with a value for every key into the result, by the index; false if the lists
    /// have to be searched.
    pub(super) fn put_indexed(&mut self, index: usize, keys: &[&str], values: &[String]) -> bool {
        let node = &self.pool[index];
        let is_scalar = node.as_scalar().is_some();
        let is_ordinary = has_all_texts(values)
            && !is_no_element(node)
            && is_scalar == self.of_scalars
            && self.has_texts(index, keys, values);
        let Some(places) = self.places.out.as_mut().filter(|_| is_ordinary) else {
            self.places.out = None;
            return false;
        };
        if let Some(place) = places.get(values) {
            self.out[*place] = index;
        } else {
            places.insert(values.to_vec(), self.out.len());
            self.out.push(index);
        }
        true
    }

    /// Appends the rest of the target to the result; false if an element lacks a key value. With
    /// several keys, every element of the target moves to the end, and the last of those with equal
    /// key values is kept.
    pub(super) fn append_rest_if_ordinary(&mut self, keys: &[&str]) -> bool {
        let is_ordinary = |index: &usize| {
            !is_no_element(&self.pool[*index]) && has_all_texts(&self.texts(*index, keys))
        };
        if self.places.out.is_none() || !self.target.iter().all(is_ordinary) {
            return false;
        }
        let mut seen: QuickSet<ElementKeyTexts> = QuickSet::default();
        let last = |index: &usize| seen.insert(self.texts(*index, keys));
        let mut tail: Vec<usize> = self.target.iter().rev().copied().filter(last).collect();
        tail.reverse();
        let mut out = std::mem::take(&mut self.out);
        out.retain(|index| !seen.contains(&self.texts(*index, keys)));
        out.extend(tail);
        self.out = out;
        true
    }

    /// Postpones the deletion of elements from the target; false if it has to be done at once.
    pub(super) fn delete_later(&mut self, values: &[String]) -> bool {
        let can_wait = self.places.is_complete && !self.of_scalars && has_all_texts(values);
        if can_wait {
            self.places.target.swap_remove(values);
            self.places.deleted.insert(values.to_vec());
        }
        can_wait
    }

    /// Does the postponed deletions in the target.
    pub(super) fn apply_postponed_deletes(&mut self, keys: &[&str]) {
        let deleted = std::mem::take(&mut self.places.deleted);
        if deleted.is_empty() {
            return;
        }
        let mut target = std::mem::take(&mut self.target);
        target.retain(|index| {
            !is_no_element(&self.pool[*index]) && !deleted.contains(&self.texts(*index, keys))
        });
        self.target = target;
    }
}
