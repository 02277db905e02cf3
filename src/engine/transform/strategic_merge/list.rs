//! Lists (section 5.3). The steps are those of Kustomize, since their peculiarities affect the
//! output.

use std::sync::Arc;

use crate::diagnostic::PatchFault;
use crate::resource::{MergeKeys, PathStep, QuickSet, SchemaNode, copy_marks};
use crate::yaml::{Mark, Node, Value};

use super::elements::{
    ELEMENT_TEXT_KEY, ElementKeyTexts, ListPool, combine, is_no_element, key_text, with_elements,
};
use super::map::{directive, unknown, without_directive};
use super::{CopyOnChange, Merge, MergeResult, MergeSides, Merged, TransformError};

impl Merge<'_, '_> {
    pub(super) fn list(&mut self, sides: MergeSides<'_>, schema: Option<SchemaNode<'_>>) -> Merged {
        let Some(keys) = schema.and_then(|schema| schema.merge()) else {
            return Ok(self.replaced(sides));
        };
        let elements = schema.and_then(|schema| schema.elements());
        let (word, rest) = match sides {
            MergeSides::Target(_) | MergeSides::Patch(_) => (None, None),
            MergeSides::Both(_, patch) | MergeSides::Itself(patch) => list_directive(patch)?,
        };
        let mut merge = |target: &Node, patch: Option<&Node>, itself: bool| {
            self.merge_associative_list(target, patch, itself, keys, elements)
        };
        match (sides, word) {
            (MergeSides::Target(target), _) => merge(target, None, false),
            (MergeSides::Both(_, patch) | MergeSides::Itself(patch), Some("delete")) => {
                self.record_removed(&Node::null(), patch.mark);
                Ok(MergeResult::Gone)
            }
            (MergeSides::Both(target, patch), None | Some("merge")) => {
                merge(target, Some(rest.as_ref().unwrap_or(patch)), false)
            }
            (MergeSides::Itself(patch), None) => merge(patch, None, true),
            (
                MergeSides::Both(_, patch) | MergeSides::Patch(patch) | MergeSides::Itself(patch),
                _,
            ) => {
                let patch = rest.as_ref().unwrap_or(patch);
                Ok(match merge(patch, None, true)? {
                    MergeResult::Same => MergeResult::Changed(patch.clone()),
                    other => other,
                })
            }
        }
    }

    /// Merges a list without merge keys: the patch's list replaces the target's.
    fn replaced(&mut self, sides: MergeSides<'_>) -> MergeResult {
        match sides {
            MergeSides::Target(_) | MergeSides::Itself(_) => MergeResult::Same,
            MergeSides::Patch(patch) => MergeResult::Changed(patch.clone()),
            MergeSides::Both(target, patch) => {
                if target.same_content(patch) {
                    let mut claimed = target.clone();
                    copy_marks(patch, &mut claimed);
                    return MergeResult::Changed(claimed);
                }
                self.notes.warn_list_replaced(target, patch);
                MergeResult::Changed(patch.clone())
            }
        }
    }

    fn merge_associative_list(
        &mut self,
        target: &Node,
        patch: Option<&Node>,
        itself: bool,
        keys: MergeKeys<'_>,
        schema: Option<SchemaNode<'_>>,
    ) -> Merged {
        let old = target.items().unwrap_or_default();
        let over = patch.and_then(Node::items).unwrap_or_default();
        let mut names: Vec<&str> = keys.names().collect();
        if names.is_empty() {
            names.push(ELEMENT_TEXT_KEY);
        }
        if over.is_empty() && keeps_order(old, &names) {
            return self.merge_unpatched_list(target, old, itself, schema);
        }
        if names != [ELEMENT_TEXT_KEY] {
            self.notes.warn_elements_without_key((old, over), &names);
        }
        let mut lists = ListPool::new(old, over, itself);
        let lost = self.run(&mut lists, &names, schema)?;
        // Kustomize: elements without a key can be duplicated, and twice as many by the next patch.
        if lists.out.len() > lists.pool.len().max(MAX_GROWN_ELEMENTS) {
            return Err(TransformError::fault(
                PatchFault::ListTooLong(MAX_GROWN_ELEMENTS),
                target.mark,
            ));
        }
        for index in lost {
            self.notes.warn_lost_element(&lists.pool[index], &names, (target, over));
        }
        Ok(lists.finish(target, old))
    }

    /// Merges a target list that the patch does not contain: Kustomize visits its elements
    /// nevertheless. Only for lists whose elements cannot affect each other.
    fn merge_unpatched_list(
        &mut self,
        target: &Node,
        old: &[Node],
        itself: bool,
        schema: Option<SchemaNode<'_>>,
    ) -> Merged {
        let mut out = CopyOnChange { old, changed: None };
        for (index, element) in old.iter().enumerate() {
            let sides =
                if itself { MergeSides::Itself(element) } else { MergeSides::Target(element) };
            match self.walk_element(sides, schema)? {
                MergeResult::Same => out.keep(element),
                MergeResult::Changed(node) => out.start(index).push(node),
                MergeResult::Gone => drop(out.start(index)),
            }
        }
        Ok(out.changed.map_or(MergeResult::Same, |items| with_elements(target, items)))
    }

    /// Steps 1 to 4 of section 5.3; returns the elements of the patch that are lost.
    fn run(
        &mut self,
        lists: &mut ListPool,
        names: &[&str],
        schema: Option<SchemaNode<'_>>,
    ) -> Result<Vec<usize>, TransformError> {
        let mut tuples = lists.element_keys(names);
        if names.len() > 1 {
            combine(&mut tuples);
        }
        let mut valid: Vec<usize> =
            (0..names.len()).filter(|key| tuples.iter().any(|t| !t[*key].is_empty())).collect();
        if valid.is_empty() {
            valid = (0..names.len()).collect();
        }
        let keys: Vec<&str> = valid.iter().map(|key| names[*key]).collect();
        let positions =
            lists.positions(&lists.target, &keys).zip(lists.positions(lists.patch(), &keys));
        let mut used = vec![false; lists.pool.len()];
        for tuple in &tuples {
            let values: ElementKeyTexts = valid.iter().map(|key| tuple[*key].clone()).collect();
            let (found, over) = match &positions {
                Some((target, patch)) => {
                    (target.get(&values).copied(), patch.get(&values).copied())
                }
                None => (
                    lists.find(&lists.target, &keys, &values),
                    lists.find(lists.patch(), &keys, &values),
                ),
            };
            if let Some(over) = over {
                used[over] |= found.is_some();
            }
            let result = self.element(lists, found, over, &keys, schema)?;
            match result {
                // With several keys, every element of the target moves to the end.
                Some(index) if positions.is_some() => match found {
                    Some(found) if keys.len() == 1 => lists.out.push(found),
                    Some(_) => {}
                    None => lists.out.push(index),
                },
                Some(index) => lists.put(index, &keys, &values),
                None if positions.is_some() => lists.target.retain(|index| Some(*index) != found),
                None => lists.target = lists.without(&lists.target, &keys, &values),
            }
        }
        match positions {
            Some(_) if keys.len() > 1 => lists.out.extend_from_slice(&lists.target),
            None if !tuples.is_empty() => lists.append_leftovers(&keys),
            _ => {}
        }
        for index in &lists.out {
            used[*index] = true;
        }
        let lost = if lists.itself { &[][..] } else { &lists.patch };
        Ok(lost.iter().copied().filter(|index| !used[*index]).collect())
    }

    /// Merges an element of the patch into one of the target, in place; `None` if it is deleted.
    fn element(
        &mut self,
        lists: &mut ListPool,
        found: Option<usize>,
        over: Option<usize>,
        keys: &[&str],
        schema: Option<SchemaNode<'_>>,
    ) -> Result<Option<usize>, TransformError> {
        let named = found.map(|found| key_marks(&lists.pool[found], keys));
        let (sides, index) = match (found, over) {
            (Some(found), Some(over)) if found == over => {
                (MergeSides::Itself(&lists.pool[found]), found)
            }
            (Some(found), Some(over)) => {
                // Kustomize: with `replace`, the patch's element takes the position, and the
                // target's element is appended after it.
                let replaced = directive(&lists.pool[over]) == Some("replace");
                if replaced {
                    self.notes.warn_element_replaced(&lists.pool[over]);
                }
                // Kustomize does not change a scalar in place either.
                let is_scalar = lists.pool[found].as_scalar().is_some();
                let index = if replaced || is_scalar { over } else { found };
                (MergeSides::Both(&lists.pool[found], &lists.pool[over]), index)
            }
            (Some(found), None) => (MergeSides::Target(&lists.pool[found]), found),
            (None, Some(over)) => (MergeSides::Patch(&lists.pool[over]), over),
            (None, None) => return Ok(None),
        };
        self.notes.enter(PathStep::Index(found.unwrap_or_default()));
        let merged = self.walk_element(sides, schema);
        self.notes.leave();
        let merged = merged?;
        if let Some(over) = over
            && directive(&lists.pool[over]).is_some()
        {
            // Kustomize removes a directive when reading it, so that it does not count a second
            // time.
            lists.pool[over] = without_directive(&lists.pool[over]);
        }
        match merged {
            MergeResult::Gone => return Ok(None),
            MergeResult::Same => {}
            MergeResult::Changed(mut node) => {
                // Keys that the patch sets only to find an element keep their writer.
                for (key, text, mark) in named.into_iter().flatten() {
                    if let Some(value) = node.get_mut(key).filter(|it| it.text() == Some(&text)) {
                        value.mark = mark;
                    }
                }
                lists.pool[index] = node;
            }
        }
        let node = &lists.pool[index];
        Ok((!is_no_element(node)).then_some(index))
    }
}

impl Merge<'_, '_> {
    /// Merges one element. Kustomize: a text in a list is not written again, unlike a text in a
    /// field, which gets quotes if needed.
    fn walk_element(&mut self, sides: MergeSides<'_>, schema: Option<SchemaNode<'_>>) -> Merged {
        match sides {
            MergeSides::Target(node) | MergeSides::Itself(node) if is_text(node) => {
                Ok(MergeResult::Same)
            }
            MergeSides::Patch(node) if is_text(node) => Ok(MergeResult::Changed(node.clone())),
            _ => self.walk(sides, schema),
        }
    }
}

/// The merge keys that an element has, with their texts and marks.
fn key_marks<'k>(element: &Node, keys: &[&'k str]) -> Vec<(&'k str, Arc<str>, Mark)> {
    let key = |key: &&'k str| {
        let value = element.get(key)?;
        Some((*key, value.as_scalar()?.text.clone(), value.mark))
    };
    keys.iter().filter_map(key).collect()
}

fn is_text(node: &Node) -> bool {
    node.as_scalar().is_some() && !node.is_null()
}

/// The `$patch` directive in a list, and the list without it.
fn list_directive(patch: &Node) -> Result<(Option<&str>, Option<Node>), TransformError> {
    let items = patch.items().unwrap_or_default();
    // Kustomize: the first element with a directive decides, and only if it has no other field.
    let first = items.iter().find_map(|item| Some((item, directive(item)?)));
    let Some((item, word)) = first.filter(|(item, _)| item.entries().len() == 1) else {
        return Ok((None, None));
    };
    if !matches!(word, "delete" | "replace" | "merge") {
        return Err(unknown(word, item));
    }
    // Kustomize: elements with the same directive beside other fields are removed too, and so are
    // empty ones.
    let stays = |item: &&Node| directive(item) != Some(word) && !is_no_element(item);
    let rest = items.iter().filter(stays).cloned().collect();
    let mut list = patch.clone();
    if let Value::Sequence(items, _) = &mut list.value {
        *items = Arc::new(rest);
    }
    Ok((Some(word), Some(list)))
}

/// The maximal length of a merged list that has more elements than the target and the patch
/// together.
const MAX_GROWN_ELEMENTS: usize = 1024;

/// True if the merge keeps the order of the list: no equal elements, and each key set in all
/// elements or in none.
fn keeps_order(items: &[Node], names: &[&str]) -> bool {
    let used = |key: &str| items.iter().any(|item| !key_text(item, key).is_empty());
    let keys: Vec<&str> = names.iter().copied().filter(|key| used(key)).collect();
    let mut seen: QuickSet<Vec<&str>> = QuickSet::default();
    !keys.is_empty()
        && items.iter().all(|item| {
            let texts: Vec<&str> = keys.iter().map(|key| key_text(item, key)).collect();
            texts.iter().all(|text| !text.is_empty()) && seen.insert(texts)
        })
}
