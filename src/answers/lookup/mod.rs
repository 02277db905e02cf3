//! Searches for the elements of lists.
//!
//! A list has no index of its elements. A [`Lookup`] makes one of a long list that was searched a few times.

use std::cell::RefCell;
use std::hash::RandomState;
use std::rc::Rc;

use crate::engine::resource::QuickMap;
use crate::engine::yaml::Node;

mod elements;
#[cfg(test)]
mod tests;

use elements::{Likes, Names, OwnKey, Places, is_like, places, text_at};
pub(super) use elements::{Standing, own_key, standing};

/// A shorter collection is read along each time.
const SHORT: usize = 32;

/// What was looked up so far. It borrows the trees, so that none of them changes meanwhile.
#[derive(Debug, Default)]
pub(super) struct Lookup<'n> {
    names: Seen<Node, Names<'n>>,
    places: Seen<Node, Places<'n>>,
    likes: Seen<Node, Likes<'n>>,
    hasher: RandomState,
}

/// So often a collection is read along before it is learned. What is kept of one takes as much room as the collection, and as long as
/// some such readings: of the many states of one resource most are asked for no more than that.
const READ_ALONG: u8 = 6;

/// Collections by where they stand in memory.
type Seen<T, K> = RefCell<QuickMap<*const T, Known<K>>>;

/// What is known of a collection.
#[derive(Debug)]
enum Known<K> {
    /// Nothing yet: it was asked for so often.
    Asked(u8),
    Learned(Rc<K>),
}

/// What is known of a collection that is asked for again.
fn known<T, K>(seen: &Seen<T, K>, collection: &[T], learn: impl FnOnce() -> K) -> Option<Rc<K>> {
    if collection.len() < SHORT {
        return None;
    }
    let mut seen = seen.borrow_mut();
    let known = seen.entry(collection.as_ptr()).or_insert(Known::Asked(0));
    match known {
        Known::Asked(times) if *times < READ_ALONG => {
            *times += 1;
            None
        }
        Known::Asked(_) => {
            let learned = Rc::new(learn());
            *known = Known::Learned(Rc::clone(&learned));
            Some(learned)
        }
        Known::Learned(learned) => Some(Rc::clone(learned)),
    }
}

impl<'n> Lookup<'n> {
    /// The element of a list that a part of a path names: `name=web`, its number, what it is called, or its text.
    pub(super) fn element(&self, items: &'n [Node], part: &str) -> Option<usize> {
        let known = known(&self.names, items, || Names::of(items));
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
                item.text() == Some(part) || own_key(item).is_some_and(|(_, text)| text == part)
            }),
        }
    }

    /// The element of a list as it was before that is the one with this number now: it stands at the same place of a file,
    /// has the same key, or the same content; of a list that kept its length, what stands for none of the others.
    pub(super) fn same_element(
        &self,
        now: &'n [Node],
        before: &'n [Node],
        index: usize,
    ) -> Option<usize> {
        self.like(index, now, before).or_else(|| {
            let (item, old) = (now.get(index)?, before.get(index)?);
            let is_new = own_key(item).is_some() && own_key(old).is_some();
            let is_anothers = || self.like(index, before, now).is_some();
            (now.len() == before.len() && !is_anothers() && !is_new).then_some(index)
        })
    }

    fn like(&self, index: usize, own: &'n [Node], others: &'n [Node]) -> Option<usize> {
        let item = own.get(index).filter(|_| !others.is_empty())?;
        if item.as_scalar().is_none() && item.mark.line > 0 && item.mark.column > 0 {
            let place = standing(item);
            // What it is called may have been changed: a name that follows a prefix.
            let is_alone = || self.only_one(own, place, None).is_some();
            let there = self
                .only_one(others, place, own_key(item))
                .or_else(|| self.only_one(others, place, None).filter(|_| is_alone()));
            if there.is_some() {
                return there;
            }
        }
        // Of several that are alike, the first is the first.
        let is_same = |other: &&Node| is_like(item, other);
        let number = match self.likes(own) {
            Some(likes) => likes.ranks.get(index).copied()?,
            None => own.iter().take(index).filter(is_same).count(),
        };
        if let Some(likes) = self.likes(others) {
            return likes.of(item, others, &self.hasher)?.get(number).copied();
        }
        let mut alike = others.iter().enumerate().filter(|(_, other)| is_same(other));
        alike.nth(number).map(|(found, _)| found)
    }

    /// The element at a place, of those that are called so if that is said, when there is but one.
    fn only_one(
        &self,
        items: &'n [Node],
        place: Standing,
        called: Option<OwnKey<'_>>,
    ) -> Option<usize> {
        let is_it =
            |item: &Node| standing(item) == place && (called.is_none() || own_key(item) == called);
        if let Some(places) = known(&self.places, items, || places(items)) {
            return places.get(&(place, called)).copied().flatten();
        }
        let mut found = (0..).zip(items).filter(|(_, item)| is_it(item));
        let (first, second) = (found.next(), found.next());
        first.filter(|_| second.is_none()).map(|(at, _)| at)
    }

    fn likes(&self, items: &'n [Node]) -> Option<Rc<Likes<'n>>> {
        known(&self.likes, items, || Likes::among(items, &self.hasher))
    }
}
