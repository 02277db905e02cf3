//! The fields and elements that a list loses if a patch replaces it.

use crate::yaml::{MappingEntry, Node};

/// The fields that identify an element in lists of many types.
const IDENTIFYING_FIELDS: [&str; 4] = ["name", "key", "id", "type"];

/// True if two elements have the same identifying fields.
pub(super) fn is_same_thing(one: &Node, other: &Node) -> bool {
    IDENTIFYING_FIELDS.iter().all(|name| one.text_of(name) == other.text_of(name))
}

/// The loss of a list without merge key that a patch replaces.
pub(super) struct ListLoss {
    /// The lost fields and elements, as in `type of github` and `element 1`.
    pub(super) lost: Vec<String>,
    /// True if the patch repeats a value of a named element, in as many elements most of their
    /// values, or several values of an element without name, or if it writes the name with a prefix
    /// or suffix: its author knows that the list is replaced.
    /// A patch that is meant to be merged contains only the values that it changes.
    pub(super) is_restated: bool,
}

impl ListLoss {
    pub(super) fn new(olds: &[Node], news: &[Node]) -> Self {
        let is_pair_restated = |(old, new)| 2 * repeated_values(old, new) > value_count(old);
        let is_restated = news.len() == olds.len() && olds.iter().zip(news).all(is_pair_restated);
        let mut loss = Self { lost: Vec::new(), is_restated };
        for (index, old) in olds.iter().enumerate() {
            let name = old.text_of("name");
            let shown = name.map_or_else(|| element_text(index, old), str::to_owned);
            // An added element may share a few values with one by chance.
            loss.is_restated |= name.is_none() && news.iter().any(|new| repeats_several(old, new));
            let is_same = |new: &&Node| is_same_thing(old, new) && kind_of(old) == kind_of(new);
            let new = match name {
                Some(name) => news.iter().find(|it| it.text_of("name") == Some(name)),
                None => news.get(index).filter(is_same),
            };
            let is_unchanged = new.is_some_and(|new| old.same_content(new));
            if name.is_none() && !is_unchanged && news.iter().any(|new| keeps_values(old, new)) {
                continue;
            }
            let Some(new) = new else {
                let instead =
                    news.get(index).filter(|_| name.is_some() && news.len() >= olds.len());
                loss.is_restated |= instead.is_some_and(|new| repeats_value(old, new))
                    || name.is_some_and(|name| news.iter().any(|new| is_longer_name(name, new)));
                loss.lost.push(shown);
                continue;
            };
            // A patch that is meant to be merged repeats no element that has a name alone. Elements
            // without name may have one value in common by chance.
            let is_name_alone = old.entries().len() == 1 && is_unchanged;
            loss.is_restated |= name.is_some() && (is_name_alone || repeats_value(old, new));
            let mut fields = Vec::new();
            add_lost_fields(old, new, "", &mut fields);
            if fields.is_empty() && name.is_none() && news.len() < olds.len() && !is_unchanged {
                loss.lost.push(shown);
                continue;
            }
            loss.lost.extend(fields.iter().map(|field| format!("{field} of {shown}")));
        }
        loss
    }
}

/// True if an element has all values of another one.
fn keeps_values(old: &Node, new: &Node) -> bool {
    repeated_values(old, new) == value_count(old)
}

/// True if an element has the name of another one with a prefix or suffix.
fn is_longer_name(name: &str, new: &Node) -> bool {
    let longer = new.text_of("name").unwrap_or_default();
    let rest = longer.strip_suffix(name).or_else(|| longer.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with('-') || rest.ends_with('-'))
}

/// True if a new element repeats so many values of an old one that it is written to replace it: at
/// least two, and most of the values of the new one. The kind that both are about does not count.
fn repeats_several(old: &Node, new: &Node) -> bool {
    let about = |node: &Node| {
        let target = node.get("target").unwrap_or(node);
        let keys = ["apiVersion", "group", "version", "kind"].into_iter();
        keys.filter(|key| target.get(key).is_some()).count()
    };
    let repeated = repeated_values(old, new).saturating_sub(about(new));
    repeated >= 2 && 2 * repeated > value_count(new).saturating_sub(about(new))
}

/// The kind of resource that an element without name is about, as in the patches of Flux.
fn kind_of(element: &Node) -> Option<&str> {
    let own = element.get("kind").or_else(|| element.at(&["target", "kind"]));
    own.and_then(Node::text)
}

/// `element 0`, or `element 0 (for Deployment)`.
fn element_text(index: usize, element: &Node) -> String {
    match kind_of(element) {
        Some(kind) => format!("element {index} (for {kind})"),
        None => format!("element {index}"),
    }
}

/// True if two elements have a value in common, besides the fields that identify them.
fn repeats_value(old: &Node, new: &Node) -> bool {
    if let (Some(olds), Some(news)) = (old.items(), new.items()) {
        return olds.iter().any(|old| news.iter().any(|new| new.same_content(old)));
    }
    if old.as_mapping().is_none() {
        return old.same_content(new);
    }
    let names = old.entries().iter().filter_map(|it| Some((it.key.text()?, &it.value)));
    let mut own = names.filter(|(key, _)| !IDENTIFYING_FIELDS.contains(key));
    own.any(|(key, old)| new.get(key).is_some_and(|new| repeats_value(old, new)))
}

fn value_count(node: &Node) -> usize {
    node.nodes().filter(|node| node.as_scalar().is_some()).count()
}

/// The number of scalars that two trees have in common at the same places.
fn repeated_values(old: &Node, new: &Node) -> usize {
    if old.as_scalar().is_some() {
        return usize::from(old.same_content(new));
    }
    old.child_pairs(new).into_iter().map(|(old, new)| repeated_values(old, new)).sum()
}

/// Adds the paths of the fields that a replaced element had and its replacement lacks.
fn add_lost_fields(old: &Node, new: &Node, above: &str, lost: &mut Vec<String>) {
    // An empty list or mapping is meant to remove the content.
    if new.items().is_some_and(<[Node]>::is_empty)
        || new.as_mapping().is_some() && new.entries().is_empty()
    {
        return;
    }
    if let (Some(olds), Some(news)) = (old.items(), new.items()) {
        let list = above.trim_end_matches('.');
        for (index, old) in olds.iter().enumerate() {
            let name = old.text_of("name");
            let named = news.iter().find(|new| new.text_of("name") == name);
            match named.filter(|_| name.is_some()).or_else(|| news.get(index)) {
                None => {
                    let place = name.map_or_else(|| index.to_string(), str::to_owned);
                    lost.push(format!("{list}[{place}]"));
                }
                Some(new) => add_lost_fields(old, new, above, lost),
            }
        }
        return;
    }
    for entry in old.entries() {
        let Some(key) = entry.key.text() else { continue };
        let path = format!("{above}{key}");
        match new.get(key) {
            None => lost.push(path),
            Some(new) => add_lost_fields(&entry.value, new, &format!("{path}."), lost),
        }
    }
}

/// True if `new` contains all of `old`: every key, and for each element the element with the same
/// name, or else the element at the same index. Unlike a lost field, content that `new` empties counts.
pub(super) fn contains_all(new: &Node, old: &Node) -> bool {
    if let (Some(news), Some(olds)) = (new.items(), old.items()) {
        let one = |(place, old): (usize, &Node)| {
            let same = |wanted| news.iter().find(|new| new.text_of("name") == Some(wanted));
            let same = old.text_of("name").and_then(same);
            same.or_else(|| news.get(place)).is_some_and(|new| contains_all(new, old))
        };
        return news.len() >= olds.len() && olds.iter().enumerate().all(one);
    }
    let has = |entry: &MappingEntry| {
        let key = entry.key.text().unwrap_or_default();
        new.get(key).is_some_and(|new| contains_all(new, &entry.value))
    };
    old.entries().iter().all(has)
}
