//! Repeated lookups of list elements.
//!
//! A list has no index of its elements. A [`Lookup`] indexes a long list after a few searches.

use std::cell::RefCell;
use std::hash::RandomState;
use std::rc::Rc;

use crate::engine::resource::QuickMap;
use crate::engine::yaml::Node;

mod elements;
#[cfg(test)]
mod tests;

use elements::{
    ElementKey, ElementNames, EqualElementGroups, LocationIndex, index_by_location,
    is_equal_element, text_at,
};
pub(in crate::answers) use elements::{ElementLocation, element_key, element_location};

/// The minimum length of a list that is indexed; shorter lists are searched linearly.
const MIN_INDEXED_LENGTH: usize = 32;

/// Searches in lists, with indexes of lists that are searched often. The indexes borrow the trees,
/// so that no tree changes meanwhile.
#[derive(Debug, Default)]
pub(in crate::answers) struct Lookup<'n> {
    names: CollectionsByAddress<Node, ElementNames<'n>>,
    places: CollectionsByAddress<Node, LocationIndex<'n>>,
    likes: CollectionsByAddress<Node, EqualElementGroups<'n>>,
    hasher: RandomState,
}

/// The number of linear searches before a collection is indexed. An index takes as much memory as
/// the collection, and as much time as several searches: most states of a resource are not searched
/// more often.
const SEARCHES_BEFORE_INDEX: u8 = 6;

/// The indexes of collections, by the memory address of the collection.
type CollectionsByAddress<T, K> = RefCell<QuickMap<*const T, IndexState<K>>>;

/// The index of a collection, or the number of searches without one.
#[derive(Debug)]
enum IndexState<K> {
    /// No index yet; the number of searches so far.
    Searched(u8),
    Indexed(Rc<K>),
}

/// The index of a list; `None` for a short list, and before [`SEARCHES_BEFORE_INDEX`] searches.
fn index_after_searches<T, K>(
    seen: &CollectionsByAddress<T, K>,
    collection: &[T],
    learn: impl FnOnce() -> K,
) -> Option<Rc<K>> {
    if collection.len() < MIN_INDEXED_LENGTH {
        return None;
    }
    let mut seen = seen.borrow_mut();
    let known = seen.entry(collection.as_ptr()).or_insert(IndexState::Searched(0));
    match known {
        IndexState::Searched(times) if *times < SEARCHES_BEFORE_INDEX => {
            *times += 1;
            None
        }
        IndexState::Searched(_) => {
            let learned = Rc::new(learn());
            *known = IndexState::Indexed(Rc::clone(&learned));
            Some(learned)
        }
        IndexState::Indexed(learned) => Some(Rc::clone(learned)),
    }
}

impl<'n> Lookup<'n> {
    /// The index of the element of a list that a part of a path means: `name=web`, its index, its
    /// name, or its text.
    pub(in crate::answers) fn element_index(&self, items: &'n [Node], part: &str) -> Option<usize> {
        let known = index_after_searches(&self.names, items, || ElementNames::new(items));
        if let Some((key, value)) = part.split_once('=') {
            let found = match &known {
                Some(names) => names.with(items, key, value),
                None => items.iter().position(|item| text_at(item, key) == Some(value)),
            };
            if found.is_some() {
                return found;
            }
        }
        match (part.parse::<usize>(), known) {
            (Ok(index), _) if index < items.len() => Some(index),
            (_, Some(names)) => names.called.get(part).copied(),
            _ => items.iter().position(|item| {
                item.text() == Some(part) || element_key(item).is_some_and(|(_, text)| text == part)
            }),
        }
    }

    /// The index in `before` of the element that corresponds to the element of `now` at `index`:
    /// the element at the same location of a file, with the same key, or with the same content. In
    /// a list of unchanged length, it may be the element at the same index, if that corresponds to
    /// no other element.
    pub(in crate::answers) fn corresponding_element(
        &self,
        now: &'n [Node],
        before: &'n [Node],
        index: usize,
    ) -> Option<usize> {
        self.find_equal_element(index, now, before).or_else(|| {
            let (item, old) = (now.get(index)?, before.get(index)?);
            let is_new = element_key(item).is_some() && element_key(old).is_some();
            let is_anothers = || self.find_equal_element(index, before, now).is_some();
            (now.len() == before.len() && !is_anothers() && !is_new).then_some(index)
        })
    }

    /// The index in `others` of the element at the same location as an element of `own`, or else
    /// with the same name or content.
    fn find_equal_element(
        &self,
        index: usize,
        own: &'n [Node],
        others: &'n [Node],
    ) -> Option<usize> {
        let item = own.get(index).filter(|_| !others.is_empty())?;
        if item.as_scalar().is_none() && item.mark.line > 0 && item.mark.column > 0 {
            let place = element_location(item);
            // The name of the element may have changed, for instance by a prefix, so the location
            // alone is tried as well.
            let is_alone = || self.find_by_location(own, place, None).is_some();
            let there = self
                .find_by_location(others, place, element_key(item))
                .or_else(|| self.find_by_location(others, place, None).filter(|_| is_alone()));
            if there.is_some() {
                return there;
            }
        }
        // Of several equal elements, the nth corresponds to the nth equal element of the other
        // list.
        let is_same = |other: &&Node| is_equal_element(item, other);
        let number = match self.equal_groups(own) {
            Some(likes) => likes.ranks.get(index).copied()?,
            None => own.iter().take(index).filter(is_same).count(),
        };
        if let Some(likes) = self.equal_groups(others) {
            return likes.equal_to(item, others, &self.hasher)?.get(number).copied();
        }
        let mut alike = others.iter().enumerate().filter(|(_, other)| is_same(other));
        alike.nth(number).map(|(found, _)| found)
    }

    /// The only element at a location, with this name if a name is given; `None` if several
    /// elements are at the location.
    fn find_by_location(
        &self,
        items: &'n [Node],
        place: ElementLocation,
        called: Option<ElementKey<'_>>,
    ) -> Option<usize> {
        let is_it = |item: &Node| {
            element_location(item) == place && (called.is_none() || element_key(item) == called)
        };
        if let Some(places) = index_after_searches(&self.places, items, || index_by_location(items))
        {
            return places.get(&(place, called)).copied().flatten();
        }
        let mut found = (0..).zip(items).filter(|(_, item)| is_it(item));
        let (first, second) = (found.next(), found.next());
        first.filter(|_| second.is_none()).map(|(at, _)| at)
    }

    /// The groups of equal elements of a list, once it is indexed.
    fn equal_groups(&self, items: &'n [Node]) -> Option<Rc<EqualElementGroups<'n>>> {
        index_after_searches(&self.likes, items, || {
            EqualElementGroups::from_items(items, &self.hasher)
        })
    }
}
