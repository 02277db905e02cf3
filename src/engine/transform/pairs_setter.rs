//! Writing labels and annotations to mappings.

use std::sync::Arc;

use crate::manifest::{Marked, Pairs};
use crate::resource::{PathStep, ResMap, Resource, Slot};
use crate::yaml::{MappingEntry, Mark, Node, NodeKind, Scalar, Tag};

use super::TransformError;
use super::field_walk::{FieldSpecPath, FieldWriter, rewrite_fields};
use super::set_field::{Rewrite, new_scalar, set_value};

pub(super) struct PairsSetter<'a> {
    pairs: &'a Pairs,
    mark: Mark,
    /// The entry of each pair, to be added to mappings without its key; its texts are shared by all
    /// resources.
    entries: Vec<MappingEntry>,
    /// The indices of the pairs that were added to some field of the resource, each once.
    made: Vec<usize>,
    is_made: Vec<bool>,
}

impl<'a> PairsSetter<'a> {
    pub(super) fn new(pairs: &'a Pairs, mark: Mark) -> Self {
        let entry = |(key, pair): (&String, &Marked<String>)| {
            // The line of the pair, if it has one.
            let mark = pair.mark.written_by(mark);
            let value = new_scalar(&pair.value, Tag::Str).marked(mark);
            MappingEntry { key: Node::plain(key.as_str()).marked(mark), value }
        };
        Self {
            pairs,
            mark,
            entries: pairs.iter().map(entry).collect(),
            made: Vec::new(),
            is_made: vec![false; pairs.len()],
        }
    }

    /// Writes the pairs to the fields of a resource; true if it has one of them, or gets it.
    pub(super) fn write_to(
        &mut self,
        slot: Slot,
        paths: &[&FieldSpecPath],
        resources: &mut ResMap,
    ) -> Result<bool, TransformError> {
        let Some(resource) = resources.get(slot) else { return Ok(false) };
        let (mark, leaf) = (self.mark, Some(Node::mapping()));
        let mut write = |node: &Node| self.rewrite(node);
        let mut writer = FieldWriter { mark, leaf, write: &mut write };
        let written = rewrite_fields(resource, paths, &mut writer)?;
        if let Some(node) = written.node {
            let is_apart = resource.shared.is_empty();
            let write = |resource: &mut Resource| {
                resource.node = node;
                self.finish(resource, paths);
            };
            if is_apart {
                resources.update_unshared(slot, write);
            } else {
                resources.update(slot, write);
            }
        }
        Ok(written.is_met)
    }

    /// Records each added pair as one node that several mappings share, if the paths reach several
    /// mappings of the resource.
    fn share_added(&self, resource: &mut Resource, chosen: &[&FieldSpecPath]) {
        let reached: Vec<_> = chosen.iter().flat_map(|path| path.places(&resource.node)).collect();
        if reached.len() < 2 {
            return;
        }
        let shared = |index: &usize| {
            let MappingEntry { key, value } = &self.entries[*index];
            let (key, text) = (key.as_scalar()?, &value.as_scalar()?.text);
            let is_made = |scalar: &Scalar| Arc::ptr_eq(&scalar.text, text);
            let of_leaf = |(place, leaf): &(Vec<PathStep>, &Node)| {
                leaf.get(&key.text)?.as_scalar().filter(|scalar| is_made(scalar))?;
                Some(place.iter().cloned().chain([PathStep::Key(key.text.clone())]).collect())
            };
            Some(reached.iter().filter_map(of_leaf).collect())
        };
        let groups: Vec<Vec<Vec<PathStep>>> = self.made.iter().filter_map(shared).collect();
        resource.share_all(groups);
    }

    fn rewrite(&mut self, node: &Node) -> Result<Rewrite, TransformError> {
        let Some(mapping) = node.as_mapping() else {
            // Kustomize appends the pairs to a null, which still prints as null.
            let error = TransformError::wrong_kind(NodeKind::Mapping, node);
            return if node.is_null() { Ok(Rewrite::SAME) } else { Err(error) };
        };
        let mut result = Rewrite::SAME;
        for (index, ((key, pair), entry)) in self.pairs.iter().zip(&self.entries).enumerate() {
            let now =
                result.node.as_ref().map_or(mapping, |node| node.as_mapping().unwrap_or(mapping));
            let Some(place) = now.place(key) else {
                let new = result.node.get_or_insert_with(|| node.clone());
                if let Some(new) = new.as_mapping_mut() {
                    new.entries.reserve_exact(self.pairs.len() - index);
                    new.push(entry.clone());
                }
                if !std::mem::replace(&mut self.is_made[index], true) {
                    self.made.push(index);
                }
                continue;
            };
            // The step becomes the writer of pairs that it does not change, too.
            let (old, mark) = (&now.entries[place].value, entry.value.mark);
            let mut value = old.clone();
            set_value(&mut value, pair.value.as_str(), Tag::Str, mark);
            let value = Node { mark, comments: None, ..value };
            if value != *old {
                result.add_value(node, place, Rewrite::written(value));
            }
        }
        Ok(result)
    }

    /// Shares the pairs that were added to several fields of a resource.
    fn finish(&mut self, resource: &mut Resource, chosen: &[&FieldSpecPath]) {
        if !self.made.is_empty() {
            self.share_added(resource, chosen);
        }
        for index in self.made.drain(..) {
            self.is_made[index] = false;
        }
    }
}
