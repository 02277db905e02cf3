//! How a tree is narrowed to what a patch names.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::profile::Profile;
use crate::resource::{SchemaInForce, SchemaNode};
use crate::yaml::Node;

use super::super::comment_schema;
use super::super::elements::key_text;
use super::lists::key_of_elements;
use super::{FEW, Kept, Place, Step, WIDE, WideCollections, with_entries};

/// What is asked while a tree is narrowed for a patch.
pub(super) struct Narrowing<'s> {
    pub(super) schema: &'s SchemaInForce,
    pub(super) profile: Profile,
    pub(super) path: Vec<Step>,
    pub(super) places: Vec<Place>,
}

impl WideCollections {
    /// A mapping with what is wide in it narrowed, as far as a patch goes.
    pub(super) fn narrow(
        &mut self,
        target: &Node,
        patch: &Node,
        schema: Option<SchemaNode<'_>>,
        asked: &mut Narrowing<'_>,
    ) -> Option<Node> {
        let mut narrowed = None;
        if patch.entries().len() > FEW || target.entries().len() > WIDE {
            return None;
        }
        for over in patch.entries() {
            let Some(key) = over.key.as_scalar().map(|key| Arc::clone(&key.text)) else {
                continue;
            };
            // Of a key that is there twice, the first counts.
            let is_first =
                patch.get(&key).is_some_and(|first| std::ptr::eq(first, &raw const over.value));
            if !is_first {
                continue;
            }
            let mut entries = target.entries().iter();
            let Some(entry) = entries.find(|it| it.key.text() == Some(&key)) else { continue };
            let commented = [&entry.value, &entry.key, &over.value, &over.key].map(Some);
            // A schema in a comment stands above this one: nothing is known of what it says.
            let below = schema.filter(|_| comment_schema(&commented).is_none());
            asked.path.push(Step::Key(Arc::clone(&key)));
            let below = below.and_then(|schema| schema.field(&key));
            // The name and the namespace are looked at by others.
            let is_metadata = asked.path.len() == 1 && &*key == "metadata";
            let part = if is_metadata {
                self.narrow(&entry.value, &over.value, below, asked)
            } else {
                self.part(&entry.value, &over.value, below, asked)
            };
            asked.path.pop();
            if let Some(part) = part
                && let Some(place) = narrowed.get_or_insert_with(|| target.clone()).get_mut(&key)
            {
                *place = part;
            }
        }
        narrowed
    }

    /// A field or an element, narrowed itself or in what is in it.
    fn part(
        &mut self,
        target: &Node,
        patch: &Node,
        schema: Option<SchemaNode<'_>>,
        asked: &mut Narrowing<'_>,
    ) -> Option<Node> {
        if let Some(kept) = self.kept(target, patch) {
            let part = with_entries(target, &kept);
            asked.places.push(Place { path: asked.path.clone(), kept: Kept::Entries(kept) });
            return Some(part);
        }
        if target.items().is_none() {
            return self.narrow(target, patch, schema, asked);
        }
        let around = (asked.schema, asked.profile);
        if let Some((part, kept)) =
            self.lists.narrowed(target, (patch, self.width), schema?, around)
        {
            asked.places.push(Place { path: asked.path.clone(), kept: Kept::Elements(kept) });
            return Some(part);
        }
        self.narrow_elements(target, patch, schema?, asked)
    }

    /// A short list, whose elements are told apart by one key, with what is wide in those that a patch names narrowed.
    fn narrow_elements(
        &mut self,
        target: &Node,
        patch: &Node,
        schema: SchemaNode<'_>,
        asked: &mut Narrowing<'_>,
    ) -> Option<Node> {
        let (items, over) = (target.items()?, patch.items()?);
        if items.len() > WIDE || over.len() > FEW {
            return None;
        }
        let key = key_of_elements(schema)?;
        let are_known = |items: &[Node]| {
            let mut seen = BTreeSet::new();
            let mut texts = items.iter().map(|item| key_text(item, key));
            texts.all(|text| !text.is_empty() && seen.insert(text))
        };
        if !are_known(items) || !are_known(over) {
            return None;
        }
        let mut narrowed = None;
        for over in over {
            let text = key_text(over, key);
            let Some(index) = items.iter().position(|it| key_text(it, key) == text) else {
                continue;
            };
            asked.path.push(Step::Element(key.to_owned(), Arc::from(text)));
            let part = self.part(&items[index], over, schema.elements(), asked);
            asked.path.pop();
            if let Some(part) = part
                && let Some(items) = narrowed.get_or_insert_with(|| target.clone()).items_mut()
            {
                items[index] = part;
            }
        }
        narrowed
    }
}
