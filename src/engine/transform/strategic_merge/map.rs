//! Mappings (section 5.2).

use std::sync::Arc;

use crate::diagnostic::PatchFault;
use crate::profile::Switch;
use crate::resource::{PathStep, SchemaNode};
use crate::yaml::{Mapping, MappingEntry, Node, Value, push_entry};

use super::{CopyOnChange, Merge, MergeResult, MergeSides, Merged, TransformError};

const DIRECTIVE: &str = "$patch";

pub(super) fn directive(node: &Node) -> Option<&str> {
    Some(node.get(DIRECTIVE)?.text().unwrap_or_default())
}

pub(super) fn without_directive(node: &Node) -> Node {
    let mut node = node.clone();
    node.remove(DIRECTIVE);
    node
}

pub(super) fn unknown(word: &str, node: &Node) -> TransformError {
    TransformError::fault(PatchFault::UnknownStrategy(word.to_owned()), node.mark)
}

impl<'s> Merge<'s, '_> {
    pub(super) fn map(&mut self, sides: MergeSides<'_>, schema: Option<SchemaNode<'_>>) -> Merged {
        let schema = schema.or_else(|| self.embedded(sides));
        let (target, patch) = match sides {
            MergeSides::Target(target) => {
                return self.fields(target, None, MergeSides::Target, schema);
            }
            MergeSides::Both(target, patch) => (Some(target), patch),
            MergeSides::Patch(patch) | MergeSides::Itself(patch) => (None, patch),
        };
        match (directive(patch), target) {
            (None, Some(target)) => self.fields(target, Some(patch), MergeSides::Target, schema),
            (Some("merge"), Some(target)) => {
                let patch = without_directive(patch);
                self.fields(target, Some(&patch), MergeSides::Target, schema)
            }
            (Some("merge" | "replace"), _) => self.taken(&without_directive(patch), true, schema),
            (Some("delete"), _) => {
                if target.is_some() {
                    let word = patch.get(DIRECTIVE).map_or(patch.mark, |word| word.mark);
                    self.record_removed(patch, word);
                }
                Ok(MergeResult::Gone)
            }
            // Kustomize: an unknown directive in a new field is kept as data.
            _ if matches!(sides, MergeSides::Patch(_)) => self.taken(patch, true, schema),
            (None, None) => self.taken(patch, false, schema),
            (Some(word), _) => Err(unknown(word, patch)),
        }
    }

    /// The schema of an object inside another: Kustomize looks up a type wherever it has no schema
    /// yet.
    fn embedded(&self, sides: MergeSides<'_>) -> Option<SchemaNode<'s>> {
        let of = |node: &Node| {
            let text = |key: &str| node.text_of(key).filter(|text| !text.is_empty());
            self.schema.of_type(text("apiVersion")?, text("kind")?)
        };
        let patch = match sides {
            MergeSides::Both(_, patch) => Some(patch),
            _ => None,
        };
        of(sides.lead()).or_else(|| patch.and_then(of))
    }

    /// Merges a mapping of the patch with itself, before it becomes part of the target.
    fn taken(&mut self, patch: &Node, is_new: bool, schema: Option<SchemaNode<'_>>) -> Merged {
        let merged = self.fields(patch, None, MergeSides::Itself, schema)?;
        Ok(match merged {
            MergeResult::Same if is_new => MergeResult::Changed(patch.clone()),
            other => other,
        })
    }

    /// Walks over the fields of a target and of a patch over it; `alone` gives the sides of a field
    /// that only the target has.
    fn fields<'n>(
        &mut self,
        target: &'n Node,
        patch: Option<&'n Node>,
        alone: impl Fn(&'n Node) -> MergeSides<'n>,
        schema: Option<SchemaNode<'_>>,
    ) -> Merged {
        let old = target.entries();
        let new = patch.map_or(&[][..], Node::entries);
        let mut out = CopyOnChange { old, changed: None };
        let first = |node: &'n Node, key: &str| node.as_mapping().and_then(|it| it.place(key));
        let over_of = |key: &str| new.get(first(patch?, key)?);
        for (index, entry) in old.iter().enumerate() {
            let key = entry.key.text().unwrap_or_default();
            let over = over_of(key);
            let both = |over: &'n MappingEntry| MergeSides::Both(&entry.value, &over.value);
            let sides = over.map_or_else(|| alone(&entry.value), both);
            match self.field(entry, sides, schema)? {
                MergeResult::Same => out.keep(entry),
                MergeResult::Changed(value) => {
                    out.start(index).push(MappingEntry { key: entry.key.clone(), value });
                }
                MergeResult::Gone => drop(out.start(index)),
            }
        }
        for entry in new {
            let key = entry.key.text().unwrap_or_default();
            if first(target, key).is_some() {
                continue;
            }
            self.notes.new_field(key, entry);
            if let MergeResult::Changed(value) =
                self.field(entry, MergeSides::Patch(&entry.value), schema)?
            {
                let key = self.new_key(&entry.key);
                push_entry(out.start(old.len()), MappingEntry { key, value });
            }
        }
        let Some(entries) = out.changed else { return Ok(MergeResult::Same) };
        let style = target.as_mapping().map(|mapping| mapping.style).unwrap_or_default();
        let value = Value::Mapping(Arc::new(Mapping { entries: entries.into(), style }));
        Ok(MergeResult::Changed(Node { value, ..target.clone() }))
    }

    /// The key for a field that the target lacks: Kustomize makes a new key that keeps only the
    /// quotes of the patch's key.
    fn new_key(&self, key: &Node) -> Node {
        let mut key = Node { comments: None, ..key.clone() };
        if self.profile.has(Switch::KeysLoseQuotes)
            && let Some(text) = key.text()
        {
            key = Node::plain(text).marked(key.mark);
        }
        key
    }

    fn field(
        &mut self,
        entry: &MappingEntry,
        sides: MergeSides<'_>,
        schema: Option<SchemaNode<'_>>,
    ) -> Merged {
        let key = entry.key.as_scalar().map(|key| Arc::clone(&key.text)).unwrap_or_default();
        let schema = schema.and_then(|schema| schema.field(&key));
        self.notes.enter(PathStep::Key(key));
        let merged = self.walk(sides, schema);
        self.notes.leave();
        merged
    }
}
