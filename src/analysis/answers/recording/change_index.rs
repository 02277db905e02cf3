//! An index of the changes of a resource by field.
//!
//! The writers of a field are found by reading every change of its resource. If many steps each
//! write one field of a large resource, nearly every change is irrelevant for nearly every field:
//! here the trees of each change are compared once, and a field skips to the next change that may
//! concern it. A skipped change leaves the field unchanged, with the same path and the same marks.

use std::sync::Arc;

use crate::engine::resource::{Change, PathStep, QuickMap, QuickSet, Resource};
use crate::engine::yaml::{MappingEntry, Node, Value};

use super::field::is_shared;
use super::lookup::{ElementLocation, element_location};

/// The lowest number of changes of a resource that are indexed; fewer changes are searched one by
/// one.
pub(in crate::answers) const INDEX_THRESHOLD: usize = 32;

/// An index of the changes of one resource by the fields that they touch.
#[derive(Debug)]
pub(in crate::answers) struct FieldTouches(Vec<TouchedField>);

/// A field that changes touched, or a parent of such a field. Changes are numbered in the order of
/// the steps.
#[derive(Debug, Default)]
struct TouchedField {
    /// The changes that touched the field with all its contents.
    whole: Vec<usize>,
    /// The changes that touched the field or a part of it.
    inside: Vec<usize>,
    keys: QuickMap<Arc<str>, usize>,
    elements: QuickMap<usize, usize>,
}

impl FieldTouches {
    const ROOT: usize = 0;

    /// Indexes the changes of a resource, in the order of the steps, each with the index of its
    /// step.
    pub(in crate::answers) fn from_changes<'c>(
        changes: impl Iterator<Item = (usize, &'c Change)>,
    ) -> Self {
        let mut touches = Self(vec![TouchedField::default()]);
        let mut last: Option<(usize, Option<&Arc<Resource>>)> = None;
        for (number, (step, change)) in changes.enumerate() {
            let (before, after) = (change.before.as_ref(), change.after.as_ref());
            let mut walk = TouchWalk { touches: &mut touches, number, path: Vec::new() };
            if let Some((last_step, left)) = last {
                // Unrecorded changes happened between this change and the one before, and are
                // attributed to the latter.
                if number > 0 && last_step != step {
                    walk.number = number - 1;
                    walk.resources(left, before);
                    walk.number = number;
                } else {
                    walk.note_whole_field();
                }
            }
            walk.resources(before, after);
            last = Some((step, after));
        }
        touches
    }

    /// The last change before number `end` that may concern the field at a path.
    pub(in crate::answers) fn last_change_at(
        &self,
        path: &[PathStep],
        end: usize,
    ) -> Option<usize> {
        let mut found = None;
        let mut place = self.0.get(Self::ROOT)?;
        for step in path {
            found = found.max(last_number_below(&place.whole, end));
            let below = match step {
                PathStep::Key(key) => place.keys.get(key),
                PathStep::Index(index) => place.elements.get(index),
            };
            let Some(below) = below.and_then(|below| self.0.get(*below)) else { return found };
            place = below;
        }
        found.max(last_number_below(&place.inside, end))
    }

    /// The last change before number `end` that may have added or removed a field with this written
    /// path.
    pub(in crate::answers) fn last_addition_or_removal(
        &self,
        parts: &[String],
        end: usize,
    ) -> Option<usize> {
        self.last_change_below(Self::ROOT, parts, end)
    }

    /// The last change before number `end` at or below the field with these parts, from one
    /// position of the index. As in a search for fields, several parts joined by dots may form a
    /// key, and any name may match an element.
    fn last_change_below(&self, place: usize, parts: &[String], end: usize) -> Option<usize> {
        let place = self.0.get(place)?;
        if parts.is_empty() || !place.elements.is_empty() {
            return last_number_below(&place.inside, end);
        }
        let mut found = last_number_below(&place.whole, end);
        let mut key = String::new();
        for (taken, part) in (1..).zip(parts) {
            key.push_str(part);
            if let Some(below) = place.keys.get(key.as_str()) {
                found = found.max(self.last_change_below(*below, &parts[taken..], end));
            }
            key.push('.');
        }
        found
    }

    /// The index of the field at a path, created if missing; records change `number` as a change
    /// inside all parents of the field.
    fn place(&mut self, path: &[PathStep], number: usize) -> usize {
        let mut at = Self::ROOT;
        for step in path {
            let next = self.0.len();
            let Some(place) = self.0.get_mut(at) else { return at };
            push_if_greater(&mut place.inside, number);
            at = match step {
                PathStep::Key(key) => *place.keys.entry(Arc::clone(key)).or_insert(next),
                PathStep::Index(index) => *place.elements.entry(*index).or_insert(next),
            };
            if at == next {
                self.0.push(TouchedField::default());
            }
        }
        at
    }
}

/// The greatest of these ascending numbers below `end`.
fn last_number_below(numbers: &[usize], end: usize) -> Option<usize> {
    let count = numbers.partition_point(|number| *number < end);
    numbers.get(count.checked_sub(1)?).copied()
}

/// Appends a number if it is greater than the last one.
fn push_if_greater(numbers: &mut Vec<usize>, number: usize) {
    if numbers.last().is_none_or(|last| *last < number) {
        numbers.push(number);
    }
}

/// A walk through two states of a resource that records the fields that differ.
struct TouchWalk<'t> {
    touches: &'t mut FieldTouches,
    number: usize,
    path: Vec<PathStep>,
}

impl TouchWalk<'_> {
    /// Records that the current field was touched with all its contents.
    fn note_whole_field(&mut self) {
        let at = self.touches.place(&self.path, self.number);
        if let Some(place) = self.touches.0.get_mut(at) {
            push_if_greater(&mut place.inside, self.number);
            push_if_greater(&mut place.whole, self.number);
        }
    }

    /// Records that the current field was touched, but not its contents.
    fn note_field_itself(&mut self) {
        let at = self.touches.place(&self.path, self.number);
        if let Some(place) = self.touches.0.get_mut(at) {
            push_if_greater(&mut place.inside, self.number);
        }
    }

    /// Walks with one more step of the path.
    fn walk_below(&mut self, step: PathStep, walk: impl FnOnce(&mut Self)) {
        self.path.push(step);
        walk(self);
        self.path.pop();
    }

    fn resources(&mut self, before: Option<&Arc<Resource>>, after: Option<&Arc<Resource>>) {
        match (before, after) {
            (Some(before), Some(after)) if Arc::ptr_eq(before, after) => {}
            (Some(before), Some(after)) => self.compare_nodes(&before.node, &after.node),
            (None, None) => {}
            _ => self.note_whole_field(),
        }
    }

    /// Records the fields at or below the current one that differ.
    fn compare_nodes(&mut self, before: &Node, after: &Node) {
        let is_alike = before.mark == after.mark && before.comments == after.comments;
        if is_alike && is_shared(before, after) {
            return;
        }
        match (&before.value, &after.value) {
            (Value::Mapping(old), Value::Mapping(new)) => {
                if !is_alike || old.style != new.style {
                    self.note_field_itself();
                }
                self.compare_mappings(&old.entries, &new.entries);
            }
            (Value::Sequence(old, style), Value::Sequence(new, other)) => {
                if !is_alike || style != other {
                    self.note_field_itself();
                }
                self.lists(old, new);
            }
            _ if before == after => {}
            _ => self.note_whole_field(),
        }
    }

    /// Equal keys at the beginning and the end are compared in pairs; the keys between them count
    /// as touched.
    fn compare_mappings(&mut self, old: &[MappingEntry], new: &[MappingEntry]) {
        let shorter = old.len().min(new.len());
        let is_pair = |(one, other): &(&MappingEntry, &MappingEntry)| has_same_key(one, other);
        let first = old.iter().zip(new).take_while(is_pair).count();
        let rest = old[first..].iter().rev().zip(new[first..].iter().rev());
        let last = rest.take(shorter - first).take_while(is_pair).count();
        let (old_end, new_end) = (old.len() - last, new.len() - last);
        for (one, other) in old[..first].iter().zip(&new[..first]) {
            self.compare_entries(one, other);
        }
        for (one, other) in old[old_end..].iter().zip(&new[new_end..]) {
            self.compare_entries(one, other);
        }
        for entry in old[first..old_end].iter().chain(&new[first..new_end]) {
            self.note_entry(entry);
        }
    }

    /// Compares two entries of mappings at the same position.
    fn compare_entries(&mut self, old: &MappingEntry, new: &MappingEntry) {
        if old.key != new.key {
            self.note_entry(old);
        } else if let Some(key) = old.key.as_scalar() {
            let is_same_text = old.value.as_scalar().is_some() && old.value == new.value;
            if !is_same_text {
                let step = PathStep::Key(Arc::clone(&key.text));
                self.walk_below(step, |walk| walk.compare_nodes(&old.value, &new.value));
            }
        } else if old != new {
            self.note_whole_field();
        }
    }

    /// Records an entry with its contents as touched. An entry with a key that is not a text has no
    /// separate path.
    fn note_entry(&mut self, entry: &MappingEntry) {
        match entry.key.as_scalar() {
            Some(key) => {
                self.walk_below(PathStep::Key(Arc::clone(&key.text)), Self::note_whole_field);
            }
            None => self.note_whole_field(),
        }
    }

    /// Compares two lists. Elements are identified by their content, not by their index: if content
    /// and index could identify different elements, all of the list counts as touched.
    fn lists(&mut self, old: &[Node], new: &[Node]) {
        if old == new {
            return;
        }
        if !have_same_positions(old, new) {
            self.note_whole_field();
            return;
        }
        for (index, (one, other)) in old.iter().zip(new).enumerate() {
            self.walk_below(PathStep::Index(index), |walk| walk.compare_nodes(one, other));
        }
    }
}

/// True for entries with the same key; keys that are not texts are compared by content.
fn has_same_key(one: &MappingEntry, other: &MappingEntry) -> bool {
    match (one.key.text(), other.key.text()) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.key == other.key,
        _ => false,
    }
}

/// True if each element corresponds to the element with the same index: each element has a distinct
/// location, which is the same in both lists.
pub(in crate::answers) fn have_same_positions(old: &[Node], new: &[Node]) -> bool {
    let has_place =
        |node: &Node| node.as_scalar().is_none() && node.mark.line > 0 && node.mark.column > 0;
    let mut seen: QuickSet<ElementLocation> = QuickSet::default();
    old.len() == new.len()
        && old.iter().zip(new).all(|(one, other)| {
            has_place(one)
                && has_place(other)
                && element_location(one) == element_location(other)
                && seen.insert(element_location(one))
        })
}
