//! Wide lists whose elements are told apart by one key.

use std::collections::BTreeSet;
use std::sync::{Arc, Weak};

use crate::profile::Profile;
use crate::resource::{QuickMap, SchemaInForce, SchemaNode};
use crate::yaml::{Node, Value};

use super::super::elements::key_text;
use super::super::notes::Notes;
use super::super::{Merge, Trail};
use super::{FEW, MANY};

/// What is known of wide lists, from one step to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct WideLists(QuickMap<usize, KnownList>);

/// What is known of a list, for as long as nobody else writes to it or to what is in it.
#[derive(Clone, Debug)]
struct KnownList {
    list: Weak<Vec<Node>>,
    /// What it was looked at by.
    by: LookedAt,
    /// A number for each text that the key has.
    numbers: Arc<QuickMap<Arc<str>, u32>>,
    /// The numbers of the elements, as they stand.
    order: Vec<u32>,
    /// Elements of which it is not known whether a merge leaves them alone.
    unknown: BTreeSet<u32>,
    /// Whether each element has a key of its own and a merge leaves alone those that it was asked about.
    rests: bool,
}

/// What a merge of a list depends on besides the list.
#[derive(Clone, Debug)]
struct LookedAt {
    /// Held, so that what is at this address stays what it is.
    _schema: SchemaInForce,
    place: usize,
    profile: Profile,
}

/// What stayed of a list.
#[derive(Clone, Debug)]
pub(super) struct KeptElements {
    /// Which elements, in order.
    kept: Vec<usize>,
    /// One of them that the patch does not name: those that did not stay follow it.
    other: usize,
    /// What tells elements apart.
    key: String,
    text: Arc<str>,
}

/// The key of a list whose elements are told apart by one.
pub(super) fn key_of_elements(schema: SchemaNode<'_>) -> Option<&str> {
    let mut names = schema.merge().filter(|_| schema.bad_list().is_none())?.names();
    (names.len() == 1).then(|| names.next())?
}

impl WideLists {
    /// A wide list with no more than the elements that a patch names and one more, which says where the others are to go.
    pub(super) fn narrowed(
        &mut self,
        target: &Node,
        (patch, width): (&Node, usize),
        schema: SchemaNode<'_>,
        around: (&SchemaInForce, Profile),
    ) -> Option<(Node, KeptElements)> {
        let (Value::Sequence(list, style), Some(over)) = (&target.value, patch.items()) else {
            return None;
        };
        if list.len() < width || over.is_empty() || over.len() > list.len() / 2 {
            return None;
        }
        let key = key_of_elements(schema)?;
        let named: Vec<&str> = over.iter().map(|item| key_text(item, key)).collect();
        if named.iter().any(|text| text.is_empty()) {
            return None;
        }
        let known = self.at_rest(list, key, schema, around)?;
        let named: BTreeSet<u32> =
            named.iter().filter_map(|text| known.numbers.get(*text).copied()).collect();
        let is_named = |index: &usize| named.contains(&known.order[*index]);
        let other = (0..list.len()).find(|index| !is_named(index))?;
        let mut kept: BTreeSet<usize> = BTreeSet::from([other]);
        if named.len() <= FEW {
            kept.extend(named.iter().filter_map(|number| known.place_of(*number)));
        } else {
            kept.extend((0..list.len()).filter(is_named));
        }
        let items = kept.iter().map(|index| list[*index].clone()).collect();
        let value = Value::Sequence(Arc::new(items), *style);
        let part = Node { value, mark: target.mark, comments: target.comments.clone() };
        let text = Arc::from(key_text(&list[other], key));
        let kept = kept.into_iter().collect();
        Some((part, KeptElements { kept, other, key: key.to_owned(), text }))
    }

    /// Of how many lists something is known.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// What is known of a wide list that is at rest: an element that no patch names stays as it is, and behind those that one names.
    fn at_rest(
        &mut self,
        list: &Arc<Vec<Node>>,
        key: &str,
        schema: SchemaNode<'_>,
        around: (&SchemaInForce, Profile),
    ) -> Option<&KnownList> {
        let at = address(list);
        let is_known =
            |known: &KnownList| known.list.strong_count() > 0 && known.by.is(schema, around);
        if !self.0.get(&at).is_some_and(is_known) {
            let known = KnownList::of(list, key, schema, around);
            self.remember(list, known);
        }
        let known = self.0.get_mut(&at)?;
        for number in std::mem::take(&mut known.unknown) {
            let index = known.place_of(number)?;
            known.rests &= rests(&list[index], schema, around);
        }
        known.rests.then_some(&*known)
    }

    fn remember(&mut self, list: &Arc<Vec<Node>>, known: KnownList) {
        if self.0.len() > MANY {
            self.0.retain(|_, known| known.list.strong_count() > 0);
            if self.0.len() > MANY {
                self.0.clear();
            }
        }
        self.0.insert(address(list), known);
    }

    /// Puts a wide list in the place of what became of a part of it: first what a patch named, as it was merged, then the others.
    pub(super) fn widen(
        &mut self,
        place: &mut Node,
        mut list: Arc<Vec<Node>>,
        elements: KeptElements,
    ) {
        let Value::Sequence(part, style) = &place.value else { return };
        let KeptElements { kept, other, key, text } = elements;
        // Forgotten before it is written to: it can be written where it stands.
        let known = self.0.swap_remove(&address(&list));
        let named = part.iter().filter(|item| key_text(item, &key) != &*text);
        let named: Vec<Node> = named.cloned().collect();
        let leaves = |index: usize| index != other && kept.binary_search(&index).is_ok();
        let known = known.map(|known| known.moved(&named, &key, leaves));
        let items = Arc::make_mut(&mut list);
        retain_by_place(items, |index| !leaves(index));
        items.splice(0..0, named);
        if let Some(known) = known {
            let known = KnownList { list: Arc::downgrade(&list), ..known };
            self.remember(&list, known);
        }
        place.value = Value::Sequence(list, *style);
    }
}

impl KnownList {
    fn of(
        list: &Arc<Vec<Node>>,
        key: &str,
        schema: SchemaNode<'_>,
        around: (&SchemaInForce, Profile),
    ) -> Self {
        let mut numbers: QuickMap<Arc<str>, u32> = QuickMap::default();
        numbers.reserve(list.len());
        for (number, element) in (0..).zip(list.iter()) {
            let text = key_text(element, key);
            if !text.is_empty() {
                numbers.entry(Arc::from(text)).or_insert(number);
            }
        }
        let rests = numbers.len() == list.len()
            && list.iter().all(|element| rests(element, schema, around));
        let (by, order) = (LookedAt::by(schema, around), (0..).take(list.len()).collect());
        let (numbers, list) = (Arc::new(numbers), Arc::downgrade(list));
        Self { list, by, numbers, order, unknown: BTreeSet::new(), rests }
    }

    /// Where the element of this number stands.
    fn place_of(&self, number: u32) -> Option<usize> {
        self.order.iter().position(|other| *other == number)
    }

    /// What is known when these elements stand before those that do not leave.
    fn moved(mut self, named: &[Node], key: &str, leaves: impl Fn(usize) -> bool) -> Self {
        retain_by_place(&mut self.order, |index| !leaves(index));
        let numbers = Arc::make_mut(&mut self.numbers);
        let mut first = Vec::with_capacity(named.len());
        for element in named {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            first.push(*numbers.entry(Arc::from(key_text(element, key))).or_insert(next));
        }
        self.unknown.extend(&first);
        self.order.splice(0..0, first);
        self
    }
}

impl LookedAt {
    fn by(schema: SchemaNode<'_>, (force, profile): (&SchemaInForce, Profile)) -> Self {
        Self { _schema: force.clone(), place: schema.address(), profile }
    }

    fn is(&self, schema: SchemaNode<'_>, (_, profile): (&SchemaInForce, Profile)) -> bool {
        self.place == schema.address() && self.profile == profile
    }
}

/// True for an element that a merge which has nothing for it leaves as it is.
fn rests(
    element: &Node,
    schema: SchemaNode<'_>,
    (force, profile): (&SchemaInForce, Profile),
) -> bool {
    let (warnings, trail) = (&mut Vec::new(), &mut Trail::default());
    let notes = Notes::new(true, ("", ""), warnings);
    let mut merge = Merge { schema: force.ask(), profile, notes, trail };
    let is_left = merge.leaves_alone(element, schema.elements());
    is_left && trail.repeated.is_empty() && element.count_below_nulls() == 0
}

fn address(list: &Arc<Vec<Node>>) -> usize {
    Arc::as_ptr(list).addr()
}

fn retain_by_place<T>(items: &mut Vec<T>, stays: impl Fn(usize) -> bool) {
    let mut index = 0;
    items.retain(|_| {
        index += 1;
        stays(index - 1)
    });
}
