//! The elements of an associative list during a merge (section 5.3).

use std::sync::Arc;

use crate::resource::{QuickMap, QuickSet};
use crate::yaml::{Node, Value};

use super::MergeResult;

/// The values of an element's keys; empty for a missing key.
pub(super) type ElementKeyTexts = Vec<String>;

/// The key of an associative list of scalars, such as finalizers: the element's text.
pub(super) const ELEMENT_TEXT_KEY: &str = "";

/// True for null and an empty mapping, which are no elements for Kustomize.
pub(super) fn is_no_element(node: &Node) -> bool {
    node.is_null() || node.as_mapping().is_some_and(|mapping| mapping.entries.is_empty())
}

/// The value of an element's key.
fn field<'n>(element: &'n Node, key: &str) -> Option<&'n Node> {
    if key == ELEMENT_TEXT_KEY { Some(element) } else { element.get(key) }
}

/// The text of an element's key; empty if it is missing or null.
pub(super) fn key_text<'n>(element: &'n Node, key: &str) -> &'n str {
    let value = field(element, key).filter(|value| !value.is_null());
    value.and_then(Node::text).unwrap_or_default()
}

/// Step 2 of section 5.3: combines tuples of key values that agree in at least one key and differ
/// in no key that both have.
pub(super) fn combine(tuples: &mut [ElementKeyTexts]) {
    // If each key is set in all tuples or in no tuple, a tuple agrees only with itself.
    let keys = tuples.first().map_or(0, Vec::len);
    let mut said = (0..keys).map(|key| tuples.iter().filter(|it| !it[key].is_empty()).count());
    if said.all(|count| count == 0 || count == tuples.len()) {
        return;
    }
    for i in 0..tuples.len() {
        let current = tuples[i].clone();
        for j in 0..tuples.len() {
            let other = &tuples[j];
            let equal = current.iter().zip(other).any(|(a, b)| a == b);
            let fits =
                current.iter().zip(other).all(|(a, b)| a == b || a.is_empty() || b.is_empty());
            if equal && fits {
                let joined: ElementKeyTexts = current
                    .iter()
                    .zip(other)
                    .map(|(a, b)| if a.is_empty() { b.clone() } else { a.clone() })
                    .collect();
                tuples[i].clone_from(&joined);
                tuples[j] = joined;
            }
        }
    }
}

/// The lists of a merge as indices into a pool: Kustomize changes elements in place while several
/// lists contain them.
pub(super) struct ListPool {
    pub(super) pool: Vec<Node>,
    pub(super) target: Vec<usize>,
    pub(super) patch: Vec<usize>,
    pub(super) out: Vec<usize>,
    pub(super) itself: bool,
}

impl ListPool {
    pub(super) fn new(old: &[Node], over: &[Node], itself: bool) -> Self {
        let pool: Vec<Node> = old.iter().chain(over).cloned().collect();
        let (target, patch) = ((0..old.len()).collect(), (old.len()..pool.len()).collect());
        Self { pool, target, patch, out: Vec::new(), itself }
    }

    pub(super) fn patch(&self) -> &[usize] {
        if self.itself { &self.target } else { &self.patch }
    }

    /// The key values of the elements of both lists, without duplicates, the patch first.
    pub(super) fn element_keys(&self, names: &[&str]) -> Vec<ElementKeyTexts> {
        let elements = self.patch().iter().chain(&self.target);
        let tuples = elements.map(|index| self.key_texts(*index, names));
        tuples.collect::<QuickSet<ElementKeyTexts>>().into_iter().collect()
    }

    fn key_texts(&self, index: usize, keys: &[&str]) -> ElementKeyTexts {
        keys.iter().map(|key| key_text(&self.pool[index], key).to_owned()).collect()
    }

    /// The first element whose keys have these values; empty values are ignored unless all are
    /// empty.
    pub(super) fn find(&self, list: &[usize], keys: &[&str], values: &[String]) -> Option<usize> {
        let all_empty = values.iter().all(String::is_empty);
        list.iter().copied().find(|index| {
            keys.iter().zip(values).all(|(key, value)| {
                // Kustomize: a mapping or list has no text, which counts as an empty one.
                let field = field(&self.pool[*index], key);
                (value.is_empty() && !all_empty)
                    || field.is_some_and(|field| field.text().unwrap_or_default() == value)
            })
        })
    }

    /// The elements of a list by the values of their keys; `None` if an element lacks a value or two
    /// elements are equal, so that the lists have to be searched.
    pub(super) fn positions(
        &self,
        list: &[usize],
        keys: &[&str],
    ) -> Option<QuickMap<ElementKeyTexts, usize>> {
        let mut positions = QuickMap::default();
        for index in list {
            let texts = self.key_texts(*index, keys);
            if is_no_element(&self.pool[*index])
                || texts.iter().any(String::is_empty)
                || positions.insert(texts, *index).is_some()
            {
                return None;
            }
        }
        Some(positions)
    }

    /// True if an element matches these key values by Kustomize's loose rule: an empty value
    /// matches any element that has the field, and keys beyond the values are ignored. False
    /// without values.
    fn has_key_values(&self, index: usize, keys: &[&str], values: &[String]) -> bool {
        let fits = |(key, value): (&&str, &String)| {
            let field = field(&self.pool[index], key);
            let is_any = value.is_empty() && *key != ELEMENT_TEXT_KEY;
            field.is_some_and(|field| is_any || field.text() == Some(value))
        };
        !values.is_empty() && keys.iter().zip(values).all(fits)
    }

    pub(super) fn without(&self, list: &[usize], keys: &[&str], values: &[String]) -> Vec<usize> {
        let stays = |index: &usize| {
            !is_no_element(&self.pool[*index]) && !self.has_key_values(*index, keys, values)
        };
        list.iter().copied().filter(stays).collect()
    }

    pub(super) fn put(&mut self, index: usize, keys: &[&str], values: &[String]) {
        let mut found = false;
        let mut out = Vec::with_capacity(self.out.len() + 1);
        for other in std::mem::take(&mut self.out) {
            if is_no_element(&self.pool[other]) {
                continue;
            }
            let fits = self.has_key_values(other, keys, values);
            found |= fits;
            out.push(if fits { index } else { other });
        }
        // Kustomize: a null is no element to add.
        if !found && !self.pool[index].is_null() {
            out.push(index);
        }
        self.out = out;
    }

    /// Step 4 of section 5.3: appends the rest of the target to the result.
    pub(super) fn append_leftovers(&mut self, keys: &[&str]) {
        for index in self.target.clone() {
            let mut values = Vec::new();
            for key in keys {
                if let Some(field) = field(&self.pool[index], key) {
                    values.push(field.text().unwrap_or_default().to_owned());
                } else {
                    self.out.push(index);
                }
            }
            if values.is_empty() {
                self.out.clear();
            }
            if keys.len() > 1 {
                self.out = self.without(&self.out, keys, &values);
            }
            self.put(index, keys, &values);
        }
    }

    pub(super) fn finish(self, target: &Node, old: &[Node]) -> MergeResult {
        let items: Vec<Node> = self.out.iter().map(|index| self.pool[*index].clone()).collect();
        if items == old { MergeResult::Same } else { with_elements(target, items) }
    }
}

pub(super) fn with_elements(target: &Node, items: Vec<Node>) -> MergeResult {
    let style = target.collection_style().unwrap_or_default();
    MergeResult::Changed(Node { value: Value::Sequence(Arc::new(items), style), ..target.clone() })
}
