//! Gives a tree the layout of another tree: the order of keys, quotes, comments and brackets are
//! not differences.

use std::sync::Arc;

use similar::TextDiff;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::answers::recording::lookup::corresponding_element;
use crate::answers::secrets::Secrets;
use crate::display::sanitize;
use crate::engine::resource::{Change, QuickSet, ResId};
use crate::engine::yaml::{
    Comments, Mapping, MappingEntry, Node, Style, Value, print_preserving_style,
};

/// The maximum length of lists whose elements are paired by content; longer lists are paired by
/// index.
const MAX_PAIRED_ELEMENTS: usize = 200;

/// `before` in the layout of `after`: keys in its order, and equal parts in its quotes and with its
/// comments. Parts that are only in `before` follow their former predecessor. Compared line by
/// line, the two differ only in their data.
fn apply_layout(before: &Node, after: &Node) -> Node {
    let mut node = match (&before.value, &after.value) {
        (Value::Scalar(_), Value::Scalar(_)) if before.same_value(after) => {
            after.clone().marked(before.mark)
        }
        (Value::Sequence(items, _), Value::Sequence(others, style)) => {
            let pairs = pair_elements(items, others);
            // A list in brackets cannot contain comments about moved elements, so its former order
            // is shown.
            let order = match style {
                Style::Flow => (0..items.len()).collect(),
                _ => order_by_counterpart(&pairs),
            };
            let arranged = order.into_iter().map(|index| match pairs[index] {
                Some(at) => apply_layout(&items[index], &others[at]),
                None => items[index].clone(),
            });
            Node { value: Value::Sequence(Arc::new(arranged.collect()), *style), ..before.clone() }
        }
        (Value::Mapping(_), Value::Mapping(other)) => {
            let mapping =
                Mapping { entries: layout_entries(before, after).into(), style: other.style };
            Node { value: Value::Mapping(Arc::new(mapping)), ..before.clone() }
        }
        _ => return before.clone(),
    };
    node.comments.clone_from(&after.comments);
    node
}

/// For each element of a list, the index of the corresponding element of another list.
fn pair_elements(items: &[Node], others: &[Node]) -> Vec<Option<usize>> {
    let is_long = items.len().max(others.len()) > MAX_PAIRED_ELEMENTS;
    let mut taken = QuickSet::default();
    let one = |index: usize| {
        let at = if is_long { Some(index) } else { corresponding_element(items, others, index) };
        at.filter(|at| *at < others.len() && taken.insert(*at))
    };
    (0..items.len()).map(one).collect()
}

/// The elements in the order of their counterparts; one without a counterpart follows its former
/// predecessor.
fn order_by_counterpart(pairs: &[Option<usize>]) -> Vec<usize> {
    let mut last = None;
    let mut keyed: Vec<(Option<usize>, usize)> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        last = pair.or(last);
        keyed.push((last, index));
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, index)| index).collect()
}

/// Both sides of a change for a comparison by line: the first in the layout of the second, and the
/// second with a comment at each element that only moved.
pub fn layout_for_diff(before: &Node, after: &Node) -> (Node, Node) {
    (apply_layout(before, after), with_move_comments(before, after))
}

/// `after` with a comment at each list element that has another position than in `before`.
fn with_move_comments(before: &Node, after: &Node) -> Node {
    match (&before.value, &after.value) {
        (Value::Sequence(items, _), Value::Sequence(others, style)) => {
            let pairs = pair_elements(items, others);
            let mut places = vec![None; others.len()];
            for (from, place) in pairs.iter().enumerate() {
                if let Some(place) = place {
                    places[*place] = Some(from);
                }
            }
            let unmoved = unmoved_elements(&places);
            let marked = others.iter().enumerate().map(|(place, other)| {
                let Some(from) = places[place] else { return other.clone() };
                let mut node = with_move_comments(&items[from], other);
                if !unmoved.contains(&from) && *style != Style::Flow {
                    let said = format!("# moved: was entry {} of this list", from + 1);
                    let known = node.comments.as_deref().cloned().unwrap_or_default();
                    let lines = [said.as_str(), &known.head];
                    let lines = lines.into_iter().filter(|line| !line.is_empty());
                    let head = lines.collect::<Vec<_>>().join("\n");
                    node.comments = Some(Arc::new(Comments { head, ..known }));
                }
                node
            });
            Node { value: Value::Sequence(Arc::new(marked.collect()), *style), ..after.clone() }
        }
        (Value::Mapping(_), Value::Mapping(other)) => {
            let entries = other.entries.iter().map(|entry| {
                let mine = entry.key.text().and_then(|key| before.entry(key));
                let value = mine.map_or_else(
                    || entry.value.clone(),
                    |it| with_move_comments(&it.value, &entry.value),
                );
                MappingEntry { key: entry.key.clone(), value }
            });
            let mapping = Mapping { entries: entries.collect(), style: other.style };
            Node { value: Value::Mapping(Arc::new(mapping)), ..after.clone() }
        }
        _ => after.clone(),
    }
}

/// The elements that kept their relative order, by their former indices: as many as possible.
fn unmoved_elements(was: &[Option<usize>]) -> QuickSet<usize> {
    let now: Vec<usize> = was.iter().flatten().copied().collect();
    let mut before = now.clone();
    before.sort_unstable();
    let operations = capture_diff_slices(Algorithm::Myers, &before, &now).into_iter();
    let equal = operations.filter(|operation| matches!(operation, DiffOp::Equal { .. }));
    equal.flat_map(|operation| now[operation.new_range()].iter().copied()).collect()
}

/// The entries of `before` in the order of `after`; a removed entry follows its predecessor.
fn layout_entries(before: &Node, after: &Node) -> Vec<MappingEntry> {
    let counterpart = |entry: &MappingEntry| after.as_mapping()?.place(entry.key.text()?);
    let pairs: Vec<Option<usize>> = before.entries().iter().map(counterpart).collect();
    let arranged = order_by_counterpart(&pairs).into_iter().map(|index| {
        let mine = &before.entries()[index];
        let Some(entry) = pairs[index].map(|at| &after.entries()[at]) else { return mine.clone() };
        let key = apply_layout(&mine.key, &entry.key);
        MappingEntry { key, value: apply_layout(&mine.value, &entry.value) }
    });
    arranged.collect()
}

const CONTEXT_LINES: usize = 3;

/// The change of one resource as a unified diff of its text; Secrets are masked unless requested.
pub fn change_diff(change: &Change, secrets: &Secrets) -> String {
    let id = change
        .after
        .as_ref()
        .or(change.before.as_ref())
        .map(|resource| {
            let ResId { gvk, name, namespace, .. } = &resource.id;
            let separator = if namespace.is_empty() { "" } else { "/" };
            sanitize(&format!("{namespace}{separator}{}/{name}", gvk.kind)).into_owned()
        })
        .unwrap_or_default();
    let after = change.after.as_ref().map(|resource| secrets.masked_node(resource));
    let before = change.before.as_ref().map(|resource| secrets.masked_node(resource));
    unified(before.as_ref(), after.as_ref(), (&format!("a/{id}"), &format!("b/{id}")))
}

/// The difference between two states of a resource as a unified diff of their texts.
pub fn unified(before: Option<&Node>, after: Option<&Node>, names: (&str, &str)) -> String {
    let text = |node: Option<&Node>| node.map_or_else(String::new, print_preserving_style);
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => {
            let (before, after) = layout_for_diff(before, after);
            (print_preserving_style(&before), print_preserving_style(&after))
        }
        (before, after) => (text(before), text(after)),
    };
    let diff = TextDiff::from_lines(&before, &after);
    diff.unified_diff().context_radius(CONTEXT_LINES).header(names.0, names.1).to_string()
}

#[cfg(test)]
mod tests {
    use crate::answers::compare::layout::*;
    use crate::engine::yaml::{Limits, SourceId, parse_documents, print_preserving_style};

    fn parse_as_file(file: u32, text: &str) -> Node {
        let parsed = parse_documents(text.as_bytes(), SourceId(file), Limits::default()).unwrap();
        parsed.documents.into_iter().next().unwrap().node
    }

    #[test]
    fn moved_element_gets_a_comment() {
        let before =
            parse_as_file(1, "l:\n- {name: a, v: 1}\n- {name: b, v: 1}\n- {name: c, v: 1}\n");
        // The second text is in another file, because elements at the same location of one file
        // count as the same element.
        let after = parse_as_file(
            2,
            "l:\n- {name: new}\n- {name: c, v: 1}\n- {name: a, v: 1}\n- {name: b, v: 2}\n",
        );
        let (old, new) = layout_for_diff(&before, &after);
        assert_eq!(
            print_preserving_style(&old),
            "l:\n- {name: c, v: 1}\n- {name: a, v: 1}\n- {name: b, v: 1}\n"
        );
        assert_eq!(
            print_preserving_style(&new),
            "l:\n- {name: new}\n# moved: was entry 3 of this list\n- {name: c, v: 1}\n- {name: a, v: 1}\n- {name: b, v: 2}\n"
        );
        let (_, same) = layout_for_diff(&before, &before);
        assert_eq!(print_preserving_style(&same), print_preserving_style(&before));
    }
}
