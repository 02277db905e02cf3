//! The places that texts had before a replacement wrote over them.

use crate::yaml::{Mark, Node, Value};

/// The marks of scalars that have another text now, each with the one from before.
pub(super) fn kept_places(before: &Node, now: &Node) -> Vec<(Mark, Mark)> {
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
pub(super) fn changes_a_kind(before: &Node, now: &Node) -> bool {
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
