//! A tree in the layout of another: the order of keys, quotes, comments and brackets mean nothing, and are no difference.

use std::sync::Arc;

use crate::engine::yaml::{Entry, Mapping, Node, Value};

use super::field::same_element;

/// Longer lists are compared element by element with the same number.
const LONG: usize = 200;

/// `before` as it would be written in the layout of `after`: keys in its order, and what is equal in its quotes and with its
/// comments. What is only in `before` stays behind what it stood behind. Compared line by line, the two differ where their
/// data do.
pub fn laid_out_as(before: &Node, after: &Node) -> Node {
    let mut node = match (&before.value, &after.value) {
        (Value::Scalar(_), Value::Scalar(_)) if before.same_value(after) => {
            after.clone().marked(before.mark)
        }
        (Value::Sequence(items, _), Value::Sequence(others, style)) => {
            let counterpart = |index: usize| {
                let at = if items.len().max(others.len()) > LONG {
                    Some(index)
                } else {
                    same_element(items, others, index)
                };
                at.and_then(|at| others.get(at))
            };
            let items = items.iter().enumerate().map(|(index, item)| {
                counterpart(index).map_or_else(|| item.clone(), |other| laid_out_as(item, other))
            });
            Node { value: Value::Sequence(Arc::new(items.collect()), *style), ..before.clone() }
        }
        (Value::Mapping(own), Value::Mapping(other)) => {
            let mapping = Mapping { entries: entries(own, other), style: other.style };
            Node { value: Value::Mapping(Arc::new(mapping)), ..before.clone() }
        }
        _ => return before.clone(),
    };
    node.comments.clone_from(&after.comments);
    node
}

fn entries(own: &Mapping, other: &Mapping) -> Vec<Entry> {
    let mut found = Vec::with_capacity(own.entries.len());
    for entry in &other.entries {
        let Some(key) = entry.key.text() else { continue };
        let Some(mine) = own.entries.iter().find(|mine| mine.key.text() == Some(key)) else {
            continue;
        };
        let key = laid_out_as(&mine.key, &entry.key);
        found.push(Entry { key, value: laid_out_as(&mine.value, &entry.value) });
    }
    let mut behind: Option<&str> = None;
    for entry in &own.entries {
        let key = entry.key.text();
        if !found.iter().any(|there| there.key.text() == key) {
            let at = behind.and_then(|key| found.iter().position(|it| it.key.text() == Some(key)));
            found.insert(at.map_or(0, |at| at + 1), entry.clone());
        }
        behind = key.or(behind);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::yaml::{Limits, SourceId, parse_documents, print_v3};

    fn tree(text: &str) -> Node {
        let parsed = parse_documents(text.as_bytes(), SourceId(1), Limits::default()).unwrap();
        parsed.documents.into_iter().next().unwrap().node
    }

    #[test]
    fn only_the_data_differ() {
        let before = tree("# top\nb: 'x'\na: {d: 1, c: 2}\ngone: 1\nl:\n- name: p\n  v: 1 # one\n");
        let after = tree("a:\n  c: 2\n  d: 1\nb: x\nl:\n- v: 2\n  name: p\n");
        let shown = print_v3(&laid_out_as(&before, &after));
        assert_eq!(shown, "a:\n  c: 2\n  d: 1\ngone: 1\nb: x\nl:\n- v: 1 # one\n  name: p\n");
        let back = laid_out_as(&laid_out_as(&before, &after), &before);
        assert_eq!(print_v3(&back), print_v3(&before));
    }
}
