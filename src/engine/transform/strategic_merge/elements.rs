//! The elements of an associative list while it is merged (section 5.3).

use crate::engine::yaml::Node;

use super::Merged;
use super::list::relisted;

/// The texts of an element's keys; empty where there is none.
pub(super) type Tuple = Vec<String>;

pub(super) fn is_empty_map(node: &Node) -> bool {
    node.as_mapping().is_some_and(|mapping| mapping.entries.is_empty())
}

pub(super) fn key_text<'n>(element: &'n Node, key: &str) -> &'n str {
    element.get(key).filter(|value| !value.is_null()).and_then(Node::text).unwrap_or_default()
}

/// Step 2: tuples that agree where both say something become one.
pub(super) fn combine(tuples: &mut [Tuple]) {
    for i in 0..tuples.len() {
        let current = tuples[i].clone();
        for j in 0..tuples.len() {
            let other = &tuples[j];
            let equal = current.iter().zip(other).any(|(a, b)| a == b);
            let fits =
                current.iter().zip(other).all(|(a, b)| a == b || a.is_empty() || b.is_empty());
            if equal && fits {
                let joined: Tuple = current
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

/// Writes the keys that an element lacks.
pub(super) fn fill(node: &mut Node, keys: &[&str], values: &[String]) {
    for (key, value) in keys.iter().zip(values) {
        if !value.is_empty() && node.get(key).is_none() {
            let value = Node::plain(value.as_str()).marked(node.mark);
            if let Some(mapping) = node.as_mapping_mut() {
                mapping.set(key, value);
            }
        }
    }
}

/// The lists of a merge as places in a pool: Kustomize changes elements in place while several lists hold them.
pub(super) struct Lists {
    pub(super) pool: Vec<Node>,
    pub(super) target: Vec<usize>,
    pub(super) patch: Vec<usize>,
    pub(super) out: Vec<usize>,
    pub(super) itself: bool,
}

impl Lists {
    pub(super) fn new(old: &[Node], over: &[Node], itself: bool) -> Self {
        let pool: Vec<Node> = old.iter().chain(over).cloned().collect();
        let target = (0..old.len()).collect();
        let patch = (old.len()..pool.len()).collect();
        Self { pool, target, patch, out: Vec::new(), itself }
    }

    pub(super) fn patch(&self) -> &[usize] {
        if self.itself { &self.target } else { &self.patch }
    }

    pub(super) fn tuples(&self, names: &[&str]) -> Vec<Tuple> {
        let mut tuples: Vec<Tuple> = Vec::new();
        for index in self.patch().iter().chain(&self.target) {
            let element = &self.pool[*index];
            let tuple = names.iter().map(|key| key_text(element, key).to_owned()).collect();
            if !tuples.contains(&tuple) {
                tuples.push(tuple);
            }
        }
        tuples
    }

    /// The first element whose fields have these texts; empty ones are not asked for unless all are.
    pub(super) fn find(&self, list: &[usize], keys: &[&str], values: &[String]) -> Option<usize> {
        let all_empty = values.iter().all(String::is_empty);
        list.iter().copied().find(|index| {
            keys.iter().zip(values).all(|(key, value)| {
                // Kustomize: a mapping or list has no text, which is an empty one.
                let field = self.pool[*index].get(key);
                (value.is_empty() && !all_empty)
                    || field.is_some_and(|field| field.text().unwrap_or_default() == value)
            })
        })
    }

    /// Kustomize's loose rule: an empty value fits any element that has the field; keys beyond the values count
    /// as fitting after one that did.
    fn fits(&self, index: usize, keys: &[&str], values: &[String]) -> bool {
        let element = &self.pool[index];
        !values.is_empty()
            && keys.iter().zip(values).all(|(key, value)| {
                element
                    .get(key)
                    .is_some_and(|field| value.is_empty() || field.text() == Some(value))
            })
    }

    fn is_nothing(&self, index: usize) -> bool {
        self.pool[index].is_null() || is_empty_map(&self.pool[index])
    }

    pub(super) fn put(&mut self, index: usize, keys: &[&str], values: &[String]) {
        let mut found = false;
        let mut out = Vec::with_capacity(self.out.len() + 1);
        for other in std::mem::take(&mut self.out) {
            if self.is_nothing(other) {
                continue;
            }
            let fits = self.fits(other, keys, values);
            found |= fits;
            out.push(if fits { index } else { other });
        }
        if !found {
            out.push(index);
        }
        self.out = out;
    }

    pub(super) fn delete(&mut self, keys: &[&str], values: &[String]) {
        let target = std::mem::take(&mut self.target);
        self.target = target
            .into_iter()
            .filter(|index| !self.is_nothing(*index) && !self.fits(*index, keys, values))
            .collect();
    }

    /// Step 4: what is left of the target.
    pub(super) fn leftovers(&mut self, keys: &[&str]) {
        for index in self.target.clone() {
            let mut values = Vec::new();
            for key in keys {
                match self.pool[index].get(key) {
                    Some(field) => values.push(field.text().unwrap_or_default().to_owned()),
                    None => self.out.push(index),
                }
            }
            if values.is_empty() {
                self.out.clear();
            }
            if keys.len() > 1 {
                let out = std::mem::take(&mut self.out);
                self.out = out
                    .into_iter()
                    .filter(|other| !self.is_nothing(*other) && !self.fits(*other, keys, &values))
                    .collect();
            }
            self.put(index, keys, &values);
        }
    }

    pub(super) fn finish(self, target: &Node, old: &[Node]) -> Merged {
        let items: Vec<Node> = self.out.iter().map(|index| self.pool[*index].clone()).collect();
        let same = items.len() == old.len()
            && items.iter().zip(old).all(|(a, b)| a.same_content(b) && a.mark == b.mark);
        if same { Merged::Same } else { relisted(target, items) }
    }
}
