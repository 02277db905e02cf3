//! A tree in the layout of another: the order of keys, quotes, comments and brackets mean nothing, and are no difference.

use std::sync::Arc;

use crate::engine::yaml::{Comments, Entry, Mapping, Node, Style, Value};

use super::field::same_element;

/// Longer lists are compared element by element with the same number.
const LONG: usize = 200;

/// `before` as it would be written in the layout of `after`: keys in its order, and what is equal in its quotes and with its
/// comments. What is only in `before` stays behind what it stood behind. Compared line by line, the two differ where their
/// data do.
fn laid_out_as(before: &Node, after: &Node) -> Node {
    let mut node = match (&before.value, &after.value) {
        (Value::Scalar(_), Value::Scalar(_)) if before.same_value(after) => {
            after.clone().marked(before.mark)
        }
        (Value::Sequence(items, _), Value::Sequence(others, style)) => {
            let pairs = pairs(items, others);
            // No comment can stand inside brackets: there the order is shown as it was.
            let order = match style {
                Style::Flow => (0..items.len()).collect(),
                _ => arranged(&pairs),
            };
            let arranged = order.into_iter().filter_map(|index| {
                let item = items.get(index)?;
                let other = pairs.get(index).copied().flatten().and_then(|at| others.get(at));
                Some(other.map_or_else(|| item.clone(), |other| laid_out_as(item, other)))
            });
            Node { value: Value::Sequence(Arc::new(arranged.collect()), *style), ..before.clone() }
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

/// For each element of a list the place of the same one in another list.
fn pairs(items: &[Node], others: &[Node]) -> Vec<Option<usize>> {
    let is_long = items.len().max(others.len()) > LONG;
    let mut taken = vec![false; others.len()];
    let one = |index: usize| {
        let at = if is_long { Some(index) } else { same_element(items, others, index) };
        let at = at.filter(|at| taken.get(*at) == Some(&false))?;
        *taken.get_mut(at)? = true;
        Some(at)
    };
    (0..items.len()).map(one).collect()
}

/// The elements in the order of their counterparts; one without stays behind what it stood behind.
fn arranged(pairs: &[Option<usize>]) -> Vec<usize> {
    let mut behind = None;
    let mut keyed: Vec<(Option<usize>, usize)> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        behind = pair.or(behind);
        keyed.push((behind, index));
    }
    keyed.sort_by_key(|(place, _)| *place);
    keyed.into_iter().map(|(_, index)| index).collect()
}

/// Both sides of a change as they are compared line by line: the first in the layout of the second, and in the second a comment at each element that
/// only moved.
pub fn both_sides(before: &Node, after: &Node) -> (Node, Node) {
    (laid_out_as(before, after), with_moves(before, after))
}

fn with_moves(before: &Node, after: &Node) -> Node {
    match (&before.value, &after.value) {
        (Value::Sequence(items, _), Value::Sequence(others, style)) => {
            let pairs = pairs(items, others);
            let was = |place: usize| pairs.iter().position(|pair| *pair == Some(place));
            let places: Vec<Option<usize>> = (0..others.len()).map(was).collect();
            let kept = longest_rise(&places);
            let marked = others.iter().enumerate().map(|(place, other)| {
                let Some(from) = places.get(place).copied().flatten() else { return other.clone() };
                let item = items.get(from);
                let mut node = item.map_or_else(|| other.clone(), |it| with_moves(it, other));
                if !kept.contains(&place) && *style != Style::Flow {
                    let said = format!("# moved: it was number {} of this list", from + 1);
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
        (Value::Mapping(own), Value::Mapping(other)) => {
            let entries = other.entries.iter().map(|entry| {
                let mine = own.entries.iter().find(|mine| mine.key.text() == entry.key.text());
                let value = mine
                    .map_or_else(|| entry.value.clone(), |it| with_moves(&it.value, &entry.value));
                Entry { key: entry.key.clone(), value }
            });
            let mapping = Mapping { entries: entries.collect(), style: other.style };
            Node { value: Value::Mapping(Arc::new(mapping)), ..after.clone() }
        }
        _ => after.clone(),
    }
}

/// The places of the longest run of elements that stand in the order in which they stood; of several, the one that ends first.
fn longest_rise(was: &[Option<usize>]) -> Vec<usize> {
    // For each place the length of the longest run that ends there, and the place before it.
    let mut runs: Vec<(usize, Option<usize>)> = Vec::with_capacity(was.len());
    for (place, from) in was.iter().enumerate() {
        let Some(from) = from else {
            runs.push((0, None));
            continue;
        };
        let lower = |other: &usize| was.get(*other).copied().flatten().is_some_and(|it| it < *from);
        let length = |other: usize| runs.get(other).map_or(0, |run| run.0);
        let before = (0..place).filter(lower).rev().max_by_key(|other| length(*other));
        runs.push((before.map_or(0, length) + 1, before));
    }
    let longest = runs.iter().map(|run| run.0).max().unwrap_or(0);
    let mut next = runs.iter().position(|run| run.0 == longest).filter(|_| longest > 0);
    let mut kept = Vec::with_capacity(longest);
    while let Some(place) = next {
        kept.push(place);
        next = runs.get(place).and_then(|run| run.1);
    }
    kept
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
        of_file(1, text)
    }

    fn of_file(file: u32, text: &str) -> Node {
        let parsed = parse_documents(text.as_bytes(), SourceId(file), Limits::default()).unwrap();
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

    #[test]
    fn an_element_that_moved_is_said_to_have_moved() {
        let before = tree("l:\n- {name: a, v: 1}\n- {name: b, v: 1}\n- {name: c, v: 1}\n");
        // Of another file: what stands at the same place of one file is the same element.
        let after = of_file(
            2,
            "l:\n- {name: new}\n- {name: c, v: 1}\n- {name: a, v: 1}\n- {name: b, v: 2}\n",
        );
        let (old, new) = both_sides(&before, &after);
        assert_eq!(print_v3(&old), "l:\n- {name: c, v: 1}\n- {name: a, v: 1}\n- {name: b, v: 1}\n");
        assert_eq!(
            print_v3(&new),
            "l:\n- {name: new}\n# moved: it was number 3 of this list\n- {name: c, v: 1}\n- {name: a, v: 1}\n- {name: b, v: 2}\n"
        );
        let (_, same) = both_sides(&before, &before);
        assert_eq!(print_v3(&same), print_v3(&before));
    }
}
