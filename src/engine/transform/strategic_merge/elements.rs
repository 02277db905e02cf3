//! The elements of an associative list during a merge (section 5.3).

use std::sync::Arc;

use crate::resource::{QuickMap, QuickSet};
use crate::yaml::{Comments, Node, NodeKind, Style, Tag, Value};

use super::{MergeResult, TransformError, TransformResult};

/// The values of an element's keys; empty for a missing key.
pub(super) type ElementKeyTexts = Vec<String>;

/// The key of an associative list of scalars, such as finalizers: the element's text.
pub(super) const ELEMENT_TEXT_KEY: &str = "";

/// True for null and an empty mapping, which are no elements for Kustomize.
pub(super) fn is_no_element(node: &Node) -> bool {
    node.is_null() || node.as_mapping().is_some_and(|mapping| mapping.entries.is_empty())
}

/// The text of an element's key; empty if it is missing or null.
pub(super) fn key_text<'n>(element: &'n Node, key: &str) -> &'n str {
    if key == ELEMENT_TEXT_KEY {
        return element.text().unwrap_or_default();
    }
    element.get(key).filter(|value| !value.is_null()).and_then(Node::text).unwrap_or_default()
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

pub(super) fn add_missing_keys(node: &mut Node, keys: &[&str], values: &[String]) {
    for (key, value) in keys.iter().zip(values) {
        if *key == ELEMENT_TEXT_KEY
            && let Some(bare) = without_tag(node)
        {
            *node = bare;
        }
        if !value.is_empty() && *key != ELEMENT_TEXT_KEY && node.get(key).is_none() {
            let value = Node::string(value.as_str()).marked(node.mark);
            node.set(key, value);
        }
    }
}

/// A scalar element without its explicit tag, since Kustomize writes its text anew; `None` without
/// such a tag.
pub(super) fn without_tag(node: &Node) -> Option<Node> {
    node.as_scalar().filter(|scalar| scalar.tagged)?;
    let mut bare = node.clone();
    let scalar = bare.as_scalar_mut()?;
    scalar.tagged = false;
    scalar.set_tag(Tag::None);
    Some(bare)
}

/// The lists of a merge as indices into a pool: Kustomize changes elements in place while several
/// lists contain them.
pub(super) struct ListPool {
    pub(super) pool: Vec<Node>,
    pub(super) target: Vec<usize>,
    pub(super) patch: Vec<usize>,
    pub(super) out: Vec<usize>,
    pub(super) itself: bool,
    pub(super) of_scalars: bool,
}

impl ListPool {
    pub(super) fn new(old: &[Node], over: &[Node], itself: bool, of_scalars: bool) -> Self {
        let pool: Vec<Node> = old.iter().chain(over).cloned().collect();
        let target = (0..old.len()).collect();
        let patch = (old.len()..pool.len()).collect();
        Self { pool, target, patch, out: Vec::new(), itself, of_scalars }
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
        if self.of_scalars {
            let is_it = |index: &usize| key_text(&self.pool[*index], ELEMENT_TEXT_KEY) == values[0];
            return list.iter().copied().find(is_it);
        }
        let all_empty = values.iter().all(String::is_empty);
        list.iter().copied().find(|index| {
            keys.iter().zip(values).all(|(key, value)| {
                // Kustomize: a mapping or list has no text, which counts as an empty one.
                let field = self.pool[*index].get(key);
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
    ///
    /// # Errors
    /// An element that is no scalar in a list of scalars.
    fn has_key_values(
        &self,
        index: usize,
        keys: &[&str],
        values: &[String],
    ) -> Result<bool, TransformError> {
        let element = &self.pool[index];
        if self.of_scalars {
            if element.as_scalar().is_none() {
                return Err(TransformError::wrong_kind(NodeKind::Scalar, element));
            }
            return Ok(element.text() == values.first().map(String::as_str));
        }
        Ok(!values.is_empty()
            && keys.iter().zip(values).all(|(key, value)| {
                element
                    .get(key)
                    .is_some_and(|field| value.is_empty() || field.text() == Some(value))
            }))
    }

    pub(super) fn without(
        &self,
        list: &[usize],
        keys: &[&str],
        values: &[String],
    ) -> Result<Vec<usize>, TransformError> {
        let mut out = Vec::with_capacity(list.len());
        for index in list {
            if !is_no_element(&self.pool[*index]) && !self.has_key_values(*index, keys, values)? {
                out.push(*index);
            }
        }
        Ok(out)
    }

    pub(super) fn put(
        &mut self,
        index: usize,
        keys: &[&str],
        values: &[String],
    ) -> TransformResult {
        let mut found = false;
        let mut out = Vec::with_capacity(self.out.len() + 1);
        for other in std::mem::take(&mut self.out) {
            if is_no_element(&self.pool[other]) {
                continue;
            }
            let fits = self.has_key_values(other, keys, values)?;
            found |= fits;
            out.push(if fits { index } else { other });
        }
        // Kustomize: a null is no element to add.
        if !found && !self.pool[index].is_null() {
            out.push(index);
        }
        self.out = out;
        Ok(())
    }

    /// Step 4 of section 5.3: appends the rest of the target to the result.
    pub(super) fn append_leftovers(&mut self, keys: &[&str]) -> TransformResult {
        for index in self.target.clone() {
            if self.of_scalars {
                let text = key_text(&self.pool[index], ELEMENT_TEXT_KEY).to_owned();
                self.put(index, keys, &[text])?;
                continue;
            }
            let mut values = Vec::new();
            for key in keys {
                if let Some(field) = self.pool[index].get(key) {
                    values.push(field.text().unwrap_or_default().to_owned());
                } else {
                    self.out.push(index);
                }
            }
            if values.is_empty() {
                self.out.clear();
            }
            if keys.len() > 1 {
                self.out = self.without(&self.out, keys, &values)?;
            }
            self.put(index, keys, &values)?;
        }
        Ok(())
    }

    pub(super) fn finish(self, target: &Node, old: &[Node]) -> MergeResult {
        let items: Vec<Node> = self.out.iter().map(|index| self.pool[*index].clone()).collect();
        // Kustomize: a list is kept, with its comments, if it has no elements to merge.
        let is_own = old.is_empty() || !is_commented(target);
        if items == old && is_own { MergeResult::Same } else { with_elements(target, items) }
    }
}

/// The list with these elements. Kustomize: it is a new list, without the comments of the old one.
pub(super) fn with_elements(target: &Node, items: Vec<Node>) -> MergeResult {
    let style = match &target.value {
        Value::Sequence(_, style) => *style,
        _ => Style::Plain,
    };
    let value = Value::Sequence(Arc::new(items), style);
    let mut comments = target.comments.clone();
    if is_commented(target) {
        let bare = comments.map(|beside| Comments {
            head: String::new(),
            line: String::new(),
            foot: String::new(),
            ..Comments::clone(&beside)
        });
        comments = bare.filter(|bare| *bare != Comments::default()).map(Arc::new);
    }
    MergeResult::Changed(Node { value, mark: target.mark, comments })
}

pub(super) fn is_commented(list: &Node) -> bool {
    list.comments.as_ref().is_some_and(|beside| beside.has_texts())
}
