//! The places that texts had before a replacement wrote over them.

use crate::yaml::{Mark, Node, Value};

/// The marks of scalars that have another text now, each with the one from before.
pub(super) fn kept_places(before: &Node, now: &Node) -> Vec<(Mark, Mark)> {
    let pairs: Vec<(&Node, &Node)> = match (&before.value, &now.value) {
        (Value::Scalar(_), Value::Scalar(_)) if before.mark != now.mark => {
            return vec![(now.mark, before.mark)];
        }
        (Value::Sequence(old, _), Value::Sequence(new, _)) => old.iter().zip(new.iter()).collect(),
        (Value::Mapping(old), Value::Mapping(new)) => {
            let old = old.entries.iter();
            old.filter_map(|it| Some((&it.value, new.get(it.key.text()?)?))).collect()
        }
        _ => return Vec::new(),
    };
    let mut kept: Vec<_> = pairs.into_iter().flat_map(|(old, new)| kept_places(old, new)).collect();
    kept.dedup();
    kept
}
