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

/// Both sides of a change for a comparison by line, which then differ only in their data: the first
/// in the layout of the second, and the second with a comment at each element that only moved. The
/// first gets the order of keys and elements, and for equal parts the quotes and comments; parts that
/// are only in the first follow their former predecessor.
pub fn layout_for_diff(before: &Node, after: &Node) -> (Node, Node) {
    let values = match (&before.value, &after.value) {
        (Value::Scalar(_), Value::Scalar(_)) if before.same_value(after) => {
            return (after.clone().marked(before.mark), after.clone());
        }
        (Value::Sequence(items, _), Value::Sequence(others, style)) => {
            let (old, new) = layout_items(items, others, *style);
            [old, new].map(|items| Value::Sequence(Arc::new(items), *style))
        }
        (Value::Mapping(mapping), Value::Mapping(other)) => {
            let (old, new) = layout_entries(mapping, other);
            [old, new]
                .map(|it| Value::Mapping(Mapping { entries: it.into(), style: other.style }.into()))
        }
        _ => return (before.clone(), after.clone()),
    };
    let [old, new] = values;
    let old = Node { value: old, comments: after.comments.clone(), ..before.clone() };
    (old, Node { value: new, ..after.clone() })
}

fn layout_items(items: &[Node], others: &[Node], style: Style) -> (Vec<Node>, Vec<Node>) {
    let pairs = pair_elements(items, others);
    let unmoved = unmoved_elements(&pairs);
    let (mut old, mut new) = (items.to_vec(), others.to_vec());
    for (from, to) in pairs.iter().enumerate().filter_map(|(from, to)| Some((from, (*to)?))) {
        (old[from], new[to]) = layout_for_diff(&items[from], &others[to]);
        if !unmoved.contains(&from) && style != Style::Flow {
            let said = format!("# moved: was entry {} of this list", from + 1);
            let known = new[to].comments.as_deref().cloned().unwrap_or_default();
            let head = if known.head.is_empty() { said } else { [&*said, &known.head].join("\n") };
            new[to].comments = Some(Arc::new(Comments { head, ..known }));
        }
    }
    // A list in brackets cannot contain comments about moved elements, so its former order is shown.
    if style != Style::Flow {
        old = order_by_counterpart(&pairs)
            .into_iter()
            .map(|at| std::mem::take(&mut old[at]))
            .collect();
    }
    (old, new)
}

fn layout_entries(before: &Mapping, after: &Mapping) -> (Vec<MappingEntry>, Vec<MappingEntry>) {
    let counterpart = |entry: &MappingEntry| after.place(entry.key.text()?);
    let pairs: Vec<Option<usize>> = before.entries.iter().map(counterpart).collect();
    let mut new = after.entries.to_vec();
    let arranged = order_by_counterpart(&pairs).into_iter().map(|from| {
        let mine = &before.entries[from];
        let Some(to) = pairs[from] else { return mine.clone() };
        let (key, _) = layout_for_diff(&mine.key, &after.entries[to].key);
        let (value, changed) = layout_for_diff(&mine.value, &after.entries[to].value);
        new[to].value = changed;
        MappingEntry { key, value }
    });
    (arranged.collect(), new)
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
    let place = |(index, pair): (usize, &Option<usize>)| {
        last = pair.or(last);
        (last, index)
    };
    let mut keyed: Vec<(Option<usize>, usize)> = pairs.iter().enumerate().map(place).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, index)| index).collect()
}

/// The elements that kept their relative order, by their former indices: as many as possible.
fn unmoved_elements(pairs: &[Option<usize>]) -> QuickSet<usize> {
    let before: Vec<usize> = (0..pairs.len()).filter(|from| pairs[*from].is_some()).collect();
    let mut now = before.clone();
    now.sort_by_key(|from| pairs[*from]);
    let operations = capture_diff_slices(Algorithm::Myers, &before, &now).into_iter();
    let equal = operations.filter(|operation| matches!(operation, DiffOp::Equal { .. }));
    equal.flat_map(|operation| now[operation.new_range()].iter().copied()).collect()
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
