//! Where the nodes of a resource stand once a replacement wrote in it.

use crate::resource::{ResMap, Resource, Slot, Standing};
use crate::transform::Context;
use crate::transform::noted::{noted_tree, without_notes};
use crate::transform::shown::take_back;
use crate::yaml::{Allowance, Limits, Mark, Node, Value};

use super::live::Live;
use super::path::FieldPath;
use super::target::Target;
use super::{ReplacementTransformer, Run, Source, default_path};

/// What a target of a replacement made of one resource.
pub(super) struct Written {
    pub(super) slot: Slot,
    pub(super) before: Node,
    pub(super) node: Node,
    /// Kustomize's own annotations are among the others in both.
    pub(super) is_exposed: bool,
}

impl ReplacementTransformer {
    /// Puts it in its place, with what is known of where its nodes stand.
    pub(super) fn put(
        &self,
        written: Written,
        (target, live): (&Target, Option<&Live>),
        run: &Run,
        resources: &mut ResMap,
        cx: &Context<'_>,
    ) {
        let Written { slot, before, node, is_exposed } = written;
        let Some(resource) = resources.get(slot) else { return };
        let asks_for_places = cx.unplaced.is_some() || resource.hashes_places();
        let kept = asks_for_places.then(|| kept_places(&before, &node));
        let moves = resource.hashes_places()
            && (run.value.as_scalar().is_none() || changes_a_kind(&before, &node));
        let places = moves.then(|| {
            let is_followed = node.without_below_null().is_none();
            let places = || self.places_after(target, (resource, is_exposed), live, resources, cx);
            is_followed.then(places).flatten()
        });
        resources.update(slot, |resource| {
            for (now, before) in kept.into_iter().flatten() {
                resource.keeps_place(now, before);
            }
            if is_exposed {
                take_back(resource, node);
            } else {
                resource.node = node;
            }
            match places {
                Some(Some(Standing { places, notes })) => {
                    resource.stands_as(places);
                    if let Some(notes) = notes {
                        resource.set_notes(notes);
                    }
                }
                Some(None) => resource.lose_places(),
                None => {}
            }
            resource.unshare_replaced(&before);
        });
    }

    /// Where the nodes of a resource stand once a target of it was written: a collection stands where its source does. Nothing
    /// where nobody knows.
    fn places_after(
        &self,
        target: &Target,
        (resource, is_exposed): (&Resource, bool),
        live: Option<&Live>,
        resources: &ResMap,
        cx: &Context<'_>,
    ) -> Option<Standing> {
        let before = if is_exposed { noted_tree(resource)? } else { resource.placed()? };
        let mut node = before.clone();
        let mut shared = resource.shared.clone();
        let value = self.placed_value(resources)?;
        let copies = Allowance::new(Limits::default());
        let mut run = Run { value, copies, end: None, of_places: true };
        self.write_all(target, (&mut node, &mut shared), live, &mut run, cx).ok()?;
        if is_exposed { without_notes(resource, &before, node) } else { Some(node.into()) }
    }

    /// The value as it stands in its source.
    fn placed_value(&self, resources: &ResMap) -> Option<Node> {
        let source = match &self.source {
            Source::Value(text) => return Some(Node::plain(text.value.as_str())),
            Source::Field(source) => source,
            Source::Refused(_) => return None,
        };
        let from = resources.get(self.source_slot(source, resources).ok()?)?;
        let is_exposed =
            FieldPath::of_source(default_path(&source.field_path)).reaches_bookkeeping();
        let tree = if is_exposed { noted_tree(from) } else { from.placed() };
        // Of what has no hash, the steps that make nodes are not followed.
        let value = self.value_in(source, Some(&tree?)).ok()?;
        let is_known = from.hashes_places() || !from.is_patched() && are_all_read(&value);
        is_known.then_some(value)
    }
}

/// True when nothing in it was made.
fn are_all_read(node: &Node) -> bool {
    let mut values = node.entries().iter().map(|entry| &entry.value);
    node.mark.line > 0
        && values.all(are_all_read)
        && node.items().unwrap_or_default().iter().all(are_all_read)
}

/// The marks of scalars that have another text now, each with the one from before.
fn kept_places(before: &Node, now: &Node) -> Vec<(Mark, Mark)> {
    if before.as_scalar().and(now.as_scalar()).is_some() {
        return if before.mark == now.mark { Vec::new() } else { vec![(now.mark, before.mark)] };
    }
    let pairs = pairs(before, now).into_iter();
    let mut kept: Vec<_> = pairs.flat_map(|(old, new)| kept_places(old, new)).collect();
    kept.dedup();
    kept
}

/// True when something of another kind took the place of a value, which stands where it came from, or something was put below
/// a null.
fn changes_a_kind(before: &Node, now: &Node) -> bool {
    before.kind() != now.kind()
        || before.below_null() != now.below_null()
        || pairs(before, now).into_iter().any(|(old, new)| changes_a_kind(old, new))
}

/// What stands in the same place of two trees, one level down.
fn pairs<'n>(before: &'n Node, now: &'n Node) -> Vec<(&'n Node, &'n Node)> {
    match (&before.value, &now.value) {
        (Value::Sequence(old, _), Value::Sequence(new, _)) => old.iter().zip(new.iter()).collect(),
        (Value::Mapping(old), Value::Mapping(new)) => {
            let old = old.entries.iter();
            old.filter_map(|it| Some((&it.value, new.get(it.key.text()?)?))).collect()
        }
        _ => Vec::new(),
    }
}
