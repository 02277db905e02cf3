//! Lists (section 5.3). The steps are Kustomize's own, since their accidents show in the output.

use std::sync::Arc;

use crate::engine::resource::{MergeKeys, SchemaNode};
use crate::engine::yaml::{Node, Style, Value};

use super::map::directive;
use super::{Merge, Merged, Sides, TransformError};

/// The texts of an element's keys; empty where there is none.
type Tuple = Vec<String>;

impl Merge<'_, '_> {
    pub(super) fn list(
        &mut self,
        sides: Sides<'_>,
        schema: Option<SchemaNode<'_>>,
    ) -> Result<Merged, TransformError> {
        let Some(keys) = schema.and_then(|schema| schema.merge()) else {
            return Ok(self.replaced(sides));
        };
        let elements = schema.and_then(|schema| schema.elements());
        match sides {
            Sides::Target(target) => self.associative(target, None, false, keys, elements),
            Sides::Patch(patch) => {
                let merged = self.associative(patch, None, true, keys, elements)?;
                Ok(taken(merged, patch))
            }
            Sides::Both(_, patch) | Sides::Itself(patch) => {
                let (word, rest) = list_directive(patch)?;
                let rest = rest.as_ref().unwrap_or(patch);
                match (word, sides) {
                    (Some("delete"), _) => Ok(Merged::Gone),
                    (None | Some("merge"), Sides::Both(target, _)) => {
                        self.associative(target, Some(rest), false, keys, elements)
                    }
                    (None, _) => self.associative(rest, None, true, keys, elements),
                    _ => {
                        let merged = self.associative(rest, None, true, keys, elements)?;
                        Ok(taken(merged, rest))
                    }
                }
            }
        }
    }

    /// A list without merge keys: the patch's takes the place of the target's.
    fn replaced(&mut self, sides: Sides<'_>) -> Merged {
        match sides {
            Sides::Target(_) | Sides::Itself(_) => Merged::Same,
            Sides::Patch(patch) => Merged::Changed(patch.clone()),
            Sides::Both(target, patch) => {
                if target.same_content(patch) {
                    return Merged::Same;
                }
                self.notes.replaced_list(target, patch);
                Merged::Changed(patch.clone())
            }
        }
    }

    /// An associative list. `itself`: target and patch are one and the same list.
    fn associative(
        &mut self,
        target: &Node,
        patch: Option<&Node>,
        itself: bool,
        keys: MergeKeys<'_>,
        schema: Option<SchemaNode<'_>>,
    ) -> Result<Merged, TransformError> {
        let old = target.items().unwrap_or_default();
        let over = patch.and_then(Node::items).unwrap_or_default();
        let names: Vec<&str> = keys.names().collect();
        if names.is_empty() {
            return Ok(scalars(target, old, over));
        }
        if over.is_empty() && is_plain(old, &names) {
            return self.untouched(target, old, itself, schema);
        }
        if let Some(patch) = patch {
            self.notes.without_key(patch, &names);
        }
        let mut lists = Lists::new(old, over, itself);
        let lost = self.run(&mut lists, &names, schema)?;
        for index in lost {
            self.notes.lost(&lists.pool[index], &names, target);
        }
        Ok(lists.finish(target, old))
    }

    /// A list in which nothing can happen but to each element by itself.
    fn untouched(
        &mut self,
        target: &Node,
        old: &[Node],
        itself: bool,
        schema: Option<SchemaNode<'_>>,
    ) -> Result<Merged, TransformError> {
        let mut changed: Option<Vec<Node>> = None;
        for (index, element) in old.iter().enumerate() {
            let sides = if itself { Sides::Itself(element) } else { Sides::Target(element) };
            match self.walk(sides, schema)? {
                Merged::Same => {
                    if let Some(items) = &mut changed {
                        items.push(element.clone());
                    }
                }
                Merged::Changed(node) => {
                    changed.get_or_insert_with(|| old[..index].to_vec()).push(node);
                }
                Merged::Gone => {
                    changed.get_or_insert_with(|| old[..index].to_vec());
                }
            }
        }
        Ok(changed.map_or(Merged::Same, |items| relisted(target, items)))
    }

    /// Steps 1 to 4 of section 5.3; answers with the elements of the patch that are lost.
    fn run(
        &mut self,
        lists: &mut Lists,
        names: &[&str],
        schema: Option<SchemaNode<'_>>,
    ) -> Result<Vec<usize>, TransformError> {
        let mut tuples = lists.tuples(names);
        if names.len() > 1 {
            combine(&mut tuples);
        }
        let mut valid: Vec<usize> =
            (0..names.len()).filter(|key| tuples.iter().any(|t| !t[*key].is_empty())).collect();
        if valid.is_empty() {
            valid = (0..names.len()).collect();
        }
        let keys: Vec<&str> = valid.iter().map(|key| names[*key]).collect();
        let mut used = vec![false; lists.pool.len()];
        for tuple in &tuples {
            let values: Tuple = valid.iter().map(|key| tuple[*key].clone()).collect();
            let found = lists.find(&lists.target, &keys, &values);
            let over = lists.find(lists.patch(), &keys, &values);
            if let Some(over) = over {
                used[over] |= found.is_some();
            }
            let result = self.element(lists, found, over, schema)?;
            match result {
                Some(index) => {
                    fill(&mut lists.pool[index], &keys, &values);
                    lists.put(index, &keys, &values);
                }
                None => lists.delete(&keys, &values),
            }
        }
        if !tuples.is_empty() {
            lists.leftovers(&keys);
        }
        let lost = if lists.itself { &[][..] } else { &lists.patch };
        Ok(lost.iter().copied().filter(|i| !used[*i] && !lists.out.contains(i)).collect())
    }

    /// Merges an element of the patch into one of the target, in place; `None` when nothing is left.
    fn element(
        &mut self,
        lists: &mut Lists,
        found: Option<usize>,
        over: Option<usize>,
        schema: Option<SchemaNode<'_>>,
    ) -> Result<Option<usize>, TransformError> {
        let (sides, index) = match (found, over) {
            (Some(found), Some(over)) if found == over => {
                (Sides::Itself(&lists.pool[found]), found)
            }
            (Some(found), Some(over)) => {
                self.notes.replace_element(&lists.pool[over]);
                // Kustomize: a replaced element is the patch's, and the target's own comes back behind it.
                let replaced = directive(&lists.pool[over]) == Some("replace");
                let index = if replaced { over } else { found };
                (Sides::Both(&lists.pool[found], &lists.pool[over]), index)
            }
            (Some(found), None) => (Sides::Target(&lists.pool[found]), found),
            (None, Some(over)) => (Sides::Patch(&lists.pool[over]), over),
            (None, None) => return Ok(None),
        };
        match self.walk(sides, schema)? {
            Merged::Gone => return Ok(None),
            Merged::Same => {}
            Merged::Changed(node) => lists.pool[index] = node,
        }
        let node = &lists.pool[index];
        Ok((!node.is_null() && !is_empty_map(node)).then_some(index))
    }
}

fn taken(merged: Merged, patch: &Node) -> Merged {
    match merged {
        Merged::Same => Merged::Changed(patch.clone()),
        other => other,
    }
}

/// What the list says about itself, and the list without saying it.
fn list_directive(patch: &Node) -> Result<(Option<&str>, Option<Node>), TransformError> {
    let items = patch.items().unwrap_or_default();
    let says = |item: &Node| item.entries().len() == 1 && directive(item).is_some();
    let Some(item) = items.iter().find(|item| says(item)) else { return Ok((None, None)) };
    let word = directive(item).unwrap_or_default();
    if !matches!(word, "delete" | "replace" | "merge") {
        let phrase = format!("unknown patch strategy '{word}'");
        return Err(TransformError::phrase(phrase, item.mark));
    }
    let rest = items.iter().filter(|item| !says(item)).cloned().collect();
    let mut list = patch.clone();
    if let Value::Sequence(items, _) = &mut list.value {
        *items = Arc::new(rest);
    }
    Ok((Some(word), Some(list)))
}

fn is_empty_map(node: &Node) -> bool {
    node.as_mapping().is_some_and(|mapping| mapping.entries.is_empty())
}

fn key_text<'n>(element: &'n Node, key: &str) -> &'n str {
    element.get(key).filter(|value| !value.is_null()).and_then(Node::text).unwrap_or_default()
}

/// True when the list comes out of all steps in its own order: no two elements alike, no key half used.
fn is_plain(items: &[Node], names: &[&str]) -> bool {
    let used = |key: &str| items.iter().any(|item| !key_text(item, key).is_empty());
    let keys: Vec<&str> = names.iter().copied().filter(|key| used(key)).collect();
    let same = |a: &Node, b: &Node| keys.iter().all(|key| key_text(a, key) == key_text(b, key));
    !keys.is_empty()
        && items.iter().enumerate().all(|(index, item)| {
            keys.iter().all(|key| !key_text(item, key).is_empty())
                && !items[..index].iter().any(|earlier| same(earlier, item))
        })
}

fn relisted(target: &Node, items: Vec<Node>) -> Merged {
    let style = match &target.value {
        Value::Sequence(_, style) => *style,
        _ => Style::Plain,
    };
    let value = Value::Sequence(Arc::new(items), style);
    Merged::Changed(Node { value, mark: target.mark, comments: target.comments.clone() })
}

/// A list of scalars: the patch's items first, then the target's others.
fn scalars(target: &Node, old: &[Node], over: &[Node]) -> Merged {
    let mut out: Vec<Node> = Vec::with_capacity(old.len() + over.len());
    for item in over.iter().chain(old) {
        if !out.iter().any(|other| other.text() == item.text()) {
            let kept = old.iter().find(|other| other.same_content(item)).unwrap_or(item);
            out.push(kept.clone());
        }
    }
    let same = out.len() == old.len() && out.iter().zip(old).all(|(a, b)| a.same_content(b));
    if same { Merged::Same } else { relisted(target, out) }
}

/// Step 2: tuples that agree where both say something become one.
fn combine(tuples: &mut [Tuple]) {
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
fn fill(node: &mut Node, keys: &[&str], values: &[String]) {
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
struct Lists {
    pool: Vec<Node>,
    target: Vec<usize>,
    patch: Vec<usize>,
    out: Vec<usize>,
    itself: bool,
}

impl Lists {
    fn new(old: &[Node], over: &[Node], itself: bool) -> Self {
        let pool: Vec<Node> = old.iter().chain(over).cloned().collect();
        let target = (0..old.len()).collect();
        let patch = (old.len()..pool.len()).collect();
        Self { pool, target, patch, out: Vec::new(), itself }
    }

    fn patch(&self) -> &[usize] {
        if self.itself { &self.target } else { &self.patch }
    }

    fn tuples(&self, names: &[&str]) -> Vec<Tuple> {
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
    fn find(&self, list: &[usize], keys: &[&str], values: &[String]) -> Option<usize> {
        let all_empty = values.iter().all(String::is_empty);
        list.iter().copied().find(|index| {
            keys.iter().zip(values).all(|(key, value)| {
                (value.is_empty() && !all_empty)
                    || self.pool[*index].get(key).and_then(Node::text) == Some(value)
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

    fn put(&mut self, index: usize, keys: &[&str], values: &[String]) {
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

    fn delete(&mut self, keys: &[&str], values: &[String]) {
        let target = std::mem::take(&mut self.target);
        self.target = target
            .into_iter()
            .filter(|index| !self.is_nothing(*index) && !self.fits(*index, keys, values))
            .collect();
    }

    /// Step 4: what is left of the target.
    fn leftovers(&mut self, keys: &[&str]) {
        for index in self.target.clone() {
            let mut values = Vec::new();
            for key in keys {
                match self.pool[index].get(key).filter(|field| !field.is_null()) {
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

    fn finish(self, target: &Node, old: &[Node]) -> Merged {
        let items: Vec<Node> = self.out.iter().map(|index| self.pool[*index].clone()).collect();
        let same = items.len() == old.len()
            && items.iter().zip(old).all(|(a, b)| a.same_content(b) && a.mark == b.mark);
        if same { Merged::Same } else { relisted(target, items) }
    }
}
