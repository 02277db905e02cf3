//! Indexes of the values that a step derived or removed.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::engine::evaluate::Step;
use crate::engine::resource::{QuickMap, Slot};
use crate::engine::transform::{DerivedValue, RemovedValue, ValueSource};
use crate::engine::yaml::Mark;

/// The minimum length of a list that is indexed; shorter lists are searched linearly.
const SHORT: usize = 32;

/// The indexes of steps with many derived or removed values.
#[derive(Debug, Default)]
pub(in crate::answers) struct StepParts<'r> {
    derived: RefCell<QuickMap<*const DerivedValue, Rc<DerivedByMark<'static>>>>,
    removed: RefCell<QuickMap<*const RemovedValue, Rc<RemovalsByPath<'r>>>>,
}

/// The indices of derived values by mark, and by resource and key for values that are limited to
/// one resource or key.
type DerivedByMark<'k> = QuickMap<(Mark, Option<Slot>, Option<&'k str>), Vec<usize>>;

/// The indices of removed fields by resource, path and name of an element.
type RemovalsByPath<'r> = QuickMap<(Slot, Vec<&'r str>, Option<&'r str>), Vec<usize>>;

/// The path of a removed field before the removal, in several forms.
#[derive(Debug, Default)]
pub(in crate::answers) struct RemovedPath {
    /// The path with the indices of elements.
    pub(in crate::answers) numbered: Vec<Arc<str>>,
    pub(in crate::answers) keys: Vec<Arc<str>>,
    /// The names of the elements on the path.
    pub(in crate::answers) names: Vec<Arc<str>>,
}

impl<'r> StepParts<'r> {
    /// The sources from which a step derived the value with this mark.
    pub(in crate::answers) fn value_sources(
        &self,
        step: &'r Step,
        slot: Slot,
        key: Option<&str>,
        mark: Mark,
    ) -> impl Iterator<Item = &'r ValueSource> + use<'r> {
        let derived = &step.derived;
        let is_of = |it: &&DerivedValue| {
            it.mark == mark
                && it.slot.is_none_or(|other| other == slot)
                && it.key.is_none_or(|own| Some(own) == key)
        };
        let found: Vec<&DerivedValue> = if derived.len() < SHORT {
            derived.iter().filter(is_of).collect()
        } else {
            let by_value = self.derived_by_mark(derived);
            let ways = [(None, None), (None, key), (Some(slot), None), (Some(slot), key)];
            let ways = if key.is_none() { vec![ways[0], ways[2]] } else { ways.to_vec() };
            let mut places: Vec<usize> = Vec::new();
            for (slot, key) in ways {
                places.extend(by_value.get(&(mark, slot, key)).into_iter().flatten());
            }
            places.sort_unstable();
            places.into_iter().filter_map(|at| derived.get(at)).collect()
        };
        found.into_iter().flat_map(|derived| &derived.from)
    }

    /// The index of these derived values, built on first use.
    fn derived_by_mark(&self, derived: &[DerivedValue]) -> Rc<DerivedByMark<'static>> {
        let mut known = self.derived.borrow_mut();
        let learn = || {
            let mut by_value = DerivedByMark::default();
            for (at, it) in derived.iter().enumerate() {
                by_value.entry((it.mark, it.slot, it.key)).or_default().push(at);
            }
            Rc::new(by_value)
        };
        Rc::clone(known.entry(derived.as_ptr()).or_insert_with(learn))
    }

    /// The removal of a field by a step. The path is the former one: with the numbers of elements,
    /// with their names, or with keys alone. The most specific removal is returned.
    pub(in crate::answers) fn removed(
        &self,
        step: &'r Step,
        slot: Slot,
        way: &RemovedPath,
    ) -> Option<&'r RemovedValue> {
        let leads = |way: &[Arc<str>], path: &[Arc<str>]| way.starts_with(path);
        let fits = |removed: &&RemovedValue| {
            removed.slot == slot
                && (leads(&way.numbered, &removed.path) || leads(&way.keys, &removed.path))
                && removed.names.iter().all(|name| way.names.contains(name))
        };
        let all = &step.removed;
        let closely = |removed: &&RemovedValue| (removed.path.len(), removed.names.len());
        if all.len() < SHORT {
            return all.iter().filter(fits).max_by_key(closely);
        }
        let by_way = self.removals_by_path(all);
        let mut places: Vec<usize> = Vec::new();
        for parts in [&way.numbered, &way.keys] {
            for most in 0..=parts.len() {
                let path: Vec<&str> = parts[..most].iter().map(|part| &**part).collect();
                for name in std::iter::once(None).chain(way.names.iter().map(|it| Some(&**it))) {
                    places.extend(by_way.get(&(slot, path.clone(), name)).into_iter().flatten());
                }
            }
        }
        places.sort_unstable();
        places.dedup();
        let found = places.into_iter().filter_map(|at| all.get(at));
        found.filter(fits).max_by_key(closely)
    }

    /// The index of these removed values, built on first use.
    fn removals_by_path(&self, removed: &'r [RemovedValue]) -> Rc<RemovalsByPath<'r>> {
        let mut known = self.removed.borrow_mut();
        let learn = || {
            let mut by_way = RemovalsByPath::default();
            for (at, it) in removed.iter().enumerate() {
                let path = it.path.iter().map(|part| &**part).collect();
                let name = it.names.first().map(|name| &**name);
                by_way.entry((it.slot, path, name)).or_default().push(at);
            }
            Rc::new(by_way)
        };
        Rc::clone(known.entry(removed.as_ptr()).or_insert_with(learn))
    }
}
